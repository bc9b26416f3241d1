//! The limit for nesting: deeper parts are left out.

use std::ops::Range;

use super::{Cut, Lexer};
use crate::reading::nesting_too_deep;
use crate::syntax::operator::BinaryOperator;
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    #[cold]
    pub(super) fn begin_cut(&mut self, start: usize, end: usize, depth: u32) {
        if self.cut.is_some() {
            return;
        }
        // Only the first bracket beyond the limit is reported; deeper ones follow from it.
        if depth == self.max_nesting + 1 && !self.closes_directive(start) {
            self.report(nesting_too_deep(self.span(start, end), self.max_nesting));
        }
        self.cut =
            Some(Cut { level: self.outer.len() - 1, token: self.tokens.next(), start, problems: self.problems.len() });
    }

    /// Returns true if an `endif` or `endfor` begins here: the directive that it closes has been reported.
    pub(super) fn closes_directive(&self, start: usize) -> bool {
        let text = self.source.get(start + 2..).unwrap_or_default();
        text.strip_prefix(b"~").unwrap_or(text).trim_ascii_start().starts_with(b"end")
    }

    /// Replaces a part that was nested too deeply by a single illegal token, once it has been closed.
    pub(super) fn end_cut(&mut self, end: usize) -> bool {
        let level = self.outer.len();
        let Some(cut) = self.cut.take_if(|cut| cut.level == level) else {
            return false;
        };
        self.tokens.truncate(cut.token, cut.start);
        self.problems.truncate(cut.problems);
        self.push(TokenKind::Illegal, cut.start, end);
        true
    }

    /// Reads the `?` of a conditional, unless an operator begins with it.
    pub(super) fn question(&mut self, at: usize) -> usize {
        if BinaryOperator::beginning(&self.source[at..]).is_some() {
            return self.sign(at, b'?');
        }
        self.frame.depth += 1;
        self.frame.splats = 0;
        self.nested_operator(TokenKind::Question, at..at + 1, self.frame.depth)
    }

    pub(super) fn minus(&mut self, at: usize) -> usize {
        if self.previous().ends_operand() {
            self.frame.splats = 0;
            if self.byte(at + 3) == b'-' && self.tokens.last_kinds() == [TokenKind::Value, TokenKind::Literal] {
                self.date(at);
            }
            self.push(TokenKind::Minus, at, at + 1)
        } else {
            self.prefix(TokenKind::Minus, at, 1)
        }
    }

    /// A unary operator.
    pub(super) fn prefix(&mut self, kind: TokenKind, at: usize, length: usize) -> usize {
        let count = if self.unary.0 == self.tokens.next() { self.unary.1 + 1 } else { 1 };
        self.unary = (self.tokens.next() + 1, count);
        self.nested_operator(kind, at..at + length, self.frame.depth + count)
    }

    /// An operator whose operand nests one level deeper.
    pub(super) fn nested_operator(&mut self, kind: TokenKind, token: Range<usize>, depth: u32) -> usize {
        let kind = if depth > self.max_nesting { TokenKind::Illegal } else { kind };
        if depth == self.max_nesting + 1 && self.cut.is_none() {
            self.report(nesting_too_deep(self.span(token.start, token.end), self.max_nesting));
        }
        self.push(kind, token.start, token.end)
    }
}
