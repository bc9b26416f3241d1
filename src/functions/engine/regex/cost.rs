//! The charges for reading and compiling a pattern.
//!
//! A pattern is charged before the work is done: a few bytes such as `\p{L}{500}` result in an automaton of megabytes.
//! A step is about a tenth of a microsecond, and each number here is an upper bound.

use crate::limits::{Account, Exceeded};

/// A character, a class or a bracket.
const ITEM: u64 = 4;

/// An optional part: the search for literals tries the pattern with and without it.
pub(super) const OPTIONAL: u64 = 256;

/// The bytes that each pattern takes, even a short one.
const PATTERN: u64 = 256;

/// A Unicode class that is looked up by its name, and one with all case variants of its letters.
const NAMED: u64 = 256;
const NAMED_AND_FOLDED: u64 = 2_048;

/// The number of characters of a range whose case variants are looked up in a step.
const FOLDED_IN_A_STEP: u64 = 8;

/// A position of the pattern in an automaton, and a range of characters.
const PLACE: u64 = 2;
const RANGE: u64 = 8;

/// The cost until an automaton turns out to be too large.
const LARGEST: u64 = 26_000_000;

/// The number of groups whose ends are cleared in a step.
const GROUPS_IN_A_STEP: u64 = 8;

/// The bytes of an item, and the number of free ones: short patterns are cached and reused.
const ITEM_BYTES: u64 = 128;
const FREE_ITEMS: u64 = 1_024;

/// The size of a part of a pattern, with all counted repetitions written out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Size {
    /// Characters, classes, assertions, groups and repetitions: a search may be at all of them at once.
    pub places: u64,
    /// Ranges of characters in classes, which determine the number of states of the automaton.
    pub ranges: u64,
}

impl Size {
    pub const ONE: Size = Size { places: 1, ranges: 1 };

    pub fn and(self, other: Size) -> Size {
        Size { places: self.places.saturating_add(other.places), ranges: self.ranges.saturating_add(other.ranges) }
    }

    pub fn times(self, count: u64) -> Size {
        Size { places: self.places.saturating_mul(count), ranges: self.ranges.saturating_mul(count) }
    }
}

/// The charge for a pattern.
pub(super) struct Cost<'a> {
    account: &'a Account,
    steps: u64,
    items: u64,
}

impl<'a> Cost<'a> {
    pub fn new(account: &'a Account) -> Result<Self, Exceeded> {
        let mut cost = Cost { account, steps: 0, items: 0 };
        cost.add(PATTERN)?;
        Ok(cost)
    }

    /// Returns all steps so far. A cached pattern is charged the same number.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn add(&mut self, steps: u64) -> Result<(), Exceeded> {
        self.steps = self.steps.saturating_add(steps);
        self.account.steps(steps)
    }

    /// Charges a character, a class or a bracket.
    pub fn item(&mut self) -> Result<(), Exceeded> {
        self.items += 1;
        if self.items > FREE_ITEMS {
            self.account.bytes(ITEM_BYTES)?;
        }
        self.add(ITEM)
    }

    pub fn class_by_name(&mut self, fold: bool) -> Result<(), Exceeded> {
        self.add(if fold { NAMED_AND_FOLDED } else { NAMED })
    }

    pub fn folded_range(&mut self, low: u32, high: u32, fold: bool) -> Result<(), Exceeded> {
        if fold { self.add(u64::from(high.saturating_sub(low)) / FOLDED_IN_A_STEP) } else { Ok(()) }
    }

    /// Charges the automaton that is going to be made.
    pub fn compile(&mut self, size: Size) -> Result<(), Exceeded> {
        let (places, ranges) = (size.places.saturating_mul(PLACE), size.ranges.saturating_mul(RANGE));
        self.add(places.saturating_add(ranges).min(LARGEST))
    }

    /// Charges the memory for the ends of all groups, at each position of the pattern.
    pub fn groups(&mut self, size: Size, groups: usize) -> Result<(), Exceeded> {
        self.add(size.places.saturating_mul(groups as u64) / GROUPS_IN_A_STEP)
    }
}
