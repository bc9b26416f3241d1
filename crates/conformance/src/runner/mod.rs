//! Asks a driver all questions of a suite, and says how it answers.
//!
//! ```no_run
//! use hcl_lr_conformance::runner::{self, Suite, Limits};
//!
//! let suite = Suite::read(runner::SUITE)?;
//! let report = runner::ask(&suite, &suite.cases, &["./my-driver".into()], Limits::default())?;
//! print!("{}", report.to_text(false, 5));
//! # Ok::<(), String>(())
//! ```

mod about;
mod baseline;
mod driver;
mod grade;
mod junit;
mod report;
mod side_by_side;
mod tally;
mod text;
mod visible;

use std::collections::HashMap;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::PROTOCOL_VERSION;
use crate::suite::{Case, SUITE_FORM};
use about::About;
pub use baseline::Baseline;
use driver::Driver;
pub use report::Report;

/// The suite of this version, in lines of JSON.
pub const SUITE: &str = include_str!("../../suite.jsonl");

/// A suite that is read, with its statements and cases.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The version of the suite, such as `1.0.0`.
    pub version: String,
    /// The SHA-256 hash of its text, in hexadecimal digits.
    pub sha256: String,
    /// The statements by their names.
    pub statements: HashMap<String, Sentence>,
    /// The cases, in the order of the chapters.
    pub cases: Vec<Case>,
}

/// A statement for display next to a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The text of the statement.
    pub text: String,
    /// The text of the specification from which it follows: the place and the words. May be empty.
    pub origin: String,
}

impl Suite {
    /// Reads a suite in lines of JSON.
    ///
    /// # Errors
    /// If it has another form than this runner knows, or another version of the protocol; or the number of a line
    /// and what is wrong with it.
    ///
    /// ```
    /// use hcl_lr_conformance::runner::{self, Suite};
    ///
    /// assert!(!Suite::read(runner::SUITE)?.cases.is_empty());
    /// let why = Suite::read("{\"suite\": 1, \"protocol\": 1}").unwrap_err();
    /// assert!(why.contains("form 1"), "{why}");
    /// # Ok::<(), String>(())
    /// ```
    pub fn read(text: &str) -> Result<Suite, String> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let parse = |(index, line): (usize, &str)| -> Result<Value, String> {
            serde_json::from_str(line).map_err(|why| format!("{}: {why}", index + 1))
        };
        let header = parse(lines.next().ok_or("1: the suite is empty")?)?;
        let (form, protocol) = (header["suite"].as_u64(), header["protocol"].as_u64());
        let version = header["version"].as_str().unwrap_or_default().to_owned();
        match (form, protocol) {
            (Some(form), Some(protocol)) => {
                if form != u64::from(SUITE_FORM) {
                    return Err(format!("1: the suite has form {form}, and this runner reads form {SUITE_FORM}"));
                }
                if protocol != u64::from(PROTOCOL_VERSION) {
                    let ours = PROTOCOL_VERSION;
                    return Err(format!(
                        "1: the suite is for protocol {protocol}, and this runner speaks protocol {ours}"
                    ));
                }
            }
            _ => {
                return Err("1: the first line of a suite has its form and protocol: {\"suite\": 2, \"protocol\": 1}"
                    .to_owned());
            }
        }
        let (mut statements, mut cases) = (HashMap::new(), Vec::new());
        for (index, line) in lines {
            let line = parse((index, line))?;
            if line.get("request").is_some() {
                cases.push(Case::from_json(&line).map_err(|why| format!("{}: {why}", index + 1))?);
            } else if let (Some(id), Some(text)) = (line["statement"].as_str(), line["text"].as_str()) {
                let part = |name: &str| line["origin"][name].as_str().unwrap_or_default();
                let origin = match part("quote") {
                    "" => String::new(),
                    quote => format!("{}, {}: {quote}", part("text"), part("section")),
                };
                statements.insert(id.to_owned(), Sentence { text: text.to_owned(), origin });
            }
        }
        Ok(Suite { version, sha256: hash(text), statements, cases })
    }
}

/// The SHA-256 hash of a text, in hexadecimal digits.
fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time that an answer may take.
    pub timeout: Duration,
    /// The maximum time of the whole run.
    pub total: Duration,
}

impl Default for Limits {
    /// Ten seconds for an answer, and half an hour for all of them.
    fn default() -> Self {
        Limits { timeout: Duration::from_secs(10), total: Duration::from_secs(1800) }
    }
}

/// Starts a driver, a program with its arguments, and runs cases on it. After a fault it is restarted.
///
/// The cases come from the suite, perhaps with fewer levels.
///
/// # Errors
/// If the driver cannot be started, does not answer `about`, or speaks another version of the protocol. A driver that
/// fails later is in the [report](Report::stopped).
pub fn ask<'c>(suite: &Suite, cases: &'c [Case], driver: &[OsString], limits: Limits) -> Result<Report<'c>, String> {
    let mut driver = Driver::start(driver, limits.timeout)?;
    let about = match driver.ask("about", &json!({ "op": "about" }))? {
        Ok(answer) => About::read(answer)?,
        Err(fault) => return Err(format!("the driver does not answer `about`: {fault}")),
    };
    let mut report = Report::new(suite, about);
    let start = Instant::now();
    for case in cases {
        let (request, levels) = match report.about.question(case) {
            Ok(question) => question,
            Err(why) => {
                report.leave_out(case, why);
                continue;
            }
        };
        if start.elapsed() > limits.total {
            report.stopped =
                Some(format!("the run took longer than {} seconds: --total allows more", limits.total.as_secs()));
            break;
        }
        let asked = Instant::now();
        match driver.ask(&case.id, request) {
            Ok(Ok(answer)) => report.add(case, request, levels, answer, asked.elapsed()),
            Ok(Err(fault)) => report.fail(case, request, &fault, asked.elapsed()),
            Err(why) => {
                report.stopped = Some(why);
                break;
            }
        }
    }
    (report.noise, report.slowest) = (driver.noise.clone(), driver.slowest.clone());
    Ok(report)
}
