//! Bodies of every kind: their contents by a schema, and their construction.

use hcl_lr::body::{BodyBuilder, BodySchema};
use hcl_lr::dynamic::{Expander, NeededVariables, expand};
use hcl_lr::model::{Type, Value};
use hcl_lr::user_functions::user_functions;
use hcl_lr::{Body, ParseOptions, Scope, parse};

use super::{Case, DEEP, WIDE};

fn parsed(name: &'static str, text: String) -> Body {
    ParseOptions::new().max_nesting(100_000).parse::<Body>((name, text)).into_value()
}

fn native(count: usize) -> Body {
    parsed("a.hcl", (0..count).map(|at| format!("a{at} = {at}\nb \"l\" {{\n}}\n")).collect())
}

fn json(count: usize) -> Body {
    let members: Vec<String> = (0..count).map(|at| format!("\"a{at}\": {at}, \"b\": {{\"l\": {{}}}}")).collect();
    parsed("a.json", format!("{{{}}}", members.join(", ")))
}

fn json_list(count: usize) -> Body {
    let members: Vec<String> =
        (0..count).map(|at| format!("{{\"a{at}\": {at}}}, {{\"b\": {{\"l\": {{}}}}}}")).collect();
    parsed("a.json", format!("[{}]", members.join(", ")))
}

fn built(count: usize) -> Body {
    let all = (0..count)
        .fold(BodyBuilder::new(), |all, at| all.attribute(&format!("a{at}"), at).block("b", &["l"], Body::empty()));
    all.build()
}

fn merged(count: usize) -> Body {
    Body::merged((0..count).map(|at| parsed("a.hcl", format!("a{at} = {at}\nb \"l\" {{\n}}\n"))))
}

fn expanded(count: usize) -> Body {
    let block = |at: usize| {
        format!("a{at} = {at}\ndynamic \"b\" {{\n  for_each = [1]\n  labels = [\"l\"]\n  content {{\n  }}\n}}\n")
    };
    expand(parsed("a.hcl", (0..count).map(block).collect()), &Scope::new())
}

fn expanded_once(count: usize) -> Body {
    let block = "dynamic \"b\" {\n  for_each = l\n  labels = [\"l\"]\n  content {\n    x = b.value\n  }\n}\n";
    expand(parsed("a.hcl", block.to_owned()), &Scope::new().with("l", (0..count).collect::<Vec<usize>>()))
}

fn unknown(count: usize) -> Body {
    let block = "dynamic \"b\" {\n  for_each = l\n  labels = [\"l\"]\n  content {\n    x = b.value\n  }\n}\n";
    let scope = Scope::new().with("l", Value::unknown(Type::list(Type::Number)));
    expand(parsed("a.hcl", block.repeat(count)), &scope)
}

fn marked(count: usize) -> Body {
    let block = "dynamic \"b\" {\n  for_each = l\n  labels = [\"l\"]\n  content {\n    x = b.value\n  }\n}\n";
    expand(parsed("a.hcl", block.repeat(count)), &Scope::new().with("l", Value::from(vec![1]).mark("m")))
}

/// Returns the rest of a body after the first half of its attributes is taken.
fn rest(count: usize) -> Body {
    let schema = (0..count).fold(BodySchema::new(), |schema, at| schema.optional(format!("a{at}")));
    native(2 * count).partial_content(&schema).into_value().1
}

fn schema(count: usize) -> BodySchema {
    (0..count).fold(BodySchema::new().block("b", &["label"]), |schema, at| schema.optional(format!("a{at}")))
}

/// Blocks in each other.
fn nested(levels: usize) -> String {
    format!("{}a = 1\n{}", "b \"l\" {\n".repeat(levels), "}\n".repeat(levels))
}

fn nested_json(levels: usize) -> String {
    format!("{}{{\"a\": 1}}{}", "{\"b\": {\"l\": ".repeat(levels), "}}".repeat(levels))
}

fn nested_dynamic(levels: usize) -> String {
    let open = "dynamic \"b\" {\n  for_each = [1]\n  labels = [\"l\"]\n  content {\n";
    format!("{}a = b.value\n{}", open.repeat(levels), "}\n}\n".repeat(levels))
}

/// Goes through all levels.
fn through(body: Body) {
    let schema = BodySchema::new().optional("a").block("b", &["label"]);
    let mut next = Some(body);
    while let Some(body) = next {
        let content = body.content(&schema).into_value();
        content.attributes().iter().for_each(|attribute| drop(attribute.evaluate(&Scope::new())));
        next = content.blocks().first().map(|block| block.body().clone());
    }
}

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    type Make = fn(usize) -> Body;
    let kinds: [(&str, Make); 10] = [
        ("native syntax", native),
        ("JSON", json),
        ("a list of JSON", json_list),
        ("a built one", built),
        ("a merged one", merged),
        ("an expanded one", expanded),
        ("one block for each", expanded_once),
        ("unknown blocks", unknown),
        ("marked blocks", marked),
        ("the rest of one", rest),
    ];
    for (kind, make) in kinds {
        let with_schema = move |n: usize| (make(n), schema(n));
        cases.extend([
            case!("body/mod content": kind, WIDE, with_schema => |(body, schema)| body.content(&schema)),
            case!("body/mod content": &format!("{kind}, of which nothing is expected"), WIDE, make =>
                |body| body.content(&BodySchema::new())),
            case!("body/mod partial_content": kind, WIDE, move |n| (make(n), schema(n / 2)) => |(body, schema)| {
                let (_, rest) = body.partial_content(&schema).into_value();
                rest.attributes()
            }),
            case!("body/mod attributes": kind, WIDE, make => |body| body.attributes()),
            case!("body/mod marks": kind, WIDE, make => |body| body.marks()),
            case!("body/content evaluate": kind, WIDE, with_schema => |(body, schema)| {
                let content = body.content(&schema).into_value();
                content.attributes().iter().map(|attribute| attribute.evaluate(&Scope::new())).collect::<Vec<_>>()
            }),
            case!("body/content blocks_of_type": kind, WIDE, with_schema => |(body, schema)| {
                let content = body.content(&schema).into_value();
                content.blocks_of_type("b").map(|block| block.labels().len()).sum::<usize>()
            }),
            case!("body/content blocks": kind, WIDE, with_schema =>
                |(body, schema)| body.content(&schema).into_value().blocks().len()),
            case!("dynamic/variables visit": kind, WIDE, with_schema => |(body, schema)| {
                (NeededVariables::of_content(&body).visit(&schema), NeededVariables::of_expansion(&body).visit(&schema))
            }),
        ]);
    }
    let one_by_one = |n: usize| (0..n).map(|at| parsed("a.hcl", format!("a{at} = {at}\n"))).collect::<Vec<Body>>();
    cases.extend([
        case!("body/merged merged": "one by one", WIDE, one_by_one => |bodies| {
            let all = bodies.into_iter().fold(Body::empty(), |all, body| Body::merged([all, body]));
            all.attributes()
        }),
        case!("body/built build": "many", WIDE, |n| n => built),
        case!("body/schema with_all": "many", WIDE, |n| (schema(n), schema(2 * n)) => |(a, b)| a.with_all(&b)),
        case!("body/mod content": "nested in native syntax", DEEP, |n| parsed("a.hcl", nested(n)) => through),
        case!("body/mod content": "nested in JSON", DEEP, |n| parsed("a.json", nested_json(n)) => through),
        case!("dynamic/mod expand": "nested", DEEP / 4, |n| parsed("a.hcl", nested_dynamic(n)) => |body| {
            through(expand(body, &Scope::new()));
        }),
        case!("dynamic/mod expand": "one in each other block", DEEP, |n| parsed("a.hcl", nested(n)) => |body| {
            through(Expander::new(&Scope::new()).expand(body));
        }),
        case!("body/parse Body, native": "many", WIDE, |n| "a \"b\" {\n  c = 1\n}\n".repeat(n) =>
            |text| parse::<Body>(("a.hcl", text))),
        case!("body/schema required": "one by one", WIDE, |n| n =>
            |n| (0..n).fold(BodySchema::new(), |schema, at| schema.required(format!("a{at}")))),
        case!("body/schema block": "one by one", WIDE, |n| n =>
            |n| (0..n).fold(BodySchema::new(), |schema, at| schema.block(format!("b{at}"), &["label"]))),
        case!("body/content get": "each", WIDE, |n| native(n).content(&schema(n)).into_value() => |content| {
            let attributes = content.attributes();
            attributes.iter().filter(|attribute| attributes.get(attribute.name()).is_some()).count()
        }),
        case!("body/parse Body, JSON": "many", WIDE, |n| format!("[{}]", "{\"a\": {\"b\": 1}},".repeat(n)) =>
            |text| parse::<Body>(("a.json", text))),
        case!("user_functions user_functions": "many", WIDE,
            |n| {
                let function = |at: usize| format!("function \"f{at}\" {{\n  params = [a]\n  result = a\n}}\n");
                parsed("a.hcl", (0..n).map(function).collect())
            } => |body| user_functions(&body, "function", || std::sync::Arc::new(Scope::new()))),
    ]);
    cases
}
