//! The program `hcl`. All of it is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    hcl_lr_cli::main()
}
