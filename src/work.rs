//! Counts steps of work, so that tests can say how the work grows with the input.
//!
//! Without the feature `count-work` nothing is counted, and `step` is nothing. With it there is one
//! count for the whole process, for an evaluation may go on in another thread. What is counted is what
//! everything else is made of: looking at tokens and nodes, searching for bytes, calling a parser with
//! a token, comparing and converting values. Whoever writes a loop that does none of these counts its
//! rounds.

//!
//! With the feature `count-reductions` it can be asked as well which alternatives of the grammars the
//! parsers find.

#[cfg(feature = "count-work")]
mod counted {
    use std::sync::atomic::{AtomicU64, Ordering};

    static STEPS: AtomicU64 = AtomicU64::new(0);

    pub(super) fn add(steps: usize) {
        STEPS.fetch_add(steps as u64, Ordering::Relaxed);
    }

    /// How many steps have been taken since the program started.
    pub fn steps() -> u64 {
        STEPS.load(Ordering::Relaxed)
    }
}

#[cfg(feature = "count-reductions")]
mod reductions {
    use std::cell::RefCell;

    /// The alternatives of the rules of the grammars, each with the name of its grammar.
    const ALTERNATIVES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/alternatives.rs"));

    thread_local! {
        /// Empty if nothing is to be counted.
        static REDUCED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }

    /// Counts that a parser has found what an alternative says. The actions of the grammars that count call this.
    pub(crate) fn reduced(alternative: usize) {
        REDUCED.with_borrow_mut(|counts| {
            if let Some(count) = counts.get_mut(alternative) {
                *count += 1;
            }
        });
    }

    /// Whether the parsers of this thread are to count.
    pub(crate) fn counts_reductions() -> bool {
        REDUCED.with_borrow(|counts| !counts.is_empty())
    }

    /// How often the parsers of this thread find what each alternative of the grammars says, while something is
    /// done: the grammar, the alternative with its rule, the count. They stand in the order of the grammars.
    pub fn reductions(work: impl FnOnce()) -> Vec<(&'static str, &'static str, u64)> {
        let before = REDUCED.replace(vec![0; ALTERNATIVES.len()]);
        work();
        let counts = REDUCED.replace(before);
        ALTERNATIVES.iter().zip(counts).map(|(&(grammar, rule), n)| (grammar, rule, n)).collect()
    }
}

#[cfg(feature = "count-work")]
pub use counted::steps;
#[cfg(feature = "count-reductions")]
pub use reductions::reductions;
#[cfg(feature = "count-reductions")]
pub(crate) use reductions::{counts_reductions, reduced};

/// Whether the parsers of this thread are to count.
#[cfg(not(feature = "count-reductions"))]
pub(crate) const fn counts_reductions() -> bool {
    false
}

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
