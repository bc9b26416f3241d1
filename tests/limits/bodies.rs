//! Bodies in either syntax, however large or deep, on a thread with 2 MiB of stack.

use crate::limits::on_small_stack;
use hcl_lr::body::{Attributes, BodySchema, Content};
use hcl_lr::convert::{ConversionOptions, ConversionSchema, to_json, to_native};
use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::dynamic::{Expander, expand};
use hcl_lr::json::Document;
use hcl_lr::model::Value;
use hcl_lr::source::{Place, Source};
use hcl_lr::{Attribute, Block, Body, Expression, File, Scope, Traversal, parse};

/// An expression of a file whose only attribute is `a`.
fn expression(name: &str, text: String) -> Expression {
    let body = parse::<Body>((name, text)).into_result().expect("no errors");
    body.attributes().into_result().expect("attributes").get("a").expect("it is there").expression().clone()
}

#[test]
fn everything_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<(Body, Content, Attributes, Expression, BodySchema)>();
    shared::<(Outcome<Body>, Diagnostics, Place, Source, Document, Value)>();
    shared::<(Scope<'static>, Expander, File, Traversal, Attribute, Block, ConversionSchema)>();
}

#[test]
fn json_nests_to_the_limit() {
    for (open, close) in [("[", "]"), ("{\"k\": ", "}"), ("{\"${k}\": [", "]}")] {
        let levels = 998 / open.matches(['[', '{']).count().min(2);
        let text = format!("{{\"a\": {}\"${{k}}\"{}}}", open.repeat(levels / 2), close.repeat(levels / 2));
        on_small_stack(move || {
            let expression = expression("deep.json", text);
            let value = expression.evaluate(&Scope::new().with("k", "x")).expect("no errors");
            assert!(value.height() as usize >= levels / 2);
            assert!(!expression.variables().is_empty());
            assert!(expression.static_list().is_ok() != expression.static_map().is_ok());
            assert!(expression.static_call().is_err());
        });
    }
}

#[test]
fn dynamic_blocks_nest_to_the_limit() {
    let open = "dynamic \"b\" {\nfor_each = [1]\ncontent {\n";
    let text = format!("{}a = b.value\n{}", open.repeat(490), "}\n}\n".repeat(490));
    on_small_stack(move || {
        let schema = BodySchema::new().optional("a").block("b", &[]);
        let mut body = expand(parse::<Body>(("deep.hcl", text)).into_result().expect("no errors"), &Scope::new());
        for _ in 0..490 {
            body = body.content(&schema).into_result().expect("a block").blocks()[0].body().clone();
        }
        let content = body.content(&schema).into_result().expect("an argument");
        let value = content.attribute("a").expect("it is there").expression().evaluate(&Scope::new());
        assert_eq!(value.expect("no errors"), Value::from(1));
    });
}

#[test]
fn blocks_and_values_of_any_depth_are_converted() {
    let blocks = format!("{}{}", "b {\n".repeat(999), "}\n".repeat(999));
    let values = format!("a = {}1{}\n", "[{ k = ".repeat(499), " }]".repeat(499));
    for text in [blocks, values] {
        on_small_stack(move || {
            let file = parse::<File>(("deep.hcl", text)).into_result().expect("a file");
            let schema = ConversionSchema::of(file.body());
            let conversion = ConversionOptions::new().with_schema(&schema);
            let json = to_json(&file, &conversion).into_result().expect("JSON").text;
            let document = parse::<Document>(("deep.json", json.as_str()));
            let native = to_native(&document.into_result().expect("a document"), &conversion);
            let native = native.into_result().expect("native syntax").text;
            let again = parse::<File>(("again.hcl", native));
            let again = to_json(&again.into_result().expect("a file"), &conversion);
            assert_eq!(again.into_result().expect("JSON").text, json);
        });
    }
}

/// As a program does it that reads one file after the other.
#[test]
fn bodies_can_be_merged_one_by_one() {
    on_small_stack(|| {
        let mut all = Body::empty();
        for number in 0..20_000 {
            let body = parse::<Body>(("part.hcl", format!("a{number} = {number}\n"))).into_result().expect("a body");
            all = Body::merged([all, body]);
        }
        let (content, rest) = all.partial_content(&BodySchema::new().required("a7")).into_result().expect("content");
        assert!(content.attribute("a7").is_some());
        assert_eq!(rest.attributes().into_result().expect("attributes").len(), 19_999);
        let more = Body::merged([rest.clone(), parse::<Body>(("more.hcl", "a8 = 1\n")).into_value()]);
        assert_eq!(more.attributes().diagnostics().len(), 1);
        // The first thousand of 19,999 attributes that are in both are reported.
        assert_eq!(Body::merged([rest.clone(), rest]).attributes().diagnostics().len(), 1_000);
    });
}

#[test]
fn many_names_that_are_not_expected_are_reported_up_to_a_limit() {
    let native = |index: usize| format!("name_{index} = 1\n");
    let block = |index: usize| format!("name_{index} {{\n}}\n");
    let dynamic = |index: usize| format!("dynamic \"name_{index}\" {{\n}}\n");
    let expected = (0..3_000).fold(BodySchema::new(), |schema, index| {
        schema.optional(format!("argument_{index}")).block(format!("block_{index}"), &[])
    });
    let json: Vec<String> = (0..10_000).map(|index| format!("\"name_{index}\": 1")).collect();
    let texts = [
        ("a.hcl", (0..10_000).map(native).collect::<String>()),
        ("b.hcl", (0..10_000).map(block).collect()),
        ("c.hcl", (0..10_000).map(dynamic).collect()),
        ("d.json", format!("{{{}}}", json.join(", "))),
    ];
    for (name, text) in texts {
        let body = expand(parse::<Body>((name, text)).into_result().expect("no errors"), &Scope::new());
        // The first thousand, and that there are more; what is dynamic is reported block by block.
        let count = body.content(&expected).diagnostics().len();
        assert_eq!(count, if name == "c.hcl" { 10_000 } else { 1_001 }, "{name}");
    }
}
