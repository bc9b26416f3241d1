//! The pieces that are left out of a tree: error nodes, with the parts in them that can still be read.

use std::collections::HashSet;

use super::{BadPiece, Builder, Region};
use crate::syntax::index::{NodeIndex, TokenIndex};
use crate::syntax::parser::terminal::TerminalKind;
use crate::syntax::token::{TokenKind, Tokens};
use crate::syntax::tree::{NodeKind, Slot};

/// The references among the tokens of a piece of an expression: variables with their attribute accesses, at the
/// positions of operands.
struct References<'t> {
    tokens: &'t Tokens,
    source: &'t [u8],
    piece: BadPiece,
    /// The names that a `for` in the piece defines.
    bound: HashSet<&'t [u8]>,
    /// For each bracket that is open before the current token, and first for the piece itself, the number of `?` and
    /// `for` whose `:` has not come yet.
    colons: Vec<usize>,
}

impl<'t> References<'t> {
    fn new(source: &'t [u8], tokens: &'t Tokens, piece: BadPiece) -> Self {
        References { tokens, source, piece, bound: HashSet::new(), colons: vec![0] }
    }

    /// Returns the last token of the reference that begins at a token, if one does. Must be called for each token of
    /// the piece outside of templates, in order.
    fn last_token_at(&mut self, token: TokenIndex) -> Option<TokenIndex> {
        if !matches!(self.piece.kind, TerminalKind::BadExpression | TerminalKind::BadElement) {
            return None;
        }
        match self.tokens.kind(token) {
            TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::OpenParen => self.colons.push(0),
            TokenKind::CloseBracket | TokenKind::CloseBrace | TokenKind::CloseParen => {
                self.colons.truncate(self.depth().max(1));
            }
            TokenKind::Question => self.expect_colon(),
            TokenKind::Colon => self.colons.iter_mut().rev().take(1).for_each(|count| *count = count.saturating_sub(1)),
            keyword if keyword.binds_names() => {
                if keyword == TokenKind::For {
                    self.expect_colon();
                }
                self.bind_names(token);
            }
            TokenKind::Identifier => return self.reference(token),
            _ => {}
        }
        None
    }

    /// The number of open brackets.
    fn depth(&self) -> usize {
        self.colons.len() - 1
    }

    fn expect_colon(&mut self) {
        self.colons.iter_mut().rev().take(1).for_each(|count| *count += 1);
    }

    /// Notes the names after a keyword that defines them.
    fn bind_names(&mut self, keyword: TokenIndex) {
        let mut token = keyword + 1;
        while token < self.piece.end && matches!(self.tokens.kind(token), TokenKind::Identifier | TokenKind::Comma) {
            self.bound.insert(self.text(token));
            token += 1;
        }
    }

    fn reference(&self, token: TokenIndex) -> Option<TokenIndex> {
        use TokenKind::*;
        let begins = token == self.piece.start || {
            let before = self.tokens.kind(token - 1);
            let in_list = before != Comma || self.depth() > 0;
            in_list && !before.ends_operand() && !matches!(before, Dot | DoubleColon | For | Keyword | Illegal)
        };
        if !begins || self.bound.contains(self.text(token)) {
            return None;
        }
        let mut last = token;
        while last + 1 < self.piece.end && self.tokens.kind(last + 1) == GetAttr {
            last += 1;
        }
        // Consecutive words are text without quotes, and a name before an equals sign is a key.
        let ends = match self.tokens.kind(last + 1) {
            Operator | Minus | Question | Dot | LegacyIndex | AttrSplat | FullSplat | OpenBracket | CloseBracket
            | CloseParen | CloseBrace | FatArrow => true,
            Comma | Newline => self.depth() > 0,
            Colon => self.colons.last().is_some_and(|&count| count > 0),
            _ => false,
        };
        (ends || last + 1 == self.piece.end).then_some(last)
    }

    fn text(&self, token: TokenIndex) -> &'t [u8] {
        self.source.get(self.tokens.start(token) as usize..self.tokens.end(token) as usize).unwrap_or_default()
    }
}

impl Builder<'_> {
    /// Adds an error node over tokens. Regions within them are still parsed, for the errors in them, and each reference
    /// in a piece of an expression becomes a node, for callers that list references.
    pub(super) fn error(&mut self, piece: BadPiece) -> NodeIndex {
        let list = self.new_list();
        let mut references = References::new(self.source, self.tokens, piece);
        let mut token = piece.start;
        while token < piece.lines.0 {
            let kind = self.tokens.kind(token);
            let closer = if kind.is_opener() { self.tokens.closer(token) } else { token };
            let region = Region { start: token + 1, end: closer, owner: self.next_node() };
            let next = match kind {
                TokenKind::Value => {
                    self.expressions.push(region);
                    closer
                }
                TokenKind::Interpolation => {
                    self.expressions.push(region);
                    closer + 1
                }
                TokenKind::IfDirective => {
                    // The expression begins after the keyword.
                    self.expressions.push(Region { start: token + 2, ..region });
                    closer + 1
                }
                // The expression after the names, if the directive is complete up to there; the names are not regions.
                directive if directive.is_directive() && directive.binds_names() => {
                    let ends_names = |&token: &TokenIndex| match self.tokens.kind(token) {
                        TokenKind::In => true,
                        // In a `for` this is a mistake that has been reported.
                        TokenKind::Assign => directive != TokenKind::ForDirective,
                        _ => false,
                    };
                    let Some(keyword) = (token + 3).to((token + 6).min(closer)).find(ends_names) else {
                        token = closer + 1;
                        continue;
                    };
                    self.expressions.push(Region { start: keyword + 1, ..region });
                    closer + 1
                }
                TokenKind::Template => {
                    self.templates.push(region);
                    closer + 1
                }
                TokenKind::OpenBlock if self.tokens.kind(token + 1) == TokenKind::Newline => {
                    self.bodies.push(region);
                    closer + 1
                }
                _ => {
                    let Some(last) = references.last_token_at(token) else {
                        token += 1;
                        continue;
                    };
                    let kind = if last == token { NodeKind::Variable } else { NodeKind::Traversal };
                    let root = self.node(kind, token, last, Slot::NONE, Slot::NONE);
                    let orphan = self.node(NodeKind::Orphan, token, last, Slot::NONE, root);
                    self.pending.push(orphan);
                    token = last + 1;
                    continue;
                }
            };
            let orphan = self.node(NodeKind::Orphan, token, closer, Slot::NONE, token);
            self.pending.push(orphan);
            token = next.max(token + 1);
        }
        let (lines, lines_end) = piece.lines;
        if lines < lines_end {
            let orphan = self.node(NodeKind::Orphan, lines, lines_end, Slot::NONE, lines);
            self.bodies.push(Region { start: lines, end: lines_end, owner: orphan });
            self.pending.push(orphan);
        }
        self.node_with_list(NodeKind::Error, piece.start, list, piece.end.max(piece.start + 1) - 1)
    }
}
