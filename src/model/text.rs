//! Text as it is kept in the model: NFC-normalized and shared.

use std::sync::Arc;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A shared name or text.
pub(crate) type Name = Arc<str>;

/// The text in Normalization Form C. Text that is ASCII, or that a quick check knows to be
/// normalized, is copied as it is.
pub(crate) fn normalized(text: &str) -> Name {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Arc::from(text);
    }
    let text: String = text.nfc().collect();
    Arc::from(text)
}

/// A quoted string as HCL writes it, ready to stand in a template without starting an
/// interpolation or directive.
pub(crate) fn quote_into(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if rest.peek() == Some(&'{') => {
                out.push(c);
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}
