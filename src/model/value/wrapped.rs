//! Values as text for people, over several lines if they are long: how the programs print them.

use super::print::print;
use super::{Value, View};
use crate::quote::key;

/// How much fits in a line.
const WIDTH: usize = 100;

/// Levels that are indented; what is deeper stands in one line.
const MAX_LEVELS: usize = 30;

impl Value {
    /// Returns the text for people, over several lines if it does not fit in one that has `used` characters already.
    pub(crate) fn wrapped(&self, used: usize) -> String {
        let mut out = String::new();
        write(self, 0, used, &mut out);
        out
    }
}

/// Writes a value in one line if it fits, and otherwise a part a line. The line has `used` characters already.
fn write(value: &Value, level: usize, used: usize, out: &mut String) {
    let elements = value.elements().filter(|_| !value.is_marked()).unwrap_or_default();
    let room = WIDTH.saturating_sub(used);
    if elements.is_empty() || level == MAX_LEVELS || width(value, room).is_some() {
        return print(value, false, out);
    }
    let indent = "  ".repeat(level + 1);
    match value.entries() {
        Some(entries) => {
            out.push_str("{\n");
            for (name, element) in entries {
                let start = format!("{indent}{} = ", key(name));
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
