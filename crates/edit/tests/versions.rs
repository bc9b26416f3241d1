//! The functions for versions, beside recorded answers.
//!
//! Each line of `versions.jsonl` is a case: a `version` with an `other` one, or with `constraints`, and the `answer` of
//! the Go package `hashicorp/go-version` 1.8.0, which Terraform and Packer use; null is an error. To add a case, write a
//! line with the answer of that package.

#![cfg(feature = "query")]

use std::fs;
use std::path::Path;

use hcl_lr::model::Value;
use hcl_lr::{Expression, File, parse};
use hcl_lr_edit::query::{Query, Subject};

/// Returns the value of a call in a query, or `None` if it fails.
fn answer(file: &File, function: &str, arguments: [&str; 2]) -> Option<Value> {
    let [left, right] = arguments.map(|text| Value::from(text).to_string());
    let call = parse::<Expression>(&*format!("{function}({left}, {right})")).into_result().expect("a call");
    let query = Query::new("a".parse().expect("an address")).with_evaluated_result(call);
    let result = query.run(Subject::Native(file));
    result.matches().first().and_then(|found| found.result().cloned())
}

#[test]
fn versions_are_compared_as_terraform_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/versions.jsonl");
    let lines = fs::read_to_string(path).expect("the recorded answers");
    let file = parse::<File>("a = 1\n").into_result().expect("a file");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in lines.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| case[name].as_str();
        let version = text("version").expect("a version");
        let found = match (text("other"), text("constraints")) {
            (Some(other), None) => answer(&file, "version_compare", [version, other]),
            (None, Some(constraints)) => answer(&file, "version_satisfies", [version, constraints]),
            _ => panic!("a case has either `other` or `constraints`: {line}"),
        };
        let expected = match &case["answer"] {
            serde_json::Value::Null => None,
            serde_json::Value::Bool(holds) => Some(Value::from(*holds)),
            number => Some(Value::from(number.as_i64().expect("a whole number"))),
        };
        count += 1;
        if found != expected {
            wrong.push(format!("{line}, but {found:?}"));
        }
    }
    assert!(count > 500, "{count} cases");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
