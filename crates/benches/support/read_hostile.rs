//! Reads one of the hostile inputs for serde, by its line, into its type, with the limits that `Reader` has by default.
//! `crates/benches/hostile.sh` measures it. The status is 1 if something is wrong with the input, as with `hcl`.
//! `--files FOLDER` writes the files of the other inputs to a folder.

#[path = "../../../tests/support/cases.rs"]
mod cases;

#[path = "../../../tests/fixtures/hostile/serde/types.rs"]
#[allow(dead_code, reason = "only errors are looked at")]
mod types;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(line) = arguments.next() else {
        eprintln!("usage: read_hostile LINE | --files FOLDER");
        return ExitCode::from(2);
    };
    if let ("--files", Some(folder)) = (&*line, arguments.next()) {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/hostile");
        cases::cases_below(&fixtures).iter().for_each(|case| case.write_files(Path::new(&folder)));
        return ExitCode::SUCCESS;
    }
    // As much as a thread of a program has by default.
    let read = move || types::Hostile::of_line(&line, usize::MAX).read(&hcl_lr::typed::Reader::new());
    let errors = std::thread::spawn(read).join().expect("it ends");
    for error in &errors {
        eprintln!("error[{}]: {}", error.code(), error.detail());
    }
    ExitCode::from(u8::from(errors.has_errors()))
}
