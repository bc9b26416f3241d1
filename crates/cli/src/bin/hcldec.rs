//! The program `hcldec`. All of it is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    hcl_lr_cli::hcldec()
}
