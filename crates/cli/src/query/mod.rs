//! `hcl query`: finds everything that matches a condition, in many files.

mod output;

use std::collections::BTreeMap;

use self::output::{Arrangement, Form, Printer, Rows};
use super::args;
use super::contents::{self, FILES, Failure};
use super::files::Files;
use super::resolved::{self, Resolve, Resolved};
use super::rows::{self, Format};
use super::status::Status;
use super::terminal::{self, count};
use super::variables::Variables;
use crate::context::Context;
use crate::error::Error;
use crate::input::Origin;
use hcl_lr::Expression;
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::limits::Meter;
use hcl_lr::model::Value;
use hcl_lr_edit::address::NotFound;
use hcl_lr_edit::query::{Query, QueryMatch, Subject};

const EXAMPLES: &str = "\
Examples:
  hcl query 'variable[*]' --where '!has(description)'      variables without a description
  hcl query 'module[*]' --select '{name = node.name, source = self.source}' --output table
  hcl query 'resource[*][*]' --where 'startswith(node.labels[0], \"aws_\") && !has(tags)'
  hcl query '**' --where 'node.kind == \"call\" && node.name == \"file\"'
  hcl query 'locals[*][*]' --output raw --select node.name network.tf
  hcl query 'resource[*][*]' --json | jq '.[].value.tags'
  hcl query 'resource[*][*]' --resolve --where 'has(tags) && !has(tags.Team)'
  hcl query 'module[*].source' --where 'version_compare(node.block.self.version, \"6.0\") < 0'
  hcl query . --join '{ for f in files : f.name => keys(f.body) }'

An address is a path of names; [*] is any label, block or element, ** any depth, and [\"…\"] holds a
name with other characters. Conditions and results are HCL expressions:
  self        the value of what was found: self.NAME is unknown if it is not constant;
              with --resolve, references have their values
  node        kind, type, name, labels, address, file, line, column, comment, text, value;
              node.block and node.parent are the same of the block around it, and
              node.block.self has the attributes beside it;
              kind is block, attribute, entry, body, or a kind of expression: string, template,
              number, bool, null, list, object, reference, call, operation, conditional, for …
  has(NAME)   true if self has this name, such as has(tags.Name)
  version_compare(A, B)    -1, 0 or 1: version A is older than B, the same, or newer
  version_satisfies(V, C)  true if version V fulfils constraints such as \"~> 5.40\"
  files       all files, as a list of objects with name and body; what is not
              constant in them is a string \"${…}\", as in --select
docs/query.md in the repository answers many questions with them.

Exit status:
  0  something was found
  1  nothing was found
  2  a file cannot be read or has errors, a condition fails, or the command line is wrong";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The address to search, such as `resource[*][*]`
    #[arg(value_name = "ADDRESS", value_parser = args::address)]
    address: args::AddressArgument,

    #[command(flatten)]
    pub files: Files,

    /// Only match if this expression is true
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = args::condition)]
    condition: Option<Expression>,

    /// Print the value of this expression for each match
    ///
    /// Non-constant parts of `self` are strings "${…}" with their source, as in the
    /// JSON syntax, and missing ones are null. Values computed from them are null.
    #[arg(long, value_name = "EXPRESSION", value_parser = selected)]
    select: Option<Expression>,

    /// Also find the places where the end of the address is missing
    #[arg(long)]
    missing: bool,

    /// Sort the matches by this expression; repeatable
    #[arg(long, value_name = "EXPRESSION", value_parser = sorted)]
    order_by: Vec<Expression>,

    /// Sort from the largest to the smallest
    #[arg(long, requires = "order_by")]
    descending: bool,

    /// Print the matches in groups with the same value of this expression
    #[arg(long, value_name = "EXPRESSION", value_parser = grouped)]
    group_by: Option<Expression>,

    /// Print equal results once
    #[arg(long)]
    distinct: bool,

    /// Print the value of this expression over the matches of all files together
    ///
    /// `matches` is the list of the results, or of objects as --json prints them.
    #[arg(long, value_name = "EXPRESSION", value_parser = joined)]
    #[arg(conflicts_with_all = ["group_by", "order_by", "distinct", "count", "files_only"])]
    join: Option<Expression>,

    /// The output format
    #[arg(long, short, value_enum, default_value_t = Format::Hcl)]
    output: Format,

    /// Same as --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Print undecided results instead: things for which a condition depends on
    /// non-constant values
    #[arg(long)]
    open: bool,

    /// Print only the number of matches, with --group-by of each group, with
    /// --distinct of different results
    #[arg(long, conflicts_with_all = ["files_only"])]
    count: bool,

    /// Print only the names of files with matches
    #[arg(long = "files", short = 'l', conflicts_with_all = ["output", "json", "select", "group_by", "order_by", "distinct"])]
    files_only: bool,

    #[command(flatten)]
    resolve: Resolve,

    #[command(flatten)]
    variables: Variables,

    #[command(flatten)]
    color: args::Color,
}

/// Reads the expression of `--select`.
fn selected(text: &str) -> Result<Expression, args::Malformed> {
    args::expression("--select", text)
}

/// Reads the expression of `--order-by`.
fn sorted(text: &str) -> Result<Expression, args::Malformed> {
    args::expression("--order-by", text)
}

/// Reads the expression of `--group-by`.
fn grouped(text: &str) -> Result<Expression, args::Malformed> {
    args::expression("--group-by", text)
}

/// Reads the expression of `--join`.
fn joined(text: &str) -> Result<Expression, args::Malformed> {
    args::expression("--join", text)
}

/// The result for a file.
struct Part {
    rows: Rows,
    matches: usize,
    /// A line for each undecided match.
    open: Vec<String>,
    failed: usize,
    all: usize,
    /// The number of targets for which the condition is false.
    rejected: usize,
    /// The parts of `self` that are missing, each once for each match.
    absent: Vec<String>,
    diagnostics: Diagnostics,
    failure: Option<Failure>,
    not_found: NotFound,
}

/// The totals of a run.
#[derive(Default)]
struct Totals {
    matches: usize,
    open: Vec<String>,
    failed: usize,
    all: usize,
    rejected: usize,
    absent: BTreeMap<String, usize>,
    diagnostics: Option<Diagnostics>,
    broken: bool,
    not_found: NotFound,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let color = self.color.on_stderr();
        self.resolve.check(Some(&self.variables))?;
        let mut found = self.files.find(context, color)?;
        let resolved = found.resolved(&self.resolve, &self.variables, color)?;
        let values = resolved.as_ref().map(Resolved::values);
        let functions = self.variables.functions().functions();
        let budget = self.variables.budget();
        let all_files = match wants_files(self) {
            true => match contents::all(context, found.ahead(), (&functions, budget), values.as_ref()) {
                Ok(contents) => Some(contents),
                Err(Failure::Error(error)) => return Err(error),
                Err(Failure::Limit(diagnostics)) => {
                    terminal::show(diagnostics, color);
                    return Ok(Status::Failure);
                }
            },
            false => None,
        };
        let query = query(self, all_files.as_ref());
        let format = if self.json { Format::Json } else { self.output };
        let arrangement = Arrangement {
            sorts: self.order_by.len(),
            descending: self.descending,
            distinct: self.distinct,
            groups: self.group_by.is_some(),
            counts: self.count,
        };
        let collects = arrangement.sorts > 0 || arrangement.distinct || arrangement.groups || self.join.is_some();
        // Other formats are for programs, or are printed at the end.
        let in_color = format == Format::Hcl && !collects && !self.files_only;
        let form = Form { format, collects, color: in_color && self.color.on(terminal::is_terminal()) };
        let mut printer = Printer::new(form, self.select.as_ref());
        let mut totals = Totals::default();
        let counts = self.count && self.group_by.is_none() && !self.distinct;
        let work = |origin: &Origin, subject: Subject<'_>| {
            let values = values.as_ref().and_then(|values| values.of(origin, subject));
            let answer = resolved::run(&query, subject, values.as_ref());
            let wanted = if self.open { answer.open() } else { answer.matches() };
            let (rows, failure) = match (counts, self.files_only) {
                (true, _) => (Rows::default(), None),
                (_, true) => (output::name_of_file(wanted), None),
                _ => output::rows(form, wanted, &functions, budget),
            };
            let open = if self.open { &[] } else { answer.open() };
            let all = answer.matches().len() + answer.open().len() + answer.failed() + answer.rejected_count();
            let mut not_found = NotFound::default();
            if all == 0 && !terminal::is_quiet() {
                not_found.add(&self.address, &subject.trace(&self.address));
            }
            Part {
                matches: wanted.len(),
                open: open.iter().map(place_and_address).collect(),
                failed: answer.failed(),
                all,
                rejected: answer.rejected_count(),
                absent: wanted.iter().flat_map(|found| found.absent().iter().cloned()).collect(),
                diagnostics: answer.diagnostics().clone(),
                rows,
                failure: if answer.is_complete() { failure } else { Some(answer.diagnostics().clone().into()) },
                not_found,
            }
        };
        let status = found.each(color, work, |part| {
            totals.matches += part.matches;
            totals.open.extend(part.open);
            totals.failed += part.failed;
            totals.all += part.all;
            totals.rejected += part.rejected;
            part.absent.into_iter().for_each(|name| *totals.absent.entry(name).or_default() += 1);
            totals.not_found.merge(part.not_found);
            totals.broken |= part.failure.is_some();
            if part.failed > 0 {
                totals.diagnostics.get_or_insert(part.diagnostics);
            }
            match part.failure {
                Some(Failure::Error(error)) => drop(terminal::report(&error)),
                Some(Failure::Limit(diagnostics)) => {
                    terminal::show(diagnostics, color);
                    terminal::note("the rest of the file was not searched");
                }
                None => {}
            }
            let text = printer.take(part.rows);
            match form.color {
                true => terminal::write_styled(&text),
                false => terminal::write_data(text.as_bytes()),
            }
        });
        let rest = match &self.join {
            _ if counts => format!("{}\n", totals.matches),
            Some(join) => match join_all(join, printer.all(), all_files, self) {
                Ok(value) => rows::print(format, &[value], &[])?,
                Err(wrong) => {
                    terminal::show(wrong, color);
                    return Ok(Status::Failure);
                }
            },
            None => printer.finish(&arrangement)?,
        };
        let status = terminal::written(terminal::write_data(rest.as_bytes()), status);
        tell(&totals, (printer.unknown(), printer.hidden()), color);
        if let Some(resolved) = &resolved {
            resolved.check_limits(color)?;
        }
        if !terminal::is_quiet() {
            if totals.all == 0 && status == Status::Fine && !totals.broken {
                terminal::show(self.address.nothing_found(&totals.not_found).into(), color);
            } else if totals.matches == 0 && totals.rejected > 0 {
                terminal::note(&format!("the condition holds for none of {}", count(totals.rejected, "match")));
            }
        }
        Ok(if totals.failed > 0 || totals.broken {
            Status::Failure
        } else if totals.matches == 0 {
            status.max(Status::Errors)
        } else {
            status
        })
    }
}

/// Returns the value of an expression over all matches.
fn join_all(expression: &Expression, matches: Value, files: Option<Value>, args: &Args) -> Result<Value, Diagnostics> {
    let meter = Meter::new(args.variables.limits());
    let mut scope = Scope::new().with_functions(args.variables.functions().functions()).with_meter(&meter);
    scope.set("matches", matches);
    if let Some(files) = files {
        scope.set(FILES, files);
    }
    expression.evaluate(&scope)
}

/// Returns true if an expression refers to the files.
fn wants_files(args: &Args) -> bool {
    let options = [&args.condition, &args.select, &args.group_by, &args.join];
    contents::are_wanted(options.into_iter().flatten().chain(&args.order_by))
}

fn query(args: &Args, files: Option<&Value>) -> Query {
    let mut query = Query::new((*args.address).clone());
    if let Some(files) = files {
        query = query.with_variable(FILES, files.clone());
    }
    query = query.with_functions(args.variables.functions().functions()).with_limits(args.variables.limits());
    if args.missing {
        query = query.including_missing();
    }
    if let Some(condition) = &args.condition {
        query = query.with_condition(condition.clone());
    }
    if let Some(result) = &args.select {
        query = query.with_result(result.clone());
    }
    query.with_keys(args.order_by.iter().chain(&args.group_by).cloned())
}

fn place_and_address(found: &QueryMatch<'_>) -> String {
    let place = found.place();
    format!("{}:{}: {}", place.source().name(), found.position().line, found.target().address())
}

/// Prints hints about the results.
fn tell(totals: &Totals, (unknown, hidden): (usize, usize), color: bool) {
    if let Some(diagnostics) = &totals.diagnostics {
        let names = diagnostics.iter().any(|error| error.code() == Code::UnknownVariable);
        terminal::show(diagnostics.clone(), color);
        let all = count(totals.all, "match");
        terminal::note(&format!("this applies to {} of {all}; only the first is shown", totals.failed));
        terminal::note(match names {
            true => "`self` is the match and `self.NAME` its argument; `node` describes the match",
            false => "`has(NAME)` is true for matches that have NAME; `try(self.NAME, …)` gives a default",
        });
    }
    for (name, number) in &totals.absent {
        let things = count(*number, "match");
        terminal::note(&format!("`{name}` is missing in {things}, and null there"));
    }
    if unknown > 0 {
        let values = count(unknown, "value");
        let are = if unknown == 1 { "is" } else { "are" };
        terminal::note(&format!("{values} {are} not constant, and null here"));
    }
    if hidden > 0 {
        let values = count(hidden, "value");
        let are = if hidden == 1 { "is" } else { "are" };
        terminal::note(&format!("{values} {are} marked as sensitive or ephemeral, and null here"));
    }
    if !totals.open.is_empty() {
        let matches = count(totals.open.len(), "match");
        let are = if totals.open.len() == 1 { "is" } else { "are" };
        terminal::note(&format!(
            "{matches} {are} undecided, because the condition depends on values that are not constant:"
        ));
        let lines: String = totals.open.iter().map(|line| format!("  {line}\n")).collect();
        terminal::remark(&lines);
    }
}
