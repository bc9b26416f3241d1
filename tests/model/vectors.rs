//! Recorded questions about the model, and the answers of the official engine.

use serde_json::Value as Json;

use crate::needs;
use differential::Verdict;
use differential::comparison::model::{answer, compare};
use hcl_lr_conformance::{decode_value, encode_value};

/// All recorded questions, with their answers.
fn vectors() -> Vec<Json> {
    let text = needs::vectors("vectors.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
#[ignore = "needs vectors"]
fn needs_vectors_convert_unify_and_echo_agree() {
    let vectors = vectors();
    let mut asked = 0;
    for vector in &vectors {
        let (question, theirs) = (&vector["request"], &vector["answer"]);
        let op = question["op"].as_str().unwrap_or_default();
        if !["convert", "unify", "echo"].contains(&op) {
            continue;
        }
        asked += 1;
        let ours = answer(question);
        // No divergence is needed here, not even a listed one.
        assert_eq!(compare(question, theirs, &ours), Verdict::Same, "{question}\n{ours}");
    }
    assert!(asked > 200, "only {asked} questions");
}

#[test]
#[ignore = "needs vectors"]
fn needs_vectors_echo_gives_back_every_value() {
    let vectors = vectors();
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
        let verdict = compare(&question, &answer(value), &answer(&encode_value(&decoded)));
        assert_eq!(verdict, Verdict::Same, "{value}");
        echoed += 1;
    }
    assert!(echoed > 500, "only {echoed} values");
}
