//! Calls with OpenTofu's answers.

use hcl_lr::Scope;
use hcl_lr::functions;
use hcl_lr::model::{Number, Value, json};
use serde_json::Value as Json;

use crate::support::needs;

/// The answer of the set for Terraform: the JSON of the value.
fn answer(expression: &str) -> Option<Json> {
    let file = hcl_lr::parse::<hcl_lr::File>(format!("a = {expression}\n")).into_result().ok()?;
    let scope = Scope::new().with_functions(functions::terraform());
    let value: Value = file.body().attribute("a")?.expression().evaluate(&scope).ok()?;
    // The program that gave the answers shows sensitive values.
    let (value, _) = value.unmark_deep();
    serde_json::from_str(&json::encode_implied(&value).ok()?).ok()
}

fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            let number = |text: &serde_json::Number| Number::parse(&text.to_string()).ok();
            number(a) == number(b) || a.as_f64() == b.as_f64()
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// The calls with different answers that are listed, with both of them.
const LISTED: &str = include_str!("../fixtures/divergences/85-opentofu.md");

/// A call that is listed, with both answers: `an error`, or the JSON of the value as `json`.
struct Listed {
    call: String,
    theirs: Json,
    ours: Json,
}

fn listed() -> Vec<Listed> {
    let fences = |text: &'static str, kind: &str| -> Vec<&'static str> {
        let start = format!("```{kind}\n");
        text.split(&start).skip(1).map(|rest| rest.split("\n```").next().expect("its text")).collect()
    };
    let json = |text: &str| serde_json::from_str(text).expect("JSON");
    let (theirs, ours) = (fences(LISTED, "engine"), fences(LISTED, "ours"));
    let calls = fences(LISTED, "opentofu");
    assert!(calls.len() == theirs.len() && calls.len() == ours.len() && calls.len() > 30);
    let both = theirs.into_iter().zip(ours);
    calls
        .into_iter()
        .zip(both)
        .map(|(call, (theirs, ours))| Listed { call: call.to_owned(), theirs: json(theirs), ours: json(ours) })
        .collect()
}

/// An answer as it is listed.
fn shown(answer: Option<&Json>) -> Json {
    answer.map_or_else(|| "an error".into(), |json| serde_json::json!({ "json": json }))
}

#[test]
#[ignore = "needs vectors"]
fn needs_vectors_calls_give_what_opentofu_gives() {
    let text = needs::vectors("terraform-functions.jsonl");
    let mut listed = listed();
    let (mut wrong, mut run) = (Vec::new(), 0);
    for line in text.lines() {
        let line: Json = serde_json::from_str(line).expect("a line of JSON");
        let expression = line["expr"].as_str().expect("an expression");
        let theirs = (line["ok"] == true).then_some(&line["json"]);
        let ours = answer(expression);
        run += 1;
        let agrees = match (theirs, &ours) {
            (None, None) => true,
            (Some(theirs), Some(ours)) => same(theirs, ours),
            _ => false,
        };
        if agrees {
            continue;
        }
        let (theirs, ours) = (shown(theirs), shown(ours.as_ref()));
        match listed.iter().position(|row| row.call == expression && row.theirs == theirs && row.ours == ours) {
            Some(at) => drop(listed.remove(at)),
            None => wrong.push(format!("{expression}\n  theirs {theirs}\n  ours   {ours}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {run} differ and are not listed:\n{}", wrong.len(), wrong.join("\n"));
    let left: Vec<&str> = listed.iter().map(|row| row.call.as_str()).collect();
    assert!(left.is_empty(), "listed, but the same: {left:?}");
    assert!(run > 2_000, "only {run} calls");
}
