//! A program for each row of `docs/moving-from-hcl-edit.md` about calls, with hcl-edit and with this library.
//!
//! hcl-edit prints new parts without blanks, so its results are compared in canonical form.

use hcl_edit::expr::{self as theirs, Expression};
use hcl_edit::structure::{Attribute, Block, Body};
use hcl_edit::visit_mut::{VisitMut, visit_expr_mut};
use hcl_edit::{Decorate, Ident};
use hcl_lr::construct::{NewBlock, NewExpression, NewFor, NewTemplate};
use hcl_lr::format::format;
use hcl_lr::syntax::ast::{BinaryOperator, ExpressionKind, ExpressionNode, ObjectNode, UnaryOperator};
use hcl_lr::{File, parse};
use hcl_lr_edit::{Editor, InsertionPoint, NewItem};

mod support;

fn their(text: &str) -> Body {
    hcl_edit::parser::parse_body(text).expect("a body")
}

fn file(text: &str) -> File {
    parse::<File>(text).into_result().expect("a file")
}

/// The expression of the attribute `a`.
fn value(file: &File) -> ExpressionNode<'_> {
    file.body().attribute("a").expect("an attribute").expression()
}

/// Makes a change with both libraries. Their results must be the same but for the layout.
fn both(text: &str, change: impl FnOnce(&mut Body), edit: impl for<'f> FnOnce(&'f File, &mut Editor<'f>)) {
    let (mut body, file) = (their(text), file(text));
    change(&mut body);
    let mut editor = Editor::new(&file);
    edit(&file, &mut editor);
    let edited = editor.finish().expect("edits");
    // hcl-edit puts a comma after the last entry of an object, and no line break.
    let theirs = body.to_string().replace(",}", "\n}");
    assert_eq!(format(theirs.trim_start()), format(edited.text()));
}

/// Compares new expressions.
fn new(theirs: impl Into<Expression>, ours: impl Into<NewExpression>, text: &str) {
    let theirs = format(&format!("x = {}\n", theirs.into().to_string().trim()));
    assert_eq!(theirs, format(&format!("x = {text}\n")));
    assert_eq!(ours.into().text().expect("a text"), text);
}

fn their_expression(text: &str) -> Expression {
    text.parse().expect("an expression")
}

fn arguments(list: impl IntoIterator<Item = Expression>) -> theirs::FuncArgs {
    let mut arguments = theirs::FuncArgs::new();
    list.into_iter().for_each(|argument| arguments.push(argument));
    arguments
}

fn object<'f>(file: &'f File) -> ObjectNode<'f> {
    match value(file).kind() {
        ExpressionKind::Object(object) => object,
        _ => panic!("no object"),
    }
}

/// Replaces each variable `x`.
struct Rename(Expression);

impl VisitMut for Rename {
    fn visit_expr_mut(&mut self, node: &mut Expression) {
        match node {
            Expression::Variable(name) if name.as_str() == "x" => *node = self.0.clone(),
            _ => visit_expr_mut(self, node),
        }
    }
}

const ROWS: &[support::Row] = &[
    ("`body.has_attribute(\"a\")`", || {
        assert!(their("a = 1\n").has_attribute("a") && file("a = 1\n").body().attribute("a").is_some());
    }),
    ("`body.attributes()`, `body.blocks()`", || {
        let text = "a = 1\nb {\n}\n";
        assert_eq!(their(text).attributes().count(), file(text).body().attributes().count());
        assert_eq!(their(text).blocks().count(), file(text).body().blocks().count());
    }),
    ("`attribute.key`, `attribute.value`", || {
        let (body, file) = (their("a = 1\n"), file("a = 1\n"));
        let (theirs, ours) = (body.attributes().next().unwrap(), file.body().attributes().next().unwrap());
        assert_eq!(theirs.key.as_str(), ours.name());
        assert_eq!(theirs.value.to_string().trim(), ours.expression().text());
    }),
    ("`block.ident`, `block.labels`, `block.body`", || {
        let (body, file) = (their("a \"b\" {\n  c = 1\n}\n"), file("a \"b\" {\n  c = 1\n}\n"));
        let (theirs, ours) = (body.blocks().next().unwrap(), file.body().blocks().next().unwrap());
        assert_eq!(theirs.ident.as_str(), ours.block_type());
        assert_eq!(theirs.labels[0].as_str(), ours.labels().next().unwrap().text());
        assert_eq!(theirs.body.len(), ours.body().items().len());
    }),
    ("`block.has_ident(\"x\")`", || {
        let (body, file) = (their("x {\n}\n"), file("x {\n}\n"));
        assert!(body.blocks().next().unwrap().has_ident("x"));
        assert!(file.body().blocks().next().unwrap().block_type() == "x");
    }),
    ("`expression.span()`", || {
        use hcl_edit::Span;
        let (body, file) = (their("a = 1 + 2\n"), file("a = 1 + 2\n"));
        assert_eq!(body.get_attribute("a").unwrap().value.span(), Some(value(&file).span().range()));
    }),
    ("`expression.to_string()`", || {
        let (body, file) = (their("a = 1 + 2\n"), file("a = 1 + 2\n"));
        assert_eq!(body.get_attribute("a").unwrap().value.to_string().trim(), value(&file).text());
    }),
    ("`array.iter()`, `object.iter()`", || {
        let (body, file) = (their("a = { b = 1, c = 2 }\n"), file("a = { b = 1, c = 2 }\n"));
        let theirs = body.get_attribute("a").unwrap().value.as_object().unwrap();
        let values: Vec<_> = theirs.iter().map(|(_, value)| value.expr().to_string().trim().to_owned()).collect();
        let ours: Vec<_> = object(&file).elements().map(|entry| entry.value().text().to_owned()).collect();
        assert_eq!(values, ours);
    }),
    ("`call.args`, `call.args.expand_final()`", || {
        let (body, file) = (their("a = f(1, b...)\n"), file("a = f(1, b...)\n"));
        let theirs = body.get_attribute("a").unwrap().value.as_func_call().unwrap();
        let ExpressionKind::FunctionCall(ours) = value(&file).kind() else { panic!("no call") };
        assert_eq!((theirs.args.len(), theirs.args.expand_final()), (ours.arguments().count(), ours.expands_last()));
    }),
    ("`body.push(…)`, `body.insert(0, …)`", || {
        both(
            "b = 2\n",
            |body| {
                body.push(Attribute::new(Ident::new("c"), 3));
                body.insert(0, Attribute::new(Ident::new("a"), 1));
            },
            |file, editor| {
                editor.insert(InsertionPoint::end_of(file.body()), NewItem::attribute("c", 3));
                editor.insert(InsertionPoint::start_of(file.body()), NewItem::attribute("a", 1));
            },
        );
    }),
    ("`body.remove_attribute(\"a\")`, `body.remove_blocks(\"b\")`", || {
        both(
            "a = 1\nb {\n}\nb {\n}\nc = 2\n",
            |body| {
                body.remove_attribute("a");
                body.remove_blocks("b");
            },
            |file, editor| {
                editor.remove(file.body().attribute("a").unwrap());
                for block in file.body().blocks_of_type("b") {
                    editor.remove(block);
                }
            },
        );
    }),
    ("`body.try_push(attribute)`", || {
        assert!(their("a = 1\n").try_push(Attribute::new(Ident::new("a"), 2)).is_err());
        let file = file("a = 1\n");
        let mut editor = Editor::new(&file);
        editor.insert(InsertionPoint::end_of(file.body()), NewItem::attribute("a", 2));
        assert!(editor.finish().is_err());
    }),
    ("`object.insert(key, value)`", || {
        both(
            "a = {\n  b = 1\n}\n",
            |body| {
                let mut attribute = body.get_attribute_mut("a").unwrap();
                let object = attribute.value_mut().as_object_mut().unwrap();
                let key = hcl_edit::Decorated::new(Ident::new("c")).decorated(("  ", " "));
                object.insert(theirs::ObjectKey::from(key), theirs::ObjectValue::new(2));
            },
            |file, editor| {
                editor.insert(InsertionPoint::end_of(value(file)), NewItem::entry("c", 2));
            },
        );
    }),
    ("`array.push(value)`", || {
        both(
            "a = [1]\n",
            |body| body.get_attribute_mut("a").unwrap().value_mut().as_array_mut().unwrap().push(2),
            |file, editor| {
                editor.insert(InsertionPoint::end_of(value(file)), NewItem::element(2));
            },
        );
    }),
    ("`attribute.key = …`", || {
        both(
            "a = 1\n",
            |body| {
                let mut attribute = body.remove_attribute("a").unwrap();
                attribute.key = hcl_edit::Decorated::new(Ident::new("new")).decorated(("", " "));
                body.push(attribute);
            },
            |file, editor| {
                editor.rename(file.body().attribute("a").unwrap(), "new");
            },
        );
    }),
    ("`block.labels = …`", || {
        both(
            "x {\n  a = 1\n}\n",
            |body| {
                let label = |text: &str| hcl_edit::structure::BlockLabel::from(text).decorated((" ", ""));
                body.get_blocks_mut("x").next().unwrap().labels = vec![label("a"), label("b")];
            },
            |file, editor| {
                editor.set_labels(file.body().blocks().next().unwrap(), ["a", "b"]);
            },
        );
    }),
    ("`decor_mut().set_prefix(\"# text\\n\")`", || {
        both(
            "a = 1\n",
            |body| {
                let mut attribute = body.remove_attribute("a").unwrap();
                attribute.decor_mut().set_prefix("# text\n");
                body.push(attribute);
            },
            |file, editor| {
                editor.set_comment(file.body().attribute("a").unwrap(), Some("text"));
            },
        );
    }),
    ("`*expr = new` for any expression, in a `visit_expr_mut`", || {
        both(
            "a = f(x + 1)\n",
            |body| Rename(their_expression("y")).visit_body_mut(body),
            |file, editor| {
                let ExpressionKind::FunctionCall(call) = value(file).kind() else { panic!("no call") };
                let ExpressionKind::Binary(sum) = call.arguments().next().unwrap().kind() else { panic!("no sum") };
                editor.set(sum.left(), NewExpression::variable("y"));
            },
        );
    }),
    ("`*expr = FuncCall::new(Ident::new(\"f\"), args).into()`, with `expr.clone()` in `args`", || {
        both(
            "a = x + 1\n",
            |body| {
                let mut attribute = body.get_attribute_mut("a").unwrap();
                let expr = attribute.value_mut();
                *expr = theirs::FuncCall::new(Ident::new("f"), arguments([expr.clone()])).into();
            },
            |file, editor| {
                editor.wrap(value(file), |inner| NewExpression::call("f", [inner]));
            },
        );
    }),
    ("`*expr = interpolation.expr.clone()`", || {
        both(
            "a = \"${x}\"\n",
            |body| {
                let mut attribute = body.get_attribute_mut("a").unwrap();
                let expr = attribute.value_mut();
                let template = expr.as_string_template().unwrap().clone();
                let inner = template.as_single_element().unwrap().as_interpolation().unwrap();
                *expr = inner.expr.clone();
            },
            |file, editor| {
                let ExpressionKind::Template(template) = value(file).kind() else { panic!("no template") };
                editor.unwrap(value(file), template.unwrapped().expect("one interpolation"));
            },
        );
    }),
    ("`call.args.push(…)`", || {
        both(
            "a = f(1)\n",
            |body| {
                let mut attribute = body.get_attribute_mut("a").unwrap();
                let Expression::FuncCall(call) = attribute.value_mut() else { panic!("no call") };
                call.args.push(2);
            },
            |file, editor| {
                editor.insert(InsertionPoint::end_of(value(file)), NewItem::element(2));
            },
        );
    }),
    ("`body.push(other.clone())` from another file", || {
        let (other, ours) = (their("b = 2\n"), file("b = 2\n"));
        both(
            "a = 1\n",
            |body| body.push(other.get_attribute("b").unwrap().clone()),
            |file, editor| {
                let other = ours.body().attribute("b").unwrap();
                editor.insert(InsertionPoint::end_of(file.body()), NewItem::from(other));
            },
        );
    }),
    ("moving a block to another body: `remove`, then `push`", || {
        both(
            "b {\n  c = 1\n}\n\na {\n}\n",
            |body| {
                let block = body.remove_blocks("b").remove(0);
                body.get_blocks_mut("a").next().unwrap().body.push(block);
            },
            |file, editor| {
                let (b, a) = (file.body().blocks().next().unwrap(), file.body().blocks().nth(1).unwrap());
                editor.move_to(b, InsertionPoint::end_of(a.body()));
            },
        );
    }),
    ("`Traversal::new(Ident::new(\"var\"), [GetAttr…])`", || {
        let step = theirs::TraversalOperator::GetAttr(Ident::new("zone").into());
        let traversal = theirs::Traversal::new(Ident::new("var"), vec![step.into()]);
        new(traversal, NewExpression::variable("var").attribute("zone"), "var.zone");
    }),
    ("`TraversalOperator::Index`", || {
        let step = theirs::TraversalOperator::Index(Expression::from(0));
        let traversal = theirs::Traversal::new(Ident::new("hosts"), vec![step.into()]);
        new(traversal, NewExpression::variable("hosts").index(0), "hosts[0]");
    }),
    ("`Array::from_iter`", || {
        new(theirs::Array::from_iter([80, 443]), NewExpression::list([80, 443]), "[80, 443]");
    }),
    ("`Object::from_iter`", || {
        let key = theirs::ObjectKey::from(Ident::new("port"));
        let object = theirs::Object::from_iter([(key, theirs::ObjectValue::new(80))]);
        assert_eq!(Expression::from(object).to_string().replace(' ', ""), "{port=80,}");
        assert_eq!(NewExpression::object([("port", 80)]).text().unwrap(), "{\n  port = 80\n}");
    }),
    ("`FuncCall::new(Ident::new(\"max\"), args)`", || {
        let call = theirs::FuncCall::new(Ident::new("max"), arguments([Expression::from(1), Expression::from(2)]));
        new(call, NewExpression::call("max", [1, 2]), "max(1, 2)");
    }),
    ("`FuncArgs::set_expand_final(true)`", || {
        let sizes = || NewExpression::variable("sizes");
        let mut args = arguments([Expression::from(1), their_expression("sizes")]);
        args.set_expand_final(true);
        let ours = NewExpression::expanded_call("max", [NewExpression::from(1), sizes()]);
        new(theirs::FuncCall::new(Ident::new("max"), args), ours, "max(1, sizes...)");
    }),
    ("`BinaryOp::new`", || {
        let ours = NewExpression::operation(1, BinaryOperator::Add, 2);
        assert_eq!(ours, NewExpression::operation(1, "+".parse().unwrap(), 2));
        new(their_expression("1 + 2"), ours, "1 + 2");
    }),
    ("`UnaryOp::new`", || {
        new(
            their_expression("!ready"),
            NewExpression::unary(UnaryOperator::Not, NewExpression::variable("ready")),
            "!ready",
        );
    }),
    ("`Parenthesis::new`", || {
        let theirs = theirs::Parenthesis::new(their_expression("1 + 2"));
        new(theirs, NewExpression::operation(1, BinaryOperator::Add, 2).parentheses(), "(1 + 2)");
    }),
    ("`TraversalOperator::FullSplat`", || {
        let ours = NewExpression::variable("hosts").splat().attribute("id");
        new(their_expression("hosts[*].id"), ours, "hosts[*].id");
    }),
    ("`ForExpr::new`", || {
        // Without blanks, hcl-edit prints `for vin l`.
        let name = hcl_edit::Decorated::new(Ident::new("v")).decorated((" ", " "));
        let intro = theirs::ForIntro::new(name, their_expression("l").decorated((" ", " ")));
        let theirs = theirs::ForExpr::new(intro, their_expression("v"));
        let ours = NewFor::new("v", NewExpression::variable("l")).list(NewExpression::variable("v"));
        new(theirs, ours, "[for v in l : v]");
    }),
    ("an `Object` with computed keys", || {
        let ours = NewExpression::object_with_keys([(NewExpression::variable("k"), 1)]);
        assert_eq!(ours.text().unwrap(), "{\n  (k) = 1\n}");
        assert!(their_expression("{ (k) = 1 }").as_object().unwrap().iter().next().unwrap().0.is_expr());
    }),
    ("`template::IfDirective`, `ForDirective`", || {
        let ours = NewTemplate::new().if_directive(NewExpression::variable("on"), NewTemplate::new().literal("x"));
        new(their_expression("\"%{if on}x%{endif}\""), ours.quoted(), "\"%{if on}x%{endif}\"");
    }),
    ("`Conditional::new`", || {
        let theirs = theirs::Conditional::new(true, 1, 2);
        new(theirs, NewExpression::conditional(true, 1, 2), "true ? 1 : 2");
    }),
    ("`HeredocTemplate`", || {
        assert!(their_expression("<<EOT\none\nEOT").is_heredoc_template());
        assert_eq!(NewExpression::heredoc("one\n").text().unwrap(), "<<EOT\none\nEOT");
    }),
    ("`\"var.zone\".parse::<Expression>()`", || {
        new(their_expression("var.zone"), NewExpression::parse("var.zone").unwrap(), "var.zone");
    }),
    ("`StringTemplate`", || {
        let ours = NewTemplate::new().literal("a-").interpolation(NewExpression::variable("b"));
        new(their_expression("\"a-${b}\""), ours, "\"a-${b}\"");
    }),
];

#[test]
fn every_row_is_a_program() {
    support::run("moving-from-hcl-edit.md", &["Read", "Add and remove", "A new file"], ROWS);
}

#[test]
fn a_new_block_is_the_same() {
    let theirs = Block::builder(Ident::new("service")).label("web").attribute(Attribute::new(Ident::new("port"), 80));
    let theirs = Body::builder().block(theirs.build()).build();
    let ours = NewBlock::new("service").label("web").attribute("port", 80).text().expect("a text");
    assert_eq!(format(&theirs.to_string()), ours);
}

/// The types of hcl-edit that the page names are those that it has.
#[test]
fn the_named_types_exist() {
    #[allow(unused_imports, reason = "their existence is the test")]
    use hcl_edit::{
        Decor, Decorated, Formatted, RawString, Span,
        expr::{
            Array, BinaryOp, Conditional, Expression, ForExpr, FuncCall, Object, Parenthesis, Traversal,
            TraversalOperator, UnaryOp,
        },
        parser::Error,
        structure::{Attribute, AttributeMut, Block, BlockLabel, Body, Structure},
        template::{ForDirective, HeredocTemplate, IfDirective, StringTemplate},
        visit::Visit,
        visit_mut::VisitMut,
    };
}
