//! Marks on values: adding, removing, finding.

use super::{Marked, Node, Repr, Value};
use crate::model::marks::{Mark, MarkSet};
use crate::model::path::Path;
use crate::model::walk::Steps;
use crate::sorting::sort_by;
use std::sync::Arc;

impl Value {
    /// The value with one more mark on it.
    ///
    /// ```
    /// use hcl_lr::model::{Mark, Value};
    /// let secret = Value::from("x").mark(Mark::new("sensitive"));
    /// assert!(secret.marks().contains(&Mark::new("sensitive")));
    /// ```
    #[must_use]
    pub fn mark(&self, mark: impl Into<Mark>) -> Value {
        self.with_marks(&MarkSet::from(mark.into()))
    }

    /// The value with more marks on it.
    #[must_use]
    pub fn with_marks(&self, marks: &MarkSet) -> Value {
        if marks.is_empty() {
            return self.clone();
        }
        let (value, marks) = match &self.0 {
            Repr::Marked(marked) => (marked.value.clone(), marked.marks.union(marks)),
            _ => (self.clone(), marks.clone()),
        };
        Value(Repr::Marked(Arc::new(Marked { marks, value })))
    }

    /// The marks on this value, not on its parts.
    ///
    /// ```
    /// use hcl_lr::model::{Mark, Value};
    /// let value = Value::tuple([Value::from(1).mark(Mark::new("m"))]);
    /// assert!(value.marks().is_empty());
    /// assert_eq!(value.marks_deep().len(), 1);
    /// ```
    pub fn marks(&self) -> MarkSet {
        match &self.0 {
            Repr::Marked(marked) => marked.marks.clone(),
            _ => MarkSet::default(),
        }
    }

    /// Returns true if this value itself has marks.
    pub fn is_marked(&self) -> bool {
        matches!(self.0, Repr::Marked(_))
    }

    /// Returns true if this value or any part of it has marks.
    pub fn contains_marks(&self) -> bool {
        self.shape().marked
    }

    /// Returns the marks on this value and on all its parts.
    pub fn marks_deep(&self) -> MarkSet {
        if !self.contains_marks() {
            return MarkSet::default();
        }
        let mut marks = Vec::new();
        let mut waiting = vec![self];
        while let Some(value) = waiting.pop() {
            marks.extend(value.marks().iter().cloned());
            let parts = value.elements().unwrap_or_default();
            waiting.extend(parts.iter().filter(|part| part.contains_marks()));
        }
        marks.into_iter().collect()
    }

    /// Returns the value without its own marks, and these marks.
    pub fn unmark(&self) -> (Value, MarkSet) {
        (self.unmarked().clone(), self.marks())
    }

    /// Returns the value without any marks, on it or within it, and all these marks.
    ///
    /// ```
    /// use hcl_lr::model::{Mark, Value};
    /// let value = Value::tuple([Value::from(1).mark(Mark::new("m"))]);
    /// let (plain, marks) = value.unmark_deep();
    /// assert_eq!((plain, marks.len()), (Value::tuple([Value::from(1)]), 1));
    /// ```
    pub fn unmark_deep(&self) -> (Value, MarkSet) {
        (without_marks(self), self.marks_deep())
    }

    /// Returns the value without any marks, and the path of each mark.
    ///
    /// ```
    /// use hcl_lr::model::{Mark, Value};
    /// let value = Value::tuple([Value::from(1).mark(Mark::new("m"))]);
    /// let (plain, places) = value.unmark_with_paths();
    /// assert_eq!(places[0].0.to_string(), "[0]");
    /// assert_eq!(plain.mark_with_paths(&places), value);
    /// ```
    pub fn unmark_with_paths(&self) -> (Value, Vec<(Path, MarkSet)>) {
        let mut places = Vec::new();
        collect_places(self, &mut Steps::default(), &mut places);
        (without_marks(self), places)
    }

    /// Adds marks to the parts at the paths. A path to a missing part is ignored; one into a set marks the set.
    #[must_use]
    pub fn mark_with_paths(&self, places: &[(Path, MarkSet)]) -> Value {
        let places: Vec<(&Path, &MarkSet)> = places.iter().map(|(p, m)| (p, m)).collect();
        put_marks(self, 0, &places)
    }
}

/// Shares the parts without marks.
fn without_marks(value: &Value) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    match &value.0 {
        Repr::Marked(marked) => without_marks(&marked.value),
        Repr::Node(node) => {
            let items = node.items.iter().map(without_marks).collect();
            Node::value(node.ty.clone(), node.keys.clone(), items)
        }
        _ => value.clone(),
    }
}

fn collect_places(value: &Value, steps: &mut Steps, places: &mut Vec<(Path, MarkSet)>) {
    if !value.contains_marks() {
        return;
    }
    if value.is_marked() {
        places.push((steps.path(), value.marks()));
    }
    let Some(node) = value.node() else { return };
    for at in 0..node.items.len() {
        steps.enter(node, at);
        collect_places(&node.items[at], steps, places);
        steps.leave();
    }
}

/// Adds marks at `places`, whose first `depth` steps lead to `value`.
fn put_marks(value: &Value, depth: usize, places: &[(&Path, &MarkSet)]) -> Value {
    let (here, below): (Vec<_>, Vec<_>) = places.iter().copied().partition(|(path, _)| path.steps().len() == depth);
    let marked = match value.node() {
        Some(node) if !below.is_empty() => put_marks_below(node, depth, below),
        _ => value.unmarked().clone(),
    };
    let marks = here.iter().fold(value.marks(), |all, (_, marks)| all.union(marks));
    marked.with_marks(&marks)
}

fn put_marks_below(node: &Node, depth: usize, mut below: Vec<(&Path, &MarkSet)>) -> Value {
    // After sorting, places that share a step are adjacent, so each part is rebuilt once.
    sort_by(&mut below, |a, b| a.0.steps()[depth].cmp(&b.0.steps()[depth]));
    let whole = Node::value(node.ty.clone(), node.keys.clone(), node.items.clone());
    let mut items = node.items.clone();
    let mut set_marks = MarkSet::default();
    for group in below.chunk_by(|a, b| a.0.steps()[depth] == b.0.steps()[depth]) {
        let step = &group[0].0.steps()[depth];
        let Some(at) = whole.position_of(step) else {
            continue;
        };
        if matches!(node.ty, crate::model::Type::Set(_)) {
            set_marks = group.iter().fold(set_marks, |all, (_, marks)| all.union(marks));
        } else {
            items[at] = put_marks(&items[at], depth + 1, group);
        }
    }
    Node::value(node.ty.clone(), node.keys.clone(), items).with_marks(&set_marks)
}
