//! The shared conformance vectors, where they are at hand: in `shared/conformance` beside
//! the crate, or in the file that `HCL_LR_VECTORS` names.

use crate::differential::compare::{Verdict, compare};
use hcl_lr_conformance::{decode_value, encode_value};
use serde_json::Value as Json;
use std::io::Write as _;

/// All vectors, or nothing and a remark that the test is skipped.
fn vectors(test: &str) -> Option<Vec<Json>> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/conformance/vectors.jsonl");
    let file = std::env::var("HCL_LR_VECTORS").unwrap_or_else(|_| beside.to_string());
    let Ok(text) = std::fs::read_to_string(&file) else {
        // Not by a macro: the test harness hides what passing tests print.
        let remark = format!("SKIPPED {test}: the conformance vectors are not at hand\n");
        std::io::stderr().write_all(remark.as_bytes()).expect("standard error");
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect())
}

#[test]
fn convert_unify_and_echo_agree() {
    let Some(vectors) = vectors("convert_unify_and_echo_agree") else {
        return;
    };
    let mut asked = 0;
    for vector in &vectors {
        let (question, theirs) = (&vector["request"], &vector["answer"]);
        let op = question["op"].as_str().unwrap_or_default();
        if !["convert", "unify", "echo"].contains(&op) {
            continue;
        }
        asked += 1;
        let ours = crate::differential::compare::answer(question);
        // No divergence is needed here, not even a listed one.
        assert_eq!(compare(question, &ours, theirs), Verdict::Same, "{question}\n{ours}");
    }
    assert!(asked > 200, "only {asked} questions");
}

#[test]
fn echo_gives_back_every_value() {
    let Some(vectors) = vectors("echo_gives_back_every_value") else {
        return;
    };
    let mut values = Vec::new();
    for vector in &vectors {
        let (question, answer) = (&vector["request"], &vector["answer"]);
        values.extend([question.get("value"), answer.get("value")].into_iter().flatten());
        for holder in [&question["vars"], &answer["values"]] {
            values.extend(holder.as_object().into_iter().flat_map(|vars| vars.values()));
        }
        values.extend(question["args"].as_array().into_iter().flatten());
    }
    let mut echoed = 0;
    for value in values {
        // Some engine answers hold what is not a value of the model: `{"nil": true}`.
        let Ok(decoded) = decode_value(value) else {
            assert!(value.to_string().contains("\"nil\""), "{value}");
            continue;
        };
        let answer = |value: &Json| serde_json::json!({ "ok": true, "value": value });
        let question = serde_json::json!({ "op": "echo", "value": value });
        let verdict = compare(&question, &answer(&encode_value(&decoded)), &answer(value));
        assert_eq!(verdict, Verdict::Same, "{value}");
        echoed += 1;
    }
    assert!(echoed > 500, "only {echoed} values");
}
