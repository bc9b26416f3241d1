//! The native syntax: from text to a tree, with all errors in the text. It does not depend on values.
//!
//! ```text
//! text ─► lexer (modes) ─► token buffer ─► body, expression, template grammars, in rounds ─► tree
//! ```
//!
//! Every byte of a source is in one [`Token`] or in one piece of [`Trivia`]: white space, comments, and text that could
//! not be read. [`File::tokens`] and [`File::pieces`] iterate over them, in both directions and from any place.
//!
//! A parse always returns a tree *and* a list of diagnostics. A part that could not be parsed is an error node with its
//! place in the source.
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
pub(crate) mod literal;
pub(crate) mod meaning;
pub(crate) mod mend;
pub mod operator;
pub(crate) mod parse;
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
pub use crate::similar::similar_name;
pub use ast::File;
pub use lexer::is_identifier;
pub(crate) use literal::number_out_of_range;
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
