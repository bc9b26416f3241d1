//! Type expressions.
//!
//! `fixtures/types/defaults.jsonl` has constraints and values, with what the official engine makes
//! of them; they are asked by the operation `defaults` of the conformance protocol. What is wrong with
//! type expressions is in the cases of `fixtures/types` (each attribute is a constraint, those whose name
//! begins with `exact` are types), with the messages.

use std::path::Path;

use crate::support::golden::{Golden, cases};
use crate::support::protocol::ask;
use differential::comparison::answers::same_value;
use hcl_lr::body::Body;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Type, Value};
use hcl_lr::type_expr::{Constraint, read_constraint, read_type};
use hcl_lr::{Expression, parse};
use serde_json::Value as Json;

fn constraint(text: &str) -> Result<Constraint, Diagnostics> {
    let expression = parse::<Expression>(("type", text)).into_result()?;
    read_constraint(&expression)
}

#[test]
fn defaults_are_applied_as_by_the_official_engine() {
    let (mut wrong, mut lines, mut errors) = (Vec::new(), 0, 0);
    for line in include_str!("../fixtures/types/defaults.jsonl").lines() {
        let recorded: Json = serde_json::from_str(line).expect("a line of JSON");
        let (request, expected) = (&recorded["request"], &recorded["answer"]);
        let found = ask(request);
        lines += 1;
        let same = if expected["ok"] == true {
            found["type"] == expected["type"] && same_value(&expected["value"], &found["value"])
        } else {
            errors += 1;
            found["diags"][0]["range"] == expected["range"]
        };
        if found["ok"] != expected["ok"] || !same {
            wrong.push(format!("{request}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {lines} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(lines >= 300 && errors >= 10, "{errors} of {lines} are errors");
}

/// Renders the errors of the types in the attributes of a body.
fn diagnose(body: &Body) -> String {
    let attributes = body.attributes().into_result().expect("attributes only");
    let mut text = String::new();
    for attribute in &attributes {
        let found = match attribute.name().starts_with("exact") {
            true => read_type(attribute.expression()).map(|_| ()),
            false => read_constraint(attribute.expression()).map(|_| ()),
        };
        match found {
            Ok(()) => text.push_str(&format!("{}: no error\n\n", attribute.name())),
            Err(diagnostics) => text.push_str(&(diagnostics.render() + "\n")),
        }
    }
    text
}

#[test]
fn messages_are_as_recorded() {
    let mut golden = Golden::new();
    for case in cases("types") {
        let input = &case.fences[0];
        let body = parse::<Body>((&case.file_name(input), input.text())).into_result().expect("a file");
        golden.check_case(&case, "messages", &diagnose(&body));
    }
    golden.finish();
}

#[test]
fn a_type_as_text_is_a_type_expression() {
    let texts = [
        "string",
        "list(set(map(any)))",
        "tuple([bool, tuple([]), number])",
        "object({})",
        "object({a = list(string), b-c = object({d = bool}), null = optional(number), é = optional(any)})",
    ];
    for text in texts {
        assert_eq!(constraint(text).expect("a type").ty().describe(), text);
    }
    // No type expression has such attributes, but types may.
    let ty = Type::object([("a b", Type::Bool), ("1", Type::Bool)]);
    assert_eq!(ty.describe(), r#"object({"1" = bool, "a b" = bool})"#);
}

#[test]
fn the_function_convert() {
    let ask = |text: &str| {
        let vars = r#"{"m": {"tuple": ["1", {"marks": ["q"], "value": "2"}]}, "u": {"unknown": "string"}}"#;
        let vars: Json = serde_json::from_str(vars).expect("JSON");
        let request = serde_json::json!({
            "op": "expr", "src": text, "eval": true, "ast": false, "vars": vars, "functions": ["*"],
        });
        crate::support::protocol::ask(&request)
    };
    assert_eq!(ask("convert(\"1\", number)")["value"], serde_json::json!({"number": "1"}));
    assert_eq!(ask("convert(u, number)")["value"], serde_json::json!({"unknown": "number"}));
    assert_eq!(ask("convert(m, set(number))")["value"]["marks"], serde_json::json!(["q"]));
    assert_eq!(ask("convert({}, object({ a = optional(string) }))")["ok"], false);
    // Both arguments are looked at.
    assert_eq!(ask("convert(nope, nonsense)")["diags"].as_array().map(Vec::len), Some(2));
}

#[test]
fn types_and_defaults_nest_to_the_limit() {
    let work = || {
        let nested = |open: &str, inner: &str, close: &str, levels: usize| {
            constraint(&(open.repeat(levels) + inner + &close.repeat(levels)))
        };
        let deep = nested("list(", "string", ")", 999).expect("a type");
        assert_eq!(deep.ty().height(), 1_000);
        let deep = nested("object({ a = optional(", "bool", ", {}) })", 1).map(|_| ()).expect_err("no bool");
        assert_eq!(deep.iter().next().map(|d| d.code().as_str()), Some("invalid-default"));
        let open = "object({ a = optional(";
        let deep = nested(open, "object({ b = optional(number, 7) })", ", {}) })", 332).expect("a type");
        let value = deep.convert(&Value::object::<&str>([])).expect("it fits");
        assert_eq!(value.height(), 334);
        let deep = nested("map(", "object({ b = optional(number, 7) })", ")", 990).expect("a type");
        let none = Value::object::<&str>([]);
        let value = (0..990).fold(none, |inner, _| Value::object([("k", inner)]));
        assert_eq!(deep.convert(&value).expect("it fits").height(), 992);
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn values_of_programs_say_no_type() {
    use hcl_lr::body::Expression;
    use hcl_lr::source::Place;
    let expression = Expression::of_value(Value::from("string"), Place::nowhere());
    assert!(read_type(&expression).is_err());
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/types").is_dir());
}
