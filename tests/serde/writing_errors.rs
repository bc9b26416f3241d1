//! The values that cannot be written, with the whole text of each error: `fixtures/serde/writing/errors.txt`.

use std::collections::BTreeMap;
use std::path::Path;

use hcl_lr::model::{CapsuleType, Mark};
use hcl_lr::typed::{BlockOf, Labeled, Labels, WriteError, Writer};
use hcl_lr::{Value, to_string, to_value};
use serde::ser::Error;
use serde::{Serialize, Serializer};

use crate::golden::Golden;

#[derive(Serialize)]
struct Service {
    #[serde(rename = "$label")]
    name: &'static str,
    port: f64,
}

#[derive(Serialize)]
struct Port {
    port: f64,
}

#[derive(Serialize)]
enum Step {
    Run(u8),
    Many(Vec<Port>),
}

#[derive(Serialize)]
struct Steps {
    #[serde(rename = "$blocks")]
    steps: Vec<Step>,
}

/// Something that does not want to be written.
struct Refusing;

impl Serialize for Refusing {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("the clock is broken"))
    }
}

/// As deep as asked for.
#[derive(Serialize)]
struct Deep(Option<Box<Deep2>>);

#[derive(Serialize)]
struct Deep2 {
    d: Deep,
}

fn deep(levels: u32) -> Deep {
    (0..levels).fold(Deep(None), |inner, _| Deep(Some(Box::new(Deep2 { d: inner }))))
}

fn one<T: Serialize>(value: T) -> Result<String, WriteError> {
    to_string(&BTreeMap::from([("x", value)]))
}

#[test]
fn every_error() {
    let service = |port| Service { name: "web", port };
    let marked = Value::from("secret").mark(Mark::new("sensitive"));
    let capsule = Value::capsule(&CapsuleType::new("image"), std::sync::Arc::new(1_u8));
    let labels = |label: &'static str| Labeled::new([label], Port { port: f64::NAN });
    #[derive(Serialize)]
    struct Bad {
        #[serde(rename = "$label")]
        label: Vec<u8>,
    }
    #[derive(Serialize)]
    struct BadLabels {
        #[serde(rename = "$labels")]
        labels: u8,
    }
    #[derive(Serialize)]
    struct TopLabels {
        labels: Labels,
    }
    #[derive(Serialize)]
    struct Twice {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<&'static str, u8>,
    }
    let cases: Vec<(&str, Result<String, WriteError>)> = vec![
        ("NaN in lists", one([[1.0], [f64::NAN]])),
        ("an infinite number", one(f32::NEG_INFINITY)),
        ("in a list of blocks", one([service(1.0), service(f64::NAN)])),
        ("in blocks by label", one(BTreeMap::from([("a b", BlockOf(Port { port: f64::NAN }))]))),
        ("in a labeled block", one(vec![labels("a")])),
        ("in a variant", one([Step::Run(1)]).and_then(|_| one(Step::Many(vec![Port { port: f64::NAN }])))),
        ("in the key of an object", one(BTreeMap::from([("a b", f64::NAN)]))),
        ("a name with a blank", to_string(&BTreeMap::from([("a b", 1)]))),
        ("a type with a blank", to_string(&BTreeMap::from([("a b", BlockOf(Port { port: 1.0 }))]))),
        ("an empty name in a block", one(BlockOf(BTreeMap::from([("", 1)])))),
        ("a number as a file", to_string(&1)),
        ("a string as a file", to_string("a")),
        ("a list as a file", to_string(&[1])),
        ("a list of structures as a file", to_string(&[Port { port: 1.0 }])),
        ("a labeled file", to_string(&labels("a"))),
        ("a block as a file", to_string(&BlockOf(Port { port: 1.0 }))),
        ("a file with a label", to_string(&service(1.0))),
        ("a file with labels", to_string(&TopLabels { labels: Labels::from(["a"]) })),
        ("a block in a list of lists", one([[1], [2]]).and_then(|_| one(((1, 2), [BlockOf(Port { port: 1.0 })])))),
        ("a block in an object", one(BTreeMap::from([("a", (1, BlockOf(Port { port: 1.0 })))]))),
        ("a labeled block in an object", one((1, labels("a")))),
        ("no block among blocks", one((BlockOf(Port { port: 1.0 }), 1))),
        ("blocks by label and none", one(BTreeMap::from([("a", vec![BlockOf(Port { port: 1.0 })]), ("b", vec![])]))),
        ("a list of lists of blocks", one(BlockOf([[Port { port: 1.0 }]]))),
        ("a number as a block", one(BlockOf(1))),
        ("a list of strings as blocks", one(BlockOf(["a"]))),
        ("a number in $blocks", to_string(&Steps { steps: vec![Step::Run(1)] })),
        ("several blocks in $blocks", to_string(&Steps { steps: vec![Step::Many(vec![])] })),
        ("a label that is a list", one(BlockOf(Bad { label: vec![1] }))),
        ("labels that are a number", one(BlockOf(BadLabels { labels: 1 }))),
        ("labels in an attribute", one(Labels::from(["a"]))),
        ("labels in an object", one((1, Labels::from(["a"])))),
        ("a label in an object", one((1, service(1.0)))),
        ("a label after the first field", {
            #[derive(Serialize)]
            struct Late {
                port: u16,
                #[serde(rename = "$label")]
                name: &'static str,
            }
            one(Late { port: 1, name: "a" })
        }),
        ("a key that is a list", one(BTreeMap::from([(vec![1], 1)]))),
        ("a key that is not finite", {
            #[derive(PartialEq, Eq, PartialOrd, Ord)]
            struct Nan;
            impl Serialize for Nan {
                fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    to.serialize_f64(f64::NAN)
                }
            }
            one(BTreeMap::from([(Nan, 1)]))
        }),
        ("two attributes of a name", to_string(&Twice { a: 1, rest: BTreeMap::from([("a", 2)]) })),
        ("two of many attributes", {
            let names = ["b", "c", "d", "e", "f", "g", "h", "i", "a"];
            to_string(&Twice { a: 1, rest: names.into_iter().map(|name| (name, 2)).collect() })
        }),
        ("an unknown value", one(Value::tuple([Value::UNKNOWN]))),
        ("a marked value", one(Value::object([("a", marked.clone())]))),
        ("a value of another kind", one(capsule.clone())),
        ("an infinite value", one(Value::from(hcl_lr::model::Number::INFINITY))),
        ("an infinite Number", one(hcl_lr::model::Number::INFINITY)),
        ("an unknown file", to_string(&Value::UNKNOWN)),
        ("a marked block", one(BlockOf(Value::object([("a", Value::from(1))]).mark(Mark::new("sensitive"))))),
        ("a null block", one(BlockOf(Value::NULL))),
        ("a tuple as a file", to_string(&Value::tuple([]))),
        ("too deep", to_string(&deep(130))),
        ("too deep for options", Writer::new().max_depth(2).to_string(&deep(4))),
        ("too deep a value", to_value(&deep(130)).map(|_| String::new())),
        ("NaN as a value", to_value(&[f64::NAN]).map(|_| String::new())),
        ("what refuses", one((1, Refusing))),
        ("new text that has no text", one(hcl_lr::construct::NewExpression::from(Value::UNKNOWN))),
    ];
    let mut found = String::new();
    for (name, result) in cases {
        match result {
            Ok(text) => panic!("{name} is written:\n{text}"),
            Err(error) => found.push_str(&format!("# {name}\n{error}\n")),
        }
    }
    assert!(!found.contains("secret"), "{found}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/serde/writing/errors.txt");
    let mut golden = Golden::new();
    golden.check(&path, &found);
    golden.finish();
}

#[test]
fn what_is_not_too_deep_is_written_on_small_stacks() {
    let work = || {
        let text = to_string(&deep(127)).expect("it can be written");
        assert_eq!(text.lines().count(), 2 * 127 - 1);
        let value = to_value(&deep(127)).expect("it can be a value");
        assert_eq!(value.height(), 128);
        // A value may nest as deep as any.
        let value = (0..999).fold(Value::from(1), |inner, _| Value::object([("d", inner)]));
        assert_eq!(to_string(&value).expect("it can be written").lines().count(), 2 * 998 + 1);
        assert_eq!(serde_json::to_string(&value).expect("it can be written").len(), 999 * 6 + 1);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no overflow");
}

/// The output of `unwrap` has the cause; `Display` leaves it to `source`, so that no report shows it twice.
#[test]
fn errors_of_files_have_a_cause() {
    let error = hcl_lr::to_file("no/such/folder/a.hcl", &BTreeMap::from([("a", 1)])).unwrap_err();
    let cause = std::error::Error::source(&error).expect("a cause").to_string();
    assert_eq!(error.to_string(), "no/such/folder/a.hcl cannot be written");
    assert_eq!(format!("{error:?}"), format!("no/such/folder/a.hcl cannot be written: {cause}"));
    let error = one(f64::NAN).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(std::error::Error::source(&error).is_none());
}
