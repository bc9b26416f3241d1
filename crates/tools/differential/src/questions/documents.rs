//! Documents in JSON: strings are templates, and objects may have a name twice.

use serde_json::{Value as Json, json};

use super::sources::{WANTED, Writer, variables};
use super::{mutation, names, offer};
use crate::random::Random;

/// A value of JSON as text.
pub fn value(random: &mut Random, depth: usize) -> String {
    let leaf = depth == 0 || random.chance(60);
    if leaf {
        return match random.below(12) {
            0 => random.pick(&["true", "false", "null", "1", "-1.5", "1e3", "0.25", "12345678901234567890"]).to_owned(),
            1 => string(random, 0),
            _ => string(random, 2),
        };
    }
    let count = random.below(4);
    let items = |random: &mut Random| (0..count).map(|_| value(random, depth - 1)).collect::<Vec<_>>().join(", ");
    if random.chance(40) {
        return format!("[{}]", items(random));
    }
    let members: Vec<String> = (0..count)
        .map(|_| {
            let name =
                if random.chance(80) { quoted(random.pick(&["a", "b", "c", "é", ""])) } else { string(random, 1) };
            format!("{name}: {}", value(random, depth - 1))
        })
        .collect();
    format!("{{{}}}", members.join(", "))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// A string: plain, one interpolation, or a template.
pub fn string(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return quoted(random.pick(&["", "a", "text", "1", "true", "é", "a b", "$${a}", "\n"]));
    }
    let names = names(&variables());
    let mut writer = Writer::new(random, &names);
    let text = match writer.random.below(4) {
        0 => writer.template(depth),
        1 => format!("${{{}}}", writer.expression(depth)),
        _ => format!("${{{}}}", names[writer.random.below(names.len())]),
    };
    quoted(&text)
}

/// Now and then a character too many, or too few.
pub fn mutated(random: &mut Random, text: String) -> String {
    mutation::slip(random, text, 6, &["\"", ",", "{", "}", "[", "]", ":", "\\", "$", "é", "0", " "])
}

/// The attributes of a document.
pub fn attributes(random: &mut Random) -> Json {
    let count = 1 + random.below(3);
    let members: Vec<String> = (0..count)
        .map(|_| format!("{}: {}", quoted(random.pick(&["a", "b", "c", "d", "//", "é"])), value(random, 2)))
        .collect();
    let text = match random.below(12) {
        0 => format!("[{{{}}}, {{\"e\": 1}}]", members.join(", ")),
        _ => format!("{{{}}}", members.join(", ")),
    };
    let mut request = json!({ "op": "json_attributes", "src": mutated(random, text) });
    offer(&mut request, random);
    request
}

/// An expression in JSON that is not evaluated.
pub fn analysis(random: &mut Random) -> Json {
    let want = random.pick(&WANTED);
    let names = names(&variables());
    let text = match random.below(5) {
        0 => value(random, 2),
        1 => quoted(&Writer::new(random, &names).shaped(want)),
        2 => quoted(&Writer::new(random, &names).path()),
        _ => {
            let inner: Vec<String> = (0..random.below(3)).map(|_| value(random, 1)).collect();
            match want {
                "map" => format!(
                    "{{{}}}",
                    inner.iter().enumerate().map(|(n, v)| format!("\"k{n}\": {v}")).collect::<Vec<_>>().join(", ")
                ),
                _ => format!("[{}]", inner.join(", ")),
            }
        }
    };
    let mut request = json!({ "op": "json_static", "src": mutated(random, text), "want": want });
    offer(&mut request, random);
    request
}
