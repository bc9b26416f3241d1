//! Random calls of all functions of the official library: `calls.txt` has what each takes.
//!
//! An argument of a kind is that most of the time. `small` is a small whole number, `sequence` a list, set or tuple of
//! anything, `mapping` a map or object; the kinds of texts are those of `texts.rs`. The one before dots is given any number
//! of times.

use serde_json::{Value as Json, json};

use super::arguments::{number, ty, value};
use super::texts::{list, text};
use crate::random::Random;

const CALLS: &str = include_str!("calls.txt");

/// The percentage of arguments that are null, unknown or marked.
const ODD: usize = 20;

/// One random call.
pub fn call(random: &mut Random) -> Json {
    let line = CALLS.lines().nth(random.below(CALLS.lines().count())).unwrap_or_default();
    let (name, kinds) = line.strip_suffix(')').and_then(|line| line.split_once('(')).unwrap_or_default();
    let (kinds, variadic) = kinds.strip_suffix("...").map_or((kinds, false), |kinds| (kinds, true));
    let mut wanted: Vec<&str> = kinds.split(", ").collect();
    if variadic && let Some(last) = wanted.pop() {
        let count = random.pick(&[0, 1, 1, 2, 2, 3]);
        wanted.extend(std::iter::repeat_n(last, count));
    }
    if random.chance(2) {
        match random.chance(50) {
            true => drop(wanted.pop()),
            false => wanted.push("any"),
        }
    }
    let arguments: Vec<Json> = wanted.into_iter().map(|wanted| argument(random, wanted)).collect();
    json!({ "op": "call", "name": name, "args": arguments })
}

fn argument(random: &mut Random, wanted: &str) -> Json {
    if random.chance(3) {
        let ty = ty(random, 2);
        return value(random, &ty, ODD);
    }
    let of = |random: &mut Random, name: &str| value(random, &json!(name), ODD);
    match wanted {
        "number" => match random.chance(ODD) {
            true => of(random, "number"),
            false => number(random.pick(list("numbers"))),
        },
        "small" => match random.chance(ODD) {
            true => of(random, "number"),
            false => number(random.pick(&["0", "1", "2", "3", "4", "8", "-1", "-2", "1.5"])),
        },
        "bool" => of(random, "bool"),
        "any" => {
            let ty = ty(random, 2);
            value(random, &ty, ODD)
        }
        "strings" => value(random, &json!(["list", "string"]), ODD),
        "sequence" => {
            let inner = ty(random, 2);
            let ty = match random.below(5) {
                0 => json!(["set", inner]),
                1 | 2 => {
                    let more = self::ty(random, 1);
                    json!(["tuple", [inner, more, "string"]])
                }
                _ => json!(["list", inner]),
            };
            value(random, &ty, ODD)
        }
        "mapping" => {
            let inner = ty(random, 1);
            let ty = match random.chance(50) {
                true => json!(["map", inner]),
                false => json!(["object", { "a": inner, "b": "string", "é": "number" }]),
            };
            value(random, &ty, ODD)
        }
        _ => match random.chance(ODD) {
            true => of(random, "string"),
            false => text(random, wanted).into(),
        },
    }
}
