//! Texts in the notations that functions read, and lists of texts that questions are made of.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value as Json;

use crate::random::Random;

/// Returns a list of `texts.json`.
pub fn list(name: &str) -> &'static [&'static str] {
    static FILE: LazyLock<Json> =
        LazyLock::new(|| serde_json::from_str(include_str!("texts.json")).expect("the lists are JSON"));
    static LISTS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
        let lists = FILE.as_object().into_iter().flatten();
        lists
            .map(|(name, texts)| (&name[..], texts.as_array().into_iter().flatten().filter_map(Json::as_str).collect()))
            .collect()
    });
    LISTS.get(name).unwrap_or_else(|| panic!("texts.json has no list {name:?}"))
}

fn joined(random: &mut Random, pieces: &[&str], most: usize) -> String {
    (0..random.below(most + 1)).map(|_| random.pick(pieces)).collect()
}

/// Returns a text of a kind that `calls.txt` names.
pub fn text(random: &mut Random, kind: &str) -> String {
    match kind {
        "text" => random.pick(list("strings")).to_owned(),
        "pattern" => match random.chance(60) {
            true => joined(random, list("pattern pieces"), 6),
            false => random.pick(list("patterns")).to_owned(),
        },
        "replacement" => joined(random, list("replacement pieces"), 4),
        "format" => format(random),
        "layout" => joined(random, list("layout pieces"), 5),
        "time" => random.pick(list("times")).to_owned(),
        "duration" => match random.chance(50) {
            true => random.pick(list("durations")).to_owned(),
            false => joined(random, &["1", "9", ".", "5", "h", "m", "s", "ms", "us", "µs", "ns", "-", "+"], 6),
        },
        "csv" => joined(random, list("csv pieces"), 9),
        "json" => joined(random, list("json pieces"), 6),
        "yaml" => joined(random, list("yaml pieces"), 5),
        "base64" => {
            joined(random, &["YQ==", "YWI=", "YWJj", "=", "\n", "\r\n", "/w==", "w6k=", "YR==", " ", "Y", "-"], 4)
        }
        "block" => match random.chance(80) {
            true => random.pick(list("address blocks")).to_owned(),
            false => joined(random, &["10.", "0", ".1", "/8", "::", "fe80", ":1", "/64", "255", "%"], 6),
        },
        "namespace" => random.pick(list("namespaces")).to_owned(),
        "path" => joined(random, &["/", "a", "b.txt", "..", ".", "//", "é", "\\", " "], 6),
        "integer" => joined(random, &["1", "0", "f", "Z", "z", "-", "+", "9", "_", "A", "é"], 5),
        _ => panic!("there is no kind of text {kind:?}"),
    }
}

fn format(random: &mut Random) -> String {
    let mut format = String::new();
    for _ in 0..1 + random.below(3) {
        format.push_str(random.pick(&["", "x", "é ", "%%", "a-"]));
        format.push('%');
        for _ in 0..random.pick(&[0, 0, 1, 1, 2]) {
            format.push_str(random.pick(&["0", "#", "-", "+", " "]));
        }
        format.push_str(random.pick(&["", "", "5", "12", "1"]));
        format.push_str(random.pick(&["", "", ".0", ".2", ".", ".7", ".20"]));
        format.push_str(random.pick(&["", "", "", "[1]", "[2]", "[0]", "[x]"]));
        let letters = "vvtbdoxXeEfgGsqdsvvfqyTw%! é";
        format.push(letters.chars().nth(random.below(letters.chars().count())).unwrap_or('v'));
    }
    format
}
