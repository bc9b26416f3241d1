//! `hcl eval`: the values of a file or of an expression.

use std::path::PathBuf;

use clap::ValueEnum;

use super::input::{Document, Origin};
use super::terminal::{print, show};
use super::values::{definition, json_line, pretty};
use super::variables::{Variables, scope, show_evaluated};
use super::{Status, args, expanded};
use crate::body::parse_expression;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::eval::Scope;
use crate::model::Value;
use crate::query::Members;
use crate::reading::Options;
use crate::source::Place;
use crate::syntax::ast::{BodyItem, BodyNode};
use crate::{body, json as json_syntax, stack};

pub(super) const EXAMPLES: &str = "\
Examples:
  hcl eval --expr '[for n in names: upper(n)]' --var 'names=[\"a\", \"b\"]'
  hcl eval main.hcl --vars production.json --output json
  echo 'port = base + 1' | hcl eval - --var base=8000
  echo '{\"port\": \"${base + 1}\"}' | hcl eval - --syntax json --var base=8000

Blocks are shown as nested objects: by type, then by each label, then a list of bodies. Of a file in
the JSON syntax (*.json), all properties are treated as arguments.

Exit status 0: all is well, 1: there are errors in the HCL, 2: the command line is wrong, a file
cannot be read, or a value cannot be printed.";

#[derive(clap::Args)]
pub(super) struct Args {
    /// The files, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "expr")]
    files: Vec<PathBuf>,

    /// Evaluate this expression instead
    #[arg(long, value_name = "EXPRESSION", conflicts_with_all = ["files", "syntax"])]
    expr: Option<String>,

    /// Expand `dynamic` blocks
    #[arg(long, conflicts_with = "expr")]
    dynamic: bool,

    #[command(flatten)]
    language: args::Language,

    #[command(flatten)]
    variables: Variables,

    /// How to print the values
    #[arg(long, short, value_enum, default_value_t = Output::Hcl)]
    output: Output,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Output {
    /// As HCL writes them; of marked values only the marks
    Hcl,
    /// As JSON, which has no unknown and no marked values
    Json,
    /// Name, type and value in columns
    Table,
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let color = args.color.on_stderr();
    let variables = match args.variables.load(color)? {
        Ok(variables) => variables,
        Err(status) => return Ok(status),
    };
    let scope = scope(&variables, args.variables.functions(), args.variables.limits());
    if let Some(text) = &args.expr {
        let (expression, diagnostics) = parse_expression(("<expression>", text.as_str())).into_parts();
        let wrong = diagnostics.has_errors();
        show(diagnostics, color);
        if wrong {
            return Ok(Status::Errors);
        }
        return finish(expression.evaluate(&scope), args);
    }
    let mut status = Status::Fine;
    for path in &args.files {
        let origin = Origin::of_argument(path);
        let syntax = args.language.syntax().unwrap_or_else(|| origin.body_syntax());
        let (document, diagnostics) = Document::read(&origin, syntax, &Options::default())?;
        let wrong = diagnostics.has_errors();
        show(diagnostics, color);
        status = status.max(if wrong {
            Status::Errors
        } else {
            let value = match document.native() {
                Ok(file) if args.dynamic => expanded::evaluate(&file, &scope),
                Ok(file) => evaluate_body(file.body(), &scope),
                Err(_) if args.dynamic => {
                    return Err("`--dynamic` does not work with JSON, which does not say what is a block".into());
                }
                Err(document) => evaluate_json(document, &scope),
            };
            finish(value.into_result(), args)?
        });
    }
    Ok(status)
}

/// Prints a value, or what is wrong.
fn finish(value: Result<Value, Diagnostics>, args: &Args) -> Result<Status, String> {
    match value {
        Ok(value) => {
            args.variables.check_size(&value)?;
            print(&text_of(&value, args.output)?).map(|_| Status::Fine)
        }
        Err(diagnostics) => {
            show_evaluated(diagnostics, args.color.on_stderr());
            Ok(Status::Errors)
        }
    }
}

/// The values of a body as one object, those of blocks too. What fails is unknown.
pub(super) fn evaluate_body(body: BodyNode<'_>, scope: &Scope<'_>) -> Outcome<Value> {
    scope.metered(|scope, _| {
        let mut diagnostics = Diagnostics::new();
        let value = body_value(body, scope, &mut diagnostics);
        diagnostics.sort();
        Outcome::new(value, diagnostics.without_repetitions())
    })
}

/// The values of a JSON document as one object, in which all properties are attributes.
pub(super) fn evaluate_json(document: &json_syntax::Document, scope: &Scope<'_>) -> Outcome<Value> {
    scope.metered(|scope, _| {
        let (attributes, mut diagnostics) = body::Body::from(document).attributes().into_parts();
        let mut members = Vec::new();
        for attribute in &attributes {
            let value = attribute.evaluate_partially(scope).into_value_reporting_to(&mut diagnostics);
            members.push((attribute.name().to_owned(), value));
        }
        Outcome::new(Value::object(members), diagnostics.without_repetitions())
    })
}

fn body_value(body: BodyNode<'_>, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut members = Members::default();
    for item in body.items() {
        match item {
            BodyItem::Attribute(attribute) => {
                let value = attribute.expression().evaluate_partially(scope).into_value_reporting_to(diagnostics);
                members.add_attribute(attribute.name(), value);
            }
            BodyItem::Block(block) => {
                let labels = block.labels().map(|label| label.text().into_owned()).collect();
                let inner = stack::with_room(|| body_value(block.body(), scope, diagnostics));
                let header = Place::new(body.shared_source(), block.header_span());
                diagnostics.extend(members.add_block(block.block_type(), labels, inner, &header));
            }
            BodyItem::Error(_) => {}
        }
    }
    members.into_value()
}

fn text_of(value: &Value, output: Output) -> Result<String, String> {
    match output {
        Output::Json => Ok(json_line(value)? + "\n"),
        Output::Hcl => match value.entries() {
            Some(entries) if !value.is_marked() => {
                Ok(entries.map(|(name, value)| definition(name, value) + "\n").collect())
            }
            _ => Ok(pretty(value) + "\n"),
        },
        Output::Table => {
            let rows: Vec<[String; 3]> = match value.entries() {
                Some(entries) if !value.is_marked() => {
                    entries.map(|(name, value)| [name.to_owned(), value.ty().to_string(), value.to_string()]).collect()
                }
                _ => vec![[String::new(), value.ty().to_string(), value.to_string()]],
            };
            let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
            let (names, types) = (width(0), width(1));
            Ok(rows.iter().map(|[name, ty, value]| format!("{name:names$}  {ty:types$}  {value}\n")).collect())
        }
    }
}
