//! The attributes and blocks of a text, as far as its pieces show them.

use std::ops::Range;

use super::pieces::{Kind, Piece};

/// An attribute or block, as places of pieces.
pub(super) struct Item {
    /// Its name or type.
    pub name: usize,
    pub kind: ItemKind,
    /// The number of blocks around it.
    pub depth: usize,
    /// The enclosing block, as the index of its item.
    pub parent: Option<usize>,
    /// The position after its last piece. A comment in the same line is not part of it.
    pub end: usize,
}

pub(super) enum ItemKind {
    /// An attribute with its value, without comments around that.
    Attribute(Range<usize>),
    /// A block, with the text between its type and its brace.
    Block(Range<usize>),
}

/// Returns the items of a text in order, or `None` if it is not a well-formed body.
pub(super) fn outline(pieces: &[Piece]) -> Option<Vec<Item>> {
    use Kind::*;
    let mut items: Vec<Item> = Vec::new();
    let mut open_blocks: Vec<usize> = Vec::new();
    let mut at = 0;
    loop {
        match pieces[at].kind {
            Newline | LineComment | BlockComment => at += 1,
            EndOfFile => return open_blocks.is_empty().then_some(items),
            CloseBrace => {
                at += 1;
                items[open_blocks.pop()?].end = at;
            }
            Word => {
                let next = at + 1 + comments(&pieces[at + 1..]);
                let (kind, end) = if pieces[next].kind == Equals {
                    let value = value(pieces, next + 1)?;
                    let end = value.end;
                    (ItemKind::Attribute(value), end)
                } else {
                    let labels =
                        pieces[next..].iter().take_while(|piece| matches!(piece.kind, Word | Quoted | BlockComment));
                    let brace = next + labels.count();
                    if pieces[brace].kind != OpenBrace {
                        return None;
                    }
                    (ItemKind::Block(at + 1..brace), brace + 1)
                };
                let (depth, parent) = (open_blocks.len(), open_blocks.last().copied());
                if let ItemKind::Block(_) = kind {
                    open_blocks.push(items.len());
                }
                items.push(Item { name: at, kind, depth, parent, end });
                at = end;
            }
            _ => return None,
        }
    }
}

/// Returns the number of comments at the beginning of pieces.
fn comments(pieces: &[Piece]) -> usize {
    pieces.iter().take_while(|piece| piece.kind == Kind::BlockComment).count()
}

/// Returns the value that begins at a position: it ends with its line, unless brackets are open, or with its block.
fn value(pieces: &[Piece], start: usize) -> Option<Range<usize>> {
    let mut depth = 0;
    let mut end = start;
    loop {
        match pieces[end].kind {
            Kind::EndOfFile => break,
            Kind::Newline | Kind::LineComment | Kind::CloseBrace if depth == 0 => break,
            kind => depth += kind.bracket_change(),
        }
        if depth < 0 {
            return None;
        }
        end += 1;
    }
    let start = start + comments(&pieces[start..end]);
    let after = pieces[start..end].iter().rev().take_while(|piece| piece.kind == Kind::BlockComment);
    let end = end - after.count();
    (depth == 0 && start < end).then_some(start..end)
}
