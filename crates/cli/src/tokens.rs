//! `hcl tokens`: prints the tokens of a source.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::input::{Document, Origin};
use super::json_tokens::JsonTokens;
use super::{Status, args, rows, terminal};
use hcl_lr::model::Value;
use hcl_lr::source::Position;
use hcl_lr::syntax::ast::TokenDump;

const EXAMPLES: &str = "\
Examples:
  hcl tokens main.tf
  echo 'a = \"x${1 + 2}y\"' | hcl tokens -
  echo '1 + 2' | hcl tokens --expression -
  hcl tokens --json main.tf | jq '.[].kind'

Each line is a token: its kind, the line and column of its start, and its text.
Errors go to standard error. Exit status: 0 no errors, 1 errors, 2 the source
cannot be read.";

/// Show the tokens that a source is made of
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file, or `-` for standard input
    #[arg(value_name = "FILE|-")]
    file: PathBuf,

    #[command(flatten)]
    whole: args::Whole,

    #[command(flatten)]
    listed: args::Listed,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    color: args::Color,
}

pub fn run(args: &Args) -> Status {
    show(&args.file, &args.whole, &args.accepted, &args.color, |document, out| {
        if let Some(format) = args.listed.asked() {
            let order = ["kind", "line", "column", "text"].map(str::to_owned);
            let text = rows::print(format, &tokens(document), &order).map_err(io::Error::other)?;
            return out.write_all(&terminal::data(text.as_bytes()));
        }
        match document.native() {
            Ok(file) => write!(out, "{}", TokenDump(&file)),
            Err(json) => write!(out, "{}", JsonTokens(json)),
        }
    })
}

/// Returns the tokens as objects.
fn tokens(document: &Document) -> Vec<Value> {
    let mut all = Vec::new();
    let mut add = |kind: &str, at: Position, text: &str| {
        all.push(Value::object([
            ("kind", Value::from(kind)),
            ("line", Value::from(at.line)),
            ("column", Value::from(at.column)),
            ("text", Value::from(text)),
        ]));
    };
    match document.native() {
        Ok(file) => {
            let mut position = file.source().positions();
            for token in file.tokens().iter() {
                add(&format!("{:?}", token.kind()), position(token.span().start()), token.text());
            }
        }
        Err(json) => {
            let mut position = json.source().positions();
            let text = json.source().text();
            JsonTokens(json).each(|kind, start, end| add(kind, position(start), &text[start..end]));
        }
    }
    all
}

/// Reads a file, shows its errors on standard error and something about it on standard output.
pub fn show(
    path: &std::path::Path,
    whole: &args::Whole,
    accepted: &args::Accepted,
    color: &args::Color,
    write: impl FnOnce(&Document, &mut dyn Write) -> io::Result<()>,
) -> Status {
    let origin = Origin::of_argument(path);
    let syntax = whole.syntax().unwrap_or_else(|| origin.syntax());
    let (document, diagnostics) = match Document::read(&origin, syntax, &accepted.options()) {
        Ok(parsed) => parsed,
        Err(message) => {
            terminal::failure(&message);
            return Status::Failure;
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let result = write(&document, &mut out).and_then(|()| out.flush());
    let status = if diagnostics.has_errors() { Status::Errors } else { Status::Fine };
    // A closed output is no reason to stop.
    let _ = diagnostics.write_human(BufWriter::new(io::stderr().lock()), color.on_stderr());
    terminal::written(result, status)
}
