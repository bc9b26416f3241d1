//! Comparing answers of the conformance protocol.

use hcl_lr::model::Number;
use serde_json::{Map, Value as Json};

/// How one answer differs from another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// One of the two could not be parsed.
    Parsed,
    /// One of the two is an error.
    Ok,
    Value,
    /// Ours has a mark that the other one lost, and is the same otherwise.
    MarksKept,
    /// Errors at other places.
    Places,
}

/// How our answer differs from the other one, if it does. What there is of a value that failed is
/// not compared.
pub fn difference(other: &Json, ours: &Json) -> Option<Difference> {
    let same = |name: &str| other.get(name) == ours.get(name);
    if !same("parsed") {
        return Some(Difference::Parsed);
    }
    if other["parsed"] == false {
        return None;
    }
    if !same("ok") {
        return Some(Difference::Ok);
    }
    if other["ok"] == false {
        return (places(other) != places(ours)).then_some(Difference::Places);
    }
    match (equal(&other["value"], &ours["value"]), more_marks(&other["value"], &ours["value"])) {
        (true, _) => None,
        (false, true) => Some(Difference::MarksKept),
        (false, false) => Some(Difference::Value),
    }
}

fn places(answer: &Json) -> Vec<String> {
    let errors =
        answer["diags"].as_array().into_iter().flatten().filter(|diagnostic| diagnostic["severity"] == "error");
    let mut places: Vec<String> = errors.map(|diagnostic| diagnostic["range"].to_string()).collect();
    places.sort();
    places
}

fn as_number(value: &Map<String, Json>) -> Option<&str> {
    value.get("number").filter(|_| value.len() == 1)?.as_str()
}

fn equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => match (as_number(a), as_number(b)) {
            (Some(a), Some(b)) => a == b || close(a, b).unwrap_or(false),
            _ => a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b))),
        },
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        _ => a == b,
    }
}

/// Whether two numbers are the same as far as the binary arithmetic of the official engine goes.
fn close(a: &str, b: &str) -> Option<bool> {
    let (a, b) = (Number::parse(a).ok()?, Number::parse(b).ok()?);
    if a == b {
        return Some(true);
    }
    let (distance, largest) = (a.subtract(&b).ok()?.abs(), a.abs().max(b.abs()));
    Some(distance <= largest.multiply(&Number::parse("1e-75").ok()?).ok()?)
}

/// Whether `ours` is the other value with marks added.
fn more_marks(other: &Json, ours: &Json) -> bool {
    if let Some(marks) = ours.get("marks").and_then(Json::as_array) {
        let theirs = other.get("marks").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let inner = if theirs.is_empty() { other } else { &other["value"] };
        return theirs.iter().all(|mark| marks.contains(mark)) && more_marks(inner, &ours["value"]);
    }
    match (other, ours) {
        (Json::Object(a), Json::Object(b)) if as_number(a).is_none() => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| more_marks(a, b)))
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| more_marks(a, b)),
        _ => equal(other, ours),
    }
}
