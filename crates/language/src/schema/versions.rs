//! Versions of languages, and the constraints that files put on them.
//!
//! A pre-release has the features of its release, so these versions ignore it. The functions for versions in queries,
//! in the package `hcl-lr-edit`, compare pre-releases as Terraform does.

use std::fmt;
use std::str::FromStr;

/// A version of a language: numbers separated by dots.
///
/// Missing numbers are 0. Anything after `-` or `+` is ignored.
///
/// ```
/// use hcl_lr_language::schema::Version;
///
/// let version: Version = "v1.10".parse()?;
/// assert_eq!(version, "1.10.0".parse()?);
/// assert!(version > "1.9.2".parse()?);
/// assert_eq!("new".parse::<Version>().unwrap_err(), "`new` is not a version such as 1.9");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The numbers without trailing zeros, so that comparing the lists compares the versions.
    numbers: Vec<u64>,
}

impl FromStr for Version {
    type Err = String;

    /// Reads a version such as `1.5.0` or `v1.5`.
    fn from_str(text: &str) -> Result<Version, String> {
        let (mut numbers, _) = numbers(text).ok_or_else(|| format!("`{text}` is not a version such as 1.9"))?;
        while numbers.last() == Some(&0) {
            numbers.pop();
        }
        Ok(Version { numbers })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |at: usize| self.numbers.get(at).copied().unwrap_or(0);
        write!(f, "{}.{}", number(0), number(1))?;
        self.numbers.iter().skip(2).try_for_each(|number| write!(f, ".{number}"))
    }
}

/// Returns the numbers of a version, and true if anything follows them.
fn numbers(text: &str) -> Option<(Vec<u64>, bool)> {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    let plain = text.split(['-', '+']).next()?;
    let numbers: Option<Vec<u64>> = plain.split('.').map(|number| number.parse().ok()).collect();
    Some((numbers?, plain.len() < text.len()))
}

/// The versions of a language that a file may be for, as a range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Versions {
    lowest: Option<Version>,
    /// The highest version; true if it is included.
    highest: Option<(Version, bool)>,
}

impl Versions {
    /// Exactly one version.
    pub fn only(version: &Version) -> Versions {
        Versions { lowest: Some(version.clone()), highest: Some((version.clone(), true)) }
    }

    /// Narrows the versions by constraints such as `>= 1.3, < 2.0`. Constraints that are not understood are ignored.
    pub fn narrow(&mut self, constraints: &str) {
        for constraint in constraints.split(',') {
            self.constraint(constraint.trim());
        }
    }

    fn constraint(&mut self, constraint: &str) {
        let text = constraint.trim_start_matches(['=', '!', '<', '>', '~']);
        let operator = &constraint[..constraint.len() - text.len()];
        let Some((mut numbers, is_early)) = numbers(text) else { return };
        let Ok(version) = text.trim().parse::<Version>() else { return };
        match operator {
            "" | "=" => {
                self.from(version.clone());
                self.to(version, true);
            }
            ">" | ">=" => self.from(version),
            // `< 1.5.0-beta` allows other versions before 1.5.0 with the same features.
            "<" => self.to(version, is_early),
            "<=" => self.to(version, true),
            "~>" => {
                self.from(version);
                // The last number may grow, those before it may not. `~> 1` allows all later versions.
                numbers.pop();
                if let Some(last) = numbers.last_mut() {
                    *last = last.saturating_add(1);
                    self.to(Version { numbers }, false);
                }
            }
            _ => {}
        }
    }

    fn from(&mut self, version: Version) {
        if self.lowest.as_ref().is_none_or(|lowest| *lowest < version) {
            self.lowest = Some(version);
        }
    }

    fn to(&mut self, version: Version, included: bool) {
        let is_lower = |(highest, is_in): &(Version, bool)| version < *highest || version == *highest && *is_in;
        if self.highest.as_ref().is_none_or(is_lower) {
            self.highest = Some((version, included));
        }
    }

    /// Returns true if all versions are before `other`. No version is before a text that is not a version.
    pub fn are_before(&self, other: &str) -> bool {
        let Ok(other) = other.parse::<Version>() else { return false };
        self.highest.as_ref().is_some_and(|(highest, included)| *highest < other || *highest == other && !included)
    }

    /// Returns true if all versions are equal to or after `other`.
    pub fn are_from(&self, other: &str) -> bool {
        let Ok(other) = other.parse::<Version>() else { return false };
        self.lowest.as_ref().is_some_and(|lowest| *lowest >= other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_leave_versions() {
        // The constraints; a version that all are before, or none; one that all are at or after, or none.
        let cases = [
            ("1.5.0", Some("1.5.1"), Some("1.5.0")),
            ("= 1.5", Some("1.6"), Some("1.5")),
            (">= 1.5", None, Some("1.5")),
            ("> 1.5", None, Some("1.5")),
            ("< 1.5", Some("1.5"), None),
            ("<= 1.5", Some("1.5.1"), None),
            (">= 1.3, < 2.0", Some("2.0"), Some("1.3")),
            ("~> 1.4", Some("2"), Some("1.4")),
            ("~> 1.4.2", Some("1.5"), Some("1.4.2")),
            ("~> 1", None, Some("1")),
            ("!= 1.4", None, None),
            ("< 1.5.0-beta", Some("1.5.1"), None),
            ("latest", None, None),
        ];
        for (text, before, from) in cases {
            let mut versions = Versions::default();
            versions.narrow(text);
            assert!(before.is_none_or(|version| versions.are_before(version)), "{text}");
            assert!(from.is_none_or(|version| versions.are_from(version)), "{text}");
            assert_eq!(before.is_none(), !versions.are_before("999"), "{text}");
            assert_eq!(from.is_none(), !versions.are_from("0"), "{text}");
        }
    }

    #[test]
    fn limits_are_exact() {
        let mut versions = Versions::default();
        versions.narrow(">= 1.3, < 1.10");
        assert!(versions.are_before("1.10.0") && !versions.are_before("1.9.9"));
        assert!(versions.are_from("1.3") && !versions.are_from("1.3.1"));
        versions.narrow("<= 1.4");
        assert!(!versions.are_before("1.4") && versions.are_before("1.4.1"));
    }
}
