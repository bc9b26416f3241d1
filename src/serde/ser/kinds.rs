//! What serializers that take only some kinds of values have in common.

use super::WriteError;

/// The methods of a serializer for the kinds that it refuses, each with what the kind is called.
/// `$self.refused(kind)` gives the error.
macro_rules! refuse {
    ($($kind:ident)*) => {
        $(refuse! { @ $kind })*
    };
    (@ bool) => { refuse! { = serialize_bool(bool) "a bool" } };
    (@ numbers) => {
        refuse! { = serialize_i8(i8) "a number" }
        refuse! { = serialize_i16(i16) "a number" }
        refuse! { = serialize_i32(i32) "a number" }
        refuse! { = serialize_i64(i64) "a number" }
        refuse! { = serialize_i128(i128) "a number" }
        refuse! { = serialize_u8(u8) "a number" }
        refuse! { = serialize_u16(u16) "a number" }
        refuse! { = serialize_u32(u32) "a number" }
        refuse! { = serialize_u64(u64) "a number" }
        refuse! { = serialize_u128(u128) "a number" }
        refuse! { = serialize_f32(f32) "a number" }
        refuse! { = serialize_f64(f64) "a number" }
    };
    (@ texts) => {
        refuse! { = serialize_char(char) "a character" }
        refuse! { = serialize_str(&str) "a string" }
    };
    (@ bytes) => { refuse! { = serialize_bytes(&[u8]) "bytes" } };
    (@ unit) => {
        fn serialize_unit(self) -> Result<Self::Ok, Self::Error> {
            Err(self.refused("null"))
        }

        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Self::Error> {
            Err(self.refused("null"))
        }
    };
    (@ none) => {
        fn serialize_none(self) -> Result<Self::Ok, Self::Error> {
            Err(self.refused("null"))
        }
    };
    (@ unit_variant) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<Self::Ok, Self::Error> {
            Err(self.refused("a variant of an enum"))
        }
    };
    (@ sequences) => {
        type SerializeSeq = Impossible<Self::Ok, Self::Error>;
        type SerializeTuple = Impossible<Self::Ok, Self::Error>;
        type SerializeTupleStruct = Impossible<Self::Ok, Self::Error>;

        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Self::Error> {
            Err(self.refused("a list"))
        }

        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Self::Error> {
            Err(self.refused("a tuple"))
        }

        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Self::Error> {
            Err(self.refused("a tuple"))
        }
    };
    (@ maps) => {
        type SerializeMap = Impossible<Self::Ok, Self::Error>;
        type SerializeStruct = Impossible<Self::Ok, Self::Error>;

        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Self::Error> {
            Err(self.refused("a map"))
        }

        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Self::Error> {
            Err(self.refused("a structure"))
        }
    };
    (@ newtype_variant) => {
        fn serialize_newtype_variant<T: ?Sized + Serialize>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok, Self::Error> {
            Err(self.refused("a variant of an enum"))
        }
    };
    (@ tuple_variant) => {
        type SerializeTupleVariant = Impossible<Self::Ok, Self::Error>;

        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, Self::Error> {
            Err(self.refused("a variant of an enum"))
        }
    };
    (@ struct_variant) => {
        type SerializeStructVariant = Impossible<Self::Ok, Self::Error>;

        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, Self::Error> {
            Err(self.refused("a variant of an enum"))
        }
    };
    (= $method:ident($given:ty) $kind:literal) => {
        fn $method(self, _: $given) -> Result<Self::Ok, Self::Error> {
            Err(self.refused($kind))
        }
    };
}

/// The methods of a serializer for plain values, which it passes on with what their kind is called:
/// `$self.plain(kind, |to| …)`.
macro_rules! pass_on_plain {
    () => {
        pass_on_plain! {
            serialize_bool(bool) "a bool"
            serialize_i8(i8) "a number"
            serialize_i16(i16) "a number"
            serialize_i32(i32) "a number"
            serialize_i64(i64) "a number"
            serialize_i128(i128) "a number"
            serialize_u8(u8) "a number"
            serialize_u16(u16) "a number"
            serialize_u32(u32) "a number"
            serialize_u64(u64) "a number"
            serialize_u128(u128) "a number"
            serialize_f32(f32) "a number"
            serialize_f64(f64) "a number"
            serialize_char(char) "a character"
            serialize_str(&str) "a string"
            serialize_bytes(&[u8]) "bytes"
        }
    };
    ($($method:ident($given:ty) $kind:literal)*) => {$(
        fn $method(self, value: $given) -> Result<Self::Ok, Self::Error> {
            self.plain($kind, |to| to.$method(value))
        }
    )*};
}

pub(super) use {pass_on_plain, refuse};

/// How deeply what is written may nest unless a [`Writer`](super::Writer) says otherwise: as deep as what is read.
pub(super) const MAX_NESTING: u32 = 128;

/// One level deeper.
pub(super) fn deeper(depth: u32, most: u32) -> Result<u32, WriteError> {
    match depth < most {
        true => Ok(depth + 1),
        false => Err(WriteError::new(format!("this nests more than {most} levels deep"))),
    }
}

pub(super) fn no_block_here() -> WriteError {
    WriteError::new("a block cannot be in an object or a list")
        .help("what it is in has to be a block as well: put that into a `BlockOf`")
}

pub(super) fn no_labels_here() -> WriteError {
    WriteError::new("only blocks have labels").help("put what has these labels into a `BlockOf`")
}

pub(super) fn not_finite(is_nan: bool) -> WriteError {
    WriteError::new(if is_nan { "HCL has no NaN" } else { "HCL has no infinite numbers" })
        .help("leave it out, or write it as a string")
}
