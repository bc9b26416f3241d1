//! From an unexpected token to a diagnostic: what is wrong, in terms of the language, not of the grammar, and what to
//! do.

mod body;
mod edits;
mod expression;
pub(super) mod fallback;
mod for_expr;
mod template;

use std::borrow::Cow;

use super::Parse;
use crate::source::Span;
use crate::syntax::excerpt;
use crate::syntax::index::TokenIndex;
use crate::syntax::token::{TokenKind, is_in_one_piece, line_comment_before};

impl Parse<'_> {
    /// Returns the span of a token for a message.
    pub(in crate::syntax::parser) fn token_span(&self, token: TokenIndex) -> Span {
        let token = token.min(self.tokens.last());
        let span = self.tokens.span(token);
        match self.tokens.kind(token) {
            // Its dot is not shown.
            TokenKind::LegacyIndex => self.tokens.name_span(token),
            // Nor is one in another line, or with a comment after it.
            TokenKind::GetAttr if !is_in_one_piece(self.source, self.tokens, token) => self.tokens.name_span(token),
            // A token missing in a line is missing before its comment.
            TokenKind::Newline if !span.is_empty() => match line_comment_before(self.source, self.tokens, token) {
                Some(comment) => comment.span().join(span),
                None => span,
            },
            _ => span,
        }
    }

    /// The kind of the token before another.
    pub(super) fn before(&self, token: TokenIndex) -> TokenKind {
        token.checked_sub(1).map_or(TokenKind::Newline, |before| self.tokens.kind(before))
    }

    pub(super) fn text(&self, token: TokenIndex) -> &str {
        self.source.slice(self.token_span(token))
    }

    /// Returns the text of a token for a message.
    pub(super) fn shown(&self, token: TokenIndex) -> Cow<'_, str> {
        excerpt(self.text(token))
    }

    pub(super) fn span(&self, first: TokenIndex, last: TokenIndex) -> Span {
        self.token_span(first).join(self.token_span(last.max(first)))
    }

    fn end_of_source(&self) -> std::string::String {
        format!("the end of the {}", self.start.noun())
    }

    /// Returns the name of a token in a message.
    pub(super) fn name(&self, token: TokenIndex) -> std::string::String {
        use TokenKind::*;
        let span = self.token_span(token);
        match self.tokens.kind(token.min(self.tokens.last())) {
            Newline if span.is_empty() && span.end() == self.source.text().len() => self.end_of_source(),
            Newline => "the end of the line".to_owned(),
            EndOfFile => self.end_of_source(),
            Template | String => "a string".to_owned(),
            Literal if self.text(token).starts_with('"') => "a string".to_owned(),
            TemplateLiteral => "text".to_owned(),
            GetAttr => format!("`{}`", self.shown(token)),
            _ => format!("`{}`", self.shown(token)),
        }
    }
}
