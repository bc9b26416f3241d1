//! `hcl conformance run`: asks a driver all questions of the suite.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Status, terminal};
use hcl_lr::source::visible::reason;
use hcl_lr_conformance::runner;
use hcl_lr_conformance::suite::{Case, Level};

pub(super) const EXAMPLES: &str = "\
Examples:
  hcl conformance run -- hcl conformance
  hcl conformance run --sections --show 3 -- python3 conformance/drivers/example.py
  hcl conformance run --only json --level value -- ./my-driver
  hcl conformance run --skip known.txt --junit -- ./my-driver > report.xml

The driver is started once, gets one request a line, and must answer each with one line before
the next one comes. If it ends or does not answer in time, it is started again. What it says that
it does not support is neither right nor wrong.

Exit status: 0: nothing is wrong, 1: something is, 2: it cannot be done.";

#[derive(clap::Args)]
pub(super) struct Args {
    /// Another suite than that of this program, as `hcl conformance dump` prints it
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// A file with the names of cases, examples, statements or texts to leave out, one a line
    ///
    /// `native.for` leaves out all whose names begin so. What follows a `#` is a comment.
    #[arg(long, value_name = "FILE")]
    skip: Option<PathBuf>,

    /// Ask only what has names that begin so, such as `json` or `native.for.7`; can be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// Score by these levels only: verdict, tree, value, place, code; can be given several times
    #[arg(long = "level", value_name = "LEVEL", value_parser = level)]
    levels: Vec<Level>,

    /// How many seconds an answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,

    /// Show the sections of each chapter
    #[arg(long)]
    sections: bool,

    /// Show so many of the differences
    #[arg(long, value_name = "N", default_value_t = 5)]
    show: usize,

    /// Print the report as JSON, with all differences
    #[arg(long, conflicts_with = "junit")]
    json: bool,

    /// Print the report in the form of JUnit, for systems that run tests
    #[arg(long)]
    junit: bool,

    /// The driver, with its arguments
    #[arg(value_name = "DRIVER", last = true, required = true)]
    driver: Vec<OsString>,
}

fn level(name: &str) -> Result<Level, String> {
    let names = || Level::ALL.map(Level::as_str).join(", ");
    Level::named(name).ok_or_else(|| format!("it is one of {}", names()))
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let mut cases = match &args.suite {
        Some(path) => runner::cases(&read(path)?).map_err(|why| format!("{}:{why}", path.display()))?,
        None => runner::cases(runner::SUITE)?,
    };
    let skipped = match &args.skip {
        Some(path) => read_skipped(path)?,
        None => Vec::new(),
    };
    cases.retain(|case| {
        let is = |name: &String| is_named(case, name);
        !skipped.iter().any(is) && (args.only.is_empty() || args.only.iter().any(is))
    });
    for case in &mut cases {
        case.levels.retain(|level| args.levels.is_empty() || args.levels.contains(level));
    }
    cases.retain(|case| !case.levels.is_empty());
    if cases.is_empty() {
        return Err("there is nothing to ask: no case of the suite has such a name and level".to_owned());
    }
    let report = runner::ask(&cases, &args.driver, Duration::from_secs(args.timeout))?;
    let text = match () {
        () if args.json => report.to_json(),
        () if args.junit => report.to_junit(),
        () => report.to_text(args.sections, args.show),
    };
    terminal::print(&text)?;
    Ok(if report.is_right() { Status::Fine } else { Status::Errors })
}

/// Returns true if a name means a case, its example, one of its statements, or a part of their names.
fn is_named(case: &Case, name: &str) -> bool {
    let begins = |id: &str| id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']));
    begins(&case.id) || case.statements.iter().any(|statement| begins(statement))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|why| format!("cannot read {}: {}", path.display(), reason(&why)))
}

fn read_skipped(path: &Path) -> Result<Vec<String>, String> {
    let text = read(path)?;
    let names = text.lines().filter_map(|line| line.split('#').next()).map(str::trim);
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}
