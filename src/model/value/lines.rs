//! Values as text over several lines.

use super::print::{name_into, print};
use super::{Node, Repr, Value, View};
use crate::model::quote::key;
use crate::model::types::Type;
use unicode_segmentation::UnicodeSegmentation;

/// Deeper levels are not indented further: the text of a value grows with its parts, not with the
/// square of its depth.
const MAX_LEVELS: usize = 100;

/// How much fits in a line.
const WIDTH: usize = 100;

/// Levels of [`print_wrapped`] that are indented; what is deeper stands in one line.
const MAX_WRAPPED: usize = 30;

/// A line for each part, indented by two spaces, the equals signs of neighbouring lines in one column.
pub(super) fn print_lines(value: &Value, level: usize, out: &mut String) {
    match &value.0 {
        Repr::Node(node) if !node.items.is_empty() => print_parts(node, level, out),
        _ => print(value, false, out),
    }
}

fn print_parts(node: &Node, level: usize, out: &mut String) {
    let named = matches!(node.ty, Type::Map(_) | Type::Object(_));
    out.push(if named { '{' } else { '[' });
    let mut at = 0;
    while at < node.items.len() {
        let names: Vec<String> = match named {
            true => (at..at + aligned(&node.items[at..])).map(|at| name_of(node, at)).collect(),
            false => vec![String::new()],
        };
        let widest = names.iter().map(|name| columns(name)).max().unwrap_or(0);
        for name in names {
            new_line(level + 1, out);
            if named {
                out.push_str(&name);
                out.extend(std::iter::repeat_n(' ', widest - columns(&name)));
                out.push_str(" = ");
            }
            print_lines(&node.items[at], level + 1, out);
            out.push_str(if named { "" } else { "," });
            at += 1;
        }
    }
    new_line(level, out);
    out.push(if named { '}' } else { ']' });
}

fn name_of(node: &Node, at: usize) -> String {
    let mut name = String::new();
    name_into(node, at, &mut name);
    name
}

/// How many parts are on neighbouring lines: those that take one line each, or one that takes more.
fn aligned(parts: &[Value]) -> usize {
    let in_one_line = |part: &&Value| !matches!(&part.0, Repr::Node(node) if !node.items.is_empty());
    parts.iter().take_while(in_one_line).count().max(1)
}

fn columns(name: &str) -> usize {
    name.graphemes(true).count()
}

fn new_line(level: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level.min(MAX_LEVELS)));
}

/// Writes a value in one line if it fits, and otherwise a part a line. The line has `used` characters already.
pub(super) fn print_wrapped(value: &Value, level: usize, used: usize, out: &mut String) {
    let elements = value.elements().filter(|_| !value.is_marked()).unwrap_or_default();
    let room = WIDTH.saturating_sub(used);
    if elements.is_empty() || level == MAX_WRAPPED || width(value, room).is_some() {
        return print(value, false, out);
    }
    let indent = "  ".repeat(level + 1);
    match value.entries() {
        Some(entries) => {
            out.push_str("{\n");
            for (name, element) in entries {
                let start = format!("{indent}{} = ", key(name));
                out.push_str(&start);
                print_wrapped(element, level + 1, start.chars().count(), out);
                out.push('\n');
            }
            out.push_str(&indent[2..]);
            out.push('}');
        }
        // A block that there is once: its brackets need no lines of their own.
        None if only_block(elements) => {
            out.push('[');
            print_wrapped(&elements[0], level, used + 2, out);
            out.push(']');
        }
        None => {
            out.push_str("[\n");
            for element in elements {
                out.push_str(&indent);
                print_wrapped(element, level + 1, indent.len() + 1, out);
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
