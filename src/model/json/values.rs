//! Values as JSON.

use super::JsonError;
use super::read::{Json, read};
use super::text::write_string;
use super::types::{type_of, write_type};
use crate::model::path::PathStep;
use crate::model::text::{Text, spelled_in_two_ways};
use crate::model::types::texts;
use crate::model::types::{ObjectType, Type};
use crate::model::value::{Value, View};
use crate::stack::with_room_for;

/// Encodes the value as JSON for a reader that knows `ty`; see [`decode`].
///
/// # Errors
/// The value is not of the type (unless that is dynamic), or contains unknown or marked values, capsules or infinities.
///
/// ```
/// use hcl_lr::model::{json, Type, Value};
/// let one = Value::tuple([Value::from(1)]);
/// assert_eq!(json::encode(&one, &one.ty())?, "[1]");
/// assert_eq!(
///     json::encode(&one, &Type::Dynamic)?,
///     r#"{"value":[1],"type":["tuple",["number"]]}"#,
/// );
/// # Ok::<(), json::JsonError>(())
/// ```
pub fn encode(value: &Value, ty: &Type) -> Result<String, JsonError> {
    with_room_for(value.height(), || {
        let given = value.ty();
        if let Err(why) = given.conforms_to(ty) {
            return Err(JsonError::new(why.to_string()));
        }
        let mut out = String::new();
        write(value, ty, &mut out)?;
        Ok(out)
    })
}

/// Encodes the value as plain JSON without types, as other programs expect. [`decode_implied`] reads it back as objects
/// and tuples.
///
/// # Errors
/// The value contains unknown or marked values, capsules or infinities.
pub fn encode_implied(value: &Value) -> Result<String, JsonError> {
    with_room_for(value.height(), || {
        let mut out = String::new();
        write_known(value, None, &mut out)?;
        Ok(out)
    })
}

fn write(value: &Value, ty: &Type, out: &mut String) -> Result<(), JsonError> {
    if *ty != Type::Dynamic {
        return write_known(value, Some(ty), out);
    }
    let own = value.ty();
    if own == Type::Dynamic {
        return write_known(value, None, out);
    }
    out.push_str("{\"value\":");
    write_known(value, Some(&own), out)?;
    out.push_str(",\"type\":");
    write_type(&own, out)?;
    out.push('}');
    Ok(())
}

/// Writes a value whose type is known to the reader if it is `ty`; without `ty` no part gets a type.
fn write_known(value: &Value, ty: Option<&Type>, out: &mut String) -> Result<(), JsonError> {
    match value.view() {
        View::Null => out.push_str("null"),
        View::Bool(b) => out.push_str(if b { "true" } else { "false" }),
        View::String(text) => write_string(text, out),
        View::Number(number) if number.is_infinite() => {
            return Err(JsonError::new("infinity has no JSON form"));
        }
        View::Number(number) => out.push_str(&number.to_string()),
        View::List(items) | View::Set(items) | View::Tuple(items) => {
            write_items(items, ty, out)?;
        }
        View::Map(entries) | View::Object(entries) => write_entries(entries, ty, out)?,
        View::Unknown(_) => return Err(JsonError::new("an unknown value has no JSON form")),
        View::Marked(..) => return Err(JsonError::new("a marked value has no JSON form")),
        View::Capsule(_) => return Err(JsonError::new("a capsule has no JSON form")),
    }
    Ok(())
}

fn write_items(items: &[Value], ty: Option<&Type>, out: &mut String) -> Result<(), JsonError> {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        let item_ty = ty.and_then(|ty| match ty {
            Type::Tuple(tuple) => tuple.elements().get(at),
            ty => ty.element_type(),
        });
        write_part(item, item_ty, out).map_err(|why| why.below(PathStep::Position(at)))?;
    }
    out.push(']');
    Ok(())
}

fn write_part(part: &Value, ty: Option<&Type>, out: &mut String) -> Result<(), JsonError> {
    match ty {
        Some(ty) => write(part, ty, out),
        None => write_known(part, None, out),
    }
}

fn write_entries(
    entries: crate::model::value::Entries<'_>,
    ty: Option<&Type>,
    out: &mut String,
) -> Result<(), JsonError> {
    out.push('{');
    for (at, (name, item)) in entries.enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        write_string(name, out);
        out.push(':');
        let item_ty = ty.and_then(|ty| ty.attribute_type(name).or(ty.element_type()));
        write_part(item, item_ty, out).map_err(|why| why.below(PathStep::key(name)))?;
    }
    out.push('}');
    Ok(())
}

/// Reads a value of a type. Primitives are converted if the JSON has another primitive; missing attributes become null.
///
/// # Errors
/// The text is not JSON, or the JSON is not of the type.
///
/// ```
/// use hcl_lr::model::{json, Type};
/// let ty = Type::object([("id", Type::String), ("tags", Type::set(Type::String))]);
/// let value = json::decode(r#"{"id": 7, "tags": ["b", "a"]}"#, &ty)?;
/// assert_eq!(value.to_string(), r#"{ id = "7", tags = ["a", "b"] }"#);
/// # Ok::<(), json::JsonError>(())
/// ```
pub fn decode(text: &str, ty: &Type) -> Result<Value, JsonError> {
    value_of(read(text)?, &ty.without_optional_attributes())
}

/// Reads a value of the type that [`implied_type`] finds.
///
/// # Errors
/// The text is not JSON, or an object has an attribute twice with values of different types. If they have the same
/// type, the last value wins.
pub fn decode_implied(text: &str) -> Result<Value, JsonError> {
    implied(read(text)?)
}

/// Returns the type of plain JSON: object, tuple, string, number, bool, and dynamic for null.
///
/// # Errors
/// The text is not JSON.
///
/// ```
/// use hcl_lr::model::{json, Type};
/// let ty = json::implied_type(r#"{"a": [1, null]}"#)?;
/// assert_eq!(ty.describe(), "object({a = tuple([number, any])})");
/// # Ok::<(), json::JsonError>(())
/// ```
pub fn implied_type(text: &str) -> Result<Type, JsonError> {
    decode_implied(text).map(|value| value.ty())
}

fn implied(json: Json) -> Result<Value, JsonError> {
    Ok(match json {
        Json::Null => Value::null(Type::Dynamic),
        Json::Bool(b) => Value::from(b),
        Json::Number(number) => Value::from(number),
        Json::String(text) => Value::from_name(text),
        Json::Array(items) => {
            let mut all = Vec::with_capacity(items.len());
            for (at, json) in items.into_iter().enumerate() {
                all.push(implied(json).map_err(|why| why.below(PathStep::Position(at)))?);
            }
            Value::tuple(all)
        }
        Json::Object(entries, _) => {
            let mut all = Vec::with_capacity(entries.len());
            for (name, json) in entries {
                let step = || PathStep::Attribute(name.clone());
                let value = implied(json).map_err(|why| why.below(step()))?;
                all.push((name, value));
            }
            let types: Vec<(Text, Type)> = all.iter().map(|(name, value)| (name.clone(), value.ty())).collect();
            let object = Value::object_of(all);
            if object.elements().map_or(0, <[Value]>::len) != types.len()
                && let Some((name, _)) =
                    types.iter().find(|(name, ty)| object.attribute(name).map(Value::ty).as_ref() != Some(ty))
            {
                let why = format!("an object names the attribute {name:?} twice, with values of two types");
                return Err(JsonError::new(why));
            }
            object
        }
    })
}

/// This and the functions that call it are recursive, so they have small frames.
fn value_of(json: Json, ty: &Type) -> Result<Value, JsonError> {
    match (ty, json) {
        (_, Json::Object(_, Some(name))) => Err(JsonError::new(spelled_in_two_ways(&name))),
        (Type::Dynamic, json) => wrapped(json),
        (ty, Json::Null) => Ok(Value::null(ty.clone())),
        (Type::List(element), Json::Array(items)) => list_of(items, element.get()),
        (Type::Set(element), Json::Array(items)) => set_of(items, element.get()),
        (Type::Map(element), Json::Object(entries, None)) => map_of(entries, element.get()),
        (Type::Tuple(tuple), Json::Array(items)) => tuple_of(items, tuple.elements()),
        (Type::Object(object), Json::Object(entries, None)) => object_of(entries, object),
        (ty, json) if ty.is_primitive() => primitive(json, ty),
        (ty, json) => Err(required(ty, &json)),
    }
}

fn list_of(items: Vec<Json>, element: &Type) -> Result<Value, JsonError> {
    let items = items_of(items, element)?;
    Value::list(element.clone(), items).map_err(mismatch)
}

fn set_of(items: Vec<Json>, element: &Type) -> Result<Value, JsonError> {
    let items = items_of(items, element)?;
    Value::set(element.clone(), items).map_err(mismatch)
}

fn map_of(entries: Vec<(Text, Json)>, element: &Type) -> Result<Value, JsonError> {
    let mut all = Vec::with_capacity(entries.len());
    for (name, json) in entries {
        let value = part_of(json, element, || PathStep::Key(name.clone()))?;
        all.push((name, value));
    }
    Value::map_of(element.clone(), all).map_err(mismatch)
}

fn mismatch(why: crate::model::types::TypeMismatch) -> JsonError {
    JsonError::new(why.to_string())
}

fn required(ty: &Type, json: &Json) -> JsonError {
    JsonError::new(format!("{} is required, not {}", texts::a(&ty.to_string()), json.kind()))
}

fn primitive(json: Json, ty: &Type) -> Result<Value, JsonError> {
    if matches!(json, Json::Array(_) | Json::Object(..)) {
        return Err(required(ty, &json));
    }
    implied(json)?.convert(ty).map_err(|why| JsonError::new(why.to_string()))
}

fn items_of(items: Vec<Json>, element: &Type) -> Result<Vec<Value>, JsonError> {
    let mut all = Vec::with_capacity(items.len());
    for (at, json) in items.into_iter().enumerate() {
        all.push(part_of(json, element, || PathStep::Position(at))?);
    }
    Ok(all)
}

/// Reads a part, and adds the step to it to an error.
fn part_of(json: Json, ty: &Type, step: impl FnOnce() -> PathStep) -> Result<Value, JsonError> {
    match value_of(json, ty) {
        Ok(value) => Ok(value),
        Err(why) => Err(why.below(step())),
    }
}

fn tuple_of(items: Vec<Json>, types: &[Type]) -> Result<Value, JsonError> {
    if items.len() != types.len() {
        return Err(JsonError::new(texts::count(types.len(), items.len())));
    }
    let mut all = Vec::with_capacity(items.len());
    for (at, (json, ty)) in items.into_iter().zip(types).enumerate() {
        all.push(part_of(json, ty, || PathStep::Position(at))?);
    }
    Ok(Value::tuple(all))
}

fn object_of(entries: Vec<(Text, Json)>, object: &ObjectType) -> Result<Value, JsonError> {
    let attributes = object.attributes();
    let mut items: Vec<Value> = attributes.iter().map(|a| Value::null(a.ty().clone())).collect();
    for (name, json) in entries {
        let Some(at) = object.position(&name) else {
            return Err(JsonError::new(format!("unexpected attribute \"{name}\"")));
        };
        items[at] = part_of(json, attributes[at].ty(), || PathStep::Attribute(name))?;
    }
    let names = attributes.iter().map(|a| a.shared_name().clone());
    Ok(Value::object_of(names.zip(items).collect()))
}

/// Reads a value of dynamic type: `{"value": …, "type": …}`, or a bare null.
fn wrapped(json: Json) -> Result<Value, JsonError> {
    let entries = match json {
        Json::Null => return Ok(Value::null(Type::Dynamic)),
        Json::Object(entries, _) => entries,
        other => return Err(required(&Type::Dynamic, &other)),
    };
    let (mut value, mut ty) = (None, None);
    for (name, json) in entries {
        match &*name {
            "value" => value = Some(json),
            "type" => ty = Some(type_of(&json)?),
            _ => {
                return Err(JsonError::new(format!("unexpected \"{name}\" beside value and type")));
            }
        }
    }
    match (value, ty) {
        // A dynamic type inside would require the same wrapping again.
        (Some(Json::Null), Some(Type::Dynamic)) => Ok(Value::null(Type::Dynamic)),
        (Some(value), Some(ty)) => value_of(value, &ty.without_optional_attributes()),
        _ => Err(JsonError::new("a value of any type needs \"value\" and \"type\"")),
    }
}
