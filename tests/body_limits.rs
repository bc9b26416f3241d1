//! Bodies in either syntax, however large or deep, on a thread with 2 MiB of stack.

#[path = "support/limits.rs"]
mod limits;

use std::time::Duration;

use hcl_lr::Scope;
use hcl_lr::body::{Attributes, Body, Content, Expression, Schema, load_text};
use hcl_lr::convert::{Conversion, ConversionSchema, to_json, to_native};
use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::dynamic::{Expander, expand};
use hcl_lr::json::{Document, parse_json_body};
use hcl_lr::model::Value;
use hcl_lr::source::{Place, Source};
use hcl_lr::syntax::{Options, OwnedBody, OwnedExpression, OwnedTraversal, parse_source};
use limits::{Clock, on_small_stack};

/// An expression of a file whose only attribute is `a`.
fn expression(name: &str, text: String) -> Expression {
    let body = load_text(name, text).into_result().expect("no errors");
    body.attributes().into_result().expect("attributes").get("a").expect("it is there").expression().clone()
}

#[test]
fn everything_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<(Body, Content, Attributes, Expression, Schema)>();
    shared::<(Outcome<Body>, Diagnostics, Place, Source, Document, Value)>();
    shared::<(Scope<'static>, Expander, OwnedBody, OwnedExpression, OwnedTraversal, ConversionSchema)>();
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
        let schema = Schema::new().optional("a").block("b", &[]);
        let mut body = expand(load_text("deep.hcl", text).into_result().expect("no errors"), &Scope::new());
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
            let file = parse_source(Source::new("deep.hcl", text), &Options::default()).into_result().expect("a file");
            let schema = ConversionSchema::of(file.body());
            let conversion = Conversion { schema: &schema, ..Conversion::default() };
            let json = to_json(&file, &conversion).into_result().expect("JSON").text;
            let document = parse_json_body(Source::new("deep.json", json.as_str()), &Options::default());
            let native = to_native(&document.into_result().expect("a document"), &conversion);
            let native = native.into_result().expect("native syntax").text;
            let again = parse_source(Source::new("again.hcl", native), &Options::default());
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
            let body = load_text("part.hcl", format!("a{number} = {number}\n")).into_result().expect("a body");
            all = Body::merged([all, body]);
        }
        let (content, rest) = all.partial_content(&Schema::new().required("a7")).into_result().expect("content");
        assert!(content.attribute("a7").is_some());
        assert_eq!(rest.attributes().into_result().expect("attributes").len(), 19_999);
        let more = Body::merged([rest.clone(), load_text("more.hcl", "a8 = 1\n").value]);
        assert_eq!(more.attributes().diagnostics.len(), 1);
        // Of 19,999 attributes that are in both, the first thousand are reported.
        assert_eq!(Body::merged([rest.clone(), rest]).attributes().diagnostics.len(), 1_000);
    });
}

/// Tips for what may have been meant compare names with each other.
#[test]
fn many_names_that_are_not_expected_take_linear_time() {
    let native = |index: usize| format!("name_{index} = 1\n");
    let block = |index: usize| format!("name_{index} {{\n}}\n");
    let dynamic = |index: usize| format!("dynamic \"name_{index}\" {{\n}}\n");
    let expected = (0..3_000).fold(Schema::new(), |schema, index| {
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
        let start = Clock::start();
        let body = expand(load_text(name, text).into_result().expect("no errors"), &Scope::new());
        // The first thousand, and that there are more; what is dynamic is reported block by block.
        let count = body.content(&expected).diagnostics.len();
        assert_eq!(count, if name == "c.hcl" { 10_000 } else { 1_001 }, "{name}");
        assert!(start.elapsed() < Duration::from_secs(30), "{name}: {:?}", start.elapsed());
    }
}
