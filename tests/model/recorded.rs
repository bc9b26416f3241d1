//! Replays recorded questions and the official engine's answers to them.
//!
//! The files are written by the program `hcl-differ`, but for `sets.jsonl`, whose questions are chosen.

use differential::comparison::model::{answer, compare};
use differential::questions::values::{operation_question, question};
use differential::{Random, Verdict};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Compares every line and answers how often each verdict came.
fn replay(recorded: &str) -> BTreeMap<Verdict, usize> {
    let mut tally = BTreeMap::new();
    for line in recorded.lines() {
        let line: Json = serde_json::from_str(line).expect("a line of JSON");
        let (question, theirs) = (&line["request"], &line["answer"]);
        let ours = answer(question);
        let verdict = compare(question, theirs, &ours);
        assert!(!matches!(verdict, Verdict::Different(_)), "{question}\nengine {theirs}\nours   {ours}");
        *tally.entry(verdict).or_default() += 1;
    }
    tally
}

#[test]
fn conversion_and_unification_agree_with_the_engine() {
    let tally = replay(include_str!("../fixtures/model/differential.jsonl"));
    assert_eq!(tally.values().sum::<usize>(), 2_000);
    // A change that makes explained differences spread must be looked at.
    assert!(tally[&Verdict::Same] >= 1_993, "{tally:?}");
}

#[test]
fn operators_agree_with_the_engine() {
    let tally = replay(include_str!("../fixtures/model/operations.jsonl"));
    assert_eq!(tally.values().sum::<usize>(), 1_000);
    assert!(tally[&Verdict::Same] >= 969, "{tally:?}");
}

/// Comparisons that are certainly false are false, also with unknown elements; those that the engine leaves open stay
/// open. (The cases in which the engine says false without certainty are a row of `DIVERGENCES.md`.)
#[test]
fn partly_unknown_sets_agree_with_the_engine() {
    let recorded = include_str!("../fixtures/model/sets.jsonl");
    assert_eq!(replay(recorded), BTreeMap::from([(Verdict::Same, recorded.lines().count())]));
    assert!(recorded.lines().filter(|line| line.contains("\"value\":false}")).count() >= 3);
}

/// Questions of the generator to which the answers once differed from the engine's.
#[test]
fn what_differed_once_agrees_with_the_engine() {
    let recorded = include_str!("../fixtures/model/found.jsonl");
    assert_eq!(replay(recorded), BTreeMap::from([(Verdict::Same, recorded.lines().count())]));
}

/// The recorded questions are the generator's, not chosen ones.
#[test]
fn the_generator_makes_the_recorded_questions() {
    let types = include_str!("../fixtures/model/differential.jsonl");
    let operations = include_str!("../fixtures/model/operations.jsonl");
    let (mut first, mut second) = (Random::new(3), Random::new(9));
    for line in types.lines() {
        let line: Json = serde_json::from_str(line).expect("a line of JSON");
        assert_eq!(line["request"], question(&mut first));
    }
    for line in operations.lines() {
        let line: Json = serde_json::from_str(line).expect("a line of JSON");
        assert_eq!(line["request"], operation_question(&mut second));
    }
}

/// A comparison that finds everything equal would make the replay worthless.
#[test]
fn the_comparison_sees_differences() {
    let question = serde_json::json!({ "op": "convert", "value": true, "type": "string" });
    let wrong = serde_json::json!({ "ok": true, "value": "yes" });
    let verdict = |theirs: &Json| compare(&question, theirs, &answer(&question));
    assert!(matches!(verdict(&wrong), Verdict::Different(_)));
    let refused = serde_json::json!({ "ok": false });
    assert!(matches!(verdict(&refused), Verdict::Different(_)));
    let right = serde_json::json!({ "ok": true, "value": "true" });
    assert_eq!(verdict(&right), Verdict::Same);
}
