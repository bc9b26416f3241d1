//! The native syntax: from text to a tree, with all that is wrong with it. Knows no values.
//!
//! ```text
//! text ─► lexer (modes) ─► token buffer ─► body, expression, template grammars, in rounds ─► tree
//! ```
//!
//! Every byte of a source is in one [`Token`] or in one piece of [`Trivia`]: white space, comments, and
//! what could not be read. [`File::tokens`] and [`File::pieces`] walk over them, in both directions and
//! from any place.
//!
//! A parse always gives a tree *and* a list of diagnostics. What could not be understood is an
//! error node that covers its place in the source.
//!
//! ```
//! let parse = hcl_lr::parse::<hcl_lr::File>("greeting = \"Hello\"\nnumber = = 5\nshout = upper(greeting)\n");
//! assert_eq!(parse.diagnostics().len(), 1);
//! assert_eq!(parse.value().body().attributes().count(), 3);
//! ```

pub mod ast;
pub(crate) mod conflict;
pub(crate) mod index;
mod lexer;
mod literal;
mod meaning;
pub(crate) mod mend;
pub mod operator;
mod parse;
pub(crate) mod parser;
pub(crate) mod scan;
mod strict;
mod token;
mod traversal;
mod tree;
pub mod unfinished;
mod validate;

use std::borrow::Cow;

pub use crate::decimal::MAX_EXPONENT as MAX_NUMBER_EXPONENT;
pub use ast::File;
pub use lexer::is_identifier;
pub(crate) use literal::{decode_quoted, number_out_of_range, wrong_escape};
pub(crate) use meaning::meaning;
pub use parse::{ExpressionFile, TemplateFile, stages};
pub(crate) use parse::{expression_file, template_file};
pub use token::{Comment, Piece, Pieces, Token, TokenKind, TokenList, Trivia, TriviaKind};
pub use traversal::{PartialTraversal, Traversal, TraversalStep};

/// The beginning of a text, for messages.
pub(crate) fn excerpt(text: &str) -> Cow<'_, str> {
    const MAX_LENGTH: usize = 60;
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The candidate that a misspelt name was probably meant to be. Among more than 2,000 candidates none
/// is looked for: that would take long, and be a guess.
///
/// ```
/// assert_eq!(hcl_lr::syntax::similar_name("endfi", ["endif", "endfor"]), Some("endif"));
/// assert_eq!(hcl_lr::syntax::similar_name("x", ["endif", "endfor"]), None);
/// ```
pub fn similar_name<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    most_similar(name, &mut candidates.into_iter())
}

fn most_similar<'c>(name: &str, candidates: &mut dyn Iterator<Item = &'c str>) -> Option<&'c str> {
    // The work for a name is bounded, however long it is and however many there are.
    const MAX_CANDIDATES: usize = 2_000;
    // Any other letter is as near to a single one.
    let single = |name: &str| name.chars().nth(1).is_none();
    if name.len() > MAX_LENGTH || single(name) {
        return None;
    }
    let limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'c str)> = None;
    for (index, candidate) in candidates.enumerate() {
        if index >= MAX_CANDIDATES {
            return None;
        }
        // A character has at most four bytes: where the lengths differ by more, so do the texts.
        if candidate.len() > MAX_LENGTH || single(candidate) || candidate.len().abs_diff(name.len()) > 4 * limit {
            continue;
        }
        let Some(distance) = edit_distance(name, candidate, limit) else { continue };
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the number of characters to add, remove, replace or exchange with their neighbour; counting stops above
/// `limit`. Allocates nothing: a loop may fail very often, and ask each time.
fn edit_distance(from: &str, to: &str, limit: usize) -> Option<usize> {
    let (from, from_length) = letters(from);
    let (to, to_length) = letters(to);
    if from_length.abs_diff(to_length) > limit {
        return None;
    }
    // The last row but one, the last row, and the one to be made. No distance is more than a length.
    let mut rows = [[0_u8; MAX_LENGTH + 1]; 3];
    for (column, distance) in rows[1].iter_mut().enumerate().take(to_length + 1) {
        *distance = column as u8;
    }
    for row in 0..from_length {
        let [before, last, next] = &mut rows;
        next[0] = row as u8 + 1;
        let mut least = next[0];
        for column in 0..to_length {
            let replaced = last[column] + u8::from(from[row] != to[column]);
            let mut best = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && from[row] == to[column - 1] && from[row - 1] == to[column] {
                best = best.min(before[column - 1] + 1);
            }
            next[column + 1] = best;
            least = least.min(best);
        }
        // An exchange looks back two rows, so that the next one can be better by one.
        if usize::from(least) > limit + 1 {
            return None;
        }
        rows.rotate_left(1);
    }
    let distance = usize::from(rows[1][to_length]);
    (distance <= limit).then_some(distance)
}

/// The characters of a text that has at most [`MAX_LENGTH`] bytes, and how many there are.
fn letters(text: &str) -> ([char; MAX_LENGTH], usize) {
    let mut letters = ['\0'; MAX_LENGTH];
    let mut length = 0;
    for (place, letter) in letters.iter_mut().zip(text.chars()) {
        *place = letter;
        length += 1;
    }
    (letters, length)
}

/// Longer names are not compared.
const MAX_LENGTH: usize = 64;
