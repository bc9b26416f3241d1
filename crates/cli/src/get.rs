//! `hcl get`: prints the values and blocks at an address.

use std::collections::HashMap;

use super::args;
use super::body_values::evaluate_body;
use super::context::Context;
use super::error::Error;
use super::files::Files;
use super::input::Origin;
use super::resolved::{self, FileValues, Resolve, Resolved};
use super::rows::{self, Format};
use super::status::Status;
use super::terminal;
use super::values::{json_line, pretty};
use super::variables::{Variables, scope, show_evaluated};
use hcl_lr::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::limits::Meter;
use hcl_lr::model::Value;
use hcl_lr_edit::address::{NotFound, TargetKind};
use hcl_lr_edit::query::{Query, QueryMatch, Subject};

const EXAMPLES: &str = "\
Examples:
  hcl get variable.region.default main.tf        the value: \"eu-west-1\"
  hcl get --raw variable.region.default main.tf  without quotes: eu-west-1
  hcl get resource.aws_instance.web main.tf      a block
  hcl get 'module[*].source' --at                in this folder, with places
  hcl get 'locals[*].**.cidr' network            at any depth, in a folder
  hcl get --value server.port main.hcl --var base=8000
  hcl get --json 'resource[*][*].tags' .
  hcl get --resolve 'resource[*][*].tags' .      with the values of references

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
    pub files: Files,

    /// Evaluate the results with the variables of --var and --vars
    #[arg(long, conflicts_with = "resolve")]
    value: bool,

    #[command(flatten)]
    resolve: Resolve,

    /// The output format
    ///
    /// Without --value, a non-constant expression is a string "${…}" with its source, except
    /// in the format hcl.
    #[arg(long, short, value_enum, default_value_t = Format::Hcl)]
    output: Format,

    /// Same as --output ndjson: values as JSON, one per line
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Same as --output raw: strings without quotes
    #[arg(long, short, conflicts_with_all = ["json", "output"])]
    raw: bool,

    /// Print the file and line before each result; in formats for data, objects
    /// with place, address and value
    #[arg(long)]
    at: bool,

    #[command(flatten)]
    variables: Variables,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    /// Returns the requested format.
    fn format(&self) -> Format {
        match self {
            Args { json: true, .. } => Format::Ndjson,
            Args { raw: true, .. } => Format::Raw,
            Args { output, .. } => *output,
        }
    }

    /// Returns true if the results of all files are printed together.
    fn waits(&self) -> bool {
        !matches!(self.format(), Format::Hcl | Format::Raw | Format::Ndjson)
    }
}

/// The result for a file.
#[derive(Default)]
struct Printed {
    text: String,
    /// The results, if all are printed together.
    rows: Vec<Value>,
    /// The number of bytes of the results.
    bytes: u64,
    found: usize,
    /// The errors of values that were to be evaluated.
    diagnostics: Diagnostics,
    failure: Option<Error>,
    /// The reason why nothing was found.
    not_found: NotFound,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let color = self.color.on_stderr();
        self.resolve.check(None)?;
        let variables =
            self.variables.all_values(context, color).map_err(|error| error.with_status(Status::Failure))?;
        let query = Query::new((*self.address).clone())
            .with_functions(self.variables.functions().functions())
            .with_limits(self.variables.limits());
        let (mut found, mut failed, mut not_found) = (0, false, NotFound::default());
        let color_out = self.color.on(terminal::is_terminal());
        let mut rows = Vec::new();
        let mut files = self.files.find(context, color)?;
        let resolved = files.resolved(&self.resolve, &self.variables, color)?;
        let values = resolved.as_ref().map(Resolved::values);
        let work = |origin: &Origin, subject: Subject<'_>| {
            let values = values.as_ref().and_then(|values| values.of(origin, subject));
            printed(&query, (subject, values.as_ref()), self, (&variables, color_out))
        };
        let status = files.each(color, work, |printed| {
            found += printed.found;
            not_found.merge(printed.not_found);
            failed |= printed.diagnostics.has_errors() || printed.failure.is_some();
            show_evaluated(printed.diagnostics, color);
            if let Some(failure) = printed.failure {
                terminal::report(&failure);
            }
            rows.extend(printed.rows);
            match color_out {
                true => terminal::write_styled(&printed.text),
                false => terminal::write_data(printed.text.as_bytes()),
            }
        });
        if let Some(resolved) = &resolved {
            resolved.check_limits(color)?;
        }
        let status = match self.waits() {
            true => {
                let order: &[&str] = if self.at { &["file", "line", "address", "value"] } else { &[] };
                let order: Vec<String> = order.iter().map(|&name| name.to_owned()).collect();
                let text = rows::print(self.format(), &rows, &order)?;
                terminal::written(terminal::write_data(text.as_bytes()), status)
            }
            false => status,
        };
        if found == 0 && !failed && status == Status::Fine && !terminal::is_quiet() {
            terminal::show(self.address.nothing_found(&not_found).into(), color);
        }
        Ok(match (found, failed) {
            (_, true) => Status::Failure,
            (0, false) => status.max(Status::Errors),
            (_, false) => status,
        })
    }
}

fn printed(
    query: &Query,
    (subject, values): (Subject<'_>, Option<&FileValues<'_>>),
    args: &Args,
    (variables, color): (&HashMap<String, Value>, bool),
) -> Printed {
    let mut printed = Printed::default();
    let answer = resolved::run(query, subject, values);
    if answer.matches().is_empty() && !terminal::is_quiet() {
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
        } else if args.resolve.is_asked() && args.format() == Format::Hcl {
            resolved_value(found, &functions, &meter)
        } else if args.format() != Format::Hcl {
            found.value_as_written_within(&functions, &meter).map(Some)
        } else {
            Ok(None)
        };
        let value = match value {
            Ok(value) => value,
            Err(diagnostics) => {
                printed.diagnostics.extend(diagnostics);
                // Each further match would repeat the message.
                if meter.exceeded().is_some() {
                    break;
                }
                continue;
            }
        };
        let line = value.as_ref().map_or(Ok(()), |value| args.variables.check_size(value));
        let mut add = |bytes: u64| {
            printed.bytes += bytes;
            args.variables.check_text(printed.bytes, "all that was found in a file")
        };
        let line = line.and_then(|()| match value {
            Some(value) if args.waits() => add(value.size()).map(|()| {
                printed.rows.push(if args.at { described(found, value) } else { value });
            }),
            value => self::line(found, value.as_ref(), args, color).and_then(|line| {
                add(line.len() as u64 + 1)?;
                printed.text.extend([&line, "\n"]);
                Ok(())
            }),
        });
        match line {
            Ok(()) => {}
            Err(failure) => {
                printed.failure = Some(failure);
                break;
            }
        }
    }
    printed
}

/// Returns the value of a match for people. `None` if its source says more: nothing is known of the value, or it is
/// hidden.
fn resolved_value(found: &QueryMatch<'_>, functions: &Functions, meter: &Meter) -> Result<Option<Value>, Diagnostics> {
    if found.target().expression().is_none() && found.kind() == "block" {
        return found.value_as_written_within(functions, meter).map(Some);
    }
    let value = found.value(functions)?;
    Ok((value.is_wholly_known() && !value.contains_marks()).then_some(value))
}

/// Returns a match as an object.
fn described(found: &QueryMatch<'_>, value: Value) -> Value {
    Value::object([
        ("file", Value::from(found.place().source().name())),
        ("line", Value::from(found.position().line)),
        ("address", Value::from(found.target().address().to_string())),
        ("value", value),
    ])
}

/// Returns the line printed for one match.
fn line(found: &QueryMatch<'_>, value: Option<&Value>, args: &Args, color: bool) -> Result<String, Error> {
    let place = found.place();
    let (file, line) = (place.source().name(), found.position().line);
    let text = match (value, args.format()) {
        (Some(value), Format::Ndjson) if args.at => return json_line(&described(found, value.clone())),
        (Some(value), Format::Ndjson) => json_line(value)?,
        (Some(value), Format::Raw) if value.as_str().is_some() => value.as_str().unwrap_or_default().to_owned(),
        (Some(value), _) if args.value || args.resolve.is_asked() => pretty(value),
        _ => found.target().value_text().unwrap_or(found.target().text()).to_owned(),
    };
    let text = if color { terminal::shown(&text) } else { text };
    Ok(if args.at { format!("{}: {text}", terminal::place(file, line, color)) } else { text })
}

/// Returns the value with the given variables.
fn evaluated(found: &QueryMatch<'_>, subject: Subject<'_>, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
    let target = found.target();
    if let Some(expression) = target.expression() {
        return expression.evaluate(scope);
    }
    let node = match target.kind() {
        TargetKind::Body(body) => return evaluate_body(*body, scope).into_result(),
        TargetKind::Block(block) => return evaluate_body(block.body(), scope).into_result(),
        TargetKind::JsonBody(node) | TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => *node,
        TargetKind::JsonAttribute(member) | TargetKind::JsonEntry(member) => member.value(),
        TargetKind::JsonBlock(block) => block.body(),
        // The others are expressions.
        _ => return found.value(&hcl_lr::functions::extended()),
    };
    match subject {
        Subject::Json(document, ..) => Expression::from((document, node)).evaluate(scope),
        _ => found.value(&hcl_lr::functions::extended()),
    }
}
