//! Index, attribute access, length, and the elements of values with parts.

use super::OperationError;
use super::equality::decide;
use crate::model::number::Number;
use crate::model::text::{Text, is_normalized, normalized};
use crate::model::types::Type;
use crate::model::value::{Entries, Node, Value};

/// Returns the element that `key` selects in a list, tuple, map or object (specification, "Index Operator"). The result
/// has the marks of the value, the key and the element.
///
/// # Errors
/// The value or key is null, the value has no keys, or the key is of the wrong kind or selects nothing.
///
/// ```
/// use hcl_lr::model::{operations::index, Value};
/// let tuple = Value::tuple([Value::from("a"), Value::from("b")]);
/// assert_eq!(index(&tuple, &Value::from(1))?, Value::from("b"));
/// assert!(index(&tuple, &Value::from(2)).is_err());
/// # Ok::<(), hcl_lr::model::operations::OperationError>(())
/// ```
pub fn index(value: &Value, key: &Value) -> Result<Value, OperationError> {
    if value.is_null() {
        return Err(OperationError::NullParts);
    }
    if key.is_null() {
        return Err(OperationError::NullKey);
    }
    let hide = |why: OperationError| match why {
        OperationError::NoIndex { .. } | OperationError::NoSuchName(_) if key.contains_marks() => {
            OperationError::NoSuchKey
        }
        why => why,
    };
    let ty = value.ty();
    let part = match &ty {
        Type::Dynamic => Value::unknown(Type::Dynamic),
        // Once the type of the key is known, it may even turn out to be an error.
        _ if key.ty() == Type::Dynamic => Value::unknown(Type::Dynamic).with_marks(&value.marks_deep()),
        Type::List(_) | Type::Tuple(_) => at_position(value, key, &ty).map_err(hide)?,
        Type::Map(_) | Type::Object(_) => {
            let key = convert_key(key, &Type::String)?;
            match key.as_name() {
                Some(name) => at_name(value, name, &ty).map_err(hide)?,
                None => any_element(value, &ty),
            }
        }
        Type::Set(_) => return Err(OperationError::SetIndex),
        _ => return Err(no_parts("index", value)),
    };
    Ok(part.with_marks(&value.marks().union(&key.marks())))
}

/// Returns the attribute of that name of an object, or the element of that key of a map (specification, "Attribute
/// Access Operator").
///
/// # Errors
/// The value is null, has no attributes, or lacks this one.
pub fn attribute(value: &Value, name: &str) -> Result<Value, OperationError> {
    if value.is_null() {
        return Err(OperationError::NullParts);
    }
    let ty = value.ty();
    let part = match &ty {
        Type::Dynamic => Value::unknown(Type::Dynamic),
        Type::Map(_) | Type::Object(_) => {
            // Names of attributes and keys are normalized, however they are written.
            let normal = if is_normalized(name) { None } else { Some(normalized(name)) };
            at_name(value, normal.as_deref().unwrap_or(name), &ty)?
        }
        _ => {
            return Err(no_parts("attributes", value));
        }
    };
    Ok(part.with_marks(&value.marks()))
}

fn no_parts(what: &'static str, value: &Value) -> OperationError {
    OperationError::NoParts { what, ty: value.shown_kind() }
}

/// Returns the unknown element for an unknown key. It may be any element, so it has the marks of all.
fn any_element(value: &Value, ty: &Type) -> Value {
    Value::unknown(element_of(ty)).with_marks(&value.marks_deep())
}

/// Returns the type of every element if all have one.
fn element_of(ty: &Type) -> Type {
    ty.element_type().cloned().unwrap_or(Type::Dynamic)
}

fn convert_key(key: &Value, ty: &Type) -> Result<Value, OperationError> {
    // The marks stay on during the conversion, so that errors show no names in the key.
    key.convert(ty).map(|key| key.unmarked().clone()).map_err(OperationError::Key)
}

fn at_position(value: &Value, key: &Value, ty: &Type) -> Result<Value, OperationError> {
    let key = convert_key(key, &Type::Number)?;
    let Some(number) = key.as_number() else {
        return Ok(any_element(value, ty));
    };
    if let (Type::List(element), false) = (ty, value.is_known()) {
        // The official engine checks the key only once the list is known.
        return Ok(Value::unknown(element.get().clone()));
    }
    if number.is_negative() {
        return Err(OperationError::NotAnIndex("an index must not be negative"));
    }
    if !number.is_whole() && !number.is_infinite() {
        return Err(OperationError::NotAnIndex("an index must be a whole number"));
    }
    let kind = if matches!(ty, Type::List(_)) { "list" } else { "tuple" };
    let missing = |length| OperationError::NoIndex { key: number.to_string(), length, kind };
    let position = usize::try_from(number).ok();
    if let Some(items) = value.elements() {
        let part = position.and_then(|at| items.get(at));
        return part.cloned().ok_or_else(|| missing(items.len()));
    }
    let types = ty.tuple_elements().unwrap_or_default();
    let part = position.and_then(|at| types.get(at)).cloned();
    part.map(Value::unknown).ok_or_else(|| missing(types.len()))
}

/// Returns the part at a normalized name.
fn at_name(value: &Value, name: &str, ty: &Type) -> Result<Value, OperationError> {
    let missing = || OperationError::NoSuchName(name.to_string());
    if value.is_known() {
        let part = value.attribute(name).or_else(|| value.entry(name));
        return part.cloned().ok_or_else(missing);
    }
    match ty {
        Type::Object(object) => object.get(name).map(|a| Value::unknown(a.ty().clone())).ok_or_else(missing),
        _ => Ok(Value::unknown(element_of(ty))),
    }
}

/// Returns the number of elements of a collection, tuple or object. Known bounds of the length of an unknown one become
/// bounds of the result; a set with unknown elements may turn out to have fewer.
///
/// # Errors
/// The value is null, or has no elements.
///
/// ```
/// use hcl_lr::model::{operations::length, Type, Value};
/// assert_eq!(length(&Value::tuple([Value::from(1)]))?, Value::from(1));
/// let some = Value::unknown(Type::list(Type::Bool)).refine().min_length(2).value()?;
/// assert_eq!(length(&some)?.refinement().lower_bound().unwrap().number, 2.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn length(value: &Value) -> Result<Value, OperationError> {
    if value.is_null() {
        return Err(OperationError::NullParts);
    }
    let ty = value.ty();
    let (least, most) = match (&ty, value.elements()) {
        (Type::Set(_), Some(items)) if !value.is_wholly_known() => (items.len().min(1) as u64, items.len() as u64),
        (_, Some(items)) => (items.len() as u64, items.len() as u64),
        (Type::Tuple(tuple), _) => {
            let length = tuple.elements().len() as u64;
            (length, length)
        }
        (Type::Object(object), _) => {
            let length = object.attributes().len() as u64;
            (length, length)
        }
        (Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Dynamic, None) => {
            let known = value.refinement();
            (known.min_length(), known.max_length().unwrap_or(i64::MAX as u64))
        }
        _ => return Err(no_parts("length", value)),
    };
    let bounded = Value::unknown(Type::Number).refine().not_null();
    let bounded = bounded.min(Number::from(least), true).max(Number::from(most), true);
    let length = bounded.value().unwrap_or_else(|_| Value::unknown_not_null(Type::Number));
    Ok(length.with_marks(&value.marks()))
}

/// Returns true if [`index`] would find an element. A key of the wrong kind finds none.
///
/// # Errors
/// The value is null, or has no keys.
pub fn has_index(value: &Value, key: &Value) -> Result<Value, OperationError> {
    if value.is_null() {
        return Err(OperationError::NullParts);
    }
    let (ty, key_ty) = (value.ty(), key.ty());
    let wanted = match &ty {
        Type::Dynamic => key_ty.clone(),
        Type::List(_) | Type::Tuple(_) => Type::Number,
        Type::Map(_) | Type::Object(_) => Type::String,
        _ => return Err(no_parts("index", value)),
    };
    let result = if key_ty != wanted && key_ty != Type::Dynamic || key.is_null() {
        Value::from(false)
    } else if !key.is_known() || !value.is_known() {
        Value::unknown_not_null(Type::Bool)
    } else {
        Value::from(index(value, key).is_ok())
    };
    Ok(result.with_marks(&value.marks().union(&key.marks())))
}

/// Returns true if a set has that element.
///
/// # Errors
/// The value is null or not a set.
pub fn has_element(set: &Value, element: &Value) -> Result<Value, OperationError> {
    if set.is_null() {
        return Err(OperationError::NullParts);
    }
    let ty = set.ty();
    let Type::Set(wanted) = &ty else {
        return Err(no_parts("elements of a set", set));
    };
    let (plain, marks) = element.unmark_deep();
    let settled = !plain.has_unsettled_type();
    let result = if settled && plain.ty() != *wanted.get() {
        Value::from(false)
    } else if set.is_known() && plain.is_wholly_known() && set.unmarked().set_contains(&plain) {
        Value::from(true)
    } else if set.is_wholly_known() && plain.is_wholly_known() {
        Value::from(false)
    } else {
        // With unknown parts, the result is false only if no element can be equal.
        let items = set.elements().unwrap_or_default();
        let apart = set.is_known() && items.iter().all(|item| decide(item, &plain) == Some(false));
        if apart { Value::from(false) } else { Value::unknown_not_null(Type::Bool) }
    };
    Ok(result.with_marks(&set.marks().union(&marks)))
}

/// Iterates over the elements of a known value with parts, each with its key: the position in a list or tuple, the name
/// in a map or object, the element itself in a set. The marks of the value are not on the elements.
///
/// # Errors
/// The value is null or unknown, or has no elements.
///
/// ```
/// use hcl_lr::model::{operations::elements, Value};
/// let object = Value::object([("a", Value::from(1))]);
/// let all: Vec<_> = elements(&object)?.collect();
/// assert_eq!(all, [(Value::from("a"), Value::from(1))]);
/// # Ok::<(), hcl_lr::model::operations::OperationError>(())
/// ```
pub fn elements(value: &Value) -> Result<Elements<'_>, OperationError> {
    if value.is_null() {
        return Err(OperationError::NullParts);
    }
    if !value.is_known() {
        return Err(OperationError::UnknownParts);
    }
    match value.node() {
        Some(node) => Ok(Elements { node, at: 0 }),
        None => Err(no_parts("elements", value)),
    }
}

/// Iterates over keys and elements; made by [`elements`]. Neither copies text nor parts.
#[derive(Clone)]
pub struct Elements<'v> {
    node: &'v Node,
    at: usize,
}

/// The items that are left.
impl std::fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl Iterator for Elements<'_> {
    type Item = (Value, Value);

    fn next(&mut self) -> Option<(Value, Value)> {
        let at = self.at;
        let element = self.node.items.get(at)?.clone();
        self.at += 1;
        let name: Option<&Text> = Entries::shared_name(self.node, at);
        let key = match (&self.node.ty, name) {
            (Type::Set(_), _) => element.clone(),
            (_, Some(name)) => Value::from_name(name.clone()),
            _ => Value::from(at),
        };
        Some((key, element))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.node.items.len() - self.at;
        (left, Some(left))
    }

    fn nth(&mut self, count: usize) -> Option<Self::Item> {
        self.at = self.at.saturating_add(count).min(self.node.items.len());
        self.next()
    }
}

impl ExactSizeIterator for Elements<'_> {}
