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
use super::layout::{CELLS, Cell, Layout, Line, lines};
use super::pieces::{Groups, Piece};
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
    keep(edits, text, false)
}

/// Does that. Only lines around the edits are laid out, unless it asks for the `whole` text.
fn keep(edits: &[Replacement], text: &str, whole: bool) -> Result<Vec<Replacement>, ReplacementError> {
    let new = Replacement::apply(edits, text)?;
    if text.len().max(new.len()) > MAX_LENGTH {
        return Ok(edits.to_vec());
    }
    let before = Before::read(text.as_bytes());
    let map = Map::of(edits);
    let mut blanks = before.blanks;
    let mut changes = Vec::new();
    for window in windows(&before, new.as_bytes(), &map, whole) {
        let mut laid = window.laid;
        if !before.is_formatted {
            align_as_before(&before, &window.old, new.as_bytes(), &mut laid, &map);
        }
        blanks -= before.blanks_up_to(window.old.end) - before.blanks_up_to(window.old.start);
        blanks += blanks_of(&laid);
        changes.extend(window.pieces.iter().zip(&laid).filter_map(|(old, laid)| {
            let same = if before.is_formatted { is_same(new.as_bytes(), old, laid) } else { old.blanks == laid.blanks };
            let span = (old.start - old.blanks) as usize..old.start as usize;
            (!same).then_some((span, laid.blanks as usize))
        }));
    }
    match too_many_blanks(blanks, new.len()) {
        true => Ok(edits.to_vec()),
        false => Ok(map.combined(&new, changes)),
    }
}

/// Returns true if the blanks before a piece are spaces, of a given number.
fn is_same(text: &[u8], piece: &Piece, laid: &Piece) -> bool {
    let written = &text[(piece.start - piece.blanks) as usize..piece.start as usize];
    piece.blanks == laid.blanks && written.iter().all(|&byte| byte == b' ')
}

fn blanks_of(pieces: &[Piece]) -> u64 {
    pieces.iter().map(|piece| u64::from(piece.blanks)).sum()
}

/// What a text shows about its layout before the edits.
struct Before<'t> {
    text: &'t [u8],
    is_formatted: bool,
    /// The places after blank lines where no bracket and nothing else is open, each with the number of blanks before it.
    /// The first one is the start of the text.
    tops: Vec<(u32, u64)>,
    blanks: u64,
    /// For both cells, the numbers of runs that are aligned visibly, and that are not aligned.
    runs: [(usize, usize); 2],
    /// False if a `/*` has no end: then text far away may change what it is.
    comments_close: bool,
}

impl<'t> Before<'t> {
    fn read(text: &'t [u8]) -> Before<'t> {
        let mut before =
            Before { text, is_formatted: true, tops: vec![(0, 0)], blanks: 0, runs: [(0, 0); 2], comments_close: true };
        let (mut groups, mut layout, mut laid) = (Groups::from(text, 0), Layout::default(), Vec::new());
        while let Some(pieces) = groups.next() {
            before.blanks += blanks_of(pieces);
            if before.is_formatted {
                laid.clear();
                laid.extend_from_slice(pieces);
                let shown = layout.lay_out(text, &mut laid, true);
                before.is_formatted = pieces.iter().zip(&laid).all(|(piece, laid)| is_same(text, piece, laid));
                match before.is_formatted {
                    true => before.runs.iter_mut().zip(shown).for_each(|(runs, shown)| runs.0 += shown),
                    false => before.count_runs(pieces, &lines(pieces)),
                }
            } else {
                let lines = lines(pieces);
                layout.pass(&lines, pieces);
                before.count_runs(pieces, &lines);
            }
            if groups.go_on_outside() && layout.is_at_top() {
                before.tops.push((groups.end() as u32, before.blanks));
            }
        }
        before.comments_close = groups.comments_close();
        before
    }

    fn count_runs(&mut self, pieces: &[Piece], lines: &[Line]) {
        for (cell, (aligned, loose)) in CELLS.into_iter().zip(&mut self.runs) {
            for run in runs(lines, cell) {
                match state(self.text, pieces, &lines[run.clone()], cell) {
                    Run::Aligned { shows: true, .. } => *aligned += 1,
                    Run::Loose if run.len() > 1 => *loose += 1,
                    _ => {}
                }
            }
        }
    }

    /// Returns the last top that is not after a place.
    fn top_before(&self, at: usize) -> usize {
        let after = self.tops.partition_point(|&(top, _)| top as usize <= at);
        self.tops.get(after.saturating_sub(1)).map_or(0, |&(top, _)| top as usize)
    }

    fn is_top(&self, at: usize) -> bool {
        self.top_before(at) == at
    }

    /// Returns the number of blanks before a top or the end of the text.
    fn blanks_up_to(&self, at: usize) -> u64 {
        let found = self.tops.binary_search_by_key(&at, |&(top, _)| top as usize);
        found.map_or(self.blanks, |index| self.tops[index].1)
    }
}

/// Lines around edits, from a top to another one or to the end of the text. Before them and after them, the text and its
/// layout are what they were.
struct Window {
    old: Range<usize>,
    /// The pieces of the text after the edits.
    pieces: Vec<Piece>,
    /// These pieces in canonical form, if the text had it.
    laid: Vec<Piece>,
}

fn windows(before: &Before<'_>, new: &[u8], map: &Map<'_>, whole: bool) -> Vec<Window> {
    let whole = whole || !before.comments_close;
    let mut windows = Vec::new();
    let mut next = 0;
    while let Some((range, edit)) = map.edits.get(next) {
        let start = if whole { 0 } else { before.top_before(edit.span().start()) };
        let mut groups = Groups::from(new, range.start - (edit.span().start() - start));
        let mut layout = Layout::default();
        let mut window = Window { old: start..before.text.len(), pieces: Vec::new(), laid: Vec::new() };
        let first = std::mem::replace(&mut next, map.edits.len());
        while let Some(pieces) = groups.next() {
            let known = window.laid.len();
            window.pieces.extend_from_slice(pieces);
            window.laid.extend_from_slice(pieces);
            match before.is_formatted {
                true => _ = layout.lay_out(new, &mut window.laid[known..], true),
                false => layout.pass(&lines(pieces), pieces),
            }
            let end = groups.end();
            // The edits up to here.
            let done = first + map.edits[first..].partition_point(|(range, _)| range.start < end);
            let Some((range, edit)) = map.edits[first..done].last() else { continue };
            if whole || range.end > end || !groups.go_on_outside() || !layout.is_at_top() {
                continue;
            }
            let old_end = edit.span().end() + (end - range.end);
            if before.is_top(old_end) {
                window.old.end = old_end;
                next = done;
                break;
            }
        }
        windows.push(window);
    }
    windows
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

/// Sets the blanks before the cells of a window in all runs of lines that were aligned before the edits.
fn align_as_before(before: &Before<'_>, window: &Range<usize>, new: &[u8], laid: &mut [Piece], map: &Map<'_>) {
    let (mut pieces, mut groups) = (Vec::new(), Groups::from(before.text, window.start));
    while groups.end() < window.end || pieces.is_empty() {
        let Some(group) = groups.next() else { break };
        pieces.extend_from_slice(group);
    }
    let (old_lines, new_lines) = (lines(&pieces), lines(laid));
    for (cell, (aligned, loose)) in CELLS.into_iter().zip(before.runs) {
        // If the text has no evidence, lines are aligned as in the canonical form.
        let is_rule = loose == 0 || aligned > loose;
        align(before.text, (&pieces, &old_lines), new, (laid, &new_lines), cell, map, is_rule);
    }
}

/// Does that for one of the cells.
fn align(
    text: &[u8],
    (old, old_lines): (&[Piece], &[Line]),
    new: &[u8],
    (pieces, new_lines): (&mut [Piece], &[Line]),
    cell: Cell,
    map: &Map<'_>,
    is_rule: bool,
) {
    let mut of_line: Vec<Option<Run>> = vec![None; old_lines.len()];
    for run in runs(old_lines, cell) {
        let state = state(text, old, &old_lines[run.clone()], cell);
        of_line[run].fill(Some(state));
    }
    let starts: Vec<u32> = old_lines.iter().map(|line| line_span(old, *line).start).collect();
    for run in runs(new_lines, cell) {
        let lines = &new_lines[run];
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { continue };
        let (start, end) = (map.start(line_span(pieces, *first).start), map.end(line_span(pieces, *last).end));
        let before = starts.partition_point(|&at| at <= start).saturating_sub(1);
        let mut column = 0;
        let mut keeps = true;
        let mut any = false;
        let around = old_lines.iter().zip(&of_line).skip(before);
        for (line, run) in around.take_while(|(line, _)| line_span(old, **line).start < end) {
            let Some(run) = run.filter(|_| line_span(old, *line).end > start) else { continue };
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
fn runs(lines: &[Line], cell: Cell) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    lines.chunk_by(move |&a, &b| cell(a).is_some() && cell(b).is_some()).filter_map(move |run| {
        let range = at..at + run.len();
        at = range.end;
        run.first().and_then(|&line| cell(line)).map(|_| range)
    })
}

/// Returns the alignment of a cell in a run of lines.
fn state(text: &[u8], pieces: &[Piece], lines: &[Line], cell: Cell) -> Run {
    let mut places = lines.iter().filter_map(|&line| {
        let at = cell(line)? as usize;
        let piece = pieces[at];
        let blanks = &text[(piece.start - piece.blanks) as usize..piece.start as usize];
        let is_plain = piece.blanks > 0 && blanks.iter().all(|&byte| byte == b' ');
        Some((width(text, &pieces[line.first as usize..at]), piece.blanks, is_plain))
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
        Some(Replacement::new(Span::new(start, end), text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces the first occurrence of a text by another one.
    fn edited(text: &str, old: &str, new: &'static str) -> String {
        let start = text.find(old).expect("it is there");
        let edit = Replacement::new(Span::new(start, start + old.len()), new);
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

    /// Random numbers, the same in each run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end.max(1)
        }

        fn pick(&mut self, parts: &[&'static str]) -> &'static str {
            parts[self.below(parts.len())]
        }

        fn text(&mut self) -> String {
            let end = self.pick(&["\n", "\n", "\r\n"]);
            let mut text = self.pick(&["", "", "", "\u{feff}"]).to_owned();
            for _ in 0..self.below(24) {
                let line = self.pick(&LINES);
                text.extend([line, end]);
            }
            text.push_str(self.pick(&["", "", "last = 1", "b /* c */", "x = <<E\n}\n  E"]));
            if self.below(3) > 0 { super::super::format(&text) } else { text }
        }

        fn edits(&mut self, text: &str) -> Vec<Replacement> {
            let mut places: Vec<usize> = (0..2 * (1 + self.below(4))).map(|_| self.below(text.len() + 1)).collect();
            places.sort_unstable();
            let is_end = |place: &[usize]| place.iter().all(|&at| text.is_char_boundary(at));
            let pairs = places.chunks(2).filter(|place| is_end(place));
            // Most edits are short.
            let spans = pairs.map(|pair| (pair[0], if self.below(4) == 0 { pair[1] } else { pair[0] }));
            let spans: Vec<_> = spans.collect();
            let new = |(start, end)| {
                let new = self.pick(&LINES).to_owned() + self.pick(&["", "", "\n", "\n\n"]);
                Replacement::new(Span::new(start, end), new)
            };
            spans.into_iter().map(new).collect()
        }
    }

    const LINES: [&str; 30] = [
        "",
        "",
        "",
        "",
        "a = 1",
        "bc  = 2 # x",
        "bcd = 2  # x",
        "b {",
        "b \"c\" {",
        "}",
        "x = <<E",
        "E",
        "  E",
        "/* c",
        "*/",
        "c = [",
        "]",
        "d = \"${",
        "}\"",
        "# c",
        "\ta=1",
        "long_name = f(1)   # y",
        "é = \"é\" /* c */",
        "%{ if a }",
        "\"",
        "{",
        ")",
        "\r",
        "e = { f = 1 }",
        "  a=[1,2]#c",
    ];

    #[test]
    fn lines_far_from_the_edits_do_not_matter() {
        let (mut random, mut kept) = (Random(7), 0);
        for _ in 0..6_000 {
            let text = random.text();
            let edits = random.edits(&text);
            let near = keep(&edits, &text, false).expect("edits in order");
            assert_eq!(near, keep(&edits, &text, true).expect("edits in order"), "{text:?} {edits:?}");
            let bare = text.trim_start_matches('\u{feff}');
            assert_eq!(Before::read(text.as_bytes()).is_formatted, super::super::format(bare) == bare, "{text:?}");
            kept += usize::from(near != edits);
        }
        assert!(kept > 600, "only {kept} of the edits required changes of blanks");
    }

    #[test]
    fn few_lines_are_laid_out() {
        let text = "b {\n  a  = 1\n  bc = 2\n}\n\n".repeat(100);
        for (is_formatted, text) in [(true, text.clone()), (false, format!("x=1\n\n{text}"))] {
            let at = text[..text.len() / 2].rfind("bc = 2").expect("it is there");
            let edits = [Replacement::insertion(at, "long_"), Replacement::insertion(at + 6, " # b")];
            let before = Before::read(text.as_bytes());
            assert_eq!(before.is_formatted, is_formatted);
            let new = Replacement::apply(&edits, &text).expect("edits in order");
            let windows = windows(&before, new.as_bytes(), &Map::of(&edits), false);
            assert!(windows.iter().map(|window| window.pieces.len()).sum::<usize>() < 40);
        }
    }
}
