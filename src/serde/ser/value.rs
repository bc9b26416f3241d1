//! Values from anything that serializes.

use ::serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::WriteError;
use super::handover::{given_number, given_value};
use super::kinds::{MAX_NESTING, deeper};
use super::text::KEY;
use crate::model::{NumberError, Value};
use crate::serde::wrappers::{NUMBER, VALUE};

type Written = Result<Value, WriteError>;

/// Makes a value.
#[derive(Clone, Copy)]
pub(super) struct ValueWriter {
    /// In how many lists and objects it is.
    pub depth: u32,
}

impl ValueWriter {
    fn elements(self, length: Option<usize>, variant: Option<&'static str>) -> Result<Elements, WriteError> {
        // A length is only what somebody says.
        let list = Vec::with_capacity(length.unwrap_or_default().min(1_024));
        Ok(Elements { list, variant, to: ValueWriter { depth: deeper(self.depth, MAX_NESTING)? } })
    }

    fn entries(self, variant: Option<&'static str>) -> Result<Entries, WriteError> {
        let to = ValueWriter { depth: deeper(self.depth, MAX_NESTING)? };
        Ok(Entries { list: Vec::new(), key: String::new(), variant, to })
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

impl Serializer for ValueWriter {
    type Ok = Value;
    type Error = WriteError;
    type SerializeSeq = Elements;
    type SerializeTuple = Elements;
    type SerializeTupleStruct = Elements;
    type SerializeTupleVariant = Elements;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

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
        let inner = value.serialize(ValueWriter { depth: deeper(self.depth, MAX_NESTING)? });
        Ok(in_variant(Some(variant), inner.map_err(|error| error.below_name(variant))?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements, WriteError> {
        self.elements(length, None)
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements, WriteError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Elements, WriteError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Elements, WriteError> {
        self.elements(Some(length), Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, WriteError> {
        self.entries(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, WriteError> {
        self.entries(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, WriteError> {
        self.entries(Some(variant))
    }
}

/// The elements of a tuple under way.
pub(super) struct Elements {
    list: Vec<Value>,
    variant: Option<&'static str>,
    to: ValueWriter,
}

/// The attributes of an object under way.
pub(super) struct Entries {
    list: Vec<(String, Value)>,
    /// The key of the entry whose value comes next.
    key: String,
    variant: Option<&'static str>,
    to: ValueWriter,
}

fn within(variant: Option<&'static str>, error: WriteError) -> WriteError {
    match variant {
        Some(variant) => error.below_name(variant),
        None => error,
    }
}

impl Entries {
    fn entry<T: ?Sized + Serialize>(&mut self, name: &str, value: &T) -> Result<(), WriteError> {
        let value = value.serialize(self.to).map_err(|error| within(self.variant, error.below_name(name)))?;
        self.list.push((name.to_owned(), value));
        Ok(())
    }

    fn finish(self) -> Value {
        in_variant(self.variant, Value::object(self.list))
    }
}

macro_rules! elements {
    ($($kind:ident $method:ident)*) => {$(
        impl $kind for Elements {
            type Ok = Value;
            type Error = WriteError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
                let value = value.serialize(self.to);
                let value = value.map_err(|error| within(self.variant, error.below_index(self.list.len())))?;
                self.list.push(value);
                Ok(())
            }

            fn end(self) -> Written {
                Ok(in_variant(self.variant, Value::tuple(self.list)))
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
        impl $kind for Entries {
            type Ok = Value;
            type Error = WriteError;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
                self.entry(name, value)
            }

            fn end(self) -> Written {
                Ok(self.finish())
            }
        }
    )*};
}

entries! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.key = key.serialize(KEY).map_err(|error| within(self.variant, error))?;
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = std::mem::take(&mut self.key);
        self.entry(&key, value)
    }

    fn end(self) -> Written {
        Ok(self.finish())
    }
}
