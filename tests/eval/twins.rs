//! The same program on a file in native syntax and on its twin in JSON.
//!
//! `fixtures/twins/*.md` are tables of twins. Each has a heading, a fence `hcl`, a fence `json`, perhaps
//! a fence `schema` with what the program expects, and a fence `result`: the values, which must be the
//! same for both, or what is wrong, with its place in each. The kinds of diagnostics and what they
//! advise to do must be the same as well. Where they cannot be, the last fence is `result differs` and
//! the text before it says why. `UPDATE_GOLDEN=1 cargo test` writes the results anew.
//!
//! A schema has a line for each thing that is expected: `required NAME`, `optional NAME`, or
//! `block TYPE LABEL…` with what is expected within, indented. Without a schema all is attributes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

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

/// A pair of twins.
#[derive(Default)]
struct Twins {
    title: String,
    native: String,
    json: String,
    schema: Option<String>,
    differs: bool,
    result: String,
}

/// The twins of a table, and for each where its result stands in the text.
fn read(text: &str) -> Vec<(Twins, std::ops::Range<usize>)> {
    let mut all = Vec::new();
    let mut twins = Twins::default();
    let mut fence: Option<(String, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end();
        if let Some(title) = line.strip_prefix("## ") {
            twins = Twins { title: title.to_owned(), ..Twins::default() };
        } else if let (Some(kind), None) = (line.strip_prefix("```"), &fence) {
            fence = Some((kind.to_owned(), at));
        } else if line == "```" {
            let (kind, from) = fence.take().expect("a fence that is open");
            let inside = text[from..start].to_owned();
            match kind.as_str() {
                "hcl" => twins.native = inside,
                "json" => twins.json = inside,
                "schema" => twins.schema = Some(inside),
                "result" | "result differs" => {
                    twins.differs = kind != "result";
                    twins.result = inside;
                    all.push((std::mem::take(&mut twins), from..start));
                }
                _ => panic!("no kind of a fence: {kind}"),
            }
        }
    }
    all
}

#[test]
fn twins_mean_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/twins");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut count = 0;
    let mut wrong = String::new();
    for entry in fs::read_dir(folder).expect("the folder of the twins") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a table is text");
        let mut written = text.clone();
        for (twins, place) in read(&text).into_iter().rev() {
            count += 1;
            let expected =
                twins.schema.as_deref().map(|schema| Expected::parse(&schema.lines().collect::<Vec<_>>(), 0));
            let native = Made::of("a.hcl", &twins.native, expected.as_ref());
            let json = Made::of("a.json", &twins.json, expected.as_ref());
            // The partial results of files with errors differ: strings of JSON are parsed at evaluation, native
            // expressions before it.
            let right = !native.diagnostics.has_errors() && !json.diagnostics.has_errors();
            let values = if right { native.values.as_str() } else { "" };
            let result = format!("{values}{}{}", native.diagnostics.short(), json.diagnostics.short());
            let title = format!("{}: {}", path.display(), twins.title);
            if right && native.values != json.values {
                wrong += &format!("{title}\nnative:\n{}json:\n{}", native.values, json.values);
            }
            let same = native.kinds() == json.kinds();
            if same == twins.differs {
                let (native, json) = (native.kinds(), json.kinds());
                wrong += &format!("{title}: the diagnostics\n{native:#?}\n{json:#?}\n");
            }
            if result != twins.result {
                wrong += &format!("{title}: expected\n{}found\n{result}", twins.result);
            }
            written.replace_range(place, &result);
        }
        if update && written != text {
            fs::write(&path, written).expect("the table can be written");
        }
    }
    assert!(count >= 60, "only {count} twins");
    assert!(wrong.is_empty(), "{wrong}");
}
