//! Values and types in the encoding of the protocol.

use hcl_lr::model::refine::{Bound, Refinement};
use hcl_lr::model::{Entries, Mark, Number, Type, Value, View};
use serde_json::{Map, Value as Json, json};

/// A type.
///
/// ```
/// use hcl_lr_conformance::encode_type;
/// use hcl_lr::model::Type;
/// assert_eq!(encode_type(&Type::list(Type::Bool)).to_string(), r#"["list","bool"]"#);
/// ```
pub fn encode_type(ty: &Type) -> Json {
    match ty {
        Type::Dynamic => json!("dynamic"),
        Type::String => json!("string"),
        Type::Number => json!("number"),
        Type::Bool => json!("bool"),
        Type::List(element) => json!(["list", encode_type(element.get())]),
        Type::Set(element) => json!(["set", encode_type(element.get())]),
        Type::Map(element) => json!(["map", encode_type(element.get())]),
        Type::Tuple(tuple) => {
            json!(["tuple", tuple.elements().iter().map(encode_type).collect::<Vec<_>>()])
        }
        Type::Object(object) => {
            let attributes = object.attributes();
            let types = attributes.iter().map(|a| (a.name().to_string(), encode_type(a.ty())));
            let types: Map<String, Json> = types.collect();
            let optional = attributes.iter().filter(|a| a.is_optional());
            let optional: Vec<&str> = optional.map(|a| a.name()).collect();
            match optional.is_empty() {
                true => json!(["object", types]),
                false => json!(["object", types, optional]),
            }
        }
        Type::Capsule(capsule) => json!(["capsule", capsule.name()]),
        // A kind of types that the protocol does not know yet.
        _ => json!(ty.to_string()),
    }
}

/// A value.
///
/// ```
/// use hcl_lr_conformance::encode_value;
/// use hcl_lr::model::Value;
/// assert_eq!(encode_value(&Value::from(1)).to_string(), r#"{"number":"1"}"#);
/// ```
pub fn encode_value(value: &Value) -> Json {
    match value.view() {
        View::Bool(b) => json!(b),
        View::String(text) => json!(text),
        View::Number(number) => json!({ "number": encode_number(number) }),
        View::Null => json!({ "null": encode_type(&value.ty()) }),
        View::Unknown(refinement) => encode_unknown(&value.ty(), refinement),
        View::Marked(marks, value) => {
            let marks: Vec<&str> = marks.iter().map(Mark::name).collect();
            json!({ "marks": marks, "value": encode_value(value) })
        }
        View::Capsule(capsule) => json!({ "opaque": capsule.ty().name() }),
        View::Tuple(items) => json!({ "tuple": encode_items(items) }),
        View::Object(entries) => json!({ "object": encode_entries(entries) }),
        View::List(items) => with_element(value, "list", Json::from(encode_items(items))),
        View::Map(entries) => with_element(value, "map", Json::from(encode_entries(entries))),
        View::Set(items) => {
            let mut items = encode_items(items);
            items.sort_by_cached_key(Json::to_string);
            with_element(value, "set", Json::from(items))
        }
        // A kind of values that the protocol does not know yet.
        _ => json!({ "opaque": value.ty().to_string() }),
    }
}

fn encode_items(items: &[Value]) -> Vec<Json> {
    items.iter().map(encode_value).collect()
}

fn encode_entries(entries: Entries<'_>) -> Map<String, Json> {
    entries.map(|(name, value)| (name.to_string(), encode_value(value))).collect()
}

fn with_element(value: &Value, kind: &str, content: Json) -> Json {
    let ty = value.ty();
    let element = ty.element_type().map_or(Json::Null, encode_type);
    json!({ kind: content, "of": element })
}

fn encode_number(number: &Number) -> String {
    number.to_scientific(6)
}

fn encode_unknown(ty: &Type, refinement: &Refinement) -> Json {
    let mut known = Map::new();
    if refinement.is_not_null() {
        known.insert("notnull".to_string(), json!(true));
    }
    if !refinement.prefix().is_empty() {
        known.insert("prefix".to_string(), json!(refinement.prefix()));
    }
    let bound = |b: &Bound| json!([encode_number(&b.number), b.inclusive]);
    // A bound at infinity excludes nothing.
    if let Some(min) = refinement.lower_bound().filter(|b| !b.number.is_infinite()) {
        known.insert("min".to_string(), bound(min));
    }
    if let Some(max) = refinement.upper_bound().filter(|b| !b.number.is_infinite()) {
        known.insert("max".to_string(), bound(max));
    }
    if refinement.min_length() > 0 {
        known.insert("minlen".to_string(), json!(refinement.min_length()));
    }
    if let Some(max) = refinement.max_length() {
        known.insert("maxlen".to_string(), json!(max));
    }
    match known.is_empty() {
        true => json!({ "unknown": encode_type(ty) }),
        false => json!({ "unknown": encode_type(ty), "refine": known }),
    }
}
