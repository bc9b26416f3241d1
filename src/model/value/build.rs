//! Constructors of values.

use super::names::{by_name, order_of};
use super::set_order::in_set_order;
use super::{Node, Repr, Value};
use crate::model::capsule::{Capsule, CapsuleType};
use crate::model::marks::MarkUnion;
use crate::model::path::{Located, PathStep};
use crate::model::text::{Text, is_normalized, normalized};
use crate::model::types::texts;
use crate::model::types::{AttributeType, CollectionKind, Type, TypeMismatch};
use std::any::Any;
use std::sync::Arc;

impl Value {
    /// The null without a type, which is `null` in an expression.
    pub const NULL: Value = Value(Repr::Null(Type::Dynamic));

    /// The unknown value of unknown type: the *dynamic value*.
    pub const UNKNOWN: Value = Value(Repr::Unknown(Type::Dynamic));

    /// The null of a type.
    pub fn null(ty: Type) -> Value {
        Value(Repr::Null(ty))
    }

    /// Creates an unknown value of a type, without further facts. For the dynamic pseudo-type it is the *dynamic
    /// value*.
    pub fn unknown(ty: Type) -> Value {
        Value(Repr::Unknown(ty))
    }

    /// A string, NFC-normalized. `Value::from` does the same.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// assert_eq!(Value::string("e\u{301}").as_str(), Some("\u{e9}"));
    /// ```
    pub fn string(text: &str) -> Value {
        Value(Repr::Text(normalized(text)))
    }

    /// A string that is known to be normalized.
    pub(crate) fn from_name(text: Text) -> Value {
        Value(Repr::Text(text))
    }

    /// An application's own data as a value.
    pub fn capsule(ty: &CapsuleType, data: Arc<dyn Any + Send + Sync>) -> Value {
        Value(Repr::Capsule(Capsule::new(ty.clone(), data)))
    }

    /// A tuple.
    pub fn tuple(elements: impl IntoIterator<Item = Value>) -> Value {
        let items: Vec<Value> = elements.into_iter().collect();
        let ty = Type::tuple(items.iter().map(Value::ty));
        Node::value(ty, Vec::new(), items)
    }

    /// Like [`Value::tuple`], but shares the type `like` if it is equal.
    pub(crate) fn tuple_like(items: Vec<Value>, like: &Type) -> Value {
        match like {
            Type::Tuple(tuple)
                if tuple.elements().len() == items.len()
                    && tuple.elements().iter().zip(&items).all(|(ty, item)| item.is_of(ty)) =>
            {
                Node::value(like.clone(), Vec::new(), items)
            }
            _ => Value::tuple(items),
        }
    }

    /// Creates an object. Names are NFC-normalized; the last of two equal names wins.
    pub fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Value)>) -> Value {
        let attributes = attributes.into_iter().map(|(n, v)| (normalized(n.as_ref()), v)).collect();
        Value::object_of(attributes)
    }

    /// An object whose names have been normalized.
    pub(crate) fn object_of(attributes: Vec<(Text, Value)>) -> Value {
        let attributes = by_name(attributes);
        let (mut types, mut items) = (Vec::with_capacity(attributes.len()), Vec::with_capacity(attributes.len()));
        for (name, value) in attributes {
            types.push(AttributeType::known(name, value.ty()));
            items.push(value);
        }
        Node::value(Type::object_in_order(types), Vec::new(), items)
    }

    /// Like [`Value::object_of`], but shares the type `like` if it is equal.
    pub(crate) fn object_like(attributes: Vec<(Text, Value)>, like: &Type) -> Value {
        let attributes = by_name(attributes);
        match like {
            Type::Object(object)
                if object.attributes().len() == attributes.len()
                    && object.attributes().iter().zip(&attributes).all(|(attribute, (name, value))| {
                        !attribute.is_optional() && attribute.shared_name() == name && value.is_of(attribute.ty())
                    }) =>
            {
                Node::value(like.clone(), Vec::new(), attributes.into_iter().map(|(_, value)| value).collect())
            }
            _ => Value::object_of(attributes),
        }
    }

    /// Creates an object with the names of a type and values in its order. It has that type if the values fit.
    pub(crate) fn object_with_names_of(ty: &Type, items: Vec<Value>) -> Value {
        let Type::Object(object) = ty else { return Value::object::<&str>([]) };
        let fits = |(attribute, item): (&AttributeType, &Value)| !attribute.is_optional() && item.is_of(attribute.ty());
        if object.attributes().iter().zip(&items).all(fits) {
            return Node::value(ty.clone(), Vec::new(), items);
        }
        let types = object.attributes().iter().zip(&items);
        let types = types.map(|(attribute, item)| AttributeType::known(attribute.shared_name().clone(), item.ty()));
        Node::value(Type::object_in_order(types.collect()), Vec::new(), items)
    }

    /// Creates an object from names and values; the last of two equal names wins. They are sorted before anything is
    /// built.
    pub(crate) fn object_of_texts(names: &[&str], mut values: Vec<Value>) -> Value {
        if !names.iter().all(|name| is_normalized(name)) {
            return Value::object(names.iter().zip(values));
        }
        let attribute = |at: usize, value: &Value| AttributeType::known(Text::known(names[at]), value.ty());
        let Some(order) = order_of(names.len().min(values.len()), &|at| names[at]) else {
            let types = values.iter().enumerate().map(|(at, value)| attribute(at, value)).collect();
            return Node::value(Type::object_in_order(types), Vec::new(), values);
        };
        let (mut types, mut items) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        for (place, &at) in order.iter().enumerate() {
            if order.get(place + 1).is_some_and(|&next| names[next] == names[at]) {
                continue;
            }
            let value = std::mem::take(&mut values[at]);
            types.push(attribute(at, &value));
            items.push(value);
        }
        Node::value(Type::object_in_order(types), Vec::new(), items)
    }

    /// Creates an object or tuple of a type with its parts in the order of the type. The caller has checked that they
    /// fit.
    pub(crate) fn with_parts(ty: Type, items: Vec<Value>) -> Value {
        Node::value(ty, Vec::new(), items)
    }

    /// The collection of that kind without elements.
    ///
    /// ```
    /// use hcl_lr::model::{CollectionKind, Type, Value};
    /// let none = Value::empty(CollectionKind::Map, Type::Bool);
    /// assert_eq!(none.ty(), Type::map(Type::Bool));
    /// ```
    pub fn empty(kind: CollectionKind, element: Type) -> Value {
        Node::value(kind.of(element), Vec::new(), Vec::new())
    }

    /// Creates a list with that element type. Dynamic nulls and unknowns become those of the element type.
    ///
    /// # Errors
    /// An element has another type; the error is about the first such element.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let names = Value::list(Type::String, [Value::from("a"), Value::from("b")])?;
    /// assert_eq!(names.ty(), Type::list(Type::String));
    /// assert!(Value::list(Type::String, [Value::from(1)]).is_err());
    /// # Ok::<(), hcl_lr::model::TypeMismatch>(())
    /// ```
    pub fn list(element: Type, elements: impl IntoIterator<Item = Value>) -> Result<Value, TypeMismatch> {
        let items = fitted(&element, elements)?;
        Ok(Node::value(Type::list(element), Vec::new(), items))
    }

    /// Creates a list of elements that are known to be of the type.
    pub(crate) fn list_of_fitting(element: Type, items: Vec<Value>) -> Value {
        debug_assert!(items.iter().all(|item| item.is_of(&element)));
        Node::value(Type::list(element), Vec::new(), items)
    }

    /// Creates a set with that element type. Equal elements are merged; elements with unknown parts do not equal any
    /// other. The marks of elements move to the set. Dynamic nulls and unknowns become those of the element type.
    ///
    /// # Errors
    /// An element has another type; the error is about the first such element.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let set = Value::set(Type::Number, [2, 1, 2].map(Value::from))?;
    /// assert_eq!(set.to_string(), "[1, 2]");
    /// # Ok::<(), hcl_lr::model::TypeMismatch>(())
    /// ```
    pub fn set(element: Type, elements: impl IntoIterator<Item = Value>) -> Result<Value, TypeMismatch> {
        let items = fitted(&element, elements)?;
        Ok(Value::set_of_fitting(element, items))
    }

    /// A set of elements that are known to fit.
    pub(crate) fn set_of_fitting(element: Type, mut items: Vec<Value>) -> Value {
        let mut marks = MarkUnion::default();
        if items.iter().any(Value::contains_marks) {
            for item in &mut items {
                let (plain, found) = item.unmark_deep();
                marks.add(&found);
                *item = plain;
            }
        }
        let items = in_set_order(items);
        Node::value(Type::set(element), Vec::new(), items).with_marks(&marks.set())
    }

    /// Creates a map with that element type. Keys are NFC-normalized; the last of two equal keys wins. Dynamic nulls
    /// and unknowns become those of the element type.
    ///
    /// # Errors
    /// An element has another type; the error is about the first such element.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let map = Value::map(Type::Number, [("b", Value::from(1)), ("a", Value::from(2))])?;
    /// assert_eq!(map.to_string(), "{ a = 2, b = 1 }");
    /// # Ok::<(), hcl_lr::model::TypeMismatch>(())
    /// ```
    pub fn map<N: AsRef<str>>(
        element: Type,
        elements: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<Value, TypeMismatch> {
        let elements = elements.into_iter().map(|(k, v)| (normalized(k.as_ref()), v)).collect();
        Value::map_of(element, elements)
    }

    /// A map whose keys have been normalized.
    pub(crate) fn map_of(element: Type, elements: Vec<(Text, Value)>) -> Result<Value, TypeMismatch> {
        let (keys, mut items): (Vec<Text>, Vec<Value>) = by_name(elements).into_iter().unzip();
        for (key, item) in keys.iter().zip(&mut items) {
            fit(&element, item).map_err(|why| why.below(PathStep::Key(key.clone())))?;
        }
        Ok(Node::value(Type::map(element), keys, items))
    }

    /// A list, set or map (then `keys` are its keys) of elements that all have the same
    /// type or are dynamic nulls and unknowns. That type is the element type.
    ///
    /// # Errors
    /// An element has another type; the error is about the first such element.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let list = Value::list_of([Value::from("a"), Value::unknown(Type::Dynamic)])?;
    /// assert_eq!(list.ty(), Type::list(Type::String));
    /// # Ok::<(), hcl_lr::model::TypeMismatch>(())
    /// ```
    pub fn list_of(elements: impl IntoIterator<Item = Value>) -> Result<Value, TypeMismatch> {
        let items: Vec<Value> = elements.into_iter().collect();
        Value::list(common_type(&items), items)
    }

    /// Like [`Value::list_of`], for a set.
    ///
    /// # Errors
    /// An element has another type; the error is about the first such element.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// assert!(Value::set_of([Value::from("a"), Value::from(1)]).is_err());
    /// ```
    pub fn set_of(elements: impl IntoIterator<Item = Value>) -> Result<Value, TypeMismatch> {
        let items: Vec<Value> = elements.into_iter().collect();
        Value::set(common_type(&items), items)
    }
}

/// Returns the type of the first element that has one; dynamic if no element does.
pub fn common_type<'a>(items: impl IntoIterator<Item = &'a Value>) -> Type {
    let mut types = items.into_iter().map(Value::ty);
    types.find(|ty| *ty != Type::Dynamic).unwrap_or(Type::Dynamic)
}

fn fitted(element: &Type, elements: impl IntoIterator<Item = Value>) -> Result<Vec<Value>, TypeMismatch> {
    let mut items: Vec<Value> = elements.into_iter().collect();
    for (at, item) in items.iter_mut().enumerate() {
        fit(element, item).map_err(|why| why.below(PathStep::Position(at)))?;
    }
    Ok(items)
}

/// Checks one element; a dynamic null or unknown takes on the element type.
fn fit(element: &Type, item: &mut Value) -> Result<(), TypeMismatch> {
    if item.is_of(element) {
        item.share_type(element);
        return Ok(());
    }
    let ty = item.ty();
    if ty != Type::Dynamic {
        return Err(TypeMismatch::between(element, &ty));
    }
    let marks = item.marks();
    let settled = match item.is_null() {
        true => Value::null(element.clone()),
        false => Value::unknown(element.clone()),
    };
    *item = settled.with_marks(&marks);
    Ok(())
}

impl TypeMismatch {
    /// Returns the error for a type other than the required one.
    fn between(wanted: &Type, given: &Type) -> TypeMismatch {
        // Checking against a specification finds the place of the difference, unless specifications ignore the only
        // difference.
        given.conforms_to(wanted).err().unwrap_or_else(|| {
            let why = texts::instead(&wanted.describe(), &given.describe());
            TypeMismatch(Located::new(Vec::new(), why))
        })
    }

    /// Returns the error for the enclosing level.
    fn below(self, step: PathStep) -> TypeMismatch {
        TypeMismatch(self.0.below(vec![step]))
    }
}
