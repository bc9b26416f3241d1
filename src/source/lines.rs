//! Lines and columns.

use std::sync::OnceLock;

use unicode_segmentation::UnicodeSegmentation;

use super::Span;
use crate::work;

/// A position in a source for users: `line` and `column` from 1, the column in Unicode grapheme clusters, which readers
/// perceive as characters. A tab is one column. `byte` counts from 0. A byte order mark at the start has no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in grapheme clusters, from 1.
    pub column: usize,
    /// The offset in bytes, from 0.
    pub byte: usize,
}

/// A position in a source for editors (Language Server Protocol, "Position"): `line` and `character` from 0, the
/// character in UTF-16 code units.
///
/// ```
/// use hcl_lr::Source;
/// use hcl_lr::source::Utf16Position;
///
/// let source = Source::from("a = 1\nb = \"😀\"\n");
/// let quote = source.text().rfind('"').expect("a quote");
/// let position = source.utf16_position(quote);
/// assert_eq!(position, Utf16Position { line: 1, character: 7 });
/// assert_eq!(source.offset_of_utf16(position), quote);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Utf16Position {
    /// The line, from 0. Lines end with a newline.
    pub line: usize,
    /// The number of UTF-16 code units before the place in its line.
    pub character: usize,
}

/// The approximate number of bytes that are visited for a column.
const STRIDE: usize = 1024;

/// The offset at which each line starts.
#[derive(Clone)]
pub(super) struct LineTable {
    starts: Vec<u32>,
    /// The columns of some positions in long lines, in order. Otherwise, in a file of one line, as programs write JSON,
    /// every column would be counted from the start of the file.
    marks: OnceLock<Vec<Mark>>,
}

/// A position in a line at which a grapheme cluster begins.
#[derive(Clone, Copy)]
struct Mark {
    byte: u32,
    /// The number of clusters before it.
    clusters: u32,
    /// The number of UTF-16 code units before it.
    units: u32,
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
        Some(Span::of(start, end))
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
        if byte - from > STRIDE
            && let Some(mark) = self.last_mark(text, from, |mark| mark.byte as usize <= byte)
        {
            (from, column) = (mark.byte as usize, 1 + mark.clusters as usize);
        }
        column += clusters(&text[from..byte]);
        Position { line, column, byte }
    }

    pub fn utf16_position(&self, text: &str, offset: usize) -> Utf16Position {
        let mut byte = offset.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= byte);
        let (mut from, mut character) = (self.starts[line - 1] as usize, 0);
        if byte - from > STRIDE
            && let Some(mark) = self.last_mark(text, from, |mark| mark.byte as usize <= byte)
        {
            (from, character) = (mark.byte as usize, mark.units as usize);
        }
        Utf16Position { line: line - 1, character: character + units(&text[from..byte]) }
    }

    pub fn offset_of_utf16(&self, text: &str, position: Utf16Position) -> usize {
        let Some(span) = position.line.checked_add(1).and_then(|line| self.span(line, text.len())) else {
            return text.len();
        };
        let end = span.start() + text[span.range()].trim_end_matches('\n').trim_end_matches('\r').len();
        let (mut at, mut left) = (span.start(), position.character);
        if left > STRIDE {
            let is_before = |mark: &Mark| {
                let (byte, units) = (mark.byte as usize, mark.units as usize);
                byte < span.start() || byte < span.end() && units <= position.character
            };
            if let Some(mark) = self.last_mark(text, at, is_before) {
                (at, left) = (mark.byte as usize, left - mark.units as usize);
            }
        }
        for char in text[at.min(end)..end].chars() {
            if left < char.len_utf16() {
                break;
            }
            left -= char.len_utf16();
            at += char.len_utf8();
        }
        at.min(end)
    }

    /// Returns the last mark for which a condition holds, if it is in the line that starts at `start`. The condition
    /// holds for a prefix of the marks.
    fn last_mark(&self, text: &str, start: usize, is_before: impl Fn(&Mark) -> bool) -> Option<Mark> {
        let marks = self.marks.get_or_init(|| marks(text, &self.starts));
        let last = marks[marks.partition_point(is_before).checked_sub(1)?];
        (last.byte as usize > start).then_some(last)
    }
}

/// Returns the start of the first column of a line: after the byte order mark.
fn line_begin(text: &str, start: usize) -> usize {
    if start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start }
}

/// Returns the number of grapheme clusters in a part of a line.
fn clusters(text: &str) -> usize {
    work::step(1 + text.len() / 16);
    // Within a line, only a carriage return and newline form one cluster in ASCII, and the newline ends the line.
    if text.is_ascii() { text.len() } else { text.graphemes(true).count() }
}

/// Returns the number of UTF-16 code units of a part of a line.
fn units(text: &str) -> usize {
    work::step(1 + text.len() / 16);
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

fn marks(text: &str, starts: &[u32]) -> Vec<Mark> {
    work::step(1 + text.len() / 16);
    let ends = starts.iter().skip(1).map(|&next| next as usize).chain([text.len()]);
    let mut marks = Vec::new();
    for (&start, end) in starts.iter().zip(ends) {
        let (mut at, mut clusters) = (line_begin(text, start as usize), 0);
        let mut counted = units(&text[start as usize..at]);
        while at + STRIDE < end {
            let (from, next) = (at, at + STRIDE);
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
            counted += units(&text[from..at]);
            marks.push(Mark { byte: at as u32, clusters: clusters as u32, units: counted as u32 });
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
    fn utf16_positions_lead_back() {
        let piece = "e\u{301}🏴\u{e0067}👩\u{200d}👧 ab";
        let line = [&*piece.repeat(100), &*"x".repeat(3 * STRIDE - 7), &*piece.repeat(20)].concat();
        let text = format!("\u{feff}{line}\r\nshort\n{line}\n{line}");
        let table = LineTable::new(&text);
        let ends = [3 + line.len() + 1, text.len()];
        for (offset, _) in text.char_indices().filter(|(offset, _)| !ends.contains(offset)) {
            let position = table.utf16_position(&text, offset);
            let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
            let counted: usize = text[start..offset].chars().map(char::len_utf16).sum();
            let line = text[..offset].matches('\n').count();
            assert_eq!(position, Utf16Position { line, character: counted }, "at {offset}");
            assert_eq!(table.offset_of_utf16(&text, position), offset, "of {position:?}");
        }
    }

    #[test]
    fn utf16_positions_beyond_a_line_are_at_its_end() {
        let text = "a😀\r\nb";
        let table = LineTable::new(text);
        let offset = |line, character| table.offset_of_utf16(text, Utf16Position { line, character });
        assert_eq!(offset(0, 2), 1, "within a pair of surrogates");
        assert_eq!((offset(0, 99), offset(1, 99), offset(9, 0)), (5, 8, 8));
        assert_eq!(offset(usize::MAX, usize::MAX), 8);
        assert_eq!(table.utf16_position(text, 99), Utf16Position { line: 1, character: 1 });
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
