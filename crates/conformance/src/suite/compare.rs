//! Compares two answers.

use serde_json::{Map, Value};

/// The number of digits of a number that count. The precision of quotients beyond them is up to each implementation.
const DIGITS: usize = 100;

/// The types that count when values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typing {
    Typed,
    /// Sequences compare as equal, and so do lists of pairs and nulls: for implementations with JSON values.
    Untyped,
}

/// Returns true if two parts of answers are equal: numbers by their value, sets in any order.
pub(super) fn same(wanted: &Value, got: &Value, typing: Typing) -> bool {
    // Answers may nest deeply, but not more deeply than a reader of JSON allows.
    match (wanted, got) {
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| same(wanted, got, typing))
        }
        (Value::Object(wanted), Value::Object(got)) => same_objects(wanted, got, typing),
        _ => wanted == got,
    }
}

/// The elements of a list, set or tuple, and true if it is a set.
fn sequence(object: &Map<String, Value>) -> Option<(&[Value], bool)> {
    let kind = ["list", "set", "tuple"].into_iter().find(|kind| object.contains_key(*kind))?;
    let alone = object.keys().all(|name| name == kind || name == "of");
    Some((object[kind].as_array().filter(|_| alone)?, kind == "set"))
}

/// The elements of a map or object.
fn pairs(object: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let kind = ["map", "object"].into_iter().find(|kind| object.contains_key(*kind))?;
    let alone = object.keys().all(|name| name == kind || name == "of");
    object[kind].as_object().filter(|_| alone)
}

/// Compares two values without their types; `None` if they are neither collections nor nulls.
fn same_untyped(wanted: &Map<String, Value>, got: &Map<String, Value>) -> Option<bool> {
    if let (Some((wanted, is_set)), Some((got, _))) = (sequence(wanted), sequence(got)) {
        return Some(match is_set {
            true => same_sets(wanted, got, Typing::Untyped),
            false => {
                let mut both = wanted.iter().zip(got);
                wanted.len() == got.len() && both.all(|(wanted, got)| same(wanted, got, Typing::Untyped))
            }
        });
    }
    if let (Some(wanted), Some(got)) = (pairs(wanted), pairs(got)) {
        let found =
            |(name, wanted): (&String, &Value)| got.get(name).is_some_and(|got| same(wanted, got, Typing::Untyped));
        return Some(wanted.len() == got.len() && wanted.iter().all(found));
    }
    let is_null = |object: &Map<String, Value>| object.len() == 1 && object.contains_key("null");
    is_null(wanted).then(|| is_null(got))
}

fn same_objects(wanted: &Map<String, Value>, got: &Map<String, Value>, typing: Typing) -> bool {
    if let (Some(wanted), Some(got)) = (number(wanted), number(got)) {
        return same_numbers(wanted, got);
    }
    if typing == Typing::Untyped
        && let Some(same) = same_untyped(wanted, got)
    {
        return same;
    }
    let is_set = wanted.contains_key("set") && wanted.contains_key("of");
    wanted.len() == got.len()
        && wanted.iter().all(|(name, wanted)| match (wanted, got.get(name)) {
            (Value::Array(wanted), Some(Value::Array(got))) if is_set && name == "set" => {
                same_sets(wanted, got, typing)
            }
            // The bounds of an unknown number.
            (Value::Array(wanted), Some(Value::Array(got))) if name == "min" || name == "max" => {
                same_bounds(wanted, got)
            }
            (wanted, Some(got)) => same(wanted, got, typing),
            (_, None) => false,
        })
}

fn number(object: &Map<String, Value>) -> Option<&str> {
    object.get("number").filter(|_| object.len() == 1)?.as_str()
}

fn same_sets(wanted: &[Value], got: &[Value], typing: Typing) -> bool {
    wanted.len() == got.len() && wanted.iter().all(|wanted| got.iter().any(|got| same(wanted, got, typing)))
}

fn same_bounds(wanted: &[Value], got: &[Value]) -> bool {
    match (wanted, got) {
        ([Value::String(wanted), inclusive], [Value::String(got), also]) => {
            same_numbers(wanted, got) && inclusive == also
        }
        _ => wanted == got,
    }
}

/// Returns true if two texts are the same number, up to the digits that count.
fn same_numbers(wanted: &str, got: &str) -> bool {
    match (decimal(wanted), decimal(got)) {
        (Some(wanted), Some(got)) => {
            wanted == got
                || wanted.digits.len() > DIGITS
                    && wanted.negative == got.negative
                    && wanted.first_power() == got.first_power()
                    && got.digits.len() > DIGITS
                    && wanted.digits[..DIGITS] == got.digits[..DIGITS]
        }
        _ => wanted == got,
    }
}

/// A decimal number, with digits that have no zeros at either end.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    /// The power of ten of the last digit.
    power: i64,
}

impl Decimal {
    fn first_power(&self) -> i64 {
        self.power + self.digits.len() as i64
    }
}

fn decimal(text: &str) -> Option<Decimal> {
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
    Some(match significant.is_empty() {
        true => Decimal { negative: false, digits: significant, power: 0 },
        false => Decimal { negative, digits: significant, power },
    })
}

/// The members of the content of a body for places and for the variables that it needs. They are compared only on
/// request.
const EXTRAS: &[&str] = &[
    "missing",
    "content_missing",
    "range",
    "name_range",
    "expr_range",
    "expr_start",
    "label_ranges",
    "type_range",
    "variables",
];

/// Returns true if two bodies have the same content.
pub(super) fn same_content(wanted: &Value, got: &Value, typing: Typing) -> bool {
    match (wanted, got) {
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| same_content(wanted, got, typing))
        }
        (Value::Object(wanted), Value::Object(got)) => {
            let more = got.keys().filter(|name| !wanted.contains_key(*name));
            let extra = |name: &String| EXTRAS.contains(&name.as_str());
            more.into_iter().all(extra)
                && wanted.iter().all(|(name, wanted)| match got.get(name) {
                    Some(got) if name == "value" => same(wanted, got, typing),
                    Some(got) => same_content(wanted, got, typing),
                    None => false,
                })
        }
        _ => wanted == got,
    }
}

/// Returns true if an outline contains all parts of another one in order, and all references of its attributes. It may
/// contain more parts between them, and more references.
pub(super) fn contains_outline(wanted: &Value, got: &Value) -> bool {
    let empty = Vec::new();
    let (wanted, got) = (wanted.as_array().unwrap_or(&empty), got.as_array().unwrap_or(&empty));
    let mut rest = got.iter();
    wanted.iter().all(|wanted| {
        let header = |part: &Value| [part["attr"].clone(), part["block"].clone(), part["labels"].clone()];
        let same_part = |got: &Value| {
            header(wanted) == header(got)
                && contains_references(&wanted["references"], &got["references"])
                && contains_outline(&wanted["body"], &got["body"])
        };
        rest.any(same_part)
    })
}

/// Returns true if each expected path is a prefix of another path, which may be longer where the source is broken.
fn contains_references(wanted: &Value, got: &Value) -> bool {
    let paths = |list: &Value| -> Vec<Vec<Value>> {
        list.as_array().into_iter().flatten().map(|path| path.as_array().cloned().unwrap_or_default()).collect()
    };
    let (wanted, got) = (paths(wanted), paths(got));
    wanted.iter().all(|wanted| got.iter().any(|got| got.starts_with(wanted)))
}

/// Returns true if an attribute of an outline lists the references of its value. Implementations may leave all of them
/// out.
pub(super) fn has_references(outline: &Value) -> bool {
    let mut waiting = vec![outline];
    while let Some(outline) = waiting.pop() {
        for part in outline.as_array().into_iter().flatten() {
            if part.get("references").is_some() {
                return true;
            }
            waiting.extend(part.get("body"));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Typing, contains_outline, has_references, same, same_content, same_numbers};
    use serde_json::{Value, json};

    #[test]
    fn without_types_collections_compare_by_their_elements() {
        let alike = |a: &Value, b: &Value| (same(a, b, Typing::Typed), same(a, b, Typing::Untyped));
        let list = json!({ "list": [{ "null": "string" }, { "map": {}, "of": "string" }], "of": "dynamic" });
        let tuple = json!({ "tuple": [{ "null": "dynamic" }, { "object": {} }] });
        assert_eq!(alike(&list, &tuple), (false, true));
        assert_eq!(
            alike(&json!({ "set": ["a", "b"], "of": "string" }), &json!({ "tuple": ["b", "a"] })),
            (false, true)
        );
        assert_eq!(alike(&json!({ "tuple": ["a", "b"] }), &json!({ "tuple": ["b", "a"] })), (false, false));
        assert_eq!(alike(&json!({ "object": { "a": true } }), &json!({ "map": {}, "of": "bool" })), (false, false));
        assert_eq!(alike(&json!({ "null": "bool" }), &json!("null")), (false, false));
        assert_eq!(alike(&json!({ "number": "1" }), &json!("1")), (false, false));
    }

    #[test]
    fn an_outline_may_have_more_parts() {
        let block = |body: Value| json!({ "block": "b", "labels": ["x"], "body": body });
        let wanted = json!([{ "attr": "a" }, block(json!([{ "attr": "c" }]))]);
        let got = json!([{ "attr": "z" }, { "attr": "a" }, block(json!([])), block(json!([{ "attr": "c" }]))]);
        assert!(contains_outline(&wanted, &got));
        assert!(!contains_outline(&json!([block(json!([])), { "attr": "a" }]), &got));
        assert!(!contains_outline(&wanted, &json!([{ "attr": "a" }, block(json!([]))])));
    }

    #[test]
    fn references_may_go_on_and_others_may_stand_beside_them() {
        let path = |names: &[&str]| -> Value { names.iter().map(|name| json!({ "attr": name })).collect() };
        let outline = |paths: &[&[&str]]| {
            let paths: Vec<Value> = paths.iter().map(|names| path(names)).collect();
            json!([{ "block": "b", "labels": [], "body": [{ "attr": "a", "references": paths }] }])
        };
        let wanted = outline(&[&["x", "y"]]);
        assert!(contains_outline(&wanted, &outline(&[&["z"], &["x", "y", "w"]])));
        assert!(!contains_outline(&wanted, &outline(&[&["x"]])));
        let without = json!([{ "block": "b", "labels": [], "body": [{ "attr": "a" }] }]);
        assert!(!contains_outline(&wanted, &without) && contains_outline(&without, &wanted));
        assert!(has_references(&wanted) && !has_references(&without));
    }

    #[test]
    fn numbers_compare_by_value() {
        for (a, b) in [("100", "1e2"), ("1.50", "1.5"), ("0.00", "0"), ("-0", "0"), ("5e-1", "0.5"), ("inf", "inf")] {
            assert!(same_numbers(a, b), "{a} {b}");
        }
        for (a, b) in [("1", "-1"), ("1", "10"), ("0.1", "0.01"), ("inf", "-inf"), ("0.33", "0.333")] {
            assert!(!same_numbers(a, b), "{a} {b}");
        }
        let third = |digits| format!("0.{}", "3".repeat(digits));
        assert!(same_numbers(&third(160), &third(154)));
        assert!(!same_numbers(&third(160), &third(90)));
        assert!(!same_numbers(&third(160), &format!("-{}", third(154))));
    }

    #[test]
    fn sets_compare_in_any_order() {
        let set = |items: [&str; 2]| json!({ "set": items, "of": "string" });
        assert!(same(&set(["a", "b"]), &set(["b", "a"]), Typing::Typed));
        assert!(!same(&set(["a", "b"]), &set(["a", "c"]), Typing::Typed));
    }

    #[test]
    fn places_of_content_are_compared_if_they_are_asked_for() {
        let content = json!({ "attributes": { "a": { "value": true, "range": 1 } } });
        assert!(same_content(&json!({ "attributes": { "a": { "value": true } } }), &content, Typing::Typed));
        assert!(!same_content(
            &json!({ "attributes": { "a": { "value": true, "range": 2 } } }),
            &content,
            Typing::Typed
        ));
        assert!(!same_content(&json!({ "attributes": {} }), &content, Typing::Typed));
    }
}
