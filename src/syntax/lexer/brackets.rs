//! Classifies brackets and braces by what they belong to: a splat, a block or an object.

use super::Lexer;
use super::mode::Mode;
use crate::reading::nesting_too_deep;
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    pub(super) fn open_bracket(&mut self, at: usize) -> usize {
        let star = self.trivia_end(at + 1);
        if self.byte(star) == b'*' {
            let end = self.trivia_end(star + 1);
            if self.byte(end) == b']' {
                self.frame.splats += 1;
                if self.frame.depth + self.frame.splats > self.max_nesting {
                    if self.frame.depth + self.frame.splats == self.max_nesting + 1 && self.cut.is_none() {
                        self.report(nesting_too_deep(self.span(at, end + 1), self.max_nesting));
                    }
                    return self.push(TokenKind::Illegal, at, end + 1);
                }
                if end > at + 2 {
                    self.tokens.push_with_gap(TokenKind::FullSplat, at, star, end + 1);
                    return end + 1;
                }
                return self.push(TokenKind::FullSplat, at, end + 1);
            }
        }
        self.open(TokenKind::OpenBracket, Mode::Brackets, at, at + 1)
    }

    pub(super) fn open_brace(&mut self, at: usize) -> usize {
        // No operand ends before an object.
        let after_word = matches!(self.previous(), TokenKind::Identifier | TokenKind::Literal);
        if self.frame.mode == Mode::Body || after_word && self.block_in_expression() {
            return self.open(TokenKind::OpenBlock, Mode::Body, at, at + 1);
        }
        self.open(TokenKind::OpenBrace, Mode::Object, at, at + 1)
    }

    #[inline]
    pub(super) fn close_brace(&mut self, at: usize) -> usize {
        if self.frame.mode == Mode::Attribute && self.outer.len() > 1 {
            self.leave();
        }
        match self.frame.mode {
            Mode::Object => self.close(TokenKind::CloseBrace, at, at + 1),
            Mode::Body if !self.outer.is_empty() => self.close(TokenKind::CloseBlock, at, at + 1),
            Mode::Sequence => self.close_sequence(at, at + 1),
            Mode::Brackets if self.opener_kind(&self.frame) == Some(TokenKind::OpenBrace) => {
                self.close(TokenKind::CloseBrace, at, at + 1)
            }
            _ => self.other_closer(at, b'}'),
        }
    }
}
