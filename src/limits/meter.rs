//! Counts the work of one or several evaluations.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Limit, Limits};
use crate::source::Place;

/// Counts the work of evaluations, and ends them when it exceeds the limits.
///
/// Clones share their counters. Scopes [with the same meter](crate::Scope::with_meter) share its limits, on any number
/// of threads. When one limit is exceeded, all of their evaluations end.
///
/// ```
/// use hcl_lr::{Limits, Scope, limits::Meter};
///
/// let meter = Meter::new(Limits::new());
/// let scope = Scope::new().with("n", 1).with_meter(&meter);
/// let file = hcl_lr::parse::<hcl_lr::File>("a = n + 1\n").into_result()?;
/// let expression = file.body().attribute("a").expect("it is there").expression();
/// expression.evaluate(&scope)?;
/// assert_eq!(meter.steps(), 3);
/// expression.evaluate(&scope)?;
/// assert_eq!(meter.steps(), 6);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Meter(Arc<Shared>);

struct Shared {
    limits: Limits,
    steps: AtomicU64,
    bytes: AtomicU64,
    /// When time is up, by the clock.
    end: Option<Duration>,
    /// Only with an end: asking the system for the time takes longer than a small evaluation.
    clock: Option<Clock>,
    cancelled: AtomicBool,
    /// The limit that was exceeded first, by its index in [`ALL`], counted from one.
    exceeded: AtomicU8,
    /// The place where that happened, once it is known.
    place: Mutex<Option<Place>>,
}

const ALL: [Limit; 8] = [
    Limit::Steps,
    Limit::Bytes,
    Limit::Text,
    Limit::Elements,
    Limit::Nesting,
    Limit::Calls,
    Limit::Time,
    Limit::Cancelled,
];

/// The system's clock, if there is one.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
type Clock = std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
type Clock = ();

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn start_clock() -> Clock {
    Clock::now()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn start_clock() -> Clock {}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn since(clock: &Clock) -> Duration {
    clock.elapsed()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn since(_: &Clock) -> Duration {
    Duration::ZERO
}

impl Meter {
    /// Creates a meter with nothing counted. Time runs from now on.
    pub fn new(limits: Limits) -> Self {
        let start = match &limits.clock {
            Some(clock) if limits.max_time.is_some() => clock(),
            _ => Duration::ZERO,
        };
        Meter(Arc::new(Shared {
            end: limits.max_time.map(|timeout| start.saturating_add(timeout)),
            steps: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            clock: limits.max_time.is_some().then(start_clock),
            limits,
            cancelled: AtomicBool::new(false),
            exceeded: AtomicU8::new(0),
            place: Mutex::new(None),
        }))
    }

    /// Returns the limits of the meter.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Returns the number of steps taken. A running evaluation may have drawn more.
    pub fn steps(&self) -> u64 {
        self.0.steps.load(Relaxed)
    }

    /// Returns the number of bytes of created values. A running evaluation may have drawn more.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Relaxed)
    }

    /// The limit that was exceeded first.
    pub fn exceeded(&self) -> Option<Limit> {
        ALL.get(usize::from(self.0.exceeded.load(Relaxed)).checked_sub(1)?).copied()
    }

    /// Ends the running and future evaluations with this meter. May be called on any thread.
    ///
    /// ```
    /// use hcl_lr::{Limits, Scope, limits::Meter};
    ///
    /// let meter = Meter::new(Limits::new());
    /// let scope = Scope::new().with_meter(&meter);
    /// std::thread::spawn(move || meter.cancel()).join().unwrap();
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\n").into_result()?;
    /// let errors = file.body().attribute("a").expect("it is there").evaluate(&scope).unwrap_err();
    /// assert!(errors.to_string().contains("cancelled"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Relaxed);
    }

    /// Returns the reason why evaluations must end now: cancellation or the time limit.
    pub(super) fn interrupted(&self) -> Option<Limit> {
        if self.0.cancelled.load(Relaxed) {
            return Some(Limit::Cancelled);
        }
        let now = || match &self.0.limits.clock {
            Some(clock) => clock(),
            None => self.0.clock.as_ref().map_or(Duration::ZERO, since),
        };
        self.0.end.filter(|end| now() > *end).map(|_| Limit::Time)
    }

    pub(super) fn exceed(&self, limit: Limit) {
        let number = ALL.iter().position(|known| *known == limit).map_or(0, |at| at as u8 + 1);
        // Only the first one counts.
        let _ = self.0.exceeded.compare_exchange(0, number, Relaxed, Relaxed);
    }

    /// Returns the place at which the limit was exceeded, as reported first.
    pub(crate) fn exceeded_at(&self, place: impl FnOnce() -> Place) -> Place {
        let mut known = self.0.place.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_with(place).clone()
    }

    /// Draws steps: as many as wanted, or the rest.
    pub(super) fn take_steps(&self, wanted: u64) -> u64 {
        take(&self.0.steps, wanted, self.0.limits.max_steps)
    }

    pub(super) fn give_back_steps(&self, steps: u64) {
        self.0.steps.fetch_sub(steps, Relaxed);
    }

    /// Draws bytes: as many as wanted, or the rest.
    pub(super) fn take_bytes(&self, wanted: u64) -> u64 {
        take(&self.0.bytes, wanted, self.0.limits.max_bytes)
    }

    pub(super) fn give_back_bytes(&self, bytes: u64) {
        self.0.bytes.fetch_sub(bytes, Relaxed);
    }
}

fn take(total: &AtomicU64, wanted: u64, most: u64) -> u64 {
    let granted = |now: u64| wanted.min(most.saturating_sub(now));
    let before = total.fetch_update(Relaxed, Relaxed, |now| Some(now + granted(now)));
    granted(before.unwrap_or(most))
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("steps", &self.steps())
            .field("bytes", &self.bytes())
            .field("limits", self.limits())
            .finish_non_exhaustive()
    }
}
