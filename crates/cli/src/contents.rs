//! `files` in the expressions of queries and edits: the contents of all files as one value.

use super::args::Budget;
use super::context::Context;
use super::error::Error;
use super::files::report;
use super::input::{Origin, Syntax, keep_stdin};
use super::language::FileLanguages;
use super::resolved::{self, Values};
use super::run::Run;
use hcl_lr::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Functions;
use hcl_lr::limits::Meter;
use hcl_lr::model::{Type, Value};
use hcl_lr_edit::address::Address;
use hcl_lr_edit::query::{Query, Subject};

/// The name of the files in expressions.
pub const FILES: &str = "files";

/// The reason why values are not complete.
pub enum Failure {
    Error(Error),
    Limit(Diagnostics),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Failure::Limit(diagnostics)
    }
}

/// Returns true if an expression refers to the files.
pub fn are_wanted<'e>(expressions: impl IntoIterator<Item = &'e Expression>) -> bool {
    expressions.into_iter().any(|expression| expression.variables().into_iter().any(|path| path.root() == FILES))
}

/// Returns all files of a run as a list of objects with their names and contents. The command itself reads the files
/// again, and shows their errors.
///
/// # Errors
/// If standard input cannot be read, or the contents exceed a limit.
pub fn all(
    context: &Context,
    (run, syntax, languages): (&mut Run, Option<Syntax>, &FileLanguages),
    (functions, budget): (&Functions, &Budget),
    values: Option<&Values<'_>>,
) -> Result<Value, Failure> {
    if run.found.origins.contains(&Origin::Stdin) {
        keep_stdin(context)?;
    }
    let query = Query::new(Address::root()).with_limits(budget.limits());
    let content = |origin: &Origin, subject: Subject<'_>| -> Result<Value, Failure> {
        let values = values.and_then(|values| values.of(origin, subject));
        let answer = resolved::run(&query, subject, values.as_ref());
        let Some(root) = answer.matches().first() else { return Ok(Value::null(Type::Dynamic)) };
        let body = root.value_as_written_within(functions, &Meter::new(budget.limits()))?;
        budget.check_size(&body)?;
        Ok(Value::object([("name", Value::from(root.place().source().name())), ("body", body)]))
    };
    let mut files = Vec::new();
    let read = run.each(
        "search",
        |origin| report(context, origin, syntax, languages, &content),
        |report, _| {
            files.extend(report.ok().map(|(_, content)| content));
            Ok(())
        },
    );
    read.map_err(Error::from)?;
    let (mut all, mut bytes) = (Vec::new(), 0_u64);
    for file in files {
        let file = file?;
        bytes += file.size();
        let too_much = |_| Error::from("the content of all files takes more memory than `--max-memory` allows");
        budget.check_text(bytes, "").map_err(too_much)?;
        all.push(file);
    }
    Ok(Value::tuple(all))
}
