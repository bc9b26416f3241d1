//! Decoding by specs.
//!
//! The cases of `fixtures/spec_files` are spec files with mistakes and the `messages` about them. Those of
//! `fixtures/decode` are files with mistakes, with their specs (or one of [`spec_in_code`]), and the messages. Where the
//! name begins with `generated`, `dynamic` blocks are expanded.
//!
//! `fixtures/decode/answers.jsonl` has questions of the conformance protocol with the answers of the official engine,
//! which its driver gave: all attributes of a block as a map, where some are null or unknown.

use crate::support::cases::{Case, Fence};
use crate::support::golden::{Golden, cases};
use hcl_lr::body::{Body, Expression};
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::decode::{Spec, ValidationProblem};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::dynamic::expand;
use hcl_lr::model::{Number, Type, Value};
use hcl_lr::source::Source;
use hcl_lr::{Scope, functions, parse};

fn load(case: &Case, fence: &Fence) -> (Body, Diagnostics) {
    parse::<Body>(Source::from_bytes(&case.file_name(fence), fence.bytes.clone())).into_parts()
}

/// Specs that cannot be written in a file.
fn spec_in_code(name: &str) -> Spec {
    let least = |value: &Value| value.as_number().filter(|port| **port < Number::from(1024)).map(|_| ());
    match name {
        "checks" => Spec::object([
            (
                "port",
                Spec::attr("port", Type::Number).validate(|port| {
                    let large = port.as_number().is_some_and(|port| *port > Number::from(65_535));
                    large.then(|| {
                        ValidationProblem::error("a port is at most 65535").with_help("ports are 16 bits wide")
                    })
                }),
            ),
            ("name", Spec::attr("name", Type::String).refine(|name| name.not_null())),
            (
                "port_old",
                Spec::attr("port_old", Type::Number).validate(move |port| {
                    least(port).map(|()| ValidationProblem::warning("ports below 1024 need privileges"))
                }),
            ),
            // Values with errors are not validated.
            ("size", Spec::attr("size", Type::Number).validate(|_| [ValidationProblem::error("this is not asked")])),
            ("age", Spec::attr("age", Type::Number).transform(even())),
            ("label", Spec::block_label(0, "name")),
        ]),
        _ => panic!("there is no spec for {name}"),
    }
}

fn even() -> hcl_lr::eval::Function {
    let parameter = hcl_lr::eval::Parameter::new("number", Type::Number);
    hcl_lr::eval::Function::new([parameter], Type::Bool, |call| {
        let number: u64 = call.get_as(0)?;
        if number.is_multiple_of(2) { Ok(true.into()) } else { Err("the number is odd".into()) }
    })
}

#[test]
fn messages_are_as_recorded() {
    let mut golden = Golden::new();
    for case in cases("spec_files") {
        let (body, mut diagnostics) = load(&case, &case.fences[0]);
        if !diagnostics.has_errors() {
            diagnostics = SpecFile::from_body(&body).into_parts().1;
        }
        golden.check_case(&case, "messages", &diagnostics.render());
    }
    for case in cases("decode") {
        let (body, diagnostics) = load(&case, &case.fences[0]);
        assert!(diagnostics.is_empty(), "{}: {diagnostics}", case.place());
        let diagnostics = if let Some(spec) = case.find("hcldec") {
            let spec = SpecFile::from_body(&load(&case, spec).0).into_result().expect("a spec");
            let scope = spec.scope();
            let body = if case.name.starts_with("generated") { expand(body, &scope) } else { body };
            spec.spec().decode(&body, &scope).into_parts().1
        } else {
            spec_in_code(&case.name).decode(&body, &Scope::new()).into_parts().1
        };
        golden.check_case(&case, "messages", &diagnostics.render());
    }
    golden.finish();
}

/// The scope for the rows below.
fn scope() -> Scope<'static> {
    let set = |element: Type, value: Value| Value::set(element, [value]).expect("of that type");
    Scope::new()
        .with("text", Value::unknown(Type::String))
        .with("number", Value::unknown(Type::Number))
        .with("open", Value::unknown(Type::Dynamic))
        .with("secret", Value::from(1).mark("secret"))
        .with("nothing", Value::null(Type::Number).mark("secret"))
        .with("texts", set(Type::String, Value::from("q")))
        .with("set", set(Type::Number, Value::from(1)))
        .with("list", Value::list(Type::Number, [Value::from(1)]).expect("numbers"))
}

/// Decodes a body, and returns the value and the places of the errors.
fn decoded(spec: &Spec, text: &str) -> (String, Vec<String>) {
    let body = parse::<Body>(("a", text)).into_result().expect("a body");
    let outcome = spec.decode(&body, &scope());
    let errors = outcome.diagnostics().errors().map(|error| {
        let source = error.source();
        let (start, end) = (source.position(error.span().start()), source.position(error.span().end()));
        format!("{}:{}-{}:{} {}", start.line, start.column, end.line, end.column, error.code())
    });
    (shown(outcome.value()), errors.collect())
}

/// A value with its type.
fn shown(value: &Value) -> String {
    hcl_lr_conformance::encode_value(value).to_string()
}

/// The answers are those of the official library, asked with the same specs and bodies.
#[test]
fn specs_give_the_values_and_places_of_the_official_library() {
    let number = || Spec::attr("a", Type::Number);
    let object = || Spec::object([("a", number())]);
    let any = || Spec::object([("a", Spec::attr("a", Type::Dynamic))]);
    let list = |nested: Spec| Spec::block_list("b", 1..=2, nested);
    let set = |nested: Spec| Spec::block_set("b", 1..=2, nested);
    let tuple = |nested: Spec| Spec::block_tuple("b", 1..=2, nested);
    let rows: &[(Spec, &str, Value, &[&str])] = &[
        (number(), "a=text\n", Value::unknown(Type::Number), &[]),
        (number(), "a=open\n", Value::unknown(Type::Number), &[]),
        (number(), "a=secret\n", Value::from(1).mark("secret"), &[]),
        (number(), "a=[]\n", Value::unknown(Type::Number), &["1:3-1:5 invalid-argument-value"]),
        (number(), "", Value::null(Type::Number), &[]),
        (Spec::required_attr("a", Type::Number), "a=null\n", Value::null(Type::Number), &[]),
        (
            Spec::attr("a", Type::list(Type::Number)),
            "a=[1,zz]\n",
            Value::list(Type::Number, [Value::from(1), Value::unknown(Type::Number)]).unwrap(),
            &["1:6-1:8 unknown-variable"],
        ),
        (Spec::tuple([]), "", Value::tuple([]), &[]),
        (
            Spec::tuple([number(), Spec::attr("a", Type::Dynamic)]),
            "a=1\n",
            Value::tuple([Value::from(1), Value::from(1)]),
            &[],
        ),
        (
            Spec::block("b", object()),
            "b {\n a=x.y\n}\n",
            Value::object([("a", Value::unknown(Type::Number))]),
            &["2:4-2:5 unknown-variable"],
        ),
        (
            Spec::block("b", object()),
            "b {\n a=1\n}\nb {\n a=zz\n}\n b {}\n",
            Value::object([("a", Value::from(1))]),
            &["4:1-4:2 too-many-blocks"],
        ),
        (
            Spec::required_block("b", object()),
            "b \"x\" {}\n",
            Value::null(Type::object([("a", Type::Number)])),
            &["1:1-1:1 missing-block", "1:3-1:6 block-labels"],
        ),
        (
            set(object()),
            "b {\n a=1\n}\nb {\n a=secret\n}\n",
            Value::set_of([Value::object([("a", Value::from(1))])]).unwrap().mark("secret"),
            &[],
        ),
        (
            list(any()),
            "b {\n a=1\n}\nb {\n a=secret\n}\n",
            Value::list_of([
                Value::object([("a", Value::from(1))]),
                Value::object([("a", Value::from(1).mark("secret"))]),
            ])
            .unwrap(),
            &[],
        ),
        (
            list(any()),
            "b {\n a=open\n}\nb {\n a=1\n}\n",
            Value::list_of([
                Value::object([("a", Value::unknown(Type::Number))]),
                Value::object([("a", Value::from(1))]),
            ])
            .unwrap(),
            &[],
        ),
        (
            list(any()),
            "b {\n a=[]\n}\nb {\n a=[1]\n}\n",
            Value::list_of([
                Value::object([("a", Value::list(Type::Number, []).unwrap())]),
                Value::object([("a", Value::list(Type::Number, [Value::from(1)]).unwrap())]),
            ])
            .unwrap(),
            &[],
        ),
        (
            list(any()),
            "b {\n a=set\n}\nb {\n a=list\n}\n",
            Value::list_of(
                [(); 2].map(|()| Value::object([("a", Value::list(Type::Number, [Value::from(1)]).unwrap())])),
            )
            .unwrap(),
            &[],
        ),
        (
            list(any()),
            "b {\n a=texts\n}\nb {\n a=list\n}\n",
            Value::unknown(Type::Dynamic),
            &["1:3-1:3 inconsistent-blocks"],
        ),
        (
            list(any()),
            "b {\n a=1\n}\nb {\n a=true\n}\n",
            Value::unknown(Type::Dynamic),
            &["1:3-1:3 inconsistent-blocks"],
        ),
        (
            list(Spec::attr("a", Type::Dynamic)),
            "b {}\nb {}\nb {\n a=1\n}\n",
            Value::list_of([Value::null(Type::Number), Value::null(Type::Number), Value::from(1)]).unwrap(),
            &["4:4-4:5 too-many-blocks"],
        ),
        (
            tuple(any()),
            "b {\n a=number\n}\nb {}\n",
            Value::tuple([
                Value::object([("a", Value::unknown(Type::Number))]),
                Value::object([("a", Value::null(Type::Dynamic))]),
            ]),
            &[],
        ),
        (tuple(object()), "", Value::tuple([]), &["1:1-1:1 missing-block"]),
        (
            Spec::block_map("b", &["l"], object()),
            "b \"x\" {\n a=1\n}\nb \"x\" {\n a=zz\n}\n",
            Value::map(Type::object([("a", Type::Number)]), [("x", Value::object([("a", Value::from(1))]))]).unwrap(),
            &["4:1-4:6 duplicate-block", "5:4-5:6 unknown-variable"],
        ),
        (
            Spec::block_object("b", &["l", "k"], any()),
            "b \"x\" \"p\" {\n a=1\n}\nb \"y\" \"q\" {}\nb \"x\" \"r\" {}\n",
            Value::object([
                (
                    "x",
                    Value::object([
                        ("p", Value::object([("a", Value::from(1))])),
                        ("r", Value::object([("a", Value::null(Type::Dynamic))])),
                    ]),
                ),
                ("y", Value::object([("q", Value::object([("a", Value::null(Type::Dynamic))]))])),
            ]),
            &[],
        ),
        (Spec::block_object("b", &["l"], any()), "", Value::object::<&str>([]), &[]),
        (
            Spec::block_map("b", &["p"], Spec::block_label(0, "nm")),
            "b \"x\" \"y\" {}\nb \"y\" \"z\" {}\n",
            Value::map(Type::String, [("x", Value::from("y")), ("y", Value::from("z"))]).unwrap(),
            &[],
        ),
        (
            Spec::block_list("b", .., Spec::block_label(1, "second")),
            "b \"x\" {}\nb \"x\" \"y\" {}\n",
            Value::list(Type::String, [Value::from("y")]).unwrap(),
            &["1:7-1:8 block-labels"],
        ),
        (Spec::block_attrs("b", Type::Number), "", Value::null(Type::map(Type::Number)), &[]),
        (
            Spec::block_attrs("b", Type::Number),
            "b {\n a=secret\n b=number\n c=[]\n}\n",
            Value::map(
                Type::Number,
                [
                    ("a", Value::from(1).mark("secret")),
                    ("b", Value::unknown(Type::Number)),
                    ("c", Value::unknown(Type::Number)),
                ],
            )
            .unwrap(),
            &["4:4-4:6 invalid-argument-value"],
        ),
        (
            Spec::block_attrs("b", Type::Dynamic),
            "b {\n a=null\n b=1\n}\n",
            Value::map(Type::Number, [("a", Value::null(Type::Number)), ("b", Value::from(1))]).unwrap(),
            &[],
        ),
        (number().or(Spec::literal(7)), "a=nothing\n", Value::from(7), &[]),
        (number().or(Spec::literal(7)), "a=number\n", Value::unknown(Type::Number), &[]),
        (number().or(Spec::literal(7)), "a=zz\n", Value::unknown(Type::Number), &["1:3-1:5 unknown-variable"]),
        (
            number().refine(|number| number.not_null()),
            "a=open\n",
            Value::unknown(Type::Number).refine().not_null().value().unwrap(),
            &[],
        ),
        (number().refine(|number| number.not_null()), "a=secret\n", Value::from(1).mark("secret"), &[]),
    ];
    for (spec, text, value, errors) in rows {
        let (found, places) = decoded(spec, text);
        assert_eq!(
            (found, places.iter().map(String::as_str).collect::<Vec<_>>()),
            (shown(value), errors.to_vec()),
            "{text}"
        );
    }
}

/// Beyond the official library, which panics or loses the values.
#[test]
fn nulls_of_no_type_go_with_everything() {
    let any = Spec::attr("a", Type::Dynamic);
    let spec = Spec::block_list("b", .., Spec::object([("a", any.clone())]));
    let (value, errors) = decoded(&spec, "b {}\nb {\n a={x=1}\n}\nb {\n a=null\n}\n");
    assert_eq!(errors, [""; 0]);
    assert!(value.contains(r#""of":["object",{"a":["object",{"x":"number"}]}]"#), "{value}");

    let spec = Spec::block_map("b", &["l"], any);
    let (value, errors) = decoded(&spec, "b \"x\" {\n a=1\n}\nb \"y\" {\n a=\"z\"\n}\nb \"w\" {}\n");
    assert_eq!((errors.len(), value.contains(r#""of":"string""#)), (0, true), "{value}");
}

/// The official library answers with unknown values, or panics.
#[test]
fn blocks_without_blocks_have_the_type_of_the_others() {
    let inner = || Spec::block_list("y", .., Spec::attr("c", Type::Dynamic));
    let text =
        |labels: [&str; 2]| format!("x {} {{}}\nx {} {{\n y {{}}\n y {{\n  c = []\n }}\n}}\n", labels[0], labels[1]);
    let list = |items: Vec<Value>| Value::list(Type::tuple([]), items).expect("tuples");
    let empty = list(Vec::new());
    let full = list(vec![Value::null(Type::tuple([])), Value::tuple([])]);
    let both = Value::list_of([empty.clone(), full.clone()]).expect("lists of one type");
    let cases = [
        (Spec::block_list("x", .., inner()), ["", ""], both),
        (Spec::block_set("x", .., inner()), ["", ""], Value::set_of([empty.clone(), full.clone()]).expect("one type")),
        (
            Spec::block_map("x", &["k"], inner()),
            ["a", "b"],
            Value::map(empty.ty(), [("a", empty.clone()), ("b", full.clone())]).expect("one type"),
        ),
    ];
    for (spec, labels, expected) in cases {
        let body = parse::<Body>(text(labels)).into_result().expect("a body");
        assert_eq!(spec.decode(&body, &Scope::new()).into_result(), Ok(expected), "{spec:?}");
    }
}

#[test]
fn types_are_known_before_there_is_a_body() {
    let number = || Spec::attr("a", Type::Number);
    let upper = || functions::standard().get("upper").expect("a function").clone();
    let rows = [
        (number(), Type::Number),
        (Spec::object([("x", number())]), Type::object([("x", Type::Number)])),
        (Spec::tuple([number(), Spec::literal("x")]), Type::tuple([Type::Number, Type::String])),
        (Spec::block("b", number()), Type::Number),
        (Spec::block_list("b", .., number()), Type::list(Type::Number)),
        (Spec::block_set("b", .., number()), Type::set(Type::Number)),
        (Spec::block_tuple("b", .., number()), Type::Dynamic),
        (Spec::block_map("b", &["x", "y"], number()), Type::map(Type::map(Type::Number))),
        (Spec::block_object("b", &["x"], number()), Type::Dynamic),
        (Spec::block_attrs("b", Type::Bool), Type::map(Type::Bool)),
        (Spec::block_label(0, "x"), Type::String),
        (number().or(Spec::literal("x")), Type::Number),
        (Spec::attr("a", Type::String).transform(upper()), Type::String),
        (number().transform_expr("n", expression("[n]"), Scope::new()), Type::tuple([Type::Number])),
        (number().validate(|_| None::<ValidationProblem>), Type::Number),
        (Spec::expr(expression("1")), Type::Dynamic),
    ];
    for (spec, ty) in rows {
        assert_eq!(spec.implied_type(), ty, "{spec:?}");
    }
}

fn expression(text: &str) -> Expression {
    let body = parse::<Body>(("e", format!("e = {text}\n"))).into_result().expect("an expression");
    let attributes = body.attributes().into_result().expect("attributes");
    attributes.get("e").expect("it is there").expression().clone()
}

#[test]
fn places_and_variables_are_those_of_what_matches() {
    let number = || Spec::attr("a", Type::Number);
    let rows: &[(Spec, &str, &str, &[&str])] = &[
        (number(), "a=1+x\n", "1:3-6", &["x"]),
        (number(), "", "1:1-1", &[]),
        (Spec::object([("a", number())]), "a=x\n", "1:1-1", &["x"]),
        (Spec::block("b", number()), "b {\n a=x\n}\nb {\n a=y\n}\n", "2:4-5", &["x"]),
        (Spec::block_list("b", .., number()), "b {}\nb {\n a=y.z\n}\n", "1:3-3", &["y.z"]),
        (Spec::block_map("b", &["l"], number()), "b k {\n a=x\n}\nb k {\n a=y\n}\n", "2:4-5", &["x", "y"]),
        (Spec::block_attrs("b", Type::Number), "b {\n p=x\n q=y\n}\n", "1:1-2", &["x", "y"]),
        (Spec::block("b", Spec::block_label(0, "l")), "b \"k\" {}\n", "1:3-6", &[]),
        (number().or(Spec::attr("c", Type::Number)), "c=x\n", "1:1-1", &["x"]),
        (Spec::expr(expression("v + 1")), "", "1:5-10", &["v"]),
        (number().transform_expr("n", expression("n + other"), Scope::new()), "a=x\n", "1:3-4", &["x"]),
        (number().validate(|_| None::<ValidationProblem>), "a=x\n", "1:3-4", &["x"]),
    ];
    for (spec, text, expected, variables) in rows {
        let body = parse::<Body>(("a", *text)).into_result().expect("a body");
        let place = spec.place_in(&body);
        let position = place.position();
        let end = place.source().position(place.span().end()).column;
        assert_eq!(format!("{}:{}-{end}", position.line, position.column), *expected, "{text}");
        let found: Vec<String> = spec.variables(&body).iter().map(|path| path.to_string()).collect();
        assert_eq!(found, *variables, "{text}");
    }
}

/// The number of blocks is unknown as long as a collection is.
#[test]
fn blocks_that_are_not_known_make_unknown_collections() {
    let nested = || Spec::object([("a", Spec::attr("a", Type::String))]);
    let element = Type::object([("a", Type::String)]);
    let text = |labels: &str, collection: &str, label: &str| {
        format!(
            "dynamic \"b\" {{\n  for_each = {collection}\n{labels}  content {{\n    a = b.value\n  }}\n}}\nb {label} {{\n  a = \"s\"\n}}\n"
        )
    };
    let scope = Scope::new()
        .with("unknown", Value::unknown(Type::list(Type::String)))
        .with("marked", Value::list(Type::String, [Value::from("x")]).unwrap().mark("M"));
    let decode = |spec: &Spec, text: String| {
        let body = parse::<Body>(("a", text)).into_result().expect("a body");
        spec.decode(&expand(body, &scope), &scope).into_result().expect("a value")
    };
    for (spec, expected) in [
        (Spec::block_list("b", 5.., nested()), Type::list(element.clone())),
        (Spec::block_set("b", .., nested()), Type::set(element.clone())),
        (Spec::block_tuple("b", .., nested()), Type::Dynamic),
    ] {
        assert_eq!(decode(&spec, text("", "unknown", "")), Value::unknown(expected), "{spec:?}");
    }
    let labels = "  labels = [\"k\"]\n";
    for (spec, expected) in [
        (Spec::block_map("b", &["l"], nested()), Type::map(element.clone())),
        (Spec::block_object("b", &["l"], nested()), Type::Dynamic),
    ] {
        assert_eq!(decode(&spec, text(labels, "unknown", "z")), Value::unknown(expected), "{spec:?}");
    }
    // There may be none of the blocks that are not known, so that they are no duplicates.
    for spec in [Spec::block_map("b", &["l"], nested()), Spec::block_object("b", &["l"], nested())] {
        let twice = text(labels, "unknown", "k") + &text(labels, "unknown", "z");
        let body = parse::<Body>(("a", twice.as_str())).into_result().expect("a body");
        assert_eq!(spec.decode(&expand(body, &scope), &scope).into_result().map(|value| value.is_known()), Ok(false));
        let body = parse::<Body>(("a", twice + "b \"z\" {}\n")).into_result().expect("a body");
        let outcome = spec.decode(&expand(body, &scope), &scope);
        let codes: Vec<_> = outcome.diagnostics().iter().map(|found| found.code().as_str()).collect();
        assert_eq!(codes, ["duplicate-block"], "those that are written out are");
    }
    let list = decode(&Spec::block_list("b", .., nested()), text("", "marked", ""));
    let marks: Vec<bool> = list.elements().expect("a list").iter().map(Value::is_marked).collect();
    assert_eq!(marks, [true, false]);
}

/// Specs as deep as files can be, on a thread of 2 MiB.
#[test]
fn deep_specs_need_no_deep_stack() {
    let depth = 490;
    let spec: String = (0..depth).map(|_| "object {\nblock \"b\" {\n".to_owned()).collect::<String>()
        + "object {}\n"
        + &"}\n}\n".repeat(depth);
    let input = "b {\n".repeat(depth) + &"}\n".repeat(depth);
    let run = move || {
        let spec = parse::<Body>(("a.hcldec", spec)).into_result().expect("a spec file");
        let spec = SpecFile::from_body(&spec).into_result().expect("a spec").spec().clone();
        let body = parse::<Body>(("a.hcl", input)).into_result().expect("a file");
        let value = spec.decode(&body, &Scope::new()).into_result().expect("a value");
        assert_eq!(value.height() as usize, depth + 1);
        assert_eq!(spec.variables(&body).len(), 0);
        assert!(format!("{spec:?}").len() > depth);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread").join().expect("no overflow");
}

/// A file with many blocks, some of them wrong, takes time in proportion to their number.
#[test]
fn many_blocks_are_decoded_in_time() {
    let spec = Spec::object([
        ("list", Spec::block_list("a", .., Spec::attr("v", Type::Dynamic))),
        ("map", Spec::block_map("b", &["l"], Spec::attr("v", Type::Number))),
    ]);
    let text: String =
        (0..20_000).map(|at| format!("a {{\n  v = {at}\n}}\nb \"{}\" {{\n  v = x\n}}\n", at % 15_000)).collect();
    let body = parse::<Body>(("a.hcl", text)).into_result().expect("a file");
    let outcome = spec.decode(&body, &Scope::new());
    assert_eq!(outcome.diagnostics().len(), 20_000 + 5_000);
    assert_eq!(outcome.value().attribute("list").and_then(Value::elements).map(<[Value]>::len), Some(20_000));
}

#[test]
fn maps_of_attributes_are_those_of_the_official_engine() {
    let recorded = include_str!("../fixtures/decode/answers.jsonl");
    let lines: Vec<serde_json::Value> =
        recorded.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert!(lines.len() > 100);
    let mut wrong = Vec::new();
    for line in &lines {
        let mut answer = Vec::new();
        hcl_lr_conformance::run(format!("{}\n", line["request"]).as_bytes(), &mut answer).expect("memory");
        let ours: serde_json::Value = serde_json::from_slice(&answer).expect("an answer");
        let same = |name: &str| ours.get(name) == line["answer"].get(name);
        if !(same("ok") && (same("value") || line["answer"]["ok"] == false)) {
            wrong.push(format!("{line}\nours {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
