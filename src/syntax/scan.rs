//! Scanning for bytes of a class, eight at a time.
//!
//! A word of eight bytes is searched with a few integer operations, which mark every byte that belongs to a class by
//! its high bit. This needs no `unsafe`, and is nearly as fast as vector instructions on the short runs of
//! configuration files.

use crate::work;

const HIGH_BITS: u64 = every(0x80);

const fn every(byte: u8) -> u64 {
    u64::MAX / 255 * byte as u64
}

/// Returns the first position from `at` on that is not part of an identifier. All bytes beyond ASCII count as parts.
pub(super) fn identifier_end(source: &[u8], at: usize) -> usize {
    first_marked(source, at, |word| !(ascii_identifier_parts(word) | word))
}

/// Returns the first position from `at` on that is not part of an ASCII identifier.
#[inline]
pub(crate) fn ascii_identifier_end(source: &[u8], at: usize) -> usize {
    first_marked(source, at, |word| !ascii_identifier_parts(word) | word)
}

#[inline]
fn ascii_identifier_parts(word: u64) -> u64 {
    let ascii = word & !HIGH_BITS;
    let letters = within(ascii | every(0x20), b'a', b'z');
    let digits = within(ascii, b'0', b'9');
    letters | digits | within(ascii, b'_', b'_') | within(ascii, b'-', b'-')
}

/// Returns the first position from `at` on that is not a space.
#[inline]
pub(crate) fn spaces_end(source: &[u8], mut at: usize) -> usize {
    // Usually there is at most one.
    if source.get(at) != Some(&b' ') {
        return at;
    }
    at += 1;
    while source.get(at) == Some(&b' ') {
        work::step(1);
        let Some(bytes) = source.get(at..).and_then(|rest| rest.first_chunk()) else {
            at += 1;
            continue;
        };
        let others = u64::from_le_bytes(*bytes) ^ every(b' ');
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

/// Returns the first position from `at` on that may end or interrupt quoted text: `"`, `\`, `$`, `%`, or one of the
/// control characters from backspace to shift in, which include newline and carriage return.
#[inline]
pub(crate) fn quoted_text_end(source: &[u8], at: usize) -> usize {
    first_marked(source, at, |word| {
        // `$` and `%` differ in the lowest bit only.
        let sequences = first_equal(word & every(0xfe), b'$');
        let quotes = first_equal(word, b'"') | first_equal(word, b'\\');
        // Newlines and carriage returns, and other control characters that hardly occur.
        sequences | quotes | first_equal(word & every(0xf8), 0x08)
    })
}

/// Returns the first position from `at` on that may end or interrupt the text of a JSON string: `"`, `\\`, or a control
/// character.
#[inline]
pub(crate) fn json_text_end(source: &[u8], at: usize) -> usize {
    first_marked(source, at, |word| {
        // A byte below the space borrows from its high bit; so may those after it.
        let controls = word.wrapping_sub(every(0x20)) & !word;
        controls | first_equal(word, b'"') | first_equal(word, b'\\')
    })
}

/// Returns the first position that `marks` marks. The source is followed by newlines, which all callers mark.
#[inline]
fn first_marked(source: &[u8], mut at: usize, marks: impl Fn(u64) -> u64) -> usize {
    loop {
        work::step(1);
        let rest = source.get(at..).unwrap_or_default();
        let bytes = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut bytes = [b'\n'; 8];
            bytes[..rest.len()].copy_from_slice(rest);
            bytes
        });
        let marked = marks(u64::from_le_bytes(bytes)) & HIGH_BITS;
        if marked != 0 {
            return (at + marked.trailing_zeros() as usize / 8).min(source.len());
        }
        at += 8;
    }
}

/// Marks the bytes of `low..=high` in a word of ASCII.
#[inline]
fn within(ascii: u64, low: u8, high: u8) -> u64 {
    (ascii + every(0x80 - low)) & !(ascii + every(0x7f - high))
}

/// Marks the first byte that equals `byte`; marks after it may be wrong.
#[inline]
fn first_equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ every(byte);
    difference.wrapping_sub(every(1)) & !difference
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte at every offset of a word, against the byte by byte definition.
    #[test]
    fn words_and_bytes_agree() {
        for offset in 0..17 {
            for byte in 0..=255u8 {
                let mut source = vec![b'a'; offset];
                source.push(byte);
                source.extend(b"aaaaaaaaaa\n");
                let identifier = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-' || b >= 0x80;
                let expected = source.iter().position(|&b| !identifier(b));
                assert_eq!(Some(identifier_end(&source, 0)), expected, "{byte:#x} at {offset}");
                let expected = source.iter().position(|&b| !identifier(b) || b >= 0x80);
                assert_eq!(Some(ascii_identifier_end(&source, 0)), expected, "{byte:#x} at {offset}");
                let text = |b: u8| !b"\"\\$%".contains(&b) && !(0x08..=0x0f).contains(&b);
                let expected = source.iter().position(|&b| !text(b));
                assert_eq!(Some(quoted_text_end(&source, 0)), expected, "{byte:#x} at {offset}");
                let text = |b: u8| b >= 0x20 && !b"\"\\".contains(&b);
                let expected = source.iter().position(|&b| !text(b));
                assert_eq!(Some(json_text_end(&source, 0)), expected, "{byte:#x} at {offset}");
            }
        }
    }

    #[test]
    fn spaces_are_skipped() {
        for count in 0..40 {
            for after in ["", "a", "\t ", "\n        "] {
                let source = format!("{}{after}", " ".repeat(count));
                assert_eq!(spaces_end(source.as_bytes(), 0), count, "{source:?}");
            }
        }
    }

    #[test]
    fn the_end_of_the_source_ends_every_run() {
        for length in 0..20 {
            let source = vec![b'a'; length];
            assert_eq!(identifier_end(&source, 0), length);
            assert_eq!(quoted_text_end(&source, length), length);
        }
    }
}
