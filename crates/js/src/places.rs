//! Places as JavaScript counts them: in units of UTF-16.

use std::collections::HashMap;
use std::sync::Arc;

use hcl_lr::source::{Source, Span};

use crate::json;

/// The number of bytes between two known offsets. A question counts the characters of at most so many bytes.
const STEP: usize = 128;

/// The offsets of a text in units of UTF-16, and the starts of its lines.
pub struct Places {
    text: Arc<Source>,
    /// The offsets at multiples of [`STEP`] bytes; empty if the text is ASCII, where both offsets are equal.
    known: Vec<u32>,
    /// The starts of the lines, in bytes. Empty until somebody asks for a line.
    lines: Vec<u32>,
}

impl Places {
    /// Creates the places of a source.
    pub fn new(source: &Arc<Source>) -> Places {
        Places { text: Arc::clone(source), known: known(source.text()), lines: Vec::new() }
    }

    /// Returns the offset in units of UTF-16 of an offset in bytes.
    pub fn offset(&self, byte: usize) -> usize {
        let text = self.text.text();
        let byte = byte.min(text.len());
        let Some(known) = self.known.get(byte / STEP) else { return byte };
        *known as usize + units(&text.as_bytes()[byte / STEP * STEP..byte])
    }

    /// Returns the offset in bytes of an offset in units of UTF-16. An offset within a character is that of its start.
    pub fn byte(&self, offset: usize) -> usize {
        let text = self.text.text();
        if self.known.is_empty() {
            return offset.min(text.len());
        }
        let at = self.known.partition_point(|known| *known as usize <= offset).saturating_sub(1);
        // The last known offset is that of the end, which need not be a multiple.
        let mut byte = (at * STEP).min(text.len());
        let mut rest = offset - self.known.get(at).copied().unwrap_or_default() as usize;
        while !text.is_char_boundary(byte) {
            byte += 1;
        }
        for c in text[byte..].chars() {
            if rest < c.len_utf16() {
                break;
            }
            rest -= c.len_utf16();
            byte += c.len_utf8();
        }
        byte
    }

    /// Writes a span as the pair of its offsets.
    pub fn pair(&self, span: Span, out: &mut String) {
        json::list([span.start(), span.end()], out, |byte, out| out.push_str(&self.offset(byte).to_string()));
    }

    /// Writes a span with lines and columns, both from 1.
    pub fn range(&mut self, span: Span, out: &mut String) {
        out.push('{');
        for (name, byte) in [("start", span.start()), ("end", span.end())] {
            json::name(name, out);
            let (line, start) = self.line(byte);
            let offset = self.offset(byte);
            out.push('{');
            json::plain("offset", offset, out);
            json::plain("line", line, out);
            json::plain("column", offset - self.offset(start) + 1, out);
            out.push('}');
        }
        out.push('}');
    }

    /// Returns the number of the line of an offset in bytes, and the start of the line.
    fn line(&mut self, byte: usize) -> (usize, usize) {
        if self.lines.is_empty() {
            let text = self.text.text();
            let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            self.lines = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        }
        let line = self.lines.partition_point(|start| *start as usize <= byte).max(1);
        (line, self.lines[line - 1] as usize)
    }
}

/// Returns the units of UTF-16 of bytes of UTF-8, whose first or last character may be cut: each character counts where
/// it starts.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from(*byte & 0xc0 != 0x80) + usize::from(*byte >= 0xf0)).sum()
}

fn known(text: &str) -> Vec<u32> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut before = 0;
    let step = |chunk: &[u8]| {
        let start = before;
        before += units(chunk) as u32;
        start
    };
    let mut known: Vec<u32> = text.as_bytes().chunks(STEP).map(step).collect();
    known.push(before);
    known
}

/// The places of several sources.
#[derive(Default)]
pub struct AllPlaces(HashMap<*const Source, Places>);

impl AllPlaces {
    /// Returns the places of a source.
    pub fn of(&mut self, source: &Arc<Source>) -> &mut Places {
        // The source is kept, so its address belongs to no other one.
        self.0.entry(Arc::as_ptr(source)).or_insert_with(|| Places::new(source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_there_and_back() {
        for text in ["", "a\nb", "é\n𝄞x\n", &"aé𝄞€\n".repeat(100), &"𝄞".repeat(200)] {
            let places = Places::new(&Arc::new(Source::new("t", text)));
            let mut offset = 0;
            for (byte, c) in text.char_indices() {
                assert_eq!(places.offset(byte), offset, "{byte} in {text:?}");
                assert_eq!(places.byte(offset), byte, "{offset} in {text:?}");
                offset += c.len_utf16();
            }
            assert_eq!((places.offset(text.len()), places.byte(offset)), (offset, text.len()));
        }
    }

    #[test]
    fn an_offset_within_a_character_is_its_start() {
        assert_eq!(Places::new(&Arc::new(Source::new("t", "a𝄞b"))).byte(2), 1);
    }

    #[test]
    fn lines_and_columns() {
        let mut places = Places::new(&Arc::new(Source::new("t", "é\n𝄞x")));
        let mut out = String::new();
        places.range(Span::new(7, 8), &mut out);
        let expected = r#"{"start":{"offset":4,"line":2,"column":3},"end":{"offset":5,"line":2,"column":4}}"#;
        assert_eq!(out, expected);
    }
}
