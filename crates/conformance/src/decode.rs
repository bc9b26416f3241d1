//! Reading the encoding of the protocol.

use hcl_lr::model::{AttributeType, CollectionKind, MAX_DEPTH, Mark, MarkSet, Number, Type, Value, common_type};
use serde_json::Value as Json;
use std::fmt;

/// A request that is not of the protocol.
///
/// ```
/// use hcl_lr_conformance::decode_type;
/// let bad = decode_type(&serde_json::json!("text")).unwrap_err();
/// assert_eq!(bad.to_string(), "\"text\" is not a type");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest(String);

impl BadRequest {
    pub(super) fn new(why: impl Into<String>) -> BadRequest {
        BadRequest(why.into())
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadRequest {}

/// A type.
///
/// # Errors
/// The JSON is not a type.
///
/// ```
/// use hcl_lr_conformance::decode_type;
/// use hcl_lr::model::Type;
/// let ty = decode_type(&serde_json::json!(["list", "bool"]))?;
/// assert_eq!(ty, Type::list(Type::Bool));
/// # Ok::<(), hcl_lr_conformance::BadRequest>(())
/// ```
pub fn decode_type(json: &Json) -> Result<Type, BadRequest> {
    type_at(json, 1)
}

fn type_at(json: &Json, depth: u32) -> Result<Type, BadRequest> {
    let bad = || BadRequest::new(format!("{json} is not a type"));
    if depth > MAX_DEPTH {
        return Err(BadRequest::new("the type nests too deeply"));
    }
    match json {
        Json::String(name) => match name.as_str() {
            "dynamic" => Ok(Type::Dynamic),
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            _ => Err(bad()),
        },
        Json::Array(parts) => match (parts.first().and_then(Json::as_str), parts.get(1)) {
            (Some("list"), Some(element)) => Ok(Type::list(type_at(element, depth + 1)?)),
            (Some("set"), Some(element)) => Ok(Type::set(type_at(element, depth + 1)?)),
            (Some("map"), Some(element)) => Ok(Type::map(type_at(element, depth + 1)?)),
            (Some("tuple"), Some(Json::Array(elements))) => {
                let elements = elements.iter().map(|e| type_at(e, depth + 1));
                Ok(Type::tuple(elements.collect::<Result<Vec<_>, _>>()?))
            }
            (Some("object"), Some(Json::Object(attributes))) => {
                let optional = parts.get(2).and_then(Json::as_array);
                let mut all = Vec::with_capacity(attributes.len());
                for (name, ty) in attributes {
                    let ty = type_at(ty, depth + 1)?;
                    all.push(match optional {
                        Some(names) if names.iter().any(|n| n == name) => AttributeType::optional(name, ty),
                        _ => AttributeType::required(name, ty),
                    });
                }
                Ok(Type::object_with(all))
            }
            _ => Err(bad()),
        },
        _ => Err(bad()),
    }
}

/// A value. The element type of a collection with elements is theirs.
///
/// # Errors
/// The JSON is not a value, or contradicts itself.
///
/// ```
/// use hcl_lr_conformance::decode_value;
/// let value = decode_value(&serde_json::json!({"tuple": [{"number": "1.5"}, true]}))?;
/// assert_eq!(value.to_string(), "[1.5, true]");
/// # Ok::<(), hcl_lr_conformance::BadRequest>(())
/// ```
pub fn decode_value(json: &Json) -> Result<Value, BadRequest> {
    value_at(json, 1)
}

fn value_at(json: &Json, depth: u32) -> Result<Value, BadRequest> {
    if depth > MAX_DEPTH {
        return Err(BadRequest::new("the value nests too deeply"));
    }
    match json {
        Json::String(text) => Ok(Value::string(text)),
        Json::Bool(b) => Ok(Value::from(*b)),
        Json::Object(_) => tagged(json, depth),
        _ => Err(BadRequest::new(format!("{json} is not a value"))),
    }
}

/// The members that an object for a value has, each with the optional ones.
const MEMBERS: &[(&str, &[&str])] = &[
    ("number", &[]),
    ("null", &[]),
    ("unknown", &["refine"]),
    ("marks", &["value"]),
    ("tuple", &[]),
    ("object", &[]),
    ("list", &["of"]),
    ("set", &["of"]),
    ("map", &["of"]),
];

/// Checks that an object has the members of one kind of value, and no others.
fn check_members(json: &Json) -> Result<(), BadRequest> {
    let members = json.as_object().ok_or_else(|| BadRequest::new(format!("{json} is not a value")))?;
    let kind = MEMBERS.iter().find(|(name, _)| members.contains_key(*name));
    let fits =
        kind.is_some_and(|(kind, more)| members.keys().all(|name| name == kind || more.contains(&name.as_str())));
    if fits { Ok(()) } else { Err(BadRequest::new(format!("{json} is not a value"))) }
}

fn tagged(json: &Json, depth: u32) -> Result<Value, BadRequest> {
    check_members(json)?;
    if let Some(text) = json.get("number") {
        return decode_number(text).map(Value::from);
    }
    if let Some(ty) = json.get("null") {
        return decode_type(ty).map(Value::null);
    }
    if let Some(ty) = json.get("unknown") {
        return decode_unknown(decode_type(ty)?, json.get("refine"));
    }
    if let (Some(Json::Array(marks)), Some(value)) = (json.get("marks"), json.get("value")) {
        let mark = |mark: &Json| mark.as_str().map(Mark::new);
        let marks: Option<MarkSet> = marks.iter().map(mark).collect();
        let marks = marks.ok_or_else(|| BadRequest::new("a mark is a string"))?;
        return Ok(value_at(value, depth)?.with_marks(&marks));
    }
    if let Some(Json::Array(items)) = json.get("tuple") {
        return Ok(Value::tuple(decode_items(items, depth)?));
    }
    if let Some(Json::Object(entries)) = json.get("object") {
        return Ok(Value::object(decode_entries(entries, depth)?));
    }
    collection(json, depth)
}

fn collection(json: &Json, depth: u32) -> Result<Value, BadRequest> {
    let mismatch = |why: hcl_lr::model::TypeMismatch| BadRequest::new(why.to_string());
    let stated = || match json.get("of") {
        Some(ty) => decode_type(ty),
        None => Err(BadRequest::new("an empty collection needs its element type in \"of\"")),
    };
    for (name, kind) in [("list", CollectionKind::List), ("set", CollectionKind::Set)] {
        if let Some(Json::Array(items)) = json.get(name) {
            let items = decode_items(items, depth)?;
            let element = if items.is_empty() { stated()? } else { common_type(&items) };
            return match kind {
                CollectionKind::List => Value::list(element, items).map_err(mismatch),
                _ => Value::set(element, items).map_err(mismatch),
            };
        }
    }
    if let Some(Json::Object(entries)) = json.get("map") {
        let entries = decode_entries(entries, depth)?;
        let element = match entries.is_empty() {
            true => stated()?,
            false => common_type(entries.iter().map(|(_, value)| value)),
        };
        return Value::map(element, entries).map_err(mismatch);
    }
    Err(BadRequest::new(format!("{json} is not a value")))
}

fn decode_items(items: &[Json], depth: u32) -> Result<Vec<Value>, BadRequest> {
    items.iter().map(|item| value_at(item, depth + 1)).collect()
}

type DecodedEntries<'j> = Vec<(&'j str, Value)>;

fn decode_entries(entries: &serde_json::Map<String, Json>, depth: u32) -> Result<DecodedEntries<'_>, BadRequest> {
    let entry = |(name, value)| Ok((String::as_str(name), value_at(value, depth + 1)?));
    entries.iter().map(entry).collect()
}

fn decode_number(json: &Json) -> Result<Number, BadRequest> {
    match json.as_str() {
        Some("inf") => Ok(Number::INFINITY),
        Some("-inf") => Ok(Number::NEG_INFINITY),
        Some(text) => Number::parse(text).map_err(|why| BadRequest::new(why.to_string())),
        None => Err(BadRequest::new(format!("{json} is not the text of a number"))),
    }
}

fn decode_unknown(ty: Type, known: Option<&Json>) -> Result<Value, BadRequest> {
    let value = Value::unknown(ty);
    let Some(known) = known else { return Ok(value) };
    const KNOWN: &[&str] = &["notnull", "prefix", "min", "max", "minlen", "maxlen"];
    let members = known.as_object().into_iter().flat_map(|members| members.keys());
    if let Some(name) = members.into_iter().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(BadRequest::new(format!("there is no refinement {name}")));
    }
    let mut refine = value.refine();
    if known.get("notnull") == Some(&Json::Bool(true)) {
        refine = refine.not_null();
    }
    if let Some(prefix) = known.get("prefix").and_then(Json::as_str)
        && !prefix.is_empty()
    {
        refine = refine.full_prefix(prefix);
    }
    let bound = |name| -> Result<Option<(Number, bool)>, BadRequest> {
        let Some(Json::Array(parts)) = known.get(name) else {
            return Ok(None);
        };
        match &parts[..] {
            [number, Json::Bool(inclusive)] => Ok(Some((decode_number(number)?, *inclusive))),
            _ => Err(BadRequest::new(format!("\"{name}\" is not a bound"))),
        }
    };
    if let Some((number, inclusive)) = bound("min")? {
        refine = refine.min(number, inclusive);
    }
    if let Some((number, inclusive)) = bound("max")? {
        refine = refine.max(number, inclusive);
    }
    if let Some(length) = known.get("minlen").and_then(Json::as_u64) {
        refine = refine.min_length(length);
    }
    if let Some(length) = known.get("maxlen").and_then(Json::as_u64) {
        refine = refine.max_length(length);
    }
    refine.value().map_err(|why| BadRequest::new(why.to_string()))
}
