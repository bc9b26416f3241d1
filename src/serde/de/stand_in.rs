//! Replacements for values that could not be read, so that the rest can be.

use ::serde::de::value::BorrowedStrDeserializer;
use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, Visitor};

use super::error::{Error, Kind};

/// Types nest in each other without end only where they can be empty; enums may not begin with such a
/// variant.
const MAX_DEPTH: u32 = 16;

/// Texts that types take which no empty text can be: numbers, addresses, times, versions, URLs, names of colors.
const TEXTS: [&str; 12] = [
    "",
    "0",
    "a",
    "0.0.0.0",
    "::",
    "0.0.0.0:0",
    "0.0.0",
    "0s",
    "1970-01-01",
    "1970-01-01T00:00:00Z",
    "00000000-0000-0000-0000-000000000000",
    "http://localhost/",
];

/// Returns a harmless value of a type, if one is known.
pub(super) fn stand_in<'de, T: Deserialize<'de>>() -> Result<T, Error> {
    let texts = TEXTS.iter().enumerate();
    // Zero is not a value of all types of numbers.
    let mut candidates = texts.map(|(at, text)| StandIn { number: u8::from(at > 0), text, depth: 0 });
    candidates.find_map(|candidate| T::deserialize(candidate).ok()).ok_or_else(none)
}

/// Gives each type the least that it may be: zero, nothing, an empty list.
#[derive(Clone, Copy)]
struct StandIn {
    number: u8,
    text: &'static str,
    depth: u32,
}

impl StandIn {
    fn within(self) -> Result<Self, Error> {
        match self.depth {
            MAX_DEPTH => Err(none()),
            depth => Ok(StandIn { depth: depth + 1, ..self }),
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
            visitor.$visit(<$ty>::from(self.number))
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
        deserialize_char visit_char('a')
        deserialize_bytes visit_borrowed_bytes(b"")
        deserialize_byte_buf visit_borrowed_bytes(b"")
        deserialize_option visit_none()
        deserialize_unit visit_unit()
        deserialize_ignored_any visit_unit()
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.text)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.text)
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
