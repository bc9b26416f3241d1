//! Native syntax to JSON and back: nothing is lost on the way.
//!
//! `fixtures/convert/NAME.hcl` is a file in native syntax. It is converted in all ways that there
//! are, and what comes back must mean the same. The shared corpus, where it is at hand (in
//! `shared/corpus` beside the crate, or in the folder that `HCL_LR_CORPUS` names), is converted as well.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use hcl_lr::convert::{Blocks, Conversion, ConversionSchema, to_json, to_native};
use hcl_lr::json::parse_json_body;
use hcl_lr::model::Number;
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::{File, body_to_json};
use hcl_lr::syntax::{Options, parse_source};
use serde_json::{Value, json};

/// What a conversion there and back made of a file.
#[derive(Clone, Debug, PartialEq)]
enum Back {
    Same,
    /// There is no JSON in this form for it, and it was said why.
    Refused(String),
    Wrong(String),
}

fn there_and_back(file: &File, blocks: Blocks, comments: bool) -> Back {
    let schema = ConversionSchema::of(file.body());
    let conversion = Conversion { blocks, comments, schema: &schema, ..Conversion::default() };
    let json = match to_json(file, &conversion).into_result() {
        Ok(json) => json.text,
        Err(why) => return Back::Refused(why.to_string()),
    };
    let name = format!("{}.json", file.source().name());
    let document = match parse_json_body(Source::new(&name, json), &Options::default()).into_result() {
        Ok(document) => document,
        Err(why) => return Back::Wrong(format!("the JSON is wrong: {why}")),
    };
    let native = match to_native(&document, &conversion).into_result() {
        Ok(native) => native.text,
        Err(why) => return Back::Wrong(format!("the JSON cannot be converted back: {why}")),
    };
    let back = match hcl_lr::parse(native.as_str()).into_result() {
        Ok(back) => back,
        Err(why) => return Back::Wrong(format!("what came back is wrong: {why}\n{native}")),
    };
    let (before, after) = (tree(file, blocks), tree(&back, blocks));
    if before == after { Back::Same } else { Back::Wrong(format!("{before}\n{after}\n{native}")) }
}

/// What a file means, as far as the way of writing blocks promises to keep it.
fn tree(file: &File, blocks: Blocks) -> Value {
    let tree: Value = serde_json::from_str(&body_to_json(file.body())).expect("a tree");
    if blocks == Blocks::Tagged { tree } else { normal(tree, blocks == Blocks::Collapse) }
}

/// Of a tree, what JSON can say: an interpolation that stands alone is its expression, a name as a key
/// is a text, numbers are compared by value, and attributes stand in front of blocks. If `by_type`,
/// the blocks of a type stand together.
fn normal(tree: Value, by_type: bool) -> Value {
    let normal_all = |list: Vec<Value>| list.into_iter().map(|part| normal(part, by_type)).collect::<Vec<_>>();
    match tree {
        Value::Array(list) => {
            let mut list = normal_all(list);
            let is_item =
                |item: &Value| item.get("attr").is_some() && item.get("expr").is_some() || item.get("block").is_some();
            if list.iter().all(is_item) {
                list.sort_by_key(|item| item.get("block").is_some());
                if by_type {
                    let mut types: Vec<Value> = list.iter().map(|item| item["block"].clone()).collect();
                    types.dedup();
                    let mut first: Vec<Value> = Vec::new();
                    for name in types {
                        if !first.contains(&name) {
                            first.push(name);
                        }
                    }
                    list.sort_by_key(|item| first.iter().position(|name| *name == item["block"]));
                }
            }
            Value::Array(list)
        }
        Value::Object(mut object) => {
            if let Some(inner) = object.remove("wrap") {
                return normal(inner, by_type);
            }
            if let (Some(key), 1) = (object.get("key").and_then(Value::as_str), object.len()) {
                return json!({ "template": [{ "lit": key }] });
            }
            if let (Some(number), 1) = (object.get("number").and_then(Value::as_str), object.len()) {
                return json!({ "number": Number::parse(number).expect("a number").to_string() });
            }
            let parts = object.into_iter().map(|(name, part)| (name, normal(part, by_type)));
            Value::Object(parts.collect())
        }
        leaf => leaf,
    }
}

const FORMS: [Blocks; 3] = [Blocks::Array, Blocks::Collapse, Blocks::Tagged];

fn parse(path: &Path) -> Option<File> {
    let source = Source::from_bytes(&path.to_string_lossy(), fs::read(path).expect("a readable file"));
    parse_source(source, &Options::default()).into_result().ok()
}

#[test]
fn own_files_come_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/convert");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "hcl"));
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    for path in files {
        let file = parse(&path).unwrap_or_else(|| panic!("{} has errors", path.display()));
        for blocks in FORMS {
            for comments in [false, true] {
                let back = there_and_back(&file, blocks, comments);
                assert_eq!(back, Back::Same, "{} {blocks:?}", path.display());
            }
        }
    }
}

#[test]
fn the_corpus_comes_back() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus");
    let folder = PathBuf::from(std::env::var("HCL_LR_CORPUS").unwrap_or_else(|_| beside.to_owned()));
    let Ok(manifest) = fs::read_to_string(folder.join("manifest.jsonl")) else {
        let remark = "SKIPPED the_corpus_comes_back: the corpus is not at hand\n";
        std::io::stderr().write_all(remark.as_bytes()).expect("standard error");
        return;
    };
    let mut counts = [[0; 3]; 3];
    let mut wrong = String::new();
    for line in manifest.lines() {
        let entry: Value = serde_json::from_str(line).expect("a line of JSON");
        if entry["syntax"] != "native" || entry["accepted"] != true {
            continue;
        }
        let path = folder.join(entry["path"].as_str().expect("a path"));
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
    let summary: String = FORMS
        .iter()
        .zip(counts)
        .map(|(form, [same, refused, wrong])| format!("{form:?}: {same} the same, {refused} refused, {wrong} wrong\n"))
        .collect();
    std::io::stderr().write_all(summary.as_bytes()).expect("standard error");
    assert!(counts.iter().all(|[_, _, wrong]| *wrong == 0), "{summary}{wrong}");
    assert!(counts[2][1] == 0, "{summary}{wrong}");
}
