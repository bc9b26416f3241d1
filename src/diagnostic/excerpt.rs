//! The excerpts of sources in rendered diagnostics.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use codespan_reporting::files::{Error, Files};

use super::{Diagnostic, Label};
use crate::sorting::sort_by_key;
use crate::source::{Offsets, Place, Source, Span, visible};

/// The number of lines of a long label that are shown after the first and before the last, as in codespan-reporting.
const AFTER_START: usize = 3;
const BEFORE_END: usize = 1;

/// The length of a line above which only this many characters before and after the place are shown.
const MAX_LINE: usize = 500;
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// Returns the places of a diagnostic that are shown, its own first.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = &Place> {
    std::iter::once(diagnostic.place()).chain(diagnostic.labels().iter().map(Label::place))
}

/// A newline cannot be underlined, so a span at one becomes a span at the end of its line.
fn visible_range(source: &Source, span: Span) -> Range<usize> {
    let seen = source.slice(span).trim_end_matches(['\r', '\n']);
    span.start()..span.start() + seen.len()
}

/// The excerpts of all sources of a diagnostic, as codespan expects files. The first one is the source of the
/// diagnostic's own place.
pub(super) struct Excerpts<'s> {
    excerpts: Vec<Excerpt<'s>>,
    marks: Vec<Mark>,
}

/// The index of a place of the diagnostic, and its range in its source.
type Numbered = (usize, Range<usize>);

/// A place in an excerpt.
struct Mark {
    /// The number of the place of the diagnostic.
    place: usize,
    excerpt: usize,
    /// The range in the text of the excerpt.
    range: Range<usize>,
    /// Its column in the source.
    column: usize,
}

impl<'s> Excerpts<'s> {
    pub fn new(diagnostic: &'s Diagnostic) -> Self {
        let mut sources: Vec<(&Arc<Source>, Vec<Numbered>)> = Vec::new();
        for (index, place) in places(diagnostic).enumerate() {
            let range = visible_range(place.source(), place.span());
            match sources.iter_mut().find(|(source, _)| Arc::ptr_eq(source, place.source())) {
                Some((_, ranges)) => ranges.push((index, range)),
                None => sources.push((place.source(), vec![(index, range)])),
            }
        }
        let mut marks = Vec::new();
        let mut excerpts = Vec::new();
        for (source, ranges) in sources {
            let excerpt = Excerpt::new(source, ranges.iter().map(|(_, range)| range));
            for (place, range) in ranges {
                let Some(shown) = excerpt.shown(&range) else { continue };
                let column = source.position(range.start).column;
                marks.push(Mark { place, excerpt: excerpts.len(), range: shown, column });
            }
            excerpts.push(excerpt);
        }
        // In the order of the places: that of the diagnostic first.
        sort_by_key(&mut marks, |mark| mark.place);
        Excerpts { excerpts, marks }
    }

    /// Returns each visible place: its index, that of the excerpt, and its range in the excerpt.
    pub fn ranges(&self) -> impl Iterator<Item = (usize, usize, Range<usize>)> {
        self.marks.iter().map(|mark| (mark.place, mark.excerpt, mark.range.clone()))
    }

    fn excerpt(&self, file: usize) -> Result<&Excerpt<'s>, Error> {
        self.excerpts.get(file).ok_or(Error::FileMissing)
    }
}

/// Lines of a source with all characters made visible.
struct Excerpt<'s> {
    source: &'s Source,
    text: String,
    lines: Vec<Line>,
    /// True if this is a piece of a very long line.
    is_piece: bool,
}

/// A line, or a piece of one.
struct Line {
    /// From 0.
    index: usize,
    source: Range<usize>,
    /// The range in the text.
    shown: Range<usize>,
    /// The mapping from offsets in the source to offsets in the text.
    offsets: Offsets,
}

impl<'s> Excerpt<'s> {
    fn new<'r>(source: &'s Source, mut ranges: impl Iterator<Item = &'r Range<usize>>) -> Self {
        let mut excerpt = Excerpt { source, text: String::new(), lines: Vec::new(), is_piece: false };
        let line_of = |at: usize| source.position(at).line - 1;
        let Some(first) = ranges.next() else { return excerpt };
        let index = line_of(first.start);
        if let Some(line) = source.line_span(index + 1).filter(|line| line.len() > MAX_LINE) {
            let boundary = |at: usize| (0..=at).rev().find(|&at| source.text().is_char_boundary(at)).unwrap_or(0);
            let begin = boundary(first.start.saturating_sub(BEFORE).max(line.start()));
            let end = boundary((first.start + AFTER).min(line.end()));
            let piece = source.text()[begin..end].trim_end_matches(['\r', '\n']);
            excerpt.is_piece = true;
            excerpt.push(index, begin..begin + piece.len());
            return excerpt;
        }
        let mut wanted: Vec<usize> = Vec::new();
        for range in std::iter::once(first).chain(ranges) {
            let (start, end) = (line_of(range.start), line_of(range.end));
            wanted.extend(start..=end.min(start + AFTER_START));
            wanted.extend(start.max(end.saturating_sub(BEFORE_END))..=end);
        }
        sort_by_key(&mut wanted, |line| *line);
        wanted.dedup();
        let mut before = None;
        for index in wanted {
            // A gap of one line is shown instead of marked as left out.
            let gap = before.filter(|&before| before + 2 == index).map(|before: usize| before + 1);
            for index in gap.into_iter().chain([index]) {
                if let Some(line) = source.line_span(index + 1) {
                    excerpt.push(index, line.range());
                }
            }
            before = Some(index);
        }
        excerpt
    }

    /// Adds a line, with invisible characters as escape sequences.
    fn push(&mut self, index: usize, place: Range<usize>) {
        let line = self.source.text().get(place.clone()).unwrap_or_default();
        let ending = line.strip_suffix("\r\n").or(line.strip_suffix('\n')).map_or(line.len(), str::len);
        let start = self.text.len();
        let mut offsets = Offsets::new(start);
        let mut done = 0;
        for (at, c) in line[..ending].char_indices() {
            if c == '\t' || !visible::is_control(c) {
                continue;
            }
            self.text.push_str(&line[done..at]);
            match self.source.is_substitute(place.start + at) {
                true => visible::push_byte(&mut self.text, self.source.bytes()[place.start + at]),
                false => visible::push_escaped(&mut self.text, c),
            }
            done = at + c.len_utf8();
            offsets.push(done, self.text.len());
        }
        self.text.push_str(&line[done..]);
        self.lines.push(Line { index, source: place, shown: start..self.text.len(), offsets });
    }

    /// Returns the range in the text, if its start is visible.
    fn shown(&self, range: &Range<usize>) -> Option<Range<usize>> {
        if self.is_piece {
            let line = self.lines.first()?;
            let Range { start, end } = line.source;
            let seen = (start..=end).contains(&range.start);
            return seen.then(|| line.offset(range.start)..line.offset(range.end.clamp(start, end)));
        }
        let offset = |at: usize| {
            let after = self.lines.partition_point(|line| line.source.start <= at);
            Some(self.lines.get(after.checked_sub(1)?)?.offset(at))
        };
        Some(offset(range.start)?..offset(range.end)?)
    }

    fn line(&self, index: usize) -> Option<&Line> {
        self.lines.binary_search_by_key(&index, |line| line.index).ok().map(|at| &self.lines[at])
    }
}

impl Line {
    fn offset(&self, at: usize) -> usize {
        self.offsets.outer(at - self.source.start).min(self.shown.end)
    }
}

impl<'s> Files<'s> for Excerpts<'_> {
    type FileId = usize;
    type Name = Cow<'s, str>;
    type Source = &'s str;

    fn name(&'s self, file: usize) -> Result<Cow<'s, str>, Error> {
        Ok(visible::line(self.excerpt(file)?.source.name()))
    }

    fn source(&'s self, file: usize) -> Result<&'s str, Error> {
        Ok(&self.excerpt(file)?.text)
    }

    fn line_index(&'s self, file: usize, byte_index: usize) -> Result<usize, Error> {
        let excerpt = self.excerpt(file)?;
        let after = excerpt.lines.partition_point(|line| line.shown.start <= byte_index);
        Ok(after.checked_sub(1).map_or(0, |at| excerpt.lines[at].index))
    }

    fn column_number(&'s self, file: usize, _line_index: usize, byte_index: usize) -> Result<usize, Error> {
        let here = |mark: &&Mark| mark.excerpt == file && mark.range.start == byte_index;
        Ok(self.marks.iter().find(here).map_or(1, |mark| mark.column))
    }

    fn line_range(&'s self, file: usize, line_index: usize) -> Result<Range<usize>, Error> {
        let excerpt = self.excerpt(file)?;
        // The other lines are not shown.
        Ok(excerpt.line(line_index).map_or(0..0, |line| line.shown.clone()))
    }
}
