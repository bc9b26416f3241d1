//! Random expressions and templates with the answers of the official engine.
//!
//! `fixtures/sample.jsonl` was recorded by `examples/differential`. Where a line has an answer of
//! its own in `ours`, the two differ for a reason that stands in `DIVERGENCES.md`.
#![cfg(feature = "cli")]

#[path = "../examples/differential/answers.rs"]
mod answers;
#[path = "../examples/differential/questions.rs"]
mod questions;

use answers::{Difference, difference};
use questions::{FUNCTIONS, Random, question, variables};
use serde_json::{Value as Json, json};

const SAMPLE: &str = include_str!("fixtures/sample.jsonl");

fn ask(op: &str, text: &str) -> Json {
    let request =
        json!({ "op": op, "src": text, "eval": true, "ast": false, "vars": variables(), "functions": FUNCTIONS });
    let mut answer = Vec::new();
    hcl_lr::cli::conformance::run(format!("{request}\n").as_bytes(), &mut answer).expect("writing to memory");
    serde_json::from_slice(&answer).expect("JSON")
}

#[test]
fn the_sample_is_answered_as_by_the_official_engine() {
    let mut wrong = Vec::new();
    let (mut lines, mut errors, mut differing) = (0, 0, 0);
    for line in SAMPLE.lines() {
        let recorded: Json = serde_json::from_str(line).expect("a line of JSON");
        let (op, text) = (recorded["op"].as_str().expect("an operation"), recorded["src"].as_str().expect("a source"));
        let (expected, own) = match recorded.get("ours") {
            Some(ours) => (ours, 1),
            None => (&recorded["answer"], 0),
        };
        lines += 1;
        differing += own;
        errors += usize::from(expected["ok"] == false);
        if let Some(kind) = difference(expected, &ask(op, text)) {
            wrong.push(format!("{kind:?}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {lines} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(lines >= 1_000 && errors * 4 > lines && errors * 4 < 3 * lines, "{errors} of {lines} are errors");
    assert!(differing * 50 < lines, "{differing} of {lines} differ from the official engine");
}

#[test]
fn where_the_answers_differ_on_purpose() {
    // Negative zero is zero, and no mark gets lost.
    assert_eq!(ask("template", "${-z}.")["value"], "0.");
    assert_eq!(ask("expr", "-usm")["value"]["marks"], json!(["u"]));
    assert_eq!(ask("expr", "l[dm]")["value"]["marks"], json!(["d"]));
    assert_eq!(ask("expr", "[for x in dm: x]")["value"]["marks"], json!(["d"]));
    // And the comparison sees both kinds.
    let theirs = json!({ "parsed": true, "ok": true, "diags": [], "value": "-0." });
    assert_eq!(difference(&theirs, &ask("template", "${-z}.")), Some(Difference::Value));
    let theirs = json!({ "parsed": true, "ok": true, "diags": [], "value": {"unknown": "dynamic"} });
    assert_eq!(difference(&theirs, &ask("expr", "l[dm]")), Some(Difference::MarksKept));
}

#[test]
fn the_same_seed_gives_the_same_questions() {
    let names = ["a".to_owned()];
    let questions = |seed| {
        let mut random = Random::new(seed);
        (0..100).map(|_| question(&mut random, &names).1).collect::<Vec<_>>()
    };
    assert_eq!(questions(7), questions(7));
    assert_ne!(questions(7), questions(8));
}
