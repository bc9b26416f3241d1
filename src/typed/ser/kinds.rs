//! serde's data model with fewer kinds of values: those that a writer accepts, and those that it rejects.

use ::serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt;

use super::WriteError;

/// A value without parts.
#[derive(Clone, Copy)]
pub enum Plain<'v> {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    LongSigned(i128),
    LongUnsigned(u128),
    Single(f32),
    Double(f64),
    Char(char),
    Text(&'v str),
    Bytes(&'v [u8]),
}

impl Plain<'_> {
    /// Its kind in a message.
    pub fn kind(self) -> &'static str {
        match self {
            Plain::Bool(_) => "a bool",
            Plain::Char(_) => "a character",
            Plain::Text(_) => "a string",
            Plain::Bytes(_) => "bytes",
            _ => "a number",
        }
    }
}

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plain::Bool(value) => value.fmt(f),
            Plain::Signed(value) => value.fmt(f),
            Plain::Unsigned(value) => value.fmt(f),
            Plain::LongSigned(value) => value.fmt(f),
            Plain::LongUnsigned(value) => value.fmt(f),
            Plain::Single(value) => value.fmt(f),
            Plain::Double(value) => value.fmt(f),
            Plain::Char(value) => value.fmt(f),
            Plain::Text(value) => value.fmt(f),
            Plain::Bytes(value) => fmt::Debug::fmt(value, f),
        }
    }
}

/// The result of writing something.
pub type Written<W> = Result<<W as Receiver>::Ok, WriteError>;

/// A destination for values. It rejects all kinds that it has no method for. [`To`] turns it into a serializer.
pub trait Receiver: Sized {
    type Ok;
    type List: Parts<Ok = Self::Ok>;
    type Map: Entries<Ok = Self::Ok>;
    type Struct: Members<Ok = Self::Ok>;

    /// Returns the error for a kind of values that it rejects.
    fn refused(&self, kind: &str) -> WriteError;

    /// Returns the answer to a question of serde that this crate also asks, see
    /// [`takes_tickets`](super::handover::takes_tickets).
    fn is_human_readable(&self) -> bool {
        true
    }

    fn plain(self, value: Plain<'_>) -> Written<Self> {
        Err(self.refused(value.kind()))
    }

    fn none(self) -> Written<Self> {
        Err(self.refused("null"))
    }

    fn unit(self) -> Written<Self> {
        Err(self.refused("null"))
    }

    fn unit_variant(self, _: &'static str) -> Written<Self> {
        Err(self.refused("a variant of an enum"))
    }

    fn newtype<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Written<Self> {
        value.serialize(To(self))
    }

    fn newtype_variant<T: ?Sized + Serialize>(self, _: &'static str, _: &T) -> Written<Self> {
        Err(self.refused("a variant of an enum"))
    }

    /// Begins a list or tuple, depending on `kind`.
    fn list(self, kind: &'static str, _length: Option<usize>) -> Result<Self::List, WriteError> {
        Err(self.refused(kind))
    }

    fn tuple_variant(self, _variant: &'static str, _length: usize) -> Result<Self::List, WriteError> {
        Err(self.refused("a variant of an enum"))
    }

    fn map(self, _length: Option<usize>) -> Result<Self::Map, WriteError> {
        Err(self.refused("a map"))
    }

    fn structure(self, _name: &'static str, _length: usize) -> Result<Self::Struct, WriteError> {
        Err(self.refused("a structure"))
    }

    fn struct_variant(self, _variant: &'static str, _length: usize) -> Result<Self::Struct, WriteError> {
        Err(self.refused("a variant of an enum"))
    }
}

/// A list, tuple or variant with a tuple that is being written.
pub trait Parts {
    type Ok;
    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError>;
    fn finish(self) -> Result<Self::Ok, WriteError>;
}

/// A map that is being written.
pub trait Entries {
    type Ok;
    fn key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError>;
    fn value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError>;
    fn finish(self) -> Result<Self::Ok, WriteError>;
}

/// A structure, or a variant with fields, that is being written.
pub trait Members {
    type Ok;
    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError>;
    fn finish(self) -> Result<Self::Ok, WriteError>;
}

/// For writers that take no lists.
impl<O> Parts for Impossible<O, WriteError> {
    type Ok = O;

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        SerializeSeq::serialize_element(self, value)
    }

    fn finish(self) -> Result<O, WriteError> {
        SerializeSeq::end(self)
    }
}

/// For writers that take no maps.
impl<O> Entries for Impossible<O, WriteError> {
    type Ok = O;

    fn key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.serialize_key(key)
    }

    fn value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.serialize_value(value)
    }

    fn finish(self) -> Result<O, WriteError> {
        SerializeMap::end(self)
    }
}

/// For writers that take no structures.
impl<O> Members for Impossible<O, WriteError> {
    type Ok = O;

    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        SerializeStruct::serialize_field(self, name, value)
    }

    fn finish(self) -> Result<O, WriteError> {
        SerializeStruct::end(self)
    }
}

/// A serializer that passes everything to a [`Receiver`] and the writers that it starts.
pub struct To<W>(pub W);

macro_rules! plain {
    ($($method:ident($given:ty) $kind:ident)*) => {$(
        #[inline]
        fn $method(self, value: $given) -> Written<W> {
            self.0.plain(Plain::$kind(value.into()))
        }
    )*};
}

impl<W: Receiver> Serializer for To<W> {
    type Ok = W::Ok;
    type Error = WriteError;
    type SerializeSeq = To<W::List>;
    type SerializeTuple = To<W::List>;
    type SerializeTupleStruct = To<W::List>;
    type SerializeTupleVariant = To<W::List>;
    type SerializeMap = To<W::Map>;
    type SerializeStruct = To<W::Struct>;
    type SerializeStructVariant = To<W::Struct>;

    plain! {
        serialize_bool(bool) Bool serialize_char(char) Char serialize_str(&str) Text serialize_bytes(&[u8]) Bytes
        serialize_i8(i8) Signed serialize_i16(i16) Signed serialize_i32(i32) Signed serialize_i64(i64) Signed
        serialize_u8(u8) Unsigned serialize_u16(u16) Unsigned serialize_u32(u32) Unsigned serialize_u64(u64) Unsigned
        serialize_i128(i128) LongSigned serialize_u128(u128) LongUnsigned
        serialize_f32(f32) Single serialize_f64(f64) Double
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }

    fn serialize_none(self) -> Written<W> {
        self.0.none()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Written<W> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written<W> {
        self.0.unit()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written<W> {
        self.0.unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written<W> {
        self.0.unit_variant(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Written<W> {
        self.0.newtype(name, value)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written<W> {
        self.0.newtype_variant(variant, value)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<To<W::List>, WriteError> {
        self.0.list("a list", length).map(To)
    }

    fn serialize_tuple(self, length: usize) -> Result<To<W::List>, WriteError> {
        self.0.list("a tuple", Some(length)).map(To)
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<To<W::List>, WriteError> {
        self.0.list("a tuple", Some(length)).map(To)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<To<W::List>, WriteError> {
        self.0.tuple_variant(variant, length).map(To)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<To<W::Map>, WriteError> {
        self.0.map(length).map(To)
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<To<W::Struct>, WriteError> {
        self.0.structure(name, length).map(To)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<To<W::Struct>, WriteError> {
        self.0.struct_variant(variant, length).map(To)
    }
}

macro_rules! parts {
    ($($kind:ident $method:ident)*) => {$(
        impl<P: Parts> $kind for To<P> {
            type Ok = P::Ok;
            type Error = WriteError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
                self.0.element(value)
            }

            fn end(self) -> Result<P::Ok, WriteError> {
                self.0.finish()
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element SerializeTuple serialize_element
    SerializeTupleStruct serialize_field SerializeTupleVariant serialize_field
}

macro_rules! members {
    ($($kind:ident)*) => {$(
        impl<M: Members> $kind for To<M> {
            type Ok = M::Ok;
            type Error = WriteError;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
                self.0.field(name, value)
            }

            fn end(self) -> Result<M::Ok, WriteError> {
                self.0.finish()
            }
        }
    )*};
}

members! { SerializeStruct SerializeStructVariant }

impl<E: Entries> SerializeMap for To<E> {
    type Ok = E::Ok;
    type Error = WriteError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.0.key(key)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.0.value(value)
    }

    fn end(self) -> Result<E::Ok, WriteError> {
        self.0.finish()
    }
}

/// The default nesting limit of a [`Writer`](super::Writer): the same as for reading.
pub(super) const MAX_NESTING: u32 = 128;

/// One level deeper.
pub(super) fn deeper(depth: u32, most: u32) -> Result<u32, WriteError> {
    match depth < most {
        true => Ok(depth + 1),
        false => Err(WriteError::new(format!("this nests more than {most} levels deep"))),
    }
}

pub(super) fn no_block_here() -> WriteError {
    WriteError::new("a block cannot be in an object or a list").help("put what it is in into a `BlockOf`, too")
}

pub(super) fn no_labels_here() -> WriteError {
    WriteError::new("only blocks have labels").help("put what has these labels into a `BlockOf`")
}

pub(super) fn not_finite(is_nan: bool) -> WriteError {
    WriteError::new(if is_nan { "HCL has no NaN" } else { "HCL has no infinite numbers" })
        .help("leave it out, or write it as a string")
}
