//! The data model of serde is complete: each of its 29 kinds at each place in a file, and as a value.

use std::collections::BTreeMap;

use hcl_lr::typed::BlockOf;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant,
};
use serde::{Serialize, Serializer};

use crate::golden::Golden;

/// One of each kind, in the order of the list at <https://serde.rs/data-model.html>.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
    Char,
    String,
    ByteArray,
    OptionNone,
    OptionSome,
    Unit,
    UnitStruct,
    UnitVariant,
    NewtypeStruct,
    NewtypeVariant,
    Seq,
    Tuple,
    TupleStruct,
    TupleVariant,
    Map,
    Struct,
    StructVariant,
}

/// `OptionNone` and `OptionSome` are one kind.
const KINDS: [Kind; 30] = [
    Kind::Bool,
    Kind::I8,
    Kind::I16,
    Kind::I32,
    Kind::I64,
    Kind::I128,
    Kind::U8,
    Kind::U16,
    Kind::U32,
    Kind::U64,
    Kind::U128,
    Kind::F32,
    Kind::F64,
    Kind::Char,
    Kind::String,
    Kind::ByteArray,
    Kind::OptionNone,
    Kind::OptionSome,
    Kind::Unit,
    Kind::UnitStruct,
    Kind::UnitVariant,
    Kind::NewtypeStruct,
    Kind::NewtypeVariant,
    Kind::Seq,
    Kind::Tuple,
    Kind::TupleStruct,
    Kind::TupleVariant,
    Kind::Map,
    Kind::Struct,
    Kind::StructVariant,
];

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Kind::Bool => to.serialize_bool(true),
            Kind::I8 => to.serialize_i8(i8::MIN),
            Kind::I16 => to.serialize_i16(i16::MIN),
            Kind::I32 => to.serialize_i32(i32::MIN),
            Kind::I64 => to.serialize_i64(i64::MIN),
            Kind::I128 => to.serialize_i128(i128::MIN),
            Kind::U8 => to.serialize_u8(u8::MAX),
            Kind::U16 => to.serialize_u16(u16::MAX),
            Kind::U32 => to.serialize_u32(u32::MAX),
            Kind::U64 => to.serialize_u64(u64::MAX),
            Kind::U128 => to.serialize_u128(u128::MAX),
            Kind::F32 => to.serialize_f32(0.1),
            Kind::F64 => to.serialize_f64(-0.1),
            Kind::Char => to.serialize_char('"'),
            Kind::String => to.serialize_str("${a}\n"),
            Kind::ByteArray => to.serialize_bytes(b"\0\xff"),
            Kind::OptionNone => to.serialize_none(),
            Kind::OptionSome => to.serialize_some(&1),
            Kind::Unit => to.serialize_unit(),
            Kind::UnitStruct => to.serialize_unit_struct("Unit"),
            Kind::UnitVariant => to.serialize_unit_variant("Enum", 0, "variant"),
            Kind::NewtypeStruct => to.serialize_newtype_struct("Newtype", &1),
            Kind::NewtypeVariant => to.serialize_newtype_variant("Enum", 1, "variant", &1),
            Kind::Seq => {
                let mut to = to.serialize_seq(None)?;
                to.serialize_element(&1)?;
                to.serialize_element("a")?;
                to.end()
            }
            Kind::Tuple => {
                let mut to = to.serialize_tuple(2)?;
                to.serialize_element(&1)?;
                to.serialize_element("a")?;
                to.end()
            }
            Kind::TupleStruct => {
                let mut to = to.serialize_tuple_struct("Tuple", 2)?;
                to.serialize_field(&1)?;
                to.serialize_field("a")?;
                to.end()
            }
            Kind::TupleVariant => {
                let mut to = to.serialize_tuple_variant("Enum", 2, "variant", 2)?;
                to.serialize_field(&1)?;
                to.serialize_field("a")?;
                to.end()
            }
            Kind::Map => {
                let mut to = to.serialize_map(None)?;
                to.serialize_entry("a", &1)?;
                to.serialize_entry("b", &2)?;
                to.end()
            }
            Kind::Struct => {
                let mut to = to.serialize_struct("Struct", 2)?;
                to.serialize_field("a", &1)?;
                to.serialize_field("b", &2)?;
                to.end()
            }
            Kind::StructVariant => {
                let mut to = to.serialize_struct_variant("Enum", 3, "variant", 2)?;
                to.serialize_field("a", &1)?;
                to.serialize_field("b", &2)?;
                to.end()
            }
        }
    }
}

fn shown(result: Result<String, hcl_lr::typed::WriteError>) -> String {
    match result {
        Ok(text) if text.is_empty() => "(nothing)\n".to_owned(),
        Ok(text) => {
            assert_eq!(hcl_lr::format::format(&text), text);
            hcl_lr::parse::<hcl_lr::File>(text.as_str()).into_result().expect("it can be read");
            text
        }
        Err(error) => format!("error: {error}\n"),
    }
}

#[test]
fn every_kind_at_every_place() {
    let mut found = String::new();
    for kind in KINDS {
        let value = hcl_lr::to_value(&kind).map(|value| format!("{value:?}\n"));
        let places = [
            ("a value", shown_value(value)),
            ("an attribute", shown(hcl_lr::to_string(&BTreeMap::from([("x", kind)])))),
            ("in a list", shown(hcl_lr::to_string(&BTreeMap::from([("x", [kind])])))),
            ("in an object", shown(hcl_lr::to_string(&BTreeMap::from([("x", BTreeMap::from([("y", kind)]))])))),
            ("a block", shown(hcl_lr::to_string(&BTreeMap::from([("x", BlockOf(kind))])))),
            ("a file", shown(hcl_lr::to_string(&kind))),
            ("a key", shown(hcl_lr::to_string(&BTreeMap::from([("x", Keyed(kind))])))),
        ];
        found.push_str(&format!("## {kind:?}\n"));
        for (place, text) in places {
            found.push_str(&format!("# {place}\n{text}"));
        }
        found.push('\n');
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/serde/writing/kinds.txt");
    let mut golden = Golden::new();
    golden.check(&path, &found);
    golden.finish();
}

fn shown_value(result: Result<String, hcl_lr::typed::WriteError>) -> String {
    result.unwrap_or_else(|error| format!("error: {error}\n"))
}

/// A map with a key of a kind.
struct Keyed(Kind);

impl Serialize for Keyed {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut to = to.serialize_map(Some(1))?;
        to.serialize_entry(&self.0, &1)?;
        to.end()
    }
}
