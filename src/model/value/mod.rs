//! Values (information model, "Values and types").
//!
//! A [`Value`] is 24 bytes and cheap to clone: text and parts are shared. A value with parts caches a few facts about
//! them (their depth, and whether they contain marks or unknown values), so that questions about a whole value need no
//! walk.
//!
//! This folder creates, takes apart, compares and prints values. It does not depend on conversions or operators.

mod access;
mod build;
mod compare;
mod index;
mod iter;
mod layout;
mod literal;
mod macros;
mod marked;
mod names;
mod node;
mod print;
mod set_order;

pub use access::{Entries, View};
pub use build::common_type;
pub use index::ValueIndex;
pub(crate) use layout::Lines;
#[doc(hidden)]
pub use macros::IntoPart;
pub(crate) use names::order_by_name;
pub(crate) use node::Node;

use super::capsule::Capsule;
use super::marks::MarkSet;
use super::number::Number;
use super::refine::Refinement;
use super::text::Text;
use super::types::Type;
use node::{PART, Shape};
use std::sync::Arc;

/// A value of the information model.
///
/// `==` is exact: types, refinements and marks must be the same too. The equality of the
/// language, where an unknown operand makes the result unknown, is
/// [`operations::equal`](super::operations::equal).
///
/// ```
/// use hcl_lr::model::{Type, Value};
/// let server = Value::object([
///     ("name", Value::from("web")),
///     ("ports", Value::tuple([Value::from(80), Value::from(443)])),
/// ]);
/// assert_eq!(server.attribute("name"), Some(&Value::from("web")));
/// assert_eq!(server.to_string(), r#"{ name = "web", ports = [80, 443] }"#);
/// ```
///
/// # Traits
///
/// | trait | for | meaning |
/// | --- | --- | --- |
/// | `From` | `bool`, integers, [`Number`], `char`, `&str`, `String`, `&String`, `Cow<str>` | the same value |
/// | `From` | `()`, `Option<T>` | null for `()` and `None` |
/// | `From` | `Vec<T>`, `[T; N]`, `&[T]` | a tuple |
/// | `From` | `HashMap<N, T>`, `BTreeMap<N, T>` | an object |
/// | `From` | `&Value` | a clone |
/// | `TryFrom` | `f64`, `f32` | the shortest decimal that reads back as the same float; not NaN |
/// | `TryFrom` | `serde_json::Value` (feature `interchange`) | the value of the type that the JSON implies |
/// | `FromIterator` | `T`, `(N, T)` | a tuple, an object |
/// | `FromStr` | | an expression in native syntax that needs no variables and functions |
/// | `Default` | | null |
/// | `Index`, [`get`](Value::get) | `&str`, `usize` | a part; null if there is none, never a panic |
/// | `IntoIterator` | `Value`, `&Value` | the parts, without names |
/// | `Display` | `{}`, `{:#}` | for people, in one line or several |
/// | `Eq`, `Ord`, `Hash` | `Value` | exact, marks and types included |
/// | `PartialEq` | [`View`] with literals of Rust | `value.view() == "a"` |
///
/// The other way, by `TryFrom<&Value>` and `TryFrom<Value>`, and with it by [`get_as`](Value::get_as)
/// for the parts of a value:
///
/// | type | values |
/// | --- | --- |
/// | integers | a number that fits; the error has the number and the range |
/// | `f64`, `f32` | a number, rounded to the nearest float |
/// | [`Number`], `&Number`, `bool`, `String`, `&str`, `PathBuf` | the same value |
/// | `char` | a string of one character |
/// | `Option<T>` | null is `None` |
/// | `Vec<T>`, `HashSet<T>`, `BTreeSet<T>`, `&[Value]` | a list, set or tuple |
/// | `HashMap<String, T>`, `BTreeMap<String, T>` | a map or object |
///
/// `Value` itself has no `PartialEq<i32>` and the like, because then Rust could not infer the type of `into` in `value
/// == 8080.into()`. There is no `From` for sets, whose elements must be of one type ([`Value::set_of`]), nor for paths,
/// which need not be text.
#[derive(Clone)]
pub struct Value(pub(super) Repr);

#[derive(Clone)]
pub(super) enum Repr {
    Bool(bool),
    Number(Number),
    Text(Text),
    Capsule(Capsule),
    /// A list, set, map, tuple or object, depending on its type.
    Node(Arc<Node>),
    Null(Type),
    Unknown(Type),
    /// An unknown value with refinements.
    Refined(Arc<Refined>),
    Marked(Arc<Marked>),
}

pub(super) struct Refined {
    pub ty: Type,
    pub refinement: Refinement,
}

pub(super) struct Marked {
    /// Never empty.
    pub marks: MarkSet,
    /// Never marked itself.
    pub value: Value,
}

impl Value {
    /// The type. Cheap: compound types are shared.
    pub fn ty(&self) -> Type {
        match &self.0 {
            Repr::Bool(_) => Type::Bool,
            Repr::Number(_) => Type::Number,
            Repr::Text(_) => Type::String,
            Repr::Capsule(capsule) => Type::Capsule(capsule.ty().clone()),
            Repr::Node(node) => node.ty.clone(),
            Repr::Null(ty) | Repr::Unknown(ty) => ty.clone(),
            Repr::Refined(refined) => refined.ty.clone(),
            Repr::Marked(marked) => marked.value.ty(),
        }
    }

    /// Returns the type if the value stores it, as values with parts do.
    fn kept_type(&self) -> Option<&Type> {
        match &self.0 {
            Repr::Node(node) => Some(&node.ty),
            Repr::Null(ty) | Repr::Unknown(ty) => Some(ty),
            Repr::Refined(refined) => Some(&refined.ty),
            Repr::Marked(marked) => marked.value.kept_type(),
            _ => None,
        }
    }

    /// Returns true if the value is of a type, without allocating.
    #[inline]
    pub(crate) fn is_of(&self, ty: &Type) -> bool {
        match (&self.0, ty) {
            (Repr::Text(_), Type::String) | (Repr::Number(_), Type::Number) | (Repr::Bool(_), Type::Bool) => true,
            // Values that are created like another one share its type.
            (Repr::Node(node), _) => node.ty.is_same(ty) || node.ty == *ty,
            _ => match self.kept_type() {
                Some(kept) => kept == ty,
                None => self.ty() == *ty,
            },
        }
    }

    /// Lets an unshared object share an equal type. Objects that were created one by one each have their own copy,
    /// which would all be read when a list of them is processed.
    #[inline]
    fn share_type(&mut self, ty: &Type) {
        if let (Repr::Node(node), Type::Object(shared)) = (&mut self.0, ty)
            && let Type::Object(own) = &node.ty
            && !own.same(shared)
            && let Some(node) = Arc::get_mut(node)
        {
            node.ty = ty.clone();
        }
    }

    /// Returns the number of levels of types in its type.
    pub(crate) fn type_height(&self) -> u32 {
        self.kept_type().map_or(1, Type::height)
    }

    /// Returns the value without its own marks. Its parts keep theirs.
    pub fn unmarked(&self) -> &Value {
        match &self.0 {
            Repr::Marked(marked) => &marked.value,
            _ => self,
        }
    }

    /// Returns true if this is null. Looks through marks.
    pub fn is_null(&self) -> bool {
        matches!(self.unmarked().0, Repr::Null(_))
    }

    /// Returns true if this is not unknown; its parts may be. Looks through marks.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// assert!(!Value::unknown(Type::String).is_known());
    /// assert!(Value::tuple([Value::unknown(Type::String)]).is_known());
    /// ```
    pub fn is_known(&self) -> bool {
        !matches!(self.unmarked().0, Repr::Unknown(_) | Repr::Refined(_))
    }

    /// Returns true if neither this value nor any part of it is unknown.
    pub fn is_wholly_known(&self) -> bool {
        !self.shape().unknown
    }

    /// Returns true if this value or a part of it is unknown and has no settled type.
    pub(super) fn has_unsettled_type(&self) -> bool {
        self.shape().unsettled
    }

    /// Returns the number of levels of values: 1 for a string, 2 for a list of strings.
    pub fn height(&self) -> u32 {
        self.shape().height
    }

    /// Returns an upper bound on the bytes that the value would take if none of its parts were shared.
    pub fn size(&self) -> u64 {
        self.shape().size
    }

    /// Returns the largest number of steps for a walk through all parts.
    pub(crate) fn steps(&self) -> u64 {
        self.size() / PART
    }

    pub(super) fn shape(&self) -> Shape {
        match &self.0 {
            Repr::Node(node) => node.shape,
            Repr::Unknown(ty) => Shape::unknown(ty),
            Repr::Refined(refined) => Shape::unknown(&refined.ty),
            Repr::Marked(marked) => Shape { marked: true, ..marked.value.shape() },
            Repr::Text(text) => Shape { size: PART + text.len() as u64, ..Shape::LEAF },
            Repr::Number(number) => Shape { size: PART + number.extra_bytes(), ..Shape::LEAF },
            Repr::Null(ty) => Shape { size: PART.saturating_add(ty.size()), ..Shape::LEAF },
            _ => Shape::LEAF,
        }
    }
}

#[cfg(test)]
mod tests {
    /// Values are elements of lists of millions.
    #[test]
    fn a_value_is_small() {
        assert_eq!(size_of::<super::Value>(), 24);
    }
}
