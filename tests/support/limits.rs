//! How much work may cost: a small stack, and time.

use std::fs;
use std::time::{Duration, Instant};

/// The stack that threads usually have.
const STACK: usize = 2 << 20;

/// Runs something on a thread with a small stack.
pub fn on_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The time that this thread was at work: on Linux without the time in which it had to wait for
/// other programs, which on a busy machine is most of it.
pub struct Clock {
    start: Instant,
    busy: Option<Duration>,
}

impl Clock {
    pub fn start() -> Self {
        Clock { start: Instant::now(), busy: Self::busy() }
    }

    fn busy() -> Option<Duration> {
        let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(stat.split_whitespace().next()?.parse().ok()?))
    }

    pub fn elapsed(&self) -> Duration {
        match (self.busy, Self::busy()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.start.elapsed(),
        }
    }
}
