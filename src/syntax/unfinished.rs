//! Unfinished texts: the construct that is open at their end, and the tokens up to there.

use super::lexer::{Start, lex_unfinished};
use super::token::{TokenKind, Tokens};
use crate::reading::ParseOptions;
use crate::source::{Source, Span};

/// The construct that more text would have to close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Open {
    /// A bracket, a block, or a sequence of a template.
    Bracket,
    /// A heredoc, in which every line is text.
    Heredoc,
    /// A comment that began with `/*`.
    Comment,
}

/// A text that may be incomplete.
#[non_exhaustive]
pub struct Unfinished {
    tokens: Tokens,
    /// The construct that is open at the end. `None` if there already is an error that no further text fixes.
    pub open: Option<Open>,
}

impl std::fmt::Debug for Unfinished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unfinished").field("open", &self.open).finish_non_exhaustive()
    }
}

impl Unfinished {
    /// Reads the tokens of an expression, or of the items of a body.
    pub fn read(source: Source, body: bool) -> Self {
        let start = if body { Start::ConfigFile } else { Start::Expression };
        let (tokens, open) = lex_unfinished(&source, start, &ParseOptions::default());
        Unfinished { tokens, open }
    }

    /// The tokens that have a text, in source order.
    pub fn tokens(&self) -> Vec<(TokenKind, Span)> {
        let all = self.tokens.all().map(|token| (self.tokens.kind(token), self.tokens.name_span(token)));
        all.filter(|(_, span)| !span.is_empty()).collect()
    }
}
