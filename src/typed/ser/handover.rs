//! Passes values, numbers and expressions to the writers of this crate through serde, which has none of these types.
//!
//! Numbers and expressions are passed as plain values that all formats accept, in a newtype structure whose name tells
//! the type. No plain value has everything that a [`Value`] has, so it is passed as a
//! [`Ticket`](crate::typed::handover::Ticket), but only to a serializer of this crate.

use std::cell::Cell;

use ::serde::ser::{Impossible, Serialize, Serializer};

use super::WriteError;
use super::kinds::{Parts, Plain, Receiver, To};
use super::text::key;
use crate::model::{Number, Value};
use crate::typed::handover::{Handed, take};
use crate::typed::wrappers::{EXPRESSION, NUMBER, TEMPLATE, TYPE, VALUE};

/// Returns true for a serializer that accepts tickets. Only such a serializer changes its answer to this question.
pub(super) fn takes_tickets<S: Serializer>(serializer: &S) -> bool {
    let answers = [(); 2].map(|()| serializer.is_human_readable());
    answers[0] != answers[1]
}

/// Returns the value in a newtype structure with the name for values; `None` if it is not from this crate.
pub(super) fn given_value<T: ?Sized + Serialize>(content: &T) -> Option<Value> {
    content.serialize(To(ValueReceiver { answer: Cell::new(false) })).ok()
}

/// The text of an expression.
pub(super) fn given_text<T: ?Sized + Serialize>(content: &T) -> Result<String, WriteError> {
    key(content)
}

/// Returns the number in a newtype structure with the name for numbers.
pub(super) fn given_number<T: ?Sized + Serialize>(content: &T) -> Result<Number, WriteError> {
    content.serialize(To(NumberReceiver))
}

/// Takes the ticket of a value.
struct ValueReceiver {
    /// The next answer about readability.
    answer: Cell<bool>,
}

impl Receiver for ValueReceiver {
    type Ok = Value;
    type List = Impossible<Value, WriteError>;
    type Map = Impossible<Value, WriteError>;
    type Struct = Impossible<Value, WriteError>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} is not a value of HCL"))
    }

    fn is_human_readable(&self) -> bool {
        self.answer.replace(!self.answer.get())
    }

    fn plain(self, value: Plain<'_>) -> Result<Value, WriteError> {
        match value {
            Plain::LongUnsigned(number) => match take(number) {
                Some(Handed::Value(value)) => Ok(value),
                _ => Err(self.refused("a number")),
            },
            value => Err(self.refused(value.kind())),
        }
    }
}

struct NumberReceiver;

impl Receiver for NumberReceiver {
    type Ok = Number;
    type List = Impossible<Number, WriteError>;
    type Map = Impossible<Number, WriteError>;
    type Struct = Impossible<Number, WriteError>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} is not a number"))
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

/// The kind of a value, as far as it distinguishes blocks from attributes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// An attribute: a string, a number, a list of them.
    Plain,
    /// A value that can be a block: a structure or a map, or a list of them.
    Parts,
}

/// Returns the kind of a value; only its beginning is serialized.
pub(super) fn form_of<T: ?Sized + Serialize>(value: &T) -> Form {
    let form = Cell::new(Form::Parts);
    // The error is how serializing ends early.
    let _ = value.serialize(To(FormReceiver(&form)));
    form.get()
}

struct FormReceiver<'f>(&'f Cell<Form>);

impl<'f> Receiver for FormReceiver<'f> {
    type Ok = ();
    type List = FormReceiver<'f>;
    type Map = Impossible<(), WriteError>;
    type Struct = Impossible<(), WriteError>;

    fn refused(&self, _: &str) -> WriteError {
        WriteError::new("")
    }

    fn plain(self, _: Plain<'_>) -> Result<(), WriteError> {
        self.0.set(Form::Plain);
        Ok(())
    }

    fn unit_variant(self, _: &'static str) -> Result<(), WriteError> {
        self.0.set(Form::Plain);
        Ok(())
    }

    fn newtype<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<(), WriteError> {
        match name {
            EXPRESSION | NUMBER | TEMPLATE | TYPE => self.0.set(Form::Plain),
            VALUE if given_value(value).is_some_and(|value| value.entries().is_none()) => self.0.set(Form::Plain),
            _ => return value.serialize(To(self)),
        }
        Ok(())
    }

    fn list(self, _: &'static str, _: Option<usize>) -> Result<Self::List, WriteError> {
        Ok(self)
    }
}

/// The first element determines the form of a list.
impl Parts for FormReceiver<'_> {
    type Ok = ();

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        value.serialize(To(FormReceiver(self.0)))?;
        Err(WriteError::new(""))
    }

    fn finish(self) -> Result<(), WriteError> {
        Ok(())
    }
}
