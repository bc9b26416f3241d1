//! Questions about the information model: `convert`, `unify` and `echo`.

use serde_json::{Map, Value as Json, json};

use super::decode::{BadRequest, decode_type, decode_value};
use super::encode::{encode_type, encode_value};
use hcl_lr::model::Type;
use hcl_lr::model::convert::Safety;
use hcl_lr::model::unify::unify;

/// The members of the answer to a request, all but its `id`.
///
/// # Errors
/// If the request is not one that can be understood.
pub(super) fn answer(op: &str, request: &Map<String, Json>) -> Result<Vec<(&'static str, Json)>, BadRequest> {
    let part = |name: &str| request.get(name).ok_or_else(|| BadRequest::new(format!("\"{name}\" is missing")));
    Ok(match op {
        "convert" => {
            let value = decode_value(part("value")?)?;
            match value.convert(&decode_type(part("type")?)?) {
                Ok(value) => vec![("ok", json!(true)), ("value", encode_value(&value))],
                Err(why) => vec![("ok", json!(false)), ("message", json!(why.to_string()))],
            }
        }
        "unify" => {
            let types = part("types")?.as_array().map_or(&[][..], Vec::as_slice);
            let types: Vec<Type> = types.iter().map(decode_type).collect::<Result<_, _>>()?;
            let unsafely = request.get("want").is_some_and(|want| want == "unsafe");
            match unify(&types, if unsafely { Safety::Unsafe } else { Safety::Safe }) {
                Some(ty) => vec![("ok", json!(true)), ("type", encode_type(&ty))],
                None => vec![("ok", json!(false))],
            }
        }
        "echo" => vec![("ok", json!(true)), ("value", encode_value(&decode_value(part("value")?)?))],
        other => vec![("unsupported", json!(other))],
    })
}
