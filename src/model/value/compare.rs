//! Exact equality, order and hash of values: everything counts, types, refinements and
//! marks included. Parts that two values share are equal without a look inside.

use super::{Node, Repr, Value};
use crate::work;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

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
                Arc::ptr_eq(a, b) || may_be && a.ty == b.ty && same_parts(a, b)
            }
            (Repr::Null(a), Repr::Null(b)) | (Repr::Unknown(a), Repr::Unknown(b)) => a == b,
            _ => self.rank() == other.rank() && self.cmp(other) == Ordering::Equal,
        }
    }
}

/// Of values of one type: their parts are of one type too, and that is not compared again on each
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

/// A total order, consistent with exact equality, for use in ordered collections. Only
/// within bools, numbers and strings does it mean anything.
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
                let by_type = a.ty.cmp(&b.ty).then_with(|| a.keys.cmp(&b.keys));
                if by_type != Ordering::Equal {
                    return by_type;
                }
                a.items.cmp(&b.items)
            }
            (Repr::Null(a), Repr::Null(b)) | (Repr::Unknown(a), Repr::Unknown(b)) => a.cmp(b),
            (Repr::Refined(a), Repr::Refined(b)) => a.ty.cmp(&b.ty).then_with(|| a.refinement.cmp(&b.refinement)),
            (Repr::Marked(a), Repr::Marked(b)) => a.marks.cmp(&b.marks).then_with(|| a.value.cmp(&b.value)),
            _ => self.rank().cmp(&other.rank()),
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
