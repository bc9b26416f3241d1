//! Passes this crate's own types around serde, whose data model has no values, expressions and types.
//!
//! The type asks for a newtype structure with a name that no other type has. The deserializer leaves
//! what the type is made from here, and says "unit"; the type, which is asked next, takes it from here.

use std::cell::RefCell;

use crate::body::Expression;
use crate::model::{Number, Type, Value};

pub(super) enum Passed {
    Value(Value),
    Number(Number),
    Type(Type),
    Expression(Expression),
}

thread_local! {
    static PASSED: RefCell<Option<Passed>> = const { RefCell::new(None) };
}

pub(super) fn pass(passed: Passed) {
    PASSED.set(Some(passed));
}

/// Takes the value left for the type that asks. `None` if the caller is another deserializer than that of this crate.
pub(super) fn take() -> Option<Passed> {
    PASSED.take()
}
