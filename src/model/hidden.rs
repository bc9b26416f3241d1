//! The output for a marked value: in printed values, in messages and in types.
//!
//! A mark may mean that a value is secret, such as `sensitive`, so all outputs treat all marks alike. Of the value
//! itself nothing is shown: not its text, its length, nor the names of its parts. This is the one place that says
//! what is shown instead.

use super::types::CollectionKind;
use super::walk::walk;
use super::{Mark, MarkSet, PathStep, Type, Value};
use {super::View, crate::stack::with_room_for};

/// The name of the mark that the function `sensitive` and the attribute `sensitive = true` put on values.
#[doc(hidden)]
pub const SENSITIVE: &str = "sensitive";

/// The words in names of values that are secret, in lower case.
const SECRET_WORDS: [&str; 9] =
    ["password", "passwd", "pwd", "secret", "token", "private", "credential", "passphrase", "key"];

/// Beyond this size, in bytes, values and types of values with marks in them are not looked into: parts may be shared.
const MAX_SIZE: u64 = 1 << 20;

/// Said of something marked where its marks are not at hand.
#[doc(hidden)]
pub const HIDDEN: &str = "hidden because it is marked";

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

/// Returns true if the name of a value suggests that it is secret, such as `password` and `api_key`. Such a value is not shown where
/// it is not written, in an editor for example, unless somebody has asked for it.
///
/// ```
/// use hcl_lr::model::hidden::is_secret_name;
///
/// assert!(["db_password", "API-Key", "authToken"].iter().all(|name| is_secret_name(name)));
/// assert!(["name", "region", "pass"].iter().all(|name| !is_secret_name(name)));
/// ```
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
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

    /// The value with marks on what its name suggests to be secret. Nothing, unknown, true and false are no secrets.
    #[doc(hidden)]
    pub fn hidden_by_name(&self) -> Value {
        let is_plain = self.is_null() || !self.is_known() || matches!(self.unmarked().view(), View::Bool(_));
        if is_plain { self.clone() } else { self.mark(SENSITIVE) }
    }

    /// The value with marks on its parts whose names suggest that they are secret: [`is_secret_name`].
    ///
    /// ```
    /// use hcl_lr::Value;
    ///
    /// let value = Value::object([("user", Value::from("a")), ("password", Value::from("b"))]);
    /// assert_eq!(value.with_secrets_marked().to_string(), "{ password = (marked sensitive), user = \"a\" }");
    /// ```
    #[must_use]
    pub fn with_secrets_marked(&self) -> Value {
        if self.elements().is_none() {
            return self.clone();
        }
        if self.size() > MAX_SIZE {
            return self.mark(SENSITIVE);
        }
        let mut places = Vec::new();
        with_room_for(self.height(), || {
            walk(self, |path, part| {
                let is_secret = match path.steps().last() {
                    Some(PathStep::Attribute(name) | PathStep::Key(name)) => is_secret_name(name),
                    _ => false,
                };
                if is_secret && part.hidden_by_name().is_marked() {
                    places.push((path.clone(), MarkSet::from(Mark::new(SENSITIVE))));
                }
                !is_secret
            });
            self.mark_with_paths(&places)
        })
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
