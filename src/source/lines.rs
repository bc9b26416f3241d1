//! Lines and columns.

use std::sync::OnceLock;

use unicode_segmentation::UnicodeSegmentation;

use super::Span;
use crate::work;

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

/// The number of bytes, or a few more, that are visited for a column.
const STRIDE: usize = 1024;

/// The offset at which each line starts.
#[derive(Clone)]
pub(super) struct LineTable {
    starts: Vec<u32>,
    /// The columns of some places in long lines, in order. In a file of one line, as programs write
    /// JSON, every column would else be counted from the start of the file.
    marks: OnceLock<Vec<Mark>>,
}

/// A place in a line at which a grapheme cluster begins.
#[derive(Clone, Copy)]
struct Mark {
    byte: u32,
    /// The number of clusters before it.
    clusters: u32,
}

impl LineTable {
    pub fn new(text: &str) -> Self {
        work::step(1 + text.len() / 16);
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
        let mut from = line_begin(text, start).min(byte);
        let mut column = 1;
        if byte - from > STRIDE {
            let marks = self.marks.get_or_init(|| marks(text, &self.starts));
            let after = marks.partition_point(|mark| mark.byte as usize <= byte);
            let last = after.checked_sub(1).map(|last| marks[last]);
            if let Some(mark) = last.filter(|mark| mark.byte as usize > from) {
                (from, column) = (mark.byte as usize, 1 + mark.clusters as usize);
            }
        }
        column += clusters(&text[from..byte]);
        Position { line, column, byte }
    }
}

/// Returns the start of the first column of a line: after the byte order mark.
fn line_begin(text: &str, start: usize) -> usize {
    if start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start }
}

/// Returns the number of grapheme clusters in a part of a line.
fn clusters(text: &str) -> usize {
    work::step(1 + text.len() / 16);
    // Within a line, only a carriage return and newline are one cluster in ASCII, and the newline
    // ends the line.
    if text.is_ascii() { text.len() } else { text.graphemes(true).count() }
}

fn marks(text: &str, starts: &[u32]) -> Vec<Mark> {
    work::step(1 + text.len() / 16);
    let ends = starts.iter().skip(1).map(|&next| next as usize).chain([text.len()]);
    let mut marks = Vec::new();
    for (&start, end) in starts.iter().zip(ends) {
        let (mut at, mut clusters) = (line_begin(text, start as usize), 0);
        while at + STRIDE < end {
            let next = at + STRIDE;
            // Between two characters of ASCII a cluster ends.
            if text.as_bytes()[at..=next].is_ascii() {
                (at, clusters) = (next, clusters + STRIDE);
            } else {
                for cluster in text[at..end].graphemes(true) {
                    (at, clusters) = (at + cluster.len(), clusters + 1);
                    if at >= next {
                        break;
                    }
                }
            }
            marks.push(Mark { byte: at as u32, clusters: clusters as u32 });
        }
    }
    marks
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
    fn columns_of_long_lines_are_those_that_are_counted() {
        let piece = "e\u{301}🏴\u{e0067}🇩🇪🇫🇷👩\u{200d}👩\u{200d}👧 कषि\u{94d}\r ab";
        let line = [&piece.repeat(100), &"x".repeat(3 * STRIDE - 7), "\u{301}", &piece.repeat(20)].concat();
        let text = format!("\u{feff}{line}\r\nshort\n{line}");
        let table = LineTable::new(&text);
        for (begin, number) in [(3, 1), (text.len() - line.len(), 3)] {
            let places = (0..=line.len()).filter(|&at| line.is_char_boundary(at));
            for place in places.step_by(3) {
                let counted = line[..place].graphemes(true).count() + 1;
                let position = table.position(&text, begin + place);
                assert_eq!((position.line, position.column), (number, counted), "at {place}");
            }
        }
        assert_eq!(at(&text, text.find("short").expect("it is there")), (2, 1));
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
