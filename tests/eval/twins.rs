//! The same program on a file in native syntax and on its twin in JSON.
//!
//! A case of `fixtures/twins` has a fence `hcl`, a fence `json`, perhaps
//! a fence `schema` with what the program expects, and a fence `result`: the values, which must be the
//! same for both, or what is wrong, with its place in each. The kinds of diagnostics and what they
//! advise to do must be the same as well. Where they cannot be, the last fence is `differs` and
//! the text before it says why.
//!
//! A schema has a line for each thing that is expected: `required NAME`, `optional NAME`, or
//! `block TYPE LABEL…` with what is expected within, indented. Without a schema all is attributes.

use std::fmt::Write as _;

use crate::support::golden::{Golden, cases};
use hcl_lr::body::{Body, BodySchema};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Type, Value};
use hcl_lr::{Scope, functions, parse};

/// The contents that the program expects in a body; none in particular if there are only attributes.
#[derive(Default)]
struct Expected {
    schema: BodySchema,
    blocks: Vec<(String, Expected)>,
}

impl Expected {
    fn parse(lines: &[&str], indent: usize) -> Expected {
        let mut expected = Expected::default();
        for (index, line) in lines.iter().enumerate() {
            let depth = line.len() - line.trim_start().len();
            assert!(depth >= indent, "{line}");
            if depth > indent {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            expected.schema = match words[..] {
                ["required", name] => expected.schema.required(name),
                ["optional", name] => expected.schema.optional(name),
                ["block", block_type, ref labels @ ..] => {
                    let rest = &lines[index + 1..];
                    let deeper = |line: &&&str| line.len() - line.trim_start().len() > indent;
                    let within = &rest[..rest.iter().take_while(deeper).count()];
                    expected.blocks.push((block_type.to_owned(), Expected::parse(within, indent + 2)));
                    expected.schema.block(block_type, labels)
                }
                _ => panic!("no line of a schema: {line}"),
            };
        }
        expected
    }
}

/// The result of the program for a file.
struct Made {
    values: String,
    diagnostics: Diagnostics,
}

impl Made {
    fn of(name: &str, text: &str, expected: Option<&Expected>) -> Made {
        let (body, diagnostics) = parse::<Body>((name, text)).into_parts();
        let mut made = Made { values: String::new(), diagnostics };
        if !made.diagnostics.has_errors() {
            made.body(&body, expected, "");
        }
        made
    }

    fn body(&mut self, body: &Body, expected: Option<&Expected>, path: &str) {
        let Some(expected) = expected else {
            let attributes = body.attributes().into_value_reporting_to(&mut self.diagnostics);
            return self.attributes(&attributes, path);
        };
        let content = body.content(&expected.schema).into_value_reporting_to(&mut self.diagnostics);
        self.attributes(content.attributes(), path);
        for block in content.blocks() {
            let mut path = format!("{path}{}", block.block_type());
            for label in block.labels() {
                let _ = write!(path, "[{:?}]", label.text());
            }
            let _ = writeln!(self.values, "{path} {{}}");
            let within = expected.blocks.iter().find(|(block_type, _)| block_type == block.block_type());
            self.body(block.body(), within.map(|(_, expected)| expected), &(path + "."));
        }
    }

    fn attributes(&mut self, attributes: &hcl_lr::body::Attributes, path: &str) {
        for attribute in attributes {
            let value = attribute.evaluate_partially(&scope()).into_value_reporting_to(&mut self.diagnostics);
            let _ = writeln!(self.values, "{path}{} = {value}", attribute.name());
        }
    }

    /// The kinds of what is wrong, with the advice.
    fn kinds(&self) -> Vec<(String, Option<String>)> {
        let kind = |diagnostic: &hcl_lr::diagnostic::Diagnostic| {
            (diagnostic.code().to_string(), diagnostic.help().map(str::to_owned))
        };
        let mut kinds: Vec<_> = self.diagnostics.iter().map(kind).collect();
        kinds.sort();
        kinds
    }
}

fn scope() -> Scope<'static> {
    Scope::new()
        .with("name", "Ada")
        .with("port", 8080)
        .with("names", vec![Value::from("a"), Value::from("b")])
        .with("server", Value::object([("host", Value::from("h")), ("port", Value::from(80))]))
        .with("nothing", Value::null(Type::Dynamic))
        .with("later", Value::unknown(Type::String))
        .with("secret", Value::from("s").mark("sensitive"))
        .with_functions(functions::standard())
}

#[test]
fn twins_mean_the_same() {
    let mut golden = Golden::new();
    let mut wrong = String::new();
    let cases = cases("twins");
    for case in &cases {
        let schema = case.find("schema").map(|schema| Expected::parse(&schema.text().lines().collect::<Vec<_>>(), 0));
        let native = Made::of("a.hcl", case.text("hcl"), schema.as_ref());
        let json = Made::of("a.json", case.text("json"), schema.as_ref());
        // The partial results of files with errors differ: strings of JSON are parsed at evaluation, native
        // expressions before it.
        let right = !native.diagnostics.has_errors() && !json.diagnostics.has_errors();
        let values = if right { native.values.as_str() } else { "" };
        let result = format!("{values}{}{}", native.diagnostics.short(), json.diagnostics.short());
        let title = case.place();
        if right && native.values != json.values {
            wrong += &format!("{title}\nnative:\n{}json:\n{}", native.values, json.values);
        }
        let same = native.kinds() == json.kinds();
        let differs = case.find("differs").is_some();
        if same == differs {
            let (native, json) = (native.kinds(), json.kinds());
            wrong += &format!("{title}: the diagnostics\n{native:#?}\n{json:#?}\n");
        }
        golden.check_case(case, if differs { "differs" } else { "result" }, &result);
    }
    assert!(cases.len() >= 60, "only {} twins", cases.len());
    assert!(wrong.is_empty(), "{wrong}");
    golden.finish();
}
