//! `hcl lsp`: the language server.

use super::context::Context;
use super::error::Error;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  hcl lsp                          what an editor runs, see docs/editor.md

The server speaks the Language Server Protocol over standard input and output.

Exit status 0: the editor has shut the server down, 2: it has gone without doing so.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Speak over standard input and output; the default, and the only way
    #[arg(long)]
    stdio: bool,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<Status, Error> {
        // Clients that support several transports pass the chosen one.
        let Args { stdio: _ } = self;
        Ok(if hcl_lr_lsp::run() { Status::Fine } else { Status::Failure })
    }
}
