//! The layout rules that do not depend on tokens: the width of a text, the indentation of a line, and the maximum
//! number of blanks.

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
        let before = before.replace(c);
        is_indic(c) && before.is_some_and(is_attached) && !is_attached(c)
    });
    joined.count()
}

/// Returns true if a character is in one cluster with any letter before it: a mark, or a joiner.
fn is_attached(c: char) -> bool {
    String::from_iter(['a', c]).graphemes(true).nth(1).is_none()
}

/// Returns true if a character is in the range of blocks for scripts of India and its neighbours.
fn is_indic(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{10ff}' | '\u{1700}'..='\u{1cff}'
        | '\u{a800}'..='\u{abff}' | '\u{11000}'..='\u{11fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::char::is_combining_mark;

    #[test]
    fn a_joined_letter_takes_a_column_and_a_mark_does_not() {
        let (marks, others): (Vec<char>, Vec<char>) =
            ('\0'..=char::MAX).filter(|&c| is_indic(c)).partition(|&c| is_combining_mark(c));
        for virama in ['\u{94d}', '\u{9cd}', '\u{acd}', '\u{b4d}', '\u{c4d}', '\u{d4d}', '\u{1039}', '\u{17d2}'] {
            for between in ["", "\u{200d}", "\u{93c}", "\u{1f3fb}"] {
                for &c in &others {
                    assert_eq!(columns(&format!("क{virama}{between}{c}")), 2, "{virama:?} {between:?} {c:?}");
                }
                for &c in &marks {
                    let text = format!("क{virama}{between}{c}");
                    assert_eq!(columns(&text), text.graphemes(true).count(), "{virama:?} {between:?} {c:?}");
                }
            }
        }
    }
}
