//! Types as JSON.

use super::JsonError;
use super::read::{Json, read};
use super::text::write_string;
use crate::model::text::spelled_in_two_ways;
use crate::model::types::{AttributeType, Type};
use crate::stack::with_room_for;
use std::collections::HashSet;

/// Encodes a type as JSON: `"string"`, `["list","string"]`, `["object",{"a":"bool"},["a"]]`.
///
/// # Errors
/// The type contains a capsule type, which only the application knows.
///
/// ```
/// use hcl_lr::model::{json, Type};
/// assert_eq!(json::encode_type(&Type::list(Type::String))?, r#"["list","string"]"#);
/// # Ok::<(), json::JsonError>(())
/// ```
pub fn encode_type(ty: &Type) -> Result<String, JsonError> {
    with_room_for(ty.height(), || {
        let mut out = String::new();
        write_type(ty, &mut out)?;
        Ok(out)
    })
}

pub(super) fn write_type(ty: &Type, out: &mut String) -> Result<(), JsonError> {
    match ty {
        Type::Dynamic => out.push_str("\"dynamic\""),
        Type::String => out.push_str("\"string\""),
        Type::Number => out.push_str("\"number\""),
        Type::Bool => out.push_str("\"bool\""),
        Type::List(element) => write_element("list", element.get(), out)?,
        Type::Set(element) => write_element("set", element.get(), out)?,
        Type::Map(element) => write_element("map", element.get(), out)?,
        Type::Tuple(tuple) => {
            out.push_str("[\"tuple\",[");
            for (at, element) in tuple.elements().iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_type(element, out)?;
            }
            out.push_str("]]");
        }
        Type::Object(object) => write_object(object.attributes(), out)?,
        Type::Capsule(capsule) => {
            return Err(JsonError::new(format!("the capsule type {} has no JSON form", capsule.name())));
        }
    }
    Ok(())
}

fn write_element(kind: &str, element: &Type, out: &mut String) -> Result<(), JsonError> {
    out.push_str("[\"");
    out.push_str(kind);
    out.push_str("\",");
    write_type(element, out)?;
    out.push(']');
    Ok(())
}

fn write_object(attributes: &[AttributeType], out: &mut String) -> Result<(), JsonError> {
    out.push_str("[\"object\",{");
    for (at, attribute) in attributes.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        write_string(attribute.name(), out);
        out.push(':');
        write_type(attribute.ty(), out)?;
    }
    out.push('}');
    let mut before = ",[";
    for attribute in attributes.iter().filter(|a| a.is_optional()) {
        out.push_str(before);
        write_string(attribute.name(), out);
        before = ",";
    }
    out.push_str(if before == "," { "]]" } else { "]" });
    Ok(())
}

/// Reads a type.
///
/// # Errors
/// The text is not JSON, or the JSON is not a type.
///
/// ```
/// use hcl_lr::model::{json, Type};
/// assert_eq!(json::decode_type(r#"["set","bool"]"#)?, Type::set(Type::Bool));
/// # Ok::<(), json::JsonError>(())
/// ```
pub fn decode_type(text: &str) -> Result<Type, JsonError> {
    type_of(&read(text)?)
}

pub(super) fn type_of(json: &Json) -> Result<Type, JsonError> {
    match json {
        Json::String(name) => match &**name {
            "dynamic" => Ok(Type::Dynamic),
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            _ => Err(JsonError::new(format!("there is no type \"{name}\""))),
        },
        Json::Array(parts) => compound_type(parts),
        _ => Err(JsonError::new(format!("a type is required, not {}", json.kind()))),
    }
}

fn compound_type(parts: &[Json]) -> Result<Type, JsonError> {
    let (Some(Json::String(kind)), Some(content)) = (parts.first(), parts.get(1)) else {
        return Err(JsonError::new("a type is an array of its kind and its content"));
    };
    match (&**kind, content, parts.get(2)) {
        ("list", element, None) => Ok(Type::list(type_of(element)?)),
        ("set", element, None) => Ok(Type::set(type_of(element)?)),
        ("map", element, None) => Ok(Type::map(type_of(element)?)),
        ("tuple", Json::Array(elements), None) => {
            Ok(Type::tuple(elements.iter().map(type_of).collect::<Result<Vec<_>, _>>()?))
        }
        ("object", Json::Object(_, Some(name)), _) => Err(JsonError::new(spelled_in_two_ways(name))),
        ("object", Json::Object(attributes, None), None) => object_type(attributes, &[]),
        ("object", Json::Object(attributes, None), Some(Json::Array(optional))) => object_type(attributes, optional),
        _ => Err(JsonError::new(format!("there is no kind of type named \"{kind}\""))),
    }
}

fn object_type(attributes: &[(crate::model::text::Text, Json)], optional: &[Json]) -> Result<Type, JsonError> {
    let known: HashSet<&str> = attributes.iter().map(|(name, _)| &**name).collect();
    let mut names: HashSet<&str> = HashSet::new();
    for name in optional {
        match name {
            Json::String(name) if known.contains(&**name) => {
                names.insert(name);
            }
            _ => {
                return Err(JsonError::new("an optional attribute is not one of the attributes"));
            }
        }
    }
    let mut all = Vec::with_capacity(attributes.len());
    for (name, json) in attributes {
        let ty = type_of(json)?;
        all.push(match names.contains(&**name) {
            true => AttributeType::optional(name, ty),
            false => AttributeType::required(name, ty),
        });
    }
    Ok(Type::object_with(all))
}
