//! The text of messages: values, types and errors as parts of a sentence.

use std::borrow::Cow;
use std::fmt::{self, Write};

use crate::model::{Type, Value, View, hidden};

/// The number of parts that a message lists; more names and values would not make it clearer.
pub(super) const MAX_PARTS: usize = 5;

/// Longer texts are cut.
const MAX_TEXT: usize = 40;

/// Sentences with longer words in them are not understood.
const MAX_WORDS: usize = 300;

/// Describes a value in a few words. For a marked value, says only that it is marked.
pub(super) fn describe(value: &Value) -> String {
    if value.contains_marks() {
        return format!("this is {}", hidden::because(&value.marks_deep()));
    }
    match value.view() {
        View::Bool(value) => format!("this is {value}"),
        View::Number(number) => format!("this is {}", shortened(number)),
        View::String(text) => format!("this is {}", Value::from(shortened(text))),
        View::Null => "this is null".to_owned(),
        View::Capsule(_) => format!("this is {}", shortened(with_article(&value.ty()))),
        View::Unknown(_) if value.ty() == Type::Dynamic => "this is not known yet".to_owned(),
        View::Unknown(_) => format!("this is {}, not known yet", shortened(with_article(&value.ty()))),
        View::Object(attributes) => match attributes.len() {
            0 => "this is an object without attributes".to_owned(),
            _ => {
                let names: Vec<&str> = attributes.map(|(name, _)| name).take(MAX_PARTS).collect();
                let more = if value.elements().is_some_and(|all| all.len() > names.len()) { ", …" } else { "" };
                format!("this is an object with {}{more}", shortened(names.join(", ")))
            }
        },
        _ => {
            let count = value.elements().map_or(0, <[Value]>::len);
            let elements = if count == 1 { "element" } else { "elements" };
            let kind = match value.ty() {
                Type::Tuple(_) => "tuple".to_owned(),
                ty => shortened(ty),
            };
            format!("this is a {kind} with {count} {elements}")
        }
    }
}

/// Returns the beginning of a text that may be long, such as that of a deeply nested type. The rest is not even
/// formatted.
fn shortened(text: impl fmt::Display) -> String {
    beginning(text, MAX_TEXT)
}

fn beginning(text: impl fmt::Display, most: usize) -> String {
    let mut start = Truncated { text: String::new(), left: most };
    if write!(start, "{text}").is_err() {
        start.text.push('…');
    }
    start.text
}

/// Returns the text of a type or an error for a sentence.
pub(super) fn in_words(text: impl fmt::Display) -> String {
    beginning(text, MAX_WORDS)
}

/// A writer that stops after a number of characters.
struct Truncated {
    text: String,
    left: usize,
}

impl Write for Truncated {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.char_indices().nth(self.left) {
            Some((end, _)) => {
                self.text.push_str(&text[..end]);
                self.left = 0;
                Err(fmt::Error)
            }
            None => {
                self.text.push_str(text);
                self.left -= text.chars().count();
                Ok(())
            }
        }
    }
}

/// Returns the name of a type with its article.
pub(super) fn with_article(ty: &Type) -> String {
    let name = in_words(ty);
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// Returns a message without its middle, if it is long. The message of a function may contain that of another one, and
/// so on; the cause is at the end.
pub(super) fn excerpt(message: &str) -> Cow<'_, str> {
    const EITHER_END: usize = 300;
    let count = message.chars().count();
    if count <= 2 * EITHER_END {
        return Cow::Borrowed(message);
    }
    let start: String = message.chars().take(EITHER_END).collect();
    let end: String = message.chars().skip(count - EITHER_END).collect();
    Cow::Owned(format!("{start} … {end}"))
}
