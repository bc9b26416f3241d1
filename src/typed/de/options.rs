//! The options for reading that matter after parsing.

use crate::diagnostic::Severity;

/// The options of a [`Reader`](super::Reader) that matter after parsing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub templates_as_text: bool,
    /// True if strings, numbers and bools are converted into each other.
    pub converts: bool,
    /// True if a type that takes anything is given the nearest float of a number that 64 bits do not hold.
    pub rounds: bool,
    pub unknown_fields: UnknownFields,
    pub max_depth: u32,
    pub max_buffered_depth: u32,
}

/// The treatment of names in a file that a structure does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnknownFields {
    /// Ignores them, as serde does. A structure with `#[serde(deny_unknown_fields)]` refuses them, and each is an error
    /// at its name.
    #[default]
    Ignore,
    /// Each is a warning.
    Warn,
    /// Each is an error.
    Error,
}

impl UnknownFields {
    /// The severity of reports about them.
    pub(super) fn severity(self) -> Option<Severity> {
        match self {
            UnknownFields::Ignore => None,
            UnknownFields::Warn => Some(Severity::Warning),
            UnknownFields::Error => Some(Severity::Error),
        }
    }
}
