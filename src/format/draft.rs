//! A text in progress: its pieces, in the order in which they will be written.

use std::borrow::Cow;
use std::ops::Range;

use super::pieces::{Kind, Piece, Pieces, pieces};

/// The pieces of a text. New text is stored after the original text.
pub(super) struct Draft<'t> {
    pub text: Cow<'t, [u8]>,
    pub pieces: Vec<Piece>,
    /// True if all quotes, heredocs, sequences and comments have an end.
    pub closed: bool,
}

/// New pieces in place of some that are there.
pub(super) struct Change {
    pub place: Range<usize>,
    pub pieces: Vec<Piece>,
}

impl<'t> Draft<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        let Pieces { list, closed } = pieces(text);
        Draft { text: Cow::Borrowed(text), pieces: list, closed }
    }

    /// A piece that was not there.
    pub fn make(&mut self, kind: Kind, text: &[u8]) -> Piece {
        let start = self.text.len() as u32;
        self.text.to_mut().extend_from_slice(text);
        Piece { kind, kept: false, start, end: self.text.len() as u32, blanks: 0 }
    }

    /// Applies changes whose places are in order and do not overlap.
    pub fn change(&mut self, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        let mut changed = Vec::with_capacity(self.pieces.len() + changes.len());
        let mut done = 0;
        for Change { place, pieces } in changes {
            changed.extend_from_slice(&self.pieces[done..place.start]);
            changed.extend(pieces);
            done = place.end;
        }
        changed.extend_from_slice(&self.pieces[done..]);
        self.pieces = changed;
    }

    /// Returns the line ending of the text.
    pub fn line_end(&self) -> &'static [u8] {
        let first = self.pieces.iter().find(|piece| piece.kind == Kind::Newline);
        if first.is_some_and(|newline| newline.text(&self.text) == b"\r\n") { b"\r\n" } else { b"\n" }
    }

    /// The text with all blanks as they are now.
    pub fn written(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len() + self.text.len() / 8);
        for piece in &self.pieces {
            if piece.kept {
                out.extend_from_slice(&self.text[(piece.start - piece.blanks) as usize..piece.start as usize]);
            } else {
                out.resize(out.len() + piece.blanks as usize, b' ');
            }
            out.extend_from_slice(piece.text(&self.text));
        }
        out
    }
}
