//! `hcl functions`: lists and describes functions.

use super::args::{Listed, Offered};
use super::context::Context;
use super::error::Error;
use super::function_help::{explained, list};
use super::rows;
use super::status::Status;
use super::terminal::print;
use hcl_lr::functions::FunctionEntry;
use hcl_lr::model::Value;

const EXAMPLES: &str = "\
Examples:
  hcl functions                                list all functions
  hcl functions join                           describe one, with examples
  hcl functions index --functions terraform    as another program defines it
  hcl functions -o csv                         for a spreadsheet";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The function to describe [default: list all functions]
    #[arg(value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    offered: Offered,

    #[command(flatten)]
    listed: Listed,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<Status, Error> {
        if let Some(format) = self.listed.asked() {
            let wanted = |entry: &&FunctionEntry| {
                self.name.as_deref().is_none_or(|name| entry.name() == self.offered.set.plain_name(name))
            };
            let rows: Vec<Value> = self.offered.set.entries().iter().filter(wanted).map(row).collect();
            if !rows.is_empty() {
                return print(&rows::print(format, &rows, &[])?).map(|_| Status::Fine);
            }
        }
        match &self.name {
            None => print(&list(self.offered.set)).map(|_| Status::Fine),
            Some(name) => {
                let text = explained(name, self.offered.set).map_err(|error| error.with_status(Status::Errors))?;
                print(&text).map(|_| Status::Fine)
            }
        }
    }
}

/// Returns a function as an object.
fn row(entry: &FunctionEntry) -> Value {
    Value::object([
        ("name", Value::from(entry.name())),
        ("signature", Value::from(entry.signature())),
        ("summary", Value::from(entry.summary())),
    ])
}
