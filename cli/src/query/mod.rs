//! `hcl query`: what conditions hold for, in many files.

mod output;

use clap::ValueEnum;

use self::output::{Failure, Printer, Rows};
use super::files::Files;
use super::terminal::{self, count};
use super::{Status, args};
use hcl_lr::address::Address;
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::parse;
use hcl_lr::query::{Query, QueryMatch, Subject};

const EXAMPLES: &str = "\
Examples:
  hcl query 'variable[*]' --where '!has(description)'      variables without a description
  hcl query 'module[*]' --select '{name = node.name, source = self.source}' --output table
  hcl query 'resource[*][*]' --where 'startswith(node.labels[0], \"aws_\") && !has(tags)'
  hcl query '**' --where 'node.kind == \"call\" && node.name == \"file\"'
  hcl query 'locals[*][*]' --output raw --select node.name network.tf
  hcl query 'resource[*][*]' --json | jq '.[].value.tags'

An address is a path of names; [*] is any label, block or element, ** any depth, and [\"…\"] holds a
name with other characters. Conditions and results are HCL expressions:
  self        the value of what was found: self.NAME is unknown if it is not constant
  node        kind, type, name, labels, address, file, line, column, comment, text, value;
              kind is block, attribute, entry, body, or a kind of expression: string, template,
              number, bool, null, list, object, reference, call, operation, conditional, for …
  has(NAME)   whether self has something of this name, such as has(tags.Name)
docs/query.md in the repository answers many questions with them.

Exit status:
  0  something was found
  1  nothing was found
  2  a file cannot be read or has errors, a condition fails, or the command line is wrong";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The address to find, such as `resource[*][*]`
    #[arg(value_name = "ADDRESS")]
    address: String,

    #[command(flatten)]
    files: Files,

    /// Only things for which this expression is true
    #[arg(long = "where", value_name = "EXPRESSION")]
    condition: Option<String>,

    /// Print the value of this expression for each thing
    ///
    /// What is not constant in `self` is a text "${…}" with the source, as in the JSON syntax. What is computed
    /// from it is null.
    #[arg(long, value_name = "EXPRESSION")]
    select: Option<String>,

    /// Set the format of the results
    #[arg(long, short, value_enum, default_value_t = Output::Hcl)]
    output: Output,

    /// The same as `--output json`
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Print the things that a condition leaves open instead
    #[arg(long)]
    open: bool,

    /// Print only how many things were found
    #[arg(long, conflicts_with_all = ["output", "json", "select", "files_only"])]
    count: bool,

    /// Print only the names of files in which something was found
    #[arg(long = "files", short = 'l', conflicts_with_all = ["output", "json", "select"])]
    files_only: bool,

    #[command(flatten)]
    functions: args::Offered,

    #[command(flatten)]
    budget: args::Budget,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The text of each thing after a comment with its place, or the values as HCL writes them
    Hcl,
    /// A JSON array
    Json,
    /// JSON, a line for each thing
    Ndjson,
    /// A line for each value; texts without quotes
    Raw,
    /// In columns: place, address and text, or those of an object that is selected
    Table,
}

/// The result for a file.
struct Part {
    rows: Rows,
    matches: usize,
    /// A line for each thing that is left open.
    open: Vec<String>,
    failed: usize,
    all: usize,
    diagnostics: Diagnostics,
    failure: Option<Failure>,
}

/// The totals of a run.
#[derive(Default)]
struct Totals {
    matches: usize,
    open: Vec<String>,
    failed: usize,
    all: usize,
    diagnostics: Option<Diagnostics>,
    broken: bool,
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let color = args.color.on_stderr();
    let query = match query(args) {
        Ok(query) => query,
        Err(wrong) => {
            terminal::show(wrong, color);
            return Ok(Status::Failure);
        }
    };
    let output = if args.json { Output::Json } else { args.output };
    let functions = args.functions.set.functions();
    let mut printer = Printer::new(output, args.select.as_deref());
    let mut totals = Totals::default();
    let work = |subject: Subject<'_>| {
        let answer = query.run(subject);
        let wanted = if args.open { answer.open() } else { answer.matches() };
        let (rows, failure) = match (args.count, args.files_only) {
            (true, _) => (Rows::default(), None),
            (_, true) => (output::name_of_file(wanted), None),
            _ => output::rows(output, wanted, &functions, &args.budget),
        };
        let open = if args.open { &[] } else { answer.open() };
        Part {
            matches: wanted.len(),
            open: open.iter().map(place_and_address).collect(),
            failed: answer.failed(),
            all: answer.matches().len() + answer.open().len() + answer.failed(),
            diagnostics: answer.diagnostics().clone(),
            rows,
            failure: if answer.is_complete() { failure } else { Some(answer.diagnostics().clone().into()) },
        }
    };
    let status = args.files.each(color, work, |part| {
        totals.matches += part.matches;
        totals.open.extend(part.open);
        totals.failed += part.failed;
        totals.all += part.all;
        totals.broken |= part.failure.is_some();
        if part.failed > 0 {
            totals.diagnostics.get_or_insert(part.diagnostics);
        }
        match part.failure {
            Some(Failure::Message(failure)) => terminal::failure(&failure),
            Some(Failure::Limit(diagnostics)) => {
                terminal::show(diagnostics, color);
                terminal::note("what comes after this in the file was not looked at");
            }
            None => {}
        }
        terminal::write_data(printer.take(part.rows).as_bytes())
    })?;
    let rest = if args.count { format!("{}\n", totals.matches) } else { printer.finish()? };
    let status = terminal::written(terminal::write_data(rest.as_bytes()), status);
    tell(&totals, printer.unknown(), color);
    Ok(if totals.failed > 0 || totals.broken {
        Status::Failure
    } else if totals.matches == 0 {
        status.max(Status::Errors)
    } else {
        status
    })
}

fn query(args: &Args) -> Result<Query, Diagnostics> {
    let mut query = Query::new(Address::parse(("ADDRESS", args.address.as_str()))?);
    query = query.with_functions(args.functions.set.functions()).with_limits(args.budget.limits());
    let parse = |name: &str, text: &String| -> Result<Expression, Diagnostics> {
        parse::<Expression>((name, text.as_str())).into_result()
    };
    if let Some(condition) = &args.condition {
        query = query.with_condition(parse("--where", condition)?);
    }
    if let Some(result) = &args.select {
        query = query.with_result(parse("--select", result)?);
    }
    Ok(query)
}

fn place_and_address(found: &QueryMatch<'_>) -> String {
    let place = found.place();
    format!("{}:{}: {}", place.source().name(), found.position().line, found.target().address())
}

/// Says what there is to say beside what was found.
fn tell(totals: &Totals, unknown: usize, color: bool) {
    if let Some(diagnostics) = &totals.diagnostics {
        let names = diagnostics.iter().any(|error| error.code() == Code::UnknownVariable);
        terminal::show(diagnostics.clone(), color);
        let all = count(totals.all, "thing");
        terminal::note(&format!("this is so for {} of {all}, and shown for the first", totals.failed));
        terminal::note(match names {
            true => "what was found is `self`, so an argument of it is `self.NAME`; what is known of it is `node`",
            false => {
                "`has(NAME)` tells whether something is there, and `try(self.NAME, …)` gives another value where not"
            }
        });
    }
    if unknown > 0 {
        let values = count(unknown, "value");
        let (depend, are) = if unknown == 1 { ("depends", "is") } else { ("depend", "are") };
        terminal::note(&format!("{values} {depend} on what is not constant, and {are} null here"));
    }
    if !totals.open.is_empty() {
        let things = count(totals.open.len(), "thing");
        terminal::note(&format!("{things} left open, for the condition depends on what is not constant:"));
        let lines: String = totals.open.iter().map(|line| format!("  {line}\n")).collect();
        terminal::stderr(&lines);
    }
}
