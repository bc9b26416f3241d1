//! Calls with OpenTofu's answers.

use std::io::Write as _;

use hcl_lr::Scope;
use hcl_lr::functions;
use hcl_lr::model::{Number, Value, json};
use serde_json::Value as Json;

/// The answer of the set for Terraform: the JSON of the value.
fn answer(expression: &str) -> Option<Json> {
    let file = hcl_lr::parse(format!("a = {expression}\n")).into_result().ok()?;
    let scope = Scope::new().with_functions(functions::terraform());
    let value: Value = file.body().attribute("a")?.expression().evaluate(&scope).ok()?;
    // What is marked as sensitive is shown by the program that gave the answers.
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

/// A call that is listed in `DIVERGENCES.md`, with both answers as they stand there.
struct Listed {
    call: String,
    theirs: String,
    ours: String,
}

fn listed() -> Vec<Listed> {
    let text = include_str!("../../DIVERGENCES.md");
    let (_, section) = text.split_once("\n### Calls of OpenTofu's functions\n").expect("it is there");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let row = |row: &str| {
        let (call, rest) = row.split_once("` | ").expect("a call");
        let cells: Vec<&str> = rest.split(" | ").collect();
        assert!(cells.len() == 3 && !cells[2].is_empty(), "{row}");
        Listed { call: call.to_owned(), theirs: cells[0].to_owned(), ours: cells[1].to_owned() }
    };
    rows.map(row).collect()
}

/// An answer as it stands in the table.
fn shown(answer: Option<&Json>) -> String {
    answer.map_or_else(|| "an error".to_owned(), |json| format!("`{json}`"))
}

#[test]
fn calls_give_what_opentofu_gives() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/conformance/terraform-functions.jsonl");
    let Ok(text) = std::fs::read_to_string(beside) else {
        let remark = b"SKIPPED calls_give_what_opentofu_gives: the answers are not at hand\n";
        std::io::stderr().write_all(remark).expect("standard error");
        return;
    };
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

/// What is listed is what this library gives, with or without the answers of the other program.
#[test]
fn listed_calls_give_what_is_listed() {
    let listed = listed();
    for row in &listed {
        assert_eq!(shown(answer(&row.call).as_ref()), row.ours, "{}", row.call);
    }
    assert!(listed.len() > 30);
}
