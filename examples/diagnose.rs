//! Prints all that is wrong with a file, in the three forms that diagnostics have.

use std::io::stdout;

use hcl_lr::parse;
use hcl_lr::source::Source;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let source = Source::from_bytes(&path, std::fs::read(&path)?);
        let diagnostics = parse(source).into_parts().1;
        diagnostics.write_human(stdout(), false)?;
    }
    Ok(())
}
