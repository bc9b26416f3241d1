//! Passes values of this crate's own types through serde, whose data model has no values, expressions and types.
//!
//! A type requests a newtype structure with a unique name. The deserializer stores the value in a table and passes its
//! number to the visitor, which any wrapper passes on like other numbers; the visitor takes the value from the table.
//! The numbers are random, so that no file can refer to a stored value. Writing works the same in reverse.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::body::Expression;
use crate::model::{Type, Value};

/// A value on its way.
pub(super) enum Handed {
    Value(Value),
    Expression(Expression),
    Type(Type),
}

static TABLE: LazyLock<Mutex<HashMap<u128, Handed>>> = LazyLock::new(Mutex::default);

fn with_table<R>(change: impl FnOnce(&mut HashMap<u128, Handed>) -> R) -> R {
    change(&mut TABLE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A value that can be taken while this exists.
pub(super) struct Ticket(u128);

impl Ticket {
    pub fn new(value: Handed) -> Self {
        let random = || RandomState::new().hash_one(0_u8);
        let number = u128::from(random()) << 64 | u128::from(random());
        with_table(|table| table.insert(number, value));
        Ticket(number)
    }

    pub fn number(&self) -> u128 {
        self.0
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        with_table(|table| table.remove(&self.0));
    }
}

/// Takes the value with a number; `None` if the number is an ordinary one from another format.
pub(super) fn take(number: u128) -> Option<Handed> {
    // Tickets are practically never that small, and most numbers are.
    if number >> 64 == 0 { None } else { with_table(|table| table.remove(&number)) }
}
