//! Texts that consist of parts of the source, of new text and of each other, and are put together once, at the end.
//! Putting them together level by level would copy inner texts once for each level.

use std::ops::Range;

use crate::identifier::is_identifier;
use crate::source::Span;

/// A text that is not put together yet, with the facts that are needed before.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    from: usize,
    to: usize,
    pub len: usize,
    pub has_newline: bool,
    pub begins_with_minus: bool,
    /// The markers of the new heredocs in the text, as bits.
    pub markers: u8,
}

#[derive(Clone, Copy)]
enum Part {
    /// A piece of the source.
    Written { from: usize, to: usize },
    /// A piece of the new text.
    New { from: usize, to: usize },
    /// Another text: parts that were made before.
    Parts { from: usize, to: usize },
}

/// The pieces of the new texts.
pub(super) struct Drafts<'t> {
    source: &'t str,
    /// The line ends of the source, so that its text is not searched again on each level.
    newlines: Vec<usize>,
    has_heredoc: bool,
    new: String,
    parts: Vec<Part>,
}

impl<'t> Drafts<'t> {
    /// Creates the drafts for a part of a source.
    pub fn new(source: &'t str, span: Span) -> Self {
        let written = source.get(span.range()).unwrap_or_default();
        let newlines: Vec<usize> = written.match_indices('\n').map(|(at, _)| span.start() + at).collect();
        let has_heredoc = !newlines.is_empty() && written.contains("<<");
        Drafts { source, newlines, has_heredoc, new: String::new(), parts: Vec::new() }
    }

    /// Creates an empty text. Begin the next one after this one is complete.
    pub fn begin(&self) -> Draft {
        let at = self.parts.len();
        Draft { from: at, to: at, len: 0, has_newline: false, begins_with_minus: false, markers: 0 }
    }

    pub fn of(&mut self, text: &str) -> Draft {
        let mut draft = self.begin();
        self.add(&mut draft, text);
        draft
    }

    /// Adds new text.
    pub fn add(&mut self, to: &mut Draft, text: &str) {
        let from = self.new.len();
        self.new.push_str(text);
        to.begins_with_minus |= to.len == 0 && text.starts_with('-');
        to.has_newline |= text.contains('\n');
        to.len += text.len();
        let end = self.new.len();
        match self.parts[to.from..].last_mut() {
            Some(Part::New { to: last, .. }) if *last == from => *last = end,
            _ => self.push(to, Part::New { from, to: end }),
        }
    }

    /// Adds text of the source. Returns `None` if there is no such text.
    pub fn add_written(&mut self, to: &mut Draft, range: Range<usize>) -> Option<()> {
        let text = self.source.get(range.clone())?;
        to.begins_with_minus |= to.len == 0 && text.starts_with('-');
        to.has_newline |= self.has_newline(&range);
        to.len += text.len();
        self.push(to, Part::Written { from: range.start, to: range.end });
        Some(())
    }

    pub fn add_draft(&mut self, to: &mut Draft, inner: Draft) {
        to.begins_with_minus |= to.len == 0 && inner.begins_with_minus;
        to.has_newline |= inner.has_newline;
        to.markers |= inner.markers;
        to.len += inner.len;
        self.push(to, Part::Parts { from: inner.from, to: inner.to });
    }

    /// Returns true if a part of the source has more than one line.
    pub fn has_newline(&self, range: &Range<usize>) -> bool {
        let at = self.newlines.partition_point(|&newline| newline < range.start);
        self.newlines.get(at).is_some_and(|&newline| newline < range.end)
    }

    /// Returns true if a line of the source that may be the closing line of a heredoc ends at this position.
    pub fn may_end_heredoc(&self, at: usize) -> bool {
        let Some((before, rest)) = self.source.split_at_checked(at).filter(|_| self.has_heredoc) else { return false };
        let line = before.rsplit('\n').next().unwrap_or_default().trim();
        (rest.starts_with('\n') || rest.starts_with("\r\n")) && is_identifier(line)
    }

    fn push(&mut self, to: &mut Draft, part: Part) {
        debug_assert_eq!(to.to, self.parts.len(), "another text was begun");
        self.parts.push(part);
        to.to = self.parts.len();
    }

    /// Puts a text together.
    pub fn text(&self, draft: Draft) -> String {
        let mut out = String::with_capacity(draft.len);
        let (mut level, mut around) = (draft.from..draft.to, Vec::new());
        loop {
            match level.next().map(|at| self.parts[at]) {
                Some(Part::Written { from, to }) => out.push_str(&self.source[from..to]),
                Some(Part::New { from, to }) => out.push_str(&self.new[from..to]),
                Some(Part::Parts { from, to }) => around.push(std::mem::replace(&mut level, from..to)),
                None => match around.pop() {
                    Some(outer) => level = outer,
                    None => return out,
                },
            }
        }
    }
}
