//! What can be wrong with a pattern.

use std::fmt;

/// Why a pattern is not a regular expression: the part of it that is wrong, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegexError {
    part: String,
    why: &'static str,
}

/// More of a pattern than this is not shown.
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
