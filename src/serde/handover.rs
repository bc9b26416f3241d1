//! Hands values of this crate's own types through serde, whose data model has no values, expressions and types.
//!
//! A type asks for a newtype structure with a name that no other type has. The deserializer puts the value on a table
//! and gives the visitor its number, which goes through any wrapper as all numbers do; the visitor takes the value from
//! the table. The numbers are random, so that no file can name the value of somebody else. Writing is the same the other
//! way around.

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

/// A value that can be taken as long as this lives.
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

/// Takes the value with a number; nothing if the number is just one that another format has.
pub(super) fn take(number: u128) -> Option<Handed> {
    // No ticket is that small, more or less, and most numbers are.
    if number >> 64 == 0 { None } else { with_table(|table| table.remove(&number)) }
}
