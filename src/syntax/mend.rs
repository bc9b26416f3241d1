//! Edits for notations of other languages, in either syntax.

use crate::diagnostic::Applicability;
use crate::source::{Replacement, Span};
use crate::work::memchr;

/// An edit, and whether it is surely the intended one.
pub(crate) type Mend = (Applicability, Replacement);

/// Puts a string with other quotes into double quotes. `span` is the whole string and `content` the text between the
/// quotes. Returns `None` if the content cannot be in a string as it is.
///
/// The meaning of a backslash or a template sequence in other quotes depends on the language.
pub(crate) fn in_double_quotes(span: Span, content: &str) -> Option<Mend> {
    if content.chars().any(char::is_control) {
        return None;
    }
    let sure = !content.contains('\\') && !content.contains("${") && !content.contains("%{");
    let content = if sure { content.replace('"', "\\\"") } else { content.to_owned() };
    Some((Applicability::safe_if(sure), Replacement::new(span, format!("\"{content}\""))))
}

/// Returns the correction of an unknown escape sequence; `text` begins with it at the offset `start`.
///
/// A backslash before a letter that forms no escape sequence in any language is part of a regular expression or a path,
/// and has to stay.
pub(crate) fn escape(text: &str, start: u32) -> Option<Mend> {
    let mut chars = text.strip_prefix('\\')?.chars();
    let c = chars.next()?;
    let rest = chars.as_str();
    let backslash = |safe| Some((Applicability::safe_if(safe), Replacement::insertion(start as usize, "\\")));
    let replaced = |safe, length: usize, text: String| {
        let span = Span::new(start as usize, start as usize + length);
        Some((Applicability::safe_if(safe), Replacement::new(span, text)))
    };
    match c {
        '\'' => replaced(true, 2, "'".to_owned()),
        '$' | '%' if rest.starts_with('{') => replaced(false, 2, format!("{c}{c}")),
        '$' | '%' => replaced(false, 2, c.to_string()),
        'x' => {
            let digits = rest.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
            replaced(true, 4, format!("\\u00{digits}"))
        }
        'e' => replaced(false, 2, "\\u001b".to_owned()),
        'u' | 'U' | '0'..='9' => None,
        'a' | 'b' | 'c' | 'f' | 'o' | 'v' | 'N' => backslash(false),
        _ if c.is_ascii_alphabetic() => backslash(true),
        '.' | '-' | '(' | ')' | '[' | ']' | '{' | '}' | '*' | '+' | '?' | '|' | '^' => backslash(true),
        _ if c.is_control() => None,
        _ => backslash(false),
    }
}

/// Returns the replacement of a character that is unlikely to be intended outside of strings.
pub(crate) fn replacement_of(c: char) -> Option<&'static str> {
    match c {
        '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' => Some(""),
        c if c.is_whitespace() && !c.is_control() => Some(" "),
        _ => None,
    }
}

/// Returns a number with a base prefix in decimal digits.
pub(crate) fn decimal(text: &str) -> Option<String> {
    let (base, digits) = match text.get(..2)? {
        "0x" | "0X" => (16, &text[2..]),
        "0o" | "0O" => (8, &text[2..]),
        "0b" | "0B" => (2, &text[2..]),
        _ => return None,
    };
    let digits = digits.replace('_', "");
    let starts_with_digit = digits.starts_with(|c: char| c.is_ascii_hexdigit());
    u128::from_str_radix(&digits, base).ok().filter(|_| starts_with_digit).map(|number| number.to_string())
}

/// Returns true if a text has a backslash before one of these letters. `C:\data\new` has a newline, so a backslash is
/// not surely intended where it has no meaning.
pub(crate) fn has_escapes(mut text: &[u8], letters: &[u8]) -> bool {
    while let Some(backslash) = memchr(b'\\', text) {
        if text.get(backslash + 1).is_some_and(|letter| letters.contains(letter)) {
            return true;
        }
        text = text.get(backslash + 2..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Applicability::{NeedsReview, Safe};

    fn mended(text: &str) -> Option<(Applicability, String)> {
        let (applicability, edit) = escape(text, 0)?;
        Some((applicability, Replacement::apply(&[edit], text).expect("an edit of the text")))
    }

    #[test]
    fn escapes_become_what_was_meant() {
        for (text, applicability, expected) in [
            (r"\d+", Safe, r"\\d+"),
            (r"\.", Safe, r"\\."),
            (r"\'s", Safe, "'s"),
            (r"\x1bm", Safe, r"\u001bm"),
            (r"\e", NeedsReview, r"\u001b"),
            (r"\b", NeedsReview, r"\\b"),
            (r"\${a}", NeedsReview, "$${a}"),
            (r"\/", NeedsReview, r"\\/"),
        ] {
            assert_eq!(mended(text), Some((applicability, expected.to_owned())), "{text}");
        }
        for text in [r"\", r"\x4", r"\u12", r"\0", "\\\n"] {
            assert_eq!(mended(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_become_decimal() {
        let numbers = ["0x1F", "0b1010_1010", "0o17"].map(decimal);
        assert_eq!(numbers, ["31", "170", "15"].map(|number| Some(number.to_owned())));
        assert_eq!(["0x", "0b2", "17", "0x+1", "0"].map(decimal), [const { None }; 5]);
    }
}
