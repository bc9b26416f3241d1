//! Values from and to `serde_json::Value` (feature `interchange`).

use super::JsonError;
use crate::model::MAX_DEPTH;
use crate::model::number::Number;
use crate::model::path::PathStep;
use crate::model::types::Type;
use crate::model::value::{Value, View};
use crate::stack::with_room_for;
use serde_json::Value as Json;

/// Converts JSON to the implied type: objects and tuples.
///
/// ```
/// use hcl_lr::model::Value;
/// let value = Value::try_from(&serde_json::json!({"a": [1, null]}))?;
/// assert_eq!(value.to_string(), "{ a = [1, null] }");
/// # Ok::<(), hcl_lr::model::json::JsonError>(())
/// ```
impl TryFrom<&Json> for Value {
    type Error = JsonError;

    fn try_from(json: &Json) -> Result<Value, JsonError> {
        of_json(json, 1)
    }
}

/// Converts JSON at a depth, which is limited like that of JSON text.
fn of_json(json: &Json, depth: u32) -> Result<Value, JsonError> {
    if matches!(json, Json::Array(_) | Json::Object(_)) && depth > MAX_DEPTH {
        return Err(JsonError::new("it nests too deeply"));
    }
    Ok(match json {
        Json::Null => Value::null(Type::Dynamic),
        Json::Bool(b) => Value::from(*b),
        Json::String(text) => Value::string(text),
        // Its text has all digits, however the number is stored.
        Json::Number(number) => match Number::parse(&number.to_string()) {
            Ok(number) => Value::from(number),
            Err(why) => return Err(JsonError::new(why.to_string())),
        },
        Json::Array(items) => {
            let mut all = Vec::with_capacity(items.len());
            for (at, item) in items.iter().enumerate() {
                all.push(of_json(item, depth + 1).map_err(|e| e.below(PathStep::Position(at)))?);
            }
            Value::tuple(all)
        }
        Json::Object(entries) => {
            let mut all = Vec::with_capacity(entries.len());
            for (name, item) in entries {
                let item = of_json(item, depth + 1).map_err(|e| e.below(PathStep::key(name)))?;
                all.push((name, item));
            }
            Value::object(all)
        }
    })
}

/// The same as of borrowed JSON.
impl TryFrom<Json> for Value {
    type Error = JsonError;

    fn try_from(json: Json) -> Result<Value, JsonError> {
        Value::try_from(&json)
    }
}

/// Converts to plain JSON, like [`encode_implied`](super::encode_implied). Numbers that neither 64-bit integers nor
/// floats hold exactly are an error, unless `serde_json` is built with arbitrary precision.
///
/// ```
/// use hcl_lr::model::Value;
/// let json = serde_json::Value::try_from(&Value::tuple([Value::from(1)]))?;
/// assert_eq!(json, serde_json::json!([1]));
/// # Ok::<(), hcl_lr::model::json::JsonError>(())
/// ```
impl TryFrom<&Value> for Json {
    type Error = JsonError;

    fn try_from(value: &Value) -> Result<Json, JsonError> {
        // The receiver could not even drop a deeper value.
        match value.height() > MAX_DEPTH + 1 {
            true => Err(JsonError::new("it nests too deeply")),
            false => with_room_for(value.height(), || to_json(value)),
        }
    }
}

/// As the conversion of a borrowed value.
impl TryFrom<Value> for Json {
    type Error = JsonError;

    fn try_from(value: Value) -> Result<Json, JsonError> {
        Json::try_from(&value)
    }
}

fn to_json(value: &Value) -> Result<Json, JsonError> {
    Ok(match value.view() {
        View::Null => Json::Null,
        View::Bool(b) => Json::Bool(b),
        View::String(text) => Json::from(text),
        View::Number(number) => number_to_json(number)?,
        View::List(items) | View::Set(items) | View::Tuple(items) => {
            let mut all = Vec::with_capacity(items.len());
            for (at, item) in items.iter().enumerate() {
                all.push(to_json(item).map_err(|e| e.below(PathStep::Position(at)))?);
            }
            Json::Array(all)
        }
        View::Map(entries) | View::Object(entries) => {
            let mut all = serde_json::Map::new();
            for (name, item) in entries {
                let item = to_json(item).map_err(|e| e.below(PathStep::key(name)))?;
                all.insert(name.to_string(), item);
            }
            Json::Object(all)
        }
        View::Unknown(_) => return Err(JsonError::new("an unknown value has no JSON form")),
        View::Marked(..) => return Err(JsonError::new("a marked value has no JSON form")),
        View::Capsule(_) => return Err(JsonError::new("a capsule has no JSON form")),
    })
}

fn number_to_json(number: &Number) -> Result<Json, JsonError> {
    if number.is_infinite() {
        return Err(JsonError::new("infinity has no JSON form"));
    }
    if let Ok(int) = i64::try_from(number) {
        return Ok(Json::from(int));
    }
    if let Ok(int) = u64::try_from(number) {
        return Ok(Json::from(int));
    }
    // The printed float must be the same number, so that it reads back unchanged.
    let float = number.to_f64();
    match Number::try_from(float) {
        Ok(same) if same == *number => Ok(Json::from(float)),
        _ => {
            let exact: Result<serde_json::Number, _> = serde_json::from_str(&number.to_string());
            let exact = exact.ok().filter(|json| Number::parse(&json.to_string()).is_ok_and(|read| read == *number));
            let lost = || JsonError::new("the number cannot be held exactly");
            exact.map(Json::Number).ok_or_else(lost)
        }
    }
}
