//! Errors of building text.

use std::fmt;

use crate::diagnostic::Diagnostics;

/// Why something cannot be written as HCL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A text that is not an identifier where one is required: the name of an attribute, the type of a block
    /// ("Identifiers").
    Name(String),
    /// A part of a value that has no text in the language: its path in the value, which is empty for the value itself,
    /// and the reason.
    Value(String, &'static str),
    /// A text that cannot be a heredoc, and why.
    Heredoc(&'static str),
    /// Text that was passed as HCL but is not valid.
    Syntax(Diagnostics),
    /// A comment that is not allowed at its place.
    Comment(&'static str),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Name(name) => write!(f, "{name:?} is not an identifier, so it cannot be a name"),
            BuildError::Value(path, why) if path.is_empty() => write!(f, "{why} cannot be written"),
            BuildError::Value(path, why) => write!(f, "{why} cannot be written: it is at {path}"),
            BuildError::Heredoc(why) => write!(f, "the text cannot be a heredoc: {why}"),
            BuildError::Syntax(diagnostics) => match diagnostics.first() {
                Some(first) => write!(f, "not valid HCL: {}: {}", first.summary(), first.detail()),
                None => f.write_str("not valid HCL"),
            },
            BuildError::Comment(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BuildError {}
