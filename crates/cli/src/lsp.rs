//! `hcl lsp`: the language server.

use crate::Status;

pub const EXAMPLES: &str = "\
Examples:
  hcl lsp                          what an editor runs, see docs/editor.md

The server speaks the Language Server Protocol over standard input and output.

Exit status 0: the editor has shut the server down, 2: it has gone without doing so.";

/// Serve an editor over the Language Server Protocol
#[derive(clap::Args)]
pub struct Args {
    /// Speak over standard input and output; the default, and the only way
    #[arg(long)]
    stdio: bool,
}

pub fn run(args: &Args) -> Status {
    // Clients that can speak in several ways name the one that they have chosen.
    let Args { stdio: _ } = args;
    if hcl_lr_lsp::run() { Status::Fine } else { Status::Failure }
}
