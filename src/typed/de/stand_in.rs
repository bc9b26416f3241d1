//! Replacements for values that could not be read, so that the rest can be.

use std::iter;

use ::serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};

use super::error::{Error, Kind};

/// Types nest in each other without end only where they can be empty; enums may not begin with such a
/// variant.
const MAX_DEPTH: u32 = 16;

/// Returns a harmless value of a type. Types with rules of their own, such as addresses, have none; they are left out.
pub(super) fn stand_in<'de, T: Deserialize<'de>>() -> Result<T, Error> {
    T::deserialize(StandIn { depth: 0 })
}

/// Gives each type a little: one, a short text, nothing, an empty list, the first variant.
#[derive(Clone, Copy)]
struct StandIn {
    depth: u32,
}

impl StandIn {
    fn within(self) -> Result<Self, Error> {
        if self.depth < MAX_DEPTH { Ok(StandIn { depth: self.depth + 1 }) } else { Err(none()) }
    }
}

/// Returns the error for a type without a stand-in.
fn none() -> Error {
    Kind::Reported.into()
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

    plain! {
        deserialize_any visit_u64(1)
        deserialize_bool visit_bool(false)
        deserialize_str visit_borrowed_str("1")
        deserialize_bytes visit_borrowed_bytes(b"1")
        deserialize_option visit_none()
        deserialize_unit visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self.within()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(0, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(SeqDeserializer::new(iter::repeat_n(self.within()?, length)))
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
        self.deserialize_struct("", &[], visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let within = self.within()?;
        visitor.visit_map(MapDeserializer::new(fields.iter().map(|field| (*field, within))))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant = variants.first().ok_or_else(none)?;
        visitor.visit_enum(Variant { within: self.within()?, variant })
    }

    ::serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for StandIn {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

struct Variant {
    within: StandIn,
    variant: &'static str,
}

impl<'de> de::EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = StandIn;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, StandIn), Error> {
        Ok((seed.deserialize(StrDeserializer::<Error>::new(self.variant))?, self.within))
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
