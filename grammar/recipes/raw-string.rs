//! `r"…"` is text without escapes and sequences, also as the key of an object.

use hcl_lr::Value;
use hcl_lr::convert::{ConversionOptions, to_json};
use hcl_lr::format::format;
use recipes::{check_nesting, errors, file, tree, value, variables};

fn main() {
    assert_eq!(tree("x = r\"a\\d${b}\"\n"), "Body, Attribute x, Literal r\"a\\d${b}\"");
    assert_eq!(value(r#"r"C:\new ${a} %{ if %%{""#), Value::from("C:\\new ${a} %{ if %%{"));
    assert_eq!(value(r#"[r"", r"é", "${r"\"}", r"\"]"#), Value::tuple(["", "é", "\\", "\\"].map(Value::from)));
    let object = Value::object([("a\\b", Value::from(1)), ("r", Value::from(2))]);
    assert_eq!(value(r#"{ r"a\b" = 1, r = 2 }"#), object);
    assert_eq!(value(r#"{ r"a\b" = 1 }[r"a\b"]"#), Value::from(1));
    assert_eq!(variables(r#"[r"${a}", "${b}"]"#), ["b"]);

    let outcome = hcl_lr::parse::<hcl_lr::File>("x = { r\"a\" = 1, \"a\" = 2 }\n");
    assert_eq!(recipes::in_words(outcome.diagnostics()), ["duplicate-key: this replaces the earlier value of `a`"]);
    assert_eq!(errors("x = r\"a\\\n"), ["unclosed-string: the string is not closed before the end of the line"]);
    assert_eq!(
        errors("x = r\"a\" \"b\"\n"),
        ["extra-after-expression: a string is unexpected after the end of the value"]
    );
    check_nesting(|depth| format!("x = {}r\"\\\"{}\n", "[".repeat(depth), "]".repeat(depth)));

    // As before, a block may have the type `r`, and a variable the name.
    assert_eq!(file("r\"a\\\"b\" {}\n").body().blocks().next().expect("a block").labels().count(), 1);
    assert_eq!(tree("x = r\n"), "Body, Attribute x, Variable r");
    assert_eq!(format("r\"a\\\"b\" {}\nx=[r\"\\\",r\"b\"]\n"), "r \"a\\\"b\" {}\nx = [r\"\\\", r\"b\"]\n");
    assert_eq!(format("x={\nr\"\\\"=1\nbc=2\n}\n"), "x = {\n  r\"\\\" = 1\n  bc   = 2\n}\n");
    let json = to_json(&file("x = r\"\\d\"\n"), &ConversionOptions::default()).into_result().expect("JSON");
    assert_eq!(json.text.trim(), "{\n  \"x\": \"\\\\d\"\n}");
}
