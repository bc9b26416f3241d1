//! `hcldec` and `hcl decode`: decode files by a spec and print JSON.

mod inputs;
mod output;
mod references;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use super::status::Status;
use super::{args, terminal};
use crate::context::Context;
use crate::error::Error;
use crate::replace as atomic;
use crate::variables::assignments;
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::eval::Scope;
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::Meter;
use hcl_lr::model::Value;
use hcl_lr::source::visible::path as shown;
use inputs::Problems;

const EXAMPLES: &str = "\
Examples:
  hcldec --spec app.hcldec app.conf                 the values of a file as JSON
  hcldec --spec app.hcldec base.hcl more.hcl.json   several files as one body
  hcldec --spec app.hcldec --vars '{\"env\": \"prod\"}' app.conf
  hcldec --spec app.hcldec --vars prod.json --vars overrides.hcl app.conf
  hcldec --spec app.hcldec --var-refs app.conf      the variables of a file
  cat app.conf | hcldec --spec app.hcldec
  hcl decode --schema app.schema.hcl app.conf       by a schema
  hcl decode --schema app.schema.hcl --var env=prod .   the files of a folder

A spec file describes the input and the result:
  object {
    attr \"name\" {
      type     = string
      required = true
    }
    block_list \"listener\" {
      attr {
        name = \"port\"
        type = number
      }
    }
  }
The specs are object, array, attr, block, block_list, block_set, block_map,
block_attrs, literal, default and transform. Files named *.json are in the JSON
syntax of HCL.

By a schema, references have the values of what the files define, or their names
where the schema says `reference`. Attributes that are not set have their
defaults. Inputs have their values from --var, --vars, and the files and
environment variables that the language names. The files of a folder are one
value if the language reads them together, and a line for each file otherwise.

Exit status:
  0  success
  1  there is no --spec or --schema, or the result cannot be written
  2  the files have errors, a file cannot be read, or an option is wrong";

/// The status for errors in files, as in the official program of this name.
const WITH_ERRORS: Status = Status::Failure;
/// The status if there is nothing to do, or the result cannot be written.
const WITHOUT_RESULT: Status = Status::Errors;

/// Decode files by a spec or a schema and print the values as JSON
#[derive(clap::Args)]
#[command(override_usage = "hcl decode <--spec <FILE>|--schema <NAME|FILE>> [OPTIONS] [PATH|-]...", after_help = EXAMPLES)]
pub(super) struct Args {
    /// The spec file, which describes the input and the result
    #[arg(long, short, value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Decode by the schema of a language: its name, or a schema file
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "spec")]
    schema: Option<String>,

    /// Files to decode as one body, or - for standard input; by a schema also folders [default: -]
    #[arg(value_name = "PATH|-")]
    files: Vec<PathBuf>,

    /// Set variables from a JSON object or from a file; repeatable
    ///
    /// A file is a JSON object if its name ends with .json, otherwise HCL attributes. Later values
    /// override earlier ones.
    #[arg(long, short = 'V', value_name = "JSON-OR-FILE")]
    vars: Vec<OsString>,

    /// Set a variable; repeatable. Overrides --vars
    ///
    /// The value is an expression without variables, such as 5 or ["a", "b"]. Anything else is a
    /// string and needs no quotes: --var name=Ada.
    #[arg(long = "var", value_name = "NAME=VALUE")]
    values: Vec<String>,

    /// Print the type with the value: {"value": …, "type": …}
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(default_value_t = false, hide_default_value = true, hide_possible_values = true, action = clap::ArgAction::Set)]
    with_type: bool,

    /// Print object properties that are null
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(default_value_t = false, hide_default_value = true, hide_possible_values = true, action = clap::ArgAction::Set)]
    keep_nulls: bool,

    /// Print the variables that the files need instead, as JSON
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(default_value_t = false, hide_default_value = true, hide_possible_values = true, action = clap::ArgAction::Set)]
    var_refs: bool,

    /// Offer a set of functions: standard, extended, terraform, packer or nomad
    #[arg(long = "functions", value_name = "SET")]
    functions: Option<FunctionSet>,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    budget: args::Budget,

    /// Write the result to a file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Set the format of errors and warnings [default: text with excerpts]
    #[arg(long, value_name = "FORMAT", value_enum)]
    diags: Option<Format>,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A JSON object {"diagnostics": […]}
    Json,
}

/// Runs the command.
impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        if self.spec.is_none() && self.schema.is_none() {
            return Err(Error::from(
                "a spec or a schema is required: --spec FILE, or --schema NAME|FILE\n\n  tip: a file with `object {}` is enough to begin with; see --help for an example",
            )
            .with_status(WITHOUT_RESULT));
        }
        let mut problems = Problems::new(context, self.accepted.options(context));
        let result = match &self.schema {
            Some(schema) => values::lines_of_projects(context, self, schema, &mut problems)?,
            None => spec(self, &mut problems).and_then(|spec| decode(self, &spec, &mut problems)),
        };
        problems.show(self.diags.is_some(), &self.color);
        let Some(result) = result else { return Ok(WITH_ERRORS) };
        let written = result.and_then(|text| write_result(&text, self));
        written.map(|()| Status::Fine).map_err(|error| error.with_status(WITHOUT_RESULT))
    }

    /// Returns the value as JSON, or the reason why it has none.
    fn printed(&self, value: &Value) -> Result<String, Error> {
        self.budget.check_size(value)?;
        if self.with_type {
            // A type can be large where the value is not: that of an empty list.
            self.budget.check_text(value.ty().size(), "the type")?;
        }
        output::to_json(value, self.with_type, self.keep_nulls)
    }
}

/// Returns the spec of the spec file. `None` if there are problems.
fn spec(args: &Args, problems: &mut Problems<'_>) -> Option<SpecFile> {
    // Only a valid spec can find errors in files.
    let body = args.spec.as_deref().and_then(|path| problems.load(path));
    let spec = body.map(|body| problems.take(SpecFile::from_body(&body)));
    spec.filter(|_| !problems.has_errors())
}

/// Returns the result, or the reason why it has no JSON; `None` if there are problems.
fn decode(args: &Args, spec: &SpecFile, problems: &mut Problems<'_>) -> Option<Result<String, Error>> {
    let meter = Meter::new(args.budget.limits());
    let mut variables = problems.variables(&args.vars, &Scope::new().with_meter(&meter));
    match assignments(&args.values, args.budget.limits()) {
        Ok(values) => variables.extend(values),
        Err(error) => return Some(Err(error)),
    }
    let body = problems.bodies(&args.files);
    if problems.has_errors() {
        return None;
    }
    let variables = spec.variables_with(variables);
    let mut scope = spec.scope_with(&variables).with_meter(&meter);
    if args.var_refs {
        return Some(Ok(references::to_json(&spec.spec().variables(&body), &scope)));
    }
    if let Some(set) = args.functions {
        scope = scope.with_functions(set.functions().with_all(spec.functions()));
    }
    let value = problems.take(spec.spec().decode(&body, &scope));
    (!problems.has_errors()).then(|| args.printed(&value))
}

/// Writes the result to the file that the options name, or to standard output.
fn write_result(text: &str, args: &Args) -> Result<(), Error> {
    match args::path_or_stdout(args.out.as_ref()) {
        None => terminal::print(text).map(drop),
        Some(path) => atomic::write(path, text.as_bytes())
            .map_err(|error| Error::io(format!("cannot write `{}`", shown(path)), error)),
    }
}
