//! Specs with bodies for them, and functions that files define.

use serde_json::{Map, Value as Json, json};

use super::bodies::{Shape, Wish, expression, json as json_body, native};
use super::offer;
use crate::random::Random;

const TYPES: [&str; 12] = [
    "\"string\"",
    "\"string\"",
    "\"number\"",
    "\"bool\"",
    "\"dynamic\"",
    "\"dynamic\"",
    "[\"list\", \"string\"]",
    "[\"set\", \"number\"]",
    "[\"map\", \"string\"]",
    "[\"list\", \"dynamic\"]",
    "[\"tuple\", [\"string\", \"number\"]]",
    "[\"object\", {\"a\": \"string\", \"b\": \"number\"}, [\"b\"]]",
];

fn ty(random: &mut Random) -> Json {
    serde_json::from_str(random.pick(&TYPES)).unwrap_or_default()
}

/// A spec for a body, which expects what is added to the shape. `labels` are those of the block around.
fn spec(random: &mut Random, shape: &mut Shape, depth: usize, labels: usize) -> Json {
    let attribute = |random: &mut Random, shape: &mut Shape| {
        let name = random.pick(&["a", "b", "c", "d"]);
        if !shape.attributes.iter().any(|known| known == name) {
            shape.attributes.push(name.to_owned());
        }
        let ty = ty(random);
        match random.chance(15) {
            true => json!({ "attr": name, "type": ty, "required": true }),
            false => json!({ "attr": name, "type": ty }),
        }
    };
    if depth == 0 {
        return attribute(random, shape);
    }
    match random.below(20) {
        0..4 => attribute(random, shape),
        4..9 => {
            let mut members = Map::new();
            for number in 0..random.below(4) {
                members.insert(format!("m{number}"), spec(random, shape, depth - 1, labels));
            }
            json!({ "object": members })
        }
        9 => {
            let all: Vec<Json> = (0..random.below(3)).map(|_| spec(random, shape, depth - 1, labels)).collect();
            json!({ "tuple": all })
        }
        10 => {
            json!({ "default": spec(random, shape, depth - 1, labels), "or": spec(random, shape, depth - 1, labels) })
        }
        11 => {
            let value =
                random.pick(&["true", "\"x\"", "{\"null\": \"dynamic\"}", "{\"number\": \"1\"}", "{\"tuple\": []}"]);
            json!({ "literal": serde_json::from_str::<Json>(value).unwrap_or_default() })
        }
        12 if random.chance(50) => {
            let expr = random.pick(&["value", "[value]", "upper(value)", "value == null", "{ a = value }", "1"]);
            json!({ "transform": spec(random, shape, depth - 1, labels), "expr": expr })
        }
        12 if labels > 0 => json!({ "label": random.below(labels), "name": "name" }),
        _ => block(random, shape, depth),
    }
}

fn block(random: &mut Random, shape: &mut Shape, depth: usize) -> Json {
    let name = random.pick(&["k", "l1", "m1", "n1"]);
    // Two requests for blocks of one type with different labels would contradict each other.
    if shape.blocks.iter().any(|(known, ..)| known == name) {
        return json!({ "attr": "a", "type": ty(random) });
    }
    let kind = [
        "block",
        "block_list",
        "block_list",
        "block_tuple",
        "block_set",
        "block_map",
        "block_map",
        "block_object",
        "block_attrs",
    ][random.below(9)];
    let mut made = Map::new();
    made.insert(kind.to_owned(), name.into());
    let mut inner = Shape::default();
    let mut labels = 0;
    match kind {
        "block_attrs" => {
            made.insert("of".to_owned(), ty(random));
            if random.chance(20) {
                made.insert("required".to_owned(), true.into());
            }
            inner.attributes = vec!["p".to_owned(), "q".to_owned()];
        }
        "block_map" | "block_object" => {
            labels = 1 + random.below(2);
            let names: Vec<String> = (0..labels).map(|number| format!("label{number}")).collect();
            made.insert("labels".to_owned(), names.into());
            made.insert("nested".to_owned(), spec(random, &mut inner, depth - 1, 0));
        }
        _ => {
            let nested = spec(random, &mut inner, depth - 1, 0);
            let mut asks = random.chance(12);
            let mut nested = nested;
            if asks {
                // A label that the nested spec asks for.
                nested = json!({ "object": { "of": nested, "name": { "label": 0, "name": "name" } } });
                labels = 1;
            }
            asks = kind == "block";
            made.insert("nested".to_owned(), nested);
            if asks && random.chance(25) {
                made.insert("required".to_owned(), true.into());
            }
            if !asks && random.chance(20) {
                made.insert("min".to_owned(), random.below(3).into());
            }
            if !asks && random.chance(20) {
                made.insert("max".to_owned(), (1 + random.below(3)).into());
            }
        }
    }
    shape.blocks.push((name.to_owned(), labels, inner));
    Json::Object(made)
}

/// Decoding of one file, or of several, some with dynamic blocks.
pub fn decode(random: &mut Random) -> Json {
    let mut shape = Shape::default();
    let spec = spec(random, &mut shape, 3, 0);
    let dynamic = random.chance(20);
    let wish = Wish { dynamic: if dynamic { 50 } else { 0 }, odd: 3 };
    let count = if random.chance(88) { 1 } else { 2 };
    let files: Vec<Json> = (0..count)
        .map(|number| {
            let mut part = shape.clone();
            part.attributes.retain(|_| count == 1 || random.chance(50));
            match random.chance(65) {
                true => json!({ "name": format!("{number}.hcl"), "src": native(random, &part, wish, "", &[]) }),
                false => json!({ "name": format!("{number}.json"), "src": json_body(random, &part, wish, &[]) }),
            }
        })
        .collect();
    let mut request = json!({ "op": "decode", "files": files, "spec": spec });
    offer(&mut request, random);
    if dynamic {
        request["dynamic"] = true.into();
    }
    if random.chance(25) {
        request["needs"] = true.into();
    }
    request
}

/// A file that defines functions, and calls them.
pub fn user_functions(random: &mut Random) -> Json {
    let mut text = String::new();
    // The functions, with how many arguments they take at least, and whether they take more.
    let mut defined: Vec<(String, usize, bool)> = Vec::new();
    for number in 0..1 + random.below(3) {
        let name = if random.chance(90) { format!("f{number}") } else { "f0".to_owned() };
        let params: Vec<&str> = (0..random.below(3)).map(|at| ["p", "q", "r"][at]).collect();
        let variadic = random.chance(25);
        text += &format!("function \"{name}\" {{\n  params = [{}]\n", params.join(", "));
        if variadic {
            text += "  variadic_param = rest\n";
        }
        defined.push((name.clone(), params.len(), variadic));
        let argument = |random: &mut Random| match params.is_empty() || random.chance(30) {
            true if variadic && random.chance(50) => "rest".to_owned(),
            true if random.chance(3) => random.pick(&["zz", "null"]).to_owned(),
            true => random.pick(&["1", "\"x\"", "true", "[1, 2]", "{ a = 1 }"]).to_owned(),
            false => params[random.below(params.len())].to_owned(),
        };
        let one = argument(random);
        let two = argument(random);
        let result = match random.below(11) {
            0 => one,
            1 => format!("\"${{{one}}}-${{{two}}}\""),
            2 => format!("{one} + {two}"),
            3 => format!("[{one}, {two}]"),
            4 => format!("upper({one})"),
            5 => format!("[for v in {one} : v]"),
            6 => format!("{{ a = {one}, b = {two} }}"),
            7 => format!("{one} == {two} ? {one} : {two}"),
            // Never itself: the other driver would not come to an end.
            8 if number > 0 && name != "f0" => format!("f0({one})"),
            9 => format!("try({one}.a, {two})"),
            _ => format!("length({one})"),
        };
        text += &format!("  result = {result}\n");
        if random.chance(3) {
            text += random.pick(&["  extra = 1\n", "  result = 2\n", "  block {}\n"]);
        }
        text += "}\n";
    }
    let mut want = Vec::new();
    for name in ["a", "b"].into_iter().take(1 + random.below(2)) {
        let (called, least, more) = defined[random.below(defined.len())].clone();
        let count = match random.below(20) {
            0 => random.below(4),
            _ if more => least + random.below(3),
            _ => least,
        };
        let arguments: Vec<String> = (0..count).map(|_| expression(random, &[])).collect();
        let dots = if random.chance(8) && !arguments.is_empty() { "..." } else { "" };
        text += &format!("{name} = {called}({}{dots})\n", arguments.join(", "));
        want.push(name);
    }
    let mut request = json!({ "op": "user_functions", "files": [{ "name": "a.hcl", "src": text }], "want": want });
    offer(&mut request, random);
    request
}
