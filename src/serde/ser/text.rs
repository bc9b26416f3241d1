//! Keys of objects, and labels: texts.

use ::serde::ser::{Impossible, Serialize, SerializeSeq, SerializeTuple, SerializeTupleStruct, Serializer};

use super::WriteError;
use super::kinds::{not_finite, refuse};

/// Takes what can be a text: strings, characters, numbers, bools, names of variants.
pub(super) struct Text {
    /// What the text is for, with an article.
    pub role: &'static str,
}

pub(super) const KEY: Text = Text { role: "the key of an object" };
pub(super) const LABEL: Text = Text { role: "a label" };

impl Text {
    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} cannot be {}", self.role)).help("strings, numbers, bools and characters can")
    }
}

macro_rules! displayed {
    ($($method:ident($given:ty))*) => {$(
        fn $method(self, value: $given) -> Result<String, WriteError> {
            Ok(value.to_string())
        }
    )*};
}

impl Serializer for Text {
    type Ok = String;
    type Error = WriteError;

    displayed! {
        serialize_bool(bool) serialize_char(char) serialize_str(&str)
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_f32(self, value: f32) -> Result<String, WriteError> {
        if value.is_finite() { Ok(value.to_string()) } else { Err(not_finite(value.is_nan())) }
    }

    fn serialize_f64(self, value: f64) -> Result<String, WriteError> {
        if value.is_finite() { Ok(value.to_string()) } else { Err(not_finite(value.is_nan())) }
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<String, WriteError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<String, WriteError> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<String, WriteError> {
        Ok(variant.to_owned())
    }

    refuse! { bytes unit none sequences maps newtype_variant tuple_variant struct_variant }
}

/// Takes a sequence of labels.
pub(super) struct LabelList;

impl LabelList {
    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("labels are a list of strings, and not {kind}"))
            .help("a field for the only label of a block is called `$label`")
    }
}

/// The labels so far.
#[derive(Default)]
pub(super) struct LabelsSoFar(Vec<String>);

impl LabelsSoFar {
    fn add<T: ?Sized + Serialize>(&mut self, label: &T) -> Result<(), WriteError> {
        self.0.push(label.serialize(LABEL).map_err(|error| error.below_index(self.0.len()))?);
        Ok(())
    }
}

impl Serializer for LabelList {
    type Ok = Vec<String>;
    type Error = WriteError;
    type SerializeSeq = LabelsSoFar;
    type SerializeTuple = LabelsSoFar;
    type SerializeTupleStruct = LabelsSoFar;

    fn serialize_seq(self, _: Option<usize>) -> Result<LabelsSoFar, WriteError> {
        Ok(LabelsSoFar::default())
    }

    fn serialize_tuple(self, _: usize) -> Result<LabelsSoFar, WriteError> {
        Ok(LabelsSoFar::default())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<LabelsSoFar, WriteError> {
        Ok(LabelsSoFar::default())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Vec<String>, WriteError> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<Vec<String>, WriteError> {
        Ok(Vec::new())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Vec<String>, WriteError> {
        value.serialize(self)
    }

    refuse! { bool numbers texts bytes unit unit_variant maps newtype_variant tuple_variant struct_variant }
}

macro_rules! elements_are_labels {
    ($($kind:ident $method:ident)*) => {$(
        impl $kind for LabelsSoFar {
            type Ok = Vec<String>;
            type Error = WriteError;

            fn $method<T: ?Sized + Serialize>(&mut self, label: &T) -> Result<(), WriteError> {
                self.add(label)
            }

            fn end(self) -> Result<Vec<String>, WriteError> {
                Ok(self.0)
            }
        }
    )*};
}

elements_are_labels! { SerializeSeq serialize_element SerializeTuple serialize_element SerializeTupleStruct serialize_field }
