//! Random values for calls, in the encoding of the conformance protocol.

use serde_json::{Map, Value as Json, json};

use super::texts::list;
use crate::random::Random;

const PRIMITIVES: &[&str] = &["string", "string", "number", "bool"];

pub fn number(text: &str) -> Json {
    json!({ "number": text })
}

/// A type; those of collections hold values of one type.
pub fn ty(random: &mut Random, depth: usize) -> Json {
    if depth == 0 || random.chance(45) {
        return random.pick(PRIMITIVES).into();
    }
    match random.below(5) {
        0 => json!(["list", ty(random, depth - 1)]),
        1 => json!(["set", ty(random, depth - 1)]),
        2 => json!(["map", ty(random, depth - 1)]),
        3 => {
            let elements: Vec<Json> = (0..random.below(4)).map(|_| ty(random, depth - 1)).collect();
            json!(["tuple", elements])
        }
        _ => {
            let names = ["a", "b", "c"];
            let attributes: Map<String, Json> =
                (0..random.below(4)).map(|_| (random.pick(&names).to_owned(), ty(random, depth - 1))).collect();
            json!(["object", attributes])
        }
    }
}

/// A value of a type: mostly known, sometimes null, unknown or marked.
pub fn value(random: &mut Random, ty: &Json, odd: usize) -> Json {
    // The parts of the elements of a collection have one type.
    let within = odd < 10;
    if random.chance(odd) {
        return match random.below(6) {
            0 => json!({ "null": ty }),
            1 | 2 => unknown(random, ty),
            3 if *ty != "dynamic" && !within => json!({ "unknown": "dynamic" }),
            // Marked and unknown arguments have to stay marked.
            _ => {
                let inner = match random.below(4) {
                    0 => unknown(random, ty),
                    1 if *ty != "dynamic" && !within => json!({ "unknown": "dynamic" }),
                    _ => value(random, ty, odd / 3),
                };
                json!({ "marks": [random.pick(&["m", "n"])], "value": bare(inner) })
            }
        };
    }
    known(random, ty, odd)
}

/// A value without the marks on it.
fn bare(mut value: Json) -> Json {
    while value.get("marks").is_some() {
        value = value["value"].take();
    }
    value
}

fn known(random: &mut Random, ty: &Json, odd: usize) -> Json {
    let within = odd / 3;
    match ty {
        Json::String(name) => match name.as_str() {
            "string" => random.pick(list("strings")).into(),
            "number" => number(random.pick(list("numbers"))),
            "bool" => random.chance(50).into(),
            _ => {
                let ty = self::ty(random, 2);
                known(random, &ty, odd)
            }
        },
        _ => {
            let items = |random: &mut Random| -> Vec<Json> {
                let count = random.pick(&[0, 1, 2, 2, 3, 5]);
                (0..count).map(|_| value(random, &ty[1], within)).map(typed(&ty[1])).collect()
            };
            match ty[0].as_str().unwrap_or_default() {
                "list" => json!({ "list": items(random), "of": ty[1] }),
                "set" => json!({ "set": items(random), "of": ty[1] }),
                "map" => {
                    let entries: Map<String, Json> = items(random)
                        .into_iter()
                        .map(|item| (random.pick(&["a", "b", "c", "é", ""]).to_owned(), item))
                        .collect();
                    json!({ "map": entries, "of": ty[1] })
                }
                "tuple" => {
                    let types = ty[1].as_array().cloned().unwrap_or_default();
                    let elements: Vec<Json> = types.iter().map(|ty| value(random, ty, within)).collect();
                    json!({ "tuple": elements })
                }
                _ => {
                    let types = ty[1].as_object().cloned().unwrap_or_default();
                    let attributes: Map<String, Json> =
                        types.iter().map(|(name, ty)| (name.clone(), value(random, ty, within))).collect();
                    json!({ "object": attributes })
                }
            }
        }
    }
}

/// In collections, nulls and unknowns have the type of the others.
fn typed(ty: &Json) -> impl Fn(Json) -> Json {
    let ty = ty.clone();
    move |value| match value.get("unknown") {
        Some(given) if *given != ty => json!({ "unknown": ty }),
        _ => value,
    }
}

fn unknown(random: &mut Random, ty: &Json) -> Json {
    let mut refinement = Map::new();
    if random.chance(40) {
        refinement.insert("notnull".to_owned(), true.into());
    }
    let kind = ty.as_str().unwrap_or_else(|| ty[0].as_str().unwrap_or_default());
    match kind {
        "string" if random.chance(50) => {
            let prefix = random.pick(&["ab-", "{", "[", "\"x", "tr", " 5", "x/"]);
            refinement.insert("prefix".to_owned(), prefix.into());
        }
        "number" if random.chance(50) => {
            refinement.insert("min".to_owned(), json!([random.pick(&["0", "1", "-3"]), random.chance(50)]));
            if random.chance(50) {
                refinement.insert("max".to_owned(), json!([random.pick(&["5", "7.5"]), random.chance(50)]));
            }
        }
        "list" | "set" | "map" if random.chance(50) => {
            refinement.insert("minlen".to_owned(), random.below(3).into());
            if random.chance(60) {
                refinement.insert("maxlen".to_owned(), (3 + random.below(3)).into());
            }
        }
        _ => {}
    }
    match refinement.is_empty() || kind == "dynamic" {
        true => json!({ "unknown": ty }),
        false => json!({ "unknown": ty, "refine": refinement }),
    }
}
