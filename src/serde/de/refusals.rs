//! The refusals of types, which serde keeps to itself.
//!
//! serde buffers what an untagged enum is read from, tries the variants one after the other without this crate, and
//! drops the error of each. If variants of a recursive type begin alike, it does so at each level again, and takes time
//! exponential in their number. All that can be seen of it are the errors that are made, by functions that get nothing
//! of this crate. So they are counted for the thread: reading is given up after too many, and the last ones are the
//! reasons why no variant fits. Nothing else depends on it.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::error::Kind;

thread_local! {
    static REFUSALS: Refusals = const { Refusals { count: Cell::new(0), end: Cell::new(u64::MAX), last: RefCell::new(Vec::new()) } };
}

struct Refusals {
    /// The number of errors that types have made.
    count: Cell<u64>,
    /// The number at which reading is given up.
    end: Cell<u64>,
    /// The errors since something was last buffered.
    last: RefCell<Vec<Kind>>,
}

/// Each part of a file allows so many more.
const FOR_EACH_PART: u64 = 64;

/// The number of reasons that are kept.
const MAX_REASONS: usize = 32;

/// Too many errors have been made.
#[derive(Debug, PartialEq)]
pub(super) struct TooMany;

/// Counts an error of a type. Between here and [`at_most`] is only code of serde and of types, and serde goes on with
/// the next variant after any error: only unwinding ends that. It is no panic, and says nothing. Where panics abort, it
/// cannot be ended.
pub(super) fn count(kind: &Kind) {
    REFUSALS.with(|refusals| {
        let count = refusals.count.get().wrapping_add(1);
        refusals.count.set(count);
        if count >= refusals.end.get() && cfg!(panic = "unwind") && !std::thread::panicking() {
            resume_unwind(Box::new(TooMany));
        }
        let mut last = refusals.last.borrow_mut();
        if last.len() < MAX_REASONS {
            // The errors of variants of inner enums are not shown, and would grow with each level.
            last.push(match kind {
                Kind::NoVariant(_) => Kind::NoVariant(Vec::new()),
                other => other.clone(),
            });
        }
    });
}

/// Returns and forgets the last errors of types.
pub(super) fn reasons() -> Vec<Kind> {
    REFUSALS.with(|refusals| refusals.last.take())
}

/// Forgets the errors so far: something is about to be buffered, and has not been tried yet.
pub(super) fn forget_reasons() {
    REFUSALS.with(|refusals| refusals.last.borrow_mut().clear());
}

/// Allows the errors of one more part.
pub(super) fn allow_for_part() {
    REFUSALS.with(|refusals| refusals.end.set(refusals.end.get().saturating_add(FOR_EACH_PART)));
}

/// Reads, and gives up when types have made more errors than this, and those that are allowed on the way.
pub(super) fn at_most<R>(limit: u64, read: impl FnOnce() -> R) -> Result<R, TooMany> {
    let end = |refusals: &Refusals| refusals.end.replace(refusals.count.get().saturating_add(limit));
    // Input read within types has its own limit.
    let around = REFUSALS.with(end);
    let result = catch_unwind(AssertUnwindSafe(read));
    REFUSALS.with(|refusals| refusals.end.set(around));
    match result {
        Ok(result) => Ok(result),
        Err(panic) if panic.is::<TooMany>() => Err(TooMany),
        Err(panic) => resume_unwind(panic),
    }
}
