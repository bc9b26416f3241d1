//! The error for an outdated answer.

/// The question is outdated: the files have changed since the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the files have changed")
    }
}

impl std::error::Error for Cancelled {}
