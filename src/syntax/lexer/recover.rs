//! Brackets that do not pair.
//!
//! A missing bracket is noticed elsewhere, often far after its place. The aim here is that one missing bracket is one
//! report, at the opening bracket, and that the text after it is read as intended. Three signs show where an expression
//! should have ended: a closing bracket of an outer pair, `name =` at the start of a line where no `=` can be, and the
//! header of a block. If none of them occurs before the end of the file, indentation decides ([`Repair`]).

use memchr::memrchr;

use super::Lexer;
use super::mode::{Frame, Mode};
use crate::diagnostic::Applicability::{self, NeedsReview};
use crate::diagnostic::{Code, Finding};
use crate::reading::liberty;
use crate::source::{Replacement, Span};
use crate::syntax::index::TokenIndex;
use crate::syntax::scan::identifier_end;
use crate::syntax::token::TokenKind;

/// The number of times a file is read again with another missing bracket inserted.
pub(super) const MAX_REPAIRS: usize = 8;

/// The number of frames searched for the opener of a bracket or quote.
pub(super) const MAX_SEARCH: usize = 100;

/// A bracket that is closed before a line although the source has no closer there.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Repair {
    pub line_start: usize,
    /// The place of the opening bracket.
    pub opener: usize,
}

/// Returns the error for a `${` or `%{` that is not closed in its line.
pub(super) fn unclosed_sequence(opener: Span, interpolation: bool) -> Finding {
    let open = if interpolation { "${" } else { "%{" };
    let detail = format!("this `{open}` is not closed before the end of the line");
    Finding::error(Code::UnclosedSequence, opener, detail)
        .with_help(format!("add the missing `}}`, or write `{}{open}` for a literal `{open}`", &open[..1]))
}

impl Lexer<'_> {
    /// Reads a closing bracket that does not match the open one.
    #[cold]
    pub(super) fn other_closer(&mut self, at: usize, byte: u8) -> usize {
        let fits = |frame: &Frame| match (byte, frame.mode) {
            (b'}', Mode::Object | Mode::Sequence) => true,
            (b'}', Mode::Body) => !self.outer.is_empty(),
            (b'}', Mode::Brackets) => self.opener_kind(frame) == Some(TokenKind::OpenBrace),
            (b')', Mode::Brackets) => self.opener_kind(frame) == Some(TokenKind::OpenParen),
            (b']', Mode::Brackets) => self.opener_kind(frame) == Some(TokenKind::OpenBracket),
            _ => false,
        };
        let passes = |frame: &Frame| match frame.mode {
            Mode::Brackets | Mode::Object => true,
            Mode::Attribute => byte == b'}',
            _ => false,
        };
        let frames = std::iter::once(&self.frame).chain(self.outer.iter().rev()).take(MAX_SEARCH);
        let mut distance = None;
        // The outermost frame of a file is not a bracket.
        let brackets = self.outer.len();
        for (index, frame) in frames.take(brackets).enumerate() {
            if fits(frame) {
                distance = Some(index);
                break;
            }
            if !passes(frame) {
                break;
            }
        }
        match distance {
            Some(distance) => {
                self.close_frames(distance, at, self.span(at, at + 1));
                at
            }
            None => self.stray_closer(at, byte),
        }
    }

    /// Reports a closing bracket without an opening one of its kind.
    fn stray_closer(&mut self, at: usize, byte: u8) -> usize {
        let closer = char::from(byte);
        let open = !self.outer.is_empty() && matches!(self.frame.mode, Mode::Brackets | Mode::Object);
        if open {
            let opener = self.opener_span(&self.frame);
            let (kind, expected) = self.closing(&self.frame);
            let diagnostic = Finding::error(
                Code::MismatchedCloser,
                self.span(at, at + 1),
                format!("`{expected}` is expected here, not `{closer}`"),
            );
            let edit = Replacement::new(self.span(at, at + 1), expected);
            self.report(diagnostic.with_label(opener, "to close this").with_edits(NeedsReview, [edit]));
            return self.close(kind, at, at + 1);
        }
        let diagnostic =
            Finding::error(Code::UnexpectedCloser, self.span(at, at + 1), format!("this `{closer}` closes nothing"));
        // A line with nothing else is removed with it.
        let line = match (self.near_line_start(at), self.near_line_end(at)) {
            (Some(start), Some(end)) => self.span(start, end + 1),
            _ => self.span(at, at + 1),
        };
        let alone = self.source[line.start()..line.end()].trim_ascii().len() == 1;
        let place = if alone { line } else { self.span(at, at + 1) };
        let removal = Replacement::removal(place);
        self.report(diagnostic.with_help("remove it, or add the opening one").with_choice("remove it", [removal]));
        self.skip_text(at, at + 1)
    }

    pub(super) fn opener_kind(&self, frame: &Frame) -> Option<TokenKind> {
        (frame.opener < self.tokens.next()).then(|| self.tokens.kind(frame.opener))
    }

    fn opener_span(&self, frame: &Frame) -> Span {
        let start = self.tokens.start(frame.opener) as usize;
        self.span(start, start + if frame.mode == Mode::Sequence { 2 } else { 1 })
    }

    /// Returns the kind and text of the token that closes a bracket.
    pub(super) fn closing(&self, frame: &Frame) -> (TokenKind, &'static str) {
        match (frame.mode, self.opener_kind(frame)) {
            (Mode::Body, _) => (TokenKind::CloseBlock, "}"),
            (Mode::Sequence, Some(TokenKind::OpenParen)) => (TokenKind::CloseParen, "}"),
            (Mode::Sequence, _) => (TokenKind::CloseSequence, "}"),
            (Mode::Object, _) | (_, Some(TokenKind::OpenBrace)) => (TokenKind::CloseBrace, "}"),
            (_, Some(TokenKind::OpenBracket)) => (TokenKind::CloseBracket, "]"),
            _ => (TokenKind::CloseParen, ")"),
        }
    }

    /// Closes the innermost mode with an empty token.
    pub(super) fn close_frame(&mut self, at: usize) {
        let kind = match self.frame.mode {
            Mode::Attribute => TokenKind::Newline,
            Mode::Quoted | Mode::Heredoc => TokenKind::CloseTemplate,
            _ => self.closing(&self.frame).0,
        };
        if self.frame.mode == Mode::Body && self.previous() != TokenKind::Newline {
            self.push(TokenKind::Newline, at, at);
        }
        self.close(kind, at, at);
    }

    /// Closes the innermost modes, and reports those that are brackets; `missed` is where their closers were missed.
    fn close_frames(&mut self, count: usize, at: usize, missed: Span) {
        for _ in 0..count {
            if !matches!(self.frame.mode, Mode::Attribute | Mode::Quoted | Mode::Heredoc) {
                self.report_unclosed(missed, 1, count == 1);
            }
            self.close_frame(at);
        }
    }

    /// Reports the innermost bracket as not closed where its closer was missed, with an edit that closes `count`
    /// brackets; `alone` is true if no other closer is missing.
    fn report_unclosed(&mut self, missed: Span, count: usize, alone: bool) {
        let frame = self.frame;
        let opener = self.opener_span(&frame);
        let (_, closer) = self.closing(&frame);
        let open = self.source[opener.start()..opener.end()].escape_ascii().to_string();
        let code = match frame.mode {
            Mode::Body => Code::UnclosedBlock,
            Mode::Sequence => Code::UnclosedSequence,
            _ => Code::UnclosedBracket,
        };
        let at_end = missed.start() == self.source.len();
        let diagnostic = if missed.touches(opener.start()) {
            let end = self.span(self.source.len(), self.source.len());
            Finding::error(code, missed, format!("this `{open}` is never closed")).with_context(end)
        } else {
            let found = if at_end { format!("the end of the {}", self.start.noun()) } else { "this".to_owned() };
            Finding::error(code, missed, format!("`{closer}` is missing before {found}"))
                .with_label(opener, format!("to close this `{open}`"))
        };
        let sure = alone && self.ends_with_line(missed);
        let diagnostic = diagnostic.with_help(format!("add the missing `{closer}`"));
        self.report_missing(match self.missing_closers(count, missed.start()) {
            Some(edit) => diagnostic.with_edits(Applicability::safe_if(sure), [edit]),
            None => diagnostic,
        });
    }

    /// Reports a bracket as not closed that should be closed before a line, judging by the indentation.
    fn report_unclosed_before(&mut self, line_start: usize) {
        let opener = self.opener_span(&self.frame);
        let (_, closer) = self.closing(&self.frame);
        if self.frame.mode == Mode::Sequence {
            let diagnostic = unclosed_sequence(opener, self.byte(opener.start()) == b'$');
            return self.report_missing(diagnostic);
        }
        let code = if self.frame.mode == Mode::Body { Code::UnclosedBlock } else { Code::UnclosedBracket };
        let open = self.source[opener.start()..opener.end()].escape_ascii().to_string();
        let mut diagnostic = Finding::error(code, opener, format!("this `{open}` is never closed"));
        if line_start < self.source.len() {
            let start = self.skip(line_start, |byte| matches!(byte, b' ' | b'\t'));
            let end = identifier_end(self.source, start).max(start + 1);
            let end = (end..).find(|&end| end >= self.source.len() || self.source[end] & 0xc0 != 0x80).unwrap_or(end);
            let label = format!("by the indentation, the `{closer}` is missing before this line");
            diagnostic = diagnostic.with_label(self.span(start, end), label);
        }
        let diagnostic = diagnostic.with_help(format!("add the missing `{closer}`"));
        self.report_missing(match self.missing_closers(1, line_start) {
            Some(edit) => diagnostic.with_edits(NeedsReview, [edit]),
            None => diagnostic,
        });
    }

    /// Returns the span for reporting a bracket that is open at the end of the file: the bracket itself if its content
    /// is complete, or the end of the file if more must follow anyway.
    fn missed_at_end(&self, at: usize) -> Span {
        let opener = self.opener_span(&self.frame);
        let complete = self.previous().ends_operand();
        match (self.frame.mode, self.opener_kind(&self.frame)) {
            (Mode::Body, _) => opener,
            (Mode::Brackets, Some(TokenKind::OpenBracket | TokenKind::OpenBrace)) if self.is_in_for() => {
                self.span(at, at)
            }
            (Mode::Brackets, Some(TokenKind::OpenParen)) if complete && self.is_call() => {
                self.token_span(self.frame.opener - 1).join(opener)
            }
            (Mode::Brackets, Some(TokenKind::OpenBracket)) if complete && !self.is_index() => opener,
            // A directive lacks more than its brace.
            (Mode::Sequence, Some(TokenKind::IfDirective | TokenKind::ForDirective)) => self.span(at, at),
            (Mode::Object | Mode::Sequence, _) if complete => opener,
            _ => self.span(at, at),
        }
    }

    fn token_span(&self, token: TokenIndex) -> Span {
        self.tokens.span(token)
    }

    fn before_opener(&self) -> TokenKind {
        let before = self.frame.opener.checked_sub(1);
        before.map_or(TokenKind::Newline, |before| self.tokens.kind(before))
    }

    pub(super) fn is_call(&self) -> bool {
        self.before_opener() == TokenKind::Identifier
    }

    pub(super) fn is_index(&self) -> bool {
        self.before_opener().ends_operand()
    }

    /// Reads an `=` outside bodies. Where it cannot be but looks like that of an attribute, the surrounding brackets
    /// have not been closed.
    pub(super) fn assign(&mut self, at: usize) -> usize {
        let in_brackets = matches!(self.frame.mode, Mode::Brackets | Mode::Sequence);
        if in_brackets && self.previous() == TokenKind::Identifier && self.end_expression_before_line() {
            return match self.frame.mode {
                Mode::Body => self.open_attribute(at, at + 1),
                _ => self.separator_of(TokenKind::Assign, at, at + 1),
            };
        }
        self.separator_of(TokenKind::Assign, at, at + 1)
    }

    /// If the last token begins its line, ends the expression before that line.
    #[cold]
    fn end_expression_before_line(&mut self) -> bool {
        let last = self.tokens.last();
        if !self.begins_line(last) || last == TokenIndex::FIRST {
            return false;
        }
        let frames = std::iter::once(&self.frame).chain(self.outer.iter().rev()).take(MAX_SEARCH);
        let Some(distance) = frames.clone().position(|frame| matches!(frame.mode, Mode::Attribute | Mode::Object))
        else {
            return false;
        };
        if frames.clone().take(distance).any(|frame| frame.mode == Mode::Heredoc) {
            return false;
        }
        let taken = self.tokens.take_last(1);
        let missed = taken[0].1;
        let end = memrchr(b'\n', &self.source[..missed.start()]).unwrap_or(missed.start());
        self.close_frames(distance, end, missed);
        if self.frame.mode == Mode::Attribute {
            self.close(TokenKind::Newline, end, end + 1);
        } else {
            self.push(TokenKind::Newline, end, end + 1);
        }
        for (kind, span) in taken {
            self.push(kind, span.start(), span.end());
        }
        true
    }

    /// Reads a `{` after names in an expression. If it looks like that of a block, the expression has not been closed,
    /// so it ends before the line.
    #[cold]
    pub(super) fn block_in_expression(&mut self) -> bool {
        const MAX_WORDS: usize = 10;
        let words = |&token: &TokenIndex| matches!(self.tokens.kind(token), TokenKind::Identifier | TokenKind::Literal);
        let header = self.tokens.all().rev().take(MAX_WORDS).take_while(words);
        // A name that begins a line is the first word.
        let first = header.clone().find(|&token| self.begins_line(token));
        let Some(first) = first.filter(|&token| self.tokens.kind(token) == TokenKind::Identifier) else {
            return false;
        };
        let count = (self.tokens.next() - first) as usize;
        let line_start = self.line_start(self.tokens.start(first) as usize);
        let frames = std::iter::once(&self.frame).chain(self.outer.iter().rev()).take(MAX_SEARCH);
        let Some(distance) = frames.clone().position(|frame| frame.mode == Mode::Attribute) else {
            return false;
        };
        let brackets_only =
            frames.clone().take(distance).all(|frame| matches!(frame.mode, Mode::Brackets | Mode::Object));
        let attribute = frames.clone().nth(distance).map_or(TokenIndex::FIRST, |frame| frame.opener);
        let deeper = self.indentation(self.tokens.start(first)) > self.indentation(self.tokens.start(attribute));
        if distance == 0 || !brackets_only || deeper {
            return false;
        }
        let missed = self.token_span(first);
        let taken = self.tokens.take_last(count);
        let end = line_start.saturating_sub(1);
        if self.previous() == TokenKind::Newline {
            // The newline before the line was an object's.
            self.tokens.take_last(1);
        }
        self.close_frames(distance, end, missed);
        self.close(TokenKind::Newline, end, line_start);
        for (kind, span) in taken {
            let kind = if self.byte(span.start()) == b'"' { TokenKind::String } else { kind };
            self.push(kind, span.start(), span.end());
        }
        true
    }

    fn begins_line(&self, token: TokenIndex) -> bool {
        let before = &self.source[..self.tokens.start(token) as usize];
        matches!(before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n'))
    }

    fn line_start(&self, at: usize) -> usize {
        memrchr(b'\n', &self.source[..at]).map_or(0, |newline| newline + 1)
    }

    /// Returns the number of blanks at the start of the line of a position.
    fn indentation(&self, at: u32) -> usize {
        let line = self.line_start(at as usize);
        self.skip(line, |byte| matches!(byte, b' ' | b'\t')) - line
    }

    /// Closes what the next repairs say.
    #[cold]
    pub(super) fn repair(&mut self, at: usize) {
        while let [repair, rest @ ..] = self.repairs
            && repair.line_start <= at + 2
        {
            self.repairs = rest;
            self.next_repair = rest.first().map_or(usize::MAX, |next| next.line_start);
            let frames = std::iter::once(&self.frame).chain(self.outer.iter().rev());
            let brackets = self.outer.len();
            let distance = frames.take(brackets).position(|frame| {
                frame.mode != Mode::Attribute && self.tokens.start(frame.opener) as usize == repair.opener
            });
            if let Some(distance) = distance {
                for _ in 0..distance {
                    self.close_frame(at);
                }
                self.report_unclosed_before(repair.line_start);
                self.close_frame(at);
            }
        }
    }

    pub(super) fn end_of_file(&mut self, at: usize) {
        let unclosed = |frame: &&Frame| frame.mode != Mode::Attribute;
        if self.frame.mode == Mode::Attribute && self.outer.len() == 1 || self.frame.mode == Mode::Body {
            if self.strict && self.previous() != TokenKind::Newline && at > 0 {
                self.report(liberty::LAST_NEWLINE.at(self.span(at, at)));
            }
            if self.frame.mode == Mode::Attribute {
                self.close(TokenKind::Newline, at, at);
            } else if self.previous() != TokenKind::Newline {
                self.push(TokenKind::Newline, at, at);
            }
        }
        let outermost = self.outer.iter().chain([&self.frame]).skip(1).find(unclosed).copied();
        if outermost.is_some() && self.cut.is_none() && self.missing_closer.is_none() {
            self.missing_closer = self.find_missing_closer();
        }
        let known = matches!(
            self.problems.last().map(|problem| problem.diagnostic.code()),
            Some(Code::UnclosedComment | Code::UnclosedHeredoc | Code::NestingTooDeep)
        );
        // The innermost one is reported; the others are probably a consequence.
        let mut silent = known || self.cut.is_some();
        while !self.outer.is_empty() {
            if !silent && !matches!(self.frame.mode, Mode::Attribute | Mode::Quoted | Mode::Heredoc) {
                let open = self.outer.iter().skip(1).chain([&self.frame]);
                let count = open.filter(|frame| frame.mode != Mode::Attribute).count();
                self.report_unclosed(self.missed_at_end(at), count, false);
                silent = true;
            }
            self.close_frame(at);
        }
        if self.frame.mode == Mode::Body && self.previous() != TokenKind::Newline {
            self.push(TokenKind::Newline, at, at);
        }
        self.push(TokenKind::EndOfFile, at, at);
    }

    /// Finds by indentation which bracket was not closed, and where it should have been.
    fn find_missing_closer(&mut self) -> Option<Repair> {
        self.tokens.sort();
        let frames = self.outer.iter().chain([&self.frame]);
        if let Some(sequence) = frames.clone().rfind(|frame| frame.mode == Mode::Sequence) {
            // A sequence that swallows the rest of a template should have ended in its line.
            let opener = self.tokens.start(sequence.opener) as usize;
            let line_end = memchr::memchr(b'\n', &self.source[opener..])?;
            return Some(Repair { line_start: opener + line_end + 1, opener });
        }
        let mut open: Vec<TokenIndex> =
            self.outer.iter().chain([&self.frame]).skip(1).map(|frame| frame.opener).collect();
        open.retain(|&token| self.tokens.kind(token) != TokenKind::Value);
        if frames.clone().any(|frame| matches!(frame.mode, Mode::Quoted | Mode::Heredoc | Mode::TemplateFile)) {
            return None;
        }
        let outermost = *open.first()?;
        let is_bracket = |token: TokenIndex| {
            use TokenKind::*;
            matches!(self.tokens.kind(token), OpenBlock | OpenBrace | OpenBracket | OpenParen)
        };
        // A bracket is not closed by a closer that is indented less than the line of the bracket.
        let suspicious = (outermost + 1).to(self.tokens.next()).find(|&token| {
            is_bracket(token) && open.binary_search(&token).is_err() && {
                let closer = self.tokens.closer(token);
                self.begins_line(closer)
                    && self.indentation(self.tokens.start(closer)) < self.indentation(self.tokens.start(token))
            }
        });
        let opener = suspicious.unwrap_or(outermost);
        let start = self.tokens.start(opener);
        let indentation = self.indentation(start);
        let mut token = opener + 1;
        while token < self.tokens.next() {
            use TokenKind::*;
            let kind = self.tokens.kind(token);
            // A line that begins with a dot continues the line before.
            if !matches!(kind, Newline | EndOfFile | GetAttr | LegacyIndex)
                && self.tokens.start(token) > start
                && self.begins_line(token)
                && self.indentation(self.tokens.start(token)) <= indentation
            {
                let line = memrchr(b'\n', &self.source[..self.tokens.start(token) as usize])? + 1;
                return (line > start as usize).then_some(Repair { line_start: line, opener: start as usize });
            }
            let inside_template = kind == Template && open.binary_search(&token).is_err();
            token = if inside_template { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        None
    }
}
