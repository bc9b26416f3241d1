//! Tokens: what the lexer produces, the grammars read, and the tree keeps.

mod buffer;
mod kind;
mod pieces;
mod trivia;

use std::fmt;
use std::ops::{Bound, RangeBounds};

pub(crate) use buffer::Tokens;
pub use kind::TokenKind;
pub(in crate::syntax) use kind::directive_kinds;
pub use pieces::Piece;
pub use pieces::Pieces;
use trivia::Gap;
pub use trivia::{Comment, Trivia, TriviaKind};
pub(super) use trivia::{comment_after, comments, comments_above, is_in_one_piece, line_comment_before};

use super::index::TokenIndex;
use super::tree::Tree;
use crate::source::Span;

/// A token of a source.
///
/// Only [`Trivia`] is between the tokens of a source, so every byte is in exactly one token or one piece of trivia.
#[derive(Clone, Copy)]
pub struct Token<'t> {
    tree: &'t Tree,
    index: TokenIndex,
}

impl<'t> Token<'t> {
    /// Returns the kind of the token.
    pub fn kind(self) -> TokenKind {
        self.tree.tokens.kind(self.index)
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.tree.tokens.span(self.index)
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        self.tree.source.slice(self.span())
    }

    /// Its index among the tokens of the source.
    pub fn index(self) -> usize {
        self.index.as_usize()
    }

    /// Returns the span of the name of an attribute access or of the number of a legacy index, without the dot. For
    /// other tokens, returns the whole span.
    pub fn name_span(self) -> Span {
        self.tree.tokens.name_span(self.index)
    }

    /// Returns the parts of the token that white space and comments may separate: the dot and the name of an attribute
    /// access, the dot and the number of a legacy index, the characters of a splat. Any other token is a single part.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [b . c, d[*]]\n").into_result()?;
    /// let parts = |text| {
    ///     let token = file.tokens().iter().find(|token| token.text() == text).expect("a token");
    ///     token.parts().map(|span| file.source().text()[span.range()].to_owned()).collect::<Vec<_>>()
    /// };
    /// assert_eq!(parts(". c"), [".", "c"]);
    /// assert_eq!(parts("[*]"), ["[", "*", "]"]);
    /// assert_eq!(parts("b"), ["b"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn parts(self) -> impl ExactSizeIterator<Item = Span> + DoubleEndedIterator {
        let (parts, count) = self.tree.tokens.parts(self.index);
        parts.into_iter().take(count)
    }

    /// Returns the trivia between the parts of the token, which is rare.
    pub fn inner_trivia(self) -> impl Iterator<Item = Trivia<'t>> {
        Gap::inside(&self.tree.source, &self.tree.tokens, self.index)
    }

    /// The token that closes an opener.
    pub fn closer(self) -> Option<Token<'t>> {
        let index = self.kind().is_opener().then(|| self.tree.tokens.closer(self.index))?;
        Some(Token { index, ..self })
    }

    /// The token before it.
    pub fn previous(self) -> Option<Token<'t>> {
        Some(Token { index: self.index.checked_sub(1)?, ..self })
    }

    /// The token after it.
    pub fn next(self) -> Option<Token<'t>> {
        TokenList::new(self.tree).get(self.index() + 1)
    }

    /// Returns the white space and comments between the previous token and this one, in source order.
    ///
    /// ```
    /// use hcl_lr::syntax::TriviaKind::*;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("\n# The port\nport = 80\n").into_result()?;
    /// let kinds: Vec<_> = file.tokens().first().trivia_before().map(|trivia| trivia.kind()).collect();
    /// assert_eq!(kinds, [BlankLine, Comment, LineBreak]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn trivia_before(self) -> impl Iterator<Item = Trivia<'t>> {
        Gap::before(&self.tree.source, &self.tree.tokens, self.index)
    }
}

impl fmt::Debug for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.kind(), self.span(), self.text())
    }
}

/// The tokens of a source, the last of which is [`TokenKind::EndOfFile`].
///
/// ```
/// use hcl_lr::syntax::TokenKind::*;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\n").into_result()?;
/// let kinds: Vec<_> = file.tokens().iter().map(|token| token.kind()).collect();
/// assert_eq!(kinds, [Identifier, Value, Literal, Newline, EndOfFile]);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Copy)]
pub struct TokenList<'t> {
    tree: &'t Tree,
}

impl<'t> TokenList<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        TokenList { tree }
    }

    /// Returns the number of tokens, at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always the end of the file")]
    pub fn len(self) -> usize {
        self.tree.tokens.len() as usize
    }

    /// The token of an index.
    pub fn get(self, index: usize) -> Option<Token<'t>> {
        (index < self.len()).then_some(Token { tree: self.tree, index: TokenIndex::new(index as u32) })
    }

    /// The first token.
    pub fn first(self) -> Token<'t> {
        Token { tree: self.tree, index: TokenIndex::FIRST }
    }

    /// Returns the token that contains the byte at an offset; if none does, the token after it. Uses a binary search.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("name = \"Ada\"\n").into_result()?;
    /// let at = |offset| file.tokens().at(offset).text();
    /// assert_eq!((at(2), at(4), at(5)), ("name", "=", "="));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn at(self, offset: usize) -> Token<'t> {
        Token { tree: self.tree, index: self.tree.tokens.at(offset) }
    }

    /// Returns the tokens of a range of indexes, each preceded by its trivia, in source order. Only the yielded pieces
    /// take time.
    ///
    /// ```
    /// use hcl_lr::syntax::Piece;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 1 # one\nb = 2\n").into_result()?;
    /// let text: String = file.tokens().pieces(..).map(|piece| piece.text()).collect();
    /// assert_eq!(text, "a = 1 # one\nb = 2\n");
    /// // From a token back to the comment before it.
    /// let b = file.tokens().at(12);
    /// let comment = file.tokens().pieces(..b.index()).rev().find_map(Piece::comment).expect("a comment");
    /// assert_eq!(comment.text(), "# one");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// A range is cut off after the last token.
    pub fn pieces(self, range: impl RangeBounds<usize>) -> Pieces<'t> {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => self.len(),
        };
        let end = end.min(self.len());
        Pieces::new(self.tree, start.min(end)..end)
    }

    /// Returns all tokens, in source order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Token<'t>> + DoubleEndedIterator {
        self.tree.tokens.all().map(move |index| Token { tree: self.tree, index })
    }
}

impl fmt::Debug for TokenList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
