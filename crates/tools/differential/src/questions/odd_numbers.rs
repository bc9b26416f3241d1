//! Random calls with numbers at which binary arithmetic goes wrong first: powers of two and their neighbours, halves,
//! and results of `pow` and `log`, which are floating-point numbers.

use serde_json::{Value as Json, json};

use super::arguments::number;
use crate::random::Random;

/// The exponents of the powers of two.
const EXPONENTS: &[u32] = &[8, 16, 24, 31, 32, 33, 52, 53, 54, 62, 63, 64, 65, 100, 127, 128];

/// Fractions after a whole number.
const FRACTIONS: &[&str] = &["", "", "", ".5", ".25", ".75", ".1", ".499999999999999999999", ".000000000000000000001"];

/// Functions with the number of their arguments.
const FUNCTIONS: &[(&str, usize)] = &[
    ("abs", 1),
    ("add", 2),
    ("ceil", 1),
    ("divide", 2),
    ("equal", 2),
    ("floor", 1),
    ("greaterthan", 2),
    ("int", 1),
    ("jsonencode", 1),
    ("lessthan", 2),
    ("log", 2),
    ("max", 3),
    ("min", 3),
    ("modulo", 2),
    ("multiply", 2),
    ("negate", 1),
    ("pow", 2),
    ("range", 3),
    ("signum", 1),
    ("subtract", 2),
    ("tostring", 1),
];

/// One random question: a call, or an expression with the result of `pow` or `log` in it.
pub fn call(random: &mut Random) -> Json {
    match random.below(8) {
        0 => json!({ "op": "call", "name": "parseint", "args": [digits(random), number(random.pick(BASES))] }),
        1 => json!({ "op": "call", "name": "format", "args": [random.pick(FORMATS), number(&odd(random))] }),
        2 => whole_argument(random),
        3 | 4 => expression(random),
        _ => {
            let (name, count) = random.pick(FUNCTIONS);
            let arguments: Vec<Json> = (0..count)
                .map(|index| match (name, index) {
                    ("pow", 1) => number(&exponent(random)),
                    _ => number(&odd(random)),
                })
                .collect();
            json!({ "op": "call", "name": name, "args": arguments })
        }
    }
}

const BASES: &[&str] = &["2", "3", "7", "8", "10", "16", "32", "36", "37", "61", "62"];
const FORMATS: &[&str] = &["%d", "%v", "%s", "%x", "%b", "%o", "%X", "%.0f", "%.1f", "%f", "%e", "%g", "%20d", "%+d"];

/// A call that needs a whole number which is not too large.
fn whole_argument(random: &mut Random) -> Json {
    let wanted = number(&odd(random));
    let list = json!({ "list": ["a", "b", "c"], "of": "string" });
    let (name, arguments) = match random.below(8) {
        0 => ("element", vec![list, wanted]),
        1 => ("slice", vec![list, number("0"), wanted]),
        2 => ("chunklist", vec![list, wanted]),
        3 => ("substr", vec![json!("héllo"), wanted, number("2")]),
        4 => ("substr", vec![json!("héllo"), number("1"), wanted]),
        5 => ("hasindex", vec![list, wanted]),
        6 => ("cidrhost", vec![json!(random.pick(&["10.0.0.0/8", "fd00::/8", "::/0"])), wanted]),
        _ => ("cidrsubnet", vec![json!(random.pick(&["10.0.0.0/8", "fd00::/8"])), number("16"), wanted]),
    };
    json!({ "op": "call", "name": name, "args": arguments })
}

/// An expression with the result of `pow` or `log`, which is no literal: the engine keeps it in another precision.
fn expression(random: &mut Random) -> Json {
    let float = match random.chance(80) {
        true => format!("pow({}, {})", odd(random), exponent(random)),
        false => format!("log({}, {})", odd(random), random.pick(&["2", "10", "0.5", "16"])),
    };
    let other = odd(random);
    let source = match random.below(14) {
        0 => format!("{float} == {other}"),
        1 => format!("{float} < {other}"),
        2 => format!("format(\"{}\", {float})", random.pick(FORMATS)),
        3 => format!("ceil({float})"),
        4 => format!("floor({float})"),
        5 => format!("signum({float})"),
        6 => format!("cidrhost(\"fd00::/8\", {float})"),
        7 => format!("max({float}, {other})"),
        8 => format!("log({float}, 2)"),
        9 => format!("pow({float}, 2)"),
        10 => format!("\"${{{float}}}.\""),
        11 | 12 => format!("floor({float}) - {other}"),
        _ => float,
    };
    json!({ "op": "expr", "src": source, "eval": true, "ast": false, "functions": ["*"], "vars": {} })
}

/// A number near a power of two, a half, or a small number. None is `-0`.
fn odd(random: &mut Random) -> String {
    let sign = if random.chance(30) { "-" } else { "" };
    match random.below(6) {
        0 => format!("{sign}{}{}", 1 + random.below(70), random.pick(FRACTIONS)),
        1 => format!("{sign}{}.5", random.bits() >> random.below(64)),
        2 => format!("{sign}1e{}", random.below(40)),
        _ => {
            // The distance is added before the last digits are written, so that it carries.
            let power = 1_u128.checked_shl(random.pick(EXPONENTS)).unwrap_or(u128::MAX);
            let distance = random.below(5) as u128;
            let near = if random.chance(50) { power.saturating_add(distance) } else { power - distance };
            format!("{sign}{near}{}", random.pick(FRACTIONS))
        }
    }
}

/// An exponent: most are small.
fn exponent(random: &mut Random) -> String {
    let sign = if random.chance(15) { "-" } else { "" };
    match random.below(5) {
        0 | 1 => format!("{sign}{}", random.below(10)),
        2 => format!("{sign}{}", random.below(130)),
        3 => format!("{sign}{}.{}", random.below(8), random.pick(&["5", "25", "75", "1", "9", "33333", "000001"])),
        _ => odd(random),
    }
}

/// A text for `parseint`.
fn digits(random: &mut Random) -> Json {
    let sign = random.pick(&["", "", "-", "+"]);
    let length = 1 + random.below(45);
    let digits: String =
        (0..length).map(|_| random.pick(&['0', '1', '2', '6', '7', '9', 'a', 'f', 'F', 'z', 'Z'])).collect();
    let digits = if random.chance(50) { digits } else { odd(random).trim_start_matches('-').to_owned() };
    match random.chance(40) {
        // Digits of the smallest base, so that all bases read it.
        true => format!("{sign}{}", digits.replace(|digit: char| digit != '1', "0")).into(),
        false => format!("{sign}{digits}").into(),
    }
}
