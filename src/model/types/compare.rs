//! Equality, order and hash of types. Types are equal if they are identical, including optional attributes; shared
//! parts are equal without being compared.

use super::{AttributeType, ElementType, ObjectType, TupleType, Type};
use crate::work;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl Type {
    /// Returns a number for each kind of type; the order of kinds has no further meaning.
    fn rank(&self) -> u8 {
        match self {
            Type::Dynamic => 0,
            Type::Bool => 1,
            Type::Number => 2,
            Type::String => 3,
            Type::List(_) => 4,
            Type::Set(_) => 5,
            Type::Map(_) => 6,
            Type::Tuple(_) => 7,
            Type::Object(_) => 8,
            Type::Capsule(_) => 9,
        }
    }
}

impl Type {
    /// Returns true if two tuple types, or two object types, are one in memory.
    #[inline]
    pub(crate) fn is_same(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Tuple(one), Type::Tuple(other)) => one.same(other),
            (Type::Object(one), Type::Object(other)) => one.same(other),
            _ => false,
        }
    }
}

/// Types of this size either share parts or are not written by hand. For them, the pairs of parts that were compared
/// are recorded, because there may be exponentially many paths to them.
pub(super) const LARGE: u64 = 64 * 1024;

/// Types with fewer levels are compared by recursion.
const DEEP: u32 = 64;

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        if let Some(same) = same_at_once(self, other) {
            work::step(1);
            return same;
        }
        match self.size() < LARGE && self.height() < DEEP {
            true => same_parts(self, other, &mut |a, b| a == b),
            false => same_large(self, other),
        }
    }
}

/// Compares two types if that does not require comparing their parts. Most types are primitive or shared.
#[inline]
fn same_at_once(a: &Type, b: &Type) -> Option<bool> {
    match (a, b) {
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            Arc::ptr_eq(&a.0, &b.0).then_some(true)
        }
        (Type::Tuple(a), Type::Tuple(b)) => a.same(b).then_some(true),
        (Type::Object(a), Type::Object(b)) => a.same(b).then_some(true),
        (Type::Capsule(_), Type::Capsule(_)) => None,
        _ => Some(a.rank() == b.rank()),
    }
}

impl Eq for Type {}

/// Returns true if two types are the same, given the comparison of their parts by `same`.
fn same_parts<'t>(a: &'t Type, b: &'t Type, same: &mut dyn FnMut(&'t Type, &'t Type) -> bool) -> bool {
    work::step(1);
    match (a, b) {
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            Arc::ptr_eq(&a.0, &b.0) || a.0.depths.alike(b.0.depths) && same(a.get(), b.get())
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let (of_a, of_b) = (a.elements(), b.elements());
            a.same(b)
                || a.depths().alike(b.depths())
                    && of_a.len() == of_b.len()
                    && of_a.iter().zip(of_b).all(|(a, b)| same(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            let (of_a, of_b) = (a.attributes(), b.attributes());
            let names = |(a, b): (&AttributeType, &AttributeType)| a.name == b.name && a.optional == b.optional;
            a.same(b)
                || a.depths().alike(b.depths())
                    && of_a.len() == of_b.len()
                    && of_a.iter().zip(of_b).all(|(a, b)| names((a, b)) && same(&a.ty, &b.ty))
        }
        (Type::Capsule(a), Type::Capsule(b)) => a == b,
        _ => a.rank() == b.rank(),
    }
}

fn same_large(a: &Type, b: &Type) -> bool {
    let (mut waiting, mut found) = (vec![(a, b)], HashSet::<_, foldhash::fast::RandomState>::default());
    while let Some((a, b)) = waiting.pop() {
        // If a recorded pair differs, so do the types; that is detected when the pair itself is compared.
        if a.address().zip(b.address()).is_some_and(|pair| !found.insert(pair)) {
            continue;
        }
        let wait = &mut |a, b| {
            let same = same_at_once(a, b);
            if same.is_none() {
                waiting.push((a, b));
            }
            same.unwrap_or(true)
        };
        if !same_parts(a, b, wait) {
            return false;
        }
    }
    true
}

impl PartialEq for ElementType {
    fn eq(&self, other: &ElementType) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.get() == other.get()
    }
}

impl PartialEq for TupleType {
    fn eq(&self, other: &TupleType) -> bool {
        Type::Tuple(self.clone()) == Type::Tuple(other.clone())
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &ObjectType) -> bool {
        Type::Object(self.clone()) == Type::Object(other.clone())
    }
}

impl Eq for ElementType {}
impl Eq for TupleType {}
impl Eq for ObjectType {}

impl PartialOrd for Type {
    fn partial_cmp(&self, other: &Type) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A total order, consistent with equality, for ordered collections. It does not tell which type is more general.
impl Ord for Type {
    fn cmp(&self, other: &Type) -> Ordering {
        work::step(1);
        // In types with exponentially many parts, this avoids a search if they are equal.
        if self.size() >= LARGE && self == other {
            return Ordering::Equal;
        }
        match (self, other) {
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                if Arc::ptr_eq(&a.0, &b.0) {
                    Ordering::Equal
                } else {
                    a.get().cmp(b.get())
                }
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                if a.same(b) {
                    Ordering::Equal
                } else {
                    a.elements().cmp(b.elements())
                }
            }
            (Type::Object(a), Type::Object(b)) => {
                if a.same(b) {
                    Ordering::Equal
                } else {
                    a.attributes().cmp(b.attributes())
                }
            }
            (Type::Capsule(a), Type::Capsule(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        work::step(1);
        state.write_u8(self.rank());
        if self.size() >= LARGE {
            return state.write_u64(self.size());
        }
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                element.get().hash(state);
            }
            Type::Tuple(tuple) => tuple.elements().hash(state),
            Type::Object(object) => object.attributes().hash(state),
            Type::Capsule(capsule) => capsule.hash(state),
            _ => {}
        }
    }
}
