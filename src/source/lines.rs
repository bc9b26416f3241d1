//! Lines and columns.

use std::sync::OnceLock;

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
    /// Places within long lines from which columns are counted: the offset, and how many clusters are
    /// in front of it in its line. To count from the start of a line of megabytes for each of many
    /// diagnostics would take quadratic time.
    marks: OnceLock<Vec<(u32, u32)>>,
}

/// How far marks are apart, in bytes, and how far columns are counted without them.
const MARK_DISTANCE: usize = 4096;

impl LineTable {
    pub fn new(text: &str) -> Self {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = std::iter::once(0).chain(newlines.map(|at| at as u32 + 1)).collect();
        LineTable { starts, marks: OnceLock::new() }
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
        let start = start + byte_order_mark(&text[start..byte], start);
        let (from, counted) = match byte - start < MARK_DISTANCE {
            true => (start, 0),
            false => self.mark(text, start, byte),
        };
        Position { line, column: counted + clusters(&text[from..byte]) + 1, byte }
    }

    /// The last mark between the start of a line and a place in it, or the start of the line.
    fn mark(&self, text: &str, start: usize, byte: usize) -> (usize, usize) {
        let marks = self.marks.get_or_init(|| self.marks(text));
        let behind = marks.partition_point(|mark| mark.0 as usize <= byte);
        let last = behind.checked_sub(1).map(|last| marks[last]).filter(|mark| mark.0 as usize >= start);
        last.map_or((start, 0), |(from, counted)| (from as usize, counted as usize))
    }

    fn marks(&self, text: &str) -> Vec<(u32, u32)> {
        let mut marks = Vec::new();
        for line in 1..=self.starts.len() {
            let Some(span) = self.span(line, text.len()).filter(|span| span.len() > MARK_DISTANCE) else { continue };
            let start = span.start() + byte_order_mark(&text[span.range()], span.start());
            let line = &text[start..span.end()];
            let mut next = MARK_DISTANCE;
            if line.is_ascii() {
                let places = (next..line.len()).step_by(MARK_DISTANCE);
                marks.extend(places.map(|place| ((start + place) as u32, place as u32)));
                continue;
            }
            for (counted, (place, _)) in line.grapheme_indices(true).enumerate() {
                if place >= next {
                    marks.push(((start + place) as u32, counted as u32));
                    next = place + MARK_DISTANCE;
                }
            }
        }
        marks
    }
}

/// The length of a byte order mark, which has no column.
fn byte_order_mark(line: &str, start: usize) -> usize {
    if start == 0 && line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// How many grapheme clusters a piece of a line has.
fn clusters(piece: &str) -> usize {
    // Within a line, only a carriage return and newline are one cluster in ASCII, and the newline
    // ends the line.
    if piece.is_ascii() { piece.len() } else { piece.graphemes(true).count() }
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
    fn columns_of_long_lines_are_the_same() {
        for (piece, clusters) in [("abc", 3), ("e\u{301}x", 2), ("🇦🇧", 1), ("👩\u{200d}💻", 1), ("\r", 1)] {
            let text = format!("\u{feff}{}\n{}\n", piece.repeat(3_000), piece.repeat(3_000));
            let table = LineTable::new(&text);
            let second = text.find('\n').expect("a newline") + 1;
            for count in [0, 1, 700, 1_366, 2_047, 2_048, 2_999, 3_000] {
                let position = table.position(&text, 3 + count * piece.len());
                assert_eq!((position.line, position.column), (1, 1 + count * clusters), "{piece} {count}");
                let position = table.position(&text, second + count * piece.len());
                assert_eq!((position.line, position.column), (2, 1 + count * clusters), "{piece} {count}");
            }
        }
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
