//! The program `hcldec`. Its code is in the library of this package.

use std::process::ExitCode;

#[cfg(feature = "fast-allocator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    hcl_lr_cli::hcldec()
}
