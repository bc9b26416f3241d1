//! Values as text.

use super::BuildError;
use super::layout::{Layout, ListText, ObjectText, Shape};
use crate::model::{Value, View};
use crate::quote::quoted;
use crate::stack::with_room;

/// Writes a value: objects with a line for each entry, lists in one line if they are short.
pub(crate) fn write(value: &Value, heredocs: bool, out: &mut Layout) -> Result<Shape, BuildError> {
    let refused = |why| Err(BuildError::Value(String::new(), why));
    match value.view() {
        View::Null => out.push("null"),
        View::Bool(true) => out.push("true"),
        View::Bool(false) => out.push("false"),
        View::Number(number) if number.is_infinite() => return refused("an infinite number"),
        View::Number(number) => out.display(number),
        View::String(text) => return Ok(out.string(text, heredocs)),
        View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
            return with_room(|| {
                let mut list = ListText::new(out);
                for (index, element) in elements.iter().enumerate() {
                    list.begin_element(out);
                    let shape = write(element, heredocs, out).map_err(|error| within(error, &format!("[{index}]")))?;
                    list.end_element(shape, out);
                }
                Ok(list.finish(out))
            });
        }
        View::Map(entries) | View::Object(entries) => {
            return with_room(|| {
                let mut object = ObjectText::new(out);
                for (name, value) in entries {
                    object.begin_entry(name, out);
                    write(value, heredocs, out).map_err(|error| within(error, &format!("[{}]", quoted(name))))?;
                    object.end_entry(out);
                }
                Ok(object.finish(out))
            });
        }
        View::Unknown(_) => return refused("an unknown value"),
        View::Capsule(_) => return refused("a value of an application's own type"),
        View::Marked(..) => return refused("a marked value"),
    }
    Ok(Shape::Plain)
}

/// An error in a part, told of the whole.
fn within(error: BuildError, step: &str) -> BuildError {
    match error {
        BuildError::Value(path, why) => BuildError::Value(format!("{step}{path}"), why),
        other => other,
    }
}
