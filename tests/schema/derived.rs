//! Schemas derived from Rust types: they accept the files that a type reads, and reject those that it refuses.

use std::collections::BTreeMap;

use hcl_lr::hcl;
use hcl_lr::typed::{Labeled, Labels};
use hcl_lr::{ConfigFile, Expression, Value, parse};
use hcl_lr_language::schema::{Checker, HclSchema, Schema};
use serde::Deserialize;

use crate::support::golden::{Golden, root};

/// All of the application.
#[hcl]
#[derive(Deserialize, HclSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Config {
    /// The name of the application,
    /// in a few words.
    app_name: String,
    #[serde(default)]
    workers: u8,
    mode: Option<Mode>,
    tags: BTreeMap<String, String>,
    range: (u8, f64),
    timeout: Timeout,
    r#type: Option<char>,
    /// The services by name.
    service: BTreeMap<String, Service>,
    #[hcl(block)]
    listener: Vec<Listener>,
    #[hcl(block)]
    log: Log,
    #[hcl(block)]
    limits: BTreeMap<String, u32>,
    #[serde(rename = "notify")]
    notifications: Vec<Notify>,
    #[hcl(block)]
    resource: Vec<Labeled<Resource>>,
    #[hcl(block)]
    volume: Vec<Labeled<Resource, [String; 2]>>,
    #[hcl(block)]
    group: Vec<Labeled<Resource, String>>,
    #[hcl(block)]
    folder: Vec<Folder>,
    condition: Option<Expression>,
    #[serde(skip)]
    cache: Option<Value>,
}

#[derive(Deserialize, HclSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only the schema and the errors count")]
enum Mode {
    Fast,
    VeryCareful,
    #[serde(rename = "off")]
    Nothing,
}

#[derive(Deserialize, HclSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only the schema and the errors count")]
enum Timeout {
    Seconds(u32),
    Text(String),
}

#[derive(Deserialize, HclSchema)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Service {
    image: String,
    #[serde(flatten)]
    common: Common,
}

/// In all services.
#[derive(Deserialize, HclSchema)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Common {
    env: Option<BTreeMap<String, String>>,
    ports: Vec<u16>,
}

#[hcl]
#[derive(Deserialize, HclSchema)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Listener {
    #[hcl(labels)]
    names: (String, String),
    /// Where it listens.
    port: u16,
}

#[derive(Deserialize, HclSchema)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Log {
    level: Level,
}

#[derive(Deserialize, HclSchema)]
#[serde(transparent)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Level {
    number: i8,
}

#[derive(Deserialize, HclSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code, reason = "only the schema and the errors count")]
enum Notify {
    Mail { to: Vec<String> },
    Hook(Hook),
    Nobody,
}

#[derive(Deserialize, HclSchema)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Hook {
    url: String,
}

#[derive(Deserialize, HclSchema)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Resource {
    size: Option<f64>,
}

#[hcl]
#[derive(Deserialize, HclSchema)]
#[allow(dead_code, reason = "only the schema and the errors count")]
struct Folder {
    name: Labels,
    #[hcl(block)]
    folder: Vec<Folder>,
}

fn schema() -> Schema {
    Schema::of::<Config>("app", ["*.app"])
}

#[test]
fn the_schema_is_that_of_its_types() {
    let mut golden = Golden::new();
    let text = schema().to_hcl().expect("it can be written");
    golden.check(&root().join("tests/fixtures/schema/derived.hcl"), &text);
    golden.finish();
    let (_, problems) = parse::<Schema>(("app.schema.hcl", text)).into_parts();
    assert!(problems.is_empty(), "{}", problems.render());
}

const RIGHT: &str = r#"
app-name = "shop"
mode     = "very_careful"
tags     = { a = "b" }
range    = [1, 0.5]
timeout  = "1h"
service "web" {
  image = "web:1"
  ports = [80]
  env   = { A = "1" }
}
listener "tcp" "main" {
  port = 443
}
log {
  level = -3
}
limits {
  cpu = 4
}
notify {
  kind = "mail"
  to   = ["a@b"]
}
notify {
  kind = "hook"
  url  = "https://x"
}
resource "disk" "main" {
  size = 1.5
}
volume "disk" "main" {
  size = 2
}
group "all" {
  size = 3
}
folder "a" {
  folder {}
}
condition = load > 3
"#;

fn errors(text: &str) -> (usize, usize) {
    let file = parse::<ConfigFile>(("a.app", text)).into_result().expect("a file");
    let checked = Checker::new(&schema()).check(&file);
    let read = hcl_lr::from_str::<Config>(text).err().map_or(0, |problems| problems.errors().count());
    (checked.errors().count(), read)
}

#[test]
fn files_that_the_types_read_are_right() {
    let file = parse::<ConfigFile>(("a.app", RIGHT)).into_result().expect("a file");
    let found = Checker::new(&schema()).check(&file);
    assert!(found.is_empty(), "{}", found.render());
    assert_eq!(errors(RIGHT), (0, 0));
}

#[test]
fn what_the_types_refuse_is_wrong() {
    let mistakes = [
        ("app-name = \"shop\"\n", ""),
        ("very_careful", "careful"),
        ("[1, 0.5]", "[1000, 0.5]"),
        ("\"1h\"", "[]"),
        ("ports = [80]", "ports = [70000]"),
        ("image = \"web:1\"\n", ""),
        ("\"tcp\" \"main\"", "\"tcp\""),
        ("port = 443", "port = {}"),
        ("log {\n  level = -3\n}\n", ""),
        ("-3", "-300"),
        ("cpu = 4", "cpu = -4"),
        ("\"mail\"", "\"letter\""),
        ("to   = [\"a@b\"]", "to   = {}"),
        ("size = 1.5", "size = []"),
        ("volume \"disk\" \"main\"", "volume \"disk\""),
        ("volume \"disk\" \"main\"", "volume \"disk\" \"main\" \"more\""),
        ("group \"all\"", "group"),
    ];
    for (from, to) in mistakes {
        assert!(RIGHT.contains(from), "{from}");
        let (checked, read) = errors(&RIGHT.replacen(from, to, 1));
        assert!(checked > 0 && read > 0, "{from} -> {to}: {checked} and {read} errors");
    }
}
