//! Versions of languages.

use std::cmp::Ordering;

/// A version: numbers with dots between them. What follows `-` or `+` does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version(Vec<u64>);

impl Version {
    /// Reads a version such as `1.5.0` or `v1.5`.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim().trim_start_matches(['v', '=', ' ']);
        let numbers = text.split(['-', '+']).next()?.split('.');
        let numbers: Option<Vec<u64>> = numbers.map(|number| number.parse().ok()).collect();
        numbers.map(Version)
    }

    /// Returns true if a version is the other one or a later one. Numbers that are left out are 0.
    pub fn has(&self, other: &str) -> Option<bool> {
        let other = Version::parse(other)?;
        let length = self.0.len().max(other.0.len());
        let number = |version: &Version, at: usize| version.0.get(at).copied().unwrap_or(0);
        let orders = (0..length).map(|at| number(self, at).cmp(&number(&other, at)));
        Some(orders.fold(Ordering::Equal, Ordering::then) != Ordering::Less)
    }
}
