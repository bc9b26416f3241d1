//! Each kind of serde's data model and each representation of enums, written and read in all ways: as an attribute, in a
//! block, as a value, and in JSON.

use std::collections::BTreeMap;
use std::fmt::Debug;

use hcl_lr::model::Number;
use hcl_lr::typed::{BlockOf, Labeled, TypeExpression, from_json_str};
use hcl_lr::{Expression, Value, from_str, from_value, to_string, to_value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Attribute<T> {
    x: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Block<T> {
    block: BlockOf<Attribute<T>>,
    labeled: Vec<Labeled<Attribute<T>>>,
}

#[track_caller]
fn text<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) {
    let text = to_string(value).unwrap_or_else(|why| panic!("{value:?}: {why}"));
    let read: T = from_str(&text).unwrap_or_else(|why| panic!("{text}{}", why.render()));
    assert_eq!(&read, value, "{text}");
}

#[track_caller]
fn as_value<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) -> Value {
    let written = to_value(value).unwrap_or_else(|why| panic!("{value:?}: {why}"));
    let read: T = from_value(&written).unwrap_or_else(|why| panic!("{written}: {}", why.render()));
    assert_eq!(&read, value, "{written}");
    written
}

/// A file as text and as a value.
#[track_caller]
fn file<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) {
    text(value);
    as_value(value);
}

/// A value in all ways.
#[track_caller]
fn all<T: Serialize + DeserializeOwned + Debug + PartialEq + Clone>(value: T) {
    let attribute = |value: &T| Attribute { x: value.clone() };
    let block = Block {
        block: BlockOf(attribute(&value)),
        labeled: vec![Labeled::new(["a", "b"], attribute(&value)), Labeled::new(["c"], attribute(&value))],
    };
    file(&block);
    file(&Attribute { x: vec![value.clone(), value.clone()] });
    let attribute = Attribute { x: value };
    text(&attribute);
    as_value(&attribute);
    let json = serde_json::to_string(&attribute).expect("JSON");
    let read: Attribute<T> = from_json_str(&json).unwrap_or_else(|why| panic!("{json}: {}", why.render()));
    assert_eq!(read, attribute, "{json}");
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Unit;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Newtype(u8);

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Tuple(u8, String);

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Struct {
    a: u8,
    b: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(rename_all = "snake_case")]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: u8 },
}

#[derive(Debug, PartialEq, Clone)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_byte_buf(Visitor)
    }
}

fn external() -> Vec<External> {
    vec![External::Unit, External::Newtype(1), External::Tuple(2, "b".to_owned()), External::Struct { a: 3 }]
}

#[test]
fn all_29_kinds() {
    macro_rules! numbers {
        ($($ty:ident)+) => {$(
            all($ty::MIN);
            all($ty::MAX);
        )+};
    }
    all(true);
    numbers! { i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 }
    all(0.1_f32);
    all(0.1_f64);
    all('$');
    all("a \"${b}\" %{c}\n\u{7f}".to_owned());
    all(Bytes(vec![0, 127, 255]));
    all(None::<u8>);
    all(Some(1_u8));
    all(());
    all(Unit);
    external().into_iter().for_each(all);
    all(Newtype(1));
    all(vec![1_u8, 2]);
    all(Vec::<u8>::new());
    all((1_u8, "b".to_owned()));
    all(Tuple(1, "b".to_owned()));
    all(BTreeMap::from([("a b".to_owned(), 1_u8), ("c".to_owned(), 2)]));
    all(BTreeMap::from([(1_i8, true), (-2, false)]));
    all(Struct { a: 1, b: Some("x".to_owned()) });
}

#[test]
fn this_crates_own_types() {
    // In other formats they would be strings.
    file(&Attribute { x: Number::parse("1e400").expect("a number") });
    file(&Attribute { x: Number::parse("0.12345678901234567890123").expect("a number") });
    all("string".parse::<hcl_lr::model::Type>().unwrap_or(hcl_lr::model::Type::String));
    let expression: Expression = "var.x + f(1, \"a\")".parse().expect("an expression");
    file(&Attribute { x: expression });
    let template: hcl_lr::typed::Template = "a ${b} %{ if c }d%{ endif }".parse().expect("a template");
    file(&Attribute { x: template });
    let ty: TypeExpression = "object({ a = optional(number, 1), b = list(string) })".parse().expect("a type");
    file(&Attribute { x: ty });
    file(&Attribute { x: hcl_lr::value!({ a = [1, "b", null], c = { d = true } }) });
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Internal {
    Unit,
    Newtype(Struct),
    Struct { a: u8, list: Vec<f64> },
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(tag = "t", content = "c", rename_all = "snake_case")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: u8 },
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    Tuple(u8, String),
    Struct { a: u8, deep: Option<Box<Untagged>> },
}

/// Checks an enum as an attribute, optional, flattened, and flattened and optional.
#[track_caller]
fn representations<T: Serialize + DeserializeOwned + Debug + PartialEq + Clone>(
    values: Vec<T>,
    may_be_flat: fn(&T) -> bool,
) {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Flat<T> {
        first: u8,
        #[serde(flatten)]
        rest: T,
    }
    for value in values {
        all(value.clone());
        all(Some(value.clone()));
        file(&Flat { first: 1, rest: Attribute { x: Some(value.clone()) } });
        file(&Flat { first: 1, rest: Some(Attribute { x: value.clone() }) });
        if may_be_flat(&value) {
            file(&Flat { first: 1, rest: value.clone() });
            file(&Flat { first: 1, rest: Some(value) });
        }
    }
}

#[test]
fn all_representations() {
    representations(external(), |value| !matches!(value, External::Unit));
    let unit = || Struct { a: 1, b: None };
    representations(
        vec![Internal::Unit, Internal::Newtype(unit()), Internal::Struct { a: 1, list: vec![0.5, 2.0] }],
        |_| true,
    );
    let tuple = Adjacent::Tuple(1, "a".to_owned());
    representations(vec![Adjacent::Unit, Adjacent::Newtype(1), tuple, Adjacent::Struct { a: 1 }], |_| true);
    let deep = || Some(Box::new(Untagged::Tuple(1, "a".to_owned())));
    representations(
        vec![Untagged::Number(1), Untagged::Text("a".to_owned()), Untagged::Struct { a: 1, deep: deep() }],
        |value| matches!(value, Untagged::Struct { .. }),
    );
}

/// Blocks of all sorts.
#[test]
fn blocks_come_back() {
    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    struct Flat {
        port: u16,
        #[serde(flatten)]
        more: BTreeMap<String, Value>,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct File {
        one: BlockOf<Struct>,
        none: Option<BlockOf<Struct>>,
        list: Vec<BlockOf<Flat>>,
        empty: Vec<BlockOf<Flat>>,
        by_label: BTreeMap<String, BlockOf<Flat>>,
        kinds: Vec<BlockOf<External>>,
    }
    let flat = || Flat { port: 1, more: BTreeMap::from([("x".to_owned(), Value::from(true))]) };
    let file_of = || File {
        one: BlockOf(Struct { a: 1, b: None }),
        none: None,
        list: vec![BlockOf(flat()), BlockOf(flat())],
        empty: Vec::new(),
        by_label: BTreeMap::from([("a".to_owned(), BlockOf(flat()))]),
        kinds: external().into_iter().map(BlockOf).collect(),
    };
    file(&file_of());

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct ByModule {
        #[serde(with = "hcl_lr::typed::blocks_by_label", default)]
        flat: BTreeMap<String, Flat>,
        #[serde(with = "hcl_lr::typed::blocks_by_label", default)]
        env: BTreeMap<String, String>,
        #[serde(with = "hcl_lr::typed::blocks_by_label", default)]
        several: BTreeMap<String, BTreeMap<String, Vec<Flat>>>,
        #[serde(with = "hcl_lr::typed::block", default)]
        list: Vec<Flat>,
    }
    let by_module = ByModule {
        flat: BTreeMap::from([("l".to_owned(), flat())]),
        env: BTreeMap::from([("PATH".to_owned(), "/bin".to_owned())]),
        several: BTreeMap::from([("a".to_owned(), BTreeMap::from([("b".to_owned(), vec![flat(), flat()])]))]),
        list: vec![flat()],
    };
    file(&by_module);
    let expected = "flat \"l\" {\n  port = 1\n  x    = true\n}\n\nenv {\n  PATH = \"/bin\"\n}\n\nseveral \"a\" \"b\" {\n  port = 1\n  \
                    x    = true\n}\n\nseveral \"a\" \"b\" {\n  port = 1\n  x    = true\n}\n\nlist {\n  port = 1\n  x    = true\n}\n";
    assert_eq!(to_string(&by_module).expect("text"), expected);
}

/// The labels of a block that comes after one with labels in its body are its own.
#[test]
fn maps_of_blocks_by_label_nest() {
    type ByLabel<T> = BTreeMap<String, T>;
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Outer {
        #[serde(with = "hcl_lr::typed::blocks_by_label", default)]
        outer: ByLabel<ByLabel<Middle>>,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Middle {
        #[serde(with = "hcl_lr::typed::blocks_by_label", default)]
        inner: ByLabel<ByLabel<Inner>>,
        last: Labeled<Inner>,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Inner {
        x: u8,
    }
    fn by_label<T>(labels: [&str; 2], part: impl Fn() -> T) -> ByLabel<T> {
        labels.map(|label| (label.to_owned(), part())).into()
    }
    let inner = || by_label(["e", "f"], || by_label(["g", "h"], || Inner { x: 1 }));
    let middle = || Middle { inner: inner(), last: Labeled::new(["i", "j"], Inner { x: 2 }) };
    let outer = Outer { outer: by_label(["a", "b"], || by_label(["c", "d"], middle)) };
    file(&outer);
    let headers: Vec<String> = to_string(&outer)
        .expect("text")
        .lines()
        .filter_map(|line| Some(line.strip_suffix(" {")?.replace('"', "")))
        .collect();
    let inside = ["  inner e g", "  inner e h", "  inner f g", "  inner f h", "  last i j"];
    let expected = ["outer a c", "outer a d", "outer b c", "outer b d"];
    let expected: Vec<&str> = expected.into_iter().flat_map(|header| std::iter::once(header).chain(inside)).collect();
    assert_eq!(headers, expected);
}

/// Numbers that serde has no kind for.
#[test]
fn numbers_pass_through_what_is_buffered() {
    #[derive(Deserialize, Debug)]
    struct Flat<T> {
        #[serde(flatten)]
        all: BTreeMap<String, T>,
    }
    for text in
        ["1e20", "18446744073709551617", "-9223372036854775809", "1e400", "1e-400", "0.1", "12345678901234567890123e5"]
    {
        let file = format!("x = {text}\n");
        let exact = Number::parse(text).expect("a number");
        assert_eq!(from_str::<Flat<Value>>(&file).expect(text).all["x"], Value::from(exact.clone()), "{text}");
        assert_eq!(from_str::<Flat<Number>>(&file).expect(text).all["x"], exact, "{text}");
        // A float that is not the number, or an error that says why.
        let any = from_str::<serde_json::Value>(&file);
        match &any {
            Ok(any) => assert_eq!(Number::parse(&any["x"].to_string()).expect("a number"), exact, "{text}"),
            Err(errors) => {
                assert!(errors.to_string().contains("from -9223372036854775808 to 18446744073709551615"), "{errors}")
            }
        }
    }
    let long = "x = 1e20\ny = 3.14159265358979323846\n";
    // A type that takes anything asks for floats.
    assert_eq!(from_str::<serde_json::Value>(long).expect("floats")["y"], std::f64::consts::PI);
    assert_eq!(from_str::<BTreeMap<String, f64>>(long).expect("floats")["y"], std::f64::consts::PI);
    // A buffered number may be read as any type, so it is not rounded.
    let errors = from_str::<Flat<f64>>(long).expect_err("an error").to_string();
    assert!(
        errors.contains("`y` must be a number, but it is the number 3.14159265358979323846; only whole numbers"),
        "{errors}"
    );
}

#[test]
fn texts_are_borrowed_where_they_stand_as_they_are() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Names<'a> {
        name: &'a str,
        #[serde(borrow)]
        tags: BTreeMap<&'a str, std::borrow::Cow<'a, str>>,
    }
    let text = "name = \"a\"\ntags = { x = \"b\\n\" }\n".to_owned();
    let names: Names<'_> = from_str(&text).expect("names");
    assert_eq!((names.name, &*names.tags["x"]), ("a", "b\n"));
    let json = "{\"name\": \"a\", \"tags\": {\"x\": \"b\"}}".to_owned();
    assert_eq!(from_json_str::<Names<'_>>(&json).expect("names").name, "a");
    let errors = from_str::<Names<'_>>("name = \"a\\n\"\n").unwrap_err();
    assert!(errors.render().contains("`Cow<str>`"), "{}", errors.render());
}

#[test]
fn enums_as_blocks_have_labels_or_attributes() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct File {
        kind: Vec<BlockOf<External>>,
    }
    let text = "kind \"unit\" {\n}\n\nkind {\n  newtype = 1\n}\n\nkind {\n  tuple = [2, \"b\"]\n}\n\nkind \"struct\" {\n  a = 3\n}\n";
    let value = File { kind: external().into_iter().map(BlockOf).collect() };
    assert_eq!(to_string(&value).expect("text"), text);
    assert_eq!(from_str::<File>(text).unwrap_or_else(|why| panic!("{}", why.render())), value);
}
