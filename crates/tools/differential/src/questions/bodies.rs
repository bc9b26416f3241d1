//! Bodies in both syntaxes, with schemas that fit them most of the time.

use serde_json::{Value as Json, json};

use super::documents;
use super::sources::{Writer, variables};
use super::{names, offer};
use crate::random::Random;

/// The contents that a body is expected to have.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub attributes: Vec<String>,
    pub blocks: Vec<(String, usize, Shape)>,
}

const ATTRIBUTES: [&str; 5] = ["a", "b", "c", "d", "é"];
const BLOCKS: [&str; 4] = ["k", "l1", "m1", "a"];

pub fn shape(random: &mut Random, depth: usize) -> Shape {
    let attributes = (0..random.below(4)).map(|_| random.pick(&ATTRIBUTES).to_owned()).collect();
    let mut blocks: Vec<(String, usize, Shape)> = Vec::new();
    for _ in 0..if depth > 0 { random.below(3) } else { 0 } {
        let name = random.pick(&BLOCKS);
        if blocks.iter().all(|(known, ..)| known != name) {
            let labels = [0, 0, 1, 1, 2][random.below(5)];
            blocks.push((name.to_owned(), labels, shape(random, depth - 1)));
        }
    }
    let mut shape = Shape { attributes, blocks };
    shape.attributes.sort();
    shape.attributes.dedup();
    shape
}

/// The schema of a shape: as a rule all of it is expected.
pub fn schema(random: &mut Random, shape: &Shape) -> Json {
    if random.chance(8) {
        return json!({ "mode": "attributes" });
    }
    let mut attributes: Vec<Json> =
        shape.attributes.iter().map(|name| json!({ "name": name, "required": random.chance(20) })).collect();
    let mut blocks: Vec<Json> = Vec::new();
    for (name, labels, inner) in &shape.blocks {
        let labels: Vec<String> = (0..*labels).map(|number| format!("label{number}")).collect();
        blocks.push(json!({ "type": name, "labels": labels, "body": schema(random, inner) }));
    }
    if random.chance(8) {
        attributes.pop();
    }
    if random.chance(5) {
        blocks.pop();
    }
    if random.chance(5) {
        attributes.push(json!({ "name": "missing", "required": random.chance(60) }));
    }
    if !random.chance(20) {
        return json!({ "attributes": attributes, "blocks": blocks });
    }
    // A part of it first, then the rest.
    let cut = random.below(attributes.len() + 1);
    let later = attributes.split_off(cut);
    let cut = random.below(blocks.len() + 1);
    let rest = json!({ "attributes": later, "blocks": blocks.split_off(cut) });
    json!({ "attributes": attributes, "blocks": blocks, "mode": "partial", "rest": rest })
}

/// Something to write as the value of an attribute. `within` are iterators of dynamic blocks around.
pub fn expression(random: &mut Random, within: &[String]) -> String {
    if !within.is_empty() && random.chance(60) {
        let name = &within[random.below(within.len())];
        return match random.below(6) {
            0 => format!("{name}.key"),
            1 => format!("\"x${{{name}.value}}\""),
            2 => format!("{name}.value.a"),
            3 => format!("[{name}.key, {name}.value]"),
            _ => format!("{name}.value"),
        };
    }
    let all = variables();
    let names = names(&all);
    match random.below(10) {
        0..4 => {
            random.pick(&["1", "true", "\"x\"", "null", "[]", "\"1\"", "{ a = 1 }", "[1, \"a\"]", "[true]"]).to_owned()
        }
        4..8 => names[random.below(names.len())].clone(),
        _ => Writer::new(random, &names).expression(2),
    }
}

/// A collection to iterate over.
fn collection(random: &mut Random, within: &[String]) -> String {
    if !within.is_empty() && random.chance(30) {
        return format!("{}.value", within[random.below(within.len())]);
    }
    let usual =
        ["[1, 2]", "[\"x\"]", "[]", "{ a = 1, b = \"x\" }", "{}", "l", "set", "mp", "mo", "lo", "o", "tup", "nested"];
    let odd = [
        "ul", "um", "d", "n", "nl", "lm", "mt", "mpm", "setm", "ust", "om", "dm", "1", "\"x\"", "uod", "em", "el",
        "uset",
    ];
    let list = if random.chance(75) { &usual[..] } else { &odd[..] };
    list[random.below(list.len())].to_owned()
}

/// The options for writing bodies.
#[derive(Clone, Copy)]
pub struct Wish {
    /// The percentage of blocks that are dynamic.
    pub dynamic: usize,
    /// The frequency of deliberate mistakes.
    pub odd: usize,
}

/// A body in native syntax.
pub fn native(random: &mut Random, shape: &Shape, wish: Wish, indent: &str, within: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for name in &shape.attributes {
        if random.chance(78) {
            lines.push(format!("{indent}{name} = {}\n", expression(random, within)));
        }
        if random.chance(wish.odd / 3) {
            lines.push(format!("{indent}{name} = 1\n"));
        }
    }
    if random.chance(wish.odd) {
        lines.push(format!("{indent}{} = 1\n", random.pick(&["zz", "k", "attr"])));
    }
    if random.chance(wish.odd / 2) {
        lines.push(format!("{indent}unexpected \"x\" {{\n{indent}}}\n"));
    }
    for (name, labels, inner) in &shape.blocks {
        for _ in 0..[0, 1, 1, 2, 3][random.below(5)] {
            let labels = if random.chance(wish.odd) { random.below(3) } else { *labels };
            let deeper = format!("{indent}  ");
            if !random.chance(wish.dynamic) {
                let labels: String =
                    (0..labels).map(|_| format!(" {}", random.pick(&["\"x\"", "\"y\"", "z", "\"é\""]))).collect();
                let body = native(random, inner, wish, &deeper, within);
                lines.push(format!("{indent}{name}{labels} {{\n{body}{indent}}}\n"));
                continue;
            }
            let mut text = format!("{indent}dynamic \"{name}\" {{\n");
            let mut iterator = name.clone();
            text += &format!("{deeper}for_each = {}\n", collection(random, within));
            if random.chance(25) {
                iterator = random.pick(&["it", "each"]).to_owned();
                text += &format!("{deeper}iterator = {iterator}\n");
            }
            let around = [within, &[iterator.clone()]].concat();
            if labels > 0 || random.chance(wish.odd) {
                let label = |random: &mut Random| match random.below(6) {
                    0 => "\"x\"".to_owned(),
                    1 => format!("\"l${{{iterator}.key}}\""),
                    2 => expression(random, &around),
                    3 => format!("{iterator}.value"),
                    _ => format!("{iterator}.key"),
                };
                let all: Vec<String> = (0..labels).map(|_| label(random)).collect();
                text += &format!("{deeper}labels = [{}]\n", all.join(", "));
            }
            let body = native(random, inner, wish, &format!("{deeper}  "), &around);
            text += &format!("{deeper}content {{\n{body}{deeper}}}\n{indent}}}\n");
            lines.push(text);
        }
    }
    // Mostly in the order of the schema.
    if random.chance(30) && lines.len() > 1 {
        let at = random.below(lines.len());
        let line = lines.remove(at);
        lines.insert(0, line);
    }
    lines.concat()
}

/// A value of an attribute in JSON.
fn json_value(random: &mut Random, within: &[String]) -> String {
    match random.below(10) {
        0..2 => documents::value(random, 2),
        2 => random.pick(&["1", "true", "null", "\"x\"", "[]", "{}", "{\"a\": 1}", "[1, \"a\"]"]).to_owned(),
        _ => Json::from(format!("${{{}}}", expression(random, within))).to_string(),
    }
}

/// A body in JSON: labels are nested objects, several blocks an array at any level.
pub fn json(random: &mut Random, shape: &Shape, wish: Wish, within: &[String]) -> String {
    let mut members: Vec<String> = Vec::new();
    for name in &shape.attributes {
        if random.chance(78) {
            members.push(format!("\"{name}\": {}", json_value(random, within)));
        }
        if random.chance(wish.odd / 3) {
            members.push(format!("\"{name}\": 1"));
        }
    }
    if random.chance(wish.odd) {
        members.push(format!("\"{}\": 1", random.pick(&["zz", "//", "k", "attr"])));
    }
    let mut generated: Vec<String> = Vec::new();
    for (name, labels, inner) in &shape.blocks {
        let labels = if random.chance(wish.odd) { random.below(3) } else { *labels };
        if random.chance(wish.dynamic) {
            let mut iterator = name.clone();
            let mut parts =
                vec![format!("\"for_each\": {}", Json::from(format!("${{{}}}", collection(random, within))))];
            if random.chance(25) {
                iterator = "it".to_owned();
                parts.push("\"iterator\": \"it\"".to_owned());
            }
            let around = [within, &[iterator.clone()]].concat();
            if labels > 0 {
                let all: Vec<String> =
                    (0..labels).map(|_| format!("\"${{{iterator}.{}}}\"", random.pick(&["key", "value"]))).collect();
                parts.push(format!("\"labels\": [{}]", all.join(", ")));
            }
            parts.push(format!("\"content\": {}", json(random, inner, wish, &around)));
            generated.push(format!("\"{name}\": {{{}}}", parts.join(", ")));
            continue;
        }
        match random.below(6) {
            0 => {}
            _ => members.push(format!("\"{name}\": {}", json_blocks(random, labels, inner, wish, within))),
        }
    }
    if !generated.is_empty() {
        members.push(format!("\"dynamic\": {{{}}}", generated.join(", ")));
    }
    match random.below(15) {
        0 => format!("[{{{}}}]", members.join(", ")),
        1 if members.len() > 1 => format!("[{{{}}}, {{{}}}]", members[0], members[1..].join(", ")),
        2 if random.chance(wish.odd) => random.pick(&["null", "1", "\"x\"", "[1]", "[null]"]).to_owned(),
        _ => format!("{{{}}}", members.join(", ")),
    }
}

fn json_blocks(random: &mut Random, labels: usize, shape: &Shape, wish: Wish, within: &[String]) -> String {
    if labels == 0 {
        return match random.below(4) {
            0 => {
                let all: Vec<String> = (0..random.below(4)).map(|_| json(random, shape, wish, within)).collect();
                format!("[{}]", all.join(", "))
            }
            _ => json(random, shape, wish, within),
        };
    }
    let level = |random: &mut Random| {
        let names = ["x", "y", "z"];
        let all: Vec<String> = (0..1 + random.below(2))
            .map(|_| format!("\"{}\": {}", random.pick(&names), json_blocks(random, labels - 1, shape, wish, within)))
            .collect();
        format!("{{{}}}", all.join(", "))
    };
    match random.below(5) {
        0 => format!("[{}, {}]", level(random), level(random)),
        _ => level(random),
    }
}

fn request(random: &mut Random, files: Vec<Json>, schema: Json) -> Json {
    let mut request = json!({ "op": "content", "files": files, "schema": schema });
    offer(&mut request, random);
    request
}

/// Content of a file in native syntax.
pub fn content(random: &mut Random) -> Json {
    let shape = shape(random, 2);
    let text = native(random, &shape, Wish { dynamic: 0, odd: 6 }, "", &[]);
    let schema = schema(random, &shape);
    request(random, vec![json!({ "name": "a.hcl", "src": text })], schema)
}

/// Content of a file in JSON.
pub fn json_content(random: &mut Random) -> Json {
    let shape = shape(random, 2);
    let text = json(random, &shape, Wish { dynamic: 0, odd: 6 }, &[]);
    let schema = schema(random, &shape);
    let text = documents::mutated(random, text);
    request(random, vec![json!({ "name": "a.json", "src": text })], schema)
}

/// Content of several files of either syntax.
pub fn merged(random: &mut Random) -> Json {
    let shape = shape(random, 2);
    let wish = Wish { dynamic: 0, odd: 4 };
    let files: Vec<Json> = (0..2 + random.below(2))
        .map(|number| {
            let mut part = shape.clone();
            part.attributes.retain(|_| random.chance(45));
            match random.chance(60) {
                true => json!({ "name": format!("{number}.hcl"), "src": native(random, &part, wish, "", &[]) }),
                false => json!({ "name": format!("{number}.json"), "src": json(random, &part, wish, &[]) }),
            }
        })
        .collect();
    let schema = schema(random, &shape);
    request(random, files, schema)
}

/// Content with dynamic blocks in either syntax.
pub fn dynamic(random: &mut Random) -> Json {
    let shape = loop {
        let shape = shape(random, 2);
        if !shape.blocks.is_empty() {
            break shape;
        }
    };
    let wish = Wish { dynamic: 60, odd: 3 };
    let file = match random.chance(70) {
        true => json!({ "name": "a.hcl", "src": native(random, &shape, wish, "", &[]) }),
        false => json!({ "name": "a.json", "src": json(random, &shape, wish, &[]) }),
    };
    let schema = schema(random, &shape);
    let mut request = request(random, vec![file], schema);
    request["dynamic"] = true.into();
    if random.chance(10) {
        request["veto"] = true.into();
    }
    if random.chance(30) {
        request["needs"] = true.into();
    }
    request
}
