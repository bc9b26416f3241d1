//! Values as text. Nothing is indented: formatting does that.

use super::BuildError;
use super::text::{key, quoted};
use crate::model::{Value, View};
use crate::stack::with_room;

/// A list in one line is at most so long.
const LONGEST_LIST: usize = 80;

/// Writes a value: objects with a line for each entry, lists in one line if they are short.
pub(super) fn write(value: &Value, out: &mut String) -> Result<(), BuildError> {
    match value.view() {
        View::Null => out.push_str("null"),
        View::Bool(true) => out.push_str("true"),
        View::Bool(false) => out.push_str("false"),
        View::Number(number) => out.push_str(&number.to_string()),
        View::String(text) => out.push_str(&quoted(text)),
        View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
            return with_room(|| list(elements, out));
        }
        View::Map(entries) | View::Object(entries) => {
            if entries.len() == 0 {
                out.push_str("{}");
                return Ok(());
            }
            return with_room(|| {
                out.push_str("{\n");
                for (name, value) in entries {
                    out.push_str(&key(name));
                    out.push_str(" = ");
                    write(value, out).map_err(|error| within(error, &format!("[{}]", quoted(name))))?;
                    out.push('\n');
                }
                out.push('}');
                Ok(())
            });
        }
        View::Unknown(_) => return Err(BuildError::Value(String::new(), "an unknown value")),
        View::Capsule(_) => return Err(BuildError::Value(String::new(), "a value of an application's own type")),
        View::Marked(..) => return Err(BuildError::Value(String::new(), "a marked value")),
    }
    Ok(())
}

fn list(elements: &[Value], out: &mut String) -> Result<(), BuildError> {
    let start = out.len();
    let simple = elements.iter().all(|element| element.elements().is_none() && element.entries().is_none());
    if simple {
        write_elements(elements, "[", ", ", "]", out)?;
        if out.len() - start <= LONGEST_LIST {
            return Ok(());
        }
        out.truncate(start);
    }
    write_elements(elements, "[\n", ",\n", ",\n]", out)
}

fn write_elements(
    elements: &[Value],
    open: &str,
    between: &str,
    close: &str,
    out: &mut String,
) -> Result<(), BuildError> {
    if elements.is_empty() {
        out.push_str("[]");
        return Ok(());
    }
    for (index, element) in elements.iter().enumerate() {
        out.push_str(if index == 0 { open } else { between });
        write(element, out).map_err(|error| within(error, &format!("[{index}]")))?;
    }
    out.push_str(close);
    Ok(())
}

/// An error in a part, told of the whole.
fn within(error: BuildError, step: &str) -> BuildError {
    match error {
        BuildError::Value(path, why) => BuildError::Value(format!("{step}{path}"), why),
        other => other,
    }
}
