//! Equality, order and hash of types. Types are equal when they are identical, optional
//! attributes included; shared parts are equal without a look inside.

use super::{ElementType, ObjectType, TupleType, Type};
use crate::work;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl Type {
    /// A number for each kind of type; the order of kinds has no meaning beyond being one.
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

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        work::step(1);
        match (self, other) {
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => a == b,
            (Type::Tuple(a), Type::Tuple(b)) => a == b,
            (Type::Object(a), Type::Object(b)) => a == b,
            (Type::Capsule(a), Type::Capsule(b)) => a == b,
            _ => self.rank() == other.rank(),
        }
    }
}

impl Eq for Type {}

impl PartialEq for ElementType {
    fn eq(&self, other: &ElementType) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.depths.height == other.0.depths.height && self.0.ty == other.0.ty
    }
}

impl PartialEq for TupleType {
    fn eq(&self, other: &TupleType) -> bool {
        self.same(other) || self.depths().height == other.depths().height && self.elements() == other.elements()
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &ObjectType) -> bool {
        self.same(other) || self.depths().height == other.depths().height && self.attributes() == other.attributes()
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

/// A total order, consistent with equality, for use in ordered collections. It says nothing
/// about which type is the more general one.
impl Ord for Type {
    fn cmp(&self, other: &Type) -> Ordering {
        work::step(1);
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
