//! Asks another driver of the conformance protocol, such as one around the official engine, and this
//! library the same random calls of functions.
//!
//! ```text
//! cargo run --release -p differential --bin function_differential -- [numbers] SEED COUNT [RECORD] -- DRIVER [ARGUMENT…]
//! ```
//!
//! Prints how many answers agree, what the listed divergences cover, and some of all other differences;
//! exits with 1 if there is one. With `numbers`, all calls have numbers near powers of two, halves, or results of `pow`. With a file name as RECORD the calls and the answers of the driver are
//! recorded there, one a line. With `DIFFERENTIAL_SHOW` set, explained differences are shown too.

#[path = "../../../../tests/functions/differential/mod.rs"]
mod differential;
mod driver;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use differential::compare::{Verdict, compare};
use differential::random::Random;
use differential::{calls, odd_numbers};
use serde_json::{Value as Json, json};

/// The number of pending questions.
const WINDOW: usize = 1_000;

/// The number of differences shown for each function.
const SHOWN: usize = 4;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: [numbers] SEED COUNT [RECORD] -- DRIVER [ARGUMENT…]";
    let cut = arguments.iter().position(|argument| argument == "--").ok_or(usage)?;
    let (own, command) = (&arguments[..cut], &arguments[cut + 1..]);
    let (call, own): (fn(&mut Random) -> Json, _) = match own.split_first() {
        Some((kind, rest)) if kind == "numbers" => (odd_numbers::call, rest),
        _ => (calls::call, own),
    };
    let seed: u64 = own.first().ok_or(usage)?.parse()?;
    let count: usize = own.get(1).ok_or(usage)?.parse()?;
    let mut record = own.get(2).map(std::fs::File::create).transpose()?.map(std::io::BufWriter::new);
    let mut driver = driver::Driver::start(command)?;
    let mut random = Random::new(seed);
    let mut tally: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut differing: BTreeMap<String, usize> = BTreeMap::new();
    let (mut left, mut accepted) = (count, 0);
    while left > 0 {
        let questions: Vec<Json> = (0..left.min(WINDOW)).map(|_| call(&mut random)).collect();
        left -= questions.len();
        for (question, (theirs, ours)) in questions.iter().zip(driver.ask(&questions)?) {
            let verdict = compare(question, &ours, &theirs);
            accepted += usize::from(theirs["ok"] == true);
            *tally.entry(verdict).or_default() += 1;
            let shows = match verdict {
                Verdict::Same => false,
                Verdict::Explained(_) => std::env::var("DIFFERENTIAL_SHOW").is_ok(),
                Verdict::Different => true,
            };
            if shows {
                let name = question["name"].as_str().unwrap_or("an expression");
                let times = differing.entry(name.to_owned()).or_default();
                *times += 1;
                if *times <= SHOWN {
                    let given = question.get("src").unwrap_or(&question["args"]);
                    println!("{verdict:?} {name} {given}\n    engine {theirs}\n    ours   {ours}");
                }
            }
            if let Some(file) = &mut record {
                let mut answer = theirs.clone();
                if let Some(answer) = answer.as_object_mut() {
                    // Keep only one fact of the wording: that the engine itself has failed.
                    let message = answer.remove("message");
                    if message.is_some_and(|why| why.as_str().is_some_and(|why| why.starts_with("panic in function"))) {
                        answer.insert("panic".to_owned(), true.into());
                    }
                }
                writeln!(file, "{}", json!({ "request": question, "answer": answer }))?;
            }
        }
    }
    println!("{count} calls from seed {seed}, {accepted} of them accepted by the driver");
    for (name, times) in &differing {
        println!("{times:8} differ: {name}");
    }
    for (verdict, times) in &tally {
        println!("{times:8} {verdict:?}");
    }
    Ok(ExitCode::from(u8::from(tally.contains_key(&Verdict::Different))))
}
