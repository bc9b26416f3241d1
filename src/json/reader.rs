//! Parses JSON in one pass, without recursion.
//!
//! The next part to read is a [`Step`]. Each open container links to the one around it, so no stack is needed.
//! Unexpected parts are handled in `recover`.

use super::string::{Escape, escape};
use super::tree::{RawNode, Tag};
use crate::diagnostic::{Code, Finding};
use crate::reading::{ParseOptions, nesting_too_deep};
use crate::source::{Source, Span};
use crate::syntax::mend::Mend;
use crate::syntax::number_out_of_range;
use crate::syntax::scan::{json_text_end, spaces_end};
use crate::work;

/// Represents the container around the root, and a missing comma.
pub(super) const NONE: u32 = u32::MAX;

/// The next part to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The name of a property and the colon after it.
    Name,
    /// A value.
    Value,
    /// The part after a value: a comma, or the closer of the container.
    After,
    /// Nothing.
    Done,
}

pub(super) struct Reader<'s> {
    pub source: &'s Source,
    pub bytes: &'s [u8],
    pub nodes: Vec<RawNode>,
    /// The innermost container that is open.
    pub open: u32,
    /// True if the innermost container is an object.
    pub in_object: bool,
    /// The number of open containers.
    pub depth: u32,
    /// The comma before what is being read.
    pub comma: u32,
    pub problems: Vec<Finding>,
    /// The number of bytes that may still be searched for the ends of mistakes, which bounds the time for many of them.
    pub search_budget: usize,
    options: &'s ParseOptions,
}

/// Returns the nodes of a document, the first of which is its root, and its errors.
pub(super) fn read(source: &Source, options: &ParseOptions) -> (Vec<RawNode>, Vec<Finding>) {
    let bytes = source.text().as_bytes();
    let mut reader = Reader {
        source,
        bytes,
        // Real files have a node every 10 to 30 bytes.
        nodes: Vec::with_capacity(bytes.len() / 16 + 4),
        open: NONE,
        in_object: false,
        depth: 0,
        comma: NONE,
        problems: Vec::new(),
        search_budget: 16 * bytes.len() + 1024,
        options,
    };
    reader.run();
    (reader.nodes, reader.problems)
}

/// Returns the first position from `at` on that is not white space.
#[inline(always)]
pub(super) fn space_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b' ') => at = spaces_end(bytes, at),
            Some(b'\n' | b'\r' | b'\t') => {
                work::step(1);
                at += 1;
            }
            _ => return at,
        }
    }
}

/// Each function takes the position of a part and returns the earliest start of the next one.
impl Reader<'_> {
    fn run(&mut self) {
        if self.encoding() {
            self.push(Tag::Error, 0, self.bytes.len());
            return;
        }
        let (mut step, mut at) = (Step::Value, 0);
        while step != Step::Done {
            work::step(1);
            at = space_end(self.bytes, at);
            let byte = self.bytes.get(at).copied();
            (step, at) = match step {
                Step::Value => self.value(at, byte),
                Step::After => self.after(at, byte),
                Step::Name => self.name(at, byte),
                Step::Done => break,
            };
        }
    }

    #[inline(always)]
    fn value(&mut self, at: usize, byte: Option<u8>) -> (Step, usize) {
        match byte {
            Some(b'"') => (Step::After, self.string(at, false)),
            Some(b'{') => self.open(at, Tag::Object),
            Some(b'[') => self.open(at, Tag::Array),
            Some(b'0'..=b'9' | b'-') => (Step::After, self.number(at)),
            Some(byte @ (b't' | b'f' | b'n')) => self.keyword(at, byte),
            _ => self.no_value(at),
        }
    }

    #[inline(always)]
    fn after(&mut self, at: usize, byte: Option<u8>) -> (Step, usize) {
        match byte {
            Some(b',') if self.open != NONE => {
                self.comma = at as u32;
                (if self.in_object { Step::Name } else { Step::Value }, at + 1)
            }
            Some(b'}') if self.in_object => self.close(at + 1),
            Some(b']') if !self.in_object && self.open != NONE => self.close(at + 1),
            _ => self.not_behind_value(at),
        }
    }

    #[inline(always)]
    fn name(&mut self, at: usize, byte: Option<u8>) -> (Step, usize) {
        if byte != Some(b'"') {
            return self.no_name(at);
        }
        let at = self.string(at, true);
        let at = space_end(self.bytes, at);
        match self.bytes.get(at) {
            Some(b':') => (Step::Value, at + 1),
            _ => self.no_colon(at),
        }
    }

    #[inline(always)]
    pub fn push(&mut self, tag: Tag, start: usize, end: usize) {
        self.nodes.push(RawNode { start: start as u32, end: end as u32, next: 0, tag, is_name: false });
    }

    pub fn push_name(&mut self, tag: Tag, start: usize, end: usize) {
        self.nodes.push(RawNode { start: start as u32, end: end as u32, next: 0, tag, is_name: true });
    }

    #[inline(always)]
    fn open(&mut self, at: usize, tag: Tag) -> (Step, usize) {
        if self.depth >= self.options.max_nesting {
            return self.too_deep(at);
        }
        self.depth += 1;
        let node = RawNode { start: at as u32, end: 0, next: self.open, tag, is_name: false };
        self.open = self.nodes.len() as u32;
        self.in_object = tag == Tag::Object;
        self.comma = NONE;
        self.nodes.push(node);
        let at = space_end(self.bytes, at + 1);
        match (tag, self.bytes.get(at)) {
            (Tag::Object, Some(b'}')) | (Tag::Array, Some(b']')) => self.close(at + 1),
            (Tag::Object, _) => (Step::Name, at),
            _ => (Step::Value, at),
        }
    }

    /// Closes the innermost container, which ends at `end`.
    #[inline(always)]
    pub fn close(&mut self, end: usize) -> (Step, usize) {
        let next = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            node.end = end as u32;
            self.open = std::mem::replace(&mut node.next, next);
            self.depth -= 1;
            self.in_object = self.nodes.get(self.open as usize).is_some_and(|outer| outer.tag == Tag::Object);
        }
        (Step::After, end)
    }

    /// Closes the innermost container, whose closing bracket is missing, before `end`.
    pub fn close_unclosed(&mut self, end: usize) {
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            node.tag = if node.tag == Tag::Object { Tag::UnclosedObject } else { Tag::UnclosedArray };
        }
        self.close(end);
    }

    #[inline(always)]
    pub fn string(&mut self, start: usize, is_name: bool) -> usize {
        let at = json_text_end(self.bytes, start + 1);
        if self.bytes.get(at) == Some(&b'"') {
            let (start, end) = (start as u32, at as u32 + 1);
            self.nodes.push(RawNode { start, end, next: 0, tag: Tag::Plain, is_name });
            return at + 1;
        }
        self.string_with(start, at, is_name)
    }

    /// Reads a string with an escape sequence, or another character that is not plain text, at `at`.
    fn string_with(&mut self, start: usize, mut at: usize, is_name: bool) -> usize {
        let mut tag = Tag::Plain;
        let mut has_control = false;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => {
                    at += 1;
                    break;
                }
                Some(b'\\') => {
                    tag = Tag::Escaped;
                    if let Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') = self.bytes.get(at + 1) {
                        at = json_text_end(self.bytes, at + 2);
                        continue;
                    }
                    let (length, escape) = escape(&self.bytes[at..]);
                    if !matches!(escape, Escape::Character(_)) {
                        self.wrong_escape(at, at + length, escape);
                    }
                    at += length;
                }
                Some(&byte @ ..0x20) => {
                    let (end, is_end) = self.control_character(start, at, byte, &mut has_control);
                    at = end;
                    if is_end {
                        tag = Tag::Unclosed;
                        break;
                    }
                }
                Some(_) => at += 1,
                None => {
                    tag = Tag::Unclosed;
                    self.unclosed_string(start);
                    break;
                }
            }
            at = json_text_end(self.bytes, at);
        }
        self.nodes.push(RawNode { start: start as u32, end: at as u32, next: 0, tag, is_name });
        at
    }

    #[inline(always)]
    fn number(&mut self, start: usize) -> usize {
        let digits_end = |mut at: usize| {
            while self.bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let first = start + usize::from(self.bytes.get(start) == Some(&b'-'));
        let mut at = digits_end(first);
        let mut valid = at > first && (self.bytes[first] != b'0' || at == first + 1);
        let mut is_small = true;
        if self.bytes.get(at) == Some(&b'.') {
            let fraction = at + 1;
            at = digits_end(fraction);
            valid &= at > fraction;
        }
        if let Some(b'e' | b'E') = self.bytes.get(at) {
            let sign = matches!(self.bytes.get(at + 1), Some(b'+' | b'-'));
            let exponent = at + 1 + usize::from(sign);
            at = digits_end(exponent);
            valid &= at > exponent;
            is_small = at - exponent <= 4;
        }
        let ends = !self.bytes.get(at).is_some_and(|&byte| continues_number(byte));
        if !valid || !ends {
            return self.wrong_number(start);
        }
        // A number with this few digits, before and in its exponent, is in range.
        if !is_small || at - start > 1_000 {
            let text = &self.source.text()[first..at];
            if let Some(diagnostic) = number_out_of_range(text, Span::new(start, at)) {
                self.report(diagnostic);
                self.push(Tag::Error, start, at);
                return at;
            }
        }
        self.push(Tag::Number, start, at);
        at
    }

    #[inline(always)]
    fn keyword(&mut self, at: usize, byte: u8) -> (Step, usize) {
        let (text, tag): (&[u8], _) = match byte {
            b't' => (b"true", Tag::True),
            b'f' => (b"false", Tag::False),
            _ => (b"null", Tag::Null),
        };
        let end = at + text.len();
        let ends = !self.bytes.get(end).is_some_and(|&byte| continues_number(byte));
        if self.bytes.get(at..end) != Some(text) || !ends {
            return self.no_value(at);
        }
        self.push(tag, at, end);
        (Step::After, end)
    }

    /// Skips a container that is deeper than allowed.
    #[cold]
    fn too_deep(&mut self, start: usize) -> (Step, usize) {
        self.report(nesting_too_deep(Span::new(start, start + 1), self.options.max_nesting));
        let mut at = start;
        let mut depth = 0usize;
        while let Some(&byte) = self.bytes.get(at) {
            work::step(1);
            at += 1;
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b'"' => at = self.quiet_string_end(at),
                _ => {}
            }
        }
        self.push(Tag::Error, start, at);
        (Step::After, at)
    }

    /// Returns the position after the closing quote of a string whose text begins at `at`.
    fn quiet_string_end(&self, mut at: usize) -> usize {
        loop {
            at = json_text_end(self.bytes, at);
            match self.bytes.get(at) {
                None => return at,
                Some(b'"') => return at + 1,
                Some(b'\\') => at = (at + 2).min(self.bytes.len()),
                Some(_) => at += 1,
            }
        }
    }

    /// Adds a diagnostic, unless there already is one for the same place. Diagnostics beyond the maximum are dropped.
    #[cold]
    pub fn report(&mut self, diagnostic: Finding) {
        let again = self.problems.last().is_some_and(|last| last.subject().start() == diagnostic.subject().start());
        if !again && self.problems.len() <= self.options.max_errors {
            self.problems.push(diagnostic);
        }
    }

    #[cold]
    pub fn report_at(
        &mut self,
        code: Code,
        start: usize,
        end: usize,
        detail: impl Into<std::borrow::Cow<'static, str>>,
        help: &'static str,
    ) {
        let diagnostic = Finding::error(code, Span::new(start, end), detail);
        self.report(diagnostic.with_help(help));
    }

    /// Does the same for a problem that an edit would fix.
    #[cold]
    pub fn report_mended(
        &mut self,
        code: Code,
        span: Span,
        detail: impl Into<std::borrow::Cow<'static, str>>,
        help: impl Into<std::borrow::Cow<'static, str>>,
        (applicability, edit): Mend,
    ) {
        self.report(Finding::error(code, span, detail).with_help(help).with_edits(applicability, [edit]));
    }
}

/// Returns true for bytes that cannot follow a number or keyword directly.
pub(super) fn continues_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'+')
}
