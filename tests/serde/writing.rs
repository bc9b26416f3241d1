//! The written form of structures, maps, blocks, labels and enums.

use std::collections::BTreeMap;

use hcl_lr::construct::{NewExpression, NewTemplate};
use hcl_lr::model::{Number, Type};
use hcl_lr::typed::{BlockOf, Labeled, Labels, Writer};
use hcl_lr::{Body, Expression, Value, parse, to_string};
use serde::Serialize;

/// It is written so, which is canonical form and has no mistakes.
#[track_caller]
fn writes<T: Serialize>(value: T, expected: &str) {
    let text = to_string(&value).expect("it can be written");
    assert_eq!(text, expected);
    assert_eq!(hcl_lr::format::format(&text), text);
    hcl_lr::parse::<hcl_lr::File>(text).into_result().expect("it can be read");
}

#[derive(Serialize)]
struct Port {
    port: u16,
}

#[test]
fn attributes_and_what_is_in_them() {
    #[derive(Serialize)]
    struct Config<'c> {
        name: &'c str,
        port: u16,
        ratio: f64,
        on: bool,
        initial: char,
        tags: Vec<&'c str>,
        pair: (u8, &'c str),
        nested: Port,
        sizes: BTreeMap<&'c str, u8>,
        list: Vec<Port>,
        none: Option<u8>,
        some: Option<Port>,
        unit: (),
        empty: Vec<u8>,
        no_entries: BTreeMap<String, u8>,
    }
    let config = Config {
        name: "a \"${b}\"\n",
        port: 80,
        ratio: 0.5,
        on: true,
        initial: 'i',
        tags: vec!["a", "b"],
        pair: (1, "x"),
        nested: Port { port: 1 },
        sizes: BTreeMap::from([("a b", 1), ("for", 2), ("small", 3)]),
        list: vec![Port { port: 1 }, Port { port: 2 }],
        none: None,
        some: Some(Port { port: 3 }),
        unit: (),
        empty: Vec::new(),
        no_entries: BTreeMap::new(),
    };
    let expected = r#"name    = "a \"$${b}\"\n"
port    = 80
ratio   = 0.5
on      = true
initial = "i"
tags    = ["a", "b"]
pair    = [1, "x"]
nested = {
  port = 1
}
sizes = {
  "a b" = 1
  "for" = 2
  small = 3
}
list = [
  {
    port = 1
  },
  {
    port = 2
  },
]
some = {
  port = 3
}
unit       = null
empty      = []
no_entries = {}
"#;
    writes(config, expected);
}

#[test]
fn lists_in_one_line_or_several() {
    let list = |count: u32| BTreeMap::from([("list", (0..count).map(|n| n + 1_000).collect::<Vec<_>>())]);
    let text = to_string(&list(13)).unwrap();
    assert_eq!((text.lines().count(), text.trim_end().len()), (1, "list = ".len() + 78));
    assert_eq!(to_string(&list(14)).unwrap().lines().count(), 16);
    writes(BTreeMap::from([("list", vec![vec![1, 2], vec![]])]), "list = [\n  [1, 2],\n  [],\n]\n");
}

#[test]
fn blocks() {
    #[derive(Serialize)]
    struct Config {
        one: BlockOf<Port>,
        listed: BlockOf<Vec<Port>>,
        list: Vec<BlockOf<Port>>,
        option: Option<BlockOf<Port>>,
        none: Option<BlockOf<Port>>,
        empty: Vec<BlockOf<Port>>,
        empty_map: BTreeMap<String, Vec<BlockOf<Port>>>,
        no_labels: Vec<Labeled<Port>>,
        by_label: BTreeMap<&'static str, BlockOf<Port>>,
        by_labels: BTreeMap<&'static str, BTreeMap<&'static str, Vec<BlockOf<Port>>>>,
        labeled: Labeled<BTreeMap<&'static str, u8>>,
        unit: BlockOf<()>,
        last: u8,
    }
    let block = |port| BlockOf(Port { port });
    let config = Config {
        one: block(1),
        listed: BlockOf(vec![Port { port: 2 }]),
        list: vec![block(3), block(4)],
        option: Some(block(5)),
        none: None,
        empty: Vec::new(),
        empty_map: BTreeMap::new(),
        no_labels: Vec::new(),
        by_label: BTreeMap::from([("a", block(6)), ("b c", block(7))]),
        by_labels: BTreeMap::from([("a", BTreeMap::from([("b", vec![block(8), block(9)])]))]),
        labeled: Labeled::new(["x", "y"], BTreeMap::from([("n", 1)])),
        unit: BlockOf(()),
        last: 10,
    };
    let expected = r#"one {
  port = 1
}

listed {
  port = 2
}

list {
  port = 3
}

list {
  port = 4
}

option {
  port = 5
}

empty     = []
empty_map = {}
no_labels = []

by_label "a" {
  port = 6
}

by_label "b c" {
  port = 7
}

by_labels "a" "b" {
  port = 8
}

by_labels "a" "b" {
  port = 9
}

labeled "x" "y" {
  n = 1
}

unit {
}

last = 10
"#;
    writes(config, expected);
}

#[test]
fn labels_from_fields() {
    #[derive(Serialize)]
    struct First {
        #[serde(rename = "$label")]
        name: &'static str,
        port: u16,
    }
    #[derive(Serialize)]
    struct Last {
        port: u16,
        #[serde(rename = "$labels")]
        names: [&'static str; 2],
    }
    #[derive(Serialize)]
    struct Typed {
        port: u16,
        names: Labels,
    }
    #[derive(Serialize)]
    struct Config {
        first: Vec<First>,
        last: BlockOf<Last>,
        typed: BlockOf<Typed>,
        outer: BTreeMap<&'static str, First>,
    }
    let config = Config {
        first: vec![First { name: "a", port: 1 }, First { name: "b", port: 2 }],
        last: BlockOf(Last { port: 3, names: ["c", "d"] }),
        typed: BlockOf(Typed { port: 4, names: Labels::from(["e"]) }),
        outer: BTreeMap::from([("o", First { name: "f", port: 5 })]),
    };
    let expected = r#"first "a" {
  port = 1
}

first "b" {
  port = 2
}

last "c" "d" {
  port = 3
}

typed "e" {
  port = 4
}

outer "o" "f" {
  port = 5
}
"#;
    writes(config, expected);
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Idle,
    Port(Port),
    Call(u8, u8),
    Run { command: &'static str },
    Named(Labeled<Port>),
}

#[test]
fn enums_as_attributes() {
    let steps = [Step::Idle, Step::Port(Port { port: 1 }), Step::Call(1, 2), Step::Run { command: "ls" }];
    let expected = r#"steps = [
  "idle",
  {
    port = {
      port = 1
    }
  },
  {
    call = [1, 2]
  },
  {
    run = {
      command = "ls"
    }
  },
]
"#;
    writes(BTreeMap::from([("steps", steps)]), expected);
    writes(BTreeMap::from([("step", Step::Call(1, 2))]), "step = {\n  call = [1, 2]\n}\n");
    writes(
        BTreeMap::from([("step", Step::Run { command: "ls" })]),
        "step = {\n  run = {\n    command = \"ls\"\n  }\n}\n",
    );
}

#[test]
fn enums_as_blocks() {
    let steps = || {
        vec![
            Step::Idle,
            Step::Port(Port { port: 1 }),
            Step::Run { command: "ls" },
            Step::Named(Labeled::new(["a"], Port { port: 2 })),
        ]
    };
    let expected =
        "idle {\n}\n\nport {\n  port = 1\n}\n\nrun {\n  command = \"ls\"\n}\n\nnamed \"a\" {\n  port = 2\n}\n";
    writes(steps(), expected);
    #[derive(Serialize)]
    struct Config {
        #[serde(rename = "$blocks")]
        steps: Vec<Step>,
    }
    writes(Config { steps: steps() }, expected);
    writes(Step::Run { command: "ls" }, "run {\n  command = \"ls\"\n}\n");
    let nested = BTreeMap::from([("step", BlockOf(Step::Run { command: "ls" }))]);
    writes(nested, "step \"run\" {\n  command = \"ls\"\n}\n");
}

#[test]
fn flattened_fields_are_fields() {
    #[derive(Serialize)]
    struct Outer {
        name: &'static str,
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        rest: BTreeMap<&'static str, u8>,
    }
    #[derive(Serialize)]
    struct Inner {
        listener: Vec<BlockOf<Port>>,
        none: Vec<BlockOf<Port>>,
    }
    let outer = Outer {
        name: "a",
        inner: Inner { listener: vec![BlockOf(Port { port: 1 })], none: Vec::new() },
        rest: BTreeMap::from([("x", 1)]),
    };
    writes(outer, "name = \"a\"\n\nlistener {\n  port = 1\n}\n\nnone = []\nx    = 1\n");
}

#[test]
fn numbers_are_exact() {
    #[derive(Serialize)]
    struct Numbers {
        big: u128,
        small: i128,
        tenth: f64,
        large: f64,
        tiny: f32,
        zero: f64,
        number: Number,
        digits: Number,
    }
    let numbers = Numbers {
        big: u128::MAX,
        small: i128::MIN,
        tenth: 0.1,
        large: f64::MAX,
        tiny: f32::MIN_POSITIVE,
        zero: -0.0,
        number: Number::from(7),
        digits: Number::parse("0.1234567890123456789012345678901234567890").unwrap(),
    };
    let expected = "\
big    = 340282366920938463463374607431768211455
small  = -170141183460469231731687303715884105728
tenth  = 0.1
large  = 1.7976931348623157e308
tiny   = 1.1754944e-38
zero   = 0
number = 7
digits = 0.123456789012345678901234567890123456789
";
    writes(numbers, expected);
}

#[test]
fn texts_as_heredocs() {
    let texts = BTreeMap::from([
        ("a", vec!["one\ntwo\n"]),
        ("b", vec!["one\ntwo"]),
        ("c", vec!["EOT\n${x}\n", "x\ny\n"]),
        ("d", vec!["a\r\nb\n"]),
    ]);
    let text = Writer::new().with_heredocs(true).to_string(&texts).unwrap();
    let expected = "\
a = [
  <<EOT
one
two
EOT
  ,
]
b = [\"one\\ntwo\"]
c = [
  <<EOF
EOT
$${x}
EOF
  ,
  <<EOT
x
y
EOT
  ,
]
d = [\"a\\r\\nb\\n\"]
";
    assert_eq!(text, expected);
    assert_eq!(hcl_lr::format::format(&text), text);
    let value = Value::object([("t", Value::from("x\ny\n"))]);
    assert_eq!(Writer::new().with_heredocs(true).to_string(&value).unwrap(), "t = <<EOT\nx\ny\nEOT\n");
}

#[test]
fn nulls_by_option() {
    let nulls = Writer::new().with_nulls(true);
    let map = BTreeMap::from([("a", None::<BTreeMap<&str, Option<u8>>>), ("b", Some(BTreeMap::from([("c", None)])))]);
    assert_eq!(nulls.to_string(&map).unwrap(), "a = null\nb = {\n  c = null\n}\n");
    assert_eq!(to_string(&map).unwrap(), "b = {\n  c = null\n}\n");
    assert_eq!(nulls.to_string(&BTreeMap::from([("a", None::<BlockOf<Port>>)])).unwrap(), "a = null\n");
}

#[test]
fn expressions_are_not_evaluated() {
    #[derive(Serialize)]
    struct Config {
        native: hcl_lr::Expression,
        lines: hcl_lr::Expression,
        heredoc: hcl_lr::Expression,
        template: hcl_lr::Expression,
        json: hcl_lr::Expression,
        built: NewExpression,
        built_template: NewTemplate,
        list: Vec<NewExpression>,
        ty: Type,
    }
    let body = parse::<Body>(("a.json", r#"{"x": {"a": "${b.c}", "d": ["e-${f}", 1]}}"#)).into_result().unwrap();
    let config = Config {
        native: parse::<Expression>("var.a+1").into_result().unwrap(),
        lines: parse::<Expression>("(a +\nb)").into_result().unwrap(),
        heredoc: parse::<Expression>("<<-E\n  x ${y}\n  E\n").into_result().unwrap(),
        template: hcl_lr::parse::<hcl_lr::Template>("Hello, ${name}\n").into_result().unwrap().into(),
        json: body.attributes().into_result().unwrap().get("x").unwrap().expression().clone(),
        built: NewExpression::call("max", [1, 2]),
        built_template: NewTemplate::new().literal("a").interpolation(NewExpression::parse("b").unwrap()),
        list: vec![NewExpression::parse("a").unwrap(), NewExpression::heredoc("t\n")],
        ty: Type::list(Type::object([("a", Type::String)])),
    };
    let expected = r#"native = var.a + 1
lines = (a +
b)
heredoc  = <<-E
  x ${y}
  E
template = "Hello, ${name}\n"
json = {
  a = b.c
  d = ["e-${f}", 1]
}
built          = max(1, 2)
built_template = "a${b}"
list = [
  a,
  <<EOT
t
EOT
  ,
]
ty = list(object({ a = string }))
"#;
    let text = to_string(&config).unwrap();
    assert_eq!(text, expected);
    assert_eq!(hcl_lr::format::format(&text), text);
    hcl_lr::parse::<hcl_lr::File>(text).into_result().expect("it can be read");
}

#[test]
fn values_are_written_as_what_they_are() {
    let value = Value::object([
        ("list", Value::list_of([Value::from(1), Value::from(2)]).unwrap()),
        ("name", Value::from("a")),
        ("nothing", Value::NULL),
        ("object", Value::object([("a b", Value::from(true))])),
    ]);
    writes(&value, "list    = [1, 2]\nname    = \"a\"\nnothing = null\nobject = {\n  \"a b\" = true\n}\n");
    let block = BTreeMap::from([("b", BlockOf(Value::object([("x", Value::from(1))])))]);
    writes(block, "b {\n  x = 1\n}\n");
}

#[test]
fn spanned_values_are_what_they_hold() {
    let spanned = serde_spanned::Spanned::new(0..1, Port { port: 1 });
    writes(BTreeMap::from([("a", BlockOf(spanned))]), "a {\n  port = 1\n}\n");
}

#[test]
fn bodies_can_be_gone_on_with() {
    let mut body = hcl_lr::to_body(&Port { port: 1 }).unwrap();
    body.add_attribute("more", true);
    assert_eq!(body.text().unwrap(), "port = 1\nmore = true\n");
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("hcl-lr-writing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.hcl");
    hcl_lr::to_file(&path, &Port { port: 1 }).unwrap();
    assert!(hcl_lr::to_file(&path, &BTreeMap::from([("x", f64::NAN)])).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "port = 1\n");
    let error = hcl_lr::to_file(folder.join("no/such/folder"), &Port { port: 1 }).unwrap_err();
    assert!(error.to_string().ends_with("no/such/folder cannot be written"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A reader that has the old file open reads the old contents to the end; links and permissions stay.
#[cfg(unix)]
#[test]
fn a_file_is_replaced_and_not_overwritten() {
    use std::io::Read;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = std::env::temp_dir().join(format!("hcl-lr-replacing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (path, link) = (folder.join("a.hcl"), folder.join("link.hcl"));
    hcl_lr::to_file(&path, &Port { port: 1 }).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.hcl", &link).unwrap();
    let mut before = std::fs::File::open(&path).unwrap();
    hcl_lr::to_file(&link, &Port { port: 2 }).unwrap();
    let mut old = String::new();
    before.read_to_string(&mut old).unwrap();
    assert_eq!(old, "port = 1\n");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "port = 2\n");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "nothing is left beside it");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// All names of a file have the new contents, a link to nothing makes the file that it names, and a file without
/// permission to write stays.
#[cfg(unix)]
#[test]
fn names_of_a_file_stay_together() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = std::env::temp_dir().join(format!("hcl-lr-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let at = |name: &str| folder.join(name);
    hcl_lr::to_file(at("a.hcl"), &Port { port: 1 }).unwrap();
    std::fs::hard_link(at("a.hcl"), at("b.hcl")).unwrap();
    hcl_lr::to_file(at("a.hcl"), &Port { port: 2 }).unwrap();
    assert_eq!(std::fs::read_to_string(at("b.hcl")).unwrap(), "port = 2\n");
    symlink("new.hcl", at("link.hcl")).unwrap();
    hcl_lr::to_file(at("link.hcl"), &Port { port: 3 }).unwrap();
    assert!(at("link.hcl").is_symlink());
    assert_eq!(std::fs::read_to_string(at("new.hcl")).unwrap(), "port = 3\n");
    std::fs::set_permissions(at("new.hcl"), std::fs::Permissions::from_mode(0o400)).unwrap();
    assert!(hcl_lr::to_file(at("new.hcl"), &Port { port: 4 }).is_err());
    assert_eq!(std::fs::read_to_string(at("new.hcl")).unwrap(), "port = 3\n");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "nothing is left beside them");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A value is what another format makes of it, whichever structures came before.
#[test]
fn values_of_structures_that_are_alike_and_not() {
    #[derive(Serialize, Default)]
    struct Node<'n> {
        zone: &'n str,
        #[serde(skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        above: Vec<Node<'n>>,
        any: Option<f64>,
    }
    mod other {
        #[derive(serde::Serialize)]
        pub struct Node {
            pub zone: u8,
            pub age: bool,
            pub any: &'static str,
        }
    }
    /// It says that it has another name for the same field twice, and the last one counts.
    #[derive(Serialize)]
    struct Twice {
        b: u8,
        a: u8,
        #[serde(rename = "b")]
        again: u8,
    }
    #[derive(Serialize)]
    enum Kind {
        Small { size: u8, at: f64 },
        Large { size: u64, at: &'static str },
    }
    let node = |zone, port, any| Node { zone, port, any, above: Vec::new() };
    let inner = vec![node("c", Some(3), Some(0.25)), node("d", None, None), node("e", Some(4), Some(-1.5))];
    let all = (
        [node("a", Some(1), None), node("b", Some(2), Some(1e300)), Node { above: inner, ..Node::default() }],
        [other::Node { zone: 1, age: true, any: "x" }, other::Node { zone: 2, age: false, any: "y" }],
        [node("f", Some(5), Some(0.1))],
        [Kind::Small { size: 1, at: 0.0 }, Kind::Large { size: u64::MAX, at: "z" }, Kind::Small { size: 2, at: -0.0 }],
    );
    let expected: Value = serde_json::from_value(serde_json::to_value(&all).unwrap()).unwrap();
    assert_eq!(hcl_lr::to_value(&all).unwrap(), expected);

    let twice = hcl_lr::to_value(&[Twice { b: 1, a: 2, again: 3 }, Twice { b: 4, a: 5, again: 6 }]).unwrap();
    assert_eq!(twice.to_string(), "[{ a = 2, b = 3 }, { a = 5, b = 6 }]");
}
