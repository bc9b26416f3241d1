//! Reports unbalanced brackets, and documents that end too early.

use memchr::memrchr;

use super::MAX_SEARCH;
use crate::diagnostic::Applicability::NeedsReview;
use crate::diagnostic::{Code, Finding};
use crate::json::reader::{NONE, Reader, Step, space_end};
use crate::json::tree::Tag;
use crate::source::Replacement;

impl Reader<'_> {
    /// A closing bracket of the other kind.
    pub(in crate::json) fn other_closer(&mut self, at: usize, byte: u8) -> (Step, usize) {
        let expected = if self.in_object { '}' } else { ']' };
        let found = char::from(byte);
        let opener = self.nodes[self.open as usize].start as usize;
        let mut diagnostic = Finding::error(
            Code::MismatchedCloser,
            self.span(at, at + 1),
            format!("`{expected}` is expected here, not `{found}`"),
        )
        .with_label(self.span(opener, opener + 1), "to close this");
        // It may close an outer container; all containers within that one have not been closed then.
        let wanted = if byte == b'}' { Tag::Object } else { Tag::Array };
        let (mut outer, mut distance) = (self.nodes[self.open as usize].next, 1);
        while outer != NONE && self.nodes[outer as usize].tag != wanted && distance < MAX_SEARCH {
            outer = self.nodes[outer as usize].next;
            distance += 1;
        }
        let next = self.byte(space_end(self.bytes, at + 1));
        let fits_outer = outer != NONE && self.nodes[outer as usize].tag == wanted && {
            let raw = self.nodes[outer as usize];
            let closer = self.indentation(at);
            let (inner, outer) = (self.indentation(opener), self.indentation(raw.start as usize));
            // A closer at the start of its line is indented like the opener that it was meant for. Any other one does
            // not close the document while more text follows.
            if closer.1 { closer.0 == outer.0 || closer.0 != inner.0 } else { raw.next != NONE || next.is_none() }
        };
        // The expected closer is right after it, or it would close the document too early.
        let is_root = self.nodes[self.open as usize].next == NONE;
        let enough = next == Some(expected as u8) && self.closers_suffice(at + 1);
        if !fits_outer && (enough || is_root && next.is_some()) {
            let detail = format!("this `{found}` closes nothing");
            self.closes_nothing(at, detail);
            if !matches!(next, Some(b',' | b'}' | b']')) {
                // It is in place of a comma.
                self.comma = NONE;
                return (if self.in_object { Step::Name } else { Step::Value }, at + 1);
            }
            return (Step::After, at + 1);
        }
        if fits_outer {
            let missing = Replacement::insertion(at, expected.to_string());
            diagnostic = diagnostic.with_help(format!("add the missing `{expected}` before it"));
            self.report(diagnostic.with_edits(NeedsReview, [missing]));
            for _ in 0..distance {
                self.close_unclosed(at);
            }
            return (Step::After, at);
        }
        let edit = Replacement::new(self.span(at, at + 1), expected.to_string());
        self.report(diagnostic.with_help(format!("write `{expected}` instead")).with_edits(NeedsReview, [edit]));
        self.close(at + 1)
    }

    fn closes_nothing(&mut self, at: usize, detail: String) {
        let span = self.span(at, at + 1);
        let diagnostic = Finding::error(Code::UnexpectedCloser, span, detail);
        let diagnostic = diagnostic.with_help("remove it, or add the opening one");
        self.report(diagnostic.with_choice("remove it", [Replacement::removal(span)]));
    }

    /// Returns true if the closing brackets from `at` on may close everything that is open: unless the source ends
    /// after fewer of them.
    fn closers_suffice(&self, mut at: usize) -> bool {
        for _ in 0..self.depth {
            at = space_end(self.bytes, at);
            match self.byte(at) {
                Some(b'}' | b']') => at += 1,
                byte => return byte.is_some(),
            }
        }
        true
    }

    /// Returns the indentation of the line of a position, and true if the position is the first in its line.
    pub(in crate::json) fn indentation(&self, at: usize) -> (usize, bool) {
        let near = &self.bytes[at.saturating_sub(MAX_SEARCH)..at];
        let Some(newline) = memrchr(b'\n', near) else {
            let start = space_end(self.bytes, 0);
            return if at <= MAX_SEARCH { (start, start == at) } else { (0, false) };
        };
        let line = at - (near.len() - newline - 1);
        let first =
            line + self.bytes[line..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).take(MAX_SEARCH).count();
        (first - line, first == at)
    }

    /// The source ends where something is expected.
    pub(in crate::json) fn end_of_file(&mut self, expected: &str) -> (Step, usize) {
        let end = self.bytes.len();
        if self.nodes.last().is_none_or(|last| last.is_name) {
            self.push(Tag::Error, end, end);
        }
        if self.open == NONE {
            let (span, help) = (self.span(end, end), "write `{}` for an empty body");
            let mend = (NeedsReview, Replacement::insertion(end, "{}"));
            self.report_mended(Code::MissingValue, span, "the document is empty", help, mend);
            return (Step::Done, end);
        }
        if self.is_cut() {
            return self.close_all(end);
        }
        let opener = self.nodes[self.open as usize].start as usize;
        let diagnostic = Finding::error(
            Code::UnclosedBracket,
            self.span(end, end),
            format!("the document ends where {expected} is expected"),
        )
        .with_label(self.span(opener, opener + 1), "this is never closed");
        self.report(diagnostic.with_help("the rest of the document is missing: complete it"));
        self.close_all(end)
    }

    /// The source ends and something is open.
    pub(in crate::json) fn unclosed(&mut self) -> (Step, usize) {
        let end = self.bytes.len();
        if !self.is_cut() {
            let diagnostic = self.unclosed_bracket();
            self.report(diagnostic);
        }
        self.close_all(end)
    }

    /// Returns true if the last reported error extends to the end of the source, like a string without its closing
    /// quote or a comment may: no further error is needed.
    pub(in crate::json) fn is_cut(&self) -> bool {
        let end = self.bytes.trim_ascii_end().len();
        let node = self.nodes.iter().rev().find(|node| node.start < node.end);
        let unread =
            node.is_some_and(|node| matches!(node.tag, Tag::Unclosed | Tag::Error) && node.end as usize >= end);
        let last = self.problems.last();
        last.is_some_and(|last| unread || last.subject().end() >= end || last.code() == Code::UnclosedComment)
    }

    pub(in crate::json) fn close_all(&mut self, end: usize) -> (Step, usize) {
        while self.open != NONE {
            self.close_unclosed(end);
        }
        (Step::Done, end)
    }

    /// Returns the error for the bracket that was not closed: determined by indentation, or else the innermost.
    pub(in crate::json) fn unclosed_bracket(&self) -> Finding {
        let closer_of = |tag: Tag| if matches!(tag, Tag::Object | Tag::UnclosedObject) { '}' } else { ']' };
        let wrong = self.nodes.iter().find(|node| {
            if !matches!(node.tag, Tag::Object | Tag::Array) || node.end == 0 {
                return false;
            }
            let closer = self.indentation(node.end as usize - 1);
            closer.1 && closer.0 < self.indentation(node.start as usize).0
        });
        let end = self.bytes.len();
        let (node, place, message) = match wrong {
            Some(node) => (node, node.end as usize - 1, "by the indentation, `?` is missing before this"),
            None => (&self.nodes[self.open as usize], end, "`?` is missing at the end of the document"),
        };
        let (start, closer) = (node.start as usize, closer_of(node.tag));
        let place = if wrong.is_some() { self.span(place, place + 1) } else { self.span(place, place) };
        let opener = self.span(start, start + 1);
        // After other mistakes, the end is what is unexpected.
        let diagnostic = if self.problems.is_empty() || wrong.is_some() {
            Finding::error(Code::UnclosedBracket, opener, "this is never closed")
                .with_label(place, message.replace('?', &closer.to_string()))
        } else {
            let detail = format!("the document ends without a `{closer}`");
            Finding::error(Code::UnclosedBracket, place, detail).with_label(opener, "this is never closed")
        };
        let missing = Replacement::insertion(place.start(), closer.to_string());
        diagnostic.with_help(format!("add the missing `{closer}`")).with_edits(NeedsReview, [missing])
    }

    /// A closing bracket where a value is expected.
    pub(in crate::json) fn closer_for_value(&mut self, at: usize, byte: u8) -> (Step, usize) {
        if self.open == NONE {
            self.report_at(
                Code::MissingValue,
                at,
                at + 1,
                "a value is expected, not a closing bracket",
                "a document is one object or array",
            );
            self.push(Tag::Error, at, self.bytes.len());
            return (Step::Done, at);
        }
        if self.in_object {
            let help = "add what is missing after the colon: `null` for no value";
            if !self.is_behind_substitute(at) {
                self.report_at(Code::MissingValue, at, at + 1, "a value is expected before this", help);
            }
            self.push(Tag::Error, at, at);
        } else if self.comma != NONE && byte == b']' {
            self.trailing_comma("element");
        }
        (Step::After, at)
    }

    pub(in crate::json) fn behind_root(&mut self, at: usize) -> (Step, usize) {
        let Some(byte) = self.byte(at) else {
            return (Step::Done, at);
        };
        let end = at + self.character(at).len_utf8();
        // If the root could not be read, nothing after it can be.
        if self.nodes.first().is_some_and(|root| root.tag == Tag::Error) {
            return (Step::Done, at);
        }
        match byte {
            b'}' | b']' => {
                let detail = format!("this `{}` closes nothing", char::from(byte));
                self.closes_nothing(at, detail);
                (Step::After, end)
            }
            _ => {
                self.report_at(
                    Code::ExtraAfterValue,
                    at,
                    end,
                    "the document has ended before this",
                    "a document is one value; put several objects in an array, separated by commas",
                );
                (Step::Done, at)
            }
        }
    }
}
