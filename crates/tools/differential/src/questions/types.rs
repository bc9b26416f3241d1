//! Type expressions, and values with the defaults in them.

use serde_json::{Value as Json, json};

use super::{mutation, values};
use crate::random::Random;

/// The text of a type; one with defaults has `optional`.
fn text(random: &mut Random, depth: usize, optional: bool) -> String {
    if depth == 0 || random.chance(35) {
        return random
            .pick(&["string", "number", "bool", "any", "string", "number", "list", "int", "\"string\""])
            .to_owned();
    }
    match random.below(9) {
        0..4 => format!("{}({})", random.pick(&["list", "set", "map"]), text(random, depth - 1, optional)),
        4 | 5 => {
            let elements: Vec<String> = (0..random.below(4)).map(|_| text(random, depth - 1, optional)).collect();
            format!("tuple([{}])", elements.join(", "))
        }
        _ => {
            let attributes: Vec<String> = (0..random.below(4))
                .map(|_| {
                    let name = random.pick(&["a", "b", "c", "d", "\"e\"", "é"]);
                    let ty = text(random, depth - 1, optional);
                    let ty = match random.below(if optional { 4 } else { 12 }) {
                        0 => format!("optional({ty})"),
                        1 if optional => format!("optional({ty}, {})", default(random, 2)),
                        2 if optional => {
                            let value = random.pick(&["\"x\"", "1", "true"]);
                            format!("optional({}, {value})", random.pick(&["string", "any", "number", "bool"]))
                        }
                        _ => ty,
                    };
                    format!("{name}{}{ty}", random.pick(&[" = ", "=", ": "]))
                })
                .collect();
            let (open, close) = if random.chance(96) { ("object({", "})") } else { ("object(", ")") };
            format!("{open}{}{close}", attributes.join(", "))
        }
    }
}

/// A default value.
fn default(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.chance(60) {
        return random.pick(&["null", "true", "1", "\"x\"", "\"1\"", "[]", "{}", "1 + 1", "x"]).to_owned();
    }
    let inner = default(random, depth - 1);
    match random.chance(50) {
        true => format!("[{inner}]"),
        false => format!("{{{} = {inner}}}", random.pick(&["a", "b"])),
    }
}

pub fn question(random: &mut Random) -> Json {
    let want = random.pick(&["type", "constraint"]);
    let optional = want == "constraint" && random.chance(50);
    let ty = text(random, 3, optional);
    json!({ "op": "type", "src": mutation::slip(random, ty, 8, &["(", ")", ",", " ", "[", "]", "a", "."]), "want": want })
}

/// A constraint, and a value that is to get its defaults.
pub fn defaults(random: &mut Random) -> Json {
    let ty = loop {
        let ty = text(random, 3, true);
        if ty.contains('(') {
            break ty;
        }
    };
    // A value of the type as far as it can be said, or of another one.
    let plain = json!({ "op": "type", "src": ty, "want": "constraint" }).to_string();
    let answer: Json = serde_json::from_str(&hcl_lr_conformance::answer(&plain)).unwrap_or_default();
    let value = match answer.get("type") {
        Some(ty) => values::random_value(random, &without_optional(ty)),
        None => json!("x"),
    };
    json!({ "op": "defaults", "src": ty, "value": value })
}

/// A type of values.
fn without_optional(ty: &Json) -> Json {
    match ty {
        Json::Array(parts) if parts.len() == 3 => {
            let mut attributes = parts[1].clone();
            if let (Some(members), Some(optional)) = (attributes.as_object_mut(), parts[2].as_array()) {
                // Every other one of the optional attributes is removed.
                optional.iter().step_by(2).filter_map(Json::as_str).for_each(|name| drop(members.remove(name)));
            }
            without_optional(&json!([parts[0], attributes]))
        }
        Json::Array(parts) => parts.iter().map(without_optional).collect(),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, ty)| (name.clone(), without_optional(ty))).collect())
        }
        _ => ty.clone(),
    }
}
