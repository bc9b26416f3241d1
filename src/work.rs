//! Counts steps of work, so that tests can say how the work grows with the input.
//!
//! Without the feature `count-work` nothing is counted, and `step` is nothing. With it there is one
//! count for the whole process, for an evaluation may go on in another thread. What is counted is what
//! everything else is made of: looking at tokens and nodes, searching for bytes, calling a parser with
//! a token, comparing and converting values. Whoever writes a loop that does none of these counts its
//! rounds.

#[cfg(feature = "count-work")]
mod counted {
    use std::sync::atomic::{AtomicU64, Ordering};

    static STEPS: AtomicU64 = AtomicU64::new(0);

    pub(super) fn add(steps: usize) {
        STEPS.fetch_add(steps as u64, Ordering::Relaxed);
    }

    /// Returns the number of steps since the program started.
    pub fn steps() -> u64 {
        STEPS.load(Ordering::Relaxed)
    }
}

#[cfg(feature = "count-work")]
pub use counted::steps;
/// Counts steps.
#[inline(always)]
pub(crate) fn step(steps: usize) {
    #[cfg(feature = "count-work")]
    counted::add(steps);
    #[cfg(not(feature = "count-work"))]
    let _ = steps;
}

/// Counts a search through bytes that found what it is for at an offset, or went to the end. Bytes are
/// searched many at a time.
#[inline(always)]
pub(crate) fn search(bytes: &[u8], found: Option<usize>) -> Option<usize> {
    step(1 + found.unwrap_or(bytes.len()) / 16);
    found
}

/// The first of a byte.
#[inline(always)]
pub(crate) fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    search(bytes, memchr::memchr(byte, bytes))
}
