//! Replays recorded calls and the official engine's answers to them.
//!
//! `fixtures/functions/calls.jsonl` and `numbers.jsonl` are written by the program `hcl-differ`.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use differential::comparison::calls::compare;
use differential::questions::{calls, odd_numbers};
use differential::{Random, Verdict};

use crate::support::needs;
use crate::support::protocol::ask;

const CALLS: &str = include_str!("../fixtures/functions/calls.jsonl");
const NUMBERS: &str = include_str!("../fixtures/functions/numbers.jsonl");

fn replay(lines: &[Json]) -> BTreeMap<Verdict, usize> {
    let mut tally = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in lines {
        let ours = ask(&line["request"]);
        let verdict = compare(&line["request"], &line["answer"], &ours);
        if matches!(verdict, Verdict::Different(_)) {
            wrong.push(format!("{}\nengine {}\nours   {ours}", line["request"], line["answer"]));
        }
        *tally.entry(verdict).or_default() += 1;
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    tally
}

fn lines(recorded: &str) -> Vec<Json> {
    recorded.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn calls_agree_with_the_engine() {
    let tally = replay(&lines(CALLS));
    assert_eq!(tally.values().sum::<usize>(), 3_000);
    // A change that makes explained differences spread must be looked at.
    assert!(tally[&Verdict::Same] >= 2_960, "{tally:?}");
}

#[test]
fn calls_with_odd_numbers_agree_with_the_engine() {
    let tally = replay(&lines(NUMBERS));
    assert_eq!(tally.values().sum::<usize>(), 2_000);
    assert!(tally[&Verdict::Same] >= 1_970, "{tally:?}");
}

/// The recorded calls are the generator's, not chosen ones.
#[test]
fn the_generator_makes_the_recorded_calls() {
    let check = |recorded: &str, seed: u64, call: fn(&mut Random) -> Json| {
        let mut random = Random::new(seed);
        for line in lines(recorded) {
            assert_eq!(line["request"], call(&mut random));
        }
    };
    check(CALLS, 12, calls::call);
    check(NUMBERS, 3, odd_numbers::call);
}

/// A comparison that finds everything equal would make the replay worthless.
#[test]
fn the_comparison_sees_differences() {
    let question = serde_json::json!({ "op": "call", "name": "upper", "args": ["a"] });
    let ours = &ask(&question);
    let verdict = |theirs: Json| compare(&question, &theirs, ours);
    assert_eq!(verdict(serde_json::json!({ "ok": true, "value": "A" })), Verdict::Same);
    assert!(matches!(verdict(serde_json::json!({ "ok": true, "value": "a" })), Verdict::Different(_)));
    assert!(matches!(verdict(serde_json::json!({ "ok": false })), Verdict::Different(_)));
}

#[test]
#[ignore = "needs vectors"]
fn needs_vectors_calls_agree() {
    let text = needs::vectors("vectors.jsonl");
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let calls: Vec<Json> = lines.into_iter().filter(|line: &Json| line["request"]["op"] == "call").collect();
    let tally = replay(&calls);
    assert!(calls.len() > 400, "only {} calls", calls.len());
    assert_eq!(tally[&Verdict::Same], calls.len(), "{tally:?}");
}
