//! All that writes HCL, on random values: the text is a fixed point of the formatter and reads back as the same value.
//! `HCL_WRITTEN_VALUES=20000` in the environment tries more values than the suite does.

use hcl_lr::construct::{NewBlock, NewBody, NewExpression};
use hcl_lr::convert::{ConversionOptions, ConversionSchema, JsonBlocks, JsonStrings, to_json, to_native};
use hcl_lr::format::format;
use hcl_lr::json::Document;
use hcl_lr::model::{Number, Type, Value, json};
use hcl_lr::{Body, Expression, File, Scope, parse};
use hcl_lr_edit::{Editor, InsertionPoint, NewItem};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Texts that are special somewhere: in quotes, in heredocs, as keys, in columns.
fn text() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        "",
        "for",
        "null",
        "if",
        "in",
        "a b",
        "größe",
        "a·b",
        "a²",
        "-",
        "\u{107bb}",
        "漢字",
        "a\u{301}",
        "\u{301}",
        "क्षि",
        "${a}",
        "%{ if a }",
        "$${",
        "$",
        "%",
        "$$",
        "\"",
        "\\",
        "\t",
        "\r\n",
        "\u{1}",
        "\u{feff}",
        "\u{85}",
        "\u{200d}",
        "a\nb\n",
        "  a\n b\n",
        "EOT\n",
        "a\nEOT\nb\n",
        "a\n EOF\nEND\nEOT\n",
        "\n",
        "\n\n",
        "# a\n/* b\n",
        "a = 1\nbb = 2\n",
        "{\n",
        "<<EOT\na\nEOT\n",
    ]);
    let special = special.prop_map(str::to_owned);
    prop_oneof![
        3 => "[a-e]{1,3}",
        2 => special.clone(),
        2 => "[a-z${}%\"\\\\ \n=#é~]{0,12}",
        1 => "[a-z ]{60,110}",
        1 => vec(special, 2..4).prop_map(|parts| parts.concat()),
    ]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        (-20_i64..20).prop_map(Value::from),
        (any::<i64>(), 0_u32..12).prop_map(|(n, digits)| {
            Value::from(Number::from(n).divide(&Number::from(10_i64.pow(digits))).expect("no zero"))
        }),
        ("[1-9][0-9]{0,30}", -60_i32..60).prop_map(|(digits, exponent)| Value::from(
            Number::parse(&format!("{digits}e{exponent}")).expect("a number")
        )),
    ]
}

/// Values of at most four levels, of which two are alike now and then.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        Just(Value::NULL),
        number(),
        text().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::tuple),
            vec((text(), inner.clone()), 0..6).prop_map(Value::object),
            (inner, 0_usize..4)
                .prop_map(|(part, count)| { Value::list(part.ty(), vec![part; count]).expect("elements of one type") }),
            vec((text(), any::<i16>()), 0..5).prop_map(|entries| {
                let entries = entries.into_iter().map(|(key, part)| (key, Value::from(part)));
                Value::map(Type::Number, entries).expect("elements of one type")
            }),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,8}", Just("größe".to_owned()), Just("日本".to_owned()), Just("for".to_owned())]
}

fn check(strategy: impl Strategy<Value = Value>, test: impl Fn(Value) -> Result<(), TestCaseError>) {
    let cases = match std::env::var("HCL_WRITTEN_VALUES") {
        Ok(count) => count.parse().expect("HCL_WRITTEN_VALUES is a number"),
        Err(_) => 200,
    };
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config).run(&strategy, test).unwrap_or_else(|error| panic!("{error}"));
}

/// A value without what HCL text cannot tell: lists are tuples, and maps are objects. No writer of HCL is asked.
fn plain(value: &Value) -> String {
    json::encode_implied(value).expect("it has JSON")
}

/// Checks the text of a file whose attribute `x`, in the innermost body, is a value.
fn holds(caller: &str, text: &str, value: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(&format(text), text, "{}: it is not in canonical form", caller);
    let file =
        parse::<File>(text).into_result().map_err(|why| TestCaseError::fail(format!("{caller}: {why}\n{text}")))?;
    let mut body = file.body();
    while let Some(block) = body.blocks().next() {
        body = block.body();
    }
    let attribute = body.attribute("x").ok_or_else(|| TestCaseError::fail(format!("{caller}: no x\n{text}")))?;
    let read = attribute.expression().evaluate(&Scope::new());
    let read = read.map_err(|why| TestCaseError::fail(format!("{caller}: {why}\n{text}")))?;
    prop_assert_eq!(plain(&read), plain(value), "{}\n{}", caller, text);
    Ok(())
}

#[test]
fn values_as_text() {
    check(value(), |value| {
        holds("Display", &format!("x = {value}\n"), &value)?;
        holds("Display in lines", &format!("x = {value:#}\n"), &value)?;
        holds("wrapped", &format!("x = {}\n", value.wrapped("x = ".len())), &value)
    });
}

#[test]
fn new_files() {
    let strategy = (value(), text(), name());
    check(strategy.prop_map(|(value, label, name)| Value::tuple([value, label.into(), name.into()])), |all| {
        let (value, label, name) = (&all[0], all[1].as_str().expect("a text"), all[2].as_str().expect("a text"));
        let text = |body: NewBody| body.text().map_err(|why| TestCaseError::fail(why.to_string()));
        let body = || NewBody::new().attribute(&format!("{name}-1"), 1).attribute("x", value);
        holds("build", &text(body().comment("Why."))?, value)?;
        let block = NewBlock::new(name).label(label).body(body().attribute("y", value));
        holds("build, block", &text(NewBody::new().comment("a\nb").block(block))?, value)?;
        let list = NewExpression::list([NewExpression::from(value), NewExpression::from(1)]);
        let wanted = Value::tuple([value.clone(), Value::from(1)]);
        holds("build, list", &text(NewBody::new().attribute("x", list))?, &wanted)?;
        let object = NewExpression::object([(label, value)]);
        let wanted = Value::object([(label, value.clone())]);
        holds("build, object", &text(NewBody::new().attribute("x", object))?, &wanted)
    });
}

#[test]
fn files_through_serde() {
    use hcl_lr::typed::{Labeled, Writer};
    use std::collections::BTreeMap;

    let strategy = (value(), text());
    check(strategy.prop_map(|(value, label)| Value::tuple([value, label.into()])), |all| {
        let (value, label) = (&all[0], all[1].as_str().expect("a text"));
        for heredocs in [false, true] {
            let writer = Writer::new().with_heredocs(heredocs).with_nulls(true);
            let text = writer.to_string(&BTreeMap::from([("x", value), ("größe", &Value::NULL)]));
            holds("serde", &text.expect("it can be written"), value)?;
            let block = Labeled::new([label], BTreeMap::from([("x", value)]));
            let text = writer.to_string(&BTreeMap::from([("b", block)]));
            holds("serde, block", &text.expect("it can be written"), value)?;
        }
        Ok(())
    });
}

#[test]
fn conversion() {
    let strategy = (value(), text(), name());
    check(strategy.prop_map(|(value, label, name)| Value::tuple([value, label.into(), name.into()])), |all| {
        let (value, label, name) = (&all[0], all[1].as_str().expect("a text"), all[2].as_str().expect("a text"));
        let file = NewBody::new().attribute("x", value);
        let file =
            NewBody::new().comment("Why.").attribute("a-1", 1).block(NewBlock::new(name).label(label).body(file));
        let native = file.text().expect("it can be written");
        let file = parse::<File>(native.as_str()).into_result().expect("it is HCL");
        let schema = ConversionSchema::of(file.body());
        for (blocks, strings) in [
            (JsonBlocks::Array, JsonStrings::Template),
            (JsonBlocks::Collapse, JsonStrings::Literal),
            (JsonBlocks::Tagged, JsonStrings::Template),
        ] {
            // Values that JSON strings cannot express in the other ways of reading them are refused.
            let conversion = ConversionOptions::new()
                .with_blocks(blocks)
                .with_strings(strings)
                .with_comments(true)
                .with_schema(&schema);
            let Ok(json) = to_json(&file, &conversion).into_result() else { continue };
            let document = parse::<Document>(("a.json", json.text)).into_result().expect("it is JSON");
            let back = to_native(&document, &conversion).into_result();
            let back = back.map_err(|why| TestCaseError::fail(format!("{why}\n{native}")))?;
            holds("convert", &back.text, value)?;
        }
        Ok(())
    });
}

#[test]
fn partial_evaluation() {
    check(value(), |value| {
        let scope = Scope::new().with("v", value.clone()).with("u", Value::unknown(Type::Dynamic));
        for expression in ["[v, u]", "{ a = v, b = u }", "[u, { (\"a b\") = [v] }]"] {
            let simplified = parse::<Expression>(expression).into_result().expect("an expression").simplify(&scope);
            let text = simplified.into_result().expect("no mistake").to_string();
            let text = format!("x = {text}\n");
            prop_assert_eq!(&format(&text), &text, "it is not in canonical form");
            let scope = Scope::new().with("v", value.clone()).with("u", 1);
            let evaluate = |text: &str| {
                let body = parse::<Body>(("a.hcl", text)).into_result().map_err(|why| format!("{why}\n{text}"))?;
                let attributes = body.attributes().into_result().map_err(|why| why.to_string())?;
                attributes
                    .get("x")
                    .expect("it is there")
                    .evaluate(&scope)
                    .map(|value| plain(&value))
                    .map_err(|why| why.to_string())
            };
            prop_assert_eq!(evaluate(&text), evaluate(&format!("x = {expression}\n")), "{}", text);
        }
        Ok(())
    });
}

#[test]
fn edits() {
    let strategy = (value(), text());
    check(strategy.prop_map(|(value, key)| Value::tuple([value, key.into()])), |all| {
        let (value, key) = (&all[0], all[1].as_str().expect("a text"));
        // An edit leaves its neighbours as they are, so those here are not in lines that a new one is aligned with.
        let file = parse::<File>("größe = 1\n\nx = 2\n").into_result().expect("it is HCL");
        let mut editor = Editor::new(&file);
        editor.set(file.body().attribute("x").expect("it is there"), value);
        holds("set", editor.finish().expect("an edit").text(), value)?;

        let file = parse::<File>("b \"c\" {\n  größe = [\n    1,\n  ]\n}\n").into_result().expect("it is HCL");
        let body = file.body().blocks().next().expect("it is there").body();
        let mut editor = Editor::new(&file);
        editor.insert(InsertionPoint::end_of(body), NewItem::attribute("x", value));
        holds("insert an attribute", editor.finish().expect("an edit").text(), value)?;

        let file = parse::<File>("x = [\n  1,\n]\n").into_result().expect("it is HCL");
        let mut editor = Editor::new(&file);
        let list = file.body().attribute("x").expect("it is there").expression();
        editor.insert(InsertionPoint::end_of(list), NewItem::element(value));
        let wanted = Value::tuple([Value::from(1), value.clone()]);
        holds("insert an element", editor.finish().expect("an edit").text(), &wanted)?;

        let file = parse::<File>("x = {\n  größe-2 = [\n    1,\n  ]\n}\n").into_result().expect("it is HCL");
        let mut editor = Editor::new(&file);
        let object = file.body().attribute("x").expect("it is there").expression();
        editor.insert(InsertionPoint::end_of(object), NewItem::entry(key, value));
        let wanted = Value::object([("größe-2", Value::tuple([Value::from(1)])), (key, value.clone())]);
        holds("insert an entry", editor.finish().expect("an edit").text(), &wanted)
    });
}

#[test]
fn no_text_has_what_is_marked() {
    check(value(), |value| {
        let secret = Value::from("not for anyone").mark("m");
        let all = Value::object([("a", value.clone()), ("b", Value::tuple([value, secret]))]);
        for text in [all.to_string(), format!("{all:#}"), all.wrapped(0), format!("{all:?}")] {
            prop_assert!(!text.contains("not for anyone"), "{}", text);
        }
        let error = NewExpression::from(&all).text().expect_err("it is marked").to_string();
        prop_assert_eq!(error, "a marked value cannot be written: it is at [\"b\"][1]");
        Ok(())
    });
}
