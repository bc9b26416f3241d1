//! `hcl get`: prints the values and blocks at an address.

use std::collections::HashMap;

use super::files::Files;
use super::terminal;
use super::values::{json_line, pretty};
use super::variables::{Variables, scope, show_evaluated};
use super::{Status, args, eval};
use hcl_lr::Expression;
use hcl_lr::address::{NotFound, TargetKind};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Scope;
use hcl_lr::limits::Meter;
use hcl_lr::model::Value;
use hcl_lr::query::{Query, QueryMatch, Subject};

pub(super) const EXAMPLES: &str = "\
Examples:
  hcl get variable.region.default main.tf        the value: \"eu-west-1\"
  hcl get --raw variable.region.default main.tf  without quotes: eu-west-1
  hcl get resource.aws_instance.web main.tf      a block
  hcl get 'module[*].source' --at                in this folder, with places
  hcl get 'locals[*].**.cidr' network            at any depth, in a folder
  hcl get --value server.port main.hcl --var base=8000
  hcl get --json 'resource[*][*].tags' .

An address is a path of names; [*] is any label, block or element, ** any depth,
and [\"…\"] holds a name with other characters. docs/query.md in the repository
has many examples.

Exit status:
  0  something was found
  1  nothing was found
  2  a file cannot be read or has errors, a value cannot be computed, or the
     command line is wrong";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The address to find, such as `resource.aws_instance.web.ami`
    #[arg(value_name = "ADDRESS", value_parser = args::address)]
    address: args::AddressArgument,

    #[command(flatten)]
    files: Files,

    /// Evaluate the results with the variables of --var and --vars
    #[arg(long)]
    value: bool,

    /// Print values as JSON, one per line
    ///
    /// Without --value, a non-constant expression is a string "${…}" with its source.
    #[arg(long)]
    json: bool,

    /// Print strings without quotes
    #[arg(long, short, conflicts_with = "json")]
    raw: bool,

    /// Print the file and line before each result; with --json, objects with
    /// place, address and value
    #[arg(long)]
    at: bool,

    #[command(flatten)]
    variables: Variables,

    #[command(flatten)]
    color: args::Color,
}

/// The result for a file.
#[derive(Default)]
struct Printed {
    text: String,
    found: usize,
    /// The errors of values that were to be evaluated.
    diagnostics: Diagnostics,
    failure: Option<String>,
    /// Why nothing was found.
    not_found: NotFound,
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let color = args.color.on_stderr();
    let variables = match args.variables.load(color)? {
        Ok(variables) => variables,
        Err(_) => return Ok(Status::Failure),
    };
    let query = Query::new((*args.address).clone())
        .with_functions(args.variables.functions().functions())
        .with_limits(args.variables.limits());
    let (mut found, mut failed, mut not_found) = (0, false, NotFound::default());
    let work = |subject: Subject<'_>| printed(&query, subject, args, &variables);
    let status = args.files.each(color, work, |printed| {
        found += printed.found;
        not_found.merge(printed.not_found);
        failed |= printed.diagnostics.has_errors() || printed.failure.is_some();
        show_evaluated(printed.diagnostics, color);
        if let Some(failure) = printed.failure {
            terminal::failure(&failure);
        }
        terminal::write_data(printed.text.as_bytes())
    })?;
    if found == 0 && !failed && status == Status::Fine && !args.files.quiet {
        terminal::show(args.address.nothing_found(&not_found).into(), color);
    }
    Ok(match (found, failed) {
        (_, true) => Status::Failure,
        (0, false) => status.max(Status::Errors),
        (_, false) => status,
    })
}

fn printed(query: &Query, subject: Subject<'_>, args: &Args, variables: &HashMap<String, Value>) -> Printed {
    let mut printed = Printed::default();
    let answer = query.run(subject);
    if answer.matches().is_empty() && !args.files.quiet {
        printed.not_found.add(&args.address, &subject.trace(&args.address));
    }
    let set = args.variables.functions();
    let meter = Meter::new(args.variables.limits());
    let scope = scope(variables, set, args.variables.limits()).with_meter(&meter);
    let functions = set.functions();
    for found in answer.matches() {
        printed.found += 1;
        let value = if args.value {
            evaluated(found, subject, &scope).map(Some)
        } else if args.json || args.raw {
            found.value_as_written_within(&functions, &meter).map(Some)
        } else {
            Ok(None)
        };
        let value = match value {
            Ok(value) => value,
            Err(diagnostics) => {
                printed.diagnostics.extend(diagnostics);
                // Each further one would say so again.
                if meter.exceeded().is_some() {
                    break;
                }
                continue;
            }
        };
        let line = value.as_ref().map_or(Ok(()), |value| args.variables.check_size(value));
        let line = line.and_then(|()| self::line(found, value.as_ref(), args)).and_then(|line| {
            let bytes = (printed.text.len() + line.len()) as u64;
            args.variables.check_text(bytes, "all that was found in a file").map(|()| line)
        });
        match line {
            Ok(line) => {
                printed.text.push_str(&line);
                printed.text.push('\n');
            }
            Err(failure) => {
                printed.failure = Some(failure);
                break;
            }
        }
    }
    printed
}

/// Returns the line printed for one match.
fn line(found: &QueryMatch<'_>, value: Option<&Value>, args: &Args) -> Result<String, String> {
    let place = found.place();
    let (file, line) = (place.source().name(), found.position().line);
    let text = match value {
        Some(value) if args.json && args.at => {
            let members = [
                ("file", Value::from(file)),
                ("line", Value::from(line)),
                ("address", Value::from(found.target().address().to_string())),
                ("value", value.clone()),
            ];
            return json_line(&Value::object(members));
        }
        Some(value) if args.json => json_line(value)?,
        Some(value) if args.raw && value.as_str().is_some() => value.as_str().unwrap_or_default().to_owned(),
        Some(value) if args.value => pretty(value),
        _ => found.target().value_text().unwrap_or(found.target().text()).to_owned(),
    };
    Ok(if args.at { format!("{file}:{line}: {text}") } else { text })
}

/// The value with the variables that there are.
fn evaluated(found: &QueryMatch<'_>, subject: Subject<'_>, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
    let target = found.target();
    if let Some(expression) = target.expression() {
        return expression.evaluate(scope);
    }
    let node = match target.kind() {
        TargetKind::Body(body) => return eval::evaluate_body(*body, scope).into_result(),
        TargetKind::Block(block) => return eval::evaluate_body(block.body(), scope).into_result(),
        TargetKind::JsonBody(node) | TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => *node,
        TargetKind::JsonAttribute(member) | TargetKind::JsonEntry(member) => member.value(),
        TargetKind::JsonBlock(block) => block.body(),
        // The others are expressions.
        _ => return found.value(&hcl_lr::functions::extended()),
    };
    match subject {
        Subject::Json(document, ..) => Expression::from((document, node)).evaluate(scope),
        Subject::Native(_) => found.value(&hcl_lr::functions::extended()),
    }
}
