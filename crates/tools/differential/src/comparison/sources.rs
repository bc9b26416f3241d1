//! The differences in sources that are there on purpose.

use hcl_lr_conformance::body_to_json;
use serde_json::{Map, Value as Json};

use super::answers::{Difference, close, equal};
use super::rows::{Case, Row, panics};

/// The rows of sources.
/// The rows of sources.
pub const ROWS: &[Row] = &[
    ("model.panics", panics),
    ("syntax.number-range", literal_out_of_range),
    ("syntax.identifiers", new_identifiers),
    ("syntax.carriage-return-in-template", lone_carriage_return),
    ("syntax.strip-marker-after-sign", strip_marker_before_line_end),
    ("values.infinite-remainder", remainder_with_infinity),
    ("syntax.graphemes", two_joiners),
    ("model.equal-infinity", infinity_and_unknown),
    ("evaluation.condition-twice", condition_within_condition),
    ("values.negative-zero", negative_zero),
    ("values.arithmetic", exact_decimals),
    ("functions.contains-null", null_in_list),
    ("values.marks-of-unary", |case| keeps_marks(case, |node| node.contains_key("op") && arguments(node) == 1)),
    ("values.marks-of-index", |case| keeps_marks(case, |node| node.contains_key("on") && node.contains_key("key"))),
    ("values.marks-of-keys", |case| keeps_marks(case, |node| node.contains_key("object"))),
    ("values.marks-of-join", |case| keeps_marks(case, |node| node.contains_key("join"))),
    ("values.marks-of-dynamic", |case| {
        keeps_marks(case, |node| ["for", "call", "join"].iter().any(|name| node.contains_key(*name)))
    }),
    ("values.marks-of-calls", |case| is_open(case) && keeps_marks(case, |node| node.contains_key("call"))),
    ("values.marks-of-parts", |case| {
        is_open(case) && keeps_marks(case, |node| PARTS.iter().any(|name| node.contains_key(*name)))
    }),
    ("values.marks-of-failure", |case| {
        keeps_marks(case, |node| ["cond", "call", "op"].iter().any(|name| node.contains_key(*name)))
    }),
];

/// Returns true if a part of the result is unknown.
fn is_open(case: &Case<'_>) -> bool {
    result(case, case.ours).to_string().contains("\"unknown\"")
}

/// The constructs that choose from parts that may be marked: conditionals, iterations, objects, indexes and splats.
const PARTS: [&str; 6] = ["cond", "for", "join", "object", "on", "splat"];

/// A remainder with something that was divided, by zero that is.
fn remainder_with_infinity(case: &Case<'_>) -> bool {
    let operation = |node: &Map<String, Json>, op: &str| node.get("op").is_some_and(|found| found == op);
    let divides = |node: &Map<String, Json>| operation(node, "/");
    let remainder = |node: &Map<String, Json>| operation(node, "%") && has_node(&node["args"], &divides);
    let infinite = |answer: &Json| answer["ok"] == false || answer.to_string().contains("inf\"");
    matches!(case.difference, Some(Difference::Ok | Difference::Value))
        && infinite(case.theirs)
        && infinite(case.ours)
        && has_node(&tree(case), &remainder)
}

/// A comparison of a number that a division by zero gives with one that is not known: the engine takes the infinity for a
/// number outside of all bounds.
fn infinity_and_unknown(case: &Case<'_>) -> bool {
    let operation =
        |node: &Map<String, Json>, ops: &[&str]| ops.iter().any(|op| node.get("op") == Some(&Json::from(*op)));
    let divides = |node: &Map<String, Json>| operation(node, &["/"]);
    let compares = |node: &Map<String, Json>| operation(node, &["==", "!="]) && has_node(&node["args"], &divides);
    case.difference == Some(Difference::Value)
        && case.theirs["value"].is_boolean()
        && case.ours["value"]["unknown"] == "bool"
        && has_node(&tree(case), &compares)
}

/// The known prefixes of a text differ because of two joiners.
fn two_joiners(case: &Case<'_>) -> bool {
    case.difference == Some(Difference::Value) && case.text().contains("\u{200d}\u{200d}")
}

fn literal_out_of_range(case: &Case<'_>) -> bool {
    case.theirs["ok"] == true
        && case.ours["ok"] == false
        && case.ours["diags"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|found| found["summary"] == "Too large or too close to zero")
}

/// The characters that newer tables let stand in identifiers, of those that the questions have.
fn new_identifiers(case: &Case<'_>) -> bool {
    case.theirs["ok"] == false && case.text().contains('\u{200d}')
}

fn lone_carriage_return(case: &Case<'_>) -> bool {
    let text = case.text().replace("\r\n", "\n");
    case.request["op"] == "template" && text.contains('\r')
}

fn strip_marker_before_line_end(case: &Case<'_>) -> bool {
    let text = case.text();
    matches!(case.difference, Some(Difference::Tree | Difference::Value))
        && text.contains('~')
        && ["$\r\n", "%\r\n", "$ \n", "% \n", "$\t\n", "%\t\n"].iter().any(|end| text.contains(end))
}

/// The errors of a `for` with a condition within the condition of a `for`.
fn condition_within_condition(case: &Case<'_>) -> bool {
    let conditional = |node: &Map<String, Json>| node.contains_key("value_var") && node.contains_key("if");
    let nested = |node: &Map<String, Json>| conditional(node) && has_node(&node["if"], &conditional);
    let unseen = case.difference == Some(Difference::Ok) && case.theirs["ok"] == false;
    // The error shows as another result of `try` or `can` around it.
    let attempt = |node: &Map<String, Json>| node.get("call").is_some_and(|name| name == "try" || name == "can");
    let caught = || case.difference == Some(Difference::Value) && has_node(&tree(case), &attempt);
    (unseen || case.difference == Some(Difference::Places) || caught()) && has_node(&tree(case), &nested)
}

/// Something is negated, or divided or multiplied by what is negative, and the results are the same without the sign of
/// each zero in a text, and, after a division, of each infinity. A text that is not known further may be all but the sign.
/// Something is known of a call that searches for a null of no type, and of what is made of it.
fn null_in_list(case: &Case<'_>) -> bool {
    let text = case.text();
    case.difference == Some(Difference::Value)
        && text.contains("contains(")
        && text.contains("null")
        && result(case, case.theirs).to_string().contains("{\"unknown\":\"dynamic\"}")
}

fn negative_zero(case: &Case<'_>) -> bool {
    let negation = |node: &Map<String, Json>| {
        let op = node.get("op").and_then(Json::as_str);
        matches!((op, arguments(node)), (Some("-"), 1) | (Some("*" | "/"), 2))
            || node.get("call").is_some_and(|name| name == "negate")
    };
    if !matches!(case.difference, Some(Difference::Value | Difference::Ok)) || !has_node(&tree(case), &negation) {
        return false;
    }
    // The engine refuses "-0" as a condition, and takes "0" for one.
    if case.difference == Some(Difference::Ok) {
        return case.theirs["ok"] == false && case.text().contains("z)");
    }
    let theirs = without_sign_of_prefix(result(case, case.theirs).clone());
    let divides = has_node(&tree(case), &|node| node.get("op").is_some_and(|op| op == "/"));
    let turned = |a: &str, b: &str| divides && a.replace("-inf", "inf") == b.replace("-inf", "inf");
    equal_but_for(&theirs, result(case, case.ours), &|a, b| unsigned_zeros(a) == b || turned(a, b))
}

pub fn unsigned_zeros(text: &str) -> String {
    let fraction = |rest: &str| rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    let sign = |at: usize| text[at..].starts_with("-0") && !fraction(&text[at + 2..]);
    text.char_indices().filter(|(at, c)| *c != '-' || !sign(*at)).map(|(_, c)| c).collect()
}

pub fn without_sign_of_prefix(mut answer: Json) -> Json {
    match &mut answer {
        Json::Array(parts) => parts.iter_mut().for_each(|part| *part = without_sign_of_prefix(part.take())),
        Json::Object(parts) => {
            match parts.get("prefix").and_then(Json::as_str).and_then(|prefix| prefix.strip_suffix('-')) {
                Some("") => drop(parts.remove("prefix")),
                Some(rest) => drop(parts.insert("prefix".to_owned(), rest.to_owned().into())),
                None => {}
            }
            parts.values_mut().for_each(|part| *part = without_sign_of_prefix(part.take()));
        }
        _ => {}
    }
    answer
}

/// The numbers within texts are nearly the same, or something is computed that binary fractions
/// cannot hold and then compared.
fn exact_decimals(case: &Case<'_>) -> bool {
    if case.difference != Some(Difference::Value) {
        return false;
    }
    let arithmetic = |node: &Map<String, Json>| {
        arguments(node) == 2 && node["op"].as_str().is_some_and(|op| ["+", "-", "*", "/", "%"].contains(&op))
    };
    let (theirs, ours) = (result(case, case.theirs), result(case, case.ours));
    has_node(&tree(case), &arithmetic) && equal_but_for(theirs, ours, &nearly_same_text)
}

/// Returns true if two texts are equal except for numbers that differ after their 75th digit.
pub fn nearly_same_text(a: &str, b: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit() || c == '.';
    let split = |text: &str| text.split(|c| !digit(c)).map(str::to_owned).collect::<Vec<_>>();
    let rest = |text: &str| text.split(digit).collect::<String>();
    let (numbers, others) = (split(a), split(b));
    numbers.len() == others.len()
        && rest(a) == rest(b)
        && numbers.iter().zip(&others).all(|(a, b)| a == b || close(a, b))
}

/// Returns true if the results of two answers are equal when their texts are compared in this way.
pub fn equal_but_for(theirs: &Json, ours: &Json, same_text: &dyn Fn(&str, &str) -> bool) -> bool {
    match (theirs, ours) {
        (Json::String(a), Json::String(b)) => a == b || same_text(a, b),
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal_but_for(a, b, same_text))
        }
        (Json::Object(a), Json::Object(b)) => {
            equal(theirs, ours)
                || a.len() == b.len()
                    && a.iter().all(|(name, a)| {
                        let mut named = b.iter().filter(|(other, _)| name == *other || same_text(name, other));
                        named.any(|(_, b)| equal_but_for(a, b, same_text))
                    })
        }
        _ => theirs == ours,
    }
}

/// Returns true if our value is theirs with marks added, and a node exists that loses marks in the official engine.
fn keeps_marks(case: &Case<'_>, loses: fn(&Map<String, Json>) -> bool) -> bool {
    case.difference == Some(Difference::Value)
        && more_marks_or_sign(result(case, case.theirs), result(case, case.ours))
        && has_node(&tree(case), &loses)
}

/// The value of an answer, or the values of the attributes.
fn result<'a>(case: &Case<'_>, answer: &'a Json) -> &'a Json {
    &answer[if case.request["op"] == "attributes" { "values" } else { "value" }]
}

/// The tree of the source. An answer about attributes has none.
fn tree(case: &Case<'_>) -> Json {
    match case.ours.get("ast") {
        Some(tree) => tree.clone(),
        None => serde_json::from_str(&body_to_json(hcl_lr::parse::<hcl_lr::File>(case.text()).value().body()))
            .unwrap_or_default(),
    }
}

fn arguments(node: &Map<String, Json>) -> usize {
    node.get("args").filter(|_| node.contains_key("op")).and_then(Json::as_array).map_or(0, Vec::len)
}

fn has_node(tree: &Json, is: &dyn Fn(&Map<String, Json>) -> bool) -> bool {
    match tree {
        Json::Object(node) => is(node) || node.values().any(|part| has_node(part, is)),
        Json::Array(parts) => parts.iter().any(|part| has_node(part, is)),
        _ => false,
    }
}

pub fn more_marks_or_sign(theirs: &Json, ours: &Json) -> bool {
    more_marks(theirs, ours) || more_marks(&without_sign_of_prefix(theirs.clone()), ours)
}

/// Returns true if `ours` is the other value with marks added.
fn more_marks(other: &Json, ours: &Json) -> bool {
    if let Some(marks) = ours.get("marks").and_then(Json::as_array) {
        let theirs = other.get("marks").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let inner = if theirs.is_empty() { other } else { &other["value"] };
        return theirs.iter().all(|mark| marks.contains(mark)) && more_marks(inner, &ours["value"]);
    }
    match (other, ours) {
        (Json::Object(a), Json::Object(b)) if !a.contains_key("number") => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| more_marks(a, b)))
        }
        (Json::Array(a), Json::Array(b)) => {
            equal(other, ours) || a.len() == b.len() && a.iter().zip(b).all(|(a, b)| more_marks(a, b))
        }
        _ => equal(other, ours),
    }
}
