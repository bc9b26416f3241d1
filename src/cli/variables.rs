//! Variables from the command line: `--var name=value` and `--vars FILE`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Status;
use super::input::read;
use super::terminal::show;
use crate::eval::{Evaluation, Scope};
use crate::functions;
use crate::model::{Value, json};
use crate::source::Source;
use crate::syntax::{Options, is_identifier, parse_expression, parse_source};

/// Where the values of variables come from.
#[derive(clap::Args)]
pub(super) struct Variables {
    /// A variable, as name=value; the value is an expression, or if it is none just a text
    #[arg(id = "var", long = "var", value_name = "NAME=VALUE")]
    vars: Vec<String>,

    /// A file with variables: the attributes of an HCL file, or the members of a JSON object
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

/// The variables of a file, unless it has errors, which are shown.
pub(super) fn load_file(path: &Path) -> Result<Option<Vec<(String, Value)>>, String> {
    let (name, bytes) = read(path)?;
    if path.extension().is_some_and(|extension| extension == "json") {
        let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8"))?;
        let value = json::decode_implied(&text).map_err(|why| format!("{name}: {why}"))?;
        let entries = value.entries().ok_or_else(|| format!("{name}: an object with variables is required"))?;
        return Ok(Some(entries.map(|(name, value)| (name.to_owned(), value.clone())).collect()));
    }
    let (file, diagnostics) = parse_source(Source::from_bytes(&name, bytes), &Options::default()).into_parts();
    show(&diagnostics);
    if diagnostics.has_errors() {
        return Ok(None);
    }
    let scope = Scope::new().with_functions(functions::standard());
    let Evaluation { value, diagnostics } = file.body().evaluate_attributes(&scope);
    show(&diagnostics);
    let variables = value.into_iter().map(|(attribute, value)| (attribute.name().to_owned(), value));
    Ok((!diagnostics.has_errors()).then(|| variables.collect()))
}
