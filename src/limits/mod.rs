//! Limits on the work of an evaluation, and the meter that counts it.
//!
//! An expression of a few bytes can ask for unbounded work: loops in loops, texts and lists that are
//! doubled again and again, functions that call themselves. So each evaluation has [`Limits`], those of
//! its [`Scope`](crate::Scope) or the default ones. What exceeds one is the error
//! [`limit-exceeded`](crate::diagnostic::Code::LimitExceeded); it ends the evaluation, and neither `try`
//! nor `can` gets to see it.
//!
//! ```
//! use hcl_lr::{Limits, Scope};
//!
//! let file = hcl_lr::parse::<hcl_lr::File>("a = [for x in l: [for y in l: [for z in l: x + y + z]]]\n").into_result()?;
//! let scope = Scope::new().with("l", (0..1_000).collect::<Vec<i32>>()).with_limits(Limits::new().max_steps(10_000));
//! let errors = file.body().attribute("a").expect("it is there").evaluate(&scope).unwrap_err();
//! assert_eq!(errors.iter().next().unwrap().code().as_str(), "limit-exceeded");
//! # Ok::<(), hcl_lr::Diagnostics>(())
//! ```
//!
//! One budget covers one call of a function that evaluates, decodes or expands, with all that it
//! evaluates in turn: functions that are defined in files, dynamic blocks, conversions. Several calls
//! share one if their scopes have the same [`Meter`].

mod account;
mod meter;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use account::{Account, Exceeded, is_plain, steps_through};
pub use meter::Meter;

/// The limits of an evaluation.
///
/// ```
/// use hcl_lr::Limits;
///
/// let limits = Limits::new().max_steps(1_000_000).max_bytes(64 << 20);
/// assert_eq!(limits.max_text, Limits::default().max_text);
/// assert_eq!(Limits::none().max_steps, u64::MAX);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Limits {
    /// The number of steps: one for each expression, each element of a loop, each part that is converted or compared,
    /// each block of bytes that is encoded.
    pub max_steps: u64,
    /// The number of bytes of all values that are made, including those that are dropped again.
    pub max_bytes: u64,
    /// The number of bytes in one string.
    pub max_text: u64,
    /// The number of elements in one collection, tuple or object.
    pub max_elements: u64,
    /// The number of levels that a value may nest.
    pub max_nesting: u32,
    /// The number of nested calls of functions that evaluate expressions. More than a thousand nested calls are an
    /// error in any case. It is an ordinary error: if a function calls itself in one result of a conditional and the
    /// other one is chosen, evaluation ends normally.
    pub max_calls: u32,
    /// The time that an evaluation may take, by the clock of the system or the [given](Self::clock) one.
    pub timeout: Option<Duration>,
    clock: Option<Arc<dyn Fn() -> Duration + Send + Sync>>,
}

/// 100 million steps, 512 MiB of values, 64 MiB for one string, 16,777,216 elements, 10,000 levels of
/// values; as much time as it takes.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_steps: 100_000_000,
            max_bytes: 512 << 20,
            max_text: 64 << 20,
            max_elements: 1 << 24,
            max_nesting: 10_000,
            max_calls: u32::MAX,
            timeout: None,
            clock: None,
        }
    }
}

impl Limits {
    /// The limits that hold where no others are given: [`Limits::default`].
    pub fn new() -> Self {
        Limits::default()
    }

    /// No limits, for files that are trusted as much as the program itself.
    pub fn none() -> Self {
        Limits {
            max_steps: u64::MAX,
            max_bytes: u64::MAX,
            max_text: u64::MAX,
            max_elements: u64::MAX,
            max_nesting: u32::MAX,
            max_calls: u32::MAX,
            timeout: None,
            clock: None,
        }
    }

    /// The limits with another [number of steps](Limits#structfield.max_steps).
    pub fn max_steps(self, max_steps: u64) -> Self {
        Limits { max_steps, ..self }
    }

    /// The limits with another [number of bytes](Limits#structfield.max_bytes).
    pub fn max_bytes(self, max_bytes: u64) -> Self {
        Limits { max_bytes, ..self }
    }

    /// The limits with another [length of a string](Limits#structfield.max_text).
    pub fn max_text(self, max_text: u64) -> Self {
        Limits { max_text, ..self }
    }

    /// The limits with another [number of elements](Limits#structfield.max_elements).
    pub fn max_elements(self, max_elements: u64) -> Self {
        Limits { max_elements, ..self }
    }

    /// The limits with another [depth of values](Limits#structfield.max_nesting).
    pub fn max_nesting(self, max_nesting: u32) -> Self {
        Limits { max_nesting, ..self }
    }

    /// The limits with another [depth of calls](Limits#structfield.max_calls).
    pub fn max_calls(self, max_calls: u32) -> Self {
        Limits { max_calls, ..self }
    }

    /// The limits with a [time](Limits#structfield.timeout), from when a [`Meter`] is made for them.
    ///
    /// On `wasm32-unknown-unknown` there is no clock: without one that is [given](Self::clock), time
    /// has no limit there.
    pub fn timeout(self, timeout: Duration) -> Self {
        Limits { timeout: Some(timeout), ..self }
    }

    /// The limits with a clock: it tells how much time has passed since some moment in the past.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    /// use hcl_lr::{Limits, Scope, Value};
    ///
    /// static SECONDS: AtomicU64 = AtomicU64::new(0);
    /// let limits = Limits::new()
    ///     .timeout(Duration::from_secs(30))
    ///     .clock(|| Duration::from_secs(SECONDS.fetch_add(1, Ordering::Relaxed)));
    /// let scope = Scope::new().with("l", vec![1; 20_000]).with_limits(limits);
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [for x in l: x + 1]\n").into_result()?;
    /// let errors = file.body().attribute("a").expect("it is there").evaluate(&scope).unwrap_err();
    /// assert!(errors.to_string().contains("30s"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn clock(self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Limits { clock: Some(Arc::new(clock)), ..self }
    }

    /// Returns the message for an exceeded limit, and the advice for raising it.
    pub(crate) fn describe(&self, limit: Limit) -> (String, &'static str) {
        match limit {
            Limit::Steps => (
                format!("the evaluation takes more than {} steps", self.max_steps),
                "raise `Limits::max_steps`, or `--max-steps` of the programs",
            ),
            Limit::Bytes => (
                format!("the evaluation makes more than {} bytes of values", self.max_bytes),
                "raise `Limits::max_bytes`, or `--max-memory` of the programs",
            ),
            Limit::Text => {
                (format!("a string would have more than {} bytes", self.max_text), "raise `Limits::max_text`")
            }
            Limit::Elements => (
                format!("a collection would have more than {} elements", self.max_elements),
                "raise `Limits::max_elements`",
            ),
            Limit::Nesting => (
                format!("a value would nest more than {} levels deep", self.max_nesting),
                "raise `Limits::max_nesting`",
            ),
            Limit::Calls => (
                format!("functions call one another more than {} levels deep", self.max_calls),
                "a function that calls itself must not do so for all arguments; or raise `Limits::max_calls`",
            ),
            Limit::Time => (
                format!("the evaluation takes longer than {:?}", self.timeout.unwrap_or_default()),
                "raise `Limits::timeout`, or `--timeout` of the programs",
            ),
            Limit::Cancelled => {
                ("the evaluation was cancelled".to_owned(), "the program that evaluates this has ended it")
            }
        }
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("max_steps", &self.max_steps)
            .field("max_bytes", &self.max_bytes)
            .field("max_text", &self.max_text)
            .field("max_elements", &self.max_elements)
            .field("max_nesting", &self.max_nesting)
            .field("max_calls", &self.max_calls)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// One of the [`Limits`].
///
/// ```
/// use hcl_lr::limits::{Limit, Limits, Meter};
/// use hcl_lr::Scope;
///
/// let meter = Meter::new(Limits::new().max_text(100));
/// let file = hcl_lr::parse::<hcl_lr::File>("a = \"${t}${t}\"\n").into_result()?;
/// let scope = Scope::new().with("t", "x".repeat(60)).with_meter(&meter);
/// assert!(file.body().attribute("a").expect("it is there").evaluate(&scope).is_err());
/// assert_eq!(meter.exceeded(), Some(Limit::Text));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::max_steps`](Limits#structfield.max_steps)
    Steps,
    /// [`Limits::max_bytes`](Limits#structfield.max_bytes)
    Bytes,
    /// [`Limits::max_text`](Limits#structfield.max_text)
    Text,
    /// [`Limits::max_elements`](Limits#structfield.max_elements)
    Elements,
    /// [`Limits::max_nesting`](Limits#structfield.max_nesting)
    Nesting,
    /// [`Limits::max_calls`](Limits#structfield.max_calls)
    Calls,
    /// [`Limits::timeout`](Limits#structfield.timeout)
    Time,
    /// [`Meter::cancel`]
    Cancelled,
}
