//! `crates/conformance/PROTOCOL.md` says what is answered, and `crates/conformance/schema.json` which requests and answers
//! there are.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::examples::{cases, suite};
use hcl_lr_conformance::answer;
use serde_json::{Value, json};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/conformance").join(name);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

fn ask(request: &Value) -> Value {
    serde_json::from_str(&answer(&request.to_string())).expect("JSON")
}

/// The examples of the protocol: a request, and the answer after an arrow.
fn examples() -> Vec<(Value, Value)> {
    let text = read("PROTOCOL.md");
    let fences = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().expect("its end"));
    let parsed = fences.map(|fence| {
        let (request, answer) = fence.split_once("→").unwrap_or_else(|| panic!("there is no answer: {fence}"));
        let json = |text: &str| serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}"));
        (json(request), json(answer))
    });
    parsed.collect()
}

/// An answer without the words of diagnostics, and without the places of content.
fn essential(mut answer: Value) -> Value {
    for diagnostic in answer["diags"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        diagnostic.retain(|name, _| !["summary", "detail"].contains(&name.as_str()));
    }
    fn without_places(content: &mut Value) {
        match content {
            Value::Object(members) => {
                let places = |name: &str| name.contains("range") || name.contains("missing") || name == "expr_start";
                members.retain(|name, _| !places(name) && name != "variables");
                members.values_mut().for_each(without_places);
            }
            Value::Array(elements) => elements.iter_mut().for_each(without_places),
            _ => {}
        }
    }
    if let Some(members) = answer.as_object_mut() {
        if members.get("diags").is_some_and(Value::is_null) {
            members.remove("diags");
        }
        members.get_mut("content").into_iter().for_each(without_places);
    }
    answer
}

#[test]
fn the_examples_of_the_protocol_are_answered_as_it_says() {
    let mut asked = HashSet::new();
    for (request, wanted) in examples() {
        assert_eq!(essential(ask(&request)), wanted, "{request}");
        asked.extend(request["op"].as_str().map(str::to_owned));
    }
    let about = ask(&json!({ "op": "about" }));
    let operations = about["operations"].as_array().expect("operations");
    let missing: Vec<&str> = operations.iter().filter_map(Value::as_str).filter(|op| !asked.contains(*op)).collect();
    assert!(missing.is_empty(), "the protocol has no example of {missing:?}");
}

#[test]
fn the_suite_and_its_answers_are_of_the_schema() {
    let schema: Value = serde_json::from_str(&read("schema.json")).expect("JSON");
    let fits = |part: &str, json: &Value| fits(&schema["$defs"][part], json, &schema);
    for line in suite().to_lines().expect("a suite").lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(fits("suite-line", &line), "{line}");
    }
    for case in cases(&suite()) {
        let answer = ask(&case.request);
        assert!(fits("answer", &answer), "{answer}");
    }
    for (request, answer) in examples() {
        let is_bad = ["bad_request", "unsupported"].iter().any(|name| answer.get(*name).is_some());
        assert_eq!(fits("request", &request), !is_bad, "{request}");
        assert!(fits("answer", &answer), "{answer}");
    }
}

/// The text outside of all tokens of a source is white space, or the byte order mark at its start. All examples that
/// are sources are checked, not only those that show their tokens.
#[test]
fn tokens_and_white_space_are_the_source() {
    let schema: Value = serde_json::from_str(&read("schema.json")).expect("JSON");
    let (mut asked, mut kinds) = (0, HashSet::new());
    for example in &suite().examples {
        let form = match &*example.kind {
            "hcl" => "config",
            kind @ ("expr" | "template") => kind,
            _ => continue,
        };
        let Ok(source) = String::from_utf8(example.source().expect("a source")) else { continue };
        let answer = ask(&json!({ "op": "tokens", "src": source, "as": form }));
        assert!(fits(&schema["$defs"]["answer"], &answer, &schema), "{answer}");
        let Some(tokens) = answer["tokens"].as_array() else {
            assert_eq!(answer["ok"], false, "{answer}");
            continue;
        };
        asked += 1;
        let mut rest = source.strip_prefix('\u{feff}').unwrap_or(&source);
        let mut last = "";
        for token in tokens {
            let (kind, text) = (token[0].as_str().expect("a kind"), token[1].as_str().expect("a text"));
            let at = rest.find(|first| first != ' ' && first != '\t').unwrap_or(rest.len());
            // White space at the beginning of a text belongs to it.
            let after = rest.strip_prefix(text).or_else(|| rest[at..].strip_prefix(text));
            rest = after.unwrap_or_else(|| panic!("{}: {token} is not at {rest:?}", example.id));
            assert!(!text.is_empty() && (kind != "text" || last != "text"), "{}: {answer}", example.id);
            kinds.insert(kind.to_owned());
            last = kind;
        }
        assert!(rest.trim_matches([' ', '\t']).is_empty(), "{}: {rest:?} is in no token", example.id);
    }
    assert!(asked > 1500, "only {asked} sources have tokens");
    // Each kind that the schema has is that of a token of some example.
    let known = schema["$defs"]["token"]["prefixItems"][0]["enum"].as_array().expect("kinds");
    let known: HashSet<String> = known.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    assert_eq!(kinds, known);
    let text = read("PROTOCOL.md");
    let (_, section) = text.split_once("### tokens").expect("the section");
    for kind in known {
        let named = kind.strip_suffix(" with strip").filter(|kind| kind.ends_with("start")).unwrap_or(&kind);
        assert!(section.contains(&format!("`{named}`")), "the protocol does not speak of {kind}");
    }
}

/// Requests that are not of the protocol are neither answered nor of the schema.
#[test]
fn bad_requests_are_refused() {
    let schema: Value = serde_json::from_str(&read("schema.json")).expect("JSON");
    for request in [
        json!({ "op": "config" }),
        json!({ "op": "config", "src": "", "src_base64": "" }),
        json!({ "op": "config", "src": 5 }),
        json!({ "op": "config", "src": "", "vars": {} }),
        json!({ "op": "expr", "src": "1", "eval": "yes" }),
        json!({ "op": "expr", "src": "1", "dialect": "loose" }),
        json!({ "op": "static", "src": "1" }),
        json!({ "op": "static", "src": "1", "want": "tree" }),
        json!({ "op": "tokens", "src": "1" }),
        json!({ "op": "tokens", "src": "1", "as": "json" }),
        json!({ "op": "type", "src": "string" }),
        json!({ "op": "convert", "value": true }),
        json!({ "op": "convert", "value": true, "type": "text" }),
        json!({ "op": "convert", "value": { "number": "1", "more": 2 }, "type": "string" }),
        json!({ "op": "echo", "value": 5 }),
        json!({ "op": "echo", "value": { "list": [], "of": "string", "size": 0 } }),
        json!({ "op": "echo", "value": { "unknown": "string", "refine": { "suffix": "a" } } }),
        json!({ "op": "echo", "value": { "marks": [5], "value": true } }),
        json!({ "op": "unify", "types": "string" }),
        json!({ "op": "content", "files": [] }),
        json!({ "op": "content", "files": [{ "name": "a" }], "schema": {} }),
        json!({ "op": "content", "files": [], "schema": { "attribute": [] } }),
        json!({ "op": "content", "files": [], "schema": { "attributes": [{ "required": true }] } }),
        json!({ "op": "decode", "files": [] }),
        json!({ "op": "about", "src": "" }),
    ] {
        assert!(ask(&request).get("bad_request").is_some(), "{request}\n{}", ask(&request));
        assert!(!fits(&schema["$defs"]["request"], &request, &schema), "{request}");
    }
}

/// Returns true if a value conforms to a schema. Only the keywords that this schema uses are known.
fn fits(schema: &Value, json: &Value, root: &Value) -> bool {
    let Value::Object(words) = schema else { return schema != false };
    words.iter().all(|(word, wanted)| match word.as_str() {
        "$ref" => {
            let name = wanted.as_str().and_then(|path| path.strip_prefix("#/$defs/")).expect("a definition");
            fits(&root["$defs"][name], json, root)
        }
        "type" => match wanted.as_str() {
            Some("string") => json.is_string(),
            Some("boolean") => json.is_boolean(),
            Some("integer") => json.is_i64() || json.is_u64(),
            Some("object") => json.is_object(),
            Some("array") => json.is_array(),
            other => panic!("the type {other:?}"),
        },
        "const" => json == wanted,
        "enum" => wanted.as_array().expect("a list").contains(json),
        "minimum" => json.as_i64() >= wanted.as_i64(),
        "anyOf" => wanted.as_array().expect("a list").iter().any(|schema| fits(schema, json, root)),
        "oneOf" => wanted.as_array().expect("a list").iter().filter(|schema| fits(schema, json, root)).count() == 1,
        "required" => {
            let names = wanted.as_array().expect("a list").iter().filter_map(Value::as_str);
            json.as_object().is_none_or(|members| names.into_iter().all(|name| members.contains_key(name)))
        }
        "properties" => json.as_object().is_none_or(|members| {
            members.iter().all(|(name, json)| wanted.get(name).is_none_or(|schema| fits(schema, json, root)))
        }),
        "additionalProperties" => json.as_object().is_none_or(|members| {
            let known = schema.get("properties");
            let mut others = members.iter().filter(|(name, _)| known.and_then(|known| known.get(*name)).is_none());
            others.all(|(_, json)| fits(wanted, json, root))
        }),
        "prefixItems" => json.as_array().is_none_or(|items| {
            items.iter().zip(wanted.as_array().expect("a list")).all(|(json, schema)| fits(schema, json, root))
        }),
        "items" => json.as_array().is_none_or(|items| {
            let first = schema["prefixItems"].as_array().map_or(0, Vec::len);
            items.iter().skip(first).all(|json| fits(wanted, json, root))
        }),
        "minItems" => json.as_array().is_none_or(|items| items.len() as u64 >= wanted.as_u64().expect("a number")),
        "description" | "title" => true,
        other => panic!("the word {other} of JSON Schema"),
    })
}
