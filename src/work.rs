//! Counts steps of work, so that tests can determine how the work grows with the input.
//!
//! Only builds with debug assertions count; in others, `step` does nothing. There is one count for the process, because
//! an evaluation may continue on another thread. The basic operations count: reading tokens and nodes, searching bytes,
//! passing a token to a parser, comparing and converting values. A loop that does none of these has to count its
//! rounds.

#[cfg(debug_assertions)]
mod counted {
    use std::sync::atomic::{AtomicU64, Ordering};

    static STEPS: AtomicU64 = AtomicU64::new(0);

    pub fn add(steps: usize) {
        STEPS.fetch_add(steps as u64, Ordering::Relaxed);
    }

    /// Returns the number of steps since the program started.
    pub fn steps() -> u64 {
        STEPS.load(Ordering::Relaxed)
    }
}

#[cfg(debug_assertions)]
pub use counted::steps;
/// Counts steps.
#[inline(always)]
pub fn step(steps: usize) {
    #[cfg(debug_assertions)]
    counted::add(steps);
    #[cfg(not(debug_assertions))]
    let _ = steps;
}

/// Counts a search through bytes that stopped at an offset, or at the end. Searching a byte is less than a step.
#[inline(always)]
pub fn search(bytes: &[u8], found: Option<usize>) -> Option<usize> {
    step(1 + found.unwrap_or(bytes.len()) / 16);
    found
}

/// The first of a byte.
#[inline(always)]
pub fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    search(bytes, memchr::memchr(byte, bytes))
}
