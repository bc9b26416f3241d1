//! `hcl tokens`: prints the tokens of a source.

use std::io;
use std::path::PathBuf;

use super::context::Context;
use super::error::Error;
use super::input::Document;
use super::json_tokens::JsonTokens;
use super::print_document::print_document;
use super::status::Status;
use super::{args, rows, terminal};
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

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        print_document(context, &self.file, &self.whole, &self.accepted, &self.color, |document, out| {
            if let Some(format) = self.listed.asked() {
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
