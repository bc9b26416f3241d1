//! serde's data model, all 29 kinds: what each is read from, in both syntaxes, and what is refused.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A field of the type under test.
#[derive(Deserialize, Debug, PartialEq)]
struct File<T> {
    x: T,
}

/// Reads an expression as a value of a type, in native syntax and in JSON.
fn read<T: DeserializeOwned + PartialEq + Debug>(native: &str, json: &str) -> [Result<T, String>; 2] {
    let native = hcl_lr::from_str::<File<T>>(&format!("{native}\n"));
    let json = hcl_lr::typed::from_json_str::<File<T>>(&format!("{{{json}}}"));
    [native, json].map(|read| read.map(|file| file.x).map_err(|why| why.short()))
}

/// A line of the table: a kind, what gives a value, the value, and what gives none.
#[track_caller]
fn kind<T: DeserializeOwned + PartialEq + Debug>(
    seen: &mut Vec<&'static str>,
    name: &'static str,
    native: &str,
    json: &str,
    expected: T,
    refused: [&str; 2],
) {
    seen.push(name);
    for result in read::<T>(native, json) {
        assert_eq!(result.as_ref(), Ok(&expected), "{name}");
    }
    for result in read::<T>(refused[0], refused[1]) {
        let errors = result.expect_err(name);
        assert_eq!(errors.lines().count(), 1, "{name}: {errors}");
        assert!(errors.contains("`x"), "{name}: {errors}");
    }
}

#[derive(Deserialize, Debug, PartialEq)]
struct Unit;

#[derive(Deserialize, Debug, PartialEq)]
struct Newtype(u8);

#[derive(Deserialize, Debug, PartialEq)]
struct TupleStruct(u8, bool);

#[derive(Deserialize, Debug, PartialEq)]
struct Struct {
    a: u8,
}

#[derive(Deserialize, Debug, PartialEq)]
enum Enum {
    Unit,
    Newtype(u8),
    Tuple(u8, bool),
    Struct { a: u8 },
}

/// Asks for bytes, which the standard types do not.
#[derive(Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

macro_rules! whole_numbers {
    ($seen:ident: $($ty:ident)+) => {$(
        for number in [$ty::MIN, $ty::MAX] {
            let (native, json) = (format!("x = {number}"), format!("\"x\": {number}"));
            let over = format!("{}0", $ty::MAX);
            let refused = [format!("x = {over}"), format!("\"x\": {over}")];
            kind($seen, stringify!($ty), &native, &json, number, [&refused[0], &refused[1]]);
        }
        kind($seen, stringify!($ty), "x = 10e-1", "\"x\": 10e-1", 1 as $ty, ["x = 1.5", "\"x\": 1.5"]);
    )+};
}

#[test]
fn all_29_kinds() {
    let seen = &mut Vec::new();
    kind(seen, "bool", "x = true", "\"x\": true", true, ["x = \"true\"", "\"x\": \"true\""]);
    whole_numbers!(seen: i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);
    kind(seen, "f32", "x = -0.5", "\"x\": -0.5", -0.5_f32, ["x = 1e39", "\"x\": 1e39"]);
    kind(seen, "f64", "x = 0.1", "\"x\": 0.1", 0.1_f64, ["x = 1e309", "\"x\": 1e309"]);
    kind(seen, "char", "x = \"ß\"", "\"x\": \"ß\"", 'ß', ["x = \"ab\"", "\"x\": \"ab\""]);
    kind(seen, "string", "x = \"a\\nb\"", "\"x\": \"a\\nb\"", "a\nb".to_owned(), ["x = 1", "\"x\": 1"]);
    kind(seen, "byte array", "x = \"ab\"", "\"x\": \"ab\"", Bytes(b"ab".to_vec()), ["x = 1", "\"x\": 1"]);
    kind(seen, "option", "x = null", "\"x\": null", None::<u8>, ["x = []", "\"x\": []"]);
    kind(seen, "option", "x = 1", "\"x\": 1", Some(1_u8), ["x = []", "\"x\": []"]);
    kind(seen, "unit", "x = null", "\"x\": null", (), ["x = 0", "\"x\": 0"]);
    kind(seen, "unit_struct", "x {}", "\"x\": {}", Unit, ["x = 0", "\"x\": 0"]);
    kind(seen, "unit_variant", "x = \"Unit\"", "\"x\": \"Unit\"", Enum::Unit, ["x = \"Unt\"", "\"x\": \"Unt\""]);
    kind(seen, "newtype_struct", "x = 1", "\"x\": 1", Newtype(1), ["x = 256", "\"x\": 256"]);
    kind(
        seen,
        "newtype_variant",
        "x = { Newtype = 1 }",
        "\"x\": {\"Newtype\": 1}",
        Enum::Newtype(1),
        ["x = \"Newtype\"", "\"x\": \"Newtype\""],
    );
    kind(seen, "seq", "x = [1, 2]", "\"x\": [1, 2]", vec![1_u8, 2], ["x = 1", "\"x\": 1"]);
    kind(seen, "tuple", "x = [1, true]", "\"x\": [1, true]", (1_u8, true), ["x = [1]", "\"x\": [1]"]);
    kind(
        seen,
        "tuple_struct",
        "x = [1, true]",
        "\"x\": [1, true]",
        TupleStruct(1, true),
        ["x = [1, true, 2]", "\"x\": [1, true, 2]"],
    );
    kind(
        seen,
        "tuple_variant",
        "x = { Tuple = [1, true] }",
        "\"x\": {\"Tuple\": [1, true]}",
        Enum::Tuple(1, true),
        ["x = { Tuple = 1 }", "\"x\": {\"Tuple\": 1}"],
    );
    let map = BTreeMap::from([("a".to_owned(), 1_u8)]);
    kind(seen, "map", "x = { a = 1 }", "\"x\": {\"a\": 1}", map, ["x = [1]", "\"x\": [1]"]);
    kind(seen, "struct", "x {\n  a = 1\n}", "\"x\": {\"a\": 1}", Struct { a: 1 }, ["x {\n}", "\"x\": {}"]);
    kind(
        seen,
        "struct_variant",
        "x = { Struct = { a = 1 } }",
        "\"x\": {\"Struct\": {\"a\": 1}}",
        Enum::Struct { a: 1 },
        ["x = { Unit = 1, Struct = 2 }", "\"x\": {\"Unit\": 1, \"Struct\": 2}"],
    );
    seen.dedup();
    assert_eq!(seen.len(), 29, "{seen:?}");
}

#[test]
fn strings_say_other_kinds_only_as_keys() {
    type Keys = BTreeMap<i8, BTreeMap<bool, BTreeMap<char, u8>>>;
    let read: File<Keys> = hcl_lr::from_str("x = { \"-1\" = { true = { c = 1 } } }\n").unwrap();
    assert_eq!(read.x[&-1][&true][&'c'], 1);
}
