//! Merges three texts by lines, as git does, or by the lines of whole items.

use std::collections::HashMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, Token};

use crate::{Container, Item, comments_of};
use hcl_lr::syntax::ast::File;

/// A part of a merged text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Agreed(&'t str),
    Conflict { ours: &'t str, base: &'t str, theirs: &'t str },
}

/// A text with the starts of its lines, and its end.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    tokens: Vec<Token>,
}

impl<'t> Lines<'t> {
    /// Splits a text into lines. The lines of a range in `whole` stay together as one.
    fn new(text: &'t str, whole: &[Range<usize>], known: &mut HashMap<&'t str, u32>) -> Lines<'t> {
        let (mut starts, mut tokens, mut end) = (vec![0], Vec::new(), 0);
        let mut whole = whole.iter().peekable();
        for line in text.split_inclusive('\n') {
            end += line.len();
            while whole.next_if(|range| range.end <= end).is_some() {}
            if whole.peek().is_some_and(|range| range.start < end) {
                continue;
            }
            let start = starts[starts.len() - 1];
            let next = known.len() as u32;
            tokens.push(Token(*known.entry(&text[start..end]).or_insert(next)));
            starts.push(end);
        }
        Lines { text, starts, tokens }
    }

    fn slice(&self, lines: &Range<usize>) -> &'t str {
        &self.text[self.starts[lines.start]..self.starts[lines.end]]
    }
}

/// The changed parts of one side, and the offset of its lines from those of the base.
struct Side<'s, 't> {
    lines: &'s Lines<'t>,
    hunks: std::iter::Peekable<std::vec::IntoIter<Hunk>>,
    shift: isize,
}

impl<'s, 't> Side<'s, 't> {
    fn new(base: &Lines<'t>, lines: &'s Lines<'t>, count: u32) -> Side<'s, 't> {
        let mut diff = Diff::default();
        diff.compute_with(Algorithm::Histogram, &base.tokens, &lines.tokens, count);
        Side { lines, hunks: diff.hunks().collect::<Vec<_>>().into_iter().peekable(), shift: 0 }
    }

    fn next_start(&mut self) -> Option<usize> {
        self.hunks.peek().map(|hunk| hunk.before.start as usize)
    }

    /// Takes the hunks that begin before a line of the base, and returns the end of the last one.
    fn take(&mut self, until: usize) -> Option<usize> {
        let mut end = None;
        while let Some(hunk) = self.hunks.next_if(|hunk| hunk.before.start as usize <= until) {
            self.shift += hunk.after.len() as isize - hunk.before.len() as isize;
            end = end.max(Some(hunk.before.end as usize));
        }
        end
    }

    fn at(&self, line: usize) -> usize {
        line.saturating_add_signed(self.shift)
    }
}

/// Merges by lines.
pub(super) fn pieces<'t>(base: &'t str, ours: &'t str, theirs: &'t str) -> Vec<Piece<'t>> {
    pieces_with(base, ours, theirs, [&[], &[], &[]])
}

/// Merges by lines, where the lines of an item and its comments stay together.
pub(super) fn pieces_of_items<'t>(base: &'t File, ours: &'t File, theirs: &'t File) -> Vec<Piece<'t>> {
    let [one, two, three] = [base, ours, theirs].map(item_lines);
    let [base, ours, theirs] = [base, ours, theirs].map(|file| file.source().text());
    pieces_with(base, ours, theirs, [&one, &two, &three])
}

/// Returns the lines that each item of a file and its comments occupy.
fn item_lines(file: &File) -> Vec<Range<usize>> {
    let text = file.source().text();
    let mut lines: Vec<Range<usize>> = Vec::new();
    for item in Container::Body(file.body()).members().into_iter().flatten() {
        let (above, after) = comments_of(file, item);
        let span = Item::span(item);
        let start = above.first().map_or(span.start(), |comment| comment.span().start().min(span.start()));
        let end = after.last().map_or(span.end(), |comment| comment.span().end().max(span.end()));
        let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let end = match text[..end].ends_with('\n') {
            true => end,
            false => text[end..].find('\n').map_or(text.len(), |at| end + at + 1),
        };
        match lines.last_mut().filter(|last| start < last.end) {
            Some(last) => last.end = last.end.max(end),
            None => lines.push(start..end),
        }
    }
    lines
}

fn pieces_with<'t>(base: &'t str, ours: &'t str, theirs: &'t str, whole: [&[Range<usize>]; 3]) -> Vec<Piece<'t>> {
    let mut known = HashMap::new();
    let base = Lines::new(base, whole[0], &mut known);
    let (ours, theirs) = (Lines::new(ours, whole[1], &mut known), Lines::new(theirs, whole[2], &mut known));
    let count = known.len() as u32;
    let (mut ours, mut theirs) = (Side::new(&base, &ours, count), Side::new(&base, &theirs, count));
    let (mut pieces, mut done) = (Vec::new(), 0);
    loop {
        let start = match (ours.next_start(), theirs.next_start()) {
            (Some(one), Some(other)) => one.min(other),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => break,
        };
        pieces.push(Piece::Agreed(base.slice(&(done..start))));
        let (our_start, their_start) = (ours.at(start), theirs.at(start));
        let (mut end, mut any_ours, mut any_theirs) = (start, false, false);
        // Adjacent changes of both sides form one region.
        loop {
            let (one, other) = (ours.take(end), theirs.take(end));
            any_ours |= one.is_some();
            any_theirs |= other.is_some();
            let further = one.max(other);
            if further.is_none() {
                break;
            }
            end = end.max(further.unwrap_or(end));
        }
        let our_text = ours.lines.slice(&(our_start..ours.at(end)));
        let their_text = theirs.lines.slice(&(their_start..theirs.at(end)));
        pieces.push(match (any_ours, any_theirs) {
            (true, true) if our_text != their_text => {
                Piece::Conflict { ours: our_text, base: base.slice(&(start..end)), theirs: their_text }
            }
            (true, _) => Piece::Agreed(our_text),
            (false, _) => Piece::Agreed(their_text),
        });
        done = end;
    }
    pieces.push(Piece::Agreed(base.slice(&(done..base.tokens.len()))));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> String {
        let shown = |piece: Piece<'_>| match piece {
            Piece::Agreed(text) => text.to_owned(),
            Piece::Conflict { ours, base, theirs } => format!("<{ours}|{base}|{theirs}>"),
        };
        pieces(base, ours, theirs).into_iter().map(shown).collect()
    }

    #[test]
    fn changes_of_both_sides_meet() {
        let base = "1\n2\n3\n4\n5\n6\n";
        assert_eq!(merged(base, "1\n2a\n3\n4\n5\n6\n", "1\n2\n3\n4\n6\n7\n"), "1\n2a\n3\n4\n6\n7\n");
        assert_eq!(merged(base, "0\n1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\n6\n"), "0\n1\n2\n3\n4\n5\n6\n");
        assert_eq!(merged(base, "1\n2a\n3\n4\n5\n6\n", "1\n2b\n3\n4\n5\n6\n"), "1\n<2a\n|2\n|2b\n>3\n4\n5\n6\n");
        assert_eq!(merged(base, "1\n2\n3a\n4\n5\n6\n", "1\n2\n3\n4a\n5\n6\n"), "1\n2\n<3a\n4\n|3\n4\n|3\n4a\n>5\n6\n");
        assert_eq!(merged(base, "1\n6\n", "1\n6\n"), "1\n6\n");
        assert_eq!(merged("", "a", "a\n"), "<a||a\n>");
        assert_eq!(merged("a\nb", "b", "a\nb\n"), "<b|a\nb|a\nb\n>");
    }
}
