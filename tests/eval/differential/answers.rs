//! Comparing answers of the conformance protocol.

use hcl_lr::model::Number;
use serde_json::{Map, Value as Json};

/// A difference between two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// The official engine panics.
    Panic,
    /// There is no answer.
    NoAnswer,
    /// One of the two could not be parsed.
    Parsed,
    /// One of the two is an error.
    Ok,
    /// The trees.
    Tree,
    /// The values, or what was read without evaluating.
    Value,
    /// The first errors begin at other places.
    FirstPlace,
    /// The first errors of two evaluations are at one place, and others are not.
    Places,
}

impl Difference {
    /// Returns true if only the places of errors differ.
    pub fn is_place(self) -> bool {
        matches!(self, Difference::FirstPlace | Difference::Places)
    }
}

/// The members of an answer that hold what was read or evaluated.
const RESULTS: [&str; 9] = ["value", "values", "variables", "list", "map", "call", "args", "steps", "keyword"];

/// Returns the difference between our answer and the other one, if any. The partial value of a failure is not compared.
pub fn difference(other: &Json, ours: &Json) -> Option<Difference> {
    let same = |name: &str| other.get(name) == ours.get(name);
    let refused = |answer: &Json| answer.get("bad_request").is_some() || answer.get("unsupported").is_some();
    if refused(ours) != refused(other) {
        return Some(Difference::NoAnswer);
    }
    if other.get("panic").is_some() {
        return Some(Difference::Panic);
    }
    if !same("parsed") {
        return Some(Difference::Parsed);
    }
    let either = |name: &str| (&other[name], &ours[name]);
    if let (Some(other), Some(ours)) = (other.get("ast"), ours.get("ast"))
        && !equal(other, ours)
    {
        return Some(Difference::Tree);
    }
    if !same("ok") {
        return Some(Difference::Ok);
    }
    if other["ok"] == false {
        let (theirs, mine) = (places(other), places(ours));
        let first = |places: &[(u64, u64)]| places.first().map(|place| place.0);
        return match first(&theirs) == first(&mine) {
            false => Some(Difference::FirstPlace),
            true => (other["parsed"] == true && theirs != mine).then_some(Difference::Places),
        };
    }
    let results = RESULTS.iter().map(|name| either(name));
    results.into_iter().any(|(other, ours)| !equal(other, ours)).then_some(Difference::Value)
}

/// The places of all errors, the first one first.
pub fn places(answer: &Json) -> Vec<(u64, u64)> {
    let errors =
        answer["diags"].as_array().into_iter().flatten().filter(|diagnostic| diagnostic["severity"] == "error");
    let offset = |place: &Json| place[2].as_u64().unwrap_or_default();
    let range = |diagnostic: &Json| (offset(&diagnostic["range"][0]), offset(&diagnostic["range"][1]));
    let mut places: Vec<_> = errors.map(range).collect();
    places.sort_unstable();
    places
}

fn as_number(value: &Map<String, Json>) -> Option<&str> {
    value.get("number").filter(|_| value.len() == 1)?.as_str()
}

/// Returns true if two values, types or trees are equal.
pub fn equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => match (as_number(a), as_number(b)) {
            (Some(a), Some(b)) => a == b || close(a, b),
            _ => a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b))),
        },
        (Json::Array(a), Json::Array(b)) => match (&a[..], &b[..]) {
            // A bound of a refinement is a number as text, and whether it is inside.
            ([Json::String(a), Json::Bool(i)], [Json::String(b), Json::Bool(j)]) => i == j && (a == b || close(a, b)),
            _ => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        },
        _ => a == b,
    }
}

/// Returns true if two numbers are equal within the precision of the official engine's binary arithmetic.
pub fn close(a: &str, b: &str) -> bool {
    let close = |a: &str, b: &str| {
        let (a, b) = (Number::parse(a).ok()?, Number::parse(b).ok()?);
        let (distance, largest) = (a.subtract(&b).ok()?.abs(), a.abs().max(b.abs()));
        Some(distance <= largest.multiply(&Number::parse("1e-75").ok()?).ok()?)
    };
    close(a, b).unwrap_or(false)
}
