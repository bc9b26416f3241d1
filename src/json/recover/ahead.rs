//! Searches the text ahead.

use super::MAX_SEARCH;
use crate::json::reader::Reader;
use crate::source::Span;
use crate::work::{self, memchr};

impl Reader<'_> {
    pub(in crate::json) fn byte(&self, at: usize) -> Option<u8> {
        work::step(1);
        self.bytes.get(at).copied()
    }

    pub(in crate::json) fn character(&self, at: usize) -> char {
        self.source.text().get(at..).and_then(|rest| rest.chars().next()).unwrap_or('\u{fffd}')
    }

    pub(in crate::json) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(start, end)
    }

    pub(in crate::json) fn text(&self, start: usize, end: usize) -> &str {
        self.source.slice(self.span(start, end))
    }

    pub(in crate::json) fn keyword_follows(&self, at: usize) -> bool {
        matches!(self.text(at, self.word_end(at)), "true" | "false" | "null")
    }

    /// Returns the end of a word: a name, or a malformed number.
    pub(in crate::json) fn word_end(&self, start: usize) -> usize {
        let rest = self.source.text().get(start..).unwrap_or_default();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')));
        let length = length.unwrap_or(rest.len());
        work::step(length);
        start + length
    }

    /// Returns the end of the line, or of the searched part of it.
    pub(in crate::json) fn near_line_end(&self, at: usize) -> usize {
        let near = &self.bytes[at..self.bytes.len().min(at + MAX_SEARCH)];
        let mut end = at + memchr(b'\n', near).unwrap_or(near.len());
        while !self.source.text().is_char_boundary(end) {
            end -= 1;
        }
        if end > at && self.byte(end - 1) == Some(b'\r') { end - 1 } else { end }
    }

    /// Returns the end of text that cannot be read: the next comma, closing bracket or line end that is not in brackets
    /// or quotes. White space before it is excluded.
    pub(in crate::json) fn rest_end(&self, start: usize) -> usize {
        let mut depth = 0usize;
        let mut at = start;
        while let Some(byte) = self.byte(at) {
            match byte {
                b',' | b'}' | b']' | b'\n' if depth == 0 => break,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'"' => at = self.quoted_end(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        start + self.text(start, at).trim_end().len()
    }
}
