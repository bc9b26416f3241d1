//! Values from anything that serializes.

use std::cell::RefCell;

use ::serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::WriteError;
use super::handover::{given_number, given_value};
use super::kinds::{MAX_NESTING, deeper};
use super::text::KEY;
use crate::model::{NumberError, Text, Type, Value};
use crate::serde::wrappers::{NUMBER, VALUE};

type Written = Result<Value, WriteError>;

/// The last tuple and the last object of each depth give their types to the next ones, for many are alike.
#[derive(Default)]
pub(super) struct Types(RefCell<Vec<[Type; 2]>>);

impl Types {
    /// The type at a depth, or any other: it only saves making it again.
    fn like(&self, depth: u32, is_object: bool) -> Type {
        let types = self.0.borrow();
        types.get(depth as usize).map_or(Type::Dynamic, |types| types[usize::from(is_object)].clone())
    }

    fn remember(&self, depth: u32, is_object: bool, value: &Value) {
        let (mut types, depth) = (self.0.borrow_mut(), depth as usize);
        if types.len() <= depth {
            types.resize(depth + 1, [Type::Dynamic, Type::Dynamic]);
        }
        types[depth][usize::from(is_object)] = value.ty();
    }

    fn tuple(&self, elements: Vec<Value>, depth: u32) -> Value {
        let value = Value::tuple_like(elements, &self.like(depth, false));
        self.remember(depth, false, &value);
        value
    }

    fn object(&self, attributes: Vec<(Text, Value)>, depth: u32) -> Value {
        let value = Value::object_like(attributes, &self.like(depth, true));
        self.remember(depth, true, &value);
        value
    }
}

/// Makes a value.
#[derive(Clone, Copy)]
pub(super) struct ValueWriter<'t> {
    types: &'t Types,
    /// In how many lists and objects it is.
    depth: u32,
}

impl<'t> ValueWriter<'t> {
    pub(super) fn new(types: &'t Types) -> Self {
        ValueWriter { types, depth: 0 }
    }

    fn deeper(self) -> Result<Self, WriteError> {
        Ok(ValueWriter { depth: deeper(self.depth, MAX_NESTING)?, ..self })
    }

    fn elements(self, length: Option<usize>, variant: Option<&'static str>) -> Result<Elements<'t>, WriteError> {
        // A length is only what somebody says.
        let list = Vec::with_capacity(length.unwrap_or_default().min(1_024));
        Ok(Elements { list, variant, to: self.deeper()? })
    }

    fn entries(self, length: Option<usize>, variant: Option<&'static str>) -> Result<Entries<'t>, WriteError> {
        let list = Vec::with_capacity(length.unwrap_or_default().min(1_024));
        Ok(Entries { list, key: Text::default(), variant, to: self.deeper()? })
    }
}

fn float(value: Result<Value, NumberError>) -> Written {
    value.map_err(|why| WriteError::new(why.to_string()).help("leave it out, or make it a string"))
}

/// A variant as other formats know it: an object with its name as the only attribute.
fn in_variant(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(variant) => Value::object([(variant, value)]),
        None => value,
    }
}

macro_rules! converted {
    ($($method:ident($given:ty))*) => {$(
        fn $method(self, value: $given) -> Written {
            Ok(Value::from(value))
        }
    )*};
}

impl<'t> Serializer for ValueWriter<'t> {
    type Ok = Value;
    type Error = WriteError;
    type SerializeSeq = Elements<'t>;
    type SerializeTuple = Elements<'t>;
    type SerializeTupleStruct = Elements<'t>;
    type SerializeTupleVariant = Elements<'t>;
    type SerializeMap = Entries<'t>;
    type SerializeStruct = Entries<'t>;
    type SerializeStructVariant = Entries<'t>;

    converted! {
        serialize_bool(bool) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_f32(self, value: f32) -> Written {
        float(Value::try_from(value))
    }

    fn serialize_f64(self, value: f64) -> Written {
        float(Value::try_from(value))
    }

    fn serialize_none(self) -> Written {
        Ok(Value::NULL)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(Value::NULL)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(Value::NULL)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        Ok(Value::from(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Written {
        match name {
            NUMBER => given_number(value).map(Value::from),
            VALUE => match given_value(value)? {
                Some(given) => Ok(given),
                None => value.serialize(self),
            },
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let inner = value.serialize(self.deeper()?);
        Ok(in_variant(Some(variant), inner.map_err(|error| error.below_name(variant))?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements<'t>, WriteError> {
        self.elements(length, None)
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements<'t>, WriteError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Elements<'t>, WriteError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Elements<'t>, WriteError> {
        self.elements(Some(length), Some(variant))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries<'t>, WriteError> {
        self.entries(length, None)
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Entries<'t>, WriteError> {
        self.entries(Some(length), None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Entries<'t>, WriteError> {
        self.entries(Some(length), Some(variant))
    }
}

/// The elements of a tuple under way.
pub(super) struct Elements<'t> {
    list: Vec<Value>,
    variant: Option<&'static str>,
    to: ValueWriter<'t>,
}

/// The attributes of an object under way.
pub(super) struct Entries<'t> {
    list: Vec<(Text, Value)>,
    /// The key of the entry whose value comes next.
    key: Text,
    variant: Option<&'static str>,
    to: ValueWriter<'t>,
}

fn within(variant: Option<&'static str>, error: WriteError) -> WriteError {
    match variant {
        Some(variant) => error.below_name(variant),
        None => error,
    }
}

impl Entries<'_> {
    fn entry<T: ?Sized + Serialize>(&mut self, name: Text, value: &T) -> Result<(), WriteError> {
        let value = value.serialize(self.to).map_err(|error| within(self.variant, error.below_name(&name)))?;
        self.list.push((name, value));
        Ok(())
    }

    fn finish(self) -> Value {
        in_variant(self.variant, self.to.types.object(self.list, self.to.depth))
    }
}

macro_rules! elements {
    ($($kind:ident $method:ident)*) => {$(
        impl $kind for Elements<'_> {
            type Ok = Value;
            type Error = WriteError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
                let value = value.serialize(self.to);
                let value = value.map_err(|error| within(self.variant, error.below_index(self.list.len())))?;
                self.list.push(value);
                Ok(())
            }

            fn end(self) -> Written {
                Ok(in_variant(self.variant, self.to.types.tuple(self.list, self.to.depth)))
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! entries {
    ($($kind:ident)*) => {$(
        impl $kind for Entries<'_> {
            type Ok = Value;
            type Error = WriteError;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
                self.entry(Text::from(name), value)
            }

            fn end(self) -> Written {
                Ok(self.finish())
            }
        }
    )*};
}

entries! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Entries<'_> {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        let key = key.serialize(KEY).map_err(|error| within(self.variant, error))?;
        self.key = Text::from(&*key);
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = std::mem::take(&mut self.key);
        self.entry(key, value)
    }

    fn end(self) -> Written {
        Ok(self.finish())
    }
}
