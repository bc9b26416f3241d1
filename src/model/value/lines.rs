//! Values as text over several lines.

use super::print::{name_into, print};
use super::{Node, Repr, Value};
use crate::model::types::Type;
use unicode_segmentation::UnicodeSegmentation;

/// Deeper levels are not indented further: the text of a value grows with its parts, not with the
/// square of its depth.
const MAX_LEVELS: usize = 100;

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
        let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
        for name in names {
            new_line(level + 1, out);
            if named {
                out.push_str(&name);
                out.extend(std::iter::repeat_n(' ', widest - width(&name)));
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

fn width(name: &str) -> usize {
    name.graphemes(true).count()
}

fn new_line(level: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level.min(MAX_LEVELS)));
}
