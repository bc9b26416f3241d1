//! The writer as a [`serde::Serializer`](::serde::Serializer), for programs that wrap it.

use ::serde::ser::{self, Serialize};

use super::blocks::Variants;
use super::body::{BodyWriter, Fields, FileWriter};
use super::kinds::To;
use super::{Settings, WriteError, Writer};

/// A serializer for a file, for packages that wrap one, such as `erased_serde`.
///
/// ```
/// use std::collections::BTreeMap;
/// use hcl_lr::typed::Serializer;
/// use serde::Serialize;
///
/// let mut serializer = Serializer::default();
/// BTreeMap::from([("port", 80)]).serialize(&mut serializer)?;
/// assert_eq!(serializer.into_string()?, "port = 80\n");
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
pub struct Serializer {
    body: BodyWriter,
}

impl std::fmt::Debug for Serializer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Serializer").finish_non_exhaustive()
    }
}

impl Writer {
    /// Makes a serializer with these options.
    pub fn serializer(&self) -> Serializer {
        Serializer { body: BodyWriter::of_file(self.settings) }
    }
}

impl Default for Serializer {
    fn default() -> Self {
        Serializer { body: BodyWriter::of_file(Settings::default()) }
    }
}

impl Serializer {
    /// Returns the text of everything that has been serialized: attributes and blocks of one file.
    ///
    /// # Errors
    /// An attribute occurs twice.
    pub fn into_string(self) -> Result<String, WriteError> {
        self.body.into_text()
    }

    fn file(&mut self) -> To<FileWriter<'_>> {
        To(FileWriter { body: &mut self.body })
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $ty:ty),*) -> $result:ty;)+) => {$(
        fn $method(self, $($name: $ty),*) -> Result<$result, WriteError> {
            self.file().$method($($name),*)
        }
    )+};
}

impl<'b> ser::Serializer for &'b mut Serializer {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = To<Variants<'b>>;
    type SerializeTuple = To<Variants<'b>>;
    type SerializeTupleStruct = To<Variants<'b>>;
    type SerializeTupleVariant = To<Variants<'b>>;
    type SerializeMap = To<Fields<'b>>;
    type SerializeStruct = To<Fields<'b>>;
    type SerializeStructVariant = To<Fields<'b>>;

    forward! {
        serialize_bool(value: bool) -> ();
        serialize_i8(value: i8) -> ();
        serialize_i16(value: i16) -> ();
        serialize_i32(value: i32) -> ();
        serialize_i64(value: i64) -> ();
        serialize_i128(value: i128) -> ();
        serialize_u8(value: u8) -> ();
        serialize_u16(value: u16) -> ();
        serialize_u32(value: u32) -> ();
        serialize_u64(value: u64) -> ();
        serialize_u128(value: u128) -> ();
        serialize_f32(value: f32) -> ();
        serialize_f64(value: f64) -> ();
        serialize_char(value: char) -> ();
        serialize_str(value: &str) -> ();
        serialize_bytes(value: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_seq(length: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(length: usize) -> Self::SerializeSeq;
        serialize_tuple_struct(name: &'static str, length: usize) -> Self::SerializeSeq;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> Self::SerializeSeq;
        serialize_map(length: Option<usize>) -> Self::SerializeMap;
        serialize_struct(name: &'static str, length: usize) -> Self::SerializeMap;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> Self::SerializeMap;
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), WriteError> {
        self.file().serialize_some(value)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<(), WriteError> {
        self.file().serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        self.file().serialize_newtype_variant(name, index, variant, value)
    }
}
