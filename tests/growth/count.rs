//! Counts the work of this process: steps of the library, and allocations.

use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_alloc::{INSTRUMENTED_SYSTEM, Stats, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The right to count, because the work of concurrent tests would be counted, too.
pub struct Turn(#[allow(dead_code, reason = "it is held, not looked at")] MutexGuard<'static, ()>);

static COUNTING: Mutex<()> = Mutex::new(());

impl Turn {
    pub fn take() -> Turn {
        Turn(COUNTING.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the work of a function: its steps, its allocations, and a step for each 32 allocated bytes.
    pub fn count(&self, work: impl FnOnce()) -> u64 {
        let steps = hcl_lr::internal::work::steps();
        let allocated = self.allocated(work);
        let blocks = allocated.allocations + allocated.reallocations;
        hcl_lr::internal::work::steps() - steps + (blocks + allocated.bytes_allocated / 32) as u64
    }

    /// Counts the allocations of some work.
    pub fn allocated(&self, work: impl FnOnce()) -> Stats {
        let before = ALLOCATOR.stats();
        work();
        ALLOCATOR.stats() - before
    }
}
