//! Layouts of YAML, and the official engine's answers.
//!
//! A line of `fixtures/yaml/TOPIC.jsonl` is a document with its value, as the protocol writes it, or `"error": true`. To
//! add one, write `{"yaml": "a: 1"}` and let the engine answer: `OFFICIAL_DRIVER=$(crates/conformance/drivers/go/build)
//! UPDATE_GOLDEN=1 cargo test --test functions yaml:: -- --ignored`.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::support::golden::{Golden, fixtures};
use crate::support::lines::ask_program;
use crate::support::needs;
use crate::support::protocol::ask;
use differential::Random;
use differential::comparison::answers::same_value;
use differential::questions::texts::list;

fn question(yaml: &Json) -> Json {
    json!({ "op": "call", "name": "yamldecode", "args": [yaml] })
}

/// The value of an answer; nothing if it is an error.
fn value(answer: &Json) -> Option<&Json> {
    assert!(answer.get("panic").is_none(), "{answer}");
    answer["ok"].as_bool().expect("a verdict").then(|| &answer["value"])
}

fn is_same(a: Option<&Json>, b: Option<&Json>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_value(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// A line of a fixture. Characters that cannot be seen are written as escape sequences.
fn line(yaml: &Json, value: Option<&Json>) -> String {
    let line = match value {
        Some(value) => format!("{{\"yaml\": {yaml}, \"value\": {value}}}\n"),
        None => format!("{{\"yaml\": {yaml}, \"error\": true}}\n"),
    };
    let mut text = String::new();
    for c in line.chars() {
        let hidden = matches!(c, '\u{7F}'..='\u{A0}' | '\u{AD}' | '\u{2000}'..='\u{206F}' | '\u{D7FF}'..='\u{FFFF}');
        match hidden || c > '\u{1FFFF}' {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}"))),
            false => text.push(c),
        }
    }
    text
}

/// The files with layouts, each with its lines.
fn layouts() -> Vec<(PathBuf, Vec<Json>)> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
        let lines = lines.collect();
        (path, lines)
    };
    fixtures("yaml", &["jsonl"]).into_iter().map(read).collect()
}

#[test]
fn layouts_are_read_as_the_engine_reads_them() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (path, cases) in layouts() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for case in &cases {
            let recorded = case.get("value");
            assert!(recorded.is_some() || case["error"] == true, "{name}: {} has no answer", case["yaml"]);
            let ours = ask(&question(&case["yaml"]));
            if !is_same(recorded, value(&ours)) {
                wrong.push(format!("{name}: {}\n  engine: {}\n  ours:   {ours}", case["yaml"], shown(recorded)));
            }
        }
        count += cases.len();
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 1_000, "only {count} layouts");
}

/// The official engine still answers what is recorded. `UPDATE_GOLDEN=1` records its answers.
#[test]
#[ignore = "needs engine"]
fn needs_engine_it_reads_layouts_as_recorded() {
    let mut golden = Golden::new();
    for (path, cases) in layouts() {
        let questions: Vec<Json> = cases.iter().map(|case| question(&case["yaml"])).collect();
        let answers = ask_program(&needs::engine(), &questions);
        let lines = cases.iter().zip(&answers).map(|(case, answer)| line(&case["yaml"], value(answer)));
        golden.check(&path, &lines.collect::<String>());
    }
    golden.finish();
}

fn shown(value: Option<&Json>) -> String {
    value.map_or_else(|| "an error".to_owned(), Json::to_string)
}

/// Writes a value in a random layout.
fn node(random: &mut Random, depth: usize, indent: usize, text: &mut String) {
    let property = ["&x ", "&y ", "!!str ", "!!seq ", "!!map ", "! "];
    if random.below(8) == 0 {
        text.push_str(random.pick(&property));
    }
    let new_line = |text: &mut String, random: &mut Random| {
        text.push_str(random.pick(&["\n", "\n", "\n", " # c\n", "\t\n", "\r\n", "\n\n", "\n# c\n"]));
        (0..indent).for_each(|_| text.push(' '));
    };
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0 => text.push_str(random.pick(&["*x", "", "~", "1.5", "0x1F", "2020-01-02", "on"])),
        1 => text.push_str(random.pick(&["a b", "a:b", "a#b", "-a", "a\n b", "a\n  b", "a\n\n   b"])),
        2 => text.push_str(random.pick(&["\"a\"", "\"a\n b\"", "\"\\x41\\\n  b\"", "\"a\n\n\tb\"", "\"\\/\""])),
        3 => text.push_str(random.pick(&["'a'", "'a''b'", "'a\n b'", "'a\n\n b'", "' a '"])),
        4 | 5 => {
            text.push_str(random.pick(&["|", ">", "|-", ">+", "|2", "|1-"]));
            for _ in 0..random.below(4) {
                new_line(text, random);
                text.push_str(random.pick(&["  a", "  a b", "   a", "", "  # c", " a"]));
            }
            text.push('\n');
        }
        6 => {
            let separator = random.pick(&[", ", ",", " ,\n ", ",\n"]);
            text.push('[');
            for _ in 0..random.below(4) {
                node(random, depth - 1, indent + 1, text);
                text.push_str(separator);
            }
            text.push_str(random.pick(&["]", "\n]", " ]"]));
        }
        7 => {
            text.push('{');
            for _ in 0..random.below(4) {
                text.push_str(random.pick(&["a: ", "\"b\":", "c :", "? d : ", "e:\n ", "<<: "]));
                node(random, depth - 1, indent + 1, text);
                text.push_str(random.pick(&[", ", ",", ",\n"]));
            }
            text.push_str(random.pick(&["}", "\n}", " }"]));
        }
        kind => {
            let inner = indent + random.below(3);
            for _ in 0..=random.below(3) {
                if !text.ends_with("- ") {
                    new_line(text, random);
                }
                let dashes: &[&str] = &["- ", "-  ", "-\t", "-"];
                let keys: &[&str] = &["a: ", "b:", "\"c\": ", "? d\n: ", "a b: ", "<<: ", "*x : "];
                text.push_str(random.pick(if kind == 8 { dashes } else { keys }));
                node(random, depth - 1, inner, text);
            }
        }
    }
}

/// A document, which is damaged in one of three.
fn document(random: &mut Random) -> String {
    let mut text = String::new();
    if random.below(4) == 0 {
        for _ in 0..random.below(14) {
            text.push_str(random.pick(list("layout parts")));
        }
        return text;
    }
    text.push_str(random.pick(&["", "", "", "--- ", "---\n", "%YAML 1.1\n---\n", "# c\n", "\u{FEFF}"]));
    node(random, 3, 0, &mut text);
    text.push_str(random.pick(&["", "\n", "\n", "\n...\n", " # c", "\n---\n"]));
    if random.below(3) == 0 {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if let Some(at) = places.get(random.below(places.len().max(1))) {
            text.insert_str(*at, random.pick(list("layout parts")));
        }
    }
    text
}

/// Random documents, and their number unless `HCL_YAML` says another one; `HCL_SEED` makes others.
fn documents() -> Vec<String> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let mut random = Random::new(number("HCL_SEED").unwrap_or(1));
    (0..number("HCL_YAML").unwrap_or(2_000)).map(|_| document(&mut random)).collect()
}

#[test]
fn random_documents_are_often_yaml() {
    let documents = documents();
    let read = documents.iter().filter(|text| value(&ask(&question(&json!(text)))).is_some()).count();
    assert!(read * 10 > documents.len(), "only {read} of {} documents are YAML", documents.len());
}

#[test]
#[ignore = "needs engine"]
fn needs_engine_random_documents_are_read_as_it_reads_them() {
    let questions: Vec<Json> = documents().iter().map(|text| question(&json!(text))).collect();
    let mut wrong = Vec::new();
    for (question, theirs) in questions.iter().zip(ask_program(&needs::engine(), &questions)) {
        // The row `functions.yaml-byte-order-marks`.
        let marks = question["args"][0].as_str().is_some_and(|text| text.starts_with("\u{FEFF}\u{FEFF}"));
        let ours = ask(question);
        if !marks && !is_same(value(&ours), value(&theirs)) {
            wrong.push(format!("{}\n  engine: {theirs}\n  ours:   {ours}", question["args"][0]));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), questions.len(), wrong.join("\n"));
}
