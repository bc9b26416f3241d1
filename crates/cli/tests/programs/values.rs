//! Values as text: whoever writes one, it is read again as the same value.

use std::io::Write;
use std::process::{Command, Stdio};

use hcl_lr::construct::NewExpression;
use hcl_lr::model::{Type, Value};
use hcl_lr::{Expression, File, Scope, parse};
use serde_json::{Value as Json, json};

use crate::support::lines::ask_program;
use crate::support::needs;

/// Names that must stand in quotes, or look as if they had to.
const NAMES: [&str; 22] = [
    "a",
    "_",
    "for",
    "if",
    "in",
    "null",
    "true",
    "",
    "1a",
    "-",
    "a b",
    "a.b",
    "größe-2",
    "a²",
    "\u{107bb}",
    "a\u{558}",
    "${x}",
    "%{x}",
    "\"",
    "\\",
    "a\nb",
    "\u{feff}a",
];

/// The names with texts that fit in a line, or do not.
fn values() -> Vec<Value> {
    let texts =
        |width: usize| move |name: &&str| (name.to_string(), Value::from(format!("{name}{}", "x".repeat(width))));
    let mut all = Vec::new();
    for width in [0, 60] {
        all.extend(NAMES.iter().map(texts(width)).map(|text| Value::object([text])));
        all.push(Value::object(NAMES.iter().map(texts(width))));
        let object = Value::object(NAMES.iter().map(texts(width)));
        all.push(Value::tuple([Value::object([("for", object)]), Value::from(15), Value::null(Type::Dynamic)]));
    }
    all
}

fn read(text: &str) -> Value {
    let expression = parse::<Expression>(("value", format!("{text}\n"))).into_result();
    let expression = expression.unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    expression.evaluate(&Scope::new()).unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

/// The text that each writer makes of a value, as that of an expression.
fn written(value: &Value) -> Vec<(&'static str, String)> {
    let scope = Scope::new().with("v", value.clone()).with("u", Value::unknown(Type::String));
    let simplified = parse::<Expression>("[v, u]").into_result().expect("an expression").simplify(&scope).into_value();
    let inner = simplified.to_string();
    let inner = inner.strip_prefix('[').and_then(|text| text.strip_suffix(", u]")).expect("the value").to_owned();
    let attribute = |text: String| {
        let file = parse::<File>(text).into_result().expect("a file");
        file.body().attribute("x").expect("the attribute").expression().text().to_owned()
    };
    vec![
        ("Display", value.to_string()),
        ("Display over lines", format!("{value:#}")),
        ("build", NewExpression::from(value.clone()).text().expect("a text")),
        ("serde", attribute(hcl_lr::to_string(&std::collections::BTreeMap::from([("x", value)])).expect("a text"))),
        ("simplify", inner),
    ]
}

fn hcl(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("it reads its input");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn all_writers_write_what_is_read_as_the_same() {
    written_and_read();
}

/// The official engine reads what is written.
#[test]
#[ignore = "needs engine"]
fn needs_engine_it_reads_what_is_written() {
    let texts = written_and_read();
    let request = |text: &String| json!({"op": "expr", "src": text, "eval": true, "ast": false});
    let requests: Vec<Json> = texts.iter().map(request).collect();
    for (text, answer) in texts.iter().zip(ask_program(&needs::engine(), &requests)) {
        assert_eq!(answer["ok"], true, "{text}\n{answer}");
    }
}

/// Asserts that all writers write values as what is read as the same, and returns the texts.
fn written_and_read() -> Vec<String> {
    let mut texts = Vec::new();
    for value in values() {
        for (writer, text) in written(&value) {
            assert_eq!(read(&text), value, "{writer}: {text}");
            texts.push(text);
        }
    }
    texts
}

#[test]
fn programs_print_what_is_read_as_the_same() {
    for value in values() {
        let file = format!("x = {}\ny = later\n", value);
        let body = |text: String| {
            let file = parse::<File>(text).into_result().expect("a file");
            let attribute = file.body().attribute("x").expect("the attribute");
            read(attribute.expression().text())
        };
        assert_eq!(body(hcl(&["eval", "-"], &format!("x = {value}\n"))), value);
        assert_eq!(body(hcl(&["eval", "-", "--var", "later=1"], &file)), value);
        assert_eq!(read(&hcl(&["get", "x", "-"], &file)), value, "get");
        let json = hcl(&["eval", "-", "--expr", "[x]"], &format!("x = {value}\n"));
        assert_eq!(read(&json), Value::tuple([value]), "eval --expr");
    }
}
