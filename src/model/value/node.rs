//! The common parts of values that have parts.

use super::{Repr, Value};
use crate::model::text::Text;
use crate::model::types::Type;
use std::sync::Arc;

/// Values deeper than this are dropped by a loop, so that dropping needs no stack at any depth.
const LOOP_BELOW: u32 = 64;

/// The facts that a value caches about all of its parts.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    pub height: u32,
    pub marked: bool,
    pub unknown: bool,
    /// True if there is an unknown value whose type contains the dynamic pseudo-type.
    pub unsettled: bool,
    /// An upper bound on the bytes that all parts would take if nothing were shared. A walk through them takes at most
    /// a step for each [`PART`] of these bytes.
    pub size: u64,
}

/// The bytes of a part, without its text and its own parts.
pub(crate) const PART: u64 = 64;

impl Shape {
    pub const LEAF: Shape = Shape { height: 1, marked: false, unknown: false, unsettled: false, size: PART };

    pub fn unknown(ty: &Type) -> Shape {
        Shape { unknown: true, unsettled: ty.has_dynamic(), size: PART.saturating_add(ty.size()), ..Shape::LEAF }
    }

    fn around(items: &[Value]) -> Shape {
        let mut all = Shape { height: u32::from(!items.is_empty()), ..Shape::LEAF };
        for item in items {
            match &item.0 {
                Repr::Bool(_) => all.size = all.size.saturating_add(PART),
                Repr::Number(number) => all.size = all.size.saturating_add(PART + number.extra_bytes()),
                Repr::Text(text) => all.size = all.size.saturating_add(PART + text.len() as u64),
                _ => {
                    let one = item.shape();
                    all.height = all.height.max(one.height);
                    all.marked |= one.marked;
                    all.unknown |= one.unknown;
                    all.unsettled |= one.unsettled;
                    all.size = all.size.saturating_add(one.size);
                }
            }
        }
        all.height = all.height.saturating_add(1);
        all
    }
}

/// A list, set, map, tuple or object.
pub(crate) struct Node {
    /// The type, one of five kinds. The names of an object's attributes are only here.
    pub ty: Type,
    /// The sorted keys of a map, one for each item; empty for all other values.
    pub keys: Vec<Text>,
    /// The parts: in order for lists and tuples, sorted by key or name for maps and objects, in set order for sets.
    pub items: Vec<Value>,
    pub shape: Shape,
}

impl Node {
    /// Creates a value. The caller has checked that the parts fit the type.
    pub fn value(ty: Type, keys: Vec<Text>, items: Vec<Value>) -> Value {
        let mut shape = Shape::around(&items);
        let names = match &ty {
            Type::Object(object) => object.names_length(),
            _ => keys.iter().map(|key| key.len() as u64).sum(),
        };
        shape.size = shape.size.saturating_add(names);
        Value(Repr::Node(Arc::new(Node { ty, keys, items, shape })))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if self.shape.height <= LOOP_BELOW {
            return;
        }
        // Only parts that are not shared are taken apart.
        let mut waiting = std::mem::take(&mut self.items);
        while let Some(value) = waiting.pop() {
            match value.0 {
                Repr::Node(node) => {
                    if let Some(mut node) = Arc::into_inner(node) {
                        waiting.append(&mut node.items);
                    }
                }
                Repr::Marked(marked) => {
                    if let Some(marked) = Arc::into_inner(marked) {
                        waiting.push(marked.value);
                    }
                }
                _ => {}
            }
        }
    }
}
