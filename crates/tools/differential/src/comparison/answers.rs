//! Differences between answers of the conformance protocol.

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

/// Returns true if two values, types or trees are equal: numbers within the precision of the engine's arithmetic, sets in
/// any order.
pub fn equal(a: &Json, b: &Json) -> bool {
    equal_by(a, b, close)
}

/// Returns true if two values, types or trees are equal when numbers are compared in this way.
fn equal_by(a: &Json, b: &Json, same_number: fn(&str, &str) -> bool) -> bool {
    let same = |a: &Json, b: &Json| equal_by(a, b, same_number);
    let member = |b: &Map<String, Json>, name: &str, a: &Json| match (a, b.get(name)) {
        (Json::Array(a), Some(Json::Array(b))) if name == "set" => same_elements(a, b, &same),
        (a, b) => b.is_some_and(|b| same(a, b)),
    };
    match (a, b) {
        (Json::Object(x), Json::Object(y)) => match (as_number(x), as_number(y)) {
            (Some(a), Some(b)) => a == b || same_number(a, b),
            _ => x.len() == y.len() && x.iter().all(|(name, a)| member(y, name, a)),
        },
        (Json::Array(x), Json::Array(y)) => match (&x[..], &y[..]) {
            // A bound of a refinement is a number as text, and whether it is inside.
            ([Json::String(a), Json::Bool(i)], [Json::String(b), Json::Bool(j)]) => {
                i == j && (a == b || same_number(a, b))
            }
            _ => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b)),
        },
        _ => a == b,
    }
}

/// Returns true if two sets have the same elements. Each side writes them in the order of its own texts of numbers.
fn same_elements(a: &[Json], b: &[Json], same: &dyn Fn(&Json, &Json) -> bool) -> bool {
    let mut left: Vec<&Json> = b.iter().collect();
    let mut take = |a: &Json| left.iter().position(|b| same(a, b)).map(|at| left.swap_remove(at)).is_some();
    a.len() == b.len() && a.iter().all(&mut take)
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

/// Returns true if two values are equal: numbers by their value, sets in any order.
pub fn same_value(a: &Json, b: &Json) -> bool {
    equal_by(a, b, same_number)
}

/// Returns true if two texts are of the same number.
pub fn same_number(a: &str, b: &str) -> bool {
    a == b || matches!((Number::parse(a), Number::parse(b)), (Ok(a), Ok(b)) if a == b)
}
