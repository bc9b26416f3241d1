//! Computes the blanks before each piece: indentation, spacing, and aligned cells.

use super::pieces::{Kind, Piece};
use super::spacing::blank_between;
use super::width::width;
use crate::writer::columns::INDENTATION;

/// The cells of a line, as indexes of pieces: the lead starts at `first`, the `=` part at `assign`, and the comment at
/// `comment`, up to `end`. Only the lead is never empty.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub first: u32,
    assign: u32,
    comment: u32,
    pub end: u32,
    /// It stays as it is.
    kept: bool,
}

impl Line {
    /// Returns the line that starts with a piece. It ends with a newline or the end of the file.
    fn new(pieces: &[Piece], first: usize) -> Line {
        let ends = |piece: &Piece| matches!(piece.kind, Kind::Newline | Kind::EndOfFile);
        let end = pieces[first..].iter().position(ends).map_or(pieces.len(), |length| first + length);
        let comment = match pieces[first..end] {
            [_, .., Piece { kind: Kind::LineComment, .. }] => end - 1,
            [_, .., Piece { kind: Kind::BlockComment, .. }] if end + 1 == pieces.len() => end - 1,
            _ => end,
        };
        let equals = (first + 1..comment).find(|&at| pieces[at].kind == Kind::Equals);
        // An `=` part that leaves brackets open is not aligned.
        let closed = |&at: &usize| bracket_change(&pieces[at..comment]) == 0;
        let assign = equals.filter(closed).unwrap_or(comment);
        Line {
            first: first as u32,
            assign: assign as u32,
            comment: comment as u32,
            end: end as u32,
            kept: pieces[first].kept,
        }
    }

    /// Returns the start of the aligned cells.
    pub fn assign_cell(self) -> Option<u32> {
        (self.assign < self.comment && !self.kept).then_some(self.assign)
    }

    pub fn comment_cell(self) -> Option<u32> {
        (self.comment < self.end && !self.kept).then_some(self.comment)
    }
}

/// A cell that is aligned.
pub(super) type Cell = fn(Line) -> Option<u32>;

/// Both of them.
pub(super) const CELLS: [Cell; 2] = [Line::assign_cell, Line::comment_cell];

fn bracket_change(pieces: &[Piece]) -> i32 {
    pieces.iter().map(|piece| piece.kind.bracket_change()).sum()
}

/// Returns the lines that pieces are in.
pub(super) fn lines(pieces: &[Piece]) -> Vec<Line> {
    let mut lines = Vec::new();
    read_lines(pieces, &mut lines);
    lines
}

fn read_lines(pieces: &[Piece], lines: &mut Vec<Line>) {
    let mut first = 0;
    while first < pieces.len() {
        let line = Line::new(pieces, first);
        first = line.end as usize + 1;
        lines.push(line);
    }
}

/// Sets the blanks of all pieces to their canonical number.
pub(super) fn lay_out(source: &[u8], pieces: &mut [Piece], align: bool) {
    Layout::default().lay_out(source, pieces, align);
}

/// The state of a layout that is made a group of lines at a time, and its buffers.
#[derive(Default)]
pub(super) struct Layout {
    indentation: Indentation,
    lines: Vec<Line>,
    columns: Vec<(u32, u32)>,
}

impl Layout {
    /// Lays out the lines up to a blank one. Returns for both aligned cells the number of runs in which the texts before
    /// the cell differ in width.
    pub fn lay_out(&mut self, source: &[u8], pieces: &mut [Piece], align: bool) -> [usize; 2] {
        self.lines.clear();
        read_lines(pieces, &mut self.lines);
        for &line in &self.lines {
            // The last line has no piece after it.
            let next = (line.end as usize + 1).min(pieces.len());
            if line.first < line.end {
                let blanks = self.indentation.of(line, pieces);
                if !line.kept {
                    pieces[line.first as usize].blanks = blanks;
                    space(source, &mut pieces[line.first as usize..next]);
                }
            } else if pieces[line.end as usize].kind == Kind::Newline && !line.kept {
                pieces[line.end as usize].blanks = 0;
            }
        }
        // The starts of comments depend on the starts of the `=` parts of all their lines.
        CELLS.map(|cell| align_cells(source, pieces, &self.lines, cell, align, &mut self.columns))
    }

    /// Goes past lines without a change.
    pub fn pass(&mut self, lines: &[Line], pieces: &[Piece]) {
        let indented = lines.iter().filter(|line| line.first < line.end);
        indented.for_each(|&line| _ = self.indentation.of(line, pieces));
    }

    /// Returns true if no bracket is open.
    pub fn is_at_top(&self) -> bool {
        self.indentation.open == 0
    }
}

/// Sets the blanks between the pieces of a line. Those before the end of the file are kept.
fn space(source: &[u8], line: &mut [Piece]) {
    let mut before = None;
    for at in 1..line.len() {
        if line[at].kind != Kind::EndOfFile {
            let keeps_apart = begins_index_of_number(source, before, &line[at - 1..]);
            line[at].blanks = (keeps_apart || blank_between(source, before, line[at - 1], line[at])).into();
        }
        before = Some(line[at - 1]);
    }
}

/// Returns true if a number follows a dot after a whole number: `1 .0` is an index of the number 1, and without the
/// blank it would be another number. After a dot, as in `a.1 .0`, it is an index anyway.
fn begins_index_of_number(source: &[u8], before: Option<Piece>, rest: &[Piece]) -> bool {
    matches!(rest, [number, dot, index, ..] if number.kind == Kind::Number && dot.kind == Kind::Dot && index.kind == Kind::Number)
        && before.is_none_or(|before| before.kind != Kind::Dot)
        && rest[0].text(source).iter().all(u8::is_ascii_digit)
}

/// Aligns a cell in all adjacent lines that have it. Returns the number of runs in which that shows.
fn align_cells(
    source: &[u8],
    pieces: &mut [Piece],
    lines: &[Line],
    cell: Cell,
    align: bool,
    columns: &mut Vec<(u32, u32)>,
) -> usize {
    let mut shown = 0;
    for run in lines.chunk_by(|&a, &b| cell(a).is_some() && cell(b).is_some()) {
        columns.clear();
        let cells = run.iter().filter_map(|&line| Some((line, cell(line)?)));
        columns.extend(cells.map(|(line, at)| (at, width(source, &pieces[line.first as usize..at as usize]))));
        let last = columns.iter().map(|&(_, column)| column).max().unwrap_or_default();
        let mut shows = false;
        for &(at, column) in columns.iter() {
            pieces[at as usize].blanks = 1 + if align { last - column } else { 0 };
            shows |= column != last;
        }
        shown += usize::from(shows);
    }
    shown
}

/// The indentation: a line that opens more brackets than it closes indents the following lines by one step, until as
/// many are closed again.
#[derive(Default)]
struct Indentation {
    /// The number of open brackets.
    open: u32,
    /// The number of open brackets at the beginning of each step.
    steps: Vec<u32>,
}

impl Indentation {
    /// Returns the blanks before the next line that is not blank.
    fn of(&mut self, line: Line, pieces: &[Piece]) -> u32 {
        // Brackets that are opened in the `=` part are closed in it.
        let lead = &pieces[line.first as usize..line.assign as usize];
        let counted = lead.iter().position(|piece| piece.kind == Kind::Heredoc).unwrap_or(lead.len());
        let change = bracket_change(&lead[..counted]);
        let before = self.open;
        self.open = self.open.saturating_add_signed(change);
        while self.steps.last().is_some_and(|&open| open >= self.open) {
            self.steps.pop();
        }
        let blanks = INDENTATION * self.steps.len() as u32;
        if change > 0 {
            self.steps.push(before);
        }
        blanks
    }
}
