//! `hcl ast`: what the parser makes of a source.

use std::path::PathBuf;

use super::tokens::show;
use super::{Status, args, terminal};
use hcl_lr::json;
use hcl_lr::syntax::ast::TreeDump;

const EXAMPLES: &str = "\
Examples:
  hcl ast main.tf                              the tree, one node per line
  hcl ast --json main.tf                       what the file means, as JSON on one line
  echo '1 + 2 * 3' | hcl ast --expression -    the tree of an expression
  hcl ast --template --json motd.txt           the parts of a template
  hcl ast main.tf.json                         the tree of a file in the JSON syntax

The tree shows how a source is written; the JSON is its meaning: escapes are decoded, heredocs are
without their indentation, strip markers are applied. Two files with the same JSON mean the same.
What a file in the JSON syntax means is up to the program that it is for: here all properties are
treated as arguments.

Where there are errors, they go to standard error, and what could be understood is still shown.
Exit status 0: no errors, 1: there are some, 2: cannot be read.";

/// Show what a source says: as a tree, or its meaning as JSON
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
    pub limits: args::Limits,

    #[command(flatten)]
    color: args::Color,
}

pub fn run(args: &Args) -> Status {
    show(&args.file, &args.whole, &args.limits, &args.color, |document, out| {
        if args.json {
            out.write_all(&terminal::data((document.to_json() + "\n").as_bytes()))
        } else {
            match document.native() {
                Ok(file) => write!(out, "{}", TreeDump::of_file(&file)),
                Err(json) => write!(out, "{}", json::NodeDump(json.root())),
            }
        }
    })
}
