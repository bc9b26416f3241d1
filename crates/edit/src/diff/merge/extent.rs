//! The lines of an item that shares them with nothing else.

use crate::{Item, comments_of};
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::ast::File;

/// The lines of an item and its comments, including the last line ending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent<'f> {
    pub start: usize,
    pub end: usize,
    /// The blanks before the first line.
    pub indent: &'f str,
    /// True if a comma follows the item.
    pub comma: bool,
}

/// Returns the start of the line of an offset, if only blanks precede the offset.
pub(super) fn line_start(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].trim_end_matches([' ', '\t']);
    (before.is_empty() || before.ends_with(['\n', '\u{feff}'])).then_some(before.len())
}

/// Returns the lines of an item; `None` if it shares one of them.
pub(super) fn extent<'f>(file: &'f File, item: Item<'f>) -> Option<Extent<'f>> {
    let (text, span) = (file.source().text(), item.span());
    let (above, after) = comments_of(file, item);
    let first = above.first().map_or(span.start(), |comment| comment.span().start().min(span.start()));
    let start = line_start(text, first)?;
    let mut end = after.last().map_or(span.end(), |comment| comment.span().end().max(span.end()));
    let next = file.tokens().at(span.end().saturating_sub(1)).next();
    let comma = next.filter(|token| token.kind() == TokenKind::Comma);
    let comma = comma.filter(|comma| !text[span.end()..comma.span().start()].contains('\n'));
    end = comma.map_or(end, |comma| comma.span().end().max(end));
    if !text[..end].ends_with('\n') {
        let rest = &text[end..];
        let rest = rest.trim_start_matches([' ', '\t']);
        end = text.len() - rest.len();
        end += match rest {
            "" => 0,
            _ if rest.starts_with('\n') => 1,
            _ if rest.starts_with("\r\n") => 2,
            _ => return None,
        };
    }
    Some(Extent { start, end, indent: &text[start..first], comma: comma.is_some() })
}
