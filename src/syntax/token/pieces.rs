//! Tokens and trivia in one walk.

use std::collections::VecDeque;
use std::ops::Range;

use super::trivia::Gap;
use super::{Comment, Token, Trivia};
use crate::source::Span;
use crate::syntax::index::{Indexes, TokenIndex};
use crate::syntax::tree::Tree;

/// A token, or a piece of trivia. Concatenated, the pieces of a source are the source.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'t> {
    /// A token.
    Token(Token<'t>),
    /// White space, a comment, or text that is not a token.
    Trivia(Trivia<'t>),
}

impl<'t> Piece<'t> {
    /// Returns the span.
    pub fn span(self) -> Span {
        match self {
            Piece::Token(token) => token.span(),
            Piece::Trivia(trivia) => trivia.span(),
        }
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        match self {
            Piece::Token(token) => token.text(),
            Piece::Trivia(trivia) => trivia.text(),
        }
    }

    /// The token, if it is one.
    pub fn token(self) -> Option<Token<'t>> {
        match self {
            Piece::Token(token) => Some(token),
            Piece::Trivia(_) => None,
        }
    }

    /// The comment, if it is one.
    pub fn comment(self) -> Option<Comment<'t>> {
        match self {
            Piece::Token(_) => None,
            Piece::Trivia(trivia) => trivia.comment(),
        }
    }
}

/// Tokens, each preceded by its trivia, in source order; see [`TokenList::pieces`](super::TokenList::pieces).
#[derive(Clone)]
pub struct Pieces<'t> {
    tree: &'t Tree,
    /// The tokens that neither end has yielded.
    tokens: Indexes,
    /// The rest of the trivia before the first of these tokens. It can only be read forward.
    first: Gap<'t>,
    /// The rest of the trivia after the last of these tokens.
    last: VecDeque<Trivia<'t>>,
}

/// The items that are left.
impl std::fmt::Debug for Pieces<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'t> Pieces<'t> {
    pub(super) fn new(tree: &'t Tree, range: Range<usize>) -> Self {
        let tokens = TokenIndex::new(range.start as u32).to(TokenIndex::new(range.end as u32));
        // An empty range may begin after the last token.
        let token = tokens.start().min(tree.tokens.last());
        let first = Gap::before(&tree.source, &tree.tokens, token);
        Pieces { tree, tokens, first, last: VecDeque::new() }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        if self.tokens.is_empty() {
            return self.last.pop_front().map(Piece::Trivia);
        }
        if let Some(trivia) = self.first.next() {
            return Some(Piece::Trivia(trivia));
        }
        let index = self.tokens.next()?;
        if !self.tokens.is_empty() {
            self.first = Gap::before(&self.tree.source, &self.tree.tokens, self.tokens.start());
        }
        Some(Piece::Token(Token { tree: self.tree, index }))
    }
}

impl DoubleEndedIterator for Pieces<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if let Some(trivia) = self.last.pop_back() {
            return Some(Piece::Trivia(trivia));
        }
        let index = self.tokens.next_back()?;
        if self.tokens.is_empty() {
            self.last.extend(&mut self.first);
        } else {
            self.last.extend(Gap::before(&self.tree.source, &self.tree.tokens, index));
        }
        Some(Piece::Token(Token { tree: self.tree, index }))
    }
}

impl std::iter::FusedIterator for Pieces<'_> {}
