//! Prints a form of a document: its tokens or its tree.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::context::Context;
use super::error::Error;
use super::input::{Document, Origin};
use super::status::Status;
use super::{args, terminal};

/// Reads a file, prints its errors to standard error and information about it to standard output.
pub fn print_document(
    context: &Context,
    path: &Path,
    whole: &args::Whole,
    accepted: &args::Accepted,
    color: &args::Color,
    write: impl FnOnce(&Document, &mut dyn Write) -> io::Result<()>,
) -> Result<Status, Error> {
    let origin = Origin::of_argument(path);
    let syntax = whole.syntax().unwrap_or_else(|| origin.syntax());
    let (document, diagnostics) = Document::read(context, &origin, syntax, &accepted.options(context))?;
    let mut out = BufWriter::new(io::stdout().lock());
    let result = write(&document, &mut out).and_then(|()| out.flush());
    let status = if diagnostics.has_errors() { Status::Errors } else { Status::Fine };
    // A closed output is no reason to stop.
    let _ = diagnostics.write_human(BufWriter::new(io::stderr().lock()), color.on_stderr());
    Ok(terminal::written(result, status))
}
