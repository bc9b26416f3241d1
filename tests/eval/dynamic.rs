//! Dynamic blocks.
//!
//! `fixtures/dynamic/*.jsonl` has bodies with schemas, and what the official engine makes of them when
//! their dynamic blocks are expanded; they are asked by the operation `content` of the conformance
//! protocol. Where the two differ on purpose stands in `DIVERGENCES.md` and in a test here.
//! The cases of `fixtures/dynamic` have mistakes, with the messages.

use crate::support::golden::{Golden, cases, fixtures};
use crate::support::protocol::ask;
use differential::comparison::answers::same_value;
use hcl_lr::body::{Body, BodySchema};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::dynamic::expand;
use hcl_lr::model::{Type, Value};
use hcl_lr::{Scope, parse};
use serde_json::{Value as Json, json};

fn sorted(list: &Json) -> Vec<String> {
    let mut texts: Vec<String> = list.as_array().into_iter().flatten().map(Json::to_string).collect();
    texts.sort();
    texts
}

/// The places of the errors, each once.
fn places(answer: &Json) -> Vec<&Json> {
    let mut places: Vec<&Json> =
        answer["diags"].as_array().into_iter().flatten().map(|diagnostic| &diagnostic["range"]).collect();
    places.sort_by_key(|place| (place[0].to_string(), place[1][2].as_u64(), place[2][2].as_u64()));
    places.dedup();
    places
}

/// Removes the parts that are not recorded: the starts of expressions of values, and the place of a missing item, which
/// the official engine does not know for unknown bodies.
fn without_unrecorded(content: &mut Json) {
    match content {
        Json::Object(members) => {
            members.retain(|name, _| name != "expr_start" && name != "content_missing");
            members.values_mut().for_each(without_unrecorded);
        }
        Json::Array(elements) => elements.iter_mut().for_each(without_unrecorded),
        _ => {}
    }
}

/// Returns true if a label comes from something marked, which the official engine does not notice.
fn shows_marked_label(answer: &Json) -> bool {
    let diagnostics = answer["diags"].as_array().into_iter().flatten();
    let mut details = diagnostics.filter_map(|diagnostic| diagnostic["detail"].as_str());
    details.any(|detail| detail.starts_with("a label cannot be marked"))
}

#[test]
fn bodies_are_expanded_as_by_the_official_engine() {
    let (mut wrong, mut lines, mut errors, mut refused) = (Vec::new(), 0, 0, 0);
    for path in fixtures("dynamic", &["jsonl"]) {
        for line in std::fs::read_to_string(&path).expect("a readable fixture").lines() {
            let recorded: Json = serde_json::from_str(line).expect("a line of JSON");
            let (request, expected) = (&recorded["request"], &recorded["answer"]);
            let mut found = ask(request);
            without_unrecorded(&mut found["content"]);
            lines += 1;
            let mut same = found["ok"] == expected["ok"] && same_value(&found["content"], &expected["content"]);
            if expected["ok"] == true {
                let equal = |name: &str| sorted(&found[name]) == sorted(&expected[name]);
                same &= equal("variables") && equal("expand_variables");
            } else {
                // Here, more mistakes may be reported, but none is missed, nor another one first.
                errors += 1;
                let (all, theirs) = (places(&found), expected["places"].as_array().expect("places"));
                same &= theirs.iter().all(|place| all.contains(&place)) && theirs.contains(all[0]);
            }
            if shows_marked_label(&found) {
                refused += 1;
                same = true;
            }
            if !same {
                wrong.push(format!("{request}\n  expected {expected}\n  found    {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {lines} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused > 0 && refused <= 10, "{refused} have marked labels");
    assert!(lines >= 300 && errors >= 100 && errors * 4 < lines * 3, "{errors} of {lines} are errors");
}

#[test]
fn where_the_answers_differ_on_purpose() {
    let vars = json!({"ml": {"marks": ["m"], "value": {"list": ["p"], "of": "string"}}, "ul": {"unknown": ["list", "string"]}});
    let ask = |text: &str, inner: Json| {
        let schema = json!({"blocks": [{"type": "x", "labels": [], "body": inner}]});
        let files = json!([{"name": "a.hcl", "src": text}]);
        let answer = ask(&json!({"op": "content", "files": files, "schema": schema, "dynamic": true, "vars": vars}));
        assert_eq!(answer["ok"], true, "{answer}");
        answer["content"]["blocks"][0]["content"].clone()
    };
    // Attributes of any name see the iterators, too.
    let text = "dynamic \"x\" {\n  for_each = [1]\n  content {\n    v = x.key\n  }\n}\n";
    let found = ask(text, json!({"mode": "attributes"}));
    assert_eq!(found["attributes"]["v"]["value"], json!({"number": "0"}));
    // The rest of a body that is processed partially keeps its marks.
    let text = "dynamic \"x\" {\n  for_each = ml\n  content {\n    v = 1\n  }\n}\n";
    let found = ask(text, json!({"mode": "partial", "rest": {"attributes": [{"name": "v"}]}}));
    assert_eq!(found["rest"]["attributes"]["v"]["value"]["marks"], json!(["m"]));
    // And so do unknown attributes.
    let text = "dynamic \"x\" {\n  for_each = ul\n  content {\n    dynamic \"x\" {\n      for_each = ml\n      \
                content {\n        v = 1\n      }\n    }\n  }\n}\n";
    let inner = json!({"blocks": [{"type": "x", "labels": [], "body": {"attributes": [{"name": "v"}]}}]});
    let found = ask(text, inner);
    assert_eq!(found["blocks"][0]["content"]["attributes"]["v"]["value"]["marks"], json!(["m"]));
}

/// The schema of the fixtures with mistakes, at each level.
fn schema() -> BodySchema {
    BodySchema::new()
        .optional("value")
        .block("plain", &[])
        .block("labelled", &["name"])
        .block("pair", &["kind", "name"])
}

/// Processes a body and all blocks in it; returns the errors.
fn diagnose(body: &Body, scope: &Scope<'_>, found: &mut Diagnostics) {
    let content = body.content(&schema()).into_value_reporting_to(found);
    for attribute in content.attributes() {
        attribute.evaluate_partially(scope).report_to(found);
    }
    for block in content.blocks() {
        diagnose(block.body(), scope, found);
    }
}

#[test]
fn messages_are_as_recorded() {
    let scope = Scope::new()
        .with("names", vec!["a", "b"])
        .with("port", 8080)
        .with("nothing", Value::null(Type::Dynamic))
        .with("later", Value::unknown(Type::String))
        .with("secret", Value::from("hunter2").mark("sensitive"));
    let mut golden = Golden::new();
    for case in cases("dynamic") {
        let input = &case.fences[0];
        let body = parse::<Body>((&case.file_name(input), input.text())).into_result().expect("a file");
        let mut found = Diagnostics::new();
        diagnose(&expand(body, &scope), &scope, &mut found);
        golden.check_case(&case, "messages", &found.render());
    }
    golden.finish();
}

#[test]
fn a_body_can_be_expanded_without_variables() {
    let text = "dynamic \"plain\" {\n  for_each = [1, 2]\n  content {\n    value = plain.value\n  }\n}\n";
    let body = expand(parse::<Body>(("a.hcl", text)).into_result().expect("a body"), &Scope::new());
    let content = body.content(&schema()).into_result().expect("two blocks");
    let inner = content.blocks()[1].body().content(&schema()).into_result().expect("a value");
    let value = inner.attribute("value").expect("it is there").expression().evaluate(&Scope::new());
    assert_eq!(value.expect("a value"), Value::from(2));
}

#[test]
fn dynamic_blocks_nest_to_the_limit() {
    let work = || {
        let levels = 490;
        let open = "dynamic \"plain\" {\nfor_each = [1]\ncontent {\n";
        let text = open.repeat(levels) + "value = plain.value\n" + &"}\n}\n".repeat(levels);
        let mut body = expand(parse::<Body>(("a.hcl", text)).into_result().expect("a body"), &Scope::new());
        for _ in 0..levels {
            let content = body.content(&schema()).into_result().expect("a block");
            body = content.blocks()[0].body().clone();
        }
        let content = body.content(&schema()).into_result().expect("a value");
        let value = content.attribute("value").expect("it is there").expression().evaluate(&Scope::new());
        assert_eq!(value.expect("a value"), Value::from(1));
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}
