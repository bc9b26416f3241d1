//! Values as text: `Display` and `Debug`, and the layout over several lines.

use super::print::one_line;
use super::{Entries, Node, Repr, Value};
use crate::model::types::Type;
use crate::stack::with_room;
use crate::writer::{Layout, ListText, ObjectText, Shape, columns::columns, quoted};
use std::fmt;

/// For users: `{ name = "web", ports = [80, 443] }`. Lists, sets and tuples look alike, and so do maps and objects. An
/// unknown value is shown as `(unknown string)`. Of a marked value only the marks are shown, because it may be secret.
///
/// The form `{:#}` has a line for each part:
///
/// ```
/// use hcl_lr::model::Value;
/// let server = Value::object([("name", Value::from("web")), ("id", Value::from(7)), ("ports", [80, 443].into())]);
/// assert_eq!(server.to_string(), r#"{ id = 7, name = "web", ports = [80, 443] }"#);
/// assert_eq!(
///     format!("{server:#}"),
///     r#"{
///   id   = 7
///   name = "web"
///   ports = [
///     80,
///     443,
///   ]
/// }"#
/// );
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if f.alternate() { text(self, Lines::Each, 0) } else { one_line(self, false) })
    }
}

/// For programmers, with nothing left out. Collections name their type, `list(string)["a"]`; so do nulls and unknowns,
/// which also show their refinements. Of a marked value only the marks are shown here too, because logs and failed
/// assertions may be read by people who must not know a secret.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(self, true))
    }
}

/// The layout of the parts of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// For people: a line for each part.
    Each,
    /// For users: one line if it fits, and else a line for each part.
    Fitting,
    /// For files: objects with a line for each entry, lists in one line if they are short. A value that has no text in
    /// the language is refused.
    File {
        /// True if texts of several lines are heredocs.
        heredocs: bool,
    },
}

/// A part of a value that has no text in the language.
#[derive(Debug)]
pub(crate) struct Unwritable {
    /// The path in the value; empty for the value itself.
    pub path: String,
    pub why: &'static str,
}

/// The number of levels that get their own lines. The text of a value grows with its parts, not with the square of its
/// depth.
const MAX_LEVELS: usize = 100;
const MAX_FITTING_LEVELS: usize = 30;

/// The number of columns of a line.
const WIDTH: usize = 100;

impl Value {
    /// Returns the text for users: like `Display` if it fits in a line that already has `used` columns, and else over
    /// several lines.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    ///
    /// let value = Value::object([("a", Value::from([1, 2])), ("long", Value::from("x".repeat(80)))]);
    /// let lines: Vec<String> = value.wrapped(0).lines().map(|line| line.chars().take(15).collect()).collect();
    /// assert_eq!(lines, ["{", "  a    = [1, 2]", "  long = \"xxxxx", "}"]);
    /// ```
    pub fn wrapped(&self, used: usize) -> String {
        text(self, Lines::Fitting, used)
    }

    /// Writes the value at the end of a text.
    ///
    /// # Errors
    /// With [`Lines::File`], the first part that has no text in the language.
    pub(crate) fn lay_out(&self, lines: Lines, out: &mut Layout) -> Result<Shape, Unwritable> {
        Writer { lines, used: 0 }.write(self, 0, out)
    }
}

/// Returns the text of a value for users, in a line that already has `used` columns.
fn text(value: &Value, lines: Lines, used: usize) -> String {
    let mut out = Layout::default();
    // Nothing is refused that people read.
    let _ = Writer { lines, used }.write(value, 0, &mut out);
    out.unformatted()
}

struct Writer {
    lines: Lines,
    /// The columns that are used in the first line.
    used: usize,
}

impl Writer {
    fn write(&self, value: &Value, level: usize, out: &mut Layout) -> Result<Shape, Unwritable> {
        match &value.0 {
            Repr::Node(node) if !self.is_in_one_line(node, value, level, out) => {
                with_room(|| self.parts(node, level, out))
            }
            Repr::Text(text) => Ok(out.string(text, self.lines == Lines::File { heredocs: true })),
            leaf => {
                if let (Lines::File { .. }, Some(why)) = (self.lines, unwritable(leaf)) {
                    return Err(Unwritable { path: String::new(), why });
                }
                out.push(&one_line(value, false));
                Ok(Shape::Plain)
            }
        }
    }

    fn is_in_one_line(&self, node: &Node, value: &Value, level: usize, out: &Layout) -> bool {
        match self.lines {
            Lines::File { .. } => false,
            _ if node.items.is_empty() => true,
            Lines::Each => level >= MAX_LEVELS,
            Lines::Fitting => {
                let used = out.column() + if level == 0 { self.used } else { 0 };
                level >= MAX_FITTING_LEVELS || room_after(value, WIDTH.saturating_sub(used)).is_some()
            }
        }
    }

    fn parts(&self, node: &Node, level: usize, out: &mut Layout) -> Result<Shape, Unwritable> {
        if is_named(node) {
            let mut object = ObjectText::new(out);
            for (name, part) in Entries::of(node) {
                object.begin_entry(name, out);
                self.write(part, level + 1, out).map_err(|error| error.within(&quoted(name)))?;
                object.end_entry(out);
            }
            return Ok(object.finish(out));
        }
        // A list with a single object: its brackets need no lines of their own.
        if self.lines == Lines::Fitting
            && let [Value(Repr::Node(only))] = &*node.items
            && is_named(only)
            && !only.items.is_empty()
        {
            out.push("[");
            self.write(&node.items[0], level, out)?;
            out.push("]");
            return Ok(Shape::Nested);
        }
        let mut list = match self.lines {
            Lines::File { .. } => ListText::new(out),
            Lines::Each | Lines::Fitting => ListText::in_lines(out),
        };
        for (at, part) in node.items.iter().enumerate() {
            list.begin_element(out);
            let shape = self.write(part, level + 1, out).map_err(|error| error.within(&at.to_string()))?;
            list.end_element(shape, out);
        }
        Ok(list.finish(out))
    }
}

impl Unwritable {
    /// Adds a step of the enclosing value to the path.
    fn within(self, step: &str) -> Unwritable {
        Unwritable { path: format!("[{step}]{}", self.path), ..self }
    }
}

fn is_named(node: &Node) -> bool {
    matches!(node.ty, Type::Map(_) | Type::Object(_))
}

/// Returns the reason why a value without parts has no text in the language, if so.
fn unwritable(leaf: &Repr) -> Option<&'static str> {
    match leaf {
        Repr::Number(number) if number.is_infinite() => Some("an infinite number"),
        Repr::Unknown(_) | Repr::Refined(_) => Some("an unknown value"),
        Repr::Capsule(_) => Some("a value of an application's own type"),
        Repr::Marked(_) => Some("a marked value"),
        _ => None,
    }
}

/// Returns the room that is left in a line after a value, if it fits. Examines no more of the value than could fit.
fn room_after(value: &Value, room: usize) -> Option<usize> {
    let node = match &value.0 {
        Repr::Text(text) if text.len() > 4 * room => return None,
        Repr::Node(node) if !node.items.is_empty() => node,
        _ => return room.checked_sub(value.to_string().chars().count()),
    };
    if !is_named(node) {
        return node.items.iter().try_fold(room, |room, part| room_after(part, room.checked_sub(2)?));
    }
    Entries::of(node).try_fold(room.checked_sub(2)?, |room, (name, part)| {
        let name = (name.len() <= 4 * room).then(|| columns(name))?;
        room_after(part, room.checked_sub(name + 5)?)
    })
}
