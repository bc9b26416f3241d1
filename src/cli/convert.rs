//! `hcl convert`: from native syntax to JSON and back.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::input::{Document, Origin, read};
use super::terminal::{count, note, print, show};
use super::{Status, args};
use crate::convert::{Blocks, Conversion, ConversionSchema, Converted, Strings, to_json, to_native};
use crate::reading::Options;

pub(super) const EXAMPLES: &str = "\
Examples:
  hcl convert main.tf                                 to JSON
  hcl convert main.tf.json --schema terraform.hcl     to native syntax
  hcl convert --print-schema main.tf > terraform.hcl  which blocks a file has
  hcl convert --blocks tagged main.tf | hcl convert --blocks tagged --syntax json -

JSON does not distinguish arguments from blocks. From JSON to native syntax, all properties are arguments,
but for the blocks that a schema names:
  block \"resource\" {             blocks of this type
    labels = [\"type\", \"name\"]    what their labels are called; none without it
    static = [\"depends_on\"]      arguments that are read as they are written: \"a.b\", not \"${a.b}\"
    block \"lifecycle\" {}         blocks within them
    when \"aws_instance\" {        what holds in addition where this is the first label
      block \"ebs_block_device\" {}
    }
  }

Anything that cannot be converted is an error, and nothing is written.
Exit status 0: converted, 1: there are errors, 2: cannot be read.";

#[derive(clap::Args)]
pub(super) struct Args {
    /// The file, or - for standard input: to JSON if it is in native syntax, and the other way around
    #[arg(value_name = "FILE|-")]
    file: PathBuf,

    /// How blocks are written in JSON
    #[arg(long, value_enum, default_value_t = BlockForm::Collapse)]
    blocks: BlockForm,

    /// What strings are to the program that reads the JSON
    #[arg(long, value_enum, default_value_t = StringForm::Template)]
    strings: StringForm,

    /// A file that says which blocks there are, and which arguments are not evaluated
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Keep comments as properties "//" of JSON
    #[arg(long)]
    comments: bool,

    /// Print the schema of the blocks in a file in native syntax instead
    #[arg(long, conflicts_with_all = ["schema", "comments"])]
    print_schema: bool,

    #[command(flatten)]
    language: args::Language,

    #[command(flatten)]
    pub limits: args::Limits,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, ValueEnum)]
enum BlockForm {
    /// Each body in an array; the order of all blocks is kept
    Array,
    /// The only body of its type and labels as an object
    Collapse,
    /// A form that says what everything is; only comments and layout are lost
    Tagged,
}

#[derive(Clone, Copy, ValueEnum)]
enum StringForm {
    /// Templates, in which ${ } is evaluated
    Template,
    /// Plain text; the only expressions are then literal values
    Literal,
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let options = args.limits.options();
    let color = args.color.on_stderr();
    let schema = match &args.schema {
        Some(path) => match load_schema(path, &options, color)? {
            Some(schema) => schema,
            None => return Ok(Status::Errors),
        },
        None => ConversionSchema::new(),
    };
    let origin = Origin::of_argument(&args.file);
    let syntax = args.language.syntax().unwrap_or_else(|| origin.body_syntax());
    let conversion = Conversion {
        blocks: match args.blocks {
            BlockForm::Array => Blocks::Array,
            BlockForm::Collapse => Blocks::Collapse,
            BlockForm::Tagged => Blocks::Tagged,
        },
        strings: match args.strings {
            StringForm::Template => Strings::Template,
            StringForm::Literal => Strings::Literal,
        },
        comments: args.comments,
        schema: &schema,
        options,
    };
    let (document, diagnostics) = Document::read_lightly(&origin, syntax, &options)?;
    let wrong = diagnostics.has_errors();
    show(diagnostics, color);
    if wrong {
        return Ok(Status::Errors);
    }
    let converted = match document.native() {
        Ok(file) if args.print_schema => {
            return print(&ConversionSchema::of(file.body()).to_string()).map(|()| Status::Fine);
        }
        Err(_) if args.print_schema => {
            return Err(format!("`{}` has no schema in it: JSON alone does not say what is a block", origin.name()));
        }
        Ok(file) => to_json(&file, &conversion),
        Err(document) => to_native(document, &conversion),
    };
    let (converted, diagnostics) = converted.into_parts();
    let wrong = diagnostics.has_errors();
    show(diagnostics, color);
    if wrong {
        return Ok(Status::Errors);
    }
    notes(&converted);
    print(&converted.text).map(|()| Status::Fine)
}

/// What got lost, or may be meant in another way.
fn notes(converted: &Converted) {
    if converted.comments_left_out > 0 {
        let comments = count(converted.comments_left_out, "comment");
        let were = if converted.comments_left_out == 1 { "was" } else { "were" };
        note(&format!("{comments} {were} left out; `--comments` keeps them"));
    }
    if !converted.reordered.is_empty() {
        let names = list(&converted.reordered);
        let types = if converted.reordered.len() == 1 { "type" } else { "types" };
        note(&format!(
            "blocks of the {types} {names} now stand together; `--blocks array` keeps the order of all blocks"
        ));
    }
    if !converted.maybe_blocks.is_empty() {
        let names = list(&converted.maybe_blocks);
        let (became, are) = match converted.maybe_blocks.len() {
            1 => ("an argument", "it is a block"),
            _ => ("arguments", "they are blocks"),
        };
        note(&format!("without a schema {names} became {became}; if {are}, say so with `--schema FILE`"));
    }
}

fn list(names: &[String]) -> String {
    const MAX_NAMES: usize = 5;
    let mut all: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > MAX_NAMES {
        all.push("…".to_owned());
    }
    all.join(", ")
}

fn load_schema(path: &Path, options: &Options, color: bool) -> Result<Option<ConversionSchema>, String> {
    let (name, bytes) = read(path)?;
    let schema = options.parse_conversion_schema((&name, bytes));
    let wrong = schema.has_errors();
    let (schema, diagnostics) = schema.into_parts();
    show(diagnostics, color);
    Ok((!wrong).then_some(schema))
}
