//! Counts the refusals of types.
//!
//! serde buffers what an untagged enum is read from, and tries the variants one after the other, without this crate. If
//! variants of a recursive type begin alike, it does so at each level again, and takes time exponential in their number.
//! All that is seen of it are the errors that are made. They are counted, and reading is given up after too many.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

thread_local! {
    /// The number of errors that types have made.
    static COUNT: Cell<u64> = const { Cell::new(0) };

    /// The number at which reading is given up.
    static END: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Each part of a file allows so many more.
const FOR_EACH_PART: u64 = 64;

/// Too many errors have been made.
#[derive(Debug, PartialEq)]
pub(super) struct TooMany;

/// The number of errors that types have made on this thread.
pub(super) fn counted() -> u64 {
    COUNT.get()
}

/// Counts an error of a type. Between here and [`at_most`] is only code of serde and of types, and serde goes on with
/// the next variant after any error: only unwinding ends that. It is no panic, and says nothing. Where panics abort, it
/// cannot be ended.
pub(super) fn count() {
    let count = COUNT.get().wrapping_add(1);
    COUNT.set(count);
    if count >= END.get() && cfg!(panic = "unwind") && !std::thread::panicking() {
        resume_unwind(Box::new(TooMany));
    }
}

/// Allows the errors of one more part.
pub(super) fn allow_for_part() {
    END.set(END.get().saturating_add(FOR_EACH_PART));
}

/// Reads, and gives up when types have made more errors than this, and those that are allowed on the way.
pub(super) fn at_most<R>(limit: u64, read: impl FnOnce() -> R) -> Result<R, TooMany> {
    // Input read within types has its own limit.
    let around = END.replace(COUNT.get().saturating_add(limit));
    let result = catch_unwind(AssertUnwindSafe(read));
    END.set(around);
    match result {
        Ok(result) => Ok(result),
        Err(panic) if panic.is::<TooMany>() => Err(TooMany),
        Err(panic) => resume_unwind(panic),
    }
}
