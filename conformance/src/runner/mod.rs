//! Asks a driver all questions of a suite, and says how it answers.
//!
//! ```no_run
//! use std::time::Duration;
//! use hcl_lr_conformance::runner::{self, Report};
//!
//! let cases = runner::cases(runner::SUITE)?;
//! let report: Report = runner::ask(&cases, &["./my-driver".into()], Duration::from_secs(10))?;
//! print!("{}", report.to_text(false, 5));
//! # Ok::<(), String>(())
//! ```

mod driver;
mod report;
mod side_by_side;

use std::collections::HashSet;
use std::ffi::OsString;
use std::time::Duration;

use serde_json::{Value, json};

use crate::suite::Case;
use driver::Driver;
pub use report::Report;

/// The suite of this version, in lines of JSON.
pub const SUITE: &str = include_str!("../../suite.jsonl");

/// The questions of a suite in lines of JSON.
///
/// # Errors
/// The number of a line, and what is wrong with it.
pub fn cases(suite: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (index, line) in suite.lines().enumerate() {
        let problem = |why: String| format!("{}: {why}", index + 1);
        let line: Value = serde_json::from_str(line).map_err(|why| problem(why.to_string()))?;
        if line.get("request").is_some() {
            cases.push(Case::from_json(&line).map_err(problem)?);
        }
    }
    Ok(cases)
}

/// Starts a driver, a program with its arguments, and asks it. If it ends or does not answer in time, it is started
/// again.
///
/// # Errors
/// If the driver cannot be started, or ends at each question.
pub fn ask<'c>(cases: &'c [Case], driver: &[OsString], timeout: Duration) -> Result<Report<'c>, String> {
    let mut driver = Driver::start(driver, timeout)?;
    let about = driver.ask(&json!({ "op": "about" }))?.into_json();
    let about = if about.get("name").is_some() { about } else { Value::Null };
    let dialects = about["dialects"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let dialects: HashSet<String> = dialects.map(str::to_owned).collect();
    let mut report = Report::new(about);
    for case in cases {
        let dialect = case.request.get("dialect").and_then(Value::as_str);
        let answer = match dialect.filter(|dialect| !dialects.contains(*dialect)) {
            Some(dialect) => json!({ "unsupported": format!("the dialect {dialect}") }),
            None => driver.ask(&case.request)?.into_json(),
        };
        report.add(case, answer);
    }
    report.crashes = driver.crashes;
    report.timeouts = driver.timeouts;
    Ok(report)
}
