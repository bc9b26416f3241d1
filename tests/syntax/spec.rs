//! Runs the examples of `tests/spec`. How to add one is explained in `tests/README.md`.

use std::io::Write;

use crate::examples::{Example, Outcome, examples};
use hcl_lr::Dialect;
use serde_json::Value;

#[test]
fn examples_are_as_they_say() {
    let (examples, mut problems) = examples();
    let mut gaps = 0;
    for example in &examples {
        let result = answered(example).and_then(|()| check(example));
        gaps += usize::from(example.gap);
        let problem = match result {
            Err(problem) if answered(example).is_err() => problem,
            Ok(()) if example.gap => "  it is as expected now: remove the marker `gap`".to_owned(),
            Err(problem) if !example.gap => problem,
            _ => continue,
        };
        problems.push(format!("{}\n{}\n{problem}", example.place, indent("source", &example.shown)));
    }
    // Not by a macro for printing: what these print is shown for failing tests only.
    let _ = writeln!(std::io::stderr(), "{} examples, {gaps} of them known gaps", examples.len());
    assert!(problems.is_empty(), "{} problems:\n\n{}\n", problems.len(), problems.join("\n\n"));
}

/// Whether an example has the answers that it needs.
fn answered(example: &Example) -> Result<(), String> {
    let (wanted, dialect) = match (&example.json, &example.errors) {
        (Some(_), Some(_)) if example.strict => return Ok(()),
        (Some(_), None) if !example.strict => return Ok(()),
        (None, Some(_)) if !example.strict && example.warnings.is_empty() => return Ok(()),
        _ if example.strict => ("a fence `json` and after it a fence `error`", Dialect::Strict),
        _ => ("either a fence `json` or a fence `error`", Dialect::Engine),
    };
    Err(wanted_and_got(
        wanted,
        &example.parse(dialect),
        if example.strict { "in the strict dialect" } else { "by default" },
    ))
}

/// What is wrong with an example.
fn check(example: &Example) -> Result<(), String> {
    let outcome = example.parse(Dialect::Engine);
    let strict = example.parse(Dialect::Strict);
    match (&example.json, &example.errors) {
        (Some(json), errors) => {
            accepted(example, json, &outcome, "by default")?;
            match errors {
                Some(errors) => rejected(errors, &strict, "in the strict dialect"),
                None => accepted(example, json, &strict, "in the strict dialect"),
            }
        }
        (None, errors) => {
            rejected(errors.as_deref().unwrap_or_default(), &outcome, "by default")?;
            if strict.errors.is_empty() { Err("  it is accepted in the strict dialect".to_owned()) } else { Ok(()) }
        }
    }
}

fn accepted(example: &Example, json: &Value, outcome: &Outcome, how: &str) -> Result<(), String> {
    let meaning: Value = serde_json::from_str(&outcome.json).map_err(|error| format!("its JSON is none: {error}"))?;
    let same = outcome.errors.is_empty() && outcome.warnings == example.warnings && same(&meaning, json);
    let warnings = example.warnings.iter().map(|warning| format!("\nwarning {warning}"));
    same.then_some(()).ok_or_else(|| wanted_and_got(&format!("{json}{}", warnings.collect::<String>()), outcome, how))
}

fn rejected(errors: &[String], outcome: &Outcome, how: &str) -> Result<(), String> {
    let same = outcome.errors.len() >= errors.len()
        && errors.iter().zip(&outcome.errors).all(|(wanted, got)| {
            got == wanted || got.strip_prefix(wanted.as_str()).is_some_and(|code| code.starts_with(' '))
        });
    let wanted: Vec<String> = errors.iter().map(|error| format!("error {error}")).collect();
    same.then_some(()).ok_or_else(|| wanted_and_got(&wanted.join("\n"), outcome, how))
}

fn wanted_and_got(wanted: &str, outcome: &Outcome, how: &str) -> String {
    let mut got: Vec<String> = outcome.errors.iter().map(|error| format!("error {error}")).collect();
    got.extend(outcome.warnings.iter().map(|warning| format!("warning {warning}")));
    if outcome.errors.is_empty() {
        got.insert(0, outcome.json.clone());
    }
    format!("{}\n{}", indent("wanted", wanted), indent(&format!("got, {how}"), &got.join("\n")))
}

fn indent(title: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("\n    {line}")).collect();
    format!("  {title}:{lines}")
}

/// Whether two meanings are the same: as JSON, but numbers by their value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let number = |object: &serde_json::Map<String, Value>| {
                let text = object.get("number").filter(|_| object.len() == 1)?.as_str()?;
                decimal(text)
            };
            match (number(a), number(b)) {
                (Some(a), Some(b)) => a == b,
                _ => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b))),
            }
        }
        _ => a == b,
    }
}

/// A decimal number as its sign, its digits without zeros at both ends, and the power of ten of the
/// last of these.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let trimmed = digits.trim_end_matches('0');
    let zeros = (digits.len() - trimmed.len()) as i64;
    let power = exponent.parse::<i64>().ok()? - fraction.len() as i64 + zeros;
    let significant = trimmed.trim_start_matches('0').to_owned();
    Some(if significant.is_empty() { (false, significant, 0) } else { (negative, significant, power) })
}

#[test]
fn numbers_compare_by_value() {
    for (a, b) in [("100", "1e2"), ("1.50", "1.5"), ("0.00", "0"), ("-0", "0"), ("5e-1", "0.5"), ("1E+2", "100.0")] {
        assert!(decimal(a).is_some() && decimal(a) == decimal(b), "{a} {b}");
    }
    for (a, b) in [("1", "-1"), ("1", "10"), ("0.1", "0.01")] {
        assert_ne!(decimal(a), decimal(b), "{a} {b}");
    }
    assert_eq!(decimal("inf"), None);
}
