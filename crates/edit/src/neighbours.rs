//! Finds the surroundings of a member from the member alone.

use super::EditError;
use super::gap::Gap;
use super::node::Item;
use hcl_lr::source::Span;
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::ast::File;

/// Returns the gaps before and after a member, up to its neighbours.
///
/// # Errors
/// If it belongs to another file, or is next to text that was not understood.
pub(super) fn around(file: &File, member: Item<'_>) -> Result<(Gap, Gap), EditError> {
    member.check_file(file)?;
    let (tokens, span) = (file.tokens(), member.span());
    let shape = member.shape();
    let between = |kind| matches!(kind, TokenKind::Newline | TokenKind::Comma);
    let mut before = tokens.at(span.start()).previous();
    while let Some(token) = before.filter(|token| between(token.kind())) {
        before = token.previous();
    }
    // The byte order mark belongs to no member.
    let top = if file.source().text().starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let start = before.map_or(top, |token| token.span().end());
    let above = Gap::read(file, Span::new(start, span.start()), before.is_none(), false, shape)?;
    let mut after = tokens.at(span.end().saturating_sub(1)).next();
    while let Some(token) = after.filter(|token| between(token.kind())) {
        after = token.next();
    }
    let closer = after.is_none_or(|token| token.kind().is_closer() || token.kind() == TokenKind::EndOfFile);
    let end = after.map_or(file.source().text().len(), |token| token.span().start());
    let below = Gap::read(file, Span::new(span.end(), end), false, closer, shape)?;
    Ok((above, below))
}
