//! How many columns a text takes up.

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use super::pieces::{Kind, Piece};

/// The columns of pieces in a row, each with the blanks before it.
pub(super) fn width(source: &[u8], pieces: &[Piece]) -> u32 {
    let columns = pieces.iter().map(|&piece| piece.blanks as usize + piece_width(source, piece));
    u32::try_from(columns.sum::<usize>()).unwrap_or(u32::MAX - 1)
}

fn piece_width(source: &[u8], piece: Piece) -> usize {
    width_of(piece.text(source), piece.kind)
}

/// The columns of a name, or of a text in quotes without sequences.
pub(crate) fn columns(name: &str) -> usize {
    width_of(name.as_bytes(), if name.starts_with('"') { Kind::Quoted } else { Kind::Word })
}

fn width_of(text: &[u8], kind: Kind) -> usize {
    // A carriage return and a newline are one character.
    if text.is_ascii() && (matches!(kind, Kind::Word | Kind::Number) || !text.contains(&b'\r')) {
        return text.len();
    }
    match text {
        // A character that joins the one before it does not join a quote.
        [b'"', inner @ .., b'"'] if kind == Kind::Quoted => 2 + characters(inner),
        [b'"', inner @ ..] if kind == Kind::Quoted => 1 + characters(inner),
        [inner @ .., b'"'] if kind == Kind::QuotedText => 1 + characters(inner),
        _ => characters(text),
    }
}

/// How many characters of a reader there are: the grapheme clusters of Unicode.
fn characters(text: &[u8]) -> usize {
    let valid = |text: &str| text.graphemes(true).map(|cluster| 1 + conjuncts(cluster)).sum::<usize>();
    text.utf8_chunks().map(|chunk| valid(chunk.valid()) + chunk.invalid().len()).sum()
}

/// How many consonants of Indic scripts are joined to what stands before them. Since its version
/// 15.1 Unicode counts them as one with it; the canonical form follows an older one.
fn conjuncts(cluster: &str) -> usize {
    let mut before = None;
    let joined = cluster.chars().filter(|&c| {
        let marked = before.replace(c).is_some_and(|before| is_combining_mark(before) || before == '\u{200d}');
        marked && is_indic(c) && !is_combining_mark(c)
    });
    joined.count()
}

/// Whether a character is of a block of a script of India or its neighbours, with some others between.
fn is_indic(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{10ff}' | '\u{1700}'..='\u{1cff}'
        | '\u{a800}'..='\u{abff}' | '\u{11000}'..='\u{11fff}')
}
