//! Values in the encoding of the protocol.

use hcl::{Number, Value};
use serde_json::{Map, Value as Json, json};

pub fn encode(value: &Value) -> Json {
    match value {
        Value::Null => json!({"null": "dynamic"}),
        Value::Bool(value) => json!(value),
        Value::Number(number) => json!({"number": number.to_string()}),
        Value::String(text) => json!(text),
        Value::Array(elements) => json!({"tuple": elements.iter().map(encode).collect::<Vec<_>>()}),
        Value::Object(members) => {
            json!({"object": members.iter().map(|(name, value)| (name.clone(), encode(value))).collect::<Map<_, _>>()})
        }
    }
}

/// Returns `None` for values that this library does not have.
pub fn decode(value: &Json) -> Option<Value> {
    let Json::Object(members) = value else {
        return match value {
            Json::Bool(value) => Some(Value::from(*value)),
            Json::String(text) => Some(Value::from(text.as_str())),
            _ => None,
        };
    };
    let sequence = |elements: &Json| -> Option<Value> {
        Some(Value::Array(elements.as_array()?.iter().map(decode).collect::<Option<_>>()?))
    };
    let mapping = |members: &Json| -> Option<Value> {
        let members = members.as_object()?.iter().map(|(name, value)| Some((name.clone(), decode(value)?)));
        Some(Value::Object(members.collect::<Option<_>>()?))
    };
    let (kind, content) = members.iter().find(|(kind, _)| *kind != "of")?;
    match kind.as_str() {
        "null" => Some(Value::Null),
        "number" => number(content.as_str()?).map(Value::Number),
        "tuple" | "list" | "set" => sequence(content),
        "object" | "map" => mapping(content),
        _ => None,
    }
}

fn number(text: &str) -> Option<Number> {
    match (text.parse::<i64>(), text.parse::<u64>(), text.parse::<f64>()) {
        (Ok(number), ..) => Some(number.into()),
        (_, Ok(number), _) => Some(number.into()),
        (.., Ok(number)) => Number::from_f64(number),
        _ => None,
    }
}
