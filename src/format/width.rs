//! The width of a text in columns.

use super::pieces::{Kind, Piece};
use crate::writer::columns::columns_between;

/// Returns the columns of consecutive pieces, each with the blanks before it.
pub(super) fn width(source: &[u8], pieces: &[Piece]) -> u32 {
    let columns = pieces.iter().map(|&piece| piece.blanks as usize + piece_width(source, piece));
    u32::try_from(columns.sum::<usize>()).unwrap_or(u32::MAX - 1)
}

fn piece_width(source: &[u8], piece: Piece) -> usize {
    let (text, kind) = (piece.text(source), piece.kind);
    // A carriage return and a newline are one character.
    if text.is_ascii() && (matches!(kind, Kind::Word | Kind::Number) || !text.contains(&b'\r')) {
        return text.len();
    }
    columns_between(text, kind == Kind::Quoted, matches!(kind, Kind::Quoted | Kind::QuotedText))
}
