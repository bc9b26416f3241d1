//! Paths to parts of values.

use super::Value;
use super::text::{Text, normalized};
use crate::identifier::is_identifier;
use crate::writer::quoted;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

/// One step from a value to a part of it.
///
/// ```
/// use hcl_lr::model::{Path, PathStep};
/// let path = Path::from(vec![PathStep::attribute("ports"), PathStep::Position(0)]);
/// assert_eq!(path.to_string(), ".ports[0]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PathStep {
    /// An attribute of an object.
    Attribute(Text),
    /// An element of a list or tuple, or the element at that place of a set's order.
    Position(usize),
    /// An element of a map.
    Key(Text),
    /// An element of a set, which has no other key.
    Element(Value),
    /// Every element of a collection: only in paths through types.
    Any,
}

impl PathStep {
    /// A step to an attribute.
    pub fn attribute(name: &str) -> PathStep {
        PathStep::Attribute(normalized(name))
    }

    /// A step to an element of a map.
    ///
    /// ```
    /// use hcl_lr::model::{Path, PathStep};
    /// assert_eq!(Path::from(vec![PathStep::key("a")]).to_string(), "[\"a\"]");
    /// ```
    pub fn key(name: &str) -> PathStep {
        PathStep::Key(normalized(name))
    }
}

/// The steps from a value to a part of it.
///
/// ```
/// use hcl_lr::model::{Path, PathStep, Value};
/// let value = Value::object([("ports", Value::tuple([Value::from(80)]))]);
/// let path = Path::from(vec![PathStep::attribute("ports"), PathStep::Position(0)]);
/// assert_eq!(path.apply(&value), Some(Value::from(80)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(Vec<PathStep>);

impl Path {
    /// The steps in order.
    pub fn steps(&self) -> &[PathStep] {
        &self.0
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: PathStep) {
        self.0.push(step);
    }

    /// Returns the part of `value` at this path, if there is one. The marks of the values around it are not added.
    pub fn apply(&self, value: &Value) -> Option<Value> {
        let mut part = value;
        for step in &self.0 {
            part = part.step(step)?;
        }
        Some(part.clone())
    }
}

impl Path {
    pub(crate) fn into_steps(self) -> Vec<PathStep> {
        self.0
    }
}

impl From<Vec<PathStep>> for Path {
    fn from(steps: Vec<PathStep>) -> Path {
        Path(steps)
    }
}

/// Writes the path as in HCL: `.name`, `[0]`, `["key"]`; an element of a set is shown in brackets.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                PathStep::Attribute(name) if is_identifier(name) => write!(f, ".{name}")?,
                PathStep::Attribute(name) | PathStep::Key(name) => {
                    write!(f, "[{}]", quoted(name))?;
                }
                PathStep::Position(at) => write!(f, "[{at}]")?,
                PathStep::Element(value) => write!(f, "[{value}]")?,
                PathStep::Any => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

/// The place and the reason of an error: the content of every error with a path. Errors box it, because results pass
/// through as many frames as values nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    place: PathFromWithin,
    pub why: String,
}

/// A path that is built from the inside: each level in which something failed adds its step in front. Inserting into a
/// list would move all other steps each time.
#[derive(Clone, Default)]
pub(crate) struct PathFromWithin {
    /// The last step is the first one.
    inmost_first: Vec<PathStep>,
    /// The path, once somebody has asked for it.
    path: OnceLock<Path>,
}

impl PathFromWithin {
    /// Adds steps in front.
    pub fn below(&mut self, steps: Vec<PathStep>) {
        self.path = OnceLock::new();
        self.inmost_first.extend(steps.into_iter().rev());
    }

    pub fn path(&self) -> &Path {
        self.path.get_or_init(|| Path(self.inmost_first.iter().rev().cloned().collect()))
    }
}

impl fmt::Debug for PathFromWithin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path().fmt(f)
    }
}

impl PartialEq for PathFromWithin {
    fn eq(&self, other: &Self) -> bool {
        self.inmost_first == other.inmost_first
    }
}

impl Eq for PathFromWithin {}

impl Located {
    pub fn new(steps: Vec<PathStep>, why: impl Into<String>) -> Box<Located> {
        let mut place = PathFromWithin::default();
        place.below(steps);
        Box::new(Located { place, why: why.into() })
    }

    /// Returns the same error for an outer value: `steps` lead from that value to this one.
    pub fn below(mut self: Box<Located>, steps: Vec<PathStep>) -> Box<Located> {
        self.place.below(steps);
        self
    }

    pub fn path(&self) -> &Path {
        self.place.path()
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path().0.is_empty() {
            return f.write_str(&self.why);
        }
        write!(f, "{}: {}", self.path(), self.why)
    }
}

/// A set of paths, ordered.
///
/// ```
/// use hcl_lr::model::{Path, PathSet, PathStep};
/// let a = Path::from(vec![PathStep::attribute("a")]);
/// let left: PathSet = [a.clone(), Path::default()].into_iter().collect();
/// let right: PathSet = [a.clone()].into_iter().collect();
/// assert!(left.intersection(&right).contains(&a));
/// assert_eq!(left.difference(&right).len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathSet(BTreeSet<Path>);

impl PathSet {
    /// Adds a path; false if it was there.
    pub fn insert(&mut self, path: Path) -> bool {
        self.0.insert(path)
    }

    /// Removes a path; false if it was not there.
    pub fn remove(&mut self, path: &Path) -> bool {
        self.0.remove(path)
    }

    /// Returns true if the path is in the set.
    pub fn contains(&self, path: &Path) -> bool {
        self.0.contains(path)
    }

    /// Returns the number of paths.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there is no path.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The paths in order.
    pub fn iter(&self) -> impl Iterator<Item = &Path> {
        self.0.iter()
    }

    /// Returns the paths that are in either set.
    pub fn union(&self, other: &PathSet) -> PathSet {
        self.iter().chain(other.iter()).cloned().collect()
    }

    /// The paths that are in both sets.
    pub fn intersection(&self, other: &PathSet) -> PathSet {
        self.iter().filter(|path| other.contains(path)).cloned().collect()
    }

    /// Returns the paths that are in this set and not in the other one.
    pub fn difference(&self, other: &PathSet) -> PathSet {
        self.iter().filter(|path| !other.contains(path)).cloned().collect()
    }
}

impl FromIterator<Path> for PathSet {
    fn from_iter<I: IntoIterator<Item = Path>>(paths: I) -> PathSet {
        let mut set = PathSet::default();
        for path in paths {
            set.insert(path);
        }
        set
    }
}
