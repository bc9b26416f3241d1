//! `hcl conformance run`: asks a driver all questions of the suite.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::context::Context;
use crate::error::Error;
use crate::status::Status;
use crate::terminal;
use hcl_lr_conformance::runner::{self, Baseline, Limits, Suite};
use hcl_lr_conformance::suite::{Basis, Case, Level};

const EXAMPLES: &str = "\
Examples:
  hcl conformance run -- hcl conformance
  hcl conformance run --sections --show 3 -- python3 crates/conformance/drivers/example.py
  hcl conformance run --only json --level value -- ./my-driver
  hcl conformance run --write-baseline known.txt -- ./my-driver
  hcl conformance run --baseline known.txt --junit -- ./my-driver > report.xml

The driver is started once, gets one request a line, and must answer each with one line before
the next one comes. The answer repeats the `id` of the request. If the driver ends, does not answer in
time or breaks the protocol, it is started again. What it says that it does not support is neither
right nor wrong. Places of errors, and habits of the official engine, are counted apart.

Exit status: 0: nothing is wrong, or nothing has changed since the baseline; 1: something is wrong or
has changed, or the driver writes lines that are no answers; 2: nothing was answered, or the run
cannot be done or finished.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
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

    /// Score by these levels only: verdict, tree, value, place, code, recovery; can be given several times
    #[arg(long = "level", value_name = "LEVEL", value_parser = level)]
    levels: Vec<Level>,

    /// Ask also what only this implementation promises, such as the size of its limits
    #[arg(long)]
    ours: bool,

    /// A file with the names of cases that are expected to fail: report what has changed since
    ///
    /// Each name is that of one case, such as `native.for.7.2`, as `--write-baseline` lists them.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write the names of the cases that fail into a file, for `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,

    /// Limit the time of an answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,

    /// Limit the time of the whole run, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1800)]
    total: u64,

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

fn level(name: &str) -> Result<Level, Error> {
    let names = || Level::ALL.map(Level::as_str).join(", ");
    Level::named(name).ok_or_else(|| format!("it is one of {}", names()).into())
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<Status, Error> {
        let suite = match &self.suite {
            Some(path) => Suite::read(&read(path)?).map_err(|why| format!("{}:{why}", path.display()))?,
            None => Suite::read(runner::SUITE)?,
        };
        let mut cases = suite.cases.clone();
        let skipped = match &self.skip {
            Some(path) => Baseline::read(&read(path)?),
            None => Baseline::default(),
        };
        let baseline = self.baseline.as_ref().map(|path| Ok::<_, Error>(Baseline::read(&read(path)?))).transpose()?;
        known(&cases, skipped.ids(), self.skip.as_deref())?;
        known(&cases, &self.only, None)?;
        if let (Some(baseline), Some(path)) = (&baseline, &self.baseline) {
            known(&cases, baseline.ids(), Some(path))?;
            are_cases(&cases, baseline.ids(), path)?;
        }
        cases.retain(|case| {
            let is = |name: &String| case.is_named(name);
            let is_wanted = self.only.is_empty() || self.only.iter().any(is);
            is_wanted && !skipped.ids().iter().any(is) && (self.ours || case.basis != Basis::Ours)
        });
        for case in &mut cases {
            case.levels.retain(|level| self.levels.is_empty() || self.levels.contains(level));
        }
        cases.retain(|case| !case.levels.is_empty());
        if cases.is_empty() {
            return Err("there is nothing to ask: no case of the suite has such a name and level".into());
        }
        let limits = Limits { timeout: Duration::from_secs(self.timeout), total: Duration::from_secs(self.total) };
        let mut report = runner::ask(&suite, &cases, &self.driver, limits)?;
        if !self.levels.is_empty() {
            report.decide_by(&self.levels);
        }
        if let Some(baseline) = &baseline {
            report.compare(baseline);
        }
        let text = match () {
            () if self.json => report.to_json(),
            () if self.junit => report.to_junit(),
            () => report.to_text(self.sections, self.show),
        };
        terminal::print(&text)?;
        if let Some(why) = report.stopped() {
            return Err(why.into());
        }
        if let Some(path) = &self.write_baseline {
            let text = report.baseline().to_text();
            crate::replace::write(path, text.as_bytes())
                .map_err(|error| Error::io(format!("cannot write {}", path.display()), error))?;
            return Ok(Status::Fine);
        }
        Ok(if report.is_right() { Status::Fine } else { Status::Errors })
    }
}

/// Refuses names that match no case. `file` is the file that lists them.
fn known(cases: &[Case], names: &[String], file: Option<&Path>) -> Result<(), Error> {
    let unknown = names.iter().filter(|name| !cases.iter().any(|case| case.is_named(name)));
    let unknown: Vec<String> = unknown.map(|name| format!("`{name}`")).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let file = file.map(|file| format!("{}: ", file.display())).unwrap_or_default();
    Err(format!("{file}there is nothing to ask: no case of the suite is named {}", unknown.join(", ")).into())
}

/// Refuses names in a baseline that match several cases: a baseline lists single failing cases.
fn are_cases(cases: &[Case], names: &[String], file: &Path) -> Result<(), Error> {
    match names.iter().find(|name| !cases.iter().any(|case| case.id == **name)) {
        None => Ok(()),
        Some(name) => Err(format!(
            "{}: `{name}` is not the name of one case: list the cases, as `--write-baseline` does",
            file.display()
        )
        .into()),
    }
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::io(format!("cannot read {}", path.display()), error))
}
