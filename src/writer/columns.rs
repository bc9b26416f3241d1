//! The layout rules that do not depend on tokens: the width of a text, the indentation of a line, and the maximum
//! number of blanks.

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

/// By how many blanks each step is indented.
pub(crate) const INDENTATION: u32 = 2;

/// The maximum number of blanks: otherwise a short text could use all memory.
const MAX_BLANKS: u64 = 16 << 20;
const BLANKS_PER_BYTE: u64 = 64;

/// Returns true if there are too many blanks for a text with a given number of bytes.
pub(crate) fn too_many_blanks(blanks: u64, bytes: usize) -> bool {
    blanks > MAX_BLANKS && blanks > MAX_BLANKS + BLANKS_PER_BYTE * bytes as u64
}

/// Returns the columns of a name, or of a text in quotes without sequences.
pub(crate) fn columns(name: &str) -> usize {
    if name.is_ascii() {
        name.len()
    } else {
        columns_between(name.as_bytes(), name.starts_with('"'), name.ends_with('"'))
    }
}

/// Returns the columns of a text that may begin and end with a quote. A combining character does not combine with a
/// quote.
pub(crate) fn columns_between(text: &[u8], opens: bool, closes: bool) -> usize {
    match text {
        [b'"', inner @ .., b'"'] if opens && closes => 2 + characters(inner),
        [b'"', inner @ ..] if opens => 1 + characters(inner),
        [inner @ .., b'"'] if closes => 1 + characters(inner),
        _ => characters(text),
    }
}

/// Returns the number of characters that a reader perceives: the grapheme clusters of Unicode.
fn characters(text: &[u8]) -> usize {
    let valid = |text: &str| text.graphemes(true).map(|cluster| 1 + conjuncts(cluster)).sum::<usize>();
    text.utf8_chunks().map(|chunk| valid(chunk.valid()) + chunk.invalid().len()).sum()
}

/// Returns the number of consonants of Indic scripts that are joined to the text before them. Since version 15.1
/// Unicode counts them as one with it; the canonical form follows an older version.
fn conjuncts(cluster: &str) -> usize {
    let mut before = None;
    let joined = cluster.chars().filter(|&c| {
        let marked = before.replace(c).is_some_and(|before| is_combining_mark(before) || before == '\u{200d}');
        marked && is_indic(c) && !is_combining_mark(c)
    });
    joined.count()
}

/// Returns true if a character is in the range of blocks for scripts of India and its neighbours.
fn is_indic(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{10ff}' | '\u{1700}'..='\u{1cff}'
        | '\u{a800}'..='\u{abff}' | '\u{11000}'..='\u{11fff}')
}
