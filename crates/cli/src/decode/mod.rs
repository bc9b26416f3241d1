//! `hcldec` and `hcl decode`: decode files by a spec and print JSON.

mod inputs;
mod output;
mod references;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use super::status::Status;
use super::{args, terminal};
use crate::context::Context;
use crate::error::Error;
use crate::replace as atomic;
use crate::schema_file;
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::eval::Scope;
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::Meter;
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

Exit status:
  0  success
  1  --spec is missing, or the result cannot be written
  2  the files have errors, a file cannot be read, or an option is wrong";

/// The status for errors in files, as in the official program of this name.
const WITH_ERRORS: Status = Status::Failure;
/// The status if there is nothing to do, or the result cannot be written.
const WITHOUT_RESULT: Status = Status::Errors;

/// Decode files by a spec and print the values as JSON
#[derive(clap::Args)]
#[command(override_usage = "hcl decode --spec <FILE> [OPTIONS] [FILE|-]...", after_help = EXAMPLES)]
pub(super) struct Args {
    /// The spec file, which describes the input and the result
    #[arg(long, short, value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Decode by the schema of a language: its name, or a schema file
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "spec")]
    schema: Option<String>,

    /// Files to decode as one body, or - for standard input [default: -]
    #[arg(value_name = "FILE|-")]
    files: Vec<PathBuf>,

    /// Set variables from a JSON object or from a file; repeatable
    ///
    /// A file is a JSON object if its name ends with .json, otherwise HCL attributes. Later values
    /// override earlier ones.
    #[arg(long, short = 'V', value_name = "JSON-OR-FILE")]
    vars: Vec<OsString>,

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
                "a spec is required: --spec FILE\n\n  tip: a file with `object {}` is enough to begin with; see --help for an example",
            )
            .with_status(WITHOUT_RESULT));
        }
        let mut problems = Problems::new(context, self.accepted.options(context));
        let spec = spec(context, self, &mut problems)?;
        let result = spec.and_then(|spec| decode(self, &spec, &mut problems));
        problems.show(self.diags.is_some(), &self.color);
        let Some(result) = result else { return Ok(WITH_ERRORS) };
        let written = result.and_then(|text| write_result(&text, self));
        written.map(|()| Status::Fine).map_err(|error| error.with_status(WITHOUT_RESULT))
    }
}

/// Returns the spec from a file or from a schema. `None` if there are problems.
///
/// # Errors
/// A message, if the schema cannot be used.
fn spec(context: &Context, args: &Args, problems: &mut Problems<'_>) -> Result<Option<SpecFile>, Error> {
    if let Some(name) = &args.schema {
        let schema = schema_file::named(context, name, args.color.on_stderr())?;
        let path = args.files.first().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        let spec = schema.files_for(&path, |_| false).and_then(|files| schema.spec(files));
        let spec = spec.ok_or_else(|| format!("the language `{name}` has no files"))?;
        let sets = schema.functions.iter().map(|set| set.functions());
        let functions = sets.reduce(|all, set| all.with_all(&set)).unwrap_or_default();
        return Ok(Some(SpecFile::new(spec).with_functions(functions)));
    }
    // Only a valid spec can find errors in files.
    let body = args.spec.as_deref().and_then(|path| problems.load(path));
    let spec = body.map(|body| problems.take(SpecFile::from_body(&body)));
    Ok(spec.filter(|_| !problems.has_errors()))
}

/// Returns the result, or the reason why it has no JSON; `None` if there are problems.
fn decode(args: &Args, spec: &SpecFile, problems: &mut Problems<'_>) -> Option<Result<String, Error>> {
    let meter = Meter::new(args.budget.limits());
    let variables = problems.variables(&args.vars, &Scope::new().with_meter(&meter));
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
    let printed = || {
        args.budget.check_size(&value)?;
        if args.with_type {
            // A type can be large where the value is not: that of an empty list.
            args.budget.check_text(value.ty().size(), "the type")?;
        }
        output::to_json(&value, args.with_type, args.keep_nulls)
    };
    (!problems.has_errors()).then(printed)
}

/// Writes the result to the file that the options name, or to standard output.
fn write_result(text: &str, args: &Args) -> Result<(), Error> {
    match args::path_or_stdout(args.out.as_ref()) {
        None => terminal::print(text).map(drop),
        Some(path) => atomic::write(path, text.as_bytes())
            .map_err(|error| Error::io(format!("cannot write `{}`", shown(path)), error)),
    }
}
