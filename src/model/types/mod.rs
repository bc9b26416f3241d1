//! Types (information model, "Values and types").
//!
//! A [`Type`] is small and cheap to clone: the content of a compound type is shared. Every compound type caches a few
//! facts about its depths (its height, and whether it contains the dynamic pseudo-type or an optional attribute), so
//! that questions about a whole type need no walk.

mod compare;
mod describe;
mod structure;

pub use describe::TypeMismatch;
pub(crate) use describe::texts;
pub use structure::{AttributeType, ObjectType, TupleType};

use super::capsule::CapsuleType;
use std::collections::HashMap;
use std::sync::Arc;
use structure::{Depths, Element};

/// The type of a value, or a specification that types can be checked against.
///
/// See the information model, "Values and types".
///
/// ```
/// use hcl_lr::model::Type;
/// let ports = Type::map(Type::list(Type::Number));
/// assert_eq!(ports.to_string(), "map of list of number");
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Type {
    /// The dynamic pseudo-type: unknown so far. In a specification it matches anything.
    Dynamic,
    /// Unicode text, NFC-normalized.
    String,
    /// An exact decimal number.
    Number,
    /// True or false.
    Bool,
    /// An ordered sequence of values of one type; see [`Type::list`].
    List(ElementType),
    /// Distinct values of one type; see [`Type::set`].
    Set(ElementType),
    /// Values of one type by name; see [`Type::map`].
    Map(ElementType),
    /// A fixed sequence of values, each of its own type; see [`Type::tuple`].
    Tuple(TupleType),
    /// A fixed set of names, each with a value of its own type; see [`Type::object`].
    Object(ObjectType),
    /// An application's own opaque type.
    Capsule(CapsuleType),
}

/// The shared element type inside a collection type.
///
/// ```
/// use hcl_lr::model::Type;
/// let Type::List(element) = Type::list(Type::Bool) else { unreachable!() };
/// assert_eq!(*element.get(), Type::Bool);
/// ```
#[derive(Clone)]
pub struct ElementType(Arc<Element>);

impl ElementType {
    /// The type of the elements.
    pub fn get(&self) -> &Type {
        &self.0.ty
    }
}

/// The kind of a collection type.
///
/// ```
/// use hcl_lr::model::{CollectionKind, Type};
/// assert_eq!(Type::set(Type::String).collection_kind(), Some(CollectionKind::Set));
/// assert_eq!(CollectionKind::Map.of(Type::Bool), Type::map(Type::Bool));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CollectionKind {
    /// An ordered sequence.
    List,
    /// Distinct values.
    Set,
    /// Values by name.
    Map,
}

impl CollectionKind {
    /// Returns the collection type of this kind with that element type.
    pub fn of(self, element: Type) -> Type {
        match self {
            CollectionKind::List => Type::list(element),
            CollectionKind::Set => Type::set(element),
            CollectionKind::Map => Type::map(element),
        }
    }
}

impl Type {
    /// A list type.
    pub fn list(element: Type) -> Type {
        Type::List(ElementType(Element::new(element)))
    }

    /// A set type.
    pub fn set(element: Type) -> Type {
        Type::Set(ElementType(Element::new(element)))
    }

    /// A map type.
    pub fn map(element: Type) -> Type {
        Type::Map(ElementType(Element::new(element)))
    }

    /// A tuple type.
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Type {
        Type::Tuple(TupleType::new(elements.into_iter().collect()))
    }

    /// Creates an object type without optional attributes. Names are NFC-normalized; the last of two equal names wins.
    pub fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Type)>) -> Type {
        Type::object_with(attributes.into_iter().map(|(name, ty)| AttributeType::required(name, ty)))
    }

    /// Creates an object type whose attributes may be optional: a specification, because a value always has all
    /// attributes of its type.
    ///
    /// ```
    /// use hcl_lr::model::{AttributeType, Type};
    /// let spec = Type::object_with([
    ///     AttributeType::required("name", Type::String),
    ///     AttributeType::optional("age", Type::Number),
    /// ]);
    /// assert!(spec.has_optional_attributes());
    /// assert!(!spec.without_optional_attributes().has_optional_attributes());
    /// ```
    pub fn object_with(attributes: impl IntoIterator<Item = AttributeType>) -> Type {
        Type::Object(ObjectType::new(attributes.into_iter().collect()))
    }

    /// Creates an object type from attributes that are ordered by name, each name once.
    pub(crate) fn object_in_order(attributes: Vec<AttributeType>) -> Type {
        Type::Object(ObjectType::in_order(attributes))
    }

    /// The element type of a list, set or map.
    pub fn element_type(&self) -> Option<&Type> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element.get()),
            _ => None,
        }
    }

    /// Returns the kind of collection, if it is one.
    pub fn collection_kind(&self) -> Option<CollectionKind> {
        match self {
            Type::List(_) => Some(CollectionKind::List),
            Type::Set(_) => Some(CollectionKind::Set),
            Type::Map(_) => Some(CollectionKind::Map),
            _ => None,
        }
    }

    /// The element types of a tuple.
    pub fn tuple_elements(&self) -> Option<&[Type]> {
        match self {
            Type::Tuple(tuple) => Some(tuple.elements()),
            _ => None,
        }
    }

    /// The attributes of an object, ordered by name.
    ///
    /// ```
    /// use hcl_lr::model::Type;
    /// let ty = Type::object([("b", Type::Bool), ("a", Type::Bool)]);
    /// let names: Vec<&str> = ty.attributes().unwrap().iter().map(|a| a.name()).collect();
    /// assert_eq!(names, ["a", "b"]);
    /// ```
    pub fn attributes(&self) -> Option<&[AttributeType]> {
        match self {
            Type::Object(object) => Some(object.attributes()),
            _ => None,
        }
    }

    /// The type of one attribute of an object.
    pub fn attribute_type(&self, name: &str) -> Option<&Type> {
        match self {
            Type::Object(object) => object.get(name).map(AttributeType::ty),
            _ => None,
        }
    }

    /// Returns true if this is string, number or bool.
    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::String | Type::Number | Type::Bool)
    }

    /// Returns true if this type is or contains the dynamic pseudo-type.
    pub fn has_dynamic(&self) -> bool {
        self.depths().dynamic
    }

    /// Returns true if an optional attribute is anywhere in this type.
    pub fn has_optional_attributes(&self) -> bool {
        self.depths().optional
    }

    /// Returns the number of levels of types: 1 for string, 2 for list of string, and so on.
    pub fn height(&self) -> u32 {
        self.depths().height
    }

    /// Returns an upper bound on the bytes that the type would take if none of its parts were shared.
    pub fn size(&self) -> u64 {
        self.depths().size
    }

    /// Returns the address of its parts: types with the same address are equal.
    pub(crate) fn address(&self) -> Option<usize> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(Arc::as_ptr(&element.0).addr()),
            Type::Tuple(tuple) => Some(tuple.address()),
            Type::Object(object) => Some(object.address()),
            _ => None,
        }
    }

    fn depths(&self) -> Depths {
        match self {
            Type::Dynamic => Depths { dynamic: true, ..Depths::LEAF },
            Type::String | Type::Number | Type::Bool | Type::Capsule(_) => Depths::LEAF,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.0.depths,
            Type::Tuple(tuple) => tuple.depths(),
            Type::Object(object) => object.depths(),
        }
    }

    /// Returns the type with every attribute required: the type of values after conversion to a specification. Shares
    /// everything if nothing is optional.
    pub fn without_optional_attributes(&self) -> Type {
        self.required(&mut HashMap::new())
    }

    /// Does the same for a part. Parts with several paths to them are looked up in `known`, because there may be
    /// exponentially many paths.
    fn required(&self, known: &mut HashMap<usize, Type>) -> Type {
        if !self.has_optional_attributes() {
            return self.clone();
        }
        let address = self.address().filter(|_| self.size() >= compare::LARGE);
        if let Some(ty) = address.and_then(|address| known.get(&address)) {
            return ty.clone();
        }
        let ty = match self {
            Type::List(element) => Type::list(element.get().required(known)),
            Type::Set(element) => Type::set(element.get().required(known)),
            Type::Map(element) => Type::map(element.get().required(known)),
            Type::Tuple(tuple) => Type::tuple(tuple.elements().iter().map(|element| element.required(known))),
            Type::Object(object) => {
                let attribute =
                    |one: &AttributeType| AttributeType::known(one.shared_name().clone(), one.ty().required(known));
                Type::object_in_order(object.attributes().iter().map(attribute).collect())
            }
            _ => self.clone(),
        };
        if let Some(address) = address {
            known.insert(address, ty.clone());
        }
        ty
    }
}
