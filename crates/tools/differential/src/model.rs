//! Asks the official engine and this library the same random questions.
//!
//! ```text
//! HCL_LR_ORACLE=path/to/oracle cargo run --release -p differential \
//!     --bin model_differential -- COUNT [SEED [types|operations [SAMPLE_FILE]]]
//! ```
//!
//! `types` (the default) asks about conversion and unification, `operations` about operators.
//! With `HCL_LR_SHOW` set to part of a verdict's name, every answer with it is printed.
//! The oracle is any program that speaks the conformance protocol for the official engine.
//! Prints how many answers agree, what the listed divergences cover, and every other
//! difference; exits with 1 if there is one. With a SAMPLE_FILE, questions and the engine's
//! answers are written there, one a line.

#[path = "../../../../tests/model/differential/mod.rs"]
mod differential;

use differential::compare::{Verdict, answer, compare};
use differential::generate::{Random, operation_question, question};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let count: usize = args.next().map_or(Ok(20_000), |text| text.parse())?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let about = args.next().unwrap_or_else(|| "types".to_string());
    let sample = args.next();
    let oracle = std::env::var("HCL_LR_ORACLE").map_err(|_| "HCL_LR_ORACLE names no program")?;

    let mut random = Random::new(seed);
    let questions: Vec<Json> = match about.as_str() {
        "operations" => (0..count).map(|_| operation_question(&mut random)).collect(),
        _ => (0..count).map(|_| question(&mut random)).collect(),
    };
    let answers = ask(&oracle, &questions)?;
    let mut tally: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut accepted = 0;
    for (question, theirs) in questions.iter().zip(&answers) {
        let ours = answer(question);
        let verdict = compare(question, &ours, theirs);
        *tally.entry(verdict).or_default() += 1;
        accepted += usize::from(theirs["ok"] == true);
        if std::env::var("HCL_LR_SHOW").is_ok_and(|rule| format!("{verdict:?}").contains(&rule)) {
            println!("{verdict:?} {question}\n  engine {theirs}\n  ours   {ours}");
        }
        if verdict == Verdict::Different && tally[&verdict] <= 40 {
            println!("DIFFERENT {question}\n  engine {theirs}\n  ours   {ours}");
        }
    }
    println!("{count} questions (seed {seed}), {accepted} of them accepted by the engine");
    for (verdict, times) in &tally {
        println!("{times:8} {verdict:?}");
    }
    if let Some(file) = sample {
        let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
        for (question, answer) in questions.iter().zip(&answers) {
            writeln!(out, "{}", json!({ "request": question, "answer": answer }))?;
        }
    }
    Ok(ExitCode::from(u8::from(tally.contains_key(&Verdict::Different))))
}

/// An answer without its wording: whether it was accepted, the result, and of the reasons for
/// refusal the one that the comparison asks about.
fn meaning(answer: Json) -> Json {
    let message = answer["message"].as_str().unwrap_or_default();
    let mixed = message.contains("must all match") || message.contains("common base type");
    let mut kept = serde_json::Map::new();
    for part in ["ok", "value", "type"] {
        if let Some(value) = answer.get(part).filter(|_| part == "ok" || answer["ok"] == true) {
            kept.insert(part.to_string(), value.clone());
        }
    }
    for (part, present) in [("mixed_types", mixed), ("panic", answer.get("panic").is_some())] {
        if present {
            kept.insert(part.to_string(), Json::Bool(true));
        }
    }
    if let Some(why) = answer.get("bad_request") {
        kept.insert("bad_request".to_string(), why.clone());
    }
    Json::Object(kept)
}

/// Puts all questions to the program, which answers one line a question.
fn ask(oracle: &str, questions: &[Json]) -> Result<Vec<Json>, Box<dyn Error>> {
    let mut child = Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("the oracle has no input")?;
    let output = BufReader::new(child.stdout.take().ok_or("the oracle has no output")?);
    let text: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let mut answers = Vec::with_capacity(questions.len());
    for line in output.lines() {
        answers.push(meaning(serde_json::from_str(&line?)?));
    }
    writer.join().map_err(|_| "the questions could not be written")??;
    child.wait()?;
    if answers.len() != questions.len() {
        return Err(format!("{} answers to {} questions", answers.len(), questions.len()).into());
    }
    Ok(answers)
}
