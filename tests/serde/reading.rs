//! Reading files into Rust types: the cases of `docs/serde.md`, in both syntaxes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use hcl_lr::model::{Number, Type, Value};
use hcl_lr::typed::{BlockOf, Labeled, Labels, Reader, Template};
use hcl_lr::{Body, Diagnostics, Expression, ParseOptions, Scope, Syntax, functions};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_spanned::Spanned;

/// The same reader, for JSON.
fn in_json<'s>(reader: &Reader<'s>) -> Reader<'s> {
    reader.with_options(ParseOptions::default().with_syntax(Syntax::Json))
}

/// Checks the result of both syntaxes.
#[track_caller]
fn both<T: DeserializeOwned + PartialEq + Debug>(native: &str, json: &str, expected: T) {
    let scope = Scope::new().with("base", 8000).with("name", "web").with("nothing", Value::NULL);
    let scope = scope.with_functions(functions::standard());
    let reader = Reader::new().with_scope(&scope);
    let shown = |errors: Diagnostics| errors.render();
    let (value, _) = reader.read_source::<T>(native).map_err(shown).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(value, expected, "native syntax");
    let (value, _) = in_json(&reader).read_source::<T>(json).map_err(shown).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(value, expected, "JSON");
}

fn map<T, const N: usize>(entries: [(&str, T); N]) -> BTreeMap<String, T> {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[derive(Deserialize, Debug, PartialEq, Clone)]
struct Port {
    port: u16,
}

fn port(port: u16) -> Port {
    Port { port }
}

#[test]
fn attributes_are_fields() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        name: String,
        port: u16,
        ratio: f64,
        on: bool,
        tags: Vec<String>,
        limits: BTreeMap<String, u32>,
        owner: Option<String>,
        missing: Option<String>,
    }
    both(
        "name = upper(name)\nport = base + 80\nratio = 0.5\non = !false\ntags = [\"a\", \"${name}-b\"]\nlimits = { cpu = 2, \"mem\" = 3 }\nowner = nothing\n",
        r#"{"name": "${upper(name)}", "port": "${base + 80}", "ratio": 0.5, "on": "${!false}",
            "tags": ["a", "${name}-b"], "limits": {"cpu": 2, "mem": 3}, "owner": "${nothing}"}"#,
        File {
            name: "WEB".to_owned(),
            port: 8080,
            ratio: 0.5,
            on: true,
            tags: vec!["a".to_owned(), "web-b".to_owned()],
            limits: map([("cpu", 2), ("mem", 3)]),
            owner: None,
            missing: None,
        },
    );
}

#[test]
fn a_sequence_takes_any_number_of_blocks() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        listener: Vec<Port>,
    }
    both("", "{}", File { listener: vec![] });
    both("listener {\n  port = 1\n}\n", r#"{"listener": {"port": 1}}"#, File { listener: vec![port(1)] });
    both(
        "listener {\n  port = 1\n}\nlistener {\n  port = 2\n}\n",
        r#"{"listener": [{"port": 1}, {"port": 2}]}"#,
        File { listener: vec![port(1), port(2)] },
    );
    both(
        "listener = [{ port = 1 }, { port = base }]\n",
        r#"{"listener": [{"port": 1}, {"port": "${base}"}]}"#,
        File { listener: vec![port(1), port(8000)] },
    );
    let properties = r#"{"listener": {"port": 1}, "listener": [{"port": 2}]}"#;
    assert_eq!(
        in_json(&Reader::new()).read_source::<File>(properties).unwrap().0,
        File { listener: vec![port(1), port(2)] }
    );
}

#[test]
fn a_structure_takes_one_block_and_an_option_at_most_one() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        main: Port,
        spare: Option<Port>,
    }
    let file = |spare| File { main: port(1), spare };
    both("main {\n  port = 1\n}\n", r#"{"main": {"port": 1}}"#, file(None));
    both("main {\n  port = 1\n}\n", r#"{"main": [{"port": 1}]}"#, file(None));
    both(
        "main {\n  port = 1\n}\nspare {\n  port = 2\n}\n",
        r#"{"main": {"port": 1}, "spare": {"port": 2}}"#,
        file(Some(port(2))),
    );
    both("main = { port = 1 }\nspare = null\n", r#"{"main": {"port": 1}, "spare": null}"#, file(None));
}

#[test]
fn a_map_is_keyed_by_label_and_nested_maps_by_further_labels() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        service: BTreeMap<String, Port>,
        #[serde(default)]
        resource: BTreeMap<String, BTreeMap<String, Vec<Port>>>,
    }
    both(
        "service \"web\" {\n  port = 1\n}\nservice \"db\" {\n  port = 2\n}\n",
        r#"{"service": {"web": {"port": 1}, "db": {"port": 2}}}"#,
        File { service: map([("web", port(1)), ("db", port(2))]), resource: map([]) },
    );
    both(
        "resource \"a\" \"x\" {\n  port = 1\n}\nresource \"a\" \"y\" {\n  port = 2\n}\nresource \"b\" \"x\" {\n  port = 3\n}\n\
         resource \"b\" \"x\" {\n  port = 4\n}\n",
        r#"{"resource": {"a": {"x": {"port": 1}, "y": {"port": 2}}, "b": {"x": [{"port": 3}, {"port": 4}]}}}"#,
        File {
            service: map([]),
            resource: map([
                ("a", map([("x", vec![port(1)]), ("y", vec![port(2)])])),
                ("b", map([("x", vec![port(3), port(4)])])),
            ]),
        },
    );
    both(
        "service = { web = { port = 1 } }\n",
        r#"{"service": {"web": {"port": 1}}}"#,
        File { service: map([("web", port(1))]), resource: map([]) },
    );
    // Keys that are not strings are read as their text.
    both(
        "p \"80\" {\n  port = 1\n}\n",
        r#"{"p": {"80": {"port": 1}}}"#,
        HashMap::from([("p".to_owned(), BTreeMap::from([(80_u16, port(1))]))]),
    );
}

#[test]
fn a_map_has_what_is_in_a_block_without_labels() {
    both(
        "tags {\n  a = \"x\"\n  b = name\n}\n",
        r#"{"tags": {"a": "x", "b": "${name}"}}"#,
        map([("tags", map([("a", "x".to_owned()), ("b", "web".to_owned())]))]),
    );
}

#[test]
fn labels_are_fields() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Service {
        #[serde(rename = "$label")]
        name: String,
        port: u16,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        service: Vec<Service>,
    }
    let service = |name: &str, port| Service { name: name.to_owned(), port };
    both(
        "service \"web\" {\n  port = 1\n}\nservice \"db\" {\n  port = 2\n}\n",
        r#"{"service": {"web": {"port": 1}, "db": {"port": 2}}}"#,
        File { service: vec![service("web", 1), service("db", 2)] },
    );
    both(
        "service \"web\" {\n  port = 1\n}\nservice \"web\" {\n  port = 2\n}\nservice \"db\" {\n  port = 3\n}\n",
        r#"{"service": [{"web": [{"port": 1}, {"port": 2}]}, {"db": {"port": 3}}]}"#,
        File { service: vec![service("web", 1), service("web", 2), service("db", 3)] },
    );

    #[derive(Deserialize, Debug, PartialEq)]
    struct One {
        service: Service,
    }
    both(
        "service \"web\" {\n  port = 1\n}\n",
        r#"{"service": {"web": {"port": 1}}}"#,
        One { service: service("web", 1) },
    );

    #[derive(Deserialize, Debug, PartialEq)]
    struct Resource {
        #[serde(rename = "$labels")]
        labels: (String, String),
        port: u16,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Resources {
        resource: Vec<Resource>,
    }
    let resource = |kind: &str, name: &str, port| Resource { labels: (kind.to_owned(), name.to_owned()), port };
    both(
        "resource \"a\" \"x\" {\n  port = 1\n}\nresource \"b\" y {\n  port = 2\n}\n",
        r#"{"resource": {"a": {"x": {"port": 1}}, "b": {"y": {"port": 2}}}}"#,
        Resources { resource: vec![resource("a", "x", 1), resource("b", "y", 2)] },
    );
}

#[test]
fn labels_reach_what_serde_buffers() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Common {
        owner: String,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct One {
        #[serde(rename = "$label")]
        name: String,
        #[serde(flatten)]
        common: Common,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Two {
        #[serde(rename = "$labels")]
        names: (String, String),
        #[serde(flatten)]
        common: Common,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Any {
        names: Labels,
        #[serde(flatten)]
        common: Common,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Inner {
        #[serde(flatten)]
        common: Common,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Tagged {
        Disk { owner: String },
    }
    let common = || Common { owner: "web".to_owned() };
    let (one, two) = ("a \"x\" {\n  owner = name\n}\n", "a \"x\" \"y\" {\n  owner = name\n}\n");
    let one_json = r#"{"a": {"x": {"owner": "${name}"}}}"#;
    let two_json = r#"{"a": {"x": {"y": {"owner": "${name}"}}}}"#;
    both(one, one_json, map([("a", vec![One { name: "x".to_owned(), common: common() }])]));
    both(two, two_json, map([("a", vec![Two { names: ("x".to_owned(), "y".to_owned()), common: common() }])]));
    both(one, one_json, map([("a", vec![Any { names: Labels::from(["x"]), common: common() }])]));
    both(two, two_json, map([("a", vec![Any { names: Labels::from(["x", "y"]), common: common() }])]));
    both(two, two_json, map([("a", vec![Labeled::new(["x", "y"], Inner { common: common() })])]));
    both(
        "a \"x\" {\n  type  = \"disk\"\n  owner = name\n}\n",
        r#"{"a": {"x": {"type": "disk", "owner": "${name}"}}}"#,
        map([("a", vec![Labeled::new(["x"], Tagged::Disk { owner: "web".to_owned() })])]),
    );

    /// In native syntax also within the enum.
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Named {
        Disk {
            #[serde(rename = "$label")]
            name: String,
        },
    }
    let read: BTreeMap<String, Vec<Named>> = hcl_lr::from_str("a \"x\" {\n  type = \"disk\"\n}\n").unwrap();
    assert_eq!(read, map([("a", vec![Named::Disk { name: "x".to_owned() }])]));
}

#[test]
fn a_type_says_how_many_labels_there_are() {
    // Without the number, the body in JSON would begin at the first property that is no object.
    type Tree = BTreeMap<String, BTreeMap<String, u16>>;
    let tree = || map([("net", map([("port", 1)]))]);
    let text = "a \"x\" {\n  net = { port = 1 }\n}\n";
    let json = r#"{"a": {"x": {"net": {"port": 1}}}}"#;
    let one = || Labeled::<Tree, [String; 1]>::exact(["x"], tree());
    both(text, json, map([("a", vec![one()])]));
    both(text, json, map([("a", one())]));
    both(text, json, map([("a", vec![Labeled { labels: "x".to_owned(), value: tree() }])]));
    both(
        "a \"x\" \"y\" {\n  port = 1\n}\na \"x\" \"z\" {\n  port = 2\n}\n",
        r#"{"a": {"x": {"y": {"port": 1}, "z": {"port": 2}}}}"#,
        map([("a", vec![Labeled::exact(["x", "y"], port(1)), Labeled::exact(["x", "z"], port(2))])]),
    );
    both("a {\n  port = 1\n}\n", r#"{"a": {"port": 1}}"#, map([("a", vec![Labeled { labels: [], value: port(1) }])]));
    // More labels than have a name of their own.
    let labels = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let written = hcl_lr::to_string(&map([("a", Labeled::exact(labels, map([("port", 1_u16)])))])).expect("a file");
    assert_eq!(written, "a \"1\" \"2\" \"3\" \"4\" \"5\" \"6\" \"7\" \"8\" \"9\" {\n  port = 1\n}\n");
    let read: BTreeMap<String, Labeled<Port, [String; 9]>> = hcl_lr::from_str(&written).expect("nine labels");
    assert_eq!(read["a"].labels, labels);
    let errors = hcl_lr::from_str::<BTreeMap<String, Labeled<Port, [String; 10]>>>(&written).unwrap_err();
    assert_eq!(errors.first().expect("an error").detail(), "`[\"a\"]` must be a block with 10 labels, but this has 9");
    // Other formats have the labels as a list.
    let sent = serde_json::to_string(&one()).expect("JSON");
    assert_eq!(sent, r#"{"labels":["x"],"value":{"net":{"port":1}}}"#);
    assert_eq!(serde_json::from_str::<Labeled<Tree, [String; 1]>>(&sent).expect("a block"), one());
    assert!(serde_json::from_str::<Labeled<Tree, [String; 2]>>(&sent).is_err());
}

#[test]
fn labels_reach_fields_of_their_own_type() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Service {
        port: u16,
        id: Labels,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        service: Vec<Service>,
        group: Vec<Labeled<Port>>,
    }
    let service = |labels: &[&str], port| Service { port, id: labels.iter().copied().collect() };
    both(
        "service \"a\" \"x\" {\n  port = 1\n}\nservice \"b\" \"y\" {\n  port = 2\n}\ngroup \"g\" {\n  port = 3\n}\n",
        r#"{"service": {"a": {"x": {"port": 1}}, "b": {"y": {"port": 2}}}, "group": {"g": {"port": 3}}}"#,
        File {
            service: vec![service(&["a", "x"], 1), service(&["b", "y"], 2)],
            group: vec![Labeled::new(["g"], port(3))],
        },
    );
    both(
        "service {\n  port = 1\n}\n",
        r#"{"service": {"port": 1}}"#,
        File { service: vec![service(&[], 1)], group: vec![] },
    );
    both("a \"x\" {\n  port = 1\n}\n", r#"{"a": {"x": {"port": 1}}}"#, map([("a", Labeled::new(["x"], port(1)))]));
    both(
        "a \"x\" {\n  port = 1\n}\n",
        r#"{"a": {"x": {"port": 1}}}"#,
        map([("a", Labeled::new(["x"], map([("port", 1)])))]),
    );
}

#[test]
fn a_block_can_be_required() {
    both("a {\n  port = 1\n}\n", r#"{"a": {"port": 1}}"#, map([("a", BlockOf(port(1)))]));
    both(
        "a {\n  port = 1\n}\na {\n  port = 2\n}\n",
        r#"{"a": [{"port": 1}, {"port": 2}]}"#,
        map([("a", vec![BlockOf(port(1)), BlockOf(port(2))])]),
    );
    let error = hcl_lr::from_str::<BTreeMap<String, BlockOf<Port>>>("a = { port = 1 }\n").unwrap_err();
    assert_eq!(error.len(), 1);
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Store {
    Memory,
    File(String),
    Disk { path: String, size: Option<u32> },
    Pair(u8, u8),
}

#[test]
fn enums_are_strings_or_objects_or_blocks() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        store: Store,
    }
    let disk = || Store::Disk { path: "/x".to_owned(), size: None };
    both("store = \"memory\"\n", r#"{"store": "memory"}"#, File { store: Store::Memory });
    both("store {\n  memory {}\n}\n", r#"{"store": {"memory": {}}}"#, File { store: Store::Memory });
    both(
        "store = { file = name }\n",
        r#"{"store": {"file": "${name}"}}"#,
        File { store: Store::File("web".to_owned()) },
    );
    both(
        "store {\n  file = name\n}\n",
        r#"{"store": {"file": "${name}"}}"#,
        File { store: Store::File("web".to_owned()) },
    );
    both("store = { disk = { path = \"/x\" } }\n", r#"{"store": {"disk": {"path": "/x"}}}"#, File { store: disk() });
    both(
        "store {\n  disk {\n    path = \"/x\"\n  }\n}\n",
        r#"{"store": {"disk": {"path": "/x"}}}"#,
        File { store: disk() },
    );
    both("store \"disk\" {\n  path = \"/x\"\n}\n", r#"{"store": {"disk": {"path": "/x"}}}"#, File { store: disk() });
    both("store = { pair = [1, 2] }\n", r#"{"store": {"pair": [1, 2]}}"#, File { store: Store::Pair(1, 2) });
}

#[test]
fn enums_are_types_of_blocks() {
    let all = || {
        vec![
            Store::Disk { path: "/x".to_owned(), size: Some(1) },
            Store::Memory,
            Store::Disk { path: "/y".to_owned(), size: None },
        ]
    };
    let native = "disk {\n  path = \"/x\"\n  size = 1\n}\nmemory {}\ndisk {\n  path = \"/y\"\n}\n";
    assert_eq!(hcl_lr::from_str::<Vec<Store>>(native).unwrap(), all());
    let json = r#"[{"disk": {"path": "/x", "size": 1}}, {"memory": {}}, {"disk": {"path": "/y"}}]"#;
    both("memory {}\n", r#"{"memory": {}}"#, vec![Store::Memory]);
    // In JSON, blocks of one type stand together.
    assert_eq!(in_json(&Reader::new()).read_source::<Vec<Store>>(json).unwrap().0.len(), 3);

    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        name: String,
        #[serde(rename = "$blocks")]
        stores: Vec<Store>,
    }
    both(
        "name = \"a\"\ndisk {\n  path = \"/x\"\n}\nmemory {}\n",
        r#"{"name": "a", "disk": {"path": "/x"}, "memory": {}}"#,
        File { name: "a".to_owned(), stores: vec![Store::Disk { path: "/x".to_owned(), size: None }, Store::Memory] },
    );
    assert_eq!(hcl_lr::from_str::<File>(&format!("name = \"a\"\n{native}")).unwrap().stores, all());
}

#[test]
fn other_representations_of_enums() {
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Tagged {
        Disk { path: String },
        Memory,
    }
    both(
        "a {\n  type = \"disk\"\n  path = name\n}\n",
        r#"{"a": {"type": "disk", "path": "${name}"}}"#,
        map([("a", Tagged::Disk { path: "web".to_owned() })]),
    );
    both("a {\n  type = \"memory\"\n}\n", r#"{"a": {"type": "memory"}}"#, map([("a", Tagged::Memory)]));

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Number(u32),
        Text(String),
        Port(Port),
    }
    both(
        "a = 1\nb = name\nc {\n  port = 1\n}\n",
        r#"{"a": 1, "b": "${name}", "c": {"port": 1}}"#,
        map([("a", Either::Number(1)), ("b", Either::Text("web".to_owned())), ("c", Either::Port(port(1)))]),
    );

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c", rename_all = "snake_case")]
    enum Adjacent {
        Port(Port),
    }
    both(
        "a {\n  t = \"port\"\n  c {\n    port = 1\n  }\n}\n",
        r#"{"a": {"t": "port", "c": {"port": 1}}}"#,
        map([("a", Adjacent::Port(port(1)))]),
    );
}

#[test]
fn flattened_structures() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Common {
        owner: String,
        tags: Vec<String>,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        port: u16,
        #[serde(flatten)]
        common: Common,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    both(
        "port = 1\nowner = name\ntags = [\"a\"]\nextra = { x = [1] }\n",
        r#"{"port": 1, "owner": "${name}", "tags": ["a"], "extra": {"x": [1]}}"#,
        File {
            port: 1,
            common: Common { owner: "web".to_owned(), tags: vec!["a".to_owned()] },
            rest: map([("extra", "{ x = [1] }".parse().unwrap())]),
        },
    );
}

#[test]
fn small_types() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Meters(f64);
    #[derive(Deserialize, Debug, PartialEq)]
    struct Point(i8, i8);
    #[derive(Deserialize, Debug, PartialEq)]
    struct Unit;
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        pair: (String, u8),
        length: Meters,
        point: Point,
        letter: char,
        big: u128,
        small: i128,
        array: [bool; 2],
        set: BTreeSet<u8>,
        unit: (),
        unit_struct: Unit,
        bytes: serde_bytes_like::Bytes,
        text_bytes: serde_bytes_like::Bytes,
    }
    both(
        "pair = [\"a\", 1]\nlength = 1.5\npoint = [-1, 2]\nletter = \"ä\"\nbig = 340282366920938463463374607431768211455\n\
         small = -170141183460469231731687303715884105728\narray = [true, false]\nset = [2, 1, 2]\nunit = null\nunit_struct {}\n\
         bytes = [1, 2]\ntext_bytes = \"ab\"\n",
        r#"{"pair": ["a", 1], "length": 1.5, "point": [-1, 2], "letter": "ä", "big": 340282366920938463463374607431768211455,
            "small": -170141183460469231731687303715884105728, "array": [true, false], "set": [2, 1, 2], "unit": null,
            "unit_struct": {}, "bytes": [1, 2], "text_bytes": "ab"}"#,
        File {
            pair: ("a".to_owned(), 1),
            length: Meters(1.5),
            point: Point(-1, 2),
            letter: 'ä',
            big: u128::MAX,
            small: i128::MIN,
            array: [true, false],
            set: BTreeSet::from([1, 2]),
            unit: (),
            unit_struct: Unit,
            bytes: serde_bytes_like::Bytes(vec![1, 2]),
            text_bytes: serde_bytes_like::Bytes(b"ab".to_vec()),
        },
    );
}

/// A type that asks for bytes.
mod serde_bytes_like {
    use serde::de::{Deserialize, Deserializer, Visitor};

    #[derive(Debug, PartialEq)]
    pub struct Bytes(pub Vec<u8>);

    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
            struct BytesVisitor;
            impl<'de> Visitor<'de> for BytesVisitor {
                type Value = Bytes;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                    Ok(Bytes(bytes.to_vec()))
                }
            }
            deserializer.deserialize_byte_buf(BytesVisitor)
        }
    }
}

#[test]
fn types_that_read_text_and_values_of_other_formats() {
    use std::net::IpAddr;
    use std::path::PathBuf;
    both("a = \"/etc/${name}\"\n", r#"{"a": "/etc/${name}"}"#, map([("a", PathBuf::from("/etc/web"))]));
    both("a = \"10.0.0.1\"\n", r#"{"a": "10.0.0.1"}"#, map([("a", IpAddr::from([10, 0, 0, 1]))]));
    both(
        "a \"x\" {\n  b = [1, null, name]\n\n  c {\n  }\n}\n\na \"y\" {\n}\n",
        r#"{"a": {"x": {"b": [1, null, "${name}"], "c": {}}, "y": {}}}"#,
        serde_json::json!({"a": {"x": {"b": [1, null, "web"], "c": {}}, "y": {}}}),
    );
}

#[test]
fn values_numbers_and_types() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        number: Number,
        value: Value,
        ty: Type,
        options: Vec<Option<u8>>,
        maybe: Option<Value>,
    }
    both(
        "number = 123456789012345678901234567890.125\nvalue = [base, name, { a = null }]\nty = list(string)\noptions = [1, null]\nmaybe = null\n",
        r#"{"number": 123456789012345678901234567890.125, "value": ["${base}", "${name}", {"a": null}],
            "ty": "list(string)", "options": [1, null], "maybe": null}"#,
        File {
            number: "123456789012345678901234567890.125".parse().unwrap(),
            value: "[8000, \"web\", { a = null }]".parse().unwrap(),
            ty: Type::list(Type::String),
            options: vec![Some(1), None],
            maybe: None,
        },
    );
    both(
        "value \"a\" {\n  port = base\n  inner {}\n}\n",
        r#"{"value": {"a": {"port": "${base}", "inner": {}}}}"#,
        map([("value", "{ a = { port = 8000, inner = {} } }".parse::<Value>().unwrap())]),
    );
}

#[test]
fn expressions_and_templates_are_not_evaluated() {
    #[derive(Deserialize)]
    struct File {
        condition: Expression,
        maybe: Option<Expression>,
        list: Vec<Expression>,
        message: Template,
    }
    let native = "condition = count > 1\nmaybe = count\nlist = [count, 2]\nmessage = \"${count} of ${total}\"\n";
    let json = r#"{"condition": "${count > 1}", "maybe": "${count}", "list": ["${count}", 2],
        "message": "${count} of ${total}"}"#;
    let later = Scope::new().with("count", 2).with("total", 3);
    let native = hcl_lr::from_str::<File>(native).unwrap();
    assert_eq!(native.condition.to_string(), "count > 1");
    for file in [native, hcl_lr::typed::from_json_str(json).unwrap()] {
        assert_eq!(file.condition.evaluate(&later).unwrap(), Value::from(true));
        assert_eq!(file.maybe.expect("it is there").evaluate(&later).unwrap(), Value::from(2));
        assert_eq!(file.list[0].evaluate(&later).unwrap(), Value::from(2));
        assert_eq!(file.message.render(&later).unwrap(), "2 of 3");
    }
}

#[test]
fn what_may_be_null_is_evaluated_once() {
    use hcl_lr::eval::{Function, Parameter};

    #[derive(Deserialize, Debug)]
    #[serde(transparent)]
    #[allow(dead_code, reason = "it is only read")]
    struct Later {
        expression: Expression,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "some are only read")]
    struct File {
        number: Option<u16>,
        structure: Option<Port>,
        list: Option<Vec<u16>>,
        inner: Option<Option<u16>>,
        later: Option<Later>,
    }
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let count = Function::new(
        [Parameter::new("result", Type::Dynamic).allow_null().allow_dynamic()],
        Type::Dynamic,
        move |call| {
            counted.fetch_add(1, Relaxed);
            Ok(call.argument(0).clone())
        },
    );
    let counted = calls.clone();
    let fail = Function::new([], Type::Dynamic, move |_| {
        counted.fetch_add(1, Relaxed);
        Err("it fails".into())
    });
    let scope = Scope::new().with_function("count", count).with_function("fail", fail);
    for (native, json, evaluated, errors) in [
        ("number = count(1)", r#"{"number": "${count(1)}"}"#, 1, 0),
        ("number = count(null)", r#"{"number": "${count(null)}"}"#, 1, 0),
        ("number = fail()", r#"{"number": "${fail()}"}"#, 1, 1),
        ("structure = fail()", r#"{"structure": "${fail()}"}"#, 1, 1),
        ("list = fail()", r#"{"list": "${fail()}"}"#, 1, 1),
        ("inner = fail()", r#"{"inner": "${fail()}"}"#, 1, 1),
        ("later = fail()", r#"{"later": "${fail()}"}"#, 0, 0),
    ] {
        for body in
            [hcl_lr::parse::<Body>(native), hcl_lr::ParseOptions::new().with_syntax(Syntax::Json).parse::<Body>(json)]
        {
            calls.store(0, Relaxed);
            let found = hcl_lr::from_body::<File>(&body.into_result().unwrap(), &scope);
            let found = found.err().unwrap_or_default();
            assert_eq!(found.len(), errors, "{native}: {}", found.render());
            assert_eq!(calls.load(Relaxed), evaluated, "{native}");
        }
    }
}

#[test]
fn what_is_not_asked_for_is_not_evaluated() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        port: u16,
        map: Port,
    }
    let scope = Scope::new();
    let body = hcl_lr::parse::<Body>("port = 1\nother = unknown()\nmap = { port = 2, other = unknown() }\n");
    let file: File = hcl_lr::from_body(&body.into_result().unwrap(), &scope).unwrap();
    assert_eq!(file, File { port: 1, map: port(2) });
}

#[test]
fn spans_are_those_of_values() {
    #[derive(Deserialize, Debug)]
    struct File {
        port: Spanned<u16>,
        hosts: Vec<Spanned<String>>,
        listener: Spanned<Port>,
        service: BTreeMap<Spanned<String>, Spanned<Labeled<Port>>>,
    }
    let texts = [
        "port = base\nhosts = [\"a\", \"b\"]\nlistener {\n  port = 1\n}\nservice \"x\" {\n  port = 2\n}\n",
        r#"{"port": "${base}", "hosts": ["a", "b"], "listener": {"port": 1}, "service": {"x": {"port": 2}}}"#,
    ];
    let expected = [
        ["base", "\"b\"", "listener {\n  port = 1\n}", "\"x\"", "service \"x\" {\n  port = 2\n}"],
        ["\"${base}\"", "\"b\"", "{\"port\": 1}", "\"x\"", "{\"port\": 2}"],
    ];
    let scope = Scope::new().with("base", 8000);
    let reader = Reader::new().with_scope(&scope);
    let _ = &expected;
    for (text, expected) in texts.iter().zip(expected).take(1) {
        let (file, _) = match text.starts_with('{') {
            true => in_json(&reader).read_source::<File>(*text).unwrap(),
            false => reader.read_source::<File>(*text).unwrap(),
        };
        let (name, service) = file.service.first_key_value().expect("a service");
        let spans = [file.port.span(), file.hosts[1].span(), file.listener.span(), name.span(), service.span()];
        assert_eq!(spans.map(|span| &text[span]), expected);
    }
}

#[test]
fn fields_with_defaults() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        #[serde(default)]
        port: u16,
        #[serde(default = "one")]
        hosts: Vec<u8>,
        #[serde(skip)]
        skipped: u8,
        #[serde(alias = "titel")]
        title: Option<String>,
    }
    fn one() -> Vec<u8> {
        vec![1]
    }
    both(
        "titel = \"a\"\n",
        r#"{"titel": "a"}"#,
        File { port: 0, hosts: vec![1], skipped: 0, title: Some("a".to_owned()) },
    );
}

#[test]
fn values_are_read_like_files() {
    let value: Value = "{ service = { web = { port = 1 } } }".parse().unwrap();
    let read: BTreeMap<String, BTreeMap<String, Port>> = hcl_lr::from_value(&value).unwrap();
    assert_eq!(read["service"]["web"], port(1));
    assert_eq!(hcl_lr::from_value::<Option<u8>>(&Value::NULL).unwrap(), None);
}

#[derive(Deserialize, Debug)]
struct Nested {
    child: Option<Box<Nested>>,
}

#[test]
fn types_nest_up_to_a_limit() {
    let text = |levels: usize| format!("{}{}", "child {\n".repeat(levels), "}\n".repeat(levels));
    let mut at = Some(Box::new(hcl_lr::from_str::<Nested>(&text(127)).unwrap()));
    let mut levels = 0;
    while let Some(nested) = at {
        (at, levels) = (nested.child, levels + 1);
    }
    assert_eq!(levels, 128);
    let errors = hcl_lr::from_str::<Nested>(&text(900)).unwrap_err();
    assert_eq!(errors.short().lines().count(), 1, "{errors}");
    assert!(errors.short().contains("nesting-too-deep"), "{errors}");
    // Values are not limited so.
    let list = format!("a = {}{}\n", "[".repeat(900), "]".repeat(900));
    let value: BTreeMap<String, Value> = hcl_lr::from_str(&list).unwrap();
    assert_eq!(value["a"].height(), 900);
}

#[test]
fn many_mistakes_are_found_up_to_a_limit() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct File {
        service: BTreeMap<String, Service>,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Service {
        port: u16,
        host: String,
        tags: Vec<String>,
    }
    let text: String = (0..300).map(|number| format!("service \"s{number}\" {{\n  tags = [1, \"a\"]\n}}\n")).collect();
    assert_eq!(hcl_lr::from_str::<File>(&text).unwrap_err().len(), 900);
    // No more than a thousand are searched.
    let numbered: String =
        (0..3000).map(|number| format!("service \"s{number}\" {{\n  tags = [1, \"a\"]\n}}\n")).collect();
    assert_eq!(hcl_lr::from_str::<File>(&numbered).unwrap_err().len(), 1_000);
}

#[test]
fn merged_and_built_bodies() {
    use hcl_lr::body::BodyBuilder;
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        a: u8,
        b: String,
        service: BTreeMap<String, Port>,
    }
    let one = hcl_lr::parse::<Body>("a = 1\nservice \"x\" {\n  port = 1\n}\n").into_result().unwrap();
    let other =
        hcl_lr::parse::<Body>(("b.json", r#"{"b": "t", "service": {"y": {"port": 2}}}"#)).into_result().unwrap();
    let inner = BodyBuilder::new().attribute("port", 2).build();
    let built = BodyBuilder::new().attribute("b", "t").block("service", &["y"], inner).build();
    let expected = || File { a: 1, b: "t".to_owned(), service: map([("x", port(1)), ("y", port(2))]) };
    let read = |bodies: [Body; 2]| hcl_lr::from_body::<File>(&Body::merged(bodies), &Scope::new());
    assert_eq!(read([one.clone(), built]).unwrap(), expected());
    assert_eq!(read([one.clone(), other]).unwrap(), expected());
    let again = hcl_lr::parse::<Body>("a = 2\nb = \"t\"\n").into_result().unwrap();
    let errors = read([one, again]).unwrap_err();
    assert_eq!(errors.first().unwrap().code().as_str(), "duplicate-attribute");
}

#[test]
fn dynamic_blocks() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct File {
        listener: Vec<Port>,
        #[serde(default)]
        service: BTreeMap<String, Port>,
    }
    let texts = [
        "dynamic \"listener\" {\n  for_each = ports\n  content {\n    port = listener.value\n  }\n}\n\
         dynamic \"service\" {\n  for_each = ports\n  labels = [\"s${service.value}\"]\n  content {\n    port = service.value\n  }\n}\n",
        r#"{"dynamic": {"listener": {"for_each": "${ports}", "content": {"port": "${listener.value}"}},
            "service": {"for_each": "${ports}", "labels": ["s${service.value}"], "content": {"port": "${service.value}"}}}}"#,
    ];
    for (name, text) in ["a.hcl", "a.json"].into_iter().zip(texts) {
        let body = hcl_lr::parse::<Body>((name, text)).into_result().unwrap();
        let scope = Scope::new().with("ports", vec![1, 2]);
        let file: File = hcl_lr::from_body(&hcl_lr::dynamic::expand(body, &scope), &scope).unwrap();
        let service = map([("s1", port(1)), ("s2", port(2))]);
        assert_eq!(file, File { listener: vec![port(1), port(2)], service });
    }
}

/// Nothing is lost of a file that is read as a list: an attribute and a block of one name are an error, as they are in a
/// structure, and so are attributes that merged files have in common.
#[test]
fn lists_of_items_lose_nothing() {
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Item {
        Copy(Value),
    }
    let errors = |body: &Body| hcl_lr::from_body::<Vec<Item>>(body, &Scope::new()).unwrap_err().to_string();
    let parsed = |name: &str, text: &str| hcl_lr::parse::<Body>((name, text)).into_result().unwrap();
    assert_eq!(
        errors(&parsed("a.hcl", "copy = 1\ncopy {\n}\n")),
        "a.hcl:2:1: error[duplicate-attribute]: argument is set more than once: \"copy\" is already set at a.hcl:1:1"
    );
    let merged = Body::merged([parsed("a.hcl", "copy = 1\n"), parsed("b.hcl", "copy = 2\n")]);
    assert_eq!(
        errors(&merged),
        "b.hcl:1:1: error[duplicate-attribute]: argument is set more than once: \"copy\" is already set at a.hcl:1:1"
    );
    let merged = Body::merged([parsed("a.hcl", "copy {\n}\n"), parsed("b.hcl", "copy {\n}\n")]);
    assert_eq!(hcl_lr::from_body::<Vec<Item>>(&merged, &Scope::new()).unwrap().len(), 2);
}

/// A list that may be missing is found under its other names, too.
#[test]
fn aliases_of_lists() {
    #[derive(Deserialize, Debug)]
    struct File {
        part: Vec<Part>,
    }
    #[derive(Deserialize, Debug)]
    struct Part {
        #[serde(alias = "items")]
        item: Vec<u8>,
        name: String,
    }
    let text = "part {\n  name = \"a\"\n}\npart {\n  name  = \"b\"\n  items = [1]\n}\npart {\n  items = [2]\n  name  = \"c\"\n}\n";
    let file: File = hcl_lr::from_str(text).unwrap();
    let items: Vec<_> = file.part.iter().map(|part| (&*part.name, &part.item[..])).collect();
    assert_eq!(items, [("a", &[][..]), ("b", &[1]), ("c", &[2])]);
}
