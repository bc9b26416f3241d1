//! From a token that no rule expects to a diagnostic: what is wrong, in words of the language
//! rather than of the grammar, and what to do.

mod body;
mod expression;
mod for_expr;
mod template;

use std::borrow::Cow;

use super::Parse;
use crate::source::Span;
use crate::syntax::excerpt;
use crate::syntax::token::TokenKind;

impl Parse<'_> {
    /// Where a token is; an attribute access begins with its dot.
    pub(in crate::syntax::parser) fn token_span(&self, token: u32) -> Span {
        let token = token.min(self.tokens.len() - 1);
        let span = self.tokens.span(self.source.text().as_bytes(), token);
        if self.tokens.kind(token) == TokenKind::GetAttr {
            let before = self.source.text()[..span.start()].trim_end_matches([' ', '\t']);
            if before.ends_with('.') {
                return Span::new(before.len() as u32 - 1, span.end() as u32);
            }
        }
        if self.tokens.kind(token) == TokenKind::Newline && !span.is_empty() {
            return Span::new(self.line_comment_in_front(token, span), span.end() as u32);
        }
        span
    }

    /// Where the comment begins that a newline ends, or the newline: what is missing in a line is
    /// missing in front of its comment.
    fn line_comment_in_front(&self, newline: u32, span: Span) -> u32 {
        let text = self.source.text();
        let before = newline.checked_sub(1).map_or(0, |before| self.tokens.span(text.as_bytes(), before).end());
        let comment = text.get(before..span.start()).unwrap_or_default().trim_start();
        let begins = comment.starts_with('#') || comment.starts_with("//");
        (span.start() - if begins { comment.len() } else { 0 }) as u32
    }

    /// The kind of the token in front of another.
    pub(super) fn before(&self, token: u32) -> TokenKind {
        token.checked_sub(1).map_or(TokenKind::Newline, |before| self.tokens.kind(before))
    }

    pub(super) fn text(&self, token: u32) -> &str {
        self.source.slice(self.token_span(token))
    }

    /// The text of a token as it is put into a message.
    pub(super) fn shown(&self, token: u32) -> Cow<'_, str> {
        excerpt(self.text(token))
    }

    pub(super) fn span(&self, first: u32, last: u32) -> Span {
        self.token_span(first).join(self.token_span(last.max(first)))
    }

    /// What a token is called in a message.
    pub(super) fn name(&self, token: u32) -> std::string::String {
        use TokenKind::*;
        let span = self.token_span(token);
        match self.tokens.kind(token.min(self.tokens.len() - 1)) {
            Newline if span.is_empty() && span.end() == self.source.text().len() => "the end of the file".to_owned(),
            Newline => "the end of the line".to_owned(),
            EndOfFile => "the end of the file".to_owned(),
            Template | String => "a string".to_owned(),
            Literal if self.text(token).starts_with('"') => "a string".to_owned(),
            TemplateLiteral => "text".to_owned(),
            GetAttr => format!("`{}`", self.shown(token)),
            _ => format!("`{}`", self.shown(token)),
        }
    }
}
