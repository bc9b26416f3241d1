//! Describes values in words.

use std::borrow::Cow;

use ::serde::de::Unexpected;

/// Longer texts are cut.
pub(super) const MAX_TEXT: usize = 40;

/// Returns the beginning of a text, with an ellipsis if there is more.
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Returns the kind of value found, in the words of HCL.
pub(super) fn in_words(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("{value}"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        Unexpected::Char(text) => format!("the string {text:?}"),
        Unexpected::Str(text) => format!("the string {:?}", shortened(text)),
        Unexpected::Bytes(_) => "bytes".to_owned(),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::NewtypeStruct => "a wrapped value".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object or a block".to_owned(),
        Unexpected::Enum => "an enum".to_owned(),
        Unexpected::UnitVariant => "a string".to_owned(),
        Unexpected::NewtypeVariant | Unexpected::TupleVariant | Unexpected::StructVariant => {
            "an object with one attribute".to_owned()
        }
        Unexpected::Other(words) => words.to_owned(),
    }
}
