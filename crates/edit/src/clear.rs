//! Parts of broken files whose ends are known.
//!
//! After a syntax error, the parser may take more for a value or a block than the author meant: in
//! `x { a = 1, b = 2 }`, the value of `a` is all of `1, b = 2`. Replacing or removing it would lose text that the edit
//! does not name, so such edits are refused.

use super::EditError;
use super::node::Item;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::File;
use hcl_lr::syntax::{Piece, Token, TokenKind, TriviaKind};

/// Checks that the end of a member is certain, before it is removed, moved or gets another value.
///
/// # Errors
/// If a syntax error may have changed where it ends.
pub(super) fn check_ends(file: &File, member: Item<'_>) -> Result<(), EditError> {
    let span = match member {
        Item::Block(block) => block.span(),
        _ => member.value().map_or(member.span(), |value| value.span()),
    };
    if ends_clearly(file, span) { Ok(()) } else { Err(EditError::Broken(span)) }
}

/// Returns true if a list or an object has both of its brackets.
pub(super) fn has_brackets(file: &File, span: Span) -> bool {
    let opener = file.tokens().at(span.start());
    opener.closer().is_some_and(|close| !close.span().is_empty() && close.span().end() == span.end())
}

/// Returns false if the text of a node has unclosed brackets or quotes, or continues after a line break, a comma or
/// another name with an equals sign.
pub(super) fn ends_clearly(file: &File, span: Span) -> bool {
    if span.is_empty() {
        return true;
    }
    let first = file.tokens().at(span.start());
    let pieces = file.tokens().pieces(first.index()..).skip_while(|piece| piece.span().start() < span.start());
    let (mut depth, mut before) = (0usize, None);
    for piece in pieces.take_while(|piece| piece.span().start() < span.end()) {
        let token = match piece {
            Piece::Token(token) => token,
            Piece::Trivia(trivia) if trivia.kind() == TriviaKind::Skipped && has_marks(piece.text()) => return false,
            Piece::Trivia(_) => continue,
        };
        let kind = token.kind();
        if kind == TokenKind::Value {
            // The equals sign of an attribute of an enclosing block.
            if depth == 0 {
                return false;
            }
        } else if kind.is_opener() {
            let closed = |closer: Token<'_>| !closer.span().is_empty() && closer.span().end() <= span.end();
            if !token.closer().is_some_and(closed) {
                return false;
            }
            depth += 1;
        } else if kind.is_closer() {
            let Some(outer) = depth.checked_sub(1) else { return false };
            depth = outer;
        } else if !token_is_whole(token) {
            return false;
        } else if depth == 0 {
            let name = matches!(before, Some(TokenKind::Identifier | TokenKind::Literal | TokenKind::String));
            match kind {
                TokenKind::Newline | TokenKind::Comma => return false,
                TokenKind::Assign if name => return false,
                _ => {}
            }
        }
        before = Some(kind);
    }
    depth == 0
}

/// Returns false for an unclosed string, and for invalid text with brackets or quotes.
fn token_is_whole(token: Token<'_>) -> bool {
    let text = token.text();
    match token.kind() {
        TokenKind::Illegal => !has_marks(text),
        TokenKind::Literal | TokenKind::String if text.starts_with('"') => {
            let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            // A quote after an odd number of backslashes is part of the string.
            inside.is_some_and(|inside| (inside.len() - inside.trim_end_matches('\\').len()).is_multiple_of(2))
        }
        _ => true,
    }
}

/// Returns true for text with brackets, quotes, an equals sign or a line break.
fn has_marks(text: &str) -> bool {
    text.contains(['(', ')', '[', ']', '{', '}', '"', '\n', '='])
}
