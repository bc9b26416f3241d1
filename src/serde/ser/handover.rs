//! How values, numbers and expressions reach the writers of this crate through serde, which knows none of
//! them.
//!
//! Numbers and expressions go as plain values that all formats take, and the name of the newtype structure
//! around them says what they are. Nothing plain could say all that a [`Value`] is, so it is put aside where
//! the writer finds it.

use std::cell::RefCell;

use ::serde::ser::{Impossible, Serialize, Serializer};

use super::WriteError;
use super::kinds::refuse;
use super::text::KEY;
use crate::model::{Number, Value};

#[derive(Default)]
enum Handover {
    #[default]
    Unused,
    /// A writer of this crate is asking for a value.
    Wanted,
    Given(Value),
}

thread_local! {
    static HANDOVER: RefCell<Handover> = const { RefCell::new(Handover::Unused) };
}

/// Gives a value to the writer that has asked for one; false if none has.
pub(super) fn give(value: &Value) -> bool {
    HANDOVER.with_borrow_mut(|handover| {
        let is_wanted = matches!(handover, Handover::Wanted);
        if is_wanted {
            *handover = Handover::Given(value.clone());
        }
        is_wanted
    })
}

/// The value in a newtype structure that has the name for values; nothing if it is not one of ours.
pub(super) fn given_value<T: ?Sized + Serialize>(content: &T) -> Result<Option<Value>, WriteError> {
    let before = HANDOVER.replace(Handover::Wanted);
    let taken = content.serialize(Nothing);
    match HANDOVER.replace(before) {
        Handover::Given(value) => taken.map(|()| Some(value)),
        Handover::Unused | Handover::Wanted => Ok(None),
    }
}

/// The text of an expression.
pub(super) fn given_text<T: ?Sized + Serialize>(content: &T) -> Result<String, WriteError> {
    content.serialize(KEY)
}

/// The number in a newtype structure that has the name for numbers.
pub(super) fn given_number<T: ?Sized + Serialize>(content: &T) -> Result<Number, WriteError> {
    content.serialize(NumberReceiver)
}

/// Takes nothing but a unit.
struct Nothing;

impl Nothing {
    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} is no value of HCL"))
    }
}

impl Serializer for Nothing {
    type Ok = ();
    type Error = WriteError;

    fn serialize_unit(self) -> Result<(), WriteError> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), WriteError> {
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), WriteError> {
        Err(self.refused("an option"))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, _: &T) -> Result<(), WriteError> {
        Err(self.refused("a structure"))
    }

    refuse! { bool numbers texts bytes none unit_variant sequences maps newtype_variant tuple_variant struct_variant }
}

struct NumberReceiver;

impl NumberReceiver {
    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} is no number"))
    }
}

macro_rules! integers {
    ($($method:ident($given:ty))*) => {$(
        fn $method(self, value: $given) -> Result<Number, WriteError> {
            Ok(Number::from(value))
        }
    )*};
}

impl Serializer for NumberReceiver {
    type Ok = Number;
    type Error = WriteError;

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_f32(self, value: f32) -> Result<Number, WriteError> {
        Number::try_from(value).map_err(|why| WriteError::new(why.to_string()))
    }

    fn serialize_f64(self, value: f64) -> Result<Number, WriteError> {
        Number::try_from(value).map_err(|why| WriteError::new(why.to_string()))
    }

    fn serialize_str(self, text: &str) -> Result<Number, WriteError> {
        Number::parse(text).map_err(|why| WriteError::new(why.to_string()))
    }

    fn serialize_char(self, value: char) -> Result<Number, WriteError> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Number, WriteError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<Number, WriteError> {
        value.serialize(self)
    }

    refuse! { bool bytes unit none unit_variant sequences maps newtype_variant tuple_variant struct_variant }
}
