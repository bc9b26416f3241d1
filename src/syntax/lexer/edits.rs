//! The edits that are suggested for errors of the lexer. Each examines only the surrounding lines, and only if they
//! have a usual length.

use memchr::{memchr, memrchr};

use super::Lexer;
use super::mode::Mode;
use super::recover::MAX_SEARCH;
use crate::diagnostic::{Applicability, Finding};
use crate::source::{Replacement, Span};
use crate::syntax::mend::has_escapes;
use crate::syntax::token::TokenKind;

/// The part of a line, in bytes, that is searched for an edit.
const MAX_LINE: usize = 2_000;

impl Lexer<'_> {
    /// Returns the edit that closes `count` of the innermost brackets after the last token. If they began in its line,
    /// or their closers are missed there, they are closed in that line, else in a line of their own.
    pub(super) fn missing_closers(&self, count: usize, missed: usize) -> Option<Replacement> {
        let last = self.tokens.all().rev().take(MAX_SEARCH).find(|&token| {
            // An empty token represents something else that is missing.
            self.tokens.start(token) < self.tokens.end(token) && self.tokens.kind(token) != TokenKind::Newline
        })?;
        let end = self.tokens.end(last) as usize;
        let (line, line_end) = (self.near_line_start(end)?, self.near_line_end(end)?);
        let line_end = line_end - usize::from(line_end > end && self.source[line_end - 1] == b'\r');
        let (mut at, mut text) = (end, String::new());
        let brackets = self.outer.len();
        if count > MAX_SEARCH {
            return None;
        }
        let frames = std::iter::once(&self.frame).chain(self.outer.iter().rev()).take(brackets);
        for frame in frames.filter(|frame| frame.mode != Mode::Attribute).take(count) {
            let opener = self.tokens.start(frame.opener) as usize;
            let (_, closer) = self.closing(frame);
            let missed_here = end <= missed && missed < line_end;
            if opener >= line || missed_here || frame.mode == Mode::Sequence {
                // Nothing can follow a heredoc's marker in its line.
                if at != end || self.tokens.kind(last) == TokenKind::CloseTemplate && self.byte(end - 1) != b'"' {
                    return None;
                }
                let space = matches!(closer, "}") && frame.mode != Mode::Sequence && last != frame.opener;
                text.push_str(if space && self.source[end - 1] != b'{' { " " } else { "" });
            } else {
                at = line_end;
                text.push('\n');
                text.push_str(self.blanks_at(self.near_line_start(opener)?));
            }
            if matches!(frame.mode, Mode::Quoted | Mode::Heredoc) {
                return None;
            }
            text.push_str(closer);
        }
        Some(Replacement::insertion(at, text))
    }

    /// Returns true if the innermost open bracket surely ends where its line does: it is a list, an object or the
    /// arguments of a call that no operator can follow.
    pub(super) fn ends_with_line(&self, missed: Span) -> bool {
        let frame = &self.frame;
        let opener = self.tokens.start(frame.opener) as usize;
        let inside = (frame.opener + 1).to(self.tokens.next()).take(MAX_SEARCH);
        let end = self.tokens.end(self.tokens.last()) as usize;
        let in_line = self.near_line_end(opener).is_some_and(|line_end| line_end >= end);
        let is_attribute = self.outer.last().is_some_and(|outer| outer.mode == Mode::Attribute);
        let below = missed.start() < self.source.len()
            && self.near_line_start(missed.start()).is_some_and(|line| line > opener);
        let sure = match (frame.mode, self.opener_kind(frame)) {
            (Mode::Object, _) => true,
            (Mode::Brackets, Some(TokenKind::OpenBracket)) => !self.is_index() && !self.is_in_for(),
            (Mode::Brackets, Some(TokenKind::OpenParen)) => self.is_call(),
            _ => false,
        };
        let operators = |kind| matches!(kind, TokenKind::Operator | TokenKind::Minus | TokenKind::Question);
        let mut kinds = inside.map(|token| self.tokens.kind(token));
        sure && in_line && is_attribute && below && self.previous().ends_operand() && !kinds.any(operators)
    }

    /// Returns true if the innermost brackets are those of a list or a call.
    pub(super) fn is_in_list_or_call(&self) -> bool {
        match self.opener_kind(&self.frame) {
            Some(TokenKind::OpenBracket) => !self.is_index() && !self.is_in_for(),
            Some(TokenKind::OpenParen) => self.is_call(),
            _ => false,
        }
    }

    /// The blanks that a line begins with.
    pub(super) fn blanks_at(&self, line: usize) -> &str {
        let end = self.skip(line, |byte| matches!(byte, b' ' | b'\t'));
        std::str::from_utf8(&self.source[line..end]).unwrap_or_default()
    }

    /// Returns the start of the line of a position, if it is near: edits are suggested only in lines of usual length.
    pub(super) fn near_line_start(&self, at: usize) -> Option<usize> {
        let first = at.saturating_sub(MAX_LINE);
        match memrchr(b'\n', &self.source[first..at]) {
            Some(newline) => Some(first + newline + 1),
            None => (first == 0).then_some(0),
        }
    }

    /// Returns the end of the line of a place, if it is near.
    pub(super) fn near_line_end(&self, at: usize) -> Option<usize> {
        let last = self.source.len().min(at + MAX_LINE);
        match memchr(b'\n', &self.source[at..last]) {
            Some(length) => Some(at + length),
            None => (last == self.source.len()).then_some(last),
        }
    }

    /// Returns true if a line contains character escapes: then any of its backslashes may be meant as one.
    pub(super) fn has_escapes_around(&self, at: usize) -> bool {
        let (Some(start), Some(end)) = (self.near_line_start(at), self.near_line_end(at)) else { return true };
        has_escapes(&self.source[start..end], b"nrtuU")
    }

    /// Returns the keyword that ends the innermost open directive of the current template.
    pub(super) fn end_of_open_directive(&self) -> Option<&'static str> {
        const MAX_TOKENS: usize = 1_000;
        let mut ended = 0;
        let first = self.frame.opener;
        for token in self.tokens.all().rev().take(MAX_TOKENS).take_while(|&token| token >= first) {
            let end = match self.tokens.kind(token) {
                TokenKind::EndIfDirective | TokenKind::EndForDirective => {
                    ended += 1;
                    continue;
                }
                TokenKind::IfDirective => "endif",
                TokenKind::ForDirective => "endfor",
                _ => continue,
            };
            if ended == 0 {
                return Some(end);
            }
            ended -= 1;
        }
        None
    }

    /// Returns the edit that closes a string that is open at the end of a line: before the brackets and the comma that
    /// end the line. It is certain if the string is a single word and a whole value, but not a name or number: in those
    /// cases the opening quote might be the mistake.
    pub(super) fn end_of_unclosed(&self, start: usize, end: usize) -> (Applicability, Replacement) {
        let closing = |byte: &u8| byte.is_ascii_whitespace() || b",)]}{;".contains(byte);
        let text = &self.source[start + 1..end];
        let length = text.iter().rposition(|byte| !closing(byte)).map_or(0, |last| last + 1);
        let word = text[..length].iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
            && text[..length].contains(&b'-');
        let alone = text[length..].trim_ascii().is_empty();
        let before = self.tokens.all().rev().find(|&token| (self.tokens.start(token) as usize) < start);
        let is_value =
            before.is_some_and(|token| matches!(self.tokens.kind(token), TokenKind::Value | TokenKind::Assign));
        let edit = Replacement::insertion(start + 1 + length, "\"");
        (Applicability::safe_if(word && length > 0 && alone && is_value), edit)
    }

    /// Returns the edit that starts a new line in place of the text between two lines of a body, unless the body
    /// belongs to a block that began in this line: that block would have to be split up.
    pub(super) fn line_break_in_body(&self, start: usize, end: usize) -> Option<Replacement> {
        let body = if self.frame.mode == Mode::Body { Some(&self.frame) } else { self.outer.last() };
        let line = self.near_line_start(start)?;
        let opened_here = body.is_some_and(|frame| {
            let is_block = self.opener_kind(frame) == Some(TokenKind::OpenBlock);
            is_block && self.tokens.start(frame.opener) as usize >= line
        });
        (!opened_here).then(|| Replacement::new(self.span(start, end), format!("\n{}", self.blanks_at(line))))
    }

    /// Returns the place of the comma that ends a line of the form `name: value,` after the colon. It is reported
    /// together with the colon.
    pub(super) fn comma_of_json(&self, start: usize, line: &[u8]) -> Option<usize> {
        let value = line.trim_ascii_end().strip_suffix(b",")?.trim_ascii();
        let is_simple = match value {
            [b'"', inside @ .., b'"'] => !inside.iter().any(|byte| matches!(byte, b'"' | b'\\' | b'$' | b'%')),
            _ => value.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')),
        };
        (is_simple && self.frame.mode == Mode::Body).then(|| start + line.trim_ascii_end().len() - 1)
    }

    /// Adds the edits for a `${` outside of templates that is closed in its line.
    pub(super) fn without_sequence(&self, diagnostic: Finding, first: usize, at: usize) -> Finding {
        const MAX_LENGTH: usize = 500;
        let inside = at + 2;
        let near = &self.source[inside..self.source.len().min(inside + MAX_LENGTH)];
        let path = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.[]".contains(byte);
        let length = near.iter().take_while(|byte| path(byte)).count();
        let is_path = near.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        let glued =
            first > 0 && !(self.source[first - 1].is_ascii_whitespace() || b"=:,([{".contains(&self.source[first - 1]));
        if glued || self.byte(at) != b'$' || near.get(length) != Some(&b'}') || !is_path {
            return diagnostic;
        }
        let end = inside + length + 1;
        let ends =
            |byte: u8| matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n' | b',' | b')' | b']' | b'}' | b';' | b'"');
        if ends(self.byte(end)) {
            let edits = [self.span(first, inside), self.span(end - 1, end)].map(Replacement::removal);
            // A string that is a single interpolation has the value of its content.
            let sure = first == at && self.byte(end) != b'"';
            return diagnostic.with_edits(Applicability::safe_if(sure), edits);
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:${}".contains(&byte);
        let word = self.skip(end, plain);
        let text = self.source.get(at..word).and_then(|text| std::str::from_utf8(text).ok());
        match text.filter(|_| ends(self.byte(word)) && self.byte(word) != b'"' && word - end < MAX_LENGTH) {
            Some(text) => diagnostic.with_choice(
                "put quotes around the template",
                [Replacement::new(self.span(first, word), format!("\"{text}\""))],
            ),
            None => diagnostic,
        }
    }
}
