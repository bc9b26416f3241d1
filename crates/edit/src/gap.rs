//! The text between two members, divided between them.
//!
//! ```text
//! a = 1 # of a            tail of a, up to the end of its line
//!                         lines
//! # of nothing            lines
//!                         lines
//! # of b                  lead of b
//! b = 2
//! ```
//!
//! Without a line break, the tail ends at the comma.

use super::EditError;
use super::node::Shape;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::File;
use hcl_lr::syntax::{Piece, TokenKind, TriviaKind};

/// The text between two members, or between one and a bracket.
#[derive(Debug)]
pub(super) struct Gap {
    pub span: Span,
    /// The end of the tail, after its line break.
    pub tail_end: usize,
    /// The end of the tail, without its line break and the blanks before that.
    pub tail_text_end: usize,
    pub comma: Option<Span>,
    /// The comments of the tail.
    pub tail_comments: Vec<Span>,
    /// True if there is a line break after the tail.
    pub breaks: bool,
    /// The lines between the tail and the lead, and those of the lead.
    pub lines: Vec<Line>,
    /// The number of lines that belong to the lead.
    pub lead_lines: usize,
    /// The start of the line of the right neighbour, or else the end of the tail.
    pub last_start: usize,
    /// The comments before the right neighbour on its line.
    pub last_comments: Vec<Span>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub span: Span,
    pub blank: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Space,
    Comment,
    Comma,
    Break,
    Blank,
}

impl Gap {
    /// Reads a gap. `at_line_start` is true at the start of the file, `closer` if the right neighbour is not a member.
    ///
    /// # Errors
    /// If it contains text that was not understood.
    pub fn read(file: &File, span: Span, at_line_start: bool, closer: bool, shape: Shape) -> Result<Gap, EditError> {
        let pieces = gap_pieces(file, span)?;
        let commas = pieces.iter().filter(|(what, _)| *what == What::Comma).count();
        if commas > usize::from(shape != Shape::Body) {
            return Err(EditError::Broken(span));
        }
        let comma_at = pieces.iter().position(|(what, _)| *what == What::Comma);
        let after_comma = comma_at.map_or(0, |at| at + 1);
        let break_at = pieces[after_comma..].iter().position(|(what, _)| *what == What::Break);
        let (start, end) = (span.start(), span.end());
        let mut gap = Gap {
            span,
            tail_end: start,
            tail_text_end: start,
            comma: comma_at.map(|at| pieces[at].1),
            tail_comments: Vec::new(),
            breaks: at_line_start || break_at.is_some(),
            lines: Vec::new(),
            lead_lines: 0,
            last_start: start,
            last_comments: Vec::new(),
        };
        let tail = if at_line_start {
            0
        } else if let Some(at) = break_at {
            after_comma + at + 1
        } else if closer {
            // Comments before a bracket on the same line belong to the left.
            pieces.iter().rposition(|(what, _)| *what != What::Space).map_or(0, |at| at + 1)
        } else {
            after_comma
        };
        for &(what, piece) in &pieces[..tail] {
            gap.tail_end = piece.end();
            match what {
                What::Comment => gap.tail_comments.push(piece),
                What::Comma => {}
                _ => continue,
            }
            gap.tail_text_end = piece.end();
        }
        gap.last_start = gap.tail_end;
        let mut comments = Vec::new();
        for &(what, piece) in &pieces[tail..] {
            match what {
                What::Comment => comments.push(piece),
                What::Break | What::Blank => {
                    let line = Span::new(gap.last_start, piece.end());
                    gap.lines.push(Line { span: line, blank: comments.is_empty() });
                    gap.last_start = piece.end();
                    comments.clear();
                }
                _ => {}
            }
        }
        gap.last_comments = comments;
        if closer {
            // A comment without a line break at the end of the file counts as a line.
            if !gap.last_comments.is_empty() {
                gap.lines.push(Line { span: Span::new(gap.last_start, end), blank: false });
                gap.last_start = end;
                gap.last_comments.clear();
            }
        } else {
            gap.lead_lines = gap.lines.iter().rev().take_while(|line| !line.blank).count();
        }
        Ok(gap)
    }

    /// Returns the lines that belong to neither neighbour.
    pub fn free_lines(&self) -> &[Line] {
        &self.lines[..self.lines.len() - self.lead_lines]
    }

    /// Returns the lines of the lead.
    pub fn lead(&self) -> &[Line] {
        &self.lines[self.lines.len() - self.lead_lines..]
    }

    /// Returns the start of the lead.
    pub fn lead_start(&self) -> usize {
        self.lead().first().map_or(self.last_start, |line| line.span.start())
    }
}

/// Splits a gap into its pieces.
fn gap_pieces(file: &File, span: Span) -> Result<Vec<(What, Span)>, EditError> {
    let tokens = file.tokens();
    let first = tokens.at(span.start());
    let mut found = Vec::new();
    for piece in tokens.pieces(first.index()..) {
        let place = piece.span();
        if place.start() >= span.end() {
            break;
        }
        if place.end() <= span.start() {
            continue;
        }
        let what = match piece {
            Piece::Token(token) => match token.kind() {
                TokenKind::Newline => What::Break,
                TokenKind::Comma => What::Comma,
                _ => return Err(EditError::Broken(place)),
            },
            Piece::Trivia(trivia) => match trivia.kind() {
                TriviaKind::Space => What::Space,
                TriviaKind::LineBreak => What::Break,
                TriviaKind::BlankLine => What::Blank,
                TriviaKind::Comment => What::Comment,
                TriviaKind::ByteOrderMark => continue,
                _ => return Err(EditError::Broken(place)),
            },
        };
        // The carriage return of the line break is not part of the comment.
        let returns = what == What::Comment && piece.text().ends_with('\r');
        found.push((what, Span::new(place.start(), place.end() - usize::from(returns))));
    }
    Ok(found)
}
