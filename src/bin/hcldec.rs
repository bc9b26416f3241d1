//! The program `hcldec`. All of it is in the library, in `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hcl_lr::cli::hcldec()
}
