//! Passes values, numbers and expressions to the writers of this crate through serde, which knows none of them.
//!
//! Numbers and expressions go as plain values that all formats take, and the name of the newtype structure
//! around them says what they are. Nothing plain could say all that a [`Value`] is, so it is put aside where
//! the writer finds it.

use std::cell::RefCell;

use ::serde::ser::{Impossible, Serialize};

use super::WriteError;
use super::kinds::{Plain, Taker, To};
use super::text::key;
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
    let taken = content.serialize(To(Nothing));
    match HANDOVER.replace(before) {
        Handover::Given(value) => taken.map(|()| Some(value)),
        Handover::Unused | Handover::Wanted => Ok(None),
    }
}

/// The text of an expression.
pub(super) fn given_text<T: ?Sized + Serialize>(content: &T) -> Result<String, WriteError> {
    key(content)
}

/// The number in a newtype structure that has the name for numbers.
pub(super) fn given_number<T: ?Sized + Serialize>(content: &T) -> Result<Number, WriteError> {
    content.serialize(To(NumberReceiver))
}

/// Takes nothing but a unit.
struct Nothing;

impl Taker for Nothing {
    type Ok = ();
    type List = Impossible<(), WriteError>;
    type Map = Impossible<(), WriteError>;
    type Struct = Impossible<(), WriteError>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} is no value of HCL"))
    }

    fn unit(self) -> Result<(), WriteError> {
        Ok(())
    }
}

struct NumberReceiver;

impl Taker for NumberReceiver {
    type Ok = Number;
    type List = Impossible<Number, WriteError>;
    type Map = Impossible<Number, WriteError>;
    type Struct = Impossible<Number, WriteError>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} is no number"))
    }

    fn plain(self, value: Plain<'_>) -> Result<Number, WriteError> {
        let number = match value {
            Plain::Signed(value) => Ok(Number::from(value)),
            Plain::Unsigned(value) => Ok(Number::from(value)),
            Plain::LongSigned(value) => Ok(Number::from(value)),
            Plain::LongUnsigned(value) => Ok(Number::from(value)),
            Plain::Single(value) => Number::try_from(value),
            Plain::Double(value) => Number::try_from(value),
            Plain::Text(text) => Number::parse(text),
            Plain::Char(value) => Number::parse(value.encode_utf8(&mut [0; 4])),
            Plain::Bool(_) | Plain::Bytes(_) => return Err(self.refused(value.kind())),
        };
        number.map_err(|why| WriteError::new(why.to_string()))
    }
}
