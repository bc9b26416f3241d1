//! `hcl conformance`: answers questions of the conformance protocol, asks them, and writes the suite.

mod dump;
mod run;

use std::io::{self, BufWriter};

use clap::Subcommand;

use super::status::Status;
use super::terminal;
use crate::context::Context;
use crate::error::Error;
use hcl_lr_conformance::run as answer_all;

const ABOUT: &str = "\
Answer questions from other programs, to compare implementations of HCL

Reads requests from standard input, one JSON object a line, and writes the answers to standard output, \
one JSON object a line, in the same order. `op` says what is asked: config, expr, template or traversal; \
`src` is the source text. A bad request gets the answer {\"bad_request\": \"why\"}, an operation that \
there is not the answer {\"unsupported\": \"op\"}; the program goes on until the end of the input. \
The protocol is described in crates/conformance/PROTOCOL.md of the project.

With `run` it asks another program instead, and says how much of the suite it answers as it should.";

const EXAMPLES: &str = "\
Examples:
  echo '{\"op\": \"expr\", \"src\": \"1 + 2\"}' | hcl conformance
  hcl conformance < requests.jsonl > answers.jsonl
  hcl conformance run -- python3 crates/conformance/drivers/example.py
  hcl conformance run --junit -- ./my-driver --quiet > report.xml";

#[derive(clap::Args)]
#[command(about = "Run the conformance suite, or answer its requests")]
#[command(after_help = EXAMPLES, long_about = ABOUT)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Ask a driver all questions of the suite, and say how it answers
    Run(run::Args),
    /// Print the suite that the chapters of the specification make
    Dump(dump::Args),
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        match &self.command {
            None => {
                let result = answer_all(io::stdin().lock(), BufWriter::new(io::stdout().lock()));
                Ok(terminal::written(result, Status::Fine))
            }
            Some(Command::Run(args)) => args.run(context),
            Some(Command::Dump(args)) => args.run(context),
        }
    }
}
