//! The program `hcl`. Its code is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    hcl_lr_cli::main()
}
