//! Values as text for people, over several lines if they are long.

use crate::model::{Value, View, json};
use crate::syntax::is_identifier;

/// How much fits in a line.
const WIDTH: usize = 100;

/// Levels that are indented; what is deeper stands in one line.
pub(super) const MAX_LEVELS: usize = 30;

/// A value as HCL writes it: `{ name = "web", ports = [80, 443] }` if it fits in a line, and
/// otherwise an element a line.
pub(super) fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, 0, &mut out);
    out
}

/// A value as JSON in a line.
///
/// # Errors
/// A message, if there is no JSON for it.
pub(super) fn json_line(value: &Value) -> Result<String, String> {
    json::encode_implied(value).map_err(|why| format!("there is no JSON for this value: {why}"))
}

/// `name = value`, as a line or more.
pub(super) fn definition(name: &str, value: &Value) -> String {
    let mut out = key_text(name) + " = ";
    let used = out.chars().count();
    write(value, 0, used, &mut out);
    out
}

/// A name as it stands before an `=`.
pub(super) fn key_text(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { Value::from(name).to_string() }
}

/// Writes a value at a level of indentation, after `used` characters of its line.
fn write(value: &Value, level: usize, used: usize, out: &mut String) {
    let elements = value.elements().filter(|_| !value.is_marked()).unwrap_or_default();
    let room = WIDTH.saturating_sub(used);
    if elements.is_empty() || level == MAX_LEVELS || width(value, room).is_some() {
        return out.push_str(&value.to_string());
    }
    let indent = "  ".repeat(level + 1);
    match value.entries() {
        Some(entries) => {
            out.push_str("{\n");
            for (name, element) in entries {
                let start = format!("{indent}{} = ", key_text(name));
                out.push_str(&start);
                write(element, level + 1, start.chars().count(), out);
                out.push('\n');
            }
            out.push_str(&indent[2..]);
            out.push('}');
        }
        // A block that there is once: its brackets need no lines of their own.
        None if only_block(elements) => {
            out.push('[');
            write(&elements[0], level, used + 2, out);
            out.push(']');
        }
        None => {
            out.push_str("[\n");
            for element in elements {
                out.push_str(&indent);
                write(element, level + 1, indent.len() + 1, out);
                out.push_str(",\n");
            }
            out.push_str(&indent[2..]);
            out.push(']');
        }
    }
}

/// Whether the elements are one block.
fn only_block(elements: &[Value]) -> bool {
    match elements {
        [only] => !only.is_marked() && only.entries().is_some_and(|entries| entries.len() > 0),
        _ => false,
    }
}

/// What is left of the room in a line after a value, if it fits. Looks at no more of the value
/// than there is room for.
fn width(value: &Value, room: usize) -> Option<usize> {
    let parts = match value.view() {
        View::String(text) if text.len() > 4 * room => return None,
        _ if value.is_marked() => &[],
        _ => value.elements().unwrap_or_default(),
    };
    if parts.is_empty() {
        return room.checked_sub(value.to_string().chars().count());
    }
    match value.entries() {
        Some(mut entries) => entries.try_fold(room.checked_sub(2)?, |room, (name, part)| {
            let name = (name.len() <= 4 * room).then(|| name.chars().count())?;
            width(part, room.checked_sub(name + 5)?)
        }),
        None => parts.iter().try_fold(room, |room, part| width(part, room.checked_sub(2)?)),
    }
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
        assert!(text.lines().count() == 2 * MAX_LEVELS + 1 && text.len() < 4000, "{}", text.len());
    }
}
