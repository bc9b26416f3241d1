//! Renders a template file with variables from the command line. With `--check`, only lists the variables that the template
//! needs.
//!
//! ```sh
//! cargo run --example render_template -- examples/welcome.tftpl name=web host=localhost \
//!     'services=[{ name = "shop", port = 80, public = true }]'
//! cargo run --example render_template -- --check examples/welcome.tftpl
//! ```

use std::collections::{BTreeSet, HashMap};
use std::process::ExitCode;

use hcl_lr::model::{Type, Value};
use hcl_lr::syntax::is_identifier;
use hcl_lr::{Scope, Template, functions, parse, parse_file};

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<String, String> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--check", path] => {
            let names = variables(&load(path)?);
            Ok(names.into_iter().map(|name| name + "\n").collect())
        }
        [path, settings @ ..] if !path.starts_with('-') => render(&load(path)?, settings),
        _ => Err("usage: render_template [--check] FILE [NAME=VALUE]...".to_owned()),
    }
}

/// Parses the file, and prints all syntax errors.
fn load(path: &str) -> Result<Template, String> {
    parse_file::<Template>(path).into_result().map_err(|diagnostics| diagnostics.render())
}

/// The variables that a template needs, without those that its `for` directives define.
fn variables(template: &Template) -> BTreeSet<String> {
    template.variables().into_iter().map(|used| used.root().to_owned()).collect()
}

fn render(template: &Template, settings: &[&str]) -> Result<String, String> {
    let mut variables = HashMap::new();
    for setting in settings {
        let (name, text) = setting.split_once('=').ok_or_else(|| format!("NAME=VALUE expected, not {setting}"))?;
        if !is_identifier(name) {
            return Err(format!("{name} cannot be the name of a variable"));
        }
        variables.insert(name.to_owned(), value(text));
    }
    let scope = Scope::new().with_variables(&variables).with_functions(functions::standard());
    let value = template.evaluate(&scope).map_err(|diagnostics| diagnostics.render())?;
    // A template of a single interpolation has the value of the interpolation, of any type.
    let text = value.convert(&Type::String).map_err(|why| format!("the template makes no text: {why}"))?;
    text.as_str().map(str::to_owned).ok_or_else(|| "the template makes no text, but null".to_owned())
}

/// Reads an expression such as `[1, 2]`, or plain text.
fn value(text: &str) -> Value {
    let parse = parse::<Template>(("argument", text));
    let value = parse.into_result().and_then(|expression| expression.evaluate(&Scope::new()));
    value.unwrap_or_else(|_| Value::from(text))
}
