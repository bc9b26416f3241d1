//! Native syntax to JSON and back: nothing is lost on the way.
//!
//! A case of `fixtures/convert` is a file in native syntax. It is converted in all ways that there
//! are, and what comes back must mean the same. The corpus, too, is converted.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::examples::suite;
use crate::support::cases::Case;
use crate::support::golden::{case_named, cases};
use crate::support::needs;
use crate::there_and_back::{Back, FORMS, normal, there_and_back, tree};
use hcl_lr::ParseOptions;
use hcl_lr::convert::{ConversionOptions, ConversionSchema, JsonBlocks, JsonStrings, to_json, to_native};
use hcl_lr::json::Document;
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::File;
use hcl_lr_conformance::{body_to_json, json_to_json};
use serde_json::{Value, json};

/// Converts a file in JSON to native syntax, with everything as attributes.
fn as_native(path: &Path) -> Back {
    let source = Source::from_bytes(&path.to_string_lossy(), fs::read(path).expect("a readable file"));
    let document = match hcl_lr::parse::<Document>(source).into_result() {
        Ok(document) => document,
        Err(why) => return Back::Wrong(format!("the JSON is wrong: {why}")),
    };
    let native = match to_native(&document, &ConversionOptions::default()).into_result() {
        Ok(native) => native.text,
        Err(why) => return Back::Refused(why.to_string()),
    };
    let file = match hcl_lr::parse::<File>(&native).into_result() {
        Ok(file) => file,
        Err(why) => return Back::Wrong(format!("the native file is wrong: {why}\n{native}")),
    };
    let before: Value = serde_json::from_str(&json_to_json(&document)).expect("a tree");
    let (before, after) = (normal(before, false), tree(&file, JsonBlocks::Array));
    if before == after { Back::Same } else { Back::Wrong(format!("{before}\n{after}\n{native}")) }
}

fn parse(path: &Path) -> Option<File> {
    hcl_lr::parse_file::<File>(path).into_result().ok()
}

/// The file of a case.
fn file_of(case: &Case) -> File {
    let file = hcl_lr::parse::<File>(case.text("hcl")).into_result();
    file.unwrap_or_else(|why| panic!("{}: {why}", case.place()))
}

#[test]
fn own_files_come_back() {
    let cases = cases("convert");
    assert!(cases.len() >= 4, "{cases:?}");
    for case in cases {
        let file = file_of(&case);
        for blocks in FORMS {
            for comments in [false, true] {
                let back = there_and_back(&file, blocks, comments);
                assert_eq!(back, Back::Same, "{} {blocks:?}", case.place());
            }
        }
    }
}

/// However often a file goes there and back, each comment is there once.
#[test]
fn comments_are_neither_lost_nor_doubled() {
    let file = file_of(&case_named("convert", "comments"));
    let contents = |file: &File| {
        let mut found: Vec<String> = file.comments().map(|comment| comment.content().to_owned()).collect();
        found.sort();
        found
    };
    let before = contents(&file);
    assert!(before.len() > 10, "{before:?}");
    let schema = ConversionSchema::of(file.body());
    for blocks in FORMS {
        let conversion = ConversionOptions::new().with_blocks(blocks).with_comments(true).with_schema(&schema);
        let mut trip = file.clone();
        for _ in 0..3 {
            let json = to_json(&trip, &conversion).into_result().expect("JSON").text;
            let document = hcl_lr::parse::<Document>(json.as_str()).into_result().expect("JSON");
            let native = to_native(&document, &conversion).into_result().expect("native syntax").text;
            trip = hcl_lr::parse::<File>(native.as_str()).into_result().expect("native syntax");
            assert_eq!(contents(&trip), before, "{blocks:?}\n{json}\n{native}");
        }
    }
}

/// The encoding is that of the whole file: zero bytes in a string are what they are.
#[test]
fn zero_characters_come_back() {
    let text = "a = \"\\u0000\\u0000\\u0000\\u0000\"\nb = \"\\u0000x\\u0000x\\u0000${c}\"\n";
    let file = hcl_lr::parse::<File>(text).into_result().expect("no errors");
    for blocks in FORMS {
        assert_eq!(there_and_back(&file, blocks, false), Back::Same, "{blocks:?}");
    }
}

/// The examples of the specification: files, expressions as attributes, and templates as strings of
/// JSON, which go the other way.
#[test]
fn the_examples_of_the_specification_come_back() {
    let suite = suite();
    let mut count = 0;
    let mut refused = Vec::new();
    for example in suite.examples.iter().filter(|example| example.has_tree()) {
        let text = String::from_utf8_lossy(&example.source().expect("a source")).into_owned();
        let text = match &*example.kind {
            "hcl" => text,
            "expr" => format!("x = (\n{text}\n)\n"),
            "template" => {
                template_comes_back(&text, &example.place);
                continue;
            }
            "traversal" => format!("x = {text}\n"),
            _ => continue,
        };
        let Ok(file) = hcl_lr::parse::<File>(text.as_str()).into_result() else {
            assert_ne!(example.kind, "hcl", "{}", example.place);
            continue;
        };
        for blocks in FORMS {
            count += 1;
            match there_and_back(&file, blocks, false) {
                Back::Same => {}
                Back::Refused(why) if blocks != JsonBlocks::Tagged => refused.push(why),
                other => panic!("{} {blocks:?}: {other:?}", example.place),
            }
        }
    }
    assert!(count > 1_000, "{count}");
    // One type has blocks with different labels, or an attribute has the name of a block.
    assert!(refused.iter().all(|why| why.contains("not-convertible")) && refused.len() < count / 50, "{refused:#?}");
}

/// A template as a string of JSON, as an element and as a key, in native syntax.
fn template_comes_back(text: &str, place: &str) {
    let string = Value::from(text);
    let document = |text: String| hcl_lr::parse::<Document>(("a.json", text)).into_result().expect("it is JSON");
    let document = document(json!({ "a": string, "b": [string], "c": { text: string } }).to_string());
    let native = to_native(&document, &ConversionOptions::default()).into_result().expect(place).text;
    let file =
        hcl_lr::parse::<File>(native.as_str()).into_result().unwrap_or_else(|why| panic!("{place}: {why}\n{native}"));
    let before: Value = serde_json::from_str(&json_to_json(&document)).expect("a tree");
    assert_eq!(normal(before, false), tree(&file, JsonBlocks::Array), "{place}\n{native}");
}

/// Runs something on a thread with the stack that threads usually have.
fn on_a_thread(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn deep_nesting_is_converted() {
    let nested = |open: &str, inner: &str, close: &str, levels| open.repeat(levels) + inner + &close.repeat(levels);
    let sources = [
        format!("a = {}\n", nested("(", "1", ")", 999)),
        format!("a = {}\n", nested("[", "1", "]", 999)),
        format!("a = {}\n", nested("{ b = ", "1", " }", 999)),
        format!("a = {}\n", nested("{ (b) = ", "1", " }", 499)),
        format!("a = {}\n", nested("\"x${", "1", "}\"", 499)),
        format!("a = \"{}\"\n", nested("%{ if a }", "x", "%{ endif }", 499)),
        format!("a = {}1\n", "-".repeat(999)),
        nested("a {\n", "b = 1\n", "}\n", 999),
        nested("a \"x\" \"y\" {\n", "", "}\n", 999),
        format!("a {} {{\n  b {{}}\n  c = 1\n}}\n", "\"x\" ".repeat(50_000)),
    ];
    for source in sources {
        on_a_thread(move || {
            let start: String = source.chars().take(40).collect();
            let file = hcl_lr::parse::<File>(&source).into_result().expect("it is right");
            let schema = ConversionSchema::of(file.body());
            // Each block may be several levels of JSON.
            let options = ParseOptions::new().max_nesting(200_000);
            for blocks in FORMS {
                let conversion =
                    ConversionOptions::new().with_blocks(blocks).with_schema(&schema).with_parse_options(options);
                let json = to_json(&file, &conversion).into_result().expect("it can be converted").text;
                let document =
                    options.parse::<hcl_lr::json::Document>(("a.json", json)).into_result().expect("it is JSON");
                let native = to_native(&document, &conversion).into_result().expect("it can be converted").text;
                let back = hcl_lr::parse::<File>(&native).into_result().unwrap_or_else(|why| panic!("{start}: {why}"));
                if blocks == JsonBlocks::Tagged {
                    assert!(body_to_json(file.body()) == body_to_json(back.body()), "{start}");
                }
            }
            // Five indented lines for each label.
            assert!(schema.to_string().len() < 60_000_000);
        });
    }
}

/// Whatever is done to a file, converting it does not panic; and what is accepted comes back.
#[test]
fn mutilated_files_are_converted_or_refused() {
    let mut texts: Vec<String> = Vec::new();
    for case in cases("convert") {
        let file = file_of(&case);
        texts.push(file.source().text().to_owned());
        for blocks in FORMS {
            texts.push(to_json(&file, &ConversionOptions::new().with_blocks(blocks)).into_result().expect("JSON").text);
        }
    }
    let pieces = [
        "{", "}", "[", "]", "\"", "${", "%{", "}", "~", "\\", "\n", "<<E\n", "null", "1", "$", " ", ",", ":", "=",
        "\u{e9}",
    ];
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize % limit
    };
    let (mut accepted, mut documents) = (0, 0);
    for _ in 0..1_500 {
        let mut text: Vec<char> = texts[next(texts.len())].chars().collect();
        for _ in 0..=next(3) {
            let at = next(text.len());
            let end = (at + next(6)).min(text.len());
            text.splice(at..end, pieces[next(pieces.len())].chars());
        }
        let text: String = text.into_iter().collect();
        let parse = hcl_lr::parse::<File>(&text);
        let schema = ConversionSchema::of(parse.value().body());
        let (document, _) = hcl_lr::parse::<Document>(("a.json", text.as_str())).into_parts();
        documents += usize::from(
            ParseOptions::new()
                .with_json_checks(true)
                .parse::<Document>(("a.json", text.as_str()))
                .into_result()
                .is_ok(),
        );
        json_to_json(&document);
        for blocks in FORMS {
            for strings in [JsonStrings::Template, JsonStrings::Literal] {
                let conversion =
                    ConversionOptions::new().with_blocks(blocks).with_strings(strings).with_schema(&schema);
                let _ = to_native(&document, &conversion);
                let _ = to_json(parse.value(), &conversion);
            }
            if !parse.diagnostics().has_errors() {
                accepted += 1;
                let back = there_and_back(parse.value(), blocks, true);
                assert!(!matches!(back, Back::Wrong(_)), "{text}\n{blocks:?} {back:?}");
            }
        }
    }
    assert!(accepted > 100 && documents > 50, "{accepted} {documents}");
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_it_comes_back() {
    let folder = needs::corpus();
    let manifest = fs::read_to_string(folder.join("manifest.jsonl")).expect("a list of the files");
    let (mut counts, mut json) = ([[0; 3]; 3], [0; 3]);
    let mut wrong = String::new();
    for line in manifest.lines() {
        let entry: Value = serde_json::from_str(line).expect("a line of JSON");
        if entry["syntax"] == "template" || entry["accepted"] != true {
            continue;
        }
        let path = folder.join(entry["path"].as_str().expect("a path"));
        if entry["syntax"] == "json" {
            match as_native(&path) {
                Back::Same => json[0] += 1,
                Back::Refused(_) => json[1] += 1,
                Back::Wrong(why) => {
                    json[2] += 1;
                    wrong += &format!("JSON {}: {why:.2000}\n", path.display());
                }
            }
            continue;
        }
        let file = parse(&path).unwrap_or_else(|| panic!("{} has errors", path.display()));
        for (form, blocks) in FORMS.into_iter().enumerate() {
            let back = there_and_back(&file, blocks, false);
            match back {
                Back::Same => counts[form][0] += 1,
                Back::Refused(why) => {
                    counts[form][1] += 1;
                    wrong += &format!("{blocks:?} refused: {why}\n");
                }
                Back::Wrong(why) => {
                    counts[form][2] += 1;
                    wrong += &format!("{blocks:?} {}: {why:.2000}\n", path.display());
                }
            }
        }
    }
    let names = FORMS.map(|form| format!("{form:?}")).into_iter().chain(["JSON to native".to_owned()]);
    let summary: String = names
        .zip(counts.into_iter().chain([json]))
        .map(|(name, [same, refused, wrong])| format!("{name}: {same} the same, {refused} refused, {wrong} wrong\n"))
        .collect();
    std::io::stderr().write_all(summary.as_bytes()).expect("standard error");
    assert!(counts.iter().chain([&json]).all(|[_, _, wrong]| *wrong == 0), "{summary}{wrong}");
    assert!(counts[2][1] == 0, "{summary}{wrong}");
}
