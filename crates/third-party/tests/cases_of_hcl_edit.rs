//! The behaviour that the tests and examples of hcl-edit 0.10 show, in this crate's words. `docs/moving-from-hcl-edit.md` says of each of
//! them whether it is the same here, and why not.

use hcl_lr::construct::{NewBlock, NewBody, NewExpression, NewTemplate};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BinaryOperator, BodyItem, ExpressionKind, ExpressionNode, TemplatePart, Visitor, Walk};
use hcl_lr::{Body, Diagnostics, Expression, File, Scope, Template, Value, parse};
use hcl_lr_edit::Editor;

fn file(text: &str) -> File {
    parse::<File>(text).into_result().unwrap_or_else(|errors| panic!("{}", errors.render()))
}

fn errors(text: &str) -> Diagnostics {
    parse::<File>(text).into_result().expect_err("errors")
}

/// The places of the errors: line and column.
fn places(text: &str) -> Vec<(usize, usize)> {
    errors(text).iter().map(|error| (error.position().line, error.position().column)).collect()
}

/// The value of the attribute `x`, and the text of a part of it.
fn expression(file: &File) -> ExpressionNode<'_> {
    file.body().attribute("x").expect("an attribute").expression()
}

fn is(file: &File, span: Span, text: &str) {
    assert_eq!(&file.source().text()[span.range()], text);
}

/// Each text is an expression.
fn are_right(expressions: &[&str]) {
    for text in expressions {
        file(&format!("x = {text}\n"));
    }
}

fn are_wrong(expressions: &[&str]) {
    for text in expressions {
        let _ = errors(&format!("x = {text}\n"));
    }
}

#[test]
fn errors_in_bodies_have_a_place() {
    assert_eq!(places("port = 80\nhost ["), [(2, 1), (2, 7)]);
    assert_eq!(places("port = 80\nport = 81\n"), [(2, 1)]);
    for text in ["service {", "service \"web\" {", "service { port }\n", "service { [ }\n"] {
        assert_eq!(errors(text).first().expect("an error").position().line, 1, "{text}");
    }
}

#[test]
fn errors_in_expressions_have_a_place() {
    assert_eq!(places("port = ''\n"), [(1, 8)]);
    are_wrong(&["var.%", "{ a = \"\"\" }", "{ a = }", "[1", "%", "a ? b", "f(1"]);
}

#[test]
fn a_key_twice_is_a_warning_of_the_evaluation() {
    let text = "x = { port = 1, port = 2 }\n";
    assert!(!parse::<File>(text).has_errors());
    let body = parse::<Body>(text).into_result().expect("a body");
    let content = body.content_as_written().expect("it is written");
    let value = content.attribute("x").expect("x").evaluate_partially(&Scope::new());
    assert_eq!(value.value().get("port"), Some(&Value::from(2)));
}

#[test]
fn nesting_has_a_limit_with_a_place() {
    let deep = |levels: usize| format!("x = {}1{}\n", "[".repeat(levels), "]".repeat(levels));
    file(&deep(500));
    assert_eq!(errors(&deep(2_000)).first().expect("an error").position().line, 1);
    let blocks = |levels: usize| format!("{}{}", "a {\n".repeat(levels), "}\n".repeat(levels));
    file(&blocks(500));
    let _ = errors(&blocks(2_000));
}

#[test]
fn chains_of_operators_have_no_limit() {
    let text = format!("x = 1{}\n", " + 1".repeat(10_000));
    let parsed: Expression = parse(text["x = ".len()..].trim()).into_result().expect("an expression");
    assert_eq!(parsed.evaluate(&Scope::new()).expect("a value"), Value::from(10_001));
}

#[test]
fn strings_are_escaped_and_read_back() {
    for text in ["${user}", "a\u{8}b\u{c}c", "\\/"] {
        let written = NewExpression::from(text).text().expect("a text");
        let read: Expression = written.parse().expect("an expression");
        assert_eq!(read.as_str().as_deref(), Some(text));
    }
    assert_eq!(NewExpression::from("${user}").text().expect("a text"), "\"$${user}\"");
    are_wrong(&[r#""\b""#, r#""\f""#, r#""\/""#]);
}

#[test]
fn escaped_sequences_in_templates_are_text() {
    let template: Template = parse("$${one} ${two} $${three} $$FOUR\n$FIVE").into_result().expect("a template");
    let parts: Vec<String> = template
        .as_template()
        .expect("a template")
        .parts()
        .map(|part| match part {
            TemplatePart::Literal(text, _) => text.into_owned(),
            TemplatePart::Interpolation(inner) => format!("<{}>", inner.text()),
            _ => panic!("a directive"),
        })
        .collect();
    assert_eq!(parts.concat(), "${one} <two> ${three} $$FOUR\n$FIVE");
}

#[test]
fn the_end_of_a_file_stays_as_it_is() {
    for text in ["service {\nname = \"a\"\n}\nport = 80", "service {\nname = \"a\"\n}\nport = 80\n"] {
        assert_eq!(file(text).source().text(), text);
        let file = file(text);
        let mut editor = Editor::new(&file);
        editor.set(file.body().attribute("port").expect("a port"), 81);
        assert_eq!(editor.finish().expect("an edit").text(), text.replace("80", "81"));
    }
    // New files end with a line break.
    let new = NewBody::new().block(NewBlock::new("service").attribute("name", "a")).attribute("port", 80);
    assert_eq!(new.text().expect("a text"), "service {\n  name = \"a\"\n}\n\nport = 80\n");
}

#[test]
fn comments_may_follow_a_value_at_once() {
    file("x {\n  y = {\n    a = b// one\n    c = d // two\n  }\n}\n");
}

#[test]
fn every_name_has_a_span() {
    let text = "port = base\nservice {}\nservice \"web\" {}\n";
    let file = file(text);
    for item in file.body().items() {
        match item {
            BodyItem::Attribute(attribute) => is(&file, attribute.name_token().span(), attribute.name()),
            BodyItem::Block(block) => is(&file, block.type_token().span(), block.block_type()),
            _ => panic!("an error"),
        }
    }
}

#[test]
fn expressions_go_on_in_brackets_only() {
    are_right(&["(a ? b : c)", "(1 > 2)", "(a.b[2])"]);
    are_right(&[
        "(a ?\n  b :\n  c\n)",
        "(\n1\n>\n2\n)",
        "(\na\n.b\n[2]\n)",
        "a[\nb &&\nc ? 0 :\n1\n]",
        "\"a-${\nb &&\nc\n}\"",
    ]);
    are_wrong(&["a ?\n  b :\n  c", "1\n>\n2", "a\n.b\n[2]"]);
    are_right(&["f(\na\n? b\n: c\n)", "f(\n1\n>\n2\n)", "[\na\n? b\n: c\n]", "[\na.b\n|| c\n]", "[\na\n.b\n[2]\n]"]);
    are_right(&[
        "[\nfor a in f(10) :\nb.c\nif a > 5\n|| d\n]",
        "{\nfor a in f(1) :\na => b...\n}",
        "{\nfor\na in [1] :\na => a\n}",
        "{\nfor a in b.c :\na.d => a.e...\nif a.d != null\n&& !f(a.d, \"g/\")\n}",
    ]);
    are_wrong(&["{\na = b\n? c\n: d\n}", "{\na = 1\n>\n2\n}"]);
}

#[test]
fn names_have_letters_of_all_scripts() {
    file("x {\n  né = 4\n}\noutput \"ñandú\" {\n  value = x.né\n}\n");
}

#[test]
fn operators_bind_as_in_the_specification() {
    let file = file("x = 2 + 1 == 3 ? 4 : 5\n");
    let ExpressionKind::Conditional(conditional) = expression(&file).kind() else { panic!("no conditional") };
    let ExpressionKind::Binary(equal) = conditional.predicate().kind() else { panic!("no operation") };
    assert_eq!((equal.operator(), equal.left().text()), (BinaryOperator::Equal, "2 + 1"));
}

#[test]
fn nothing_is_no_expression() {
    assert!(parse::<Expression>("").into_result().is_err());
    assert!(NewExpression::parse("").is_err());
}

#[test]
fn the_least_number_of_64_bits_is_exact() {
    let text = i64::MIN.to_string();
    let value = parse::<Expression>(text.as_str()).into_result().expect("a number").evaluate(&Scope::new());
    assert_eq!(value.expect("a value"), Value::from(i64::MIN));
    assert_eq!(NewExpression::from(i64::MIN).text().expect("a text"), text);
}

#[test]
fn keywords_as_keys_read_back() {
    for key in ["true", "false", "null", "for"] {
        let text = NewExpression::object([(key, 1)]).text().expect("a text");
        let read: Expression = text.parse().expect("an object");
        assert_eq!(read.evaluate(&Scope::new()).expect("a value").get(key), Some(&Value::from(1)), "{text}");
    }
}

#[test]
fn parts_of_expressions_have_spans() {
    let number = file("x = 42\n");
    is(&number, expression(&number).span(), "42");

    let sum = file("x = 1 + 2 + 3 * 4\n");
    let ExpressionKind::Binary(outer) = expression(&sum).kind() else { panic!("no operation") };
    is(&sum, outer.left().span(), "1 + 2");
    is(&sum, outer.operator_span(), "+");
    is(&sum, outer.right().span(), "3 * 4");
    let ExpressionKind::Binary(inner) = outer.right().kind() else { panic!("no operation") };
    is(&sum, inner.operator_span(), "*");

    let not = file("x = ! y\n");
    let ExpressionKind::Unary(unary) = expression(&not).kind() else { panic!("no operation") };
    is(&not, unary.operator_span(), "!");
    is(&not, unary.operand().span(), "y");

    let either = file("x = a ? b : c\n");
    let ExpressionKind::Conditional(conditional) = expression(&either).kind() else { panic!("no conditional") };
    is(&either, conditional.predicate().span(), "a");
    is(&either, conditional.true_result().span(), "b");
    is(&either, conditional.false_result().span(), "c");

    let path = file("x = a.b [0]\n");
    let ExpressionKind::Traversal(traversal) = expression(&path).kind() else { panic!("no traversal") };
    is(&path, expression(&path).span(), "a.b [0]");
    is(&path, traversal.root().span(), "a");
    assert_eq!(traversal.steps().len(), 2);
}

/// Removes quotes around a single interpolation.
#[test]
fn interpolations_are_unwrapped() {
    struct Unwrap<'t>(Vec<(ExpressionNode<'t>, ExpressionNode<'t>)>);
    impl<'t> Visitor<'t> for Unwrap<'t> {
        fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
            if let ExpressionKind::Template(template) = expression.kind()
                && let Some(inner) = template.unwrapped()
            {
                self.0.push((expression, inner));
                return Walk::Over;
            }
            Walk::Into
        }
    }
    let file = file("a = \"${b}\"\nc = [\"${f(d)}\", \"e-${f}\"] # stays\n");
    let mut found = Unwrap(Vec::new());
    file.body().walk(&mut found);
    let mut editor = Editor::new(&file);
    for (outer, inner) in found.0 {
        editor.unwrap(outer, inner);
    }
    assert_eq!(editor.finish().expect("edits").text(), "a = b\nc = [f(d), \"e-${f}\"] # stays\n");
}

#[test]
fn templates_are_built_from_parts() {
    let built = NewTemplate::new().literal("${one} ").interpolation(NewExpression::variable("two")).literal(" $$");
    let text = built.quoted().text().expect("a text");
    assert_eq!(text, "\"$${one} ${two} $$\"");
}

/// The page names each test here, and no other.
#[test]
fn the_page_names_these_tests() {
    let page = include_str!("../../../docs/moving-from-hcl-edit.md");
    let (_, cases) = page.split_once("## The cases of its tests").expect("the section");
    let tests: Vec<&str> = include_str!("cases_of_hcl_edit.rs")
        .split("#[test]\nfn ")
        .skip(1)
        .filter_map(|test| test.split('(').next())
        .filter(|name| *name != "the_page_names_these_tests")
        .collect();
    assert_eq!(tests.len(), 19);
    for name in tests {
        assert!(cases.contains(&format!("`{name}`")), "the page does not name `{name}`");
    }
}
