//! Continues `from_hcl_rs.rs` with the tests of hcl-rs about evaluation, formatting and templates.

use std::collections::BTreeMap;

use hcl_lr::construct::{NewBlock, NewBody, NewExpression, NewFor, NewTemplate};
use hcl_lr::eval::{Function, Parameter};
use hcl_lr::model::Type;
use hcl_lr::syntax::ast::BinaryOperator;
use hcl_lr::{Body, Expression, Scope, Template, Value, parse};

#[track_caller]
fn value(text: &str, scope: &Scope<'_>) -> Value {
    let expression: Expression = text.parse().expect("an expression");
    expression.evaluate(scope).unwrap_or_else(|why| panic!("{text}: {}", why.render()))
}

/// Each text has the value of the other one.
#[track_caller]
fn have_values(pairs: &[(&str, &str)]) {
    for (text, wanted) in pairs {
        assert_eq!(value(text, &Scope::new()), value(wanted, &Scope::new()), "{text}");
    }
}

/// The message of an expression that fails.
fn error(text: &str) -> String {
    let expression: Expression = text.parse().expect("an expression");
    expression.evaluate(&Scope::new()).expect_err("an error").to_string()
}

#[test]
fn operators_have_the_same_values() {
    have_values(&[
        ("6 / 4 * (2 + 1 / 4)", "3.375"),
        (r#""x" == "x""#, "true"),
        ("true || false", "true"),
        ("true && true", "true"),
        ("false && true", "false"),
        ("3 < 4", "true"),
        (r#"3 > 2 && "x" != null"#, "true"),
        (r#"true ? "on" : "off""#, r#""on""#),
        (r#"false ? "on" : "off""#, r#""off""#),
    ]);
    assert!(error(r#""maybe" ? 1 : 2"#).contains("bool"));
}

#[test]
fn loops_have_the_same_values() {
    have_values(&[
        ("[for n in [1, 2, 3, 4, 5] : n * 3 if n < 4]", "[3, 6, 9]"),
        (r#"{for k, v in {x = "1", y = "2", z = "3"} : v => k if k != "z"}"#, r#"{"1" = "x", "2" = "y"}"#),
        (r#"{for i, v in ["x", "y"] : "${i}" => v}"#, r#"{"0" = "x", "1" = "y"}"#),
        ("[for k, v in {x = 1, y = 2} : k]", r#"["x", "y"]"#),
        (r#"{for i, v in ["x", "y"] : i => v}"#, r#"{"0" = "x", "1" = "y"}"#),
        (r#"{for k, v in {x = 1, y = 2, z = 3} : "all" => v... if k != "z"}"#, "{all = [1, 2]}"),
    ]);
    assert!(error("{for v in [1] : null => true}").contains("null"));
}

#[test]
fn accesses_have_the_same_values() {
    have_values(&[
        ("[4, 5, 6].1", "5"),
        ("[4, 5, 6][2]", "6"),
        ("{a = [7, 8], b = []}.a", "[7, 8]"),
        ("{a = [7, 8], b = []}.a[1]", "8"),
        ("{a = [7, 8], b = []}[*].a", "[[7, 8]]"),
        ("[{a = 2}, {a = 1, b = 2}][*].a", "[2, 1]"),
        ("null[*].a", "[]"),
        ("{a = [7, 8], b = []}.*.a", "[[7, 8]]"),
        ("[{a = 2}, {a = 1, b = 2}].*.a", "[2, 1]"),
        ("null.*.a", "[]"),
        ("[{a = {b = [1, 2]}}, {a = {b = [10, 20]}}].*.a.b[1]", "[10, 20]"),
        ("[{a = {b = [1, 2]}}, {a = {b = [10, 20]}}][*].a.b[1]", "[2, 20]"),
    ]);
    assert!(error("[1, 2].7").contains('7'));
}

#[test]
fn functions_are_called_in_the_same_way() {
    let length = Function::new([Parameter::new("text", Type::String)], Type::Number, |call| {
        Ok(Value::from(call.argument(0).as_str().unwrap_or_default().len()))
    });
    let sum =
        Function::new([Parameter::new("a", Type::Number), Parameter::new("b", Type::Number)], Type::Number, |call| {
            let of = |index| i64::try_from(call.argument(index)).unwrap_or_default();
            Ok(Value::from(of(0) + of(1)))
        });
    let scope = Scope::new().with_function("length_of", length).with_function("sum", sum);
    assert_eq!(value(r#"sum(length_of("four"), 3)"#, &scope), Value::from(7));
}

#[test]
fn templates_have_the_same_texts() {
    let text = |template: &str, scope: &Scope<'_>| {
        parse::<Template>(template).into_result().expect("a template").render(scope).expect("a text")
    };
    assert_eq!(text("Dear ${name ~} !", &Scope::new().with("name", "Ada")), "Dear Ada!");
    let scope = Scope::new().with("what", " sort them").with("names", vec!["Ada", "Bob"]);
    let template = "Let's ${~ what ~} :\n%{ for name in names ~}\n* ${name}\n\n%{~ endfor ~}\n\nDone!\n\n";
    assert_eq!(text(template, &scope), "Let's sort them:\n* Ada\n* BobDone!\n\n".replace("BobD", "Bob\n\nD"));
    have_values(&[
        (r#""${2 + 2 == 4}""#, "true"),
        (r#""${1 + 1 * 3 / 4}""#, "1.75"),
        (r#""${(1 + 2) * 2 / 3}""#, "2"),
        (r#""${(1 + 2 * 2) / 4}""#, "1.25"),
    ]);
}

#[test]
fn single_interpolations_keep_their_type() {
    have_values(&[
        (r#""${null}""#, "null"),
        (r#""${"x"}""#, r#""x""#),
        (r#""${true}""#, "true"),
        (r#""${"${true}"}""#, "true"),
        (r#""${7}""#, "7"),
        (r#""${2.5}""#, "2.5"),
        (r#""${[1, 2]}""#, "[1, 2]"),
        (r#""${{ a = 1, b = 2 }}""#, "{a = 1, b = 2}"),
        (r#""${1 + 1 == 2 ? 3 : 4}""#, "3"),
        (r#""so ${true}""#, r#""so true""#),
        (r#""${""}${true}""#, r#""true""#),
        (r#""%{ for v in [true] }${v}%{ endfor }""#, r#""true""#),
    ]);
    assert_eq!(value(r#""${"${on}"}""#, &Scope::new().with("on", true)), Value::from(true));
}

#[test]
fn errors_have_places_in_place_of_the_expression_around() {
    let body = parse::<Body>("server {\n  tls = on ? \"yes\" : \"no\"\n}\n").into_result().expect("a body");
    let errors = hcl_lr::from_body::<BTreeMap<String, Value>>(&body, &Scope::new()).expect_err("an error");
    let error = errors.first().expect("an error");
    assert_eq!((error.code().as_str(), error.place().text()), ("variables-not-allowed", "on"));
}

#[test]
fn what_can_be_evaluated_in_place_is_simplified() {
    let simplified = |text: &str, scope: &Scope<'_>| {
        let (simplified, errors) = text.parse::<Expression>().expect("an expression").simplify(scope).into_parts();
        (simplified.to_string(), errors.len())
    };
    let known = Scope::new().with("known", 1);
    assert_eq!(simplified("ask()", &known), ("ask()".to_owned(), 1));
    assert_eq!(simplified("1 + 1", &known), ("2".to_owned(), 0));
    assert_eq!(simplified("1 + other", &known), ("1 + other".to_owned(), 1));
    let ask = Function::new([], Type::String, |_| Ok(Value::from("told")));
    let more = Scope::new().with("other", "x").with_function("ask", ask);
    assert_eq!(simplified("ask()", &more), ("\"told\"".to_owned(), 0));
    assert_eq!(simplified("other", &more), ("\"x\"".to_owned(), 0));
    // Only the chosen result matters.
    assert_eq!(simplified("1 < 2 ? do(1) : undo()", &known).1, 1);
}

#[test]
fn expressions_are_written_alike() {
    let name = NewExpression::variable;
    let pairs = [
        (
            NewExpression::call(
                "f",
                [NewExpression::list([1, 2]), NewExpression::parse("{ a = 1, b = 2 }").expect("an object")],
            ),
            "f([1, 2], { a = 1, b = 2 })",
        ),
        (
            NewExpression::expanded_call("f", [NewExpression::from(1), NewExpression::list(["two", "three"])]),
            r#"f(1, ["two", "three"]...)"#,
        ),
        (NewExpression::call("a::b::f", [1, 2]), "a::b::f(1, 2)"),
        (
            NewFor::new("x", name("list")).with_condition(name("x")).list(NewExpression::call("f", [name("x")])),
            "[for x in list : f(x) if x]",
        ),
        (
            NewFor::new("v", name("list"))
                .with_key("k")
                .with_condition(NewExpression::operation(
                    name("v"),
                    BinaryOperator::NotEqual,
                    Value::null(Type::Dynamic),
                ))
                .grouped(NewExpression::call("up", [name("k")]), NewExpression::call("down", [name("v")])),
            "{ for k, v in list : up(k) => down(v)... if v != null }",
        ),
        (NewExpression::conditional(name("ready"), "yes", "no"), r#"ready ? "yes" : "no""#),
        (NewExpression::operation(1, BinaryOperator::Add, 2), "1 + 2"),
        (name("x").parentheses(), "(x)"),
        (name("var").attribute("a").splat().attribute("b").index(1), "var.a[*].b[1]"),
    ];
    for (new, wanted) in pairs {
        assert_eq!(new.text().expect("a text"), wanted);
    }
    // The legacy forms `.*` and `.42` only by their text.
    assert_eq!(NewExpression::parse("a.*.b.42").and_then(|new| new.text()).expect("a text"), "a.*.b.42");
}

#[test]
fn bodies_are_written_in_one_layout() {
    let text = |body: NewBody| body.text().expect("a text");
    let nested = NewExpression::object([("b", "c")]);
    let object = NewExpression::object([("a", nested), ("d e", "f".into())]);
    assert_eq!(
        text(NewBody::new().attribute("o", object)),
        "o = {\n  a = {\n    b = \"c\"\n  }\n  \"d e\" = \"f\"\n}\n"
    );
    let list = NewExpression::list([NewExpression::from(1), NewExpression::list([2, 3])]);
    assert_eq!(text(NewBody::new().attribute("l", list)), "l = [1, [2, 3]]\n");
    assert_eq!(text(NewBody::new().block(NewBlock::new("nothing"))), "nothing {\n}\n");
    let heredoc = NewBlock::new("b").attribute("h", NewExpression::heredoc("one\n  two\n"));
    assert_eq!(text(NewBody::new().block(heredoc)), "b {\n  h = <<EOT\none\n  two\nEOT\n}\n");
    // Another marker and `<<-` only by the text.
    let indented = NewBody::new().parsed("b {\n  h = <<-END\n    one\n      two\n  END\n}\n");
    assert_eq!(text(indented), "b {\n  h = <<-END\n    one\n      two\n  END\n}\n");
}

#[test]
fn directives_are_written_without_strip_markers() {
    let name = NewExpression::variable;
    let is_all = NewExpression::operation(name("x"), BinaryOperator::Equal, "all");
    let other = NewTemplate::new().literal(" ").interpolation(name("x")).literal(".");
    let body = NewTemplate::new().literal("Hi").if_else_directive(is_all, NewTemplate::new().literal(" all!"), other);
    let template = NewTemplate::new().for_directive(&NewFor::new("x", name("xs")), body);
    let text = template.quoted().text().expect("a text");
    assert_eq!(text, r#""%{for x in xs}Hi%{if x == "all"} all!%{else} ${x}.%{endif}%{endfor}""#);
    // With strip markers by the text.
    let marked = "\"a ${b} %{~if c}d%{endif~}\"";
    assert_eq!(NewExpression::parse(marked).and_then(|new| new.text()).expect("a text"), marked);
}
