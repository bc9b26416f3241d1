//! The output for a marked value: in printed values, in messages and in types.
//!
//! A mark may mean that a value is secret, such as `sensitive`, so all outputs treat all marks alike. Of the value
//! itself nothing is shown: not its text, its length, nor the names of its parts. This is the one place that says
//! what is shown instead.

use super::types::CollectionKind;
use super::{Mark, MarkSet, Type, Value};
use {super::View, crate::stack::with_room_for};

/// The name of the mark that the function `sensitive` and the attribute `sensitive = true` put on values.
pub(crate) const SENSITIVE: &str = "sensitive";

/// Beyond this size, in bytes, types of values with marks in them are not looked into: parts may be shared.
const MAX_SIZE: u64 = 1 << 20;

/// Said of something marked where its marks are not at hand.
pub(crate) const HIDDEN: &str = "hidden because it is marked";

/// Said of a value without marks that goes into one with marks.
pub(crate) const AS_INPUT: &str = "hidden because it goes into a marked value";

/// Said in place of a message that could show a marked argument.
pub(crate) const ARGUMENT: &str = "the problem is hidden because an argument is marked";

/// Said in place of a message of a function about a marked argument.
pub(crate) const UNSUITABLE: &str = "the value is not suitable for the function; it is hidden because it is marked";

/// Says why something marked is not shown: `hidden because it is marked sensitive`.
pub fn because(marks: &MarkSet) -> String {
    format!("{HIDDEN} {}", names(marks))
}

/// The text for people in place of a marked value: `(marked sensitive)`.
pub fn text(marks: &MarkSet) -> String {
    format!("(marked {})", names(marks))
}

/// The text for programmers in place of a marked value: `marked(sensitive)`.
pub(super) fn debug_text(marks: &MarkSet) -> String {
    format!("marked({})", names(marks))
}

fn names(marks: &MarkSet) -> String {
    let names: Vec<&str> = marks.iter().map(Mark::name).collect();
    names.join(", ")
}

impl Value {
    /// The type as it is shown: `any` in place of what marked objects and tuples are made of, since the names of
    /// attributes and the number of elements may be secret too.
    pub fn shown_type(&self) -> Type {
        with_room_for(self.height(), || self.type_without_marked_parts())
    }

    fn type_without_marked_parts(&self) -> Type {
        if !self.contains_marks() {
            return self.ty();
        }
        match self.view() {
            View::Tuple(parts) if self.size() <= MAX_SIZE => {
                Type::tuple(parts.iter().map(Value::type_without_marked_parts))
            }
            View::Object(parts) if self.size() <= MAX_SIZE => {
                Type::object(parts.map(|(name, part)| (name, part.type_without_marked_parts())))
            }
            _ => without_structure(&self.ty()),
        }
    }

    /// The type as errors name it, which is its kind if something in the value is marked.
    pub(super) fn shown_kind(&self) -> Type {
        match self.ty() {
            ty if !self.contains_marks() => ty,
            Type::Tuple(_) => Type::tuple([]),
            Type::Object(_) => Type::object::<&str>([]),
            ty => ty.collection_kind().map_or(ty, |kind| kind.of(Type::Dynamic)),
        }
    }
}

/// A type with `any` in place of objects and tuples.
pub(crate) fn without_structure(ty: &Type) -> Type {
    let mut kinds: Vec<CollectionKind> = Vec::new();
    let mut inner = ty;
    while let (Some(kind), Some(element)) = (inner.collection_kind(), inner.element_type()) {
        kinds.push(kind);
        inner = element;
    }
    let inner = match inner {
        Type::Tuple(_) | Type::Object(_) => Type::Dynamic,
        plain => plain.clone(),
    };
    kinds.into_iter().rev().fold(inner, |inner, kind| kind.of(inner))
}
