//! The conformance protocol: one JSON question in, one JSON answer out (operations
//! `convert`, `unify` and `echo`; behind the feature `cli`).
//!
//! Values and types have an encoding of their own there, which says more than JSON can:
//! numbers as text, unknowns with what is known of them, marks.
//!
//! ```
//! use hcl_lr::model::protocol::answer;
//! let question = r#"{"op": "convert", "value": {"number": "1"}, "type": "string"}"#;
//! assert_eq!(answer(question), r#"{"ok":true,"value":"1"}"#);
//! ```

mod decode;
mod encode;

pub use decode::{BadRequest, decode_type, decode_value};
pub use encode::{encode_type, encode_value};

use super::convert::Safety;
use super::types::Type;
use super::unify::unify;
use serde_json::{Map, Value as Json, json};

/// Answers one request. A bad request is answered with `bad_request`, an operation that is
/// not of the model with `unsupported`.
///
/// ```
/// use hcl_lr::model::protocol::answer;
/// assert_eq!(answer(r#"{"op": "format"}"#), r#"{"unsupported":"format"}"#);
/// assert!(answer("}").starts_with(r#"{"bad_request":"#));
/// ```
pub fn answer(line: &str) -> String {
    let request: Json = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(why) => return json!({ "bad_request": why.to_string() }).to_string(),
    };
    let mut answer = match answer_request(&request) {
        Ok(answer) => answer,
        Err(why) => Map::from_iter([("bad_request".to_string(), Json::from(why.to_string()))]),
    };
    if let Some(id) = request.get("id") {
        answer.insert("id".to_string(), id.clone());
    }
    Json::Object(answer).to_string()
}

fn answer_request(request: &Json) -> Result<Map<String, Json>, BadRequest> {
    let part = |name: &str| {
        request
            .get(name)
            .ok_or_else(|| BadRequest::new(format!("\"{name}\" is missing")))
    };
    let answer = match part("op")?.as_str() {
        Some("echo") => {
            json!({ "ok": true, "value": encode_value(&decode_value(part("value")?)?) })
        }
        Some("convert") => {
            let value = decode_value(part("value")?)?;
            match value.convert(&decode_type(part("type")?)?) {
                Ok(value) => json!({ "ok": true, "value": encode_value(&value) }),
                Err(why) => json!({ "ok": false, "message": why.to_string() }),
            }
        }
        Some("unify") => {
            let types = part("types")?.as_array().cloned().unwrap_or_default();
            let types: Vec<Type> = types.iter().map(decode_type).collect::<Result<_, _>>()?;
            let unsafely = request.get("want").is_some_and(|want| want == "unsafe");
            match unify(
                &types,
                if unsafely {
                    Safety::Unsafe
                } else {
                    Safety::Safe
                },
            ) {
                Some(ty) => json!({ "ok": true, "type": encode_type(&ty) }),
                None => json!({ "ok": false }),
            }
        }
        Some(other) => json!({ "unsupported": other }),
        None => return Err(BadRequest::new("\"op\" is not a string")),
    };
    match answer {
        Json::Object(answer) => Ok(answer),
        _ => Err(BadRequest::new("no answer")),
    }
}
