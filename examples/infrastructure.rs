//! Plans resources in the style of Terraform: `variable` blocks declare inputs with types and defaults; `resource` blocks are
//! decoded by a spec for each kind, including dynamic blocks.
//!
//! ```sh
//! cargo run --example infrastructure
//! cargo run --example infrastructure -- examples/infrastructure.hcl environment=production
//! ```

use std::process::ExitCode;

use hcl_lr::body::BodySchema;
use hcl_lr::decode::Spec;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::dynamic::expand;
use hcl_lr::model::{Type, Value};
use hcl_lr::type_expr::{Constraint, read_constraint};
use hcl_lr::{Block, Body, Scope, functions, parse_file};

/// The spec for each kind of resource.
fn kinds() -> Vec<(&'static str, Spec)> {
    let rule = Spec::object([
        ("port", Spec::required_attr("port", Type::Number)),
        ("source", Spec::required_attr("source", Type::String)),
    ]);
    let firewall = Spec::object([
        ("name", Spec::required_attr("name", Type::String)),
        ("rules", Spec::block_list("rule", 1.., rule)),
    ]);
    let network = Spec::object([("range", Spec::required_attr("range", Type::String))]);
    vec![("firewall", firewall), ("network", network)]
}

/// Returns the plan, one line for each step.
fn plan(body: &Body, given: &[(String, String)]) -> Result<Vec<String>, Diagnostics> {
    let schema = BodySchema::new().block("variable", &["name"]).block("resource", &["kind", "name"]);
    let content = body.content(&schema).into_result()?;
    let mut problems = Diagnostics::new();

    let mut variables = Vec::new();
    for block in content.blocks_of_type("variable") {
        let name = block.label(0).unwrap_or_default();
        let given = given.iter().find(|(of, _)| of == name).map(|(_, value)| Value::from(value.as_str()));
        match variable(block, given) {
            Ok(value) => variables.push((name.to_owned(), value)),
            Err(more) => problems.append(more),
        }
    }
    // Without variables, errors in resources would be consequences.
    if problems.has_errors() {
        return Err(problems);
    }

    let scope = Scope::new().with("var", Value::object(variables)).with_functions(functions::standard());
    let kinds = kinds();
    let mut lines = Vec::new();
    for block in content.blocks_of_type("resource") {
        let (kind, name) = (block.label(0).unwrap_or_default(), block.label(1).unwrap_or_default());
        let Some((_, spec)) = kinds.iter().find(|(known, _)| *known == kind) else {
            problems.append(unknown_kind(block, kind, &kinds));
            continue;
        };
        let outcome = spec.decode(&expand(block.body().clone(), &scope), &scope);
        if let Some(value) = outcome.report_to(&mut problems) {
            lines.push(format!("{kind} {name}: {value}"));
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(lines) }
}

/// Returns the given value of a variable, or its default, converted to its type.
fn variable(block: &Block, given: Option<Value>) -> Result<Value, Diagnostics> {
    let schema = BodySchema::new().optional("type").optional("default").optional("description");
    let content = block.body().content(&schema).into_result()?;
    let constraint = match content.attribute("type") {
        Some(ty) => read_constraint(ty.expression())?,
        None => Constraint::from(Type::Dynamic),
    };
    let (value, place) = match (given, content.attribute("default")) {
        (Some(given), _) => (given, block.header_place()),
        (None, Some(default)) => (default.evaluate(&Scope::new())?, default.expression().place()),
        (None, None) => {
            let detail = "this variable has no default, and no value is given";
            let help = format!("add `{}=…` to the command line", block.label(0).unwrap_or_default());
            return Err(error(Code::InvalidValue, block, detail.to_owned(), help));
        }
    };
    constraint
        .convert(&value)
        .map_err(|why| Diagnostic::error(Code::InvalidValue, place, format!("this is not of the type: {why}")).into())
}

fn unknown_kind(block: &Block, kind: &str, kinds: &[(&str, Spec)]) -> Diagnostics {
    let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
    let help = match hcl_lr::syntax::similar_name(kind, names.iter().copied()) {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None => format!("the kinds are {}", names.join(", ")),
    };
    error(Code::InvalidValue, block, format!("there are no resources of kind \"{kind}\""), help)
}

fn error(code: Code, block: &Block, detail: String, help: String) -> Diagnostics {
    let place = block.labels().first().map_or_else(|| block.type_place(), |label| label.place().clone());
    Diagnostic::error(code, place, detail).with_help(help).into()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let path = arguments.next_if(|argument| !argument.contains('='));
    let path = path.unwrap_or_else(|| "examples/infrastructure.hcl".to_owned());
    let given: Vec<(String, String)> = arguments
        .filter_map(|argument| argument.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect();
    match parse_file::<Body>(path).into_result().and_then(|body| plan(&body, &given)) {
        Ok(lines) => {
            lines.iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Err(diagnostics) => {
            eprint!("{}", diagnostics.render());
            ExitCode::FAILURE
        }
    }
}
