//! The server alone, without the program `hcl`: what `hcl lsp` runs. `cargo test` builds it for the session with Neovim.
//!
//! ```sh
//! cargo run --package hcl-lr-lsp --example serve
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    if hcl_lr_lsp::run() { ExitCode::SUCCESS } else { ExitCode::from(2) }
}
