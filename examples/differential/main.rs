//! Asks another driver of the conformance protocol, such as one around the official engine, random
//! questions and compares its answers with those of this library:
//!
//! ```text
//! cargo run --features cli --example differential -- SEED COUNT [RECORD] -- DRIVER [ARGUMENT…]
//! ```
//!
//! Each difference is shown with the shortest source that still has it. With a file name as third
//! argument the questions and the answers of the driver are recorded there.

mod answers;
mod questions;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use answers::{Difference, difference};
use questions::{FUNCTIONS, Random, question, variables};
use serde_json::{Value as Json, json};

/// A driver that is asked one question at a time.
struct Driver {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Driver {
    fn start(command: &[String]) -> Result<Driver, Box<dyn Error>> {
        let (program, arguments) = command.split_first().ok_or("there is no driver to ask")?;
        let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let answers = BufReader::new(child.stdout.take().ok_or("the driver has no output")?);
        Ok(Driver { child, answers })
    }

    fn ask(&mut self, request: &Json) -> Result<Json, Box<dyn Error>> {
        let input = self.child.stdin.as_mut().ok_or("the driver has no input")?;
        writeln!(input, "{request}")?;
        input.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }
}

fn ours(request: &Json) -> Result<Json, Box<dyn Error>> {
    let mut answer = Vec::new();
    hcl_lr::cli::conformance::run(format!("{request}\n").as_bytes(), &mut answer)?;
    Ok(serde_json::from_slice(&answer)?)
}

fn request(template: bool, text: &str, variables: &Json) -> Json {
    let op = if template { "template" } else { "expr" };
    json!({ "op": op, "src": text, "eval": true, "ast": false, "vars": variables, "functions": FUNCTIONS })
}

/// An answer as it is recorded: what is wrong where, but not how a driver puts it.
fn without_wording(mut answer: Json) -> Json {
    for diagnostic in answer["diags"].as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        diagnostic.retain(|name, _| name == "severity" || name == "range");
    }
    answer
}

/// Takes pieces out of a source as long as the difference stays of its kind.
fn shrunk(
    driver: &mut Driver,
    template: bool,
    text: &str,
    kind: Difference,
    variables: &Json,
) -> Result<String, Box<dyn Error>> {
    let mut best: Vec<char> = text.chars().collect();
    let mut size = best.len() / 2;
    while size > 0 {
        let (mut at, mut smaller) = (0, false);
        while at + size <= best.len() {
            let candidate: Vec<char> = best[..at].iter().chain(&best[at + size..]).copied().collect();
            let asked = request(template, &candidate.iter().collect::<String>(), variables);
            if difference(&driver.ask(&asked)?, &ours(&asked)?) == Some(kind) {
                (best, smaller) = (candidate, true);
            } else {
                at += 1;
            }
        }
        if !smaller {
            size /= 2;
        }
    }
    Ok(best.into_iter().collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let cut = arguments.iter().position(|argument| argument == "--").ok_or("usage: SEED COUNT [RECORD] -- DRIVER")?;
    let (own, command) = (&arguments[..cut], &arguments[cut + 1..]);
    let seed: u64 = own.first().ok_or("there is no seed")?.parse()?;
    let count: usize = own.get(1).ok_or("there is no count")?.parse()?;
    let mut record = own.get(2).map(std::fs::File::create).transpose()?;
    let variables = variables();
    let names: Vec<String> = variables.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let mut driver = Driver::start(command)?;
    let mut random = Random::new(seed);
    let mut differences: BTreeMap<Difference, Vec<String>> = BTreeMap::new();
    let mut errors = 0;
    for _ in 0..count {
        let (template, text) = question(&mut random, &names);
        let asked = request(template, &text, &variables);
        let (theirs, mine) = (driver.ask(&asked)?, ours(&asked)?);
        errors += usize::from(theirs["ok"] == false);
        let kind = difference(&theirs, &mine);
        if let Some(kind) = kind {
            differences.entry(kind).or_default().push(shrunk(&mut driver, template, &text, kind, &variables)?);
        }
        if let Some(file) = &mut record {
            let mut line = json!({ "op": asked["op"], "src": text, "answer": without_wording(theirs) });
            if kind.is_some() {
                line["ours"] = without_wording(mine);
            }
            writeln!(file, "{line}")?;
        }
    }
    println!("{count} questions, {errors} of them with errors");
    for (kind, mut sources) in differences {
        println!("{kind:?}: {} differ", sources.len());
        sources.sort_by_key(String::len);
        sources.dedup();
        sources.iter().take(20).for_each(|source| println!("    {source}"));
    }
    driver.child.kill()?;
    Ok(())
}
