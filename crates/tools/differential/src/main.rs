//! Asks another driver of the conformance protocol, such as one around the official engine, random
//! questions and compares its answers with those of this library:
//!
//! ```text
//! cargo run --release -p differential -- SEED COUNT [KIND] [RECORD] -- DRIVER [ARGUMENT…]
//! ```
//!
//! KIND is an operation of the protocol (expr, template, attributes, config, variables, static or
//! traversal) or `all`. What differs is shown with the shortest source that still differs in this
//! way. Differences that are there on purpose are counted for each row of `DIVERGENCES.md`, other
//! places of errors are counted; any other difference makes the program fail. With a file name as
//! RECORD the questions and the answers of the driver are recorded there.

#[path = "../../../../tests/eval/differential/mod.rs"]
mod differential;
mod driver;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use differential::answers::{self, Difference, difference};
use differential::explained::{Case, explanation};
use differential::questions::{Kind, Question, Random, variables};
use driver::Driver;
use serde_json::{Value as Json, json};

/// The number of pending questions.
const WINDOW: usize = 1_000;

/// The number of sources of one kind of difference that are shrunk and shown.
const SHOWN: usize = 12;

/// An answer as it is recorded: what is wrong where, but not how a driver puts it, nor what there is
/// of a value that failed.
fn without_wording(mut answer: Json) -> Json {
    if let (false, Some(members)) = (answer["ok"] == true, answer.as_object_mut()) {
        members.retain(|name, _| name != "value" && name != "values");
    }
    for diagnostic in answer["diags"].as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        diagnostic.retain(|name, _| name == "severity" || name == "range");
    }
    answer
}

/// The difference between two answers, and the row that explains it.
type Verdict = (Difference, Option<&'static str>);

/// Everything that was found.
#[derive(Default)]
struct Findings {
    asked: BTreeMap<Kind, usize>,
    errors: BTreeMap<Kind, usize>,
    /// The questions whose answers differ, and how many there are in all.
    differing: BTreeMap<(Verdict, Kind), (usize, Vec<Question>)>,
}

impl Findings {
    fn unexplained(&self) -> usize {
        let differing = self.differing.iter();
        let open = differing.filter(|(((difference, why), _), _)| why.is_none() && !difference.is_place());
        open.map(|(_, (count, _))| count).sum()
    }
}

struct Comparison {
    driver: Driver,
    variables: Json,
}

impl Comparison {
    fn verdict(&self, question: &Question, theirs: &Json, ours: &Json) -> Option<Verdict> {
        let difference = difference(theirs, ours)?;
        let case = Case { question, difference, theirs, ours };
        Some((difference, explanation(&case)))
    }

    fn ask(&mut self, questions: &[Question]) -> Result<Vec<(Json, Json)>, Box<dyn Error>> {
        let requests: Vec<Json> = questions.iter().map(|question| question.request(&self.variables)).collect();
        self.driver.ask(&requests)
    }

    /// The question with pieces of its source taken out as long as the verdict stays the same.
    fn shrunk(&mut self, question: &Question, verdict: Verdict) -> Result<Question, Box<dyn Error>> {
        let mut best = question.clone();
        let mut size = best.text.chars().count().div_ceil(2);
        while size > 0 {
            let chars: Vec<char> = best.text.chars().collect();
            let without = |at: usize| chars[..at].iter().chain(&chars[at + size..]).collect::<String>();
            let smaller: Vec<Question> =
                (0..=chars.len() - size).map(|at| Question { text: without(at), ..question.clone() }).collect();
            let answers = self.ask(&smaller)?;
            let found = smaller
                .into_iter()
                .zip(&answers)
                .find(|(smaller, (theirs, ours))| self.verdict(smaller, theirs, ours) == Some(verdict));
            match found {
                Some((found, _)) => best = found,
                None => size /= 2,
            }
            size = size.min(best.text.chars().count());
        }
        Ok(best)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: SEED COUNT [KIND] [RECORD] -- DRIVER [ARGUMENT…]";
    let cut = arguments.iter().position(|argument| argument == "--").ok_or(usage)?;
    let (own, command) = (&arguments[..cut], &arguments[cut + 1..]);
    let seed: u64 = own.first().ok_or(usage)?.parse()?;
    let count: usize = own.get(1).ok_or(usage)?.parse()?;
    let kind = match own.get(2).map_or("all", String::as_str) {
        "all" => None,
        op => Some(Kind::ALL.into_iter().find(|kind| kind.op() == op).ok_or("there is no such kind")?),
    };
    let mut record = own.get(3).map(std::fs::File::create).transpose()?.map(BufWriter::new);
    let mut comparison = Comparison { driver: Driver::start(command)?, variables: variables() };
    let names: Vec<String> =
        comparison.variables.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let (started, mut random, mut findings) = (Instant::now(), Random::new(seed), Findings::default());
    let mut left = count;
    while left > 0 {
        let questions: Vec<Question> =
            (0..left.min(WINDOW)).map(|_| Question::random(&mut random, kind, &names)).collect();
        left -= questions.len();
        let answers = comparison.ask(&questions)?;
        for (question, (theirs, ours)) in questions.into_iter().zip(answers) {
            let verdict = comparison.verdict(&question, &theirs, &ours);
            *findings.asked.entry(question.kind).or_default() += 1;
            *findings.errors.entry(question.kind).or_default() += usize::from(theirs["ok"] == false);
            if let Some(file) = &mut record {
                let mut line = question.to_json();
                line["answer"] = without_wording(theirs);
                if let Some((_, why)) = verdict {
                    line["ours"] = without_wording(ours);
                    line["why"] = json!(why);
                }
                writeln!(file, "{line}")?;
            }
            if let Some(verdict) = verdict {
                let (count, some) = findings.differing.entry((verdict, question.kind)).or_default();
                *count += 1;
                some.push(question);
            }
        }
    }
    let seconds = started.elapsed().as_secs();
    report(&mut comparison, &findings)?;
    println!(
        "{count} questions from seed {seed} in {seconds} s, {} differences without explanation",
        findings.unexplained()
    );
    Ok(ExitCode::from(u8::from(findings.unexplained() > 0)))
}

fn report(comparison: &mut Comparison, findings: &Findings) -> Result<(), Box<dyn Error>> {
    for (((difference, why), kind), (count, questions)) in &findings.differing {
        println!("{count:8} {:10} {difference:?} {}", kind.op(), why.unwrap_or("WITHOUT EXPLANATION"));
        if why.is_some() && std::env::var("DIFFERENTIAL_SHOW").is_err() {
            continue;
        }
        let mut shown = Vec::new();
        let step = questions.len().div_ceil(SHOWN).max(1);
        for question in questions.iter().step_by(step) {
            let shortest = comparison.shrunk(question, (*difference, *why))?;
            if !shown.contains(&shortest) {
                shown.push(shortest);
            }
        }
        shown.sort_by_key(|question| question.text.len());
        for question in shown {
            let answers = comparison.ask(std::slice::from_ref(&question))?;
            println!("         {}", question.to_json());
            if let (Some((theirs, ours)), false) = (answers.first(), difference.is_place()) {
                println!("             engine {}", brief(theirs));
                println!("             ours   {}", brief(ours));
            } else if let Some((theirs, ours)) = answers.first() {
                println!("             engine {:?}, ours {:?}", answers::places(theirs), answers::places(ours));
            }
        }
    }
    for (kind, asked) in &findings.asked {
        let errors = findings.errors.get(kind).copied().unwrap_or_default();
        println!("{asked:8} {:10} of these {errors} are errors for the engine", kind.op());
    }
    Ok(())
}

fn brief(answer: &Json) -> String {
    answer.to_string().chars().take(600).collect()
}
