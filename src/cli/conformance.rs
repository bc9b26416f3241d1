//! `hcl conformance`: answers questions of the conformance protocol.

use std::io::{self, BufWriter};

use super::{Status, terminal};
use crate::conformance::run;

pub(super) const ABOUT: &str = "\
Answer questions from other programs, to compare implementations of HCL

Reads requests from standard input, one JSON object a line, and writes the answers to standard output, \
one JSON object a line, in the same order. `op` says what is asked: config, expr, template or traversal; \
`src` is the source text. A bad request gets the answer {\"bad_request\": \"why\"}, an operation that \
there is not the answer {\"unsupported\": \"op\"}; the program goes on until the end of the input.";

pub(super) const EXAMPLES: &str = "\
Examples:
  echo '{\"op\": \"expr\", \"src\": \"1 + 2\"}' | hcl conformance
  hcl conformance < requests.jsonl > answers.jsonl";

/// From standard input to standard output.
pub(super) fn serve() -> Status {
    let result = run(io::stdin().lock(), BufWriter::new(io::stdout().lock()));
    terminal::written(result, Status::Fine)
}
