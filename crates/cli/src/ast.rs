//! `hcl ast`: prints the syntax tree of a source.

use std::path::PathBuf;

use super::context::Context;
use super::error::Error;
use super::print_document::print_document;
use super::status::Status;
use super::{args, terminal};
use hcl_lr::json;
use hcl_lr::syntax::ast::TreeDump;

const EXAMPLES: &str = "\
Examples:
  hcl ast main.tf                              the tree, one node per line
  hcl ast --json main.tf                       the meaning as JSON on one line
  echo '1 + 2 * 3' | hcl ast --expression -    the tree of an expression
  hcl ast --template --json motd.txt           the parts of a template
  hcl ast main.tf.json                         the tree of a JSON file

The tree shows how a source is written. The JSON shows its meaning: escape
sequences are decoded, heredocs have no indentation, strip markers are applied.
Two files with the same JSON mean the same. In the JSON syntax, blocks and
arguments look alike, so all properties are shown as arguments.

Errors go to standard error; the valid parts are still printed.
Exit status: 0 no errors, 1 errors, 2 the source cannot be read.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file, or `-` for standard input
    #[arg(value_name = "FILE|-")]
    file: PathBuf,

    /// Show the meaning as JSON instead of the tree
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    whole: args::Whole,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        print_document(context, &self.file, &self.whole, &self.accepted, &self.color, |document, out| {
            if self.json {
                out.write_all(&terminal::data((document.to_json() + "\n").as_bytes()))
            } else {
                match document.native() {
                    Ok(file) => write!(out, "{}", TreeDump::of_file(&file)),
                    Err(json) => write!(out, "{}", json::NodeDump(json.root())),
                }
            }
        })
    }
}
