//! Bodies processed by schemas, in both syntaxes.
//!
//! A line of `fixtures/body/<topic>.jsonl` has `files` by name (`.json` is JSON; several are merged), a
//! `schema` (see `crates/conformance/src/content.rs`) and the `answer` of the official engine. Where
//! this library answers differently on purpose, `ours` says what it answers, and `why`.

use std::path::Path;

use crate::support::golden::{Golden, cases};
use hcl_lr::body::{Attributes, Body, BodyBuilder, BodySchema};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Mark, MarkSet, Value};
use hcl_lr::{Scope, parse};
use serde_json::{Value as Json, json};

fn ask(case: &Json) -> Json {
    let files = case["files"].as_object().expect("files");
    let files: Vec<Json> = files.iter().map(|(name, text)| json!({ "name": name, "src": text })).collect();
    let mut request = json!({ "op": "content", "files": files, "schema": case["schema"] });
    if let Some(variables) = case.get("vars") {
        request["vars"] = variables.clone();
    }
    crate::support::protocol::ask(&request)
}

/// Returns the places of errors, without duplicates: the official engine reports some twice.
fn problems(answer: &Json, nowhere: &Json) -> Vec<String> {
    let list = answer["diags"].as_array().expect("diagnostics");
    let place =
        |diagnostic: &Json| if diagnostic["range"].is_null() { nowhere.clone() } else { diagnostic["range"].clone() };
    let mut places: Vec<String> =
        list.iter().map(|diagnostic| format!("{} {}", diagnostic["severity"], place(diagnostic))).collect();
    places.sort();
    places.dedup();
    places
}

/// Adds places. The official engine has no place for missing items in merged bodies; this library uses that of the
/// first body.
fn with_places(mut content: Json, missing: &Json) -> Json {
    match &mut content {
        Json::Object(members) => {
            if members.get("content_missing") == Some(&json!(["", [0, 0, 0], [0, 0, 0]])) {
                members.insert("content_missing".to_owned(), missing.clone());
            }
            members.values_mut().for_each(|member| *member = with_places(member.take(), missing));
        }
        Json::Array(elements) => {
            elements.iter_mut().for_each(|element| *element = with_places(element.take(), missing))
        }
        _ => {}
    }
    content
}

#[test]
fn content_is_what_the_official_engine_finds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/body");
    let (mut wrong, mut count, mut differing) = (Vec::new(), 0, 0);
    for entry in folder.read_dir().expect("the fixtures") {
        let path = entry.expect("a readable entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        for (number, line) in text.lines().enumerate() {
            let case: Json = serde_json::from_str(line).expect("a line of JSON");
            let ours = ask(&case);
            let expected = case.get("ours").unwrap_or(&case["answer"]);
            count += 1;
            differing += usize::from(case.get("why").is_some());
            assert_eq!(case.get("ours").is_some(), case.get("why").is_some(), "{line}");
            let missing = &expected["content"]["missing"];
            let content = with_places(expected["content"].clone(), missing);
            for (what, expected, ours) in [
                ("verdict", expected["ok"].to_string(), ours["ok"].to_string()),
                ("problems", problems(expected, missing).join(", "), problems(&ours, missing).join(", ")),
                ("content", content.to_string(), ours["content"].to_string()),
            ] {
                if expected != ours {
                    let place = format!("{}:{}: {}", path.display(), number + 1, case["about"]);
                    wrong.push(format!("{place}: {what}\n  expected {expected}\n  but is   {ours}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 150 && differing * 5 < count, "{differing} of {count} differ from the official engine");
}

/// The texts at the places where the official engine would lose its way.
#[test]
fn places_in_strings_with_escape_sequences_are_exact() {
    let text = r#"{"a\u00e9": "\ud83d\ude00 \"x\"\n${ nope } \t %{ if \u0074rue }${1 +}%{ endif }"}"#;
    let parse = |text: &str| {
        let body = parse::<Body>(("in.json", text)).into_result().expect("good JSON");
        let attributes = body.attributes().into_result().expect("attributes");
        let attribute = attributes.iter().next().expect("an attribute").clone();
        let diagnostics = attribute.expression().evaluate(&Scope::new().with("x", 1)).expect_err("a mistake");
        diagnostics.iter().map(|found| text[found.span().range()].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(parse(text), ["}"], "what is expected after the plus sign");
    assert_eq!(parse(&text.replace("1 +", "1")), ["nope"]);
    assert_eq!(parse(r#"{"a": ["\n\n${try(nope.\u0061)}", {"\u0061${b}": 1}]}"#), [r"try(nope.\u0061)", "b"]);
}

#[test]
fn marks_of_property_names_are_passed_on() {
    let body = parse::<Body>(("in.json", r#"{"a": {"${k}": 1}}"#)).into_result().expect("good JSON");
    let attributes = body.attributes().into_result().expect("attributes");
    let scope = Scope::new().with("k", Value::from("name").mark(Mark::new("secret")));
    let value = attributes.get("a").expect("it is there").expression().evaluate(&scope).expect("a value");
    assert_eq!(value.marks().len(), 1);
    assert_eq!(value.unmark().0, Value::object([("name", Value::from(1))]));
}

/// All that is wrong with a body, processed by a schema as in `fixtures/body`.
fn problems_of(body: &Body, schema: &Json, scope: &Scope<'_>, found: &mut Diagnostics) {
    let list = |name: &str| schema[name].as_array().cloned().unwrap_or_default();
    let mut evaluate = |attributes: &Attributes| {
        attributes.iter().for_each(|attribute| {
            let _value = attribute.evaluate_partially(scope).into_value_reporting_to(found);
        });
    };
    if schema["mode"] == "attributes" {
        let outcome = body.attributes();
        evaluate(outcome.value());
        return drop(outcome.report_to(found));
    }
    let mut expected = BodySchema::new();
    for attribute in list("attributes") {
        let name = attribute["name"].as_str().expect("a name");
        expected = if attribute["required"] == true { expected.required(name) } else { expected.optional(name) };
    }
    for block in list("blocks") {
        let labels = block["labels"].as_array().expect("labels");
        let labels: Vec<&str> = labels.iter().filter_map(Json::as_str).collect();
        expected = expected.block(block["type"].as_str().expect("a type"), &labels);
    }
    let outcome = body.content(&expected);
    evaluate(outcome.value().attributes());
    for block in outcome.into_value_reporting_to(found).blocks() {
        let inner = list("blocks").into_iter().find(|inner| inner["type"] == block.block_type()).expect("the schema");
        problems_of(block.body(), &inner["body"], scope, found);
    }
}

/// A case of `fixtures/bodies` has files that are processed as one body, by its `schema`, and the messages about them.
#[test]
fn every_message_about_a_body_stands_in_a_fixture() {
    let mut golden = Golden::new();
    for case in cases("bodies") {
        let mut found = Diagnostics::new();
        let mut bodies = Vec::new();
        for (name, file) in case.files() {
            bodies.push(parse::<Body>((name, file.text())).into_value_reporting_to(&mut found));
        }
        let schema: Json = serde_json::from_str(case.text("schema")).expect("JSON");
        problems_of(&Body::merged(bodies), &schema, &Scope::new().with("name", "Ada"), &mut found);
        golden.check_case(&case, "messages", &found.render());
    }
    golden.finish();
}

/// The deepest part of a document is reached on the stack of a thread, also in a debug build.
#[test]
fn deep_documents_fit_the_stack() {
    let deep = |open: &str, close: &str, inner: &str| {
        // The body itself is a level, too.
        format!("{{\"a\": {}{inner}{}}}", open.repeat(998), close.repeat(998))
    };
    for text in [deep("[", "]", "\"${x}\""), deep("{\"b\": ", "}", "\"${x}\""), deep("[{\"${x}\": ", "}]", "1")] {
        let work = move || {
            let text =
                if text.contains("[{") { text.replacen("[{\"${x}\": ", "", 499).replacen("}]", "", 499) } else { text };
            let body = parse::<Body>(("in.json", text)).into_result().expect("good JSON");
            let attributes = body.attributes().into_result().expect("attributes");
            let expression = attributes.get("a").expect("it is there").expression();
            let value = expression.evaluate(&Scope::new().with("x", "name")).expect("a value");
            assert!(value.to_string().contains("name"));
            assert!(!expression.variables().is_empty());
            assert!(!format!("{expression:?}").is_empty());
            assert!(expression.static_list().is_ok() || expression.static_map().is_ok());
        };
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
        thread.expect("a thread").join().expect("no overflow");
    }
}

#[test]
fn parts_of_an_expression_keep_its_variables_and_marks() {
    let body = parse::<Body>(("in.hcl", "a = [x]\nb = { x = x }\nc = f(x)\n")).into_result().expect("a good file");
    let attributes = body.attributes().into_result().expect("attributes");
    let variables = std::sync::Arc::new(std::collections::HashMap::from([("x".to_owned(), Value::from(1))]));
    let marks = MarkSet::from(Mark::new("secret"));
    let get = |name| {
        let expression = attributes.get(name).expect("it is there").expression();
        expression.with_variables(variables.clone()).with_marks(&marks)
    };
    let parts = [
        get("a").static_list().expect("a list")[0].clone(),
        get("b").static_map().expect("a map")[0].1.clone(),
        get("c").static_call().expect("a call").arguments()[0].clone(),
    ];
    for part in parts {
        assert!(part.as_native().is_none(), "it is more than it is written");
        let value = part.evaluate(&Scope::new()).expect("it sees its variable");
        assert_eq!((value.unmark().0, value.marks().len()), (Value::from(1), 1));
    }
}

/// Returns bodies in native syntax, in JSON, merged, built by a program, and with expanded dynamic blocks.
fn bodies_of_all_kinds() -> Vec<(&'static str, Body)> {
    let parse = |name: &str, text: &str| parse::<Body>((name, text)).into_result().expect("a good file");
    let native = "a = 1\nb = 2\nk {\n  v = 1\n}\n";
    let json = r#"{"a": 1, "b": 2, "k": {"v": 1}}"#;
    let dynamic = "a = 1\nb = 2\ndynamic \"k\" {\n  for_each = [1]\n  content {\n    v = 1\n  }\n}\n";
    let dynamic_json = r#"{"a": 1, "b": 2, "dynamic": {"k": {"for_each": [1], "content": {"v": 1}}}}"#;
    let inner = BodyBuilder::new().attribute("v", 1).build();
    let expanded = |body| hcl_lr::dynamic::expand(body, &Scope::new());
    vec![
        ("native", parse("a.hcl", native)),
        ("JSON", parse("a.json", json)),
        ("merged", Body::merged([parse("a.hcl", "a = 1\n"), parse("b.json", r#"{"b": 2, "k": {"v": 1}}"#)])),
        ("built", BodyBuilder::new().attribute("a", 1).attribute("b", 2).block("k", &[], inner).build()),
        ("expanded", expanded(parse("a.hcl", dynamic))),
        ("expanded JSON", expanded(parse("a.json", dynamic_json))),
        ("merged and expanded", expanded(Body::merged([parse("a.hcl", "a = 1\n"), parse("b.hcl", &dynamic[6..])]))),
        ("expanded and merged", Body::merged([parse("a.hcl", "a = 1\n"), expanded(parse("b.hcl", &dynamic[6..]))])),
    ]
}

/// Attributes and blocks of the schema are not in the rest, however the rest is read.
#[test]
fn what_was_taken_is_gone_from_all_kinds_of_bodies() {
    let all = BodySchema::new().optional("a").optional("b").block("k", &[]);
    let names =
        |attributes: &Attributes| attributes.iter().map(|attribute| attribute.name().to_owned()).collect::<Vec<_>>();
    for (kind, body) in bodies_of_all_kinds() {
        let ask = |body: &Body, schema: &BodySchema| body.partial_content(schema).into_result().expect("the content");
        let (content, without_a) = ask(&body, &BodySchema::new().required("a"));
        assert_eq!((names(content.attributes()), content.blocks().len()), (vec!["a".to_owned()], 0), "{kind}");
        let (content, without_k) = ask(&without_a, &BodySchema::new().optional("a").block("k", &[]));
        assert_eq!((content.attributes().len(), content.blocks().len()), (0, 1), "{kind}: nothing is taken twice");
        // Asking again, by name or not.
        let content = without_k.content(&all).into_result().unwrap_or_else(|why| panic!("{kind}: {why:?}"));
        assert_eq!((names(content.attributes()), content.blocks().len()), (vec!["b".to_owned()], 0), "{kind}");
        let again = without_k.content(&BodySchema::new().required("a").optional("b"));
        let codes: Vec<_> = again.diagnostics().iter().map(|found| found.code().as_str()).collect();
        assert_eq!(codes, ["required-argument"], "{kind}");
        let attributes = without_k.attributes().into_result().unwrap_or_else(|why| panic!("{kind}: {why:?}"));
        assert_eq!(names(&attributes), ["b"], "{kind}");
        // The block has not been requested yet. It is not an attribute, except in JSON, where this is ambiguous.
        let (attributes, diagnostics) = without_a.attributes().into_parts();
        match kind {
            "JSON" | "merged" | "expanded JSON" => assert_eq!(attributes.len(), 2, "{kind}"),
            _ => {
                assert_eq!(names(&attributes), ["b"], "{kind}");
                let codes: Vec<_> = diagnostics.iter().map(|found| found.code().as_str()).collect();
                assert_eq!(codes, ["unexpected-block"], "{kind}");
            }
        }
    }
}

/// In JSON this is ambiguous, and the official engine takes it for the attribute.
#[test]
fn a_name_of_an_attribute_and_of_blocks_is_the_attribute_in_json() {
    let schema = BodySchema::new().optional("a").block("a", &[]);
    for (file, found) in [
        (("a.json", "{\"a\": 1}"), (1, 0)),
        (("a.json", "{\"a\": {\"v\": 1}}"), (1, 0)),
        (("a.json", "{\"a\": [{}, {}]}"), (1, 0)),
        (("a.hcl", "a = 1\na {}\n"), (1, 1)),
    ] {
        let content = parse::<Body>(file).into_result().expect("a good file").content(&schema).into_result();
        let content = content.unwrap_or_else(|why| panic!("{file:?}: {why:?}"));
        assert_eq!((content.attributes().len(), content.blocks().len()), found, "{file:?}");
    }
}
