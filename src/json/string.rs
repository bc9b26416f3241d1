//! The meaning of strings: escape sequences, and the origins of decoded text.

use std::borrow::Cow;

use super::tree::{Node, Tag};
use crate::source::{Offsets, Span};
use crate::work::memchr;

/// The replacement of an invalid escape sequence, and of half a surrogate pair.
const REPLACEMENT: char = '\u{fffd}';

/// An escape sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    Character(char),
    /// Half of a surrogate pair, which is read as U+FFFD.
    LoneSurrogate(u32),
    /// Fewer than four hexadecimal digits follow.
    Digits,
    Unknown(char),
    /// The source ends.
    Nothing,
}

/// Reads the escape sequence that `text` begins with. Returns its length and meaning. (RFC 8259, section 7.)
pub(super) fn escape(text: &[u8]) -> (usize, Escape) {
    let c = match text.get(1) {
        Some(&c @ (b'"' | b'\\' | b'/')) => char::from(c),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(text),
        None => return (1, Escape::Nothing),
        // Characters that are not allowed in the string are handled separately.
        Some(&byte) if byte < 0x20 => return (1, Escape::Unknown(char::from(byte))),
        Some(_) => {
            let rest = &text[1..text.len().min(5)];
            let c = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()).unwrap_or(REPLACEMENT);
            return (1 + c.len_utf8().min(rest.len()), Escape::Unknown(c));
        }
    };
    (2, Escape::Character(c))
}

fn unicode_escape(text: &[u8]) -> (usize, Escape) {
    let unit = match code_unit(text) {
        Ok(unit) => unit,
        Err(digits) => return (2 + digits, Escape::Digits),
    };
    if let Some(c) = char::from_u32(unit) {
        return (6, Escape::Character(c));
    }
    let low = text.get(6..).filter(|rest| rest.starts_with(b"\\u")).and_then(|rest| code_unit(rest).ok());
    match (unit, low) {
        (0xd800..0xdc00, Some(low @ 0xdc00..0xe000)) => {
            let code = 0x1_0000 + (((unit - 0xd800) << 10) | (low - 0xdc00));
            (12, Escape::Character(char::from_u32(code).unwrap_or(REPLACEMENT)))
        }
        _ => (6, Escape::LoneSurrogate(unit)),
    }
}

/// Returns the number from the four digits after `\u`, or how many digits there are.
fn code_unit(text: &[u8]) -> Result<u32, usize> {
    let mut unit = 0;
    for index in 0..4 {
        let digit = text.get(2 + index).and_then(|&byte| char::from(byte).to_digit(16)).ok_or(index)?;
        unit = unit << 4 | digit;
    }
    Ok(unit)
}

/// A string, or the name of a property.
#[derive(Clone, Copy, Debug)]
pub struct StringText<'t> {
    node: Node<'t>,
    tag: Tag,
}

impl<'t> StringText<'t> {
    pub(super) fn new(node: Node<'t>, tag: Tag) -> Self {
        StringText { node, tag }
    }

    /// The node that it is.
    pub fn node(self) -> Node<'t> {
        self.node
    }

    /// Returns the span, with its quotes.
    pub fn span(self) -> Span {
        self.node.span()
    }

    /// Returns the span of its text, without the quotes.
    pub fn inner_span(self) -> Span {
        let text = self.node.text();
        let width = |c: Option<char>| c.map_or(0, |c| c.len_utf8() as u32);
        let (open, close) = match self.tag {
            Tag::Plain | Tag::Escaped => (1, 1),
            Tag::Unclosed => (1, 0),
            Tag::Foreign => (width(text.chars().next()), width(text.chars().next_back())),
            _ => (0, 0),
        };
        let (start, end) = (self.span().start() as u32 + open, self.span().end() as u32);
        Span::of(start, (end - close).max(start))
    }

    /// Returns the text with escape sequences decoded. Half of a surrogate pair is read as U+FFFD. (JSON syntax
    /// specification, "Strings".)
    pub fn text(self) -> Cow<'t, str> {
        let raw = self.raw_text();
        let mut decoded = String::new();
        let mut done = 0;
        self.each_escape(raw, |at, length, c| {
            decoded.push_str(&raw[done..at]);
            decoded.push(c);
            done = at + length;
        });
        if done == 0 {
            return Cow::Borrowed(raw);
        }
        decoded.push_str(&raw[done..]);
        Cow::Owned(decoded)
    }

    /// From offsets in [`text`](Self::text) to those in the source.
    pub fn offsets(self) -> Offsets {
        let start = self.inner_span().start();
        let mut offsets = Offsets::new(start);
        let (mut inner, mut done) = (0, 0);
        self.each_escape(self.raw_text(), |at, length, c| {
            inner += at - done;
            if at > done {
                offsets.push(inner, start + at);
            }
            inner += c.len_utf8();
            done = at + length;
            offsets.push(inner, start + done);
        });
        offsets
    }

    fn raw_text(self) -> &'t str {
        self.node.source().slice(self.inner_span())
    }

    /// Visits the place and length of each escape sequence, and its character.
    fn each_escape(self, raw: &str, mut visit: impl FnMut(usize, usize, char)) {
        if !matches!(self.tag, Tag::Escaped | Tag::Unclosed) {
            return;
        }
        let mut at = 0;
        while let Some(distance) = memchr(b'\\', &raw.as_bytes()[at..]) {
            at += distance;
            let (length, escape) = escape(&raw.as_bytes()[at..]);
            let c = if let Escape::Character(c) = escape { c } else { REPLACEMENT };
            visit(at, length, c);
            at += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(escape(b"\\u00e9x"), (6, Escape::Character('é')));
        assert_eq!(escape(b"\\uD83D\\uDE00"), (12, Escape::Character('😀')));
        assert_eq!(escape(b"\\ud83d\\u0041"), (6, Escape::LoneSurrogate(0xd83d)));
        assert_eq!(escape(b"\\ud83d\\ud83d\\ude00"), (6, Escape::LoneSurrogate(0xd83d)));
        assert_eq!(escape(b"\\ude00"), (6, Escape::LoneSurrogate(0xde00)));
        assert_eq!(escape(b"\\u12\""), (4, Escape::Digits));
        assert_eq!(escape(b"\\ud83d\\u12"), (6, Escape::LoneSurrogate(0xd83d)));
        assert_eq!(escape("\\é".as_bytes()), (3, Escape::Unknown('é')));
        assert_eq!(escape(b"\\\n"), (1, Escape::Unknown('\n')));
        assert_eq!(escape(b"\\"), (1, Escape::Nothing));
    }
}
