//! The error of an answer that is out of date.

/// The question is out of date: the files have changed since the snapshot was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the files have changed")
    }
}

impl std::error::Error for Cancelled {}
