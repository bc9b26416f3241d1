//! The modes of the lexer.

use crate::syntax::index::TokenIndex;

/// The construct that the next characters belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The lines of a file or block: attributes and blocks.
    Body,
    /// The expression of an attribute: it ends with its line.
    Attribute,
    /// The braces of an object: newlines separate elements.
    Object,
    /// `( )`, `[ ]`, or the braces of a *for expression*: newlines are white space.
    Brackets,
    /// `${ }` or `%{ }`: newlines are white space.
    Sequence,
    /// A quoted template.
    Quoted,
    /// A heredoc.
    Heredoc,
    /// A template that is the whole source.
    TemplateFile,
    /// An expression that is the whole source: newlines are white space.
    ExpressionFile,
}

/// An active mode with its data. The marker of a heredoc, and whether it is a flush heredoc, are read again from its
/// opener when they are needed.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub mode: Mode,
    /// The token that opened the mode, which gets a closer when the mode is left.
    pub opener: TokenIndex,
    /// The levels of nesting at the start of the current element.
    pub base: u32,
    /// The levels at the current position: conditionals nest, and so do directives.
    pub depth: u32,
    /// Further levels by full splats of one chain.
    pub splats: u32,
}

impl Frame {
    pub fn new(mode: Mode) -> Self {
        Frame { mode, opener: TokenIndex::FIRST, base: 0, depth: 0, splats: 0 }
    }
}

/// The construct that a whole source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::syntax) enum Start {
    ConfigFile,
    Expression,
    Template,
}

impl Start {
    /// Returns the word for a source of this kind.
    pub(in crate::syntax) fn noun(self) -> &'static str {
        match self {
            Start::ConfigFile => "file",
            Start::Expression => "expression",
            Start::Template => "template",
        }
    }

    pub(super) fn mode(self) -> Mode {
        match self {
            Start::ConfigFile => Mode::Body,
            Start::Expression => Mode::ExpressionFile,
            Start::Template => Mode::TemplateFile,
        }
    }
}
