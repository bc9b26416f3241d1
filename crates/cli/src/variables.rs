//! Variables from the command line: `--var name=value` and `--vars FILE`.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, FromArgMatches};

use super::args::{Budget, Offered};
use super::context::Context;
use super::error::Error;
use super::input::read;
use super::status::Status;
use super::terminal::{note, show};
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::{Limits, Meter};
use hcl_lr::model::Value;
use hcl_lr::source::Source;
use hcl_lr::syntax::is_identifier;
use hcl_lr::{Body, Expression, parse};
use hcl_lr_language::definitions::{ConcealedErrors, Inputs};

/// Variables and functions from the command line.
pub(super) struct Variables {
    /// In the order of the command line.
    given: Vec<Given>,
    offered: Offered,
    budget: Budget,
}

/// A value, or a file with values.
enum Given {
    /// The text of `--var`.
    Value(String),
    /// The path of `--vars`.
    File(PathBuf),
    /// A JSON object in place of such a path.
    Json(String),
}

/// The options as they are described.
#[derive(clap::Args)]
struct Described {
    /// Set a variable; repeatable
    ///
    /// The value is an expression without variables, such as 5 or ["a", "b"]. Anything else is a
    /// string and needs no quotes: --var name=Ada.
    #[arg(id = "var", long = "var", value_name = "NAME=VALUE")]
    vars: Vec<String>,

    /// Set variables from a file; repeatable
    ///
    /// The file has HCL attributes, or is a JSON object if its name ends with .json (its strings are
    /// not templates). Of --vars and --var, later ones override earlier ones.
    #[arg(id = "vars", long = "vars", value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    offered: Offered,

    #[command(flatten)]
    budget: Budget,
}

impl clap::Args for Variables {
    fn augment_args(command: clap::Command) -> clap::Command {
        Described::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Described::augment_args_for_update(command)
    }
}

impl FromArgMatches for Variables {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Variables::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        // The places on the command line are lost once the values are taken.
        let places = |id| matches.indices_of(id).into_iter().flatten().collect::<Vec<usize>>();
        let (of_values, of_files) = (places("var"), places("vars"));
        let Described { vars, files, offered, budget } = Described::from_arg_matches_mut(matches)?;
        let values = of_values.into_iter().zip(vars.into_iter().map(Given::Value));
        let mut given: Vec<(usize, Given)> =
            values.chain(of_files.into_iter().zip(files.into_iter().map(Given::File))).collect();
        given.sort_by_key(|(place, _)| *place);
        Ok(Variables { given: given.into_iter().map(|(_, given)| given).collect(), offered, budget })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Variables::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Variables {
    /// Creates variables from files or JSON objects, and from texts that override them.
    pub fn new(files: &[OsString], values: &[String], set: FunctionSet, budget: Budget) -> Variables {
        let of_file = |argument: &OsString| match argument.to_str() {
            Some(text) if text.trim_start().starts_with('{') => Given::Json(text.to_owned()),
            _ => Given::File(PathBuf::from(argument)),
        };
        let given = files.iter().map(of_file).chain(values.iter().cloned().map(Given::Value)).collect();
        Variables { given, offered: Offered { set }, budget }
    }

    /// Returns the limits of an evaluation.
    pub fn limits(&self) -> Limits {
        self.budget.limits()
    }

    /// Checks that a value is small enough to print: shared parts may occur in it many times.
    pub fn check_size(&self, value: &Value) -> Result<(), Error> {
        self.budget.check_size(value)
    }

    /// Checks that a text of a given size is small enough to print.
    pub fn check_text(&self, bytes: u64, what: &str) -> Result<(), Error> {
        self.budget.check_text(bytes, what)
    }

    /// Returns the limits of an evaluation, and of what is printed.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns true if no variable is set.
    pub fn are_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Returns the set of functions.
    pub fn functions(&self) -> FunctionSet {
        self.offered.set
    }

    /// Returns all variables; later ones replace earlier ones. If a file has errors, they are shown.
    pub fn all_values(&self, context: &Context, color: bool) -> Result<HashMap<String, Value>, Error> {
        let mut variables = HashMap::new();
        for given in &self.given {
            match given {
                Given::File(path) => {
                    variables.extend(load_file(context, path, self.offered.set, &HashSet::new(), self.limits(), color)?)
                }
                Given::Json(text) => {
                    let source = Source::new(JSON_ARGUMENT, text.as_str());
                    let set = self.offered.set;
                    variables.extend(load_source(source, set, &HashSet::new(), self.limits(), color)?)
                }
                Given::Value(text) => {
                    let (name, value) = assigned(text, self.limits(), color)?;
                    variables.insert(name, value);
                }
            }
        }
        Ok(variables)
    }

    /// Sets the inputs of files, whose definitions determine types and sensitivity. Returns the names, each with true
    /// if it is from a file.
    pub fn give(
        &self,
        context: &Context,
        inputs: &mut Inputs,
        sensitive: &HashSet<&str>,
        color: bool,
    ) -> Result<Vec<(String, bool)>, Error> {
        let mut names = Vec::new();
        for given in &self.given {
            match given {
                Given::File(path) => {
                    let given = give_file(context, path, inputs, sensitive, self.limits(), color)?;
                    names.extend(given.into_iter().map(|name| (name, true)));
                }
                Given::Json(text) => {
                    let source = Source::new(JSON_ARGUMENT, text.as_str());
                    for (name, value) in load_source(source, FunctionSet::Standard, sensitive, self.limits(), color)? {
                        inputs.set(&*name, value);
                        names.push((name, true));
                    }
                }
                Given::Value(text) => {
                    let (name, value) = assignment(text)?;
                    inputs.set_text(name, (&*format!("--var {name}"), value));
                    names.push((name.to_owned(), false));
                }
            }
        }
        Ok(names)
    }
}

/// Sets inputs from a file and returns their names. If the file has errors, they are shown instead, without the values
/// of sensitive inputs.
///
/// # Errors
/// A message, if it cannot be read.
pub(super) fn give_file(
    context: &Context,
    path: &Path,
    inputs: &mut Inputs,
    sensitive: &HashSet<&str>,
    limits: Limits,
    color: bool,
) -> Result<Vec<String>, Error> {
    let values = load_file(context, path, FunctionSet::Standard, sensitive, limits, color)?;
    let mut names = Vec::new();
    for (name, value) in values {
        inputs.set(&*name, value);
        names.push(name);
    }
    Ok(names)
}

/// The name of a JSON object on the command line, which is read as a file in JSON.
const JSON_ARGUMENT: &str = "<vars argument>.json";

/// Returns the names and values of `--var`.
///
/// # Errors
/// A message, if one has no name or exceeds the limits.
pub(super) fn assignments(texts: &[String], limits: Limits) -> Result<Vec<(String, Value)>, Error> {
    texts.iter().map(|text| assigned(text, limits.clone(), false)).collect()
}

/// Returns the name and value of `--var`. An exceeded limit is shown.
fn assigned(text: &str, limits: Limits, color: bool) -> Result<(String, Value), Error> {
    let (name, value) = assignment(text)?;
    match value_of(value, limits) {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(exceeded) => {
            show(exceeded, color);
            Err(Error::shown(Status::Errors))
        }
    }
}

/// Returns the name and the text in `--var`.
fn assignment(text: &str) -> Result<(&str, &str), Error> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("`--var {0}` has no value; write `--var {0}=…`", shown(text)))?;
    if !is_identifier(name) {
        let rule = "a name is a letter or `_`, then letters, digits, `_` and `-`";
        return Err(format!("`{}` in `--var` cannot be the name of a variable: {rule}", shown(name)).into());
    }
    Ok((name, value))
}

/// Escapes a part of the command line for messages, so that it cannot control the terminal.
fn shown(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}

/// Shows the errors of an evaluation. Beginners may not know how to set variables.
pub(super) fn show_evaluated(diagnostics: Diagnostics, color: bool) {
    let unknown = diagnostics.iter().any(|error| error.code() == Code::UnknownVariable && error.help().is_none());
    show(diagnostics, color);
    if unknown {
        note("variables get their values by `--var NAME=VALUE` or `--vars FILE`");
    }
}

/// Returns the scope for files and templates: the variables, and the functions of a set.
pub(super) fn scope(variables: &HashMap<String, Value>, functions: FunctionSet, limits: Limits) -> Scope<'_> {
    Scope::new().with_variables(variables).with_functions(functions.functions()).with_limits(limits)
}

/// Returns the value of an expression without variables, or else the text itself: `5` is a number, `[1]` a tuple, and
/// `production` needs no quotes within quotes.
///
/// # Errors
/// The evaluation exceeds the limits.
fn value_of(text: &str, limits: Limits) -> Result<Value, Diagnostics> {
    let Ok(expression) = parse::<Expression>(("--var", text)).into_result() else { return Ok(Value::from(text)) };
    match expression.evaluate(&Scope::new().with_limits(limits)) {
        Err(why) if why.iter().any(|error| *error.code() == Code::LimitExceeded) => Err(why),
        result => Ok(result.unwrap_or_else(|_| Value::from(text))),
    }
}

/// Shows the errors of a file with values, except for those that could reveal the values of these names.
pub(super) fn show_without(diagnostics: Diagnostics, sensitive: &HashSet<&str>, name: &str, color: bool) {
    let mut concealed = ConcealedErrors::new(name);
    let first = diagnostics.iter().next().and_then(|found| first_line_with(sensitive, found.source().text()));
    let mut all = Diagnostics::new();
    for found in diagnostics {
        let labels = found.labels().iter().map(|label| label.place());
        let places = labels.chain([found.place()]).chain(found.context());
        let end = places.map(|place| place.span().end()).max().unwrap_or_default();
        // It may be in the value of one of these names.
        if first.is_some_and(|first| end >= first) {
            let place = found.place().clone();
            concealed.add([found].into_iter().collect(), &place, "");
        } else {
            all.push(found);
        }
    }
    all.append(concealed.into_diagnostics());
    show(all, color);
}

/// Returns the start of the first line that contains one of these names.
fn first_line_with(names: &HashSet<&str>, text: &str) -> Option<usize> {
    if names.is_empty() {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.split(|c: char| !is_part(c)).any(|word| names.contains(word)) {
            return Some(start);
        }
        start += line.len();
    }
    None
}

/// Returns the variables of a file, unless it has errors, which are shown.
fn load_file(
    context: &Context,
    path: &Path,
    functions: FunctionSet,
    sensitive: &HashSet<&str>,
    limits: Limits,
    color: bool,
) -> Result<Vec<(String, Value)>, Error> {
    let (name, bytes) = read(context, path)?;
    load_source(Source::from_bytes(&name, bytes), functions, sensitive, limits, color)
}

/// Returns the variables of a source, unless it has errors, which are shown.
fn load_source(
    source: Source,
    functions: FunctionSet,
    sensitive: &HashSet<&str>,
    limits: Limits,
    color: bool,
) -> Result<Vec<(String, Value)>, Error> {
    let name = source.name().to_owned();
    let (body, diagnostics) = parse::<Body>(source).into_parts();
    let wrong = diagnostics.has_errors();
    show_without(diagnostics, sensitive, &name, color);
    if wrong {
        return Err(Error::shown(Status::Errors));
    }
    let (attributes, diagnostics) = body.attributes().into_parts();
    let (mut wrong, mut plain) = (diagnostics.has_errors(), Diagnostics::new());
    let mut concealed = ConcealedErrors::new(&name);
    // The strings of JSON have nothing to refer to yet, so they are literal.
    let in_json = name.ends_with(".json");
    let scope = if in_json { Scope::new() } else { Scope::new().with_functions(functions.functions()) };
    let scope = scope.with_meter(&Meter::new(limits));
    let mut variables = Vec::new();
    for attribute in &attributes {
        let (value, found) = attribute.evaluate_partially(&scope).into_parts();
        wrong |= found.has_errors();
        match sensitive.contains(attribute.name()) {
            true => concealed.add(found, &attribute.name_place(), &format!("{} = ", attribute.name())),
            false => plain.append(found),
        }
        variables.push((attribute.name().to_owned(), value));
    }
    // Errors in a value concern only that value.
    plain.append(concealed.into_diagnostics());
    show_without(diagnostics, sensitive, &name, color);
    show(plain, color);
    if wrong { Err(Error::shown(Status::Errors)) } else { Ok(variables) }
}
