//! The output for a marked value: in printed values, in messages and in types.
//!
//! A mark may mean that a value is secret, such as `sensitive`, so all outputs treat all marks alike. Nothing of the
//! value is shown: not its text, its length, nor the names of its parts. This module alone defines the output in its
//! place.

use super::types::CollectionKind;
use super::walk::walk;
use super::{Mark, MarkSet, PathStep, Type, Value};
use {super::View, crate::stack::with_room_for};

/// The name of the mark that the function `sensitive` and the attribute `sensitive = true` put on values.
#[doc(hidden)]
pub const SENSITIVE: &str = "sensitive";

/// The name of the mark of values that must not be stored, which `ephemeral = true` and blocks of ephemeral resources put
/// on them.
#[doc(hidden)]
pub const EPHEMERAL: &str = "ephemeral";

/// Words in the names of secret values, in lower case.
const SECRET_WORDS: [&str; 9] =
    ["password", "passwd", "pwd", "secret", "token", "private", "credential", "passphrase", "key"];

/// The size, in bytes, up to which the parts of values with marks are searched. Larger ones may share parts.
const MAX_SIZE: u64 = 1 << 20;

/// The text for a marked value whose marks are not available.
#[doc(hidden)]
pub const HIDDEN: &str = "hidden because it is marked";

/// The text for an unmarked value that becomes part of a marked one.
pub(crate) const AS_INPUT: &str = "hidden because it goes into a marked value";

/// The text in place of a message that could show a marked argument.
pub(crate) const ARGUMENT: &str = "the problem is hidden because an argument is marked";

/// The text in place of a function's message about a marked argument.
pub(crate) const UNSUITABLE: &str = "the value is not suitable for the function; it is hidden because it is marked";

/// Returns the reason why a marked value is not shown: `hidden because it is marked sensitive`.
pub fn because(marks: &MarkSet) -> String {
    format!("{HIDDEN} {}", names(marks))
}

/// Returns the text that `Display` shows for a marked value: `(marked sensitive)`, or `(ephemeral value)`.
pub fn text(marks: &MarkSet) -> String {
    let (ephemeral, others): (Vec<&Mark>, Vec<&Mark>) = marks.iter().partition(|mark| mark.name() == EPHEMERAL);
    let others: Vec<&str> = others.into_iter().map(Mark::name).collect();
    match (ephemeral.is_empty(), others.is_empty()) {
        (true, _) => format!("(marked {})", others.join(", ")),
        (false, true) => "(ephemeral value)".to_owned(),
        (false, false) => format!("(ephemeral value, marked {})", others.join(", ")),
    }
}

/// Returns the text that `Debug` shows for a marked value: `marked(sensitive)`.
pub(super) fn debug_text(marks: &MarkSet) -> String {
    format!("marked({})", names(marks))
}

/// Returns true if the name of a value suggests that it is secret, such as `password` and `api_key`. Where the user has
/// not written it, in an editor for example, the value of such a name is only shown on request.
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
    /// Returns the type for display, with `any` in place of the parts of marked objects and tuples, because the names
    /// of attributes and the number of elements may be secret too.
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

    /// Returns the value with marks on everything that its name suggests to be secret. Nulls, unknown values and bools
    /// are not secret.
    #[doc(hidden)]
    pub fn hidden_by_name(&self) -> Value {
        let is_plain = self.is_null() || !self.is_known() || matches!(self.unmarked().view(), View::Bool(_));
        if is_plain { self.clone() } else { self.mark(SENSITIVE) }
    }

    /// Returns the value with marks on the parts whose names suggest that they are secret: [`is_secret_name`].
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

    /// Returns the type for errors: only its kind, if the value contains marks.
    pub(super) fn shown_kind(&self) -> Type {
        match self.ty() {
            ty if !self.contains_marks() => ty,
            Type::Tuple(_) => Type::tuple([]),
            Type::Object(_) => Type::object::<&str>([]),
            ty => ty.collection_kind().map_or(ty, |kind| kind.of(Type::Dynamic)),
        }
    }
}

/// Returns a type with `any` in place of objects and tuples.
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
