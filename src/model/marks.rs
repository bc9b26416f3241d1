//! Marks: labels on values (information model, "marks").
//!
//! Any part of a value may have marks, except the elements of a set: their marks move to the set, because elements are
//! found by comparing them. Every operation passes the marks of the values that it reads to its result.

use crate::sorting::sort_by;
use crate::work;
use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A mark: a name, and optionally a payload of the application.
///
/// Marks are distinguished by name; two of one name are the same mark only if they have the same payload, or both none.
///
/// ```
/// use hcl_lr::model::{Mark, Value};
/// let secret = Value::from("hunter2").mark(Mark::new("sensitive"));
/// assert!(secret.is_marked());
/// ```
#[derive(Clone)]
pub struct Mark {
    name: Arc<str>,
    payload: Option<Arc<dyn Any + Send + Sync>>,
}

impl Mark {
    /// A mark with a name only.
    pub fn new(name: &str) -> Mark {
        Mark { name: Arc::from(name), payload: None }
    }

    /// A mark that carries something.
    ///
    /// ```
    /// use hcl_lr::model::Mark;
    /// use std::sync::Arc;
    /// let mark = Mark::with_payload("from", Arc::new(7_u32));
    /// assert_eq!(mark.payload().unwrap().downcast_ref::<u32>(), Some(&7));
    /// ```
    pub fn with_payload(name: &str, payload: Arc<dyn Any + Send + Sync>) -> Mark {
        Mark { name: Arc::from(name), payload: Some(payload) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the data of the mark.
    pub fn payload(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.payload.as_deref()
    }

    /// Returns the identity of a mark: the name, and the address of the payload.
    fn identity(&self) -> (&str, usize) {
        let place = self.payload.as_ref().map_or(0, |p| Arc::as_ptr(p).cast::<()>() as usize);
        (&self.name, place)
    }
}

impl From<&str> for Mark {
    fn from(name: &str) -> Mark {
        Mark::new(name)
    }
}

impl PartialEq for Mark {
    fn eq(&self, other: &Mark) -> bool {
        work::step(1);
        self.identity() == other.identity()
    }
}

impl Eq for Mark {}

impl PartialOrd for Mark {
    fn partial_cmp(&self, other: &Mark) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mark {
    fn cmp(&self, other: &Mark) -> Ordering {
        work::step(1);
        self.identity().cmp(&other.identity())
    }
}

impl Hash for Mark {
    fn hash<H: Hasher>(&self, state: &mut H) {
        work::step(1);
        self.identity().hash(state);
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.name, f)
    }
}

/// A set of marks, ordered by name; cheap to clone.
///
/// ```
/// use hcl_lr::model::{Mark, MarkSet};
/// let both: MarkSet = [Mark::new("b"), Mark::new("a"), Mark::new("b")].into_iter().collect();
/// let names: Vec<&str> = both.iter().map(Mark::name).collect();
/// assert_eq!(names, ["a", "b"]);
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkSet(Option<Arc<[Mark]>>);

impl MarkSet {
    /// The marks in order.
    pub fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.as_slice().iter()
    }

    fn as_slice(&self) -> &[Mark] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns true if there is no mark.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the number of marks.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Returns true if this mark is in the set.
    pub fn contains(&self, mark: &Mark) -> bool {
        self.as_slice().binary_search(mark).is_ok()
    }

    /// The marks of both sets.
    #[must_use]
    pub fn union(&self, other: &MarkSet) -> MarkSet {
        if other.is_empty() || self == other {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        self.iter().chain(other.iter()).cloned().collect()
    }
}

/// Collects the marks of many values. A union with the marks of each value in turn would take quadratic time if each
/// has different marks.
#[derive(Default)]
pub(crate) struct MarkUnion {
    whole: MarkSet,
    more: Vec<Mark>,
}

impl MarkUnion {
    pub fn add(&mut self, marks: &MarkSet) {
        if marks.is_empty() || *marks == self.whole {
            return;
        }
        self.more.extend(marks.iter().cloned());
        // The limit grows with the set, so each mark is moved only as often as the set doubles.
        if self.more.len() > 16 + self.whole.len() {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.whole = self.whole.iter().cloned().chain(self.more.drain(..)).collect();
    }

    /// All marks that were added.
    pub fn set(mut self) -> MarkSet {
        if !self.more.is_empty() {
            self.settle();
        }
        self.whole
    }
}

impl From<MarkSet> for MarkUnion {
    fn from(whole: MarkSet) -> MarkUnion {
        MarkUnion { whole, more: Vec::new() }
    }
}

impl From<Mark> for MarkSet {
    fn from(mark: Mark) -> MarkSet {
        MarkSet(Some(Arc::from([mark])))
    }
}

impl FromIterator<Mark> for MarkSet {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> MarkSet {
        let mut marks: Vec<Mark> = marks.into_iter().collect();
        sort_by(&mut marks, Mark::cmp);
        marks.dedup();
        MarkSet((!marks.is_empty()).then(|| Arc::from(marks)))
    }
}

impl fmt::Debug for MarkSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
