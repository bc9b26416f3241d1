//! Types that are made while a test runs, and their values: what derives would serialize and deserialize.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use hcl_lr::typed::{BlockOf, Labeled, Labels};
use serde::de::{self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple};
use serde::ser::{SerializeTupleStruct, SerializeTupleVariant};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The integers of Rust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Int {
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
}

#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Bool,
    Int(Int),
    F32,
    F64,
    Char,
    Str,
    Bytes,
    Unit,
    UnitStruct,
    Option(Rc<Ty>),
    Newtype(Rc<Ty>),
    Seq(Rc<Ty>),
    Tuple(Vec<Ty>),
    TupleStruct(Vec<Ty>),
    /// With keys that are strings or integers.
    Map(Option<Int>, Rc<Ty>),
    Struct(Fields),
    Enum(Rc<Vec<Variant>>),
    Block(Rc<Ty>),
    Labeled(usize, Rc<Ty>),
}

/// Names that live as long as the program, as those of a derive do, and types.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    pub names: &'static [&'static str],
    pub types: Vec<Ty>,
}

impl Fields {
    /// The structure of so many fields; the first may be the label of its block.
    pub fn new(types: Vec<Ty>, first_is_label: bool) -> Fields {
        const NAMES: [&str; 6] = ["a", "bb", "c_c", "d-d", "é", "for"];
        let name = |at: usize| if at == 0 && first_is_label { "$label" } else { NAMES[at] };
        Fields { names: Vec::leak((0..types.len()).map(name).collect()), types }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Variant {
    Unit,
    Newtype(Ty),
    Tuple(Vec<Ty>),
    Struct(Fields),
}

pub const VARIANTS: [&str; 4] = ["One", "two", "three_3", "Four"];

#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    Bool(bool),
    Int(i128),
    Big(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Str(String),
    Bytes(Vec<u8>),
    Unit,
    Option(Option<Box<Val>>),
    Newtype(Box<Val>),
    List(Vec<Val>),
    Map(BTreeMap<String, Val>),
    IntMap(BTreeMap<i128, Val>),
    Variant(usize, Box<Val>),
    Labeled(Vec<String>, Box<Val>),
}

/// A value of a type.
#[derive(Clone, Copy)]
pub struct Typed<'v>(pub &'v Ty, pub &'v Val);

fn serialize_int<S: Serializer>(int: Int, value: &Val, to: S) -> Result<S::Ok, S::Error> {
    match (int, value) {
        (Int::I8, Val::Int(value)) => to.serialize_i8(*value as i8),
        (Int::I16, Val::Int(value)) => to.serialize_i16(*value as i16),
        (Int::I32, Val::Int(value)) => to.serialize_i32(*value as i32),
        (Int::I64, Val::Int(value)) => to.serialize_i64(*value as i64),
        (Int::I128, Val::Int(value)) => to.serialize_i128(*value),
        (Int::U8, Val::Int(value)) => to.serialize_u8(*value as u8),
        (Int::U16, Val::Int(value)) => to.serialize_u16(*value as u16),
        (Int::U32, Val::Int(value)) => to.serialize_u32(*value as u32),
        (Int::U64, Val::Int(value)) => to.serialize_u64(*value as u64),
        (Int::U128, Val::Big(value)) => to.serialize_u128(*value),
        other => unreachable!("{other:?}"),
    }
}

struct Key(Int, i128);

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize_int(self.0, &Val::Int(self.1), to)
    }
}

impl Serialize for Typed<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (self.0, self.1) {
            (Ty::Bool, Val::Bool(value)) => to.serialize_bool(*value),
            (Ty::Int(int), value) => serialize_int(*int, value, to),
            (Ty::F32, Val::F32(value)) => to.serialize_f32(*value),
            (Ty::F64, Val::F64(value)) => to.serialize_f64(*value),
            (Ty::Char, Val::Char(value)) => to.serialize_char(*value),
            (Ty::Str, Val::Str(value)) => to.serialize_str(value),
            (Ty::Bytes, Val::Bytes(value)) => to.serialize_bytes(value),
            (Ty::Unit, _) => to.serialize_unit(),
            (Ty::UnitStruct, _) => to.serialize_unit_struct("Unit"),
            (Ty::Option(ty), Val::Option(value)) => match value {
                Some(value) => to.serialize_some(&Typed(ty, value)),
                None => to.serialize_none(),
            },
            (Ty::Newtype(ty), Val::Newtype(value)) => to.serialize_newtype_struct("Newtype", &Typed(ty, value)),
            (Ty::Seq(ty), Val::List(values)) => {
                let mut list = to.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Typed(ty, value))?;
                }
                list.end()
            }
            (Ty::Tuple(types), Val::List(values)) => {
                let mut list = to.serialize_tuple(values.len())?;
                for (ty, value) in types.iter().zip(values) {
                    list.serialize_element(&Typed(ty, value))?;
                }
                list.end()
            }
            (Ty::TupleStruct(types), Val::List(values)) => {
                let mut list = to.serialize_tuple_struct("Tuple", values.len())?;
                for (ty, value) in types.iter().zip(values) {
                    list.serialize_field(&Typed(ty, value))?;
                }
                list.end()
            }
            (Ty::Map(_, ty), Val::Map(entries)) => {
                let mut map = to.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, &Typed(ty, value))?;
                }
                map.end()
            }
            (Ty::Map(Some(int), ty), Val::IntMap(entries)) => {
                let mut map = to.serialize_map(None)?;
                for (key, value) in entries {
                    map.serialize_entry(&Key(*int, *key), &Typed(ty, value))?;
                }
                map.end()
            }
            (Ty::Struct(fields), Val::List(values)) => {
                let mut to = to.serialize_struct("Struct", values.len())?;
                for ((name, ty), value) in fields.names.iter().zip(&fields.types).zip(values) {
                    to.serialize_field(name, &Typed(ty, value))?;
                }
                to.end()
            }
            (Ty::Enum(variants), Val::Variant(at, value)) => {
                let (index, name) = (*at as u32, VARIANTS[*at]);
                match (&variants[*at], &**value) {
                    (Variant::Unit, _) => to.serialize_unit_variant("Enum", index, name),
                    (Variant::Newtype(ty), value) => {
                        to.serialize_newtype_variant("Enum", index, name, &Typed(ty, value))
                    }
                    (Variant::Tuple(types), Val::List(values)) => {
                        let mut to = to.serialize_tuple_variant("Enum", index, name, values.len())?;
                        for (ty, value) in types.iter().zip(values) {
                            to.serialize_field(&Typed(ty, value))?;
                        }
                        to.end()
                    }
                    (Variant::Struct(fields), Val::List(values)) => {
                        let mut to = to.serialize_struct_variant("Enum", index, name, values.len())?;
                        for ((name, ty), value) in fields.names.iter().zip(&fields.types).zip(values) {
                            to.serialize_field(name, &Typed(ty, value))?;
                        }
                        to.end()
                    }
                    other => unreachable!("{other:?}"),
                }
            }
            (Ty::Block(ty), value) => BlockOf(Typed(ty, value)).serialize(to),
            (Ty::Labeled(_, ty), Val::Labeled(labels, value)) => {
                Labeled { labels: Labels(labels.clone()), value: Typed(ty, value) }.serialize(to)
            }
            other => unreachable!("{other:?}"),
        }
    }
}

/// Reads a value of a type.
#[derive(Clone, Copy)]
struct Seed<'t>(&'t Ty);

thread_local! {
    /// The type of the [`Dynamic`] that is read next.
    static NEXT: RefCell<Option<Ty>> = const { RefCell::new(None) };
}

/// A value of the type that [`reading`] says.
pub struct Dynamic(pub Val);

/// Reads with a type.
pub fn reading<R>(ty: &Ty, read: impl FnOnce() -> R) -> R {
    let before = NEXT.replace(Some(ty.clone()));
    let result = read();
    NEXT.set(before);
    result
}

impl<'de> Deserialize<'de> for Dynamic {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let ty = NEXT.with_borrow(Clone::clone).expect("a type is wanted");
        Seed(&ty).deserialize(from).map(Dynamic)
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Val;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Val, D::Error> {
        match self.0 {
            Ty::Bool => from.deserialize_bool(self),
            Ty::Int(Int::I8) => from.deserialize_i8(self),
            Ty::Int(Int::I16) => from.deserialize_i16(self),
            Ty::Int(Int::I32) => from.deserialize_i32(self),
            Ty::Int(Int::I64) => from.deserialize_i64(self),
            Ty::Int(Int::I128) => from.deserialize_i128(self),
            Ty::Int(Int::U8) => from.deserialize_u8(self),
            Ty::Int(Int::U16) => from.deserialize_u16(self),
            Ty::Int(Int::U32) => from.deserialize_u32(self),
            Ty::Int(Int::U64) => from.deserialize_u64(self),
            Ty::Int(Int::U128) => from.deserialize_u128(self),
            Ty::F32 => from.deserialize_f32(self),
            Ty::F64 => from.deserialize_f64(self),
            Ty::Char => from.deserialize_char(self),
            Ty::Str => from.deserialize_string(self),
            Ty::Bytes => from.deserialize_byte_buf(self),
            Ty::Unit => from.deserialize_unit(self),
            Ty::UnitStruct => from.deserialize_unit_struct("Unit", self),
            Ty::Option(_) => from.deserialize_option(self),
            Ty::Newtype(_) => from.deserialize_newtype_struct("Newtype", self),
            Ty::Seq(_) => from.deserialize_seq(self),
            Ty::Tuple(types) => from.deserialize_tuple(types.len(), self),
            Ty::TupleStruct(types) => from.deserialize_tuple_struct("Tuple", types.len(), self),
            Ty::Map(..) => from.deserialize_map(self),
            Ty::Struct(fields) => from.deserialize_struct("Struct", fields.names, self),
            Ty::Enum(variants) => {
                let value = from.deserialize_enum("Enum", &VARIANTS[..], EnumSeed(variants))?;
                Ok(value)
            }
            Ty::Block(ty) => reading(ty, || BlockOf::<Dynamic>::deserialize(from)).map(|block| block.0.0),
            Ty::Labeled(_, ty) => reading(ty, || Labeled::<Dynamic>::deserialize(from))
                .map(|labeled| Val::Labeled(labeled.labels.0, Box::new(labeled.value.0))),
        }
    }
}

macro_rules! visits {
    ($($method:ident($given:ty))*) => {$(
        fn $method<E: de::Error>(self, value: $given) -> Result<Val, E> {
            Ok(Val::Int(value.into()))
        }
    )*};
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Val;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }

    visits! {
        visit_i8(i8) visit_i16(i16) visit_i32(i32) visit_i64(i64) visit_i128(i128)
        visit_u8(u8) visit_u16(u16) visit_u32(u32) visit_u64(u64)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Val, E> {
        Ok(Val::Big(value))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Val, E> {
        Ok(Val::Bool(value))
    }

    fn visit_f32<E: de::Error>(self, value: f32) -> Result<Val, E> {
        Ok(Val::F32(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Val, E> {
        Ok(Val::F64(value))
    }

    fn visit_char<E: de::Error>(self, value: char) -> Result<Val, E> {
        Ok(Val::Char(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Val, E> {
        Ok(Val::Str(value.to_owned()))
    }

    fn visit_bytes<E: de::Error>(self, value: &[u8]) -> Result<Val, E> {
        Ok(Val::Bytes(value.to_owned()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Val, E> {
        self.visit_none()
    }

    fn visit_none<E: de::Error>(self) -> Result<Val, E> {
        Ok(if let Ty::Option(_) = self.0 { Val::Option(None) } else { Val::Unit })
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Val, D::Error> {
        let Ty::Option(ty) = self.0 else { return Err(de::Error::custom("no option")) };
        Seed(ty).deserialize(from).map(|value| Val::Option(Some(Box::new(value))))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Val, D::Error> {
        let Ty::Newtype(ty) = self.0 else { return Err(de::Error::custom("no newtype")) };
        Seed(ty).deserialize(from).map(|value| Val::Newtype(Box::new(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Val, A::Error> {
        let mut values = Vec::new();
        match self.0 {
            Ty::Seq(ty) => {
                while let Some(value) = next_element(&mut from, ty)? {
                    values.push(value);
                }
            }
            Ty::Tuple(types) | Ty::TupleStruct(types) => {
                for ty in types {
                    let value = next_element(&mut from, ty)?;
                    values.push(value.ok_or_else(|| de::Error::invalid_length(values.len(), &self))?);
                }
            }
            Ty::Bytes => {
                let mut bytes = Vec::new();
                while let Some(byte) = from.next_element()? {
                    bytes.push(byte);
                }
                return Ok(Val::Bytes(bytes));
            }
            _ => return Err(de::Error::custom("no list")),
        }
        Ok(Val::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Val, A::Error> {
        match self.0 {
            Ty::Map(None, ty) => {
                let mut entries = BTreeMap::new();
                while let Some(key) = from.next_key::<String>()? {
                    entries.insert(key, next_value(&mut from, ty)?);
                }
                Ok(Val::Map(entries))
            }
            Ty::Map(Some(int), ty) => {
                let mut entries = BTreeMap::new();
                while let Some(key) = from.next_key_seed(Seed(&Ty::Int(*int)))? {
                    let Val::Int(key) = key else { return Err(de::Error::custom("no integer")) };
                    entries.insert(key, next_value(&mut from, ty)?);
                }
                Ok(Val::IntMap(entries))
            }
            Ty::Struct(fields) => fields_of(fields, from),
            _ => Err(de::Error::custom("no map")),
        }
    }
}

// Derived impls read types, without a seed.

fn next_element<'de, A: SeqAccess<'de>>(from: &mut A, ty: &Ty) -> Result<Option<Val>, A::Error> {
    Ok(reading(ty, || from.next_element::<Dynamic>())?.map(|element| element.0))
}

fn next_value<'de, A: MapAccess<'de>>(from: &mut A, ty: &Ty) -> Result<Val, A::Error> {
    Ok(reading(ty, || from.next_value::<Dynamic>())?.0)
}

/// The fields of a structure, as a derive reads them: only an option may be missing.
fn fields_of<'de, A: MapAccess<'de>>(fields: &Fields, mut from: A) -> Result<Val, A::Error> {
    let mut values: Vec<Option<Val>> = vec![None; fields.types.len()];
    while let Some(name) = from.next_key::<String>()? {
        match fields.names.iter().position(|field| **field == name) {
            Some(at) => values[at] = Some(next_value(&mut from, &fields.types[at])?),
            None => drop(from.next_value::<de::IgnoredAny>()?),
        }
    }
    let missing = |at: usize| match fields.types[at] {
        Ty::Option(_) => Ok(Val::Option(None)),
        _ => Err(de::Error::missing_field(fields.names[at])),
    };
    let values = values.into_iter().enumerate().map(|(at, value)| value.map_or_else(|| missing(at), Ok));
    Ok(Val::List(values.collect::<Result<_, _>>()?))
}

struct EnumSeed<'t>(&'t [Variant]);

impl<'de> Visitor<'de> for EnumSeed<'_> {
    type Value = Val;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Val, A::Error> {
        let (name, content) = from.variant::<String>()?;
        let at = VARIANTS.iter().position(|variant| **variant == name).filter(|at| *at < self.0.len());
        let at = at.ok_or_else(|| de::Error::unknown_variant(&name, &VARIANTS))?;
        let value = match &self.0[at] {
            Variant::Unit => content.unit_variant().map(|()| Val::Unit)?,
            Variant::Newtype(ty) => content.newtype_variant_seed(Seed(ty))?,
            Variant::Tuple(types) => content.tuple_variant(types.len(), Seed(&Ty::Tuple(types.clone())))?,
            Variant::Struct(fields) => content.struct_variant(fields.names, Seed(&Ty::Struct(fields.clone())))?,
        };
        Ok(Val::Variant(at, Box::new(value)))
    }
}
