//! Random types, values, and questions about their conversion and unification.
//!
//! The same seed gives the same questions. Types are drawn near one another (a target is
//! mostly a changed copy of the source), since unrelated types just fail to convert.

use serde_json::{Map, Value as Json, json};

use super::texts::list;
use crate::random::Random;

/// Returns true once in `times`.
fn one_in(random: &mut Random, times: usize) -> bool {
    random.below(times) == 0
}

/// One random question.
pub fn question(random: &mut Random) -> Json {
    if one_in(random, 3) { unify_question(random) } else { convert_question(random) }
}

pub const OPERATIONS: [&str; 19] = [
    "a + b",
    "a - b",
    "a * b",
    "a / b",
    "a % b",
    "-a",
    "!a",
    "a && b",
    "a || b",
    "a == b",
    "a == b",
    "a != b",
    "a < b",
    "a <= b",
    "a > b",
    "a >= b",
    "a[b]",
    "a[b]",
    "length(a)",
];

/// One random question about an operator.
pub fn operation_question(random: &mut Random) -> Json {
    let source = random.pick(&OPERATIONS);
    let (left, right) = match source {
        "a[b]" | "length(a)" => {
            let ty = random_type(random, 2, Position::Value);
            let key = random.pick(&["number", "number", "string", "dynamic", "bool"]);
            (random_value(random, &ty), random_value(random, &json!(key)))
        }
        "a == b" | "a != b" => {
            let ty = random_type(random, 2, Position::Value);
            let value = random_value(random, &ty);
            let other = match random.below(4) {
                0 => value.clone(),
                1 => {
                    let near = changed_type(random, &ty, Position::Unify);
                    random_value(random, &near)
                }
                _ => random_value(random, &ty),
            };
            (value, other)
        }
        "!a" | "a && b" | "a || b" => {
            let types = ["bool", "bool", "bool", "string", "dynamic"];
            let (a, b) = (json!(random.pick(&types)), json!(random.pick(&types)));
            (random_value(random, &a), random_value(random, &b))
        }
        _ => {
            let types = ["number", "number", "number", "string", "dynamic"];
            let (a, b) = (json!(random.pick(&types)), json!(random.pick(&types)));
            (random_value(random, &a), random_value(random, &b))
        }
    };
    json!({
        "op": "expr", "src": source, "eval": true, "ast": false, "functions": ["*"],
        "vars": { "a": left, "b": right },
    })
}

fn convert_question(random: &mut Random) -> Json {
    let source = random_type(random, 3, Position::Value);
    let value = random_value(random, &source);
    let target = match random.below(8) {
        0 => random_type(random, 3, Position::Target),
        1 => json!("dynamic"),
        _ => changed_type(random, &source, Position::Target),
    };
    json!({ "op": "convert", "value": value, "type": target })
}

fn unify_question(random: &mut Random) -> Json {
    let first = random_type(random, 3, Position::Unify);
    let mut types = vec![first.clone()];
    for _ in 0..random.below(4) {
        types.push(match random.below(6) {
            0 => random_type(random, 2, Position::Unify),
            1 => first.clone(),
            _ => changed_type(random, &first, Position::Unify),
        });
    }
    match random.below(3) {
        0 => json!({ "op": "unify", "types": types, "want": "unsafe" }),
        1 => json!({ "op": "unify", "types": types, "want": "safe" }),
        _ => json!({ "op": "unify", "types": types }),
    }
}

/// The use of a random type: only targets have optional attributes, and the types of values are dynamic only if a value
/// of that type exists.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    Value,
    Target,
    Unify,
}

const NAMES: [&str; 4] = ["a", "b", "c", "d\u{e9}"];

fn random_type(random: &mut Random, depth: usize, position: Position) -> Json {
    if depth == 0 || one_in(random, 3) {
        return match random.below(if position == Position::Value { 13 } else { 9 }) {
            0 => json!("dynamic"),
            1..=2 => json!("bool"),
            3..=5 => json!("number"),
            _ => json!("string"),
        };
    }
    match random.below(5) {
        0 => json!(["list", random_type(random, depth - 1, position)]),
        1 => json!(["set", random_type(random, depth - 1, position)]),
        2 => json!(["map", random_type(random, depth - 1, position)]),
        3 => {
            let length = random.below(4);
            let alike = one_in(random, 2).then(|| random_type(random, depth - 1, position));
            let element = |random: &mut Random| match &alike {
                Some(ty) => ty.clone(),
                None => random_type(random, depth - 1, position),
            };
            json!(["tuple", (0..length).map(|_| element(random)).collect::<Vec<_>>()])
        }
        _ => {
            let mut attributes = Map::new();
            let alike = one_in(random, 2).then(|| random_type(random, depth - 1, position));
            for name in NAMES {
                if one_in(random, 2) {
                    let ty = match &alike {
                        Some(ty) => ty.clone(),
                        None => random_type(random, depth - 1, position),
                    };
                    attributes.insert(name.to_string(), ty);
                }
            }
            object_type(random, attributes, position)
        }
    }
}

fn object_type(random: &mut Random, attributes: Map<String, Json>, position: Position) -> Json {
    let mut optional = Vec::new();
    if position == Position::Target {
        optional.extend(attributes.keys().filter(|_| one_in(random, 3)).cloned());
    }
    match optional.is_empty() {
        true => json!(["object", attributes]),
        false => json!(["object", attributes, optional]),
    }
}

/// A type near to the given one: another kind of collection, a member more or less, another
/// primitive, something dynamic; or the same.
fn changed_type(random: &mut Random, ty: &Json, position: Position) -> Json {
    if one_in(random, 14) {
        return json!("dynamic");
    }
    if one_in(random, 40) {
        return random_type(random, 2, position);
    }
    let Json::Array(parts) = ty else {
        return changed_primitive(random, ty);
    };
    match parts[0].as_str() {
        Some("tuple") => changed_tuple(random, &parts[1], position),
        Some("object") => changed_object(random, &parts[1], position),
        kind => {
            let element = changed_type(random, &parts[1], position);
            let kind = kind.unwrap_or("list");
            let kind = match random.below(6) {
                0 => "list",
                1 => "set",
                _ => kind,
            };
            if kind == "map" && one_in(random, 3) {
                let mut attributes = Map::new();
                for name in NAMES.iter().take(random.below(4)) {
                    attributes.insert(name.to_string(), element.clone());
                }
                return object_type(random, attributes, position);
            }
            json!([kind, element])
        }
    }
}

fn changed_primitive(random: &mut Random, ty: &Json) -> Json {
    match random.below(6) {
        0 => json!(random.pick(&["number", "bool"])),
        1 | 2 => json!("string"),
        _ => ty.clone(),
    }
}

fn changed_tuple(random: &mut Random, elements: &Json, position: Position) -> Json {
    let elements = elements.as_array().cloned().unwrap_or_default();
    if one_in(random, 2) {
        let element = match elements.first() {
            Some(element) => changed_type(random, element, position),
            None => random_type(random, 1, position),
        };
        return json!([random.pick(&["list", "set"]), element]);
    }
    let mut elements: Vec<Json> = elements.iter().map(|element| changed_type(random, element, position)).collect();
    match random.below(8) {
        0 => elements.push(random_type(random, 1, position)),
        1 => drop(elements.pop()),
        _ => {}
    }
    json!(["tuple", elements])
}

fn changed_object(random: &mut Random, attributes: &Json, position: Position) -> Json {
    let attributes = attributes.as_object().cloned().unwrap_or_default();
    if one_in(random, 3) {
        let element = match attributes.values().next() {
            Some(element) => changed_type(random, element, position),
            None => random_type(random, 1, position),
        };
        return json!(["map", element]);
    }
    let mut changed = Map::new();
    for (name, ty) in &attributes {
        if !one_in(random, 8) {
            changed.insert(name.clone(), changed_type(random, ty, position));
        }
    }
    if one_in(random, 6) {
        changed.insert(random.pick(&NAMES).to_string(), random_type(random, 1, position));
    }
    object_type(random, changed, position)
}

const NUMBERS: [&str; 12] =
    ["0", "1", "-1", "2", "10", "0.5", "1.25", "1e6", "1e-7", "-12345678901234567890.5", "inf", "-inf"];

/// A value of the type: known, null, unknown, with or without marks.
pub fn random_value(random: &mut Random, ty: &Json) -> Json {
    let value = match random.below(16) {
        0 => json!({ "null": ty }),
        1 => random_unknown(random, ty),
        _ => random_known(random, ty),
    };
    if one_in(random, 16) && value.get("marks").is_none() {
        return json!({ "marks": [random.pick(&["m", "n"])], "value": value });
    }
    value
}

fn random_known(random: &mut Random, ty: &Json) -> Json {
    let Json::Array(parts) = ty else {
        return match ty.as_str() {
            Some("string") => json!(random.pick(list("strings of conversions"))),
            Some("number") => json!({ "number": random.pick(&NUMBERS) }),
            Some("bool") => json!(one_in(random, 2)),
            _ if one_in(random, 2) => json!({ "null": "dynamic" }),
            _ => json!({ "unknown": "dynamic" }),
        };
    };
    let inner = &parts[1];
    match parts[0].as_str() {
        Some("tuple") => {
            let types = inner.as_array().cloned().unwrap_or_default();
            json!({ "tuple": types.iter().map(|t| random_value(random, t)).collect::<Vec<_>>() })
        }
        Some("object") => {
            let types = inner.as_object().cloned().unwrap_or_default();
            let values: Map<String, Json> =
                types.iter().map(|(name, ty)| (name.clone(), random_value(random, ty))).collect();
            json!({ "object": values })
        }
        Some("map") => {
            let mut values = Map::new();
            for name in NAMES {
                if one_in(random, 2) {
                    values.insert(name.to_string(), random_value(random, inner));
                }
            }
            json!({ "map": values, "of": inner })
        }
        kind => {
            let length = random.below(4);
            let values: Vec<Json> = (0..length).map(|_| random_value(random, inner)).collect();
            json!({ kind.unwrap_or("list"): values, "of": inner })
        }
    }
}

/// An unknown with a refinement that fits its type and does not contradict itself.
fn random_unknown(random: &mut Random, ty: &Json) -> Json {
    let mut known = Map::new();
    if one_in(random, 2) && *ty != "dynamic" {
        known.insert("notnull".to_string(), json!(true));
    }
    let kind = ty.as_str().or_else(|| ty[0].as_str()).unwrap_or_default();
    match kind {
        "string" if one_in(random, 2) => {
            known.insert("prefix".to_string(), json!(random.pick(&["a", "ab", "\u{e9}"])));
        }
        "number" if one_in(random, 2) => {
            let low = random.below(4) as i64 - 2;
            let high = low + random.below(3) as i64;
            // Bounds that meet must both be inclusive, or no number is left.
            let open = one_in(random, 2);
            if one_in(random, 2) {
                known.insert("min".to_string(), json!([low.to_string(), low == high || open]));
            }
            if one_in(random, 2) {
                known.insert("max".to_string(), json!([high.to_string(), true]));
            }
        }
        "list" | "set" | "map" if one_in(random, 2) => {
            let low = random.below(3);
            if one_in(random, 2) {
                known.insert("minlen".to_string(), json!(low));
            }
            if one_in(random, 2) {
                known.insert("maxlen".to_string(), json!(low + random.below(3)));
            }
        }
        _ => {}
    }
    match known.is_empty() {
        true => json!({ "unknown": ty }),
        false => json!({ "unknown": ty, "refine": known }),
    }
}
