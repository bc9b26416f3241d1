//! Maps places in a decoded text to its source.

use super::Span;

/// Maps positions in a decoded text to positions in its source.
///
/// A decoded text consists of runs that are in the source byte for byte, and escape sequences between them, which are
/// longer in the source than in the text. Each run and each escape sequence is a pair of its starts in the text and in
/// the source.
///
/// ```
/// use hcl_lr::json::Document;
/// use hcl_lr::parse;
///
/// let document = parse::<Document>(r#" "a\u00e9${b}" "#).into_result()?;
/// let string = document.root().as_string().expect("a string");
/// assert_eq!(string.text(), "aé${b}");
/// // The `$` is the fourth byte of the text, and the tenth of the source.
/// assert_eq!(string.offsets().outer(3), 9);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// The start of the text in the source.
    start: u32,
    /// The pairs after the start, in order.
    pairs: Vec<(u32, u32)>,
}

impl Offsets {
    /// Creates the offsets of a text that is in the source byte for byte, from `start` on.
    pub fn new(start: usize) -> Self {
        Offsets { start: start as u32, pairs: Vec::new() }
    }

    /// Declares that the text from `inner` on comes from `outer` in the source. Pairs are added in order.
    pub fn push(&mut self, inner: usize, outer: usize) {
        let pair = (inner as u32, outer as u32);
        debug_assert!(self.pairs.last().is_none_or(|last| last.0 <= pair.0 && last.1 < pair.1), "{pair:?}");
        self.pairs.push(pair);
    }

    /// Converts an offset in the text to one in the source. An escape sequence has the offset of its start.
    pub fn outer(&self, inner: usize) -> usize {
        let after = self.pairs.partition_point(|pair| pair.0 as usize <= inner);
        let (from, to) = after.checked_sub(1).map_or((0, self.start), |index| self.pairs[index]);
        let outer = to as usize + (inner - from as usize);
        // Within the character of an escape sequence, no offset is after the sequence.
        self.pairs.get(after).map_or(outer, |next| outer.min(next.1 as usize))
    }

    /// Returns the span in the source of a span in the text.
    pub fn span(&self, inner: Span) -> Span {
        Span::new(self.outer(inner.start()), self.outer(inner.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_escapes() {
        // `ab\n\u00e9c` from 10 on.
        let mut offsets = Offsets::new(10);
        offsets.push(2, 12);
        offsets.push(3, 14);
        offsets.push(5, 20);
        let outer: Vec<usize> = [0, 1, 2, 3, 5, 6].map(|inner| offsets.outer(inner)).to_vec();
        assert_eq!(outer, [10, 11, 12, 14, 20, 21]);
        assert_eq!(offsets.span(Span::new(3, 5)), Span::new(14, 20));
        assert_eq!(Offsets::new(7).outer(3), 10);
    }
}
