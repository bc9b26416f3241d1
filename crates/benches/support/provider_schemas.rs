//! Writes schemas of a provider as `terraform providers schema -json` prints them, and configuration for it.
//!
//! `provider_schemas FOLDER` makes `FOLDER/schemas.json`, with 1,500 resource types and 300 data sources, and 1,000 files in
//! `FOLDER/files`. Each run makes the same bytes. One of 50 files has a mistake, so that a check finds something.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, process};

const RESOURCES: usize = 1_500;
const DATA_SOURCES: usize = 300;
const FILES: usize = 1_000;
const FILES_OF_A_FOLDER: usize = 10;

const SERVICES: &[&str] = &[
    "compute", "network", "storage", "database", "queue", "identity", "secret", "search", "stream", "cache", "batch",
    "domain", "image", "mail", "metric", "pipeline", "policy", "registry", "route", "workflow",
];
const THINGS: &[&str] = &[
    "instance",
    "group",
    "rule",
    "policy",
    "attachment",
    "endpoint",
    "gateway",
    "bucket",
    "table",
    "topic",
    "role",
    "key",
    "alias",
    "cluster",
    "node_pool",
    "snapshot",
    "volume",
    "certificate",
    "record",
    "schedule",
    "trigger",
    "subscription",
    "permission",
    "template",
    "profile",
];
const WORDS: &[&str] = &[
    "name", "size", "type", "zone", "owner", "class", "mode", "level", "limit", "count", "period", "window", "address",
    "port", "protocol", "version", "engine", "format", "prefix", "suffix", "region", "target", "source", "action",
    "status", "state", "token", "path", "host", "user", "role", "scope", "value", "label", "tier", "plan", "weight",
];
const TEXT: &[&str] = &[
    "The",
    "identifier",
    "of",
    "this",
    "setting",
    "that",
    "controls",
    "which",
    "requests",
    "are",
    "allowed",
    "when",
    "the",
    "service",
    "starts",
    "Defaults",
    "to",
    "one",
    "determined",
    "by",
    "account",
    "Must",
    "be",
    "between",
    "and",
    "characters",
    "long",
    "Changing",
    "it",
    "creates",
    "a",
    "new",
    "resource",
];

/// Numbers that look random and are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// A description of some words.
    fn text(&mut self) -> String {
        let words: Vec<&str> = (0..12 + self.below(24)).map(|_| self.of(TEXT)).collect();
        words.join(" ")
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Use {
    Required,
    Optional,
    Computed,
    Both,
}

struct Attribute {
    name: String,
    ty: &'static str,
    usage: Use,
}

struct Nested {
    name: String,
    min: usize,
    body: Body,
}

#[derive(Default)]
struct Body {
    attributes: Vec<Attribute>,
    blocks: Vec<Nested>,
}

/// Types as JSON has them, with a value of each.
const TYPES: &[(&str, &str)] = &[
    ("\"string\"", "\"a-${var.stage}\""),
    ("\"string\"", "\"value\""),
    ("\"string\"", "var.name"),
    ("\"number\"", "30"),
    ("\"bool\"", "true"),
    ("[\"list\",\"string\"]", "[\"a\", \"b\"]"),
    ("[\"set\",\"string\"]", "toset([var.name])"),
    ("[\"map\",\"string\"]", "{ team = \"web\", cost = 12 }"),
    ("[\"list\",[\"object\",{\"key\":\"string\",\"value\":\"string\"}]]", "[{ key = \"a\", value = \"b\" }]"),
];

fn value(ty: &str, random: &mut Random) -> &'static str {
    let fitting: Vec<&str> = TYPES.iter().filter(|(known, _)| *known == ty).map(|(_, value)| *value).collect();
    fitting[random.below(fitting.len())]
}

fn body(random: &mut Random, depth: usize) -> Body {
    let mut body = Body::default();
    let count = if depth == 0 { 10 + random.below(26) } else { 2 + random.below(8) };
    for at in 0..count {
        let (ty, _) = TYPES[random.below(TYPES.len())];
        let usage = match random.below(10) {
            0 => Use::Required,
            1 | 2 => Use::Computed,
            3 | 4 => Use::Both,
            _ => Use::Optional,
        };
        body.attributes.push(Attribute { name: format!("{}_{}_{at}", random.of(WORDS), random.of(WORDS)), ty, usage });
    }
    let most = if depth == 0 { 6 } else { 3 };
    if depth < 3 {
        for at in 0..random.below(most) {
            let name = format!("{}_{}_{at}", random.of(WORDS), random.of(THINGS));
            body.blocks.push(Nested { name, min: random.below(4) / 3, body: self::body(random, depth + 1) });
        }
    }
    body
}

fn write_json(out: &mut String, body: &Body, random: &mut Random) {
    out.push_str("{\"attributes\":{");
    for (at, attribute) in body.attributes.iter().enumerate() {
        let usage = match attribute.usage {
            Use::Required => "\"required\":true",
            Use::Optional => "\"optional\":true",
            Use::Computed => "\"computed\":true",
            Use::Both => "\"optional\":true,\"computed\":true",
        };
        let comma = if at > 0 { "," } else { "" };
        let (name, ty, text) = (&attribute.name, attribute.ty, random.text());
        let _ = write!(
            out,
            "{comma}\"{name}\":{{\"type\":{ty},\"description\":\"{text}\",\"description_kind\":\"markdown\",{usage}}}"
        );
    }
    out.push_str("},\"block_types\":{");
    for (at, block) in body.blocks.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        let _ = write!(out, "{comma}\"{}\":{{\"nesting_mode\":\"list\",\"block\":", block.name);
        write_json(out, &block.body, random);
        if block.min > 0 {
            let _ = write!(out, ",\"min_items\":{}", block.min);
        }
        out.push('}');
    }
    let _ = write!(out, "}},\"description\":\"{}\",\"description_kind\":\"markdown\"}}", random.text());
}

fn write_types(out: &mut String, types: &[(String, Body)], random: &mut Random) {
    for (at, (name, body)) in types.iter().enumerate() {
        let _ = write!(out, "{}\"{name}\":{{\"version\":0,\"block\":", if at > 0 { "," } else { "" });
        write_json(out, body, random);
        out.push('}');
    }
}

fn write_hcl(out: &mut String, body: &Body, random: &mut Random, indent: usize) {
    let space = " ".repeat(indent);
    for attribute in &body.attributes {
        let is_set = match attribute.usage {
            Use::Required => true,
            Use::Optional => random.below(4) == 0,
            Use::Both => random.below(8) == 0,
            Use::Computed => false,
        };
        if is_set {
            let _ = writeln!(out, "{space}{} = {}", attribute.name, value(attribute.ty, random));
        }
    }
    for block in &body.blocks {
        for _ in 0..block.min.max(random.below(3) / 2) {
            let _ = writeln!(out, "{space}{} {{", block.name);
            write_hcl(out, &block.body, random, indent + 2);
            let _ = writeln!(out, "{space}}}");
        }
    }
}

fn types(count: usize, random: &mut Random) -> Vec<(String, Body)> {
    let name = |at: usize, random: &mut Random| format!("cloud_{}_{}_{at}", random.of(SERVICES), random.of(THINGS));
    (0..count).map(|at| (name(at, random), body(random, 0))).collect()
}

fn make(folder: &Path) -> std::io::Result<()> {
    let mut random = Random(42);
    let (resources, data) = (types(RESOURCES, &mut random), types(DATA_SOURCES, &mut random));
    let mut json = "{\"format_version\":\"1.0\",\"provider_schemas\":{\"registry.terraform.io/example/cloud\":{\
                    \"provider\":{\"version\":0,\"block\":{\"attributes\":{\"region\":{\"type\":\"string\",\
                    \"optional\":true}}}},\"resource_schemas\":{"
        .to_owned();
    write_types(&mut json, &resources, &mut random);
    json.push_str("},\"data_source_schemas\":{");
    write_types(&mut json, &data, &mut random);
    json.push_str("}}}}\n");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("schemas.json"), json)?;
    for at in 0..FILES {
        let inner = folder.join("files").join(format!("module{:03}", at / FILES_OF_A_FOLDER));
        fs::create_dir_all(&inner)?;
        let mut text = String::new();
        if at % FILES_OF_A_FOLDER == 0 {
            text.push_str(
                "terraform {\n  required_version = \">= 1.5\"\n  required_providers {\n    cloud = { source = \
                 \"example/cloud\" }\n  }\n}\nvariable \"name\" {}\nvariable \"stage\" {}\n",
            );
        }
        for number in 0..6 {
            let (kind, all) = if number == 5 { ("data", &data) } else { ("resource", &resources) };
            let (name, body) = &all[random.below(all.len())];
            let _ = writeln!(text, "{kind} \"{name}\" \"a{at}_{number}\" {{");
            if number == 0 && at % 50 == 7 {
                text.push_str("  no_such_argument = 1\n");
            }
            write_hcl(&mut text, body, &mut random, 2);
            text.push_str("}\n");
        }
        fs::write(inner.join(format!("file{:02}.tf", at % FILES_OF_A_FOLDER)), text)?;
    }
    Ok(())
}

fn main() {
    let Some(folder) = env::args().nth(1) else {
        eprintln!("usage: provider_schemas FOLDER");
        process::exit(2);
    };
    if let Err(error) = make(Path::new(&folder)) {
        eprintln!("cannot write into `{folder}`: {error}");
        process::exit(1);
    }
}
