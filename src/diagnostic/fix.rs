//! Applies safe edits if they leave fewer errors and add none.

use std::ops::RangeInclusive;

use super::{Applicability, Code, Diagnostic, Diagnostics, Suggestion};
use crate::sorting::sort_by_key;
use crate::source::{Replacement, Span};

/// The maximum number of rounds, because the text after edits may suggest further ones.
const MAX_ROUNDS: usize = 20;

/// The number of attempts with smaller groups of edits, if all edits together do not help.
const MAX_TRIES: usize = 200;

/// A text after its safe edits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The text.
    pub bytes: Vec<u8>,
    /// The diagnostics that remain.
    pub diagnostics: Diagnostics,
    /// The number of diagnostics that the edits removed.
    pub count: usize,
}

/// Applies the safe edits that are suggested for a text, then those for the result, and so on. Edits are kept only if
/// they leave fewer diagnostics, no more errors, and no new ones.
///
/// ```
/// use hcl_lr::diagnostic::fix;
///
/// let parse = |bytes: &[u8]| hcl_lr::parse::<hcl_lr::File>(("main.hcl", bytes.to_vec())).into_parts().1;
/// let text = b"a = 'x'\n".to_vec();
/// let wrong = parse(&text);
/// let fixed = fix(text, wrong, parse);
/// assert_eq!((fixed.bytes.as_slice(), fixed.count), (b"a = \"x\"\n".as_slice(), 1));
/// ```
pub fn fix(bytes: Vec<u8>, diagnostics: Diagnostics, parse: impl Fn(&[u8]) -> Diagnostics) -> Fixed {
    let before = diagnostics.len();
    let mut fixing = Fixing { bytes, diagnostics, parse, tries: MAX_TRIES };
    for _ in 0..MAX_ROUNDS {
        let edits = fixing.suggested();
        if edits.is_empty() || !fixing.make(&edits) {
            break;
        }
    }
    let Fixing { bytes, diagnostics, .. } = fixing;
    let count = before.saturating_sub(diagnostics.len());
    Fixed { bytes, diagnostics, count }
}

/// Returns the number of diagnostics with an edit that is safe without a review.
pub fn fixable(diagnostics: &Diagnostics) -> usize {
    diagnostics.iter().filter(|diagnostic| safe(diagnostic).is_some()).count()
}

fn safe(diagnostic: &Diagnostic) -> Option<&Suggestion> {
    diagnostic.suggestions().iter().find(|suggestion| suggestion.applicability() == Applicability::Safe)
}

struct Fixing<P> {
    bytes: Vec<u8>,
    diagnostics: Diagnostics,
    parse: P,
    tries: usize,
}

impl<P: Fn(&[u8]) -> Diagnostics> Fixing<P> {
    /// Returns the safe edits of each diagnostic, without those that overlap earlier edits.
    fn suggested(&self) -> Vec<Vec<Replacement>> {
        let mut all: Vec<Vec<Replacement>> = self
            .diagnostics
            .iter()
            .filter_map(|diagnostic| Some(safe(diagnostic)?.replacements_in(diagnostic.source())))
            .filter(|edits| !edits.is_empty())
            .collect();
        all.sort_by_key(|edits| edits[0].span());
        let mut taken: Vec<Replacement> = Vec::new();
        all.retain(|edits| {
            let fits = edits.iter().all(|edit| fits(edit.span(), &taken));
            if fits {
                taken.extend(edits.iter().cloned());
                taken.sort_by_key(Replacement::span);
            }
            fits
        });
        all
    }

    /// Applies edits, or those of them that improve the text. Returns true if there are any.
    fn make(&mut self, edits: &[Vec<Replacement>]) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        if self.make_all(edits) {
            return true;
        }
        match edits.len() {
            0 | 1 => false,
            // Applying one half invalidates the places of the other half, which is suggested again in the next round.
            count => self.make(&edits[..count / 2]) || self.make(&edits[count / 2..]),
        }
    }

    fn make_all(&mut self, edits: &[Vec<Replacement>]) -> bool {
        let mut edits: Vec<Replacement> = edits.iter().flatten().cloned().collect();
        edits.sort_by_key(Replacement::span);
        let Ok(bytes) = Replacement::apply_to_bytes(&edits, &self.bytes) else { return false };
        let diagnostics = (self.parse)(&bytes);
        let better = diagnostics.len() < self.diagnostics.len()
            && diagnostics.errors().count() <= self.diagnostics.errors().count()
            && nothing_new(&self.diagnostics, &diagnostics, &edits);
        if better {
            (self.bytes, self.diagnostics) = (bytes, diagnostics);
        }
        better
    }
}

/// Returns true if a span overlaps none of the taken ones, which are in order. Two insertions at the same place
/// overlap.
fn fits(span: Span, taken: &[Replacement]) -> bool {
    let after = taken.partition_point(|other| other.span() < span);
    let apart = |other: &Replacement| {
        let other = other.span();
        other.end() <= span.start() || span.end() <= other.start()
    };
    let before_fits = after.checked_sub(1).is_none_or(|index| apart(&taken[index]));
    before_fits && taken.get(after).is_none_or(|next| apart(next) && next.span() != span)
}

/// Returns true if every diagnostic after the edits was there before.
fn nothing_new(before: &Diagnostics, after: &Diagnostics, edits: &[Replacement]) -> bool {
    /// The number of candidates for the same diagnostic that are compared.
    const MAX_SEARCH: usize = 64;
    let moved = Moved::new(edits);
    // The places of each diagnostic after the edits. An error that is reported at the end of the file because of
    // another one moves to its opening bracket when that is fixed; the bracket was one of its labels.
    let mut known: Vec<(&Code, RangeInclusive<usize>, usize)> = Vec::new();
    for (index, old) in before.iter().enumerate() {
        let places = std::iter::once(old.place()).chain(old.labels().iter().map(|label| label.place()));
        known.extend(places.map(|place| (old.code(), moved.range_of(place.span()), index)));
    }
    sort_by_key(&mut known, |(code, range, _)| (*code, *range.start()));
    let mut is_used = vec![false; before.len()];
    after.iter().all(|new| {
        let (code, at) = (new.code(), new.span().start());
        let end = known.partition_point(|(known, range, _)| (*known, *range.start()) <= (code, at));
        let near = known[..end].iter().rev().take(MAX_SEARCH).take_while(|(known, ..)| *known == code);
        let mut same = near.filter(|(_, range, _)| range.contains(&at)).map(|&(.., index)| index);
        let same = same.find(|&index| !is_used[index]);
        same.is_some_and(|index| !std::mem::replace(&mut is_used[index], true))
    })
}

/// The places of text after edits.
struct Moved<'e> {
    edits: &'e [Replacement],
    /// The start of each edit in the new text.
    starts: Vec<usize>,
}

impl<'e> Moved<'e> {
    fn new(edits: &'e [Replacement]) -> Self {
        let (mut added, mut removed) = (0, 0);
        let mut starts = Vec::with_capacity(edits.len());
        for edit in edits {
            starts.push(edit.span().start() + added - removed);
            added += edit.text().len();
            removed += edit.span().len();
        }
        Moved { edits, starts }
    }

    /// Returns the range for the start of a span: one position, or, if it is at an edit, any position in its text.
    fn range_of(&self, span: Span) -> RangeInclusive<usize> {
        let at = span.start();
        let next = self.edits.partition_point(|edit| edit.span().start() <= at);
        let Some(last) = next.checked_sub(1) else { return at..=at };
        let (edit, start) = (&self.edits[last], self.starts[last]);
        let end = start + edit.text().len();
        match at.checked_sub(edit.span().end()) {
            Some(distance @ 1..) => end + distance..=end + distance,
            _ => start..=end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn parse(bytes: &[u8]) -> Diagnostics {
        crate::parse::<crate::File>(Source::from_bytes("x", bytes)).into_parts().1
    }

    fn at(start: usize, end: usize, text: &'static str) -> Replacement {
        Replacement::new(Span::new(start, end), text)
    }

    #[test]
    fn places_move_with_edits() {
        let edits = [at(2, 4, "xyz"), at(8, 8, "!"), at(10, 12, "")];
        let moved = Moved::new(&edits);
        let starts = [0, 2, 3, 4, 6, 8, 9, 12, 13].map(|start| moved.range_of(Span::new(start, start)));
        assert_eq!(starts, [0..=0, 2..=5, 2..=5, 2..=5, 7..=7, 9..=10, 11..=11, 12..=12, 13..=13]);
    }

    #[test]
    fn edits_that_overlap_do_not_fit() {
        let taken = [at(2, 4, ""), at(6, 6, "x")];
        let fit = [(0, 2), (4, 6), (5, 7), (3, 3), (6, 6), (7, 9), (4, 4)]
            .map(|(start, end)| fits(Span::new(start, end), &taken));
        assert_eq!(fit, [true, true, false, false, false, true, true]);
    }

    #[test]
    fn a_text_without_errors_stays() {
        let fixed = fix(b"a = 1\n".to_vec(), parse(b"a = 1\n"), parse);
        assert_eq!((fixed.bytes.as_slice(), fixed.count), (b"a = 1\n".as_slice(), 0));
    }

    #[test]
    fn what_does_not_help_is_not_kept() {
        // Pretends that nothing ever gets better.
        let text = b"a = 'x'\n";
        let fixed = fix(text.to_vec(), parse(text), |_| parse(text));
        assert_eq!((fixed.bytes.as_slice(), fixed.count), (text.as_slice(), 0));
    }
}
