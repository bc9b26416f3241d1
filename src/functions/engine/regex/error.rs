//! Errors of patterns.

use std::fmt;

use crate::limits::Exceeded;

/// The reason why there is no automaton for a pattern.
#[derive(Debug)]
pub(crate) enum PatternError {
    /// The pattern is not a regular expression.
    Wrong(RegexError),
    /// Compiling it takes more work than a limit allows.
    Exceeded(Exceeded),
}

impl From<RegexError> for PatternError {
    fn from(why: RegexError) -> Self {
        PatternError::Wrong(why)
    }
}

impl From<Exceeded> for PatternError {
    fn from(exceeded: Exceeded) -> Self {
        PatternError::Exceeded(exceeded)
    }
}

/// The reason why a pattern is not a regular expression, and the malformed part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegexError {
    part: String,
    why: &'static str,
}

/// The length to which patterns are shown.
const SHOWN: usize = 60;

impl RegexError {
    pub(super) fn new(part: &str, why: &'static str) -> Self {
        let end = part.char_indices().nth(SHOWN).map_or(part.len(), |(at, _)| at);
        let more = if end < part.len() { "…" } else { "" };
        RegexError { part: format!("{}{more}", &part[..end]), why }
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part.is_empty() {
            true => f.write_str(self.why),
            false => write!(f, "in the regular expression, `{}`: {}", self.part, self.why),
        }
    }
}

impl std::error::Error for RegexError {}
