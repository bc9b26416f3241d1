//! Exact equality, order and hash of values, including types, refinements and marks. Parts that two values share are
//! equal without being compared.

use super::{Node, Repr, Value};
use crate::work;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Values of this size may share parts with themselves, so that there are exponentially many paths to the parts: pairs
/// of parts that were compared are recorded.
const LARGE: u64 = 1 << 20;

/// The number of parts of a large value that are hashed.
const HASHED: usize = 1 << 12;

impl Value {
    fn rank(&self) -> u8 {
        match self.0 {
            Repr::Bool(_) => 0,
            Repr::Number(_) => 1,
            Repr::Text(_) => 2,
            Repr::Capsule(_) => 3,
            Repr::Node(_) => 4,
            Repr::Unknown(_) => 5,
            Repr::Refined(_) => 6,
            Repr::Null(_) => 7,
            Repr::Marked(_) => 8,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        work::step(1);
        match (&self.0, &other.0) {
            (Repr::Bool(a), Repr::Bool(b)) => a == b,
            (Repr::Number(a), Repr::Number(b)) => a == b,
            (Repr::Text(a), Repr::Text(b)) => a == b,
            (Repr::Node(a), Repr::Node(b)) => {
                let may_be = a.shape.height == b.shape.height && a.items.len() == b.items.len();
                Arc::ptr_eq(a, b) || may_be && a.ty == b.ty && same_of_a_type(a, b)
            }
            (Repr::Null(a), Repr::Null(b)) | (Repr::Unknown(a), Repr::Unknown(b)) => a == b,
            _ => self.rank() == other.rank() && self.cmp(other) == Ordering::Equal,
        }
    }
}

fn same_of_a_type(a: &Node, b: &Node) -> bool {
    match a.shape.size < LARGE {
        true => same_parts(a, b),
        false => a.shape.height == b.shape.height && same_large(a, b),
    }
}

/// Like [`same_parts`] for large values: compares each pair of parts once.
fn same_large(a: &Node, b: &Node) -> bool {
    let (mut waiting, mut found) = (vec![(a, b)], HashSet::<_, foldhash::fast::RandomState>::default());
    while let Some((a, b)) = waiting.pop() {
        work::step(1);
        if a.keys != b.keys || a.items.len() != b.items.len() {
            return false;
        }
        for pair in a.items.iter().zip(&b.items) {
            let (Repr::Node(a), Repr::Node(b)) = (&pair.0.0, &pair.1.0) else {
                if pair.0 != pair.1 {
                    return false;
                }
                continue;
            };
            if Arc::ptr_eq(a, b) {
                continue;
            }
            if a.shape.height != b.shape.height {
                return false;
            }
            // If a recorded pair differs, so do the values; that is detected when the pair itself is compared.
            if found.insert((Arc::as_ptr(a).addr(), Arc::as_ptr(b).addr())) {
                waiting.push((a, b));
            }
        }
    }
    true
}

/// Compares the parts of values of one type. Their parts have equal types too, so types are not compared again on each
/// level.
fn same_parts(a: &Node, b: &Node) -> bool {
    work::step(1);
    let same = |(a, b): (&Value, &Value)| match (&a.0, &b.0) {
        (Repr::Node(a), Repr::Node(b)) => {
            let may_be = a.shape.height == b.shape.height && a.items.len() == b.items.len();
            Arc::ptr_eq(a, b) || may_be && same_parts(a, b)
        }
        _ => a == b,
    };
    a.keys == b.keys && a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(same)
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A total order, consistent with exact equality, for ordered collections. It is meaningful only within bools, numbers
/// and strings.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        work::step(1);
        match (&self.0, &other.0) {
            (Repr::Bool(a), Repr::Bool(b)) => a.cmp(b),
            (Repr::Number(a), Repr::Number(b)) => a.cmp(b),
            (Repr::Text(a), Repr::Text(b)) => a.cmp(b),
            (Repr::Capsule(a), Repr::Capsule(b)) => a.cmp(b),
            (Repr::Node(a), Repr::Node(b)) => {
                if Arc::ptr_eq(a, b) {
                    return Ordering::Equal;
                }
                a.ty.cmp(&b.ty).then_with(|| order_of_a_type(a, b))
            }
            (Repr::Null(a), Repr::Null(b)) | (Repr::Unknown(a), Repr::Unknown(b)) => a.cmp(b),
            (Repr::Refined(a), Repr::Refined(b)) => a.ty.cmp(&b.ty).then_with(|| a.refinement.cmp(&b.refinement)),
            (Repr::Marked(a), Repr::Marked(b)) => a.marks.cmp(&b.marks).then_with(|| a.value.cmp(&b.value)),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// Orders values of one type without comparing the types of their parts.
fn order_of_a_type(a: &Node, b: &Node) -> Ordering {
    work::step(1);
    // In values with exponentially many parts, this avoids a search if they are equal.
    if a.shape.size >= LARGE && a.shape.height == b.shape.height && same_large(a, b) {
        return Ordering::Equal;
    }
    let part = |(a, b): (&Value, &Value)| match (&a.0, &b.0) {
        (Repr::Node(a), Repr::Node(b)) if Arc::ptr_eq(a, b) => Ordering::Equal,
        (Repr::Node(a), Repr::Node(b)) => order_of_a_type(a, b),
        _ => a.cmp(b),
    };
    let parts = || a.items.iter().zip(&b.items).map(part).find(|order| order.is_ne());
    let lengths = || a.items.len().cmp(&b.items.len());
    a.keys.cmp(&b.keys).then_with(|| parts().unwrap_or_else(lengths))
}

/// Hashes the first parts of a large value, level by level.
fn hash_large<H: Hasher>(node: &Node, state: &mut H) {
    state.write_u32(node.shape.height);
    let (mut waiting, mut left) = (std::collections::VecDeque::from([node]), HASHED);
    while let Some(node) = waiting.pop_front() {
        work::step(1);
        let count = node.items.len().min(left);
        left -= count;
        node.keys[..count.min(node.keys.len())].hash(state);
        for item in &node.items[..count] {
            match &item.0 {
                Repr::Node(node) => waiting.push_back(node),
                _ => item.hash(state),
            }
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        work::step(1);
        state.write_u8(self.rank());
        match &self.0 {
            Repr::Bool(b) => b.hash(state),
            Repr::Number(number) => number.hash(state),
            Repr::Text(text) => text.hash(state),
            Repr::Capsule(capsule) => capsule.hash(state),
            Repr::Node(node) if node.shape.size >= LARGE => hash_large(node, state),
            Repr::Node(node) => {
                node.keys.hash(state);
                node.items.hash(state);
            }
            Repr::Null(ty) | Repr::Unknown(ty) => ty.hash(state),
            Repr::Refined(refined) => refined.refinement.hash(state),
            Repr::Marked(marked) => {
                marked.marks.hash(state);
                marked.value.hash(state);
            }
        }
    }
}
