//! The steps and bytes that one evaluation has drawn from its meter.
#![allow(missing_docs, reason = "public for the packages of this workspace only")]

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::{Limit, Limits, Meter};
use crate::nfc::is_combining;
use crate::source::Place;

/// The number of steps drawn at once. Cancellation and the clock are checked at each draw.
const STEPS: u64 = 512;

/// The number of bytes drawn at once.
const BYTES: u64 = 32 * 1024;

/// The error for an exceeded limit. The account knows the limit, so a caller only has to stop; its result is discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded;

impl std::error::Error for Exceeded {}

impl std::fmt::Display for Exceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a limit of the evaluation is exceeded")
    }
}

/// The account of one evaluation and everything that it starts. Steps and bytes are drawn from the meter in batches,
/// because counting each one on a counter that is shared between threads would cost more than most steps. The rest is
/// returned at the end.
///
/// The counters are atomic so that the account can follow an evaluation to another stack. Only one thread uses them at
/// a time, so reading and writing are separate operations. (If a function of an application evaluates its arguments on
/// several threads at once, some steps are not counted.)
#[derive(Debug)]
pub struct Account {
    meter: Meter,
    steps: AtomicU64,
    bytes: AtomicU64,
    calls: AtomicU32,
    /// The number of calls of impure functions.
    impure: AtomicU32,
    exceeded: AtomicBool,
    comparisons: AtomicU32,
    /// True if values whose type is unknown get a type later.
    has_late_types: bool,
}

/// The number of names that may be compared for suggestions: repeated errors need not repeat the suggestion.
const COMPARISONS: u32 = 200_000;

impl Account {
    pub fn new(meter: Meter) -> Self {
        Account {
            meter,
            steps: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            calls: AtomicU32::new(0),
            impure: AtomicU32::new(0),
            exceeded: AtomicBool::new(false),
            comparisons: AtomicU32::new(COMPARISONS),
            has_late_types: false,
        }
    }

    /// Returns this account with or without types that the application decides later.
    pub fn with_late_types(mut self, has_late_types: bool) -> Self {
        self.has_late_types = has_late_types;
        self
    }

    /// Returns true if a value of unknown type stands for one whose type the application decides later.
    pub fn has_late_types(&self) -> bool {
        self.has_late_types
    }

    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    pub fn limits(&self) -> &Limits {
        self.meter.limits()
    }

    /// Counts one step. False if that is too many.
    #[inline]
    pub fn step(&self) -> bool {
        let remaining = self.steps.load(Relaxed);
        if remaining > 0 {
            self.steps.store(remaining - 1, Relaxed);
            return true;
        }
        self.draw_steps(1).is_ok()
    }

    /// Counts steps.
    #[inline]
    pub fn steps(&self, steps: u64) -> Result<(), Exceeded> {
        let remaining = self.steps.load(Relaxed);
        if remaining >= steps && remaining > 0 {
            self.steps.store(remaining - steps, Relaxed);
            return Ok(());
        }
        self.draw_steps(steps)
    }

    #[cold]
    fn draw_steps(&self, steps: u64) -> Result<(), Exceeded> {
        if self.is_exceeded() {
            return Err(Exceeded);
        }
        if let Some(limit) = self.meter.interrupted().or_else(|| self.meter.exceeded()) {
            return Err(self.exceed(limit));
        }
        let remaining = self.steps.load(Relaxed);
        let missing = steps.saturating_sub(remaining);
        let drawn = self.meter.take_steps(missing.max(STEPS));
        self.steps.store(remaining + drawn, Relaxed);
        if drawn < missing {
            return Err(self.exceed(Limit::Steps));
        }
        self.steps.store(remaining + drawn - steps, Relaxed);
        Ok(())
    }

    /// Counts bytes that are going to be allocated.
    #[inline]
    pub fn bytes(&self, bytes: u64) -> Result<(), Exceeded> {
        let remaining = self.bytes.load(Relaxed);
        if remaining >= bytes {
            self.bytes.store(remaining - bytes, Relaxed);
            return Ok(());
        }
        self.draw_bytes(bytes)
    }

    #[cold]
    fn draw_bytes(&self, bytes: u64) -> Result<(), Exceeded> {
        if self.is_exceeded() {
            return Err(Exceeded);
        }
        let remaining = self.bytes.load(Relaxed);
        let missing = bytes.saturating_sub(remaining);
        let drawn = self.meter.take_bytes(missing.max(BYTES));
        self.bytes.store(remaining + drawn, Relaxed);
        if drawn < missing {
            return Err(self.exceed(Limit::Bytes));
        }
        self.bytes.store(remaining + drawn - bytes, Relaxed);
        Ok(())
    }

    /// Counts the bytes of a string that is about to be created.
    #[inline]
    pub fn text(&self, length: usize) -> Result<(), Exceeded> {
        if length as u64 > self.limits().max_text {
            return Err(self.exceed(Limit::Text));
        }
        self.bytes(length as u64)
    }

    /// Counts the bytes that are about to be added to a string of a length.
    #[inline]
    pub fn more_text(&self, length: usize, more: usize) -> Result<(), Exceeded> {
        if length.saturating_add(more) as u64 > self.limits().max_text {
            return Err(self.exceed(Limit::Text));
        }
        self.bytes(more as u64)
    }

    /// Counts that a text is going to be normalized.
    #[inline]
    pub fn normalizing(&self, text: &str) -> Result<(), Exceeded> {
        if text.is_ascii() {
            return self.steps(text.len() as u64 / 64);
        }
        let (steps, bytes) = to_normalize(text);
        self.bytes(bytes)?;
        self.steps(steps)
    }

    /// Does the same for a name in an expression, which each evaluation looks up. An ASCII name needs no normalization.
    #[inline]
    pub fn name(&self, name: &str) -> Result<(), Exceeded> {
        if name.is_ascii() { Ok(()) } else { self.normalizing(name) }
    }

    /// Counts the bytes of a collection that is about to be created, without the contents of its elements.
    #[inline]
    pub fn elements(&self, count: usize) -> Result<(), Exceeded> {
        if count as u64 > self.limits().max_elements {
            return Err(self.exceed(Limit::Elements));
        }
        self.bytes(collection_bytes(count))
    }

    /// Counts a new element of a growing collection with `count` elements. The bytes are those of a list whose capacity
    /// doubles.
    #[inline]
    pub fn element(&self, count: usize) -> Result<(), Exceeded> {
        if count as u64 >= self.limits().max_elements {
            return Err(self.exceed(Limit::Elements));
        }
        if count < 4 || count.is_power_of_two() { self.bytes(collection_bytes(count.max(1))) } else { Ok(()) }
    }

    /// Says that a value of that height is made.
    #[inline]
    pub fn nesting(&self, height: u32) -> Result<(), Exceeded> {
        if height > self.limits().max_nesting {
            return Err(self.exceed(Limit::Nesting));
        }
        Ok(())
    }

    /// Begins a call of a function that evaluates expressions; [`leave`](Self::leave) ends it.
    pub fn enter(&self) -> Result<(), Exceeded> {
        let calls = self.calls.load(Relaxed);
        if calls >= self.limits().max_calls {
            return Err(self.exceed(Limit::Calls));
        }
        self.calls.store(calls + 1, Relaxed);
        Ok(())
    }

    pub fn leave(&self) {
        self.calls.store(self.calls.load(Relaxed).saturating_sub(1), Relaxed);
    }

    /// Returns true if a name may still be compared with `names` others, for a message.
    #[cold]
    pub fn compare(&self, names: usize) -> bool {
        let remaining = u32::try_from(names).ok().and_then(|names| self.comparisons.load(Relaxed).checked_sub(names));
        remaining.inspect(|&remaining| self.comparisons.store(remaining, Relaxed)).is_some()
    }

    /// Notes a call of an impure function.
    pub fn note_impure(&self) {
        self.impure.store(self.impure.load(Relaxed).wrapping_add(1), Relaxed);
    }

    /// Returns the number of such calls.
    pub fn impure_calls(&self) -> u32 {
        self.impure.load(Relaxed)
    }

    /// Returns true if a limit is exceeded.
    #[inline]
    pub fn is_exceeded(&self) -> bool {
        self.exceeded.load(Relaxed)
    }

    /// Ends the evaluation.
    #[cold]
    pub fn exceed(&self, limit: Limit) -> Exceeded {
        if !self.exceeded.swap(true, Relaxed) {
            self.meter.exceed(limit);
            self.return_rest();
        }
        Exceeded
    }

    /// Records where the limit was exceeded. The first call wins, because it has the most exact place.
    #[cold]
    pub fn exceeded_at(&self, place: impl FnOnce() -> Place) -> Place {
        self.meter.exceeded_at(place)
    }

    /// Returns the limit that was exceeded.
    pub fn exceeded(&self) -> Option<Limit> {
        if self.is_exceeded() { self.meter.exceeded() } else { None }
    }

    /// Nothing remains after this, so each further step detects that a limit is exceeded.
    fn return_rest(&self) {
        self.meter.give_back_steps(self.steps.swap(0, Relaxed));
        self.meter.give_back_bytes(self.bytes.swap(0, Relaxed));
    }
}

/// Returns true if each byte of a text is a character, so that no table of characters is needed: the text is ASCII
/// without line breaks of two characters.
pub fn is_plain(text: &str) -> bool {
    text.is_ascii() && memchr::memchr(b'\r', text.as_bytes()).is_none()
}

/// Returns the number of steps for iterating over the characters of a text. Characters of more than one byte are looked
/// up in tables; each lookup takes as long as copying a few dozen bytes.
pub fn steps_through(text: &str) -> u64 {
    let bytes_in_a_step = if is_plain(text) { 64 } else { 4 };
    text.len() as u64 / bytes_in_a_step
}

/// Returns the steps and bytes for normalizing a text that is not ASCII. Consecutive marks are collected, sorted, and
/// combined with the character before them, so each costs more than a letter.
fn to_normalize(text: &str) -> (u64, u64) {
    /// Up to this number of consecutive marks need no memory.
    const FREE: u64 = 4;
    /// A mark takes eight bytes, in a list whose capacity doubles.
    const MARK: u64 = 16;
    let (mut marks, mut row, mut longest) = (0_u64, 0_u64, 0_u64);
    for c in text.chars() {
        if is_combining(c) {
            marks += 1;
            row += 1;
            longest = longest.max(row);
        } else {
            row = 0;
        }
    }
    (text.len() as u64 / 4 + marks, if longest > FREE { longest * MARK } else { 0 })
}

/// Returns the bytes of a collection, without the contents of its elements.
fn collection_bytes(count: usize) -> u64 {
    // An element is a value and, in tuples and objects, a type and a name.
    const ELEMENT: u64 = 48;
    const COLLECTION: u64 = 96;
    (count as u64).saturating_mul(ELEMENT).saturating_add(COLLECTION)
}

impl Default for Account {
    fn default() -> Self {
        Account::new(Meter::new(Limits::default()))
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.return_rest();
    }
}
