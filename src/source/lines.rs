//! Lines and columns.

use unicode_segmentation::UnicodeSegmentation;

use super::Span;

/// A place in a source as people count: `line` and `column` from 1, the column in Unicode grapheme
/// clusters, so that it is what a reader would call "the fifth character". A tab is one column.
/// `byte` counts from 0. A byte order mark at the start has no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in grapheme clusters, from 1.
    pub column: usize,
    /// The offset in bytes, from 0.
    pub byte: usize,
}

/// The offset at which each line starts.
pub(super) struct LineTable {
    starts: Vec<u32>,
}

impl LineTable {
    pub fn new(text: &str) -> Self {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = std::iter::once(0).chain(newlines.map(|at| at as u32 + 1)).collect();
        LineTable { starts }
    }

    pub fn count(&self) -> usize {
        self.starts.len()
    }

    pub fn span(&self, line: usize, text_len: usize) -> Option<Span> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).copied().unwrap_or(text_len as u32);
        Some(Span::new(start, end))
    }

    pub fn position(&self, text: &str, offset: usize) -> Position {
        let mut byte = offset.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= byte);
        let start = self.starts[line - 1] as usize;
        let before = &text[start..byte];
        let before = if start == 0 { before.strip_prefix('\u{feff}').unwrap_or(before) } else { before };
        let clusters = if before.is_ascii() {
            // Within a line, only a carriage return and newline are one cluster in ASCII, and the
            // newline ends the line.
            before.len()
        } else {
            before.graphemes(true).count()
        };
        Position { line, column: clusters + 1, byte }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: usize) -> (usize, usize) {
        let position = LineTable::new(text).position(text, offset);
        (position.line, position.column)
    }

    #[test]
    fn columns_are_grapheme_clusters() {
        let text = "e\u{301}x = \"🏴󠁧󠁢󠁥󠁮󠁧󠁿\"\ny";
        assert_eq!(at(text, 0), (1, 1));
        assert_eq!(at(text, 3), (1, 2));
        let flag = text.find('🏴').expect("the flag");
        assert_eq!(at(text, flag), (1, 7));
        assert_eq!(at(text, text.rfind('"').expect("a quote")), (1, 8));
        assert_eq!(at(text, text.len() - 1), (2, 1));
        assert_eq!(at(text, text.len()), (2, 2));
        assert_eq!(at(text, text.len() + 9), (2, 2));
    }

    #[test]
    fn a_byte_order_mark_has_no_column() {
        assert_eq!(at("\u{feff}a = 1", 3), (1, 1));
        assert_eq!(at("\u{feff}é = 1", 5), (1, 2));
    }

    #[test]
    fn lines_have_spans() {
        let table = LineTable::new("a\nbc\n");
        assert_eq!(table.span(2, 5), Some(Span::new(2, 5)));
        assert_eq!(table.span(3, 5), Some(Span::new(5, 5)));
        assert_eq!(table.span(4, 5), None);
        assert_eq!(table.span(0, 5), None);
    }
}
