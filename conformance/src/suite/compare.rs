//! Compares two answers.

use serde_json::{Map, Value};

/// The number of digits of a number that count. The precision of quotients beyond them is up to each implementation.
const DIGITS: usize = 100;

/// Returns true if two parts of answers are equal: numbers by their value, sets in any order.
pub(super) fn same(wanted: &Value, got: &Value) -> bool {
    // Answers may nest deeply, but not more deeply than a reader of JSON allows.
    match (wanted, got) {
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| same(wanted, got))
        }
        (Value::Object(wanted), Value::Object(got)) => same_objects(wanted, got),
        _ => wanted == got,
    }
}

fn same_objects(wanted: &Map<String, Value>, got: &Map<String, Value>) -> bool {
    if let (Some(wanted), Some(got)) = (number(wanted), number(got)) {
        return same_numbers(wanted, got);
    }
    let is_set = wanted.contains_key("set") && wanted.contains_key("of");
    wanted.len() == got.len()
        && wanted.iter().all(|(name, wanted)| match (wanted, got.get(name)) {
            (Value::Array(wanted), Some(Value::Array(got))) if is_set && name == "set" => same_sets(wanted, got),
            // The bounds of an unknown number.
            (Value::Array(wanted), Some(Value::Array(got))) if name == "min" || name == "max" => {
                same_bounds(wanted, got)
            }
            (wanted, Some(got)) => same(wanted, got),
            (_, None) => false,
        })
}

fn number(object: &Map<String, Value>) -> Option<&str> {
    object.get("number").filter(|_| object.len() == 1)?.as_str()
}

fn same_sets(wanted: &[Value], got: &[Value]) -> bool {
    wanted.len() == got.len() && wanted.iter().all(|wanted| got.iter().any(|got| same(wanted, got)))
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
pub(super) fn same_content(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| same_content(wanted, got))
        }
        (Value::Object(wanted), Value::Object(got)) => {
            let more = got.keys().filter(|name| !wanted.contains_key(*name));
            let extra = |name: &String| EXTRAS.contains(&name.as_str());
            more.into_iter().all(extra)
                && wanted.iter().all(|(name, wanted)| match got.get(name) {
                    Some(got) if name == "value" => same(wanted, got),
                    Some(got) => same_content(wanted, got),
                    None => false,
                })
        }
        _ => wanted == got,
    }
}

#[cfg(test)]
mod tests {
    use super::{same, same_content, same_numbers};
    use serde_json::json;

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
        assert!(same(&set(["a", "b"]), &set(["b", "a"])));
        assert!(!same(&set(["a", "b"]), &set(["a", "c"])));
    }

    #[test]
    fn places_of_content_are_compared_if_they_are_asked_for() {
        let content = json!({ "attributes": { "a": { "value": true, "range": 1 } } });
        assert!(same_content(&json!({ "attributes": { "a": { "value": true } } }), &content));
        assert!(!same_content(&json!({ "attributes": { "a": { "value": true, "range": 2 } } }), &content));
        assert!(!same_content(&json!({ "attributes": {} }), &content));
    }
}
