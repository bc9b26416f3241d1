//! `hcl template`: the text that a template makes.

use std::path::PathBuf;

use super::Status;
use super::input::read;
use super::terminal::{print, show};
use super::variables::{Variables, scope};
use crate::model::Type;
use crate::source::Source;
use crate::syntax::{Options, parse_template};

pub(super) const EXAMPLES: &str = "\
Examples:
  hcl template motd.tftpl --vars host.json
  echo 'Hello, ${name}!' | hcl template - --var name=Ada";

#[derive(clap::Args)]
pub(super) struct Args {
    /// The template, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    variables: Variables,
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let variables = match args.variables.load()? {
        Ok(variables) => variables,
        Err(status) => return Ok(status),
    };
    let (name, bytes) = read(&args.file)?;
    let (template, diagnostics) = parse_template(Source::from_bytes(&name, bytes), &Options::default()).into_parts();
    show(&diagnostics);
    if diagnostics.has_errors() {
        return Ok(Status::Errors);
    }
    let value = match template.get().evaluate(&scope(&variables)) {
        Ok(value) => value,
        Err(diagnostics) => {
            show(&diagnostics);
            return Ok(Status::Errors);
        }
    };
    // A template that is one interpolation gives the value of that, which need not be a string.
    let text = value.convert(&Type::String).map_err(|why| format!("{name} does not make a text: {why}"))?;
    match text.as_str() {
        Some(text) => print(text).map(|()| Status::Fine),
        None => Err(format!("{name} does not make a text, but null")),
    }
}
