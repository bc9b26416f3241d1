//! Bodies of either syntax by schemas, and their conversion to the other syntax.

use hcl_lr::body::BodySchema;
use hcl_lr::convert::{ConversionOptions, ConversionSchema, JsonBlocks, to_json, to_native};
use hcl_lr::decode::Spec;
use hcl_lr::dynamic::expand;
use hcl_lr::model::Type;
use hcl_lr::{Body, ParseOptions, Scope, parse};

use super::Case;

fn native(count: usize) -> String {
    (0..count).map(|at| format!("a{at} = {at}\nb \"l\" {{\n}}\n")).collect()
}

fn json(count: usize) -> String {
    let members: Vec<String> = (0..count).map(|at| format!("\"a{at}\": {at}, \"b\": {{\"l\": {{}}}}")).collect();
    format!("{{{}}}", members.join(", "))
}

fn same_names(count: usize) -> String {
    format!("{{{}}}", vec!["\"a\": 1"; count].join(", "))
}

/// Attributes of all names, and blocks.
fn schema(count: usize) -> BodySchema {
    (0..count).fold(BodySchema::new().block("b", &["label"]), |schema, at| schema.optional(format!("a{at}")))
}

/// Names that are not in any of the texts.
fn other_schema(count: usize) -> BodySchema {
    (0..count).fold(BodySchema::new(), |schema, at| {
        schema.optional(format!("argument_{at}")).block(format!("block_{at}"), &[])
    })
}

pub fn all() -> Vec<Case> {
    type Text = fn(usize) -> String;
    let texts: [(&str, Text); 3] = [("a.hcl", native), ("a.json", json), ("b.json", same_names)];
    let mut cases = Vec::new();
    for (name, text) in texts {
        cases.push(Case::new(format!("content of {name}"), 500, move |size| {
            let (body, schema) = (parse::<Body>((name, text(size))).into_value(), schema(size));
            move || drop(body.content(&schema))
        }));
        cases.push(Case::new(format!("partial content of {name}, and the rest"), 500, move |size| {
            let (body, schema) = (parse::<Body>((name, text(size))).into_value(), schema(size / 2));
            move || {
                let (_, rest) = body.partial_content(&schema).into_value();
                drop(rest.content(&BodySchema::new()));
            }
        }));
        cases.push(Case::new(format!("{name} twice, merged"), 500, move |size| {
            let (body, schema) = (parse::<Body>((name, text(size))).into_value(), schema(size));
            move || drop(Body::merged([body.clone(), body]).content(&schema))
        }));
        cases.push(Case::new(format!("attributes of {name}"), 500, move |size| {
            let body = parse::<Body>((name, text(size))).into_value();
            move || drop(body.attributes())
        }));
        // NameSuggestions for what may have been meant compare names with each other, up to a limit.
        cases.push(Case::new(format!("names of {name} that are not expected"), 2_000, move |size| {
            let (body, schema) = (parse::<Body>((name, text(size))).into_value(), other_schema(size));
            move || drop(body.content(&schema))
        }));
        cases.push(Case::new(format!("{name} by a spec"), 500, move |size| {
            let body = parse::<Body>((name, text(size))).into_value();
            let attributes = (0..size).map(|at| (format!("a{at}"), Spec::attr(format!("a{at}"), Type::Number)));
            let blocks = Spec::block_list("b", .., Spec::block_label(0, "label"));
            let spec = Spec::object(attributes.chain([("b".to_owned(), blocks)]));
            move || drop(spec.decode(&body, &Scope::new()))
        }));
    }
    cases.push(Case::new("bodies merged one by one", 500, |size| {
        let body = |at: usize| parse::<Body>(("part.hcl", format!("a{at} = {at}\n"))).into_value();
        let bodies: Vec<Body> = (0..size).map(body).collect();
        move || {
            let all = bodies.into_iter().fold(Body::empty(), |all, body| Body::merged([all, body]));
            drop(all.attributes());
        }
    }));
    cases.push(Case::new("dynamic blocks", 200, |size| {
        let block = "dynamic \"b\" {\n  for_each = [1, 2]\n  labels = [\"l\"]\n  content {\n  }\n}\n";
        let body = expand(parse::<Body>(("d.hcl", block.repeat(size))).into_value(), &Scope::new());
        move || drop(body.content(&schema(0)))
    }));
    cases
}

const FORMS: [JsonBlocks; 3] = [JsonBlocks::Array, JsonBlocks::Collapse, JsonBlocks::Tagged];

pub fn converted() -> Vec<Case> {
    type Make = fn(usize) -> String;
    let sources: [(&str, Make); 9] = [
        ("attributes", |n| (0..n).map(|i| format!("a{i} = b.c[{i}]\n")).collect()),
        ("blocks", |n| "a \"x\" {\n  b = 1\n}\n".repeat(n)),
        ("types in turn", |n| "a {}\nb {}\n".repeat(n)),
        ("types twice", |n| (0..2 * n).map(|i| format!("a{} {{}}\n", i % n)).collect()),
        ("labels", |n| format!("a {}{{}}\n", "\"x\" ".repeat(n))),
        ("comments", |n| "# a\nb {\n  # c\n}\n".repeat(n)),
        ("keys", |n| format!("a = {{{}}}\n", (0..n).map(|i| format!("k{i} = 1, ")).collect::<String>())),
        ("a long text", |n| format!("a = \"{}\"\n", "\\n$${x\\u00e9 ${b}".repeat(n))),
        ("a long heredoc", |n| format!("a = <<-E\n{}E\n", "  x ${b}\n".repeat(n))),
    ];
    let mut cases = Vec::new();
    for (name, make) in sources {
        for blocks in FORMS {
            cases.push(Case::new(format!("{name} as {blocks:?}"), 1_000, move |size| {
                let options = ParseOptions::new().max_nesting(100_000).max_errors(10);
                let file = hcl_lr::parse::<hcl_lr::File>(make(size)).into_result().expect("it is right");
                let schema = ConversionSchema::of(file.body());
                move || {
                    let conversion = ConversionOptions::new()
                        .with_blocks(blocks)
                        .with_comments(true)
                        .with_schema(&schema)
                        .with_parse_options(options);
                    let json = to_json(&file, &conversion).into_result().expect("it can be converted").text;
                    let document = options.parse::<hcl_lr::json::Document>(("a.json", json));
                    to_native(&document.into_result().expect("JSON"), &conversion).into_result().expect("native");
                }
            }));
        }
    }
    cases
}
