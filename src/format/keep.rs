//! Edits that keep the layout: formatted texts stay formatted, and aligned lines stay aligned.
//!
//! 1. If the whole text was formatted before the edits, all blanks are canonical after them.
//! 2. Otherwise each run of adjacent lines with an `=` (or a comment) is handled separately. If its cells began in the
//!    same column before, they still do, in the first column with room for all of them. If they did not, or if most
//!    lines of the text are not aligned, the run stays as it is.
//!
//! ```text
//! before          edit                        after
//! a  = 1          after the second line       a      = 1
//! bc = 2          comes `longer = 3`          bc     = 2
//!                                             longer = 3
//! d = 4           `d` becomes `long`          long = 4
//! ef = 5                                      ef = 5
//! ```

use std::ops::Range;

use super::MAX_LENGTH;
use super::layout::{Line, lay_out, lines};
use super::pieces::{Piece, pieces};
use super::width::width;
use crate::source::{Replacement, ReplacementError, Span};
use crate::writer::columns::too_many_blanks;

/// Returns edits together with the changes of blanks that they require: a text in canonical form stays canonical, and
/// in other texts, lines with aligned equals signs or comments stay aligned.
///
/// ```
/// use hcl_lr::format::keep_layout;
/// use hcl_lr::source::{Replacement, Span};
///
/// let text = "x=0\n\na  = 1\nbc = 2\n";
/// let edits = keep_layout(&[Replacement::new(Span::new(12, 14), "long")], text)?;
/// assert_eq!(Replacement::apply(&edits, text)?, "x=0\n\na    = 1\nlong = 2\n");
/// # Ok::<(), hcl_lr::source::ReplacementError>(())
/// ```
///
/// # Errors
/// The edits cannot be applied, see [`Replacement::apply`].
pub fn keep_layout(edits: &[Replacement], text: &str) -> Result<Vec<Replacement>, ReplacementError> {
    let new = Replacement::apply(edits, text)?;
    if text.len().max(new.len()) > MAX_LENGTH {
        return Ok(edits.to_vec());
    }
    let (old_pieces, new_pieces) = (pieces_and_mark(text), pieces_and_mark(&new));
    let mut laid = new_pieces.clone();
    let map = Map::of(edits);
    let Some(was_formatted) = is_formatted(text.as_bytes(), &old_pieces) else { return Ok(edits.to_vec()) };
    if was_formatted {
        lay_out(new.as_bytes(), &mut laid, true);
    } else {
        let old = Reading { text: text.as_bytes(), lines: lines(&old_pieces), pieces: &old_pieces };
        let new_lines = lines(&new_pieces);
        for cell in [Line::assign_cell as fn(Line) -> Option<u32>, Line::comment_cell] {
            align(&old, new.as_bytes(), (&mut laid, &new_lines), cell, &map);
        }
    }
    let blanks: u64 = laid.iter().map(|piece| u64::from(piece.blanks)).sum();
    if too_many_blanks(blanks, new.len()) {
        return Ok(edits.to_vec());
    }
    let changes = new_pieces.iter().zip(&laid).filter_map(|(old, laid)| {
        let span = (old.start - old.blanks) as usize..old.start as usize;
        let written = &new.as_bytes()[span.clone()];
        let same = old.blanks == laid.blanks && (!was_formatted || written.iter().all(|&byte| byte == b' '));
        (!same).then_some((span, laid.blanks as usize))
    });
    Ok(map.combined(&new, changes.collect()))
}

/// Returns true if all blanks of a text are canonical. Does not build the canonical text, which can be much longer,
/// because each level is indented more than the one around it. `None` if the text has too many blanks.
fn is_formatted(text: &[u8], pieces: &[Piece]) -> Option<bool> {
    let mut laid = pieces.to_vec();
    lay_out(text, &mut laid, true);
    let blanks: u64 = laid.iter().map(|piece| u64::from(piece.blanks)).sum();
    let is_same = |(old, laid): (&Piece, &Piece)| {
        let written = &text[(old.start - old.blanks) as usize..old.start as usize];
        laid.kept || old.blanks == laid.blanks && written.iter().all(|&byte| byte == b' ')
    };
    (!too_many_blanks(blanks, text.len())).then(|| pieces.iter().zip(&laid).all(is_same))
}

/// Returns the pieces of a text. The byte order mark, which stays, has no width: it does not count as blanks before the
/// first piece.
fn pieces_and_mark(text: &str) -> Vec<Piece> {
    let mut pieces = pieces(text.as_bytes()).list;
    if let (true, Some(first)) = (text.starts_with('\u{feff}'), pieces.first_mut()) {
        first.blanks = first.blanks.saturating_sub('\u{feff}'.len_utf8() as u32);
    }
    pieces
}

/// A text with its pieces and lines.
struct Reading<'a> {
    text: &'a [u8],
    pieces: &'a [Piece],
    lines: Vec<Line>,
}

/// The alignment of a cell in a run of lines.
#[derive(Clone, Copy)]
enum Run {
    /// Aligned in `column`; `slack` is its distance from the first column with room. `shows` is true if the texts
    /// before the cell differ in width, so that the alignment is not by chance.
    Aligned {
        slack: u32,
        column: u32,
        shows: bool,
    },
    Loose,
}

/// Sets the blanks before a cell in all runs of lines that were aligned before the edits.
fn align(
    old: &Reading<'_>,
    new: &[u8],
    (pieces, new_lines): (&mut [Piece], &[Line]),
    cell: fn(Line) -> Option<u32>,
    map: &Map<'_>,
) {
    let mut of_line: Vec<Option<Run>> = vec![None; old.lines.len()];
    let (mut aligned, mut loose) = (0, 0);
    for run in runs(&old.lines, cell) {
        let state = state(old, &old.lines[run.clone()], cell);
        match state {
            Run::Aligned { shows: true, .. } => aligned += 1,
            Run::Loose if run.len() > 1 => loose += 1,
            _ => {}
        }
        of_line[run].fill(Some(state));
    }
    // If the text has no evidence, lines are aligned as in the canonical form.
    let is_rule = loose == 0 || aligned > loose;
    let starts: Vec<u32> = old.lines.iter().map(|line| line_span(old.pieces, *line).start).collect();
    for run in runs(new_lines, cell) {
        let lines = &new_lines[run];
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { continue };
        let (start, end) = (map.start(line_span(pieces, *first).start), map.end(line_span(pieces, *last).end));
        let before = starts.partition_point(|&at| at <= start).saturating_sub(1);
        let mut column = 0;
        let mut keeps = true;
        let mut any = false;
        for (line, run) in old
            .lines
            .iter()
            .zip(&of_line)
            .skip(before)
            .take_while(|(line, _)| line_span(old.pieces, **line).start < end)
        {
            let Some(run) = run.filter(|_| line_span(old.pieces, *line).end > start) else { continue };
            any = true;
            match run {
                Run::Aligned { shows, .. } if !shows && !is_rule => keeps = false,
                Run::Aligned { slack: 1.., column: at, .. } => column = column.max(at),
                Run::Aligned { .. } => {}
                Run::Loose => keeps = false,
            }
        }
        if !keeps || !any && !is_rule {
            continue;
        }
        let cells: Vec<(usize, u32)> = lines
            .iter()
            .filter_map(|&line| {
                let at = cell(line)? as usize;
                Some((at, width(new, &pieces[line.first as usize..at])))
            })
            .collect();
        let widest = cells.iter().map(|&(_, width)| width).max().unwrap_or_default();
        let column = column.max(widest + 1);
        for (at, width) in cells {
            pieces[at].blanks = column - width;
        }
    }
}

/// Returns the runs of neighbouring lines that have a cell.
fn runs(lines: &[Line], cell: fn(Line) -> Option<u32>) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    lines.chunk_by(move |&a, &b| cell(a).is_some() && cell(b).is_some()).filter_map(move |run| {
        let range = at..at + run.len();
        at = range.end;
        run.first().and_then(|&line| cell(line)).map(|_| range)
    })
}

fn state(old: &Reading<'_>, lines: &[Line], cell: fn(Line) -> Option<u32>) -> Run {
    let mut places = lines.iter().filter_map(|&line| {
        let at = cell(line)? as usize;
        let piece = old.pieces[at];
        let blanks = &old.text[(piece.start - piece.blanks) as usize..piece.start as usize];
        let is_plain = piece.blanks > 0 && blanks.iter().all(|&byte| byte == b' ');
        Some((width(old.text, &old.pieces[line.first as usize..at]), piece.blanks, is_plain))
    });
    let Some((width, blanks, true)) = places.next() else { return Run::Loose };
    let column = width.saturating_add(blanks);
    let (mut widest, mut shows) = (width, false);
    for (other, blanks, is_plain) in places {
        if !is_plain || other.saturating_add(blanks) != column {
            return Run::Loose;
        }
        shows |= other != width;
        widest = widest.max(other);
    }
    match column - widest - 1 {
        // A single line has no neighbours that would explain its blanks.
        1.. if lines.len() == 1 => Run::Loose,
        slack => Run::Aligned { slack, column, shows },
    }
}

/// Returns the place of a line in its text, without its line break.
fn line_span(pieces: &[Piece], line: Line) -> Range<u32> {
    let place = |at: u32| pieces.get(at as usize).map_or(u32::MAX, |piece| piece.start);
    let first = pieces.get(line.first as usize).map_or(0, |piece| piece.start);
    first..place(line.end)
}

/// The places of edits before and after them.
struct Map<'e> {
    edits: Vec<(Range<usize>, &'e Replacement)>,
}

impl<'e> Map<'e> {
    fn of(edits: &'e [Replacement]) -> Map<'e> {
        let (mut at, mut done) = (0, 0);
        let place = |edit: &'e Replacement| {
            at += edit.span().start() - done;
            done = edit.span().end();
            let range = at..at + edit.text().len();
            at = range.end;
            (range, edit)
        };
        Map { edits: edits.iter().map(place).collect() }
    }

    /// Returns the place of the start of a line before the edits.
    fn start(&self, at: u32) -> u32 {
        self.old(at as usize, |edit| edit.span().start()) as u32
    }

    /// Returns the place of the end of a line before the edits.
    fn end(&self, at: u32) -> u32 {
        self.old(at as usize, |edit| edit.span().end()) as u32
    }

    /// Returns the place before the edits of a place after them; `within` maps a place in the text of an edit.
    fn old(&self, at: usize, within: impl Fn(&Replacement) -> usize) -> usize {
        let next = self.edits.partition_point(|(range, _)| range.start < at);
        let Some((range, edit)) = next.checked_sub(1).and_then(|last| self.edits.get(last)) else { return at };
        match at < range.end {
            true => within(edit),
            false => at - range.end + edit.span().end(),
        }
    }

    /// Returns the edits together with changes of blanks in the text after them.
    fn combined(&self, new: &str, blanks: Vec<(Range<usize>, usize)>) -> Vec<Replacement> {
        let mut parts: Vec<(Range<usize>, Option<usize>, Option<&Replacement>)> = Vec::new();
        parts.extend(self.edits.iter().map(|(range, edit)| (range.clone(), None, Some(*edit))));
        parts.extend(blanks.into_iter().map(|(range, count)| (range, Some(count), None)));
        crate::sorting::sort_by_key(&mut parts, |(range, ..)| (range.start, range.end));
        let mut combined = Vec::new();
        let mut rest = &parts[..];
        while let Some((first, ..)) = rest.first() {
            // All that overlap or touch become one replacement.
            let mut end = first.end;
            let count = rest.iter().take_while(|(range, ..)| {
                let touches = range.start <= end;
                end = end.max(if touches { range.end } else { end });
                touches
            });
            let (group, others) = rest.split_at(count.count());
            combined.extend(self.replacement(new, first.start..end, group));
            rest = others;
        }
        combined
    }

    /// Returns the replacement for a part of the text after the edits, if anything changes in it.
    fn replacement(
        &self,
        new: &str,
        range: Range<usize>,
        group: &[(Range<usize>, Option<usize>, Option<&Replacement>)],
    ) -> Option<Replacement> {
        if let [(_, None, Some(edit))] = group {
            return Some((*edit).clone());
        }
        let (mut text, mut done) = (String::new(), range.start);
        for (blanks, count, _) in group {
            let Some(count) = count else { continue };
            text.push_str(&new[done..blanks.start]);
            text.extend(std::iter::repeat_n(' ', *count));
            done = blanks.end;
        }
        text.push_str(&new[done..range.end]);
        let mut edits = group.iter().filter_map(|(range, _, edit)| Some((range, (*edit)?)));
        // Outside of edits, the distance to the next edit has not changed.
        let start = match edits.clone().next() {
            Some((place, edit)) => edit.span().start() - (place.start - range.start),
            None => self.old(range.start, |edit| edit.span().start()),
        };
        let end = match edits.next_back() {
            Some((place, edit)) => edit.span().end() + (range.end - place.end),
            None => start + range.len(),
        };
        Some(Replacement::new(Span::new(start as u32, end as u32), text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces the first occurrence of a text by another one.
    fn edited(text: &str, old: &str, new: &'static str) -> String {
        let start = text.find(old).expect("it is there") as u32;
        let edit = Replacement::new(Span::new(start, start + old.len() as u32), new);
        let edits = keep_layout(&[edit], text).expect("an edit");
        Replacement::apply(&edits, text).expect("edits in order")
    }

    #[test]
    fn formatted_text_stays_formatted() {
        let text = "a {\n  b  = 1 # x\n  cd = 2 # y\n}\n";
        assert_eq!(edited(text, "cd", "long"), "a {\n  b    = 1 # x\n  long = 2 # y\n}\n");
        assert_eq!(edited(text, "  cd = 2 # y\n", ""), "a {\n  b = 1 # x\n}\n");
        assert_eq!(edited(text, "2 #", "f(22) #"), "a {\n  b  = 1     # x\n  cd = f(22) # y\n}\n");
        assert_eq!(edited(text, "1", "[1,2]"), "a {\n  b  = [1, 2] # x\n  cd = 2      # y\n}\n");
    }

    #[test]
    fn lines_that_were_aligned_stay_so_and_others_as_they_are() {
        assert_eq!(edited("x=1\n\na  = 1\nbc = 2\n", "bc", "long"), "x=1\n\na    = 1\nlong = 2\n");
        assert_eq!(edited("x=1\n\na    = 1\nlong = 2\n", "long", "bc"), "x=1\n\na  = 1\nbc = 2\n");
        assert_eq!(edited("x=1\n\na    = 1\nlong = 2\n", "long = 2\n", ""), "x=1\n\na = 1\n");
        assert_eq!(edited("x=1\n\na = 1\nbc = 2\n", "bc", "long"), "x=1\n\na = 1\nlong = 2\n");
        // Indentation is of no matter.
        let text = "a {\n    b  = 1\n    cd = 2\n}\n";
        assert_eq!(edited(text, "}\n", "    long = 3\n}\n"), "a {\n    b    = 1\n    cd   = 2\n    long = 3\n}\n");
        // A column that is farther to the right than needed stays, as long as there is room.
        let text = "x=1\n\na      = 1\nbc     = 2\n";
        assert_eq!(edited(text, "bc     =", "b =").lines().last(), Some("b      = 2"));
        assert_eq!(edited(text, "bc  ", "rather_long").lines().last(), Some("rather_long = 2"));
        // Comments by themselves.
        let text = "x=1\n\nb  = 1 # x\ncd = 2  # y\n";
        assert_eq!(edited(text, "cd", "long"), "x=1\n\nb    = 1 # x\nlong = 2  # y\n");
    }

    #[test]
    fn one_line_is_aligned_with_a_new_one_if_the_text_does_so() {
        assert_eq!(edited("x=1\n\na = 1\n", "a = 1\n", "a = 1\nbc = 2\n"), "x=1\n\na  = 1\nbc = 2\n");
        let loose = "x = 1\nlong = 2\n\na = 1\n";
        assert_eq!(edited(loose, "a = 1\n", "a = 1\nbc = 2\n"), "x = 1\nlong = 2\n\na = 1\nbc = 2\n");
    }

    #[test]
    fn a_byte_order_mark_has_no_width() {
        let text = "\u{feff}a   = 1 # x\nbcd = 2 # y\n";
        assert_eq!(edited(text, "bcd", "longer"), "\u{feff}a      = 1 # x\nlonger = 2 # y\n");
        assert_eq!(edited(text, "a ", "abcd "), "\u{feff}abcd = 1 # x\nbcd  = 2 # y\n");
        assert_eq!(edited("\u{feff}x=1\n\na  = 1\nbc = 2\n", "x", "xy"), "\u{feff}xy=1\n\na  = 1\nbc = 2\n");
        assert_eq!(edited("\u{feff}a  =1\nbc =2\n", "bc", "bcd"), "\u{feff}a   =1\nbcd =2\n");
    }

    #[test]
    fn several_edits_and_their_blanks_do_not_overlap() {
        let text = "a = 1\nb = 2\nc = 3\n";
        let edits = [
            Replacement::new(Span::new(0, 1), "first"),
            Replacement::insertion(5, " # one"),
            Replacement::removal(Span::new(6, 12)),
            Replacement::new(Span::new(16, 17), "[1,2]"),
        ];
        let edits = keep_layout(&edits, text).expect("edits");
        let new = Replacement::apply(&edits, text).expect("edits in order");
        assert_eq!(new, "first = 1 # one\nc     = [1, 2]\n");
    }
}
