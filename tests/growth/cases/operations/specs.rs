//! Specs of every kind: what they make of bodies, and what they say of themselves.

use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::decode::{Spec, ValidationProblem};
use hcl_lr::model::{Type, Value};
use hcl_lr::{Body, Expression, ParseOptions, Scope, functions, parse};

use super::{Case, DEEP, WIDE};

fn parsed(name: &'static str, text: String) -> Body {
    ParseOptions::new().max_nesting(100_000).parse::<Body>((name, text)).into_value()
}

fn expression(text: &str) -> Expression {
    hcl_lr::parse::<Expression>(("specs", text)).into_result().expect("no errors")
}

/// Attributes and blocks with labels of their own.
fn body(count: usize) -> Body {
    parsed(
        "a.hcl",
        (0..count).map(|at| format!("a{at} = {at}\nb \"l{at}\" {{\n  x = {at}\n  y = \"{at}\"\n}}\n")).collect(),
    )
}

fn attributes_only(count: usize) -> Body {
    parsed("a.hcl", format!("c {{\n{}}}\n", (0..count).map(|at| format!("a{at} = {at}\n")).collect::<String>()))
}

fn each(count: usize, spec: impl Fn(usize) -> Spec) -> Spec {
    Spec::object((0..count).map(|at| (format!("a{at}"), spec(at))).chain([("b".to_owned(), blocks())]))
}

fn blocks() -> Spec {
    Spec::block_list("b", .., Spec::block_label(0, "name"))
}

fn parts() -> Spec {
    Spec::object([
        ("name", Spec::block_label(0, "name")),
        ("x", Spec::attr("x", Type::Number)),
        ("y", Spec::attr("y", Type::Dynamic)),
    ])
}

/// The attributes of a body are all taken; its blocks are for the spec.
fn with_attributes(count: usize, spec: Spec) -> Spec {
    Spec::object(
        (0..count)
            .map(|at| (format!("a{at}"), Spec::attr(format!("a{at}"), Type::Number)))
            .chain([("b".to_owned(), spec)]),
    )
}

fn number(at: usize) -> Spec {
    Spec::attr(format!("a{at}"), Type::Number)
}

type Make = fn(usize) -> (Spec, Body);

const WIDE_SPECS: [(&str, Make); 19] = [
    ("decode/attr attr", |n| (each(n, number), body(n))),
    ("decode/attr required_attr", |n| (each(n, |at| Spec::required_attr(format!("a{at}"), Type::String)), body(n))),
    ("decode/block block", |n| {
        (Spec::block("c", Spec::object((0..n).map(|at| (format!("a{at}"), number(at))))), attributes_only(n))
    }),
    ("decode/block required_block", |n| {
        (Spec::required_block("c", Spec::object((0..n).map(|at| (format!("a{at}"), number(at))))), attributes_only(n))
    }),
    ("decode/block_attrs block_attrs", |n| (Spec::block_attrs("c", Type::Number), attributes_only(n))),
    ("decode/block_attrs required_block_attrs", |n| {
        (Spec::required_block_attrs("c", Type::Dynamic), attributes_only(n))
    }),
    ("decode/collection block_list", |n| (with_attributes(n, Spec::block_list("b", .., parts())), body(n))),
    ("decode/collection block_set", |n| (with_attributes(n, Spec::block_set("b", .., parts())), body(n))),
    ("decode/collection block_tuple", |n| (with_attributes(n, Spec::block_tuple("b", .., parts())), body(n))),
    ("decode/labelled block_map", |n| {
        (
            with_attributes(
                n,
                Spec::block_map("b", &["name"], Spec::attr("x", Type::Number).or(Spec::attr("y", Type::Number))),
            ),
            body(n),
        )
    }),
    ("decode/labelled block_object", |n| {
        (with_attributes(n, Spec::block_object("b", &["name"], Spec::attr("x", Type::Number))), body(n))
    }),
    ("decode/label block_label", |n| {
        (with_attributes(n, Spec::block_list("b", .., Spec::block_label(0, "name"))), body(n))
    }),
    ("decode/literal literal", |n| (each(n, |at| Spec::tuple([number(at), Spec::literal(1)])), body(n))),
    ("decode/literal expr", |n| {
        (each(n, |at| Spec::tuple([number(at), Spec::expr(expression("[1, \"${2}\"]"))])), body(n))
    }),
    ("decode/structure tuple", |n| (Spec::tuple((0..n).map(number).chain([blocks()])), body(n))),
    ("decode/fallback or", |n| (each(n, |at| Spec::attr("none", Type::Number).or(number(at))), body(n))),
    ("decode/transform transform_expr", |n| {
        (each(n, |at| number(at).transform_expr("value", expression("value + 1"), Scope::new())), body(n))
    }),
    ("decode/validate validate", |n| {
        (each(n, |at| number(at).validate(|_| Some(ValidationProblem::warning("odd")))), body(n))
    }),
    ("decode/validate refine", |n| (each(n, |at| number(at).refine(|known| known.not_null())), body(n))),
];

/// Blocks in each other, and specs in each other that take them.
fn nested(levels: usize, spec: fn(Spec) -> Spec) -> (Spec, Body) {
    let text = format!("{}x = 1\n{}", "b \"l\" {\n".repeat(levels), "}\n".repeat(levels));
    ((0..levels).fold(Spec::attr("x", Type::Number), |inner, _| spec(inner)), parsed("a.hcl", text))
}

type Wrap = fn(Spec) -> Spec;

const DEEP_SPECS: [(&str, Wrap); 6] = [
    ("decode/collection block_list", |inner| {
        Spec::block_list("b", .., Spec::object([("n", Spec::block_label(0, "n")), ("b", inner)]))
    }),
    ("decode/collection block_set", |inner| {
        Spec::block_set("b", .., Spec::object([("n", Spec::block_label(0, "n")), ("b", inner)]))
    }),
    ("decode/collection block_tuple", |inner| {
        Spec::block_tuple("b", .., Spec::tuple([Spec::block_label(0, "n"), inner]))
    }),
    ("decode/block block", |inner| Spec::block("b", Spec::tuple([Spec::block_label(0, "n"), inner]))),
    ("decode/labelled block_map", |inner| Spec::block_map("b", &["n"], inner)),
    ("decode/labelled block_object", |inner| Spec::block_object("b", &["n"], inner)),
];

fn decode((spec, body): (Spec, Body)) {
    drop(spec.decode(&body, &Scope::new()));
}

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (operation, make) in WIDE_SPECS {
        cases.push(case!(operation: "many", WIDE, make => decode));
        cases.push(case!("decode/mod partial_decode": operation, WIDE, make =>
            |(spec, body)| spec.partial_decode(&body, &Scope::new())));
        cases.push(case!("decode/mod variables": operation, WIDE, make => |(spec, body)| spec.variables(&body)));
        cases.push(case!("decode/mod implied_type": operation, WIDE, make => |(spec, _)| spec.implied_type()));
        cases.push(case!("decode/mod schema": operation, WIDE, make => |(spec, _)| spec.schema().attributes().len()));
        cases.push(case!("decode/mod place_in": operation, WIDE, make => |(spec, body)| spec.place_in(&body)));
        cases.push(case!("decode/mod block_types": operation, WIDE, make => |(spec, _)| spec.block_types()));
    }
    for (operation, wrap) in DEEP_SPECS {
        let make = move |n: usize| nested(n, wrap);
        cases.push(case!(operation: "in each other", DEEP / 2, make => decode));
        cases.push(case!("decode/mod variables": &format!("{operation} in each other"), DEEP / 2, make =>
            |(spec, body)| spec.variables(&body)));
        cases.push(case!("decode/mod implied_type": &format!("{operation} in each other"), 4 * DEEP, make =>
            |(spec, _)| spec.implied_type()));
    }
    cases.push(case!("decode/transform transform": "many", WIDE,
        |n| {
            let double = functions::standard().get("abs").expect("it is there").clone();
            (each(n, |at| number(at).transform(double.clone())), body(n))
        } => decode));
    cases.push(case!("decode/collection block_list": "of any, each of another type", WIDE / 4,
        |n| {
            let block = |at: usize| format!("b \"l\" {{\n  x = {{ k{at} = 1 }}\n}}\n");
            let spec =
                Spec::block_list("b", .., Spec::tuple([Spec::block_label(0, "n"), Spec::attr("x", Type::Dynamic)]));
            (spec, parsed("a.hcl", (0..n).map(block).collect()))
        } => decode));
    cases.push(case!("decode/literal literal": "a large value", WIDE,
        |n| (Spec::literal(super::wide(n)), Body::empty()) =>
        decode));
    cases.push(case!("decode/attr attr": "a large value", WIDE,
        |n| {
            let list: String = (0..n).map(|at| format!("{at}, ")).collect();
            (Spec::attr("x", Type::set(Type::String)), parsed("a.hcl", format!("x = [{list}]\n")))
        } => decode));
    let file = |n: usize| {
        let attribute = |at: usize| format!("  attr \"a{at}\" {{\n    type = list(string)\n  }}\n");
        parse::<Body>(("a.hcldec", format!("object {{\n{}}}\n", (0..n).map(attribute).collect::<String>())))
            .into_value()
    };
    cases.push(case!("decode/spec_file/mod read_spec": "many", WIDE, file =>
        |body| SpecFile::from_body(&body).into_result().map(drop)));
    let text = |n: usize| {
        let attribute = |at: usize| format!("  attr \"a{at}\" {{\n    type = list(string)\n  }}\n");
        format!("object {{\n{}}}\n", (0..n).map(attribute).collect::<String>())
    };
    cases.push(case!("decode/spec_file/mod parse_spec": "many", WIDE, text =>
        |text| parse::<SpecFile>(("a.hcldec", text)).into_result().map(drop)));
    let nested_file = |n: usize| {
        let text =
            format!("{}literal {{\n  value = 1\n}}\n{}", "block {\n  block_type = \"b\"\n".repeat(n), "}\n".repeat(n));
        parsed("a.hcldec", text)
    };
    cases.push(case!("decode/spec_file/mod read_spec": "in each other", DEEP / 2, nested_file =>
        |body| SpecFile::from_body(&body).into_result().map(drop)));
    let unknown = Value::unknown(Type::Dynamic);
    cases.push(case!("decode/collection block_list": "of what is unknown", WIDE,
        |n| {
            (
                Spec::block_list("b", .., Spec::tuple([Spec::block_label(0, "n"), Spec::attr("x", Type::Dynamic)])),
                parsed("a.hcl", "b \"l\" {\n  x = u\n}\n".repeat(n)),
            )
        } => move |(spec, body)| spec.decode(&body, &Scope::new().with("u", unknown.clone()))));
    cases
}
