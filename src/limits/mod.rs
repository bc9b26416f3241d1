//! Limits on the work of an evaluation, and the meter that counts it.
//!
//! An expression of a few bytes can require unbounded work: nested loops, texts and lists that are doubled repeatedly,
//! functions that call themselves. So each evaluation has [`Limits`], those of its [`Scope`](crate::Scope) or the
//! default ones. Exceeding one is the error [`limit-exceeded`](crate::diagnostic::Code::LimitExceeded); it ends the
//! evaluation, and neither `try` nor `can` catches it.
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
//! One budget covers one call of a function that evaluates, decodes or expands, including everything that it evaluates
//! in turn: functions that are defined in files, dynamic blocks, conversions. Several calls share a budget if their
//! scopes have the same [`Meter`].

pub(crate) mod account;
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
/// use hcl_lr::{Expression, Scope, parse};
///
/// let scope = Scope::new().with_limits(Limits::new().max_steps(10_000).max_bytes(64 << 20));
/// let expression = parse::<Expression>("[for a in l : [for b in l : a + b]]").into_result()?;
/// assert!(expression.evaluate(&scope.with("l", vec![1; 1_000])).is_err());
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Limits {
    pub(crate) max_steps: u64,
    pub(crate) max_bytes: u64,
    pub(crate) max_text: u64,
    pub(crate) max_elements: u64,
    pub(crate) max_nesting: u32,
    pub(crate) max_calls: u32,
    pub(crate) max_time: Option<Duration>,
    clock: Option<Arc<dyn Fn() -> Duration + Send + Sync>>,
}

/// 100 million steps, 512 MiB of values, 64 MiB for one string, 16,777,216 elements, 10,000 levels of values; unlimited
/// time.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_steps: 100_000_000,
            max_bytes: 512 << 20,
            max_text: 64 << 20,
            max_elements: 1 << 24,
            max_nesting: 10_000,
            max_calls: u32::MAX,
            max_time: None,
            clock: None,
        }
    }
}

impl Limits {
    /// Creates the default limits: [`Limits::default`].
    pub fn new() -> Self {
        Limits::default()
    }

    /// Creates limits that allow everything, for fully trusted files.
    pub fn none() -> Self {
        Limits {
            max_steps: u64::MAX,
            max_bytes: u64::MAX,
            max_text: u64::MAX,
            max_elements: u64::MAX,
            max_nesting: u32::MAX,
            max_calls: u32::MAX,
            max_time: None,
            clock: None,
        }
    }

    /// Sets the number of steps: 100 million by default. A step is an expression, an element of a loop, a part that is
    /// converted or compared, or a block of bytes that is encoded.
    pub fn max_steps(self, max_steps: u64) -> Self {
        Limits { max_steps, ..self }
    }

    /// Sets the total number of bytes of all created values, including temporary ones: 512 MiB by default.
    pub fn max_bytes(self, max_bytes: u64) -> Self {
        Limits { max_bytes, ..self }
    }

    /// Sets the number of bytes in one string: 64 MiB by default.
    pub fn max_text(self, max_text: u64) -> Self {
        Limits { max_text, ..self }
    }

    /// Sets the number of elements in one collection, tuple or object: 16,777,216 by default.
    pub fn max_elements(self, max_elements: u64) -> Self {
        Limits { max_elements, ..self }
    }

    /// Sets the number of levels of a value: 10,000 by default.
    pub fn max_nesting(self, max_nesting: u32) -> Self {
        Limits { max_nesting, ..self }
    }

    /// Sets the number of nested calls of functions that evaluate expressions: unlimited by default. More than a
    /// thousand nested calls are an error in any case. It is an ordinary error: if a function calls itself in one
    /// result of a conditional and the other one is chosen, evaluation ends normally.
    pub fn max_calls(self, max_calls: u32) -> Self {
        Limits { max_calls, ..self }
    }

    /// Sets the time that an evaluation may take, starting when a [`Meter`] is created for the limits: unlimited by
    /// default.
    ///
    /// `wasm32-unknown-unknown` has no clock: unless one is [given](Self::with_clock), time is unlimited there.
    pub fn max_time(self, max_time: Duration) -> Self {
        Limits { max_time: Some(max_time), ..self }
    }

    /// Sets a clock that replaces that of the system: it returns the time since some moment in the past.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    /// use hcl_lr::{Limits, Scope, Value};
    ///
    /// static SECONDS: AtomicU64 = AtomicU64::new(0);
    /// let limits = Limits::new()
    ///     .max_time(Duration::from_secs(30))
    ///     .with_clock(|| Duration::from_secs(SECONDS.fetch_add(1, Ordering::Relaxed)));
    /// let scope = Scope::new().with("l", vec![1; 20_000]).with_limits(limits);
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [for x in l: x + 1]\n").into_result()?;
    /// let errors = file.body().attribute("a").expect("it is there").evaluate(&scope).unwrap_err();
    /// assert!(errors.to_string().contains("30s"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_clock(self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Limits { clock: Some(Arc::new(clock)), ..self }
    }

    /// The [limit of steps](Self::max_steps).
    pub fn get_max_steps(&self) -> u64 {
        self.max_steps
    }

    /// The [limit of bytes](Self::max_bytes).
    pub fn get_max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// The [limit of nesting](Self::max_nesting).
    pub fn get_max_nesting(&self) -> u32 {
        self.max_nesting
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
            // The programs have no options for these, because exceeding them is nearly always a mistake.
            Limit::Text => (
                format!("a string would have more than {} bytes", self.max_text),
                "make a shorter string; a program that uses the library can raise `Limits::max_text`",
            ),
            Limit::Elements => (
                format!("a collection would have more than {} elements", self.max_elements),
                "make a smaller collection; a program that uses the library can raise `Limits::max_elements`",
            ),
            Limit::Nesting => (
                format!("a value would nest more than {} levels deep", self.max_nesting),
                "nest less deep; a program that uses the library can raise `Limits::max_nesting`",
            ),
            Limit::Calls => (
                format!("functions call one another more than {} levels deep", self.max_calls),
                "a function that calls itself must not do so for all arguments; a program that uses the library can raise `Limits::max_calls`",
            ),
            Limit::Time => (
                format!("the evaluation takes longer than {:?}", self.max_time.unwrap_or_default()),
                "raise `Limits::max_time`, or `--timeout` of the programs",
            ),
            Limit::Cancelled => {
                ("the evaluation was cancelled".to_owned(), "the program that evaluates this has ended it")
            }
        }
    }
}

/// The limited quantity, as in "the limit of …".
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Steps => "steps",
            Limit::Bytes => "bytes of values",
            Limit::Text => "bytes of a string",
            Limit::Elements => "elements of a collection",
            Limit::Nesting => "levels of a value",
            Limit::Calls => "levels of calls",
            Limit::Time => "time",
            Limit::Cancelled => "cancellation",
        })
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
            .field("max_time", &self.max_time)
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
    /// [`Limits::max_steps`](Limits::max_steps)
    Steps,
    /// [`Limits::max_bytes`](Limits::max_bytes)
    Bytes,
    /// [`Limits::max_text`](Limits::max_text)
    Text,
    /// [`Limits::max_elements`](Limits::max_elements)
    Elements,
    /// [`Limits::max_nesting`](Limits::max_nesting)
    Nesting,
    /// [`Limits::max_calls`](Limits::max_calls)
    Calls,
    /// [`Limits::max_time`](Limits::max_time)
    Time,
    /// [`Meter::cancel`]
    Cancelled,
}
