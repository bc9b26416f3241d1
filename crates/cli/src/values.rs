//! Prints values, on several lines if they are long.

use super::error::Error;
use hcl_lr::model::{Value, json};
use hcl_lr::syntax::is_identifier;

/// Returns a value in HCL notation: `{ name = "web", ports = [80, 443] }` if it fits on a line, and otherwise with one
/// element per line.
pub(super) fn pretty(value: &Value) -> String {
    value.wrapped(0)
}

/// Returns a value as JSON on one line.
///
/// # Errors
/// A message, if there is no JSON for it.
pub(super) fn json_line(value: &Value) -> Result<String, Error> {
    json::encode_implied(value).map_err(|why| format!("there is no JSON for this value: {why}").into())
}

/// Returns `name = value`, on one or more lines.
pub(super) fn definition(name: &str, value: &Value) -> String {
    let start = attribute_name(name) + " = ";
    let value = value.wrapped(start.chars().count());
    start + &value
}

/// Returns a name as it is written before an `=` in a body, where all identifiers are allowed. Any other name is
/// quoted, although no body can contain it.
pub(super) fn attribute_name(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { Value::from(name).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_one_line() {
        let value =
            Value::object([("a", Value::tuple([Value::from(1), Value::from("x")])), ("b c", Value::from(true))]);
        assert_eq!(pretty(&value), "{ a = [1, \"x\"], \"b c\" = true }");
    }

    #[test]
    fn what_does_not_fit_is_an_element_a_line() {
        let long = Value::from("x".repeat(60));
        let value = Value::object([("a", Value::tuple([long.clone(), long.clone()])), ("b", Value::from(1))]);
        let text = format!("{{\n  a = [\n    {long},\n    {long},\n  ]\n  b = 1\n}}");
        assert_eq!(pretty(&value), text);
        assert_eq!(definition("a b", &value), format!("\"a b\" = {text}"));
    }

    #[test]
    fn what_is_deep_stays_in_bounds() {
        let mut value = Value::from("x".repeat(200));
        for _ in 0..200 {
            value = Value::tuple([value]);
        }
        let text = pretty(&value);
        assert!(text.lines().count() == 61 && text.len() < 4000, "{}", text.len());
    }
}
