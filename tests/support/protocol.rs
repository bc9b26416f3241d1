//! Questions of the conformance protocol.

use hcl_lr::model::Number;
use serde_json::Value as Json;

/// The answer to a request.
pub fn ask(request: &Json) -> Json {
    let mut answer = Vec::new();
    hcl_lr_conformance::run(format!("{request}\n").as_bytes(), &mut answer).expect("writing to memory");
    serde_json::from_slice(&answer).expect("JSON")
}

/// Returns true if two values are equal: numbers by their value, sets in any order.
pub fn same_value(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => {
            let number = |value: &serde_json::Map<String, Json>| Number::parse(value.get("number")?.as_str()?).ok();
            if let (Some(a), Some(b)) = (number(a), number(b)) {
                return a == b;
            }
            let is_set = a.contains_key("set");
            a.len() == b.len()
                && a.iter().all(|(name, a)| match (a, b.get(name)) {
                    (Json::Array(a), Some(Json::Array(b))) if is_set && name == "set" => {
                        a.len() == b.len() && a.iter().all(|a| b.iter().any(|b| same_value(a, b)))
                    }
                    (a, Some(b)) => same_value(a, b),
                    (_, None) => false,
                })
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b)),
        _ => a == b,
    }
}
