//! Values as text. Nothing is indented: formatting does that.

use super::BuildError;
use super::text::{Form, escaped, heredoc, key_into, quote_into, quoted};
use crate::model::{Value, View};
use crate::stack::with_room;

/// A list in one line is at most so long.
const LONGEST_LIST: usize = 80;

/// How a value is written, as far as it matters to what it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// In one line, with nothing in it.
    Plain,
    /// A list or an object.
    Nested,
    /// A heredoc, after which the line has to end.
    Heredoc,
}

/// A list under way: in one line if it is short and has nothing in it that nests.
pub(crate) struct ListText {
    start: usize,
    is_plain: bool,
}

impl ListText {
    /// Begins a list.
    pub(crate) fn new(out: &mut String) -> Self {
        let start = out.len();
        out.push_str("[\n");
        ListText { start, is_plain: true }
    }

    /// Ends an element that was written.
    pub(crate) fn end_element(&mut self, shape: Shape, out: &mut String) {
        self.is_plain &= shape == Shape::Plain;
        out.push_str(if shape == Shape::Heredoc { "\n,\n" } else { ",\n" });
    }

    /// Takes it back: it is no list.
    #[cfg(feature = "serde")]
    pub(crate) fn take_back(self, out: &mut String) {
        out.truncate(self.start);
    }

    /// Ends the list.
    pub(crate) fn finish(self, out: &mut String) -> Shape {
        let elements = &out[self.start + 2..];
        if elements.is_empty() {
            out.truncate(self.start);
            out.push_str("[]");
        } else if self.is_plain && elements.len() <= LONGEST_LIST {
            // What is plain has no line breaks in it, so they are those between elements.
            let elements = elements.strip_suffix(",\n").unwrap_or(elements).replace('\n', " ");
            out.truncate(self.start);
            out.extend(["[", &elements, "]"]);
        } else {
            out.push(']');
        }
        Shape::Nested
    }
}

/// An object under way, with a line for each entry.
pub(crate) struct ObjectText {
    start: usize,
}

impl ObjectText {
    /// Begins an object.
    pub(crate) fn new(out: &mut String) -> Self {
        let start = out.len();
        out.push_str("{\n");
        ObjectText { start }
    }

    /// Begins an entry, after which its value is written.
    pub(crate) fn begin_entry(&self, name: &str, out: &mut String) {
        key_into(name, out);
        out.push_str(" = ");
    }

    /// Ends an entry.
    pub(crate) fn end_entry(&self, out: &mut String) {
        out.push('\n');
    }

    /// Takes it back: it is no object.
    #[cfg(feature = "serde")]
    pub(crate) fn take_back(self, out: &mut String) {
        out.truncate(self.start);
    }

    /// Ends the object.
    pub(crate) fn finish(self, out: &mut String) -> Shape {
        if out.len() == self.start + 2 {
            out.pop();
        }
        out.push('}');
        Shape::Nested
    }
}

/// Writes a string, in a heredoc if that is wanted and it has several lines.
pub(crate) fn write_text(text: &str, heredocs: bool, out: &mut String) -> Shape {
    if heredocs
        && text.contains('\n')
        && let Some(text) = heredoc(&escaped(text, Form::Bare))
    {
        out.push_str(&text);
        return Shape::Heredoc;
    }
    quote_into(text, out);
    Shape::Plain
}

/// Writes a value: objects with a line for each entry, lists in one line if they are short.
pub(crate) fn write(value: &Value, heredocs: bool, out: &mut String) -> Result<Shape, BuildError> {
    let refused = |why| Err(BuildError::Value(String::new(), why));
    match value.view() {
        View::Null => out.push_str("null"),
        View::Bool(true) => out.push_str("true"),
        View::Bool(false) => out.push_str("false"),
        View::Number(number) if number.is_infinite() => return refused("an infinite number"),
        View::Number(number) => out.push_str(&number.to_string()),
        View::String(text) => return Ok(write_text(text, heredocs, out)),
        View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
            return with_room(|| {
                let mut list = ListText::new(out);
                for (index, element) in elements.iter().enumerate() {
                    let shape = write(element, heredocs, out).map_err(|error| within(error, &format!("[{index}]")))?;
                    list.end_element(shape, out);
                }
                Ok(list.finish(out))
            });
        }
        View::Map(entries) | View::Object(entries) => {
            return with_room(|| {
                let object = ObjectText::new(out);
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
