//! Operators by their table.
//!
//! Most binary operators are read by their first character, after all else that may begin with it. Operators that the
//! table does not have, but may get, are looked for here before anything else: those that begin with a minus, a negation or
//! an `=`, words, and others before or after an operand. Constants of the table say that there are none, so this costs
//! nothing without them.

use super::Lexer;
use super::mode::Mode;
use crate::syntax::operator::{Associativity, BinaryOperator, UnaryOperator};
use crate::syntax::scan::{ascii_identifier_end, spaces_end};
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    /// True if the table has operators of signs that are looked for before anything else.
    pub(super) const HAS_OTHER_OPERATORS: bool =
        BinaryOperator::HAS_OTHERWISE_BEGUN || UnaryOperator::HAS_OTHER_SIGNS || UnaryOperator::HAS_AFTER;

    /// Reads a character that is a binary operator, or else not a token.
    #[inline(never)]
    pub(super) fn sign(&mut self, at: usize, byte: u8) -> usize {
        let Some(operator) = BinaryOperator::beginning(&self.source[at..]) else {
            return self.foreign(at, byte);
        };
        let text = operator.as_str();
        // Other languages have longer forms of some operators, which consist of more such characters.
        if !self.byte(at + text.len()).is_ascii_punctuation() {
            return self.binary(at, operator);
        }
        let longer = |other: &&&str| other.len() > text.len() && self.source[at..].starts_with(other.as_bytes());
        match operator.row().elsewhere.iter().find(longer) {
            Some(other) => self.foreign_operator(at, other, operator),
            None => self.binary(at, operator),
        }
    }

    /// A binary operator. One that groups from the right has what follows within it.
    #[inline]
    fn binary(&mut self, at: usize, operator: BinaryOperator) -> usize {
        let end = at + operator.as_str().len();
        match operator.row().associativity {
            Associativity::Left => self.operator(at, end),
            Associativity::Right => {
                self.frame.depth += 1;
                self.frame.splats = 0;
                self.nested_operator(TokenKind::Operator, at..end, self.frame.depth)
            }
        }
    }

    /// Reads an operator of signs that would be read as something else, if one begins here.
    #[inline(never)]
    pub(super) fn other_operator(&mut self, at: usize) -> Option<usize> {
        let text = &self.source[at..];
        if !text[0].is_ascii_punctuation() {
            return None;
        }
        if !self.previous().ends_operand() {
            let operator = UnaryOperator::beginning(text, false)?;
            return Some(self.before_operand(at, operator));
        }
        let after = UnaryOperator::beginning(text, true);
        let binary = BinaryOperator::otherwise_beginning(text).or_else(|| BinaryOperator::beginning(text));
        // The longest spelling counts.
        let is_after = |after: &UnaryOperator| binary.is_none_or(|binary| after.as_str().len() > binary.as_str().len());
        match after.filter(is_after) {
            Some(operator) => Some(self.after_operand(at, operator)),
            None => BinaryOperator::otherwise_beginning(text).map(|operator| self.binary(at, operator)),
        }
    }

    /// A name, unless it is an operator.
    #[inline]
    pub(super) fn name(&mut self, kind: TokenKind, start: usize, end: usize) -> usize {
        let has_words = BinaryOperator::HAS_WORDS || UnaryOperator::HAS_WORDS;
        if has_words
            && kind == TokenKind::Identifier
            && self.frame.mode != Mode::Body
            && let Some(end) = self.word_operator(start, end)
        {
            return end;
        }
        self.push(kind, start, end)
    }

    /// Reads a word as an operator, if it is one here. It is one only where a name would be an error: after an operand, or
    /// right before an operand that is no access, no arguments and no sign.
    #[inline(never)]
    fn word_operator(&mut self, start: usize, end: usize) -> Option<usize> {
        let text = &self.source[start..];
        if self.previous().ends_operand() {
            if let Some(operator) = UnaryOperator::beginning(text, true) {
                return Some(self.after_operand(start, operator));
            }
            return BinaryOperator::word_beginning(text).map(|operator| self.binary(start, operator));
        }
        let operator = UnaryOperator::beginning(text, false)?;
        let next = spaces_end(self.source, end);
        let rest = &self.source[next..];
        let is_operand = match self.byte(next) {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let word = &self.source[next..ascii_identifier_end(self.source, next + 1)];
                !matches!(word, b"in" | b"if") && BinaryOperator::word_beginning(rest).is_none()
            }
            b'0'..=b'9' | b'"' | 0x80.. => true,
            b'!' => BinaryOperator::beginning(rest).is_none(),
            _ => false,
        };
        is_operand.then(|| self.before_operand(start, operator))
    }

    fn before_operand(&mut self, at: usize, operator: UnaryOperator) -> usize {
        let kind = if operator == UnaryOperator::Negate { TokenKind::Minus } else { TokenKind::Not };
        self.prefix(kind, at, operator.as_str().len())
    }

    /// An operator after its operand has all that is before it within it.
    fn after_operand(&mut self, at: usize, operator: UnaryOperator) -> usize {
        self.frame.depth += 1;
        self.nested_operator(TokenKind::Postfix, at..at + operator.as_str().len(), self.frame.depth)
    }

    pub(super) fn operator(&mut self, start: usize, end: usize) -> usize {
        self.frame.splats = 0;
        self.push(TokenKind::Operator, start, end)
    }
}
