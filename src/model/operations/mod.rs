//! The operators of the language on values (specification of the native syntax,
//! "Operations"; information model, "unknown", "null", "marks").
//!
//! The rules that hold for all of them:
//! - an operand of another primitive type is converted to a number or bool if the operator requires it;
//! - a null operand is an error, except for [`equal`], [`not_equal`], [`and`] and [`or`];
//! - an unknown operand makes the result an unknown value of the operator's type that is not null, unless the known
//!   facts about the operands decide the result;
//! - the marks of all operands are on the result.
//!
//! The numeric comparisons use the bounds of unknown numbers, but only if the two ranges do not overlap; [`equal`] uses
//! all refinements against a known operand. This matches the official engine.

mod arithmetic;
mod equality;
mod logic;
mod part;

pub use arithmetic::{
    add, divide, greater_or_equal, greater_than, less_or_equal, less_than, multiply, negate, remainder, subtract,
};
pub use equality::{equal, not_equal};
pub use logic::{and, not, or};
pub use part::{Elements, attribute, elements, has_element, has_index, index, length};

use super::convert::ConvertError;
use super::hidden::HIDDEN;
use super::number::NumberError;
use super::types::Type;
use std::fmt;

/// The operand that an error is about.
///
/// ```
/// use hcl_lr::model::operations::Side;
/// assert_eq!(Side::Left.to_string(), "left operand");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Side {
    /// The only operand of an operator with one.
    Only,
    /// The first of two.
    Left,
    /// The second of two.
    Right,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Only => "operand",
            Side::Left => "left operand",
            Side::Right => "right operand",
        })
    }
}

/// Why an operation has no result.
///
/// ```
/// use hcl_lr::model::{operations::add, Value};
/// let error = add(&Value::from("x"), &Value::from(1)).unwrap_err();
/// assert_eq!(error.to_string(), "invalid left operand: a number is required");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationError {
    /// An operand cannot be converted to the type of the operator.
    Operand(Side, ConvertError),
    /// An operand is null.
    NullOperand(Side),
    /// The numbers have no such result.
    Number(NumberError),
    /// The value has no parts of the requested kind.
    NoParts {
        /// The requested kind of part: `index`, `attributes`, `length`, `elements`.
        what: &'static str,
        /// The type of the value.
        ty: Type,
    },
    /// A null value has no parts.
    NullParts,
    /// A set has no keys.
    SetIndex,
    /// An unknown value cannot be iterated.
    UnknownParts,
    /// A key is null.
    NullKey,
    /// A key cannot be converted to the index type of the collection.
    Key(ConvertError),
    /// There is no element with that whole number.
    NoIndex {
        /// The key.
        key: String,
        /// The number of elements.
        length: usize,
        /// The kind of the sequence: `list` or `tuple`.
        kind: &'static str,
    },
    /// A sequence was indexed with a negative number or a fraction.
    NotAnIndex(&'static str),
    /// There is no element or attribute of that name.
    NoSuchName(String),
    /// There is no element with that key, which is marked and therefore not shown.
    NoSuchKey,
}

impl fmt::Display for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperationError::Operand(side, why) => write!(f, "invalid {side}: {why}"),
            OperationError::NullOperand(side) => write!(f, "the {side} must not be null"),
            OperationError::Number(why) => fmt::Display::fmt(why, f),
            OperationError::NoParts { what: "index", ty } => write!(f, "a {ty} cannot be indexed"),
            OperationError::NoParts { what, ty } => write!(f, "a {ty} has no {what}"),
            OperationError::NullParts => f.write_str("the value is null, so it has no parts"),
            OperationError::SetIndex => f.write_str("a set cannot be indexed: its elements have no keys"),
            OperationError::UnknownParts => f.write_str("the value is not known"),
            OperationError::NullKey => f.write_str("the key must not be null"),
            OperationError::Key(why) => write!(f, "invalid key: {why}"),
            OperationError::NoIndex { key, length, kind } => {
                let elements = if *length == 1 { "element" } else { "elements" };
                match length {
                    0 => write!(f, "index {key} is out of range: the {kind} is empty"),
                    _ => write!(f, "index {key} is out of range: the {kind} has {length} {elements}"),
                }
            }
            OperationError::NotAnIndex(why) => f.write_str(why),
            OperationError::NoSuchKey => {
                write!(f, "no element has this key, which is {HIDDEN}")
            }
            OperationError::NoSuchName(name) => write!(f, "no element has the key \"{name}\""),
        }
    }
}

impl std::error::Error for OperationError {}
