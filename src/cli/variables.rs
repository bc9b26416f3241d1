//! Variables from the command line: `--var name=value` and `--vars FILE`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Status;
use super::console::show;
use super::input::read;
use crate::body::load_source;
use crate::eval::Scope;
use crate::functions;
use crate::model::Value;
use crate::source::Source;
use crate::syntax::{Options, is_identifier, parse_expression};

/// Where the values of variables come from.
#[derive(clap::Args)]
pub(super) struct Variables {
    /// A variable, as name=value; the value is an expression, or if it is none just a text
    #[arg(id = "var", long = "var", value_name = "NAME=VALUE")]
    vars: Vec<String>,

    /// A file with variables: the attributes of an HCL file; in one named *.json the properties of its
    /// object, whose strings are just strings
    #[arg(id = "vars", long = "vars", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Variables {
    /// All variables. Those of files come first, in the order of the files, so that `--var` can
    /// replace them. If a file has errors, they are shown.
    pub fn load(&self) -> Result<Result<HashMap<String, Value>, Status>, String> {
        let mut variables = HashMap::new();
        for path in &self.files {
            match load_file(path)? {
                Some(more) => variables.extend(more),
                None => return Ok(Err(Status::Errors)),
            }
        }
        for text in &self.vars {
            let (name, value) =
                text.split_once('=').ok_or_else(|| format!("--var needs a name and a value, as in --var {text}=1"))?;
            if !is_identifier(name) {
                return Err(format!("\"{name}\" cannot be the name of a variable"));
            }
            variables.insert(name.to_owned(), value_of(value));
        }
        Ok(Ok(variables))
    }
}

/// The scope for files and templates: the variables, and all functions.
pub(super) fn scope(variables: &HashMap<String, Value>) -> Scope<'_> {
    Scope::new().with_variables(variables).with_functions(functions::standard())
}

/// The value of an expression without variables, or else the text itself: `5` is a number, `[1]` a
/// tuple, and nobody has to put `production` in quotes within quotes.
fn value_of(text: &str) -> Value {
    let parsed = parse_expression(Source::new("--var", text), &Options::default()).into_result();
    let value = parsed.ok().and_then(|expression| expression.get().evaluate(&Scope::new()).ok());
    value.unwrap_or_else(|| Value::from(text))
}

fn load_file(path: &Path) -> Result<Option<Vec<(String, Value)>>, String> {
    let (name, bytes) = read(path)?;
    let body = load_source(Source::from_bytes(&name, bytes), &Options::default());
    show(&body.diagnostics);
    if body.diagnostics.has_errors() {
        return Ok(None);
    }
    let attributes = body.value.attributes();
    let mut diagnostics = attributes.diagnostics;
    // Nothing is known yet that the strings of JSON could refer to: they are just strings.
    let in_json = name.ends_with(".json");
    let scope = if in_json { Scope::new() } else { Scope::new().with_functions(functions::standard()) };
    let mut variables = Vec::new();
    for attribute in &attributes.value {
        let evaluation = attribute.expression().evaluate_partially(&scope);
        diagnostics.append(evaluation.diagnostics);
        variables.push((attribute.name().to_owned(), evaluation.value));
    }
    show(&diagnostics);
    Ok((!diagnostics.has_errors()).then_some(variables))
}
