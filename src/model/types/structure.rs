//! The common parts of compound types: elements, tuples, objects with optional attributes.

use super::Type;
use crate::model::text::{Text, normalized};
use crate::sorting::sort_by;
use std::sync::Arc;

/// Types deeper than this are dropped by a loop, so that dropping needs no stack at any depth.
const LOOP_BELOW: u32 = 64;

/// The facts that a type caches about its parts at any depth.
#[derive(Clone, Copy)]
pub(super) struct Depths {
    pub height: u32,
    pub dynamic: bool,
    pub optional: bool,
    /// An upper bound on the bytes that all parts would take if nothing were shared.
    pub size: u64,
}

/// The bytes of a type without its parts.
pub(super) const PART: u64 = 64;

impl Depths {
    pub const LEAF: Depths = Depths { height: 1, dynamic: false, optional: false, size: PART };

    /// Returns true if equal types may have these depths.
    pub fn alike(self, other: Depths) -> bool {
        self.height == other.height && self.size == other.size
    }

    fn around<'a>(types: impl Iterator<Item = &'a Type>) -> Depths {
        let mut all = Depths { height: 0, ..Depths::LEAF };
        for ty in types {
            let one = ty.depths();
            all.height = all.height.max(one.height);
            all.dynamic |= one.dynamic;
            all.optional |= one.optional;
            all.size = all.size.saturating_add(one.size);
        }
        all.height = all.height.saturating_add(1);
        all
    }
}

/// The element type of a collection type.
pub(super) struct Element {
    pub ty: Type,
    pub depths: Depths,
}

impl Element {
    pub fn new(ty: Type) -> Arc<Element> {
        let depths = Depths::around([&ty].into_iter());
        Arc::new(Element { ty, depths })
    }
}

/// The types of a tuple's elements.
///
/// ```
/// use hcl_lr::model::Type;
/// let Type::Tuple(pair) = Type::tuple([Type::String, Type::Bool]) else { unreachable!() };
/// assert_eq!(pair.elements()[1], Type::Bool);
/// ```
#[derive(Clone)]
pub struct TupleType(Arc<TupleParts>);

struct TupleParts {
    elements: Vec<Type>,
    depths: Depths,
}

impl TupleType {
    pub(super) fn new(elements: Vec<Type>) -> TupleType {
        let depths = Depths::around(elements.iter());
        TupleType(Arc::new(TupleParts { elements, depths }))
    }

    /// The element types, in order.
    pub fn elements(&self) -> &[Type] {
        &self.0.elements
    }

    pub(super) fn depths(&self) -> Depths {
        self.0.depths
    }

    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    #[inline]
    pub(super) fn same(&self, other: &TupleType) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// One attribute of an object type.
///
/// ```
/// use hcl_lr::model::{AttributeType, Type};
/// let age = AttributeType::optional("age", Type::Number);
/// assert!(age.is_optional());
/// assert_eq!((age.name(), age.ty()), ("age", &Type::Number));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeType {
    pub(super) name: Text,
    pub(super) ty: Type,
    pub(super) optional: bool,
}

impl AttributeType {
    /// An attribute that every value has.
    pub fn required(name: impl AsRef<str>, ty: Type) -> AttributeType {
        AttributeType { name: normalized(name.as_ref()), ty, optional: false }
    }

    /// Creates an attribute that the source of a conversion may lack; it becomes null then.
    pub fn optional(name: impl AsRef<str>, ty: Type) -> AttributeType {
        AttributeType { name: normalized(name.as_ref()), ty, optional: true }
    }

    /// One whose name has been normalized before.
    pub(crate) fn known(name: Text, ty: Type) -> AttributeType {
        AttributeType { name, ty, optional: false }
    }

    /// The name, NFC-normalized.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn shared_name(&self) -> &Text {
        &self.name
    }

    /// The type of the attribute's value.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns true if the source of a conversion may lack the attribute.
    pub fn is_optional(&self) -> bool {
        self.optional
    }
}

/// The attributes of an object type, ordered by name.
///
/// ```
/// use hcl_lr::model::Type;
/// let Type::Object(object) = Type::object([("a", Type::Bool)]) else { unreachable!() };
/// assert!(object.get("a").is_some() && object.get("b").is_none());
/// ```
#[derive(Clone)]
pub struct ObjectType(Arc<ObjectParts>);

struct ObjectParts {
    attributes: Vec<AttributeType>,
    depths: Depths,
    /// The length of all names together.
    names: u64,
}

impl ObjectType {
    pub(super) fn new(mut attributes: Vec<AttributeType>) -> ObjectType {
        if !attributes.is_sorted_by(|a, b| a.name < b.name) {
            // The sort is stable, so the last of equal names is the last of its run.
            sort_by(&mut attributes, |a, b| a.name.cmp(&b.name));
            attributes.dedup_by(|later, kept| {
                let same = later.name == kept.name;
                if same {
                    std::mem::swap(later, kept);
                }
                same
            });
        }
        ObjectType::in_order(attributes)
    }

    /// Makes an object type of attributes that are ordered by name, each name once.
    pub(super) fn in_order(attributes: Vec<AttributeType>) -> ObjectType {
        debug_assert!(attributes.is_sorted_by(|a, b| a.name < b.name));
        let mut depths = Depths::around(attributes.iter().map(|a| &a.ty));
        depths.optional |= attributes.iter().any(|a| a.optional);
        let names = attributes.iter().map(|a| a.name.len() as u64).sum();
        depths.size = depths.size.saturating_add(names);
        ObjectType(Arc::new(ObjectParts { attributes, depths, names }))
    }

    /// The attributes, ordered by name.
    pub fn attributes(&self) -> &[AttributeType] {
        &self.0.attributes
    }

    /// The attribute of that name.
    pub fn get(&self, name: &str) -> Option<&AttributeType> {
        self.position(name).map(|at| &self.0.attributes[at])
    }

    /// Returns the index of the attribute of that name in [`ObjectType::attributes`].
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.0.attributes.binary_search_by(|a| (*a.name).cmp(name)).ok()
    }

    pub(super) fn depths(&self) -> Depths {
        self.0.depths
    }

    /// Returns the length of all names together.
    pub(crate) fn names_length(&self) -> u64 {
        self.0.names
    }

    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    #[inline]
    pub(crate) fn same(&self, other: &ObjectType) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Drops deep types one level at a time. Only parts that are not shared are taken apart.
fn take_apart(mut waiting: Vec<Type>) {
    while let Some(ty) = waiting.pop() {
        match ty {
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                if let Some(mut parts) = Arc::into_inner(element.0) {
                    waiting.push(std::mem::replace(&mut parts.ty, Type::Dynamic));
                }
            }
            Type::Tuple(tuple) => {
                if let Some(mut parts) = Arc::into_inner(tuple.0) {
                    waiting.append(&mut parts.elements);
                }
            }
            Type::Object(object) => {
                if let Some(mut parts) = Arc::into_inner(object.0) {
                    waiting.extend(parts.attributes.drain(..).map(|a| a.ty));
                }
            }
            _ => {}
        }
    }
}

impl Drop for Element {
    fn drop(&mut self) {
        if self.depths.height > LOOP_BELOW {
            take_apart(vec![std::mem::replace(&mut self.ty, Type::Dynamic)]);
        }
    }
}

impl Drop for TupleParts {
    fn drop(&mut self) {
        if self.depths.height > LOOP_BELOW {
            take_apart(std::mem::take(&mut self.elements));
        }
    }
}

impl Drop for ObjectParts {
    fn drop(&mut self) {
        if self.depths.height > LOOP_BELOW {
            take_apart(self.attributes.drain(..).map(|a| a.ty).collect());
        }
    }
}
