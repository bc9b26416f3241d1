//! New text from nothing: what is written reads back as what was given, and what cannot be written is
//! an error.

use hcl_lr::construct::{BuildError, NewBlock, NewBody, NewExpression, NewFor, NewTemplate};
use hcl_lr::format::format;
use hcl_lr::model::{Mark, Type, Value};
use hcl_lr::syntax::ast::{BinaryOperator, UnaryOperator};
use hcl_lr::{Body, Expression, File, ParseOptions, Scope, Syntax, Template, parse};

/// Reads the value of a text.
fn read(text: &str) -> Value {
    let expression = parse::<Expression>(format!("{text}\n")).into_result().expect("an expression");
    expression.evaluate(&Scope::new()).expect("a value")
}

#[test]
fn values_read_back() {
    let values = [
        Value::from("a \"b\" \\ ${c} %{d} $$ % \n\r\t\u{1}\u{feff}é"),
        Value::from("$"),
        Value::from(-7),
        Value::try_from(0.1).expect("a number"),
        Value::from(()),
        Value::from(true),
        Value::from(vec![Value::from(vec![1, 2]), Value::from(Vec::<Value>::new())]),
        Value::object([("a", Value::from(1)), ("for", Value::from("x")), ("b c", Value::from(())), ("1", 2.into())]),
        Value::object(Vec::<(&str, Value)>::new()),
        Value::from((0..100).map(|number| Value::from(1_000_000 + number)).collect::<Vec<_>>()),
    ];
    for value in values {
        let text = NewExpression::from(&value).text().expect("it can be written");
        assert_eq!(read(&text), value, "{text}");
    }
}

#[test]
fn heredocs_read_back() {
    for text in ["", "a\n", "  a\n\n b ${c} %{d}\n", "EOT\n EOF\nEND\n", "\n", "EOT\nEOF\nEND\nEOT1\n"] {
        let heredoc = NewExpression::heredoc(text).text().expect("it can be written");
        assert_eq!(read(&heredoc), Value::from(text), "{heredoc}");
    }
    for text in ["a", "a\r\n", "\u{1}\n"] {
        assert!(matches!(NewExpression::heredoc(text).text(), Err(BuildError::Heredoc(_))), "{text:?}");
    }
}

#[test]
fn templates_read_back() {
    let one = || NewExpression::from(1);
    for dollars in ["", "$", "$$", "a$$$", "%", "%%", "$%", "\n$"] {
        let template = NewTemplate::new().literal(dollars).interpolation(one()).literal("{");
        let text = template.quoted().text().expect("it can be written");
        assert_eq!(read(&text), Value::from(format!("{dollars}1{{")), "{text}");
    }
}

#[test]
fn what_cannot_be_written_is_an_error_that_says_where() {
    let error = |value: Value| NewExpression::from(value).text().expect_err("an error").to_string();
    assert_eq!(error(Value::unknown(Type::String)), "an unknown value cannot be written");
    let secret = Value::from(1).mark(Mark::new("secret"));
    let nested = Value::object([("a", Value::from(vec![Value::from(1), secret]))]);
    assert_eq!(error(nested), "a marked value cannot be written: it is at [\"a\"][1]");
    for name in ["", "1a", "a b", "a.b", "a\n"] {
        assert!(matches!(NewBody::new().attribute(name, 1).text(), Err(BuildError::Name(_))), "{name:?}");
        assert!(matches!(NewBlock::new(name).text(), Err(BuildError::Name(_))), "{name:?}");
        assert!(matches!(NewExpression::call(name, [1]).text(), Err(BuildError::Name(_))), "{name:?}");
    }
    assert!(matches!(NewExpression::parse("a b"), Err(BuildError::Syntax(_))));
    assert!(matches!(NewExpression::parse("1\nb = 2"), Err(BuildError::Syntax(_))));
    assert!(matches!(NewBody::new().comment("a\u{1}").text(), Err(BuildError::Comment(_))));
}

#[test]
fn bodies_are_in_canonical_form_and_say_what_was_given() {
    let label = "a \"b\" ${c}\n";
    let heredoc = NewExpression::heredoc("x\n");
    let values = [heredoc.clone(), NewExpression::object([("k", 1)]), NewExpression::from(2)];
    let call = NewExpression::call("ns::f", values.clone());
    let block = NewBlock::new("inner").label(label).attribute("list", NewExpression::list(values));
    let body = NewBody::new()
        .comment("One.\nTwo.")
        .attribute(
            "a",
            NewExpression::operation(NewExpression::parse("-x").expect("valid"), BinaryOperator::Subtract, -1),
        )
        .attribute(
            "long_name",
            NewExpression::conditional(true, heredoc, NewExpression::parse("a ? b : c").expect("valid")),
        )
        .block(NewBlock::new("outer").block(block).attribute("call", call))
        .blank_line()
        .attribute("z", 1);
    let text = body.text().expect("it can be written");
    assert_eq!(format(&text), text);
    let file = parse::<File>(text.as_str()).into_result().unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let outer = file.body().blocks().next().expect("a block");
    let inner = outer.body().blocks().next().expect("a block");
    assert_eq!(inner.labels().next().expect("a label").text(), label);
    assert_eq!(file.body().attributes().map(|attribute| attribute.name()).collect::<Vec<_>>(), ["a", "long_name", "z"]);
}

#[test]
fn every_kind_of_expression_has_a_constructor() {
    let name = NewExpression::variable;
    let each = || NewFor::new("v", name("l"));
    let body = NewTemplate::new().interpolation(name("v")).literal(";");
    let expressions = [
        (NewExpression::unary(UnaryOperator::Negate, name("a")), "-a"),
        (NewExpression::unary(UnaryOperator::Not, NewExpression::unary(UnaryOperator::Not, name("a"))), "!(!a)"),
        (NewExpression::operation(name("a"), BinaryOperator::Add, 1).parentheses(), "(a + 1)"),
        (name("a").splat().attribute("b").index(0), "a[*].b[0]"),
        (name("a").splat().attribute("b").parentheses().splat(), "(a[*].b)[*]"),
        (NewExpression::expanded_call("f", [name("a"), name("b")]), "f(a, b...)"),
        (NewExpression::object_with_keys([(name("a"), 1)]), "{\n  (a) = 1\n}"),
        (each().with_key("k").list(name("k")), "[for k, v in l : k]"),
        (each().with_condition(name("v")).object(name("v"), 1), "{ for v in l : v => 1 if v }"),
        (each().grouped(name("v"), name("v")), "{ for v in l : v => v... }"),
        (NewTemplate::new().if_directive(name("a"), NewTemplate::new().literal("b")).into(), "\"%{if a}b%{endif}\""),
        (NewTemplate::new().for_directive(&each(), body).into(), "\"%{for v in l}${v};%{endfor}\""),
    ];
    for (new, wanted) in expressions {
        let text = new.text().expect("it can be written");
        assert_eq!(text, wanted);
        // The text reads as one expression, a copy of which is the same text.
        let file = parse::<File>(format!("x = {text}\n")).into_result().expect("an expression");
        let copy = NewExpression::from(file.body().attribute("x").expect("x").expression());
        assert_eq!(copy.text().expect("it can be written"), wanted);
    }
    let conditional = NewTemplate::new().for_directive(&each().with_condition(true), NewTemplate::new());
    let errors = [
        (NewExpression::expanded_call("f", Vec::<Value>::new()), "a call that expands no argument cannot be written"),
        (conditional.quoted(), "a condition of a `for` directive cannot be written"),
        (each().with_key("a b").list(1), "\"a b\" is not an identifier, so it cannot be a name"),
    ];
    for (new, wanted) in errors {
        assert_eq!(new.text().expect_err("an error").to_string(), wanted);
    }
}

#[test]
fn what_was_read_in_either_syntax_can_be_built() {
    let json = |text: &str| -> Body {
        ParseOptions::default().with_syntax(Syntax::Json).parse(text).into_result().expect("valid JSON")
    };
    let native = |text: &str| -> Body { parse(text).into_result().expect("valid HCL") };
    let cases = [
        (json(r#"{"x": "${a + 1}"}"#), "a + 1", "(a + 1) * 2"),
        (json(r#"{"x": "${a.b}"}"#), "a.b", "a.b * 2"),
        (json(r#"{"x": "n-${a}"}"#), r#""n-${a}""#, r#""n-${a}" * 2"#),
        (json(r#"{"x": "$${a}"}"#), r#""$${a}""#, r#""$${a}" * 2"#),
        (
            json(r#"{"x": [1, {"k": "v"}]}"#),
            "[\n  1,\n  {\n    k = \"v\"\n  },\n]",
            "[\n  1,\n  {\n    k = \"v\"\n  },\n] * 2",
        ),
        (json(r#"{"x": -1}"#), "-1", "(-1) * 2"),
        (native("x = a ? b : c # why\n"), "a ? b : c", "(a ? b : c) * 2"),
        (native("x = [\n  # one\n  1,\n]\n"), "[\n  # one\n  1,\n]", "[\n  # one\n  1,\n] * 2"),
    ];
    for (body, wanted, product) in cases {
        let content = body.content_as_written().expect("it is written");
        let expression = content.attribute("x").expect("an attribute").expression();
        assert_eq!(NewExpression::from(expression).text().expect("a text"), wanted);
        assert_eq!(NewExpression::operation(expression, BinaryOperator::Multiply, 2).text().expect("a text"), product);
    }

    let value = Expression::of_value(Value::from(vec![1, 2]), hcl_lr::source::Place::nowhere());
    assert_eq!(NewExpression::from(&value).text().expect("a text"), "[1, 2]");
    let template: Template = parse("Hello, ${name}!").into_result().expect("a template");
    assert_eq!(NewExpression::from(&template).text().expect("a text"), r#""Hello, ${name}!""#);

    let text = "a = 1 # one\n\nb \"c\" {\n  # two\n  d = 2\n}\n";
    assert_eq!(NewBody::from(&native(text)).text().expect("a text"), text);
    let body = native(text);
    let content = body.content_as_written().expect("it is written");
    assert_eq!(NewBlock::from(&content.blocks()[0]).text().expect("a text"), "b \"c\" {\n  # two\n  d = 2\n}\n");
    let built = json(r#"{"a": 1, "b": {"c": {"d": 2}}}"#);
    assert_eq!(NewBody::from(&built).text().expect("a text"), "a = 1\nb = {\n  c = {\n    d = 2\n  }\n}\n");
    assert_eq!(NewBody::from(&built), NewBody::from(&built.clone()));
}

#[test]
fn what_is_read_is_debugged_in_one_line_and_as_a_tree_on_request() {
    let file = parse::<File>("a = f(1) +\\\n".replace("\\", " 2").as_str()).into_result().expect("a file");
    let node = file.body().attribute("a").expect("an attribute").expression();
    assert_eq!(format!("{node:?}"), "ExpressionNode(\"f(1) + 2\")");
    assert!(format!("{node:#?}").lines().count() > 3, "{node:#?}");
    assert_eq!(format!("{:?}", Expression::from(node)), "Expression(\"f(1) + 2\")");
    let template: Template = parse(format!("${{a}}\n{}", "x".repeat(100)).as_str()).into_result().expect("a template");
    assert_eq!(format!("{template:?}"), format!("Template(\"${{a}}\\n{}\"…)", "x".repeat(55)));
    assert_eq!(format!("{file:?}").lines().count(), 1);
}

#[test]
fn a_step_after_a_splat_is_one_of_its_value() {
    let splat = |text: &str| NewExpression::parse(text).expect("a splat");
    assert_eq!(splat("a[*].b").attribute("c").text().expect("a text"), "(a[*].b).c");
    assert_eq!(splat("a[*].b").index(0).text().expect("a text"), "(a[*].b)[0]");
    assert_eq!(splat("a.*.b").splat().text().expect("a text"), "(a.*.b)[*]");
}
