//! Lines and characters of the protocol. The encoding is negotiated, and a lone carriage return also ends a line.

use gen_lsp_types::{Position, Range};
use hcl_lr::source::Span;

/// The units in which characters of a line are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    /// Returns the name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    pub fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        }
    }
}

/// The starts of the lines of a text.
pub struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    pub fn new(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at + 1);
            }
        }
        Lines { starts, encoding }
    }

    /// Returns the position of a byte. A byte within a character counts as the start of the character.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let character = self.encoding.length(&text[self.starts[line]..offset]);
        Position { line: line as u32, character: character as u32 }
    }

    pub fn range(&self, text: &str, span: Span) -> Range {
        Range { start: self.position(text, span.start()), end: self.position(text, span.end()) }
    }

    /// Returns the span of a line without its end; `None` if the line does not exist.
    pub fn line(&self, text: &str, line: usize) -> Option<Span> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let length = text[start..end].trim_end_matches(['\n', '\r']).len();
        Some(Span::new(start, start + length))
    }

    /// Returns the byte of a position. A position behind the end of a line is at its end.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let Some(line) = self.line(text, position.line as usize) else { return text.len() };
        let (mut left, mut at) = (position.character as usize, line.start());
        for char in text[line.range()].chars() {
            let width = match self.encoding {
                Encoding::Utf8 => char.len_utf8(),
                Encoding::Utf16 => char.len_utf16(),
                Encoding::Utf32 => 1,
            };
            if left < width {
                break;
            }
            left -= width;
            at += char.len_utf8();
        }
        at
    }

    pub fn span(&self, text: &str, range: Range) -> Span {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        Span::new(start, end.max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_lead_back() {
        let text = "a = \"é😀\"\r\nb\rc\n\n";
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let lines = Lines::new(text, encoding);
            for (offset, _) in
                text.char_indices().filter(|(at, _)| text.as_bytes().get(*at) != Some(&b'\n') || *at == 0)
            {
                assert_eq!(lines.offset(text, lines.position(text, offset)), offset, "{encoding:?} {offset}");
            }
        }
        let at = text.rfind('"').expect("a quote");
        let column = |encoding| Lines::new(text, encoding).position(text, at).character;
        assert_eq!([column(Encoding::Utf8), column(Encoding::Utf16), column(Encoding::Utf32)], [11, 8, 7]);
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.position(text, text.find('c').expect("c")), Position { line: 2, character: 0 });
        assert_eq!(lines.offset(text, Position { line: 0, character: 99 }), text.find('\r').expect("the end"));
        assert_eq!(lines.offset(text, Position { line: 99, character: 0 }), text.len());
    }
}
