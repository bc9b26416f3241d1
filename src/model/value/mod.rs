//! Values (information model, "Values and types").
//!
//! A [`Value`] is 24 bytes and cheap to clone: text and parts are shared. A value with parts
//! knows a few things about all of them (how deep they nest, whether something in them is
//! marked or unknown), so that questions about the whole of a value need no walk.
//!
//! This folder makes, takes apart, compares and prints values. It knows nothing of
//! conversion or of what operators mean.

mod access;
mod build;
mod compare;
mod marked;
mod node;
mod print;
mod set_order;

pub use access::{Entries, View};
pub(crate) use build::{common_type, order_by_name};
pub(crate) use node::Node;

use super::capsule::Capsule;
use super::marks::MarkSet;
use super::number::Number;
use super::refine::Refinement;
use super::text::Name;
use super::types::Type;
use node::Shape;
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
#[derive(Clone)]
pub struct Value(pub(super) Repr);

#[derive(Clone)]
pub(super) enum Repr {
    Bool(bool),
    Number(Number),
    Text(Name),
    Capsule(Capsule),
    /// A list, set, map, tuple or object: which one its type says.
    Node(Arc<Node>),
    Null(Type),
    Unknown(Type),
    /// An unknown of which something more than the type is known.
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
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// assert_eq!(Value::tuple([Value::from(1)]).ty(), Type::tuple([Type::Number]));
    /// ```
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

    /// The type, if it is kept with the value: that of a value with parts is.
    fn kept_type(&self) -> Option<&Type> {
        match &self.0 {
            Repr::Node(node) => Some(&node.ty),
            Repr::Null(ty) | Repr::Unknown(ty) => Some(ty),
            Repr::Refined(refined) => Some(&refined.ty),
            Repr::Marked(marked) => marked.value.kept_type(),
            _ => None,
        }
    }

    /// Whether it is of a type. Nothing is shared to find out.
    pub(crate) fn is_of(&self, ty: &Type) -> bool {
        match self.kept_type() {
            Some(kept) => kept == ty,
            None => self.ty() == *ty,
        }
    }

    /// Makes an object that nobody else holds share a type that is equal to its own. Objects that were
    /// made one by one have as many types, and whoever goes through a list of them would read each.
    fn share_type(&mut self, ty: &Type) {
        if let (Repr::Node(node), Type::Object(shared)) = (&mut self.0, ty)
            && let Type::Object(own) = &node.ty
            && !own.same(shared)
            && let Some(node) = Arc::get_mut(node)
        {
            node.ty = ty.clone();
        }
    }

    /// How many levels of types there are in its type.
    pub(crate) fn type_height(&self) -> u32 {
        self.kept_type().map_or(1, Type::height)
    }

    /// The value without the marks on it (its parts keep theirs).
    ///
    /// ```
    /// use hcl_lr::model::{Mark, Value};
    /// assert_eq!(*Value::from(1).mark(Mark::new("m")).unmarked(), Value::from(1));
    /// ```
    pub fn unmarked(&self) -> &Value {
        match &self.0 {
            Repr::Marked(marked) => &marked.value,
            _ => self,
        }
    }

    /// Whether this is null. Looks through marks.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// assert!(Value::null(Type::String).is_null());
    /// ```
    pub fn is_null(&self) -> bool {
        matches!(self.unmarked().0, Repr::Null(_))
    }

    /// Whether this is not unknown; its parts may be. Looks through marks.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// assert!(!Value::unknown(Type::String).is_known());
    /// assert!(Value::tuple([Value::unknown(Type::String)]).is_known());
    /// ```
    pub fn is_known(&self) -> bool {
        !matches!(self.unmarked().0, Repr::Unknown(_) | Repr::Refined(_))
    }

    /// Whether neither this nor any part of it is unknown.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// assert!(!Value::tuple([Value::unknown(Type::String)]).is_wholly_known());
    /// ```
    pub fn is_wholly_known(&self) -> bool {
        !self.shape().unknown
    }

    /// Whether a part of it, or this itself, is an unknown whose type is not settled.
    pub(super) fn has_unsettled_type(&self) -> bool {
        self.shape().unsettled
    }

    /// How many levels of values there are: 1 for a string, 2 for a list of strings.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// assert_eq!(Value::tuple([Value::tuple([Value::from(1)])]).height(), 3);
    /// ```
    pub fn height(&self) -> u32 {
        self.shape().height
    }

    pub(super) fn shape(&self) -> Shape {
        match &self.0 {
            Repr::Node(node) => node.shape,
            Repr::Unknown(ty) => Shape::unknown(ty),
            Repr::Refined(refined) => Shape::unknown(&refined.ty),
            Repr::Marked(marked) => Shape { marked: true, ..marked.value.shape() },
            _ => Shape::LEAF,
        }
    }
}
