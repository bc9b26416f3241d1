//! Replacements for values that could not be read, so that the rest can be.

use ::serde::de::value::BorrowedStrDeserializer;
use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, Visitor};

use super::error::{Error, Kind};

/// Types nest in each other without end only where they can be empty; enums may not begin with such a
/// variant.
const MAX_DEPTH: u32 = 16;

/// Returns a harmless value of a type. Types with rules of their own, such as addresses, have none; they are left out.
pub(super) fn stand_in<'de, T: Deserialize<'de>>() -> Result<T, Error> {
    T::deserialize(StandIn { depth: 0 })
}

/// Gives each type a little: one, nothing, an empty list, a short text.
#[derive(Clone, Copy)]
struct StandIn {
    depth: u32,
}

/// A text that numbers are read from, too.
const TEXT: &str = "1";

impl StandIn {
    fn within(self) -> Result<Self, Error> {
        match self.depth {
            MAX_DEPTH => Err(none()),
            depth => Ok(StandIn { depth: depth + 1 }),
        }
    }
}

/// Returns the error for a type without a stand-in.
fn none() -> Error {
    Kind::Reported.into()
}

macro_rules! numbers {
    ($($method:ident $visit:ident $ty:ty;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(<$ty>::from(1_u8))
        }
    )+};
}

macro_rules! plain {
    ($($method:ident $visit:ident($($value:expr)?))+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit($($value)?)
        }
    )+};
}

impl<'de> Deserializer<'de> for StandIn {
    type Error = Error;

    numbers! {
        deserialize_i8 visit_i64 i64;
        deserialize_i16 visit_i64 i64;
        deserialize_i32 visit_i64 i64;
        deserialize_i64 visit_i64 i64;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u64 u64;
        deserialize_u16 visit_u64 u64;
        deserialize_u32 visit_u64 u64;
        deserialize_u64 visit_u64 u64;
        deserialize_u128 visit_u128 u128;
        deserialize_f32 visit_f64 f64;
        deserialize_f64 visit_f64 f64;
    }

    plain! {
        deserialize_any visit_unit()
        deserialize_bool visit_bool(false)
        deserialize_char visit_char('1')
        deserialize_str visit_borrowed_str(TEXT)
        deserialize_string visit_borrowed_str(TEXT)
        deserialize_identifier visit_borrowed_str(TEXT)
        deserialize_bytes visit_borrowed_bytes(b"")
        deserialize_byte_buf visit_borrowed_bytes(b"")
        deserialize_option visit_none()
        deserialize_unit visit_unit()
        deserialize_ignored_any visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self.within()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Parts { stand_in: self, left: 0, fields: &[] })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Parts { stand_in: self.within()?, left: length, fields: &[] })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(Parts { stand_in: self, left: 0, fields: &[] })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_map(Parts { stand_in: self.within()?, left: 0, fields })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant = variants.first().ok_or_else(none)?;
        visitor.visit_enum(Variant { stand_in: self.within()?, variant })
    }
}

struct Parts {
    stand_in: StandIn,
    left: usize,
    fields: &'static [&'static str],
}

impl<'de> de::SeqAccess<'de> for Parts {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.stand_in).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> de::MapAccess<'de> for Parts {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some((field, rest)) = self.fields.split_first() else { return Ok(None) };
        self.fields = rest;
        seed.deserialize(BorrowedStrDeserializer::new(field)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.stand_in)
    }
}

struct Variant {
    stand_in: StandIn,
    variant: &'static str,
}

impl<'de> de::EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = StandIn;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, StandIn), Error> {
        Ok((seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.variant))?, self.stand_in))
    }
}

impl<'de> de::VariantAccess<'de> for StandIn {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.deserialize_struct("", fields, visitor)
    }
}
