//! The tokens of a text that mean something.

use std::borrow::Cow;

use super::token::{Token, TokenKind};
use crate::decimal::text_of_literal;
use crate::work;

/// Returns the tokens that carry meaning, each with a normalized text: without layout, comments and optional commas,
/// and independent of the notation of numbers, the markers of heredocs and the line ends between tokens.
pub fn meaning<'t>(tokens: impl Iterator<Item = Token<'t>>) -> Vec<(TokenKind, Cow<'t, str>)> {
    let mut around = Vec::new();
    let mut meaning: Vec<(TokenKind, Cow<'t, str>)> = Vec::new();
    for token in tokens {
        work::step(1);
        let is_in_object = around.last() == Some(&TokenKind::OpenBrace);
        let kind = match token.kind() {
            TokenKind::Newline | TokenKind::EndOfFile => continue,
            // A line break may take its place, and does in the canonical form.
            TokenKind::Comma if is_in_object => continue,
            TokenKind::Colon if is_in_object => TokenKind::Assign,
            kind => kind,
        };
        let text = match kind {
            TokenKind::Assign => "=".into(),
            TokenKind::Literal => text_of_literal(token.text()).map_or(Cow::Borrowed(token.text()), Cow::Owned),
            TokenKind::Template if token.text().starts_with("<<-") => "<<-".into(),
            TokenKind::Template if token.text().starts_with("<<") => "<<".into(),
            TokenKind::CloseTemplate if token.text() != "\"" => "".into(),
            _ => plain(token),
        };
        if kind.is_opener() {
            around.push(kind);
        }
        if kind.is_closer() {
            around.pop();
            if meaning.last().is_some_and(|(last, _)| *last == TokenKind::Comma) {
                meaning.pop();
            }
        }
        meaning.push((kind, text));
    }
    meaning
}

/// Returns the text of a token without white space between its parts. The line ends in heredocs are part of it.
fn plain(token: Token<'_>) -> Cow<'_, str> {
    let (text, start) = (token.text(), token.span().start());
    match token.parts().len() {
        1 => Cow::Borrowed(text),
        _ => Cow::Owned(token.parts().map(|part| &text[part.start() - start..part.end() - start]).collect()),
    }
}
