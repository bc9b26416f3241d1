//! Text and positions in it. It does not depend on any syntax.
//!
//! A [`Source`] is the text of one file. Its parts are [`Span`]s of bytes; lines and columns are computed on demand. A
//! span with its source is a [`Place`], and a span with a new text is a [`Replacement`].

pub mod bounded;
mod from;
mod lines;
mod offsets;
mod place;
mod replacement;
pub mod visible;

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use lines::LineTable;
pub use lines::{Position, Utf16Position};
pub use offsets::Offsets;
pub(crate) use place::Outer;
pub use place::Place;
pub use replacement::{Replacement, ReplacementError};

/// A range of bytes of a [`Source`]: `start` inclusive, `end` exclusive.
///
/// ```
/// let span = hcl_lr::source::Span::new(4, 9);
/// assert_eq!((span.start(), span.end(), span.len()), (4, 9, 5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The span of the bytes from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "{start}..{end}");
        // No source has more bytes.
        let [start, end] = [start, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Span { start, end }
    }

    /// The same for offsets as trees store them.
    pub(crate) fn of(start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "{start}..{end}");
        Span { start, end }
    }

    /// The offset of the first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// The offset after the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        self.end() - self.start()
    }

    /// Returns true if the span has no bytes: it is then a place between two bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span as a range, to index text with.
    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }

    /// The smallest span that holds both.
    pub fn join(self, other: Span) -> Span {
        Span::of(self.start.min(other.start), self.end.max(other.end))
    }

    /// Returns true if `offset` is in the span, or at its end.
    pub fn touches(self, offset: usize) -> bool {
        self.start() <= offset && offset <= self.end()
    }
}

/// To index text with, as [`Span::range`].
impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.range()
    }
}

/// Converts a byte range, such as the one of a `Spanned` of serde_spanned, to a span.
///
/// ```
/// use hcl_lr::source::Span;
///
/// assert_eq!(Span::from(2..5), Span::new(2, 5));
/// ```
impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Span::new(range.start, range.end.max(range.start))
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// The text of one file, with its name.
///
/// The text is always valid UTF-8. Each invalid byte is replaced by the control character SUBSTITUTE (U+001A), so that
/// offsets are those of the file, and parsing reports its place. (Native syntax specification, "Source Code
/// Representation".)
///
/// ```
/// use hcl_lr::source::Source;
///
/// let source = Source::new("main.hcl", "a = 1\nb = 2\n");
/// let position = source.position(6);
/// assert_eq!((position.line, position.column, position.byte), (2, 1, 6));
/// ```
#[derive(Clone)]
pub struct Source {
    name: Box<str>,
    text: Box<str>,
    invalid: Vec<Span>,
    /// The original bytes, if they were not valid UTF-8.
    original: Option<Box<[u8]>>,
    lines: OnceLock<LineTable>,
    outer: Option<Box<Outer>>,
}

/// The longest text that is parsed, in bytes: 4 GiB minus two.
pub const MAX_LENGTH: usize = u32::MAX as usize - 1;

/// The byte that replaces each byte that is not valid UTF-8.
pub(crate) const SUBSTITUTE: u8 = 0x1a;

impl Source {
    /// Creates a source with a name, which is used in diagnostics only.
    pub fn new(name: &str, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into().into_boxed_str());
        Source { name, text, invalid: Vec::new(), original: None, lines: OnceLock::new(), outer: None }
    }

    /// A source from bytes that should be UTF-8.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        match String::from_utf8(bytes.into()) {
            Ok(text) => Source::new(name, text),
            Err(error) => {
                let bytes = error.into_bytes();
                let (text, invalid) = substitute_invalid(&bytes);
                Source { invalid, original: Some(bytes.into_boxed_slice()), ..Source::new(name, text) }
            }
        }
    }

    /// The name given to it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the original bytes, including those that are not valid UTF-8. Offsets are the same as in the text.
    ///
    /// ```
    /// use hcl_lr::source::Source;
    ///
    /// let source = Source::from_bytes("main.hcl", b"a = \"\xff\"\n".to_vec());
    /// assert_eq!(source.text(), "a = \"\u{1a}\"\n");
    /// assert_eq!(source.bytes(), b"a = \"\xff\"\n");
    /// ```
    pub fn bytes(&self) -> &[u8] {
        self.original.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// Returns the spans of the original bytes that were not valid UTF-8, in order.
    pub fn invalid_utf8(&self) -> &[Span] {
        &self.invalid
    }

    /// Returns true if the byte at an offset replaces one that was not valid UTF-8.
    pub(crate) fn is_substitute(&self, at: usize) -> bool {
        is_substitute(self.text.as_bytes(), &self.invalid, at)
    }

    /// Returns true if the text looks like UTF-16.
    pub(crate) fn looks_like_utf16(&self) -> bool {
        looks_like_utf16(self.text.as_bytes(), &self.invalid)
    }

    /// Returns line and column of a byte offset; within a character, those of the character.
    pub fn position(&self, offset: usize) -> Position {
        self.line_table().position(&self.text, offset)
    }

    /// Returns the line and character of a byte offset for editors: from 0, in UTF-16 code units. An offset within a
    /// character has the position of the character.
    pub fn utf16_position(&self, offset: usize) -> Utf16Position {
        self.line_table().utf16_position(&self.text, offset)
    }

    /// Returns the byte offset of an editor's line and character. A character after the end of its line is at the end
    /// of the line, a line after the last one at the end of the text, and a character within a surrogate pair before
    /// the pair.
    pub fn offset_of_utf16(&self, position: Utf16Position) -> usize {
        self.line_table().offset_of_utf16(&self.text, position)
    }

    /// Returns a function for line and column of many byte offsets, mostly in ascending order, whose time does not
    /// depend on the length of lines.
    pub fn positions(&self) -> impl FnMut(usize) -> Position {
        let mut last = self.position(0);
        move |offset| {
            let text = &self.text.as_bytes()[..offset.min(self.text.len())];
            // In ASCII text within a line, each byte is a column.
            let near = text
                .get(last.byte.saturating_sub(1)..)
                .is_some_and(|piece| piece.is_ascii() && !piece.contains(&b'\n'));
            last = if near && last.byte > 0 {
                let column = last.column + offset - last.byte;
                Position { column, byte: offset, ..last }
            } else {
                self.position(offset)
            };
            last
        }
    }

    /// Returns the number of lines, including the one after the last newline.
    pub fn line_count(&self) -> usize {
        self.line_table().count()
    }

    /// Returns the span of a line, counted from 1, with its newline.
    pub fn line_span(&self, line: usize) -> Option<Span> {
        self.line_table().span(line, self.text.len())
    }

    fn line_table(&self) -> &LineTable {
        self.lines.get_or_init(|| LineTable::new(&self.text))
    }

    #[doc(hidden)]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("bytes", &self.text.len()).finish_non_exhaustive()
    }
}

/// Returns true if a byte of a text replaces one that was not valid UTF-8; `invalid` has the spans of these bytes.
pub(crate) fn is_substitute(text: &[u8], invalid: &[Span], at: usize) -> bool {
    let next = invalid.partition_point(|span| span.end() <= at);
    text.get(at) == Some(&SUBSTITUTE) && invalid.get(next).is_some_and(|span| span.start() <= at)
}

/// Returns true if a text begins with the byte order mark of UTF-16, or if exactly every other byte of its start is
/// zero; `invalid` has the spans of the bytes that were not valid UTF-8.
pub(crate) fn looks_like_utf16(text: &[u8], invalid: &[Span]) -> bool {
    let mark = invalid.first().is_some_and(|span| span.range() == (0..2)) && text[..4.min(text.len())].contains(&0);
    mark || text.len() > 3
        && matches!([0, 1, 2, 3].map(|at| text[at] == 0), [true, false, true, false] | [false, true, false, true])
}

fn substitute_invalid(bytes: &[u8]) -> (String, Vec<Span>) {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid: Vec<Span> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let start = text.len();
        text.extend(chunk.invalid().iter().map(|_| char::from(SUBSTITUTE)));
        // A text beyond the largest source is not parsed, so it needs no spans.
        if start < text.len() && text.len() <= MAX_LENGTH {
            match invalid.last_mut() {
                Some(last) if last.end() == start => last.end = text.len() as u32,
                _ => invalid.push(Span::new(start, text.len())),
            }
        }
    }
    (text, invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_bytes_keep_their_places() {
        let source = Source::from_bytes("x", b"a\xff\xc0\xafb\xed\xa0\x80\xe9".to_vec());
        assert_eq!(source.text(), "a\x1a\x1a\x1ab\x1a\x1a\x1a\x1a");
        assert_eq!(source.invalid_utf8(), [Span::new(1, 4), Span::new(5, 9)]);
    }

    #[test]
    fn valid_bytes_are_kept() {
        let source = Source::from_bytes("x", "é\u{1a}".as_bytes().to_vec());
        assert_eq!(source.text(), "é\u{1a}");
        assert!(source.invalid_utf8().is_empty());
    }
}
