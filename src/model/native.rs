//! Rust's own types as values and back.

use super::number::{LossyNumber, Number, NumberError};
use super::types::Type;
use super::value::{Repr, Value};
use std::collections::BTreeMap;
use std::fmt;

/// A value is not of the kind that a Rust type can hold.
///
/// ```
/// use hcl_lr::model::Value;
/// let error = String::try_from(&Value::from(1)).unwrap_err();
/// assert_eq!(error.to_string(), "string required, but have number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnexpectedValue {
    /// The value is of another type.
    Type {
        /// What was wanted, in words.
        wanted: &'static str,
        /// The type of the value.
        given: Type,
    },
    /// The value is null.
    Null,
    /// The value is unknown.
    Unknown,
    /// The value is marked; take the marks off first, knowing what that means.
    Marked,
    /// The number does not fit.
    Number(LossyNumber),
}

impl fmt::Display for UnexpectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnexpectedValue::Type { wanted, given } => {
                write!(f, "{wanted} required, but have {given}")
            }
            UnexpectedValue::Null => f.write_str("the value is null"),
            UnexpectedValue::Unknown => f.write_str("the value is not known"),
            UnexpectedValue::Marked => f.write_str("the value is marked"),
            UnexpectedValue::Number(why) => fmt::Display::fmt(why, f),
        }
    }
}

impl std::error::Error for UnexpectedValue {}

/// Why there is no plain content to be had.
fn unexpected(value: &Value, wanted: &'static str) -> UnexpectedValue {
    if value.is_marked() {
        UnexpectedValue::Marked
    } else if value.is_null() {
        UnexpectedValue::Null
    } else if !value.is_known() {
        UnexpectedValue::Unknown
    } else {
        UnexpectedValue::Type {
            wanted,
            given: value.ty(),
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value(Repr::Bool(b))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::string(&text)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        Value(Repr::Number(number))
    }
}

/// A tuple of the elements.
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Value {
        Value::tuple(elements.into_iter().map(Into::into))
    }
}

/// An object with the entries as attributes.
impl<N: AsRef<str>, T: Into<Value>> From<BTreeMap<N, T>> for Value {
    fn from(entries: BTreeMap<N, T>) -> Value {
        Value::object(
            entries
                .into_iter()
                .map(|(name, value)| (name, value.into())),
        )
    }
}

/// The value, or the dynamic null.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Value {
        option.map_or_else(|| Value::null(Type::Dynamic), Into::into)
    }
}

/// The shortest decimal that reads back as the same float; NaN is an error.
impl TryFrom<f64> for Value {
    type Error = NumberError;

    fn try_from(float: f64) -> Result<Value, NumberError> {
        Number::try_from(float).map(Value::from)
    }
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl From<$int> for Value {
            fn from(int: $int) -> Value {
                Value::from(Number::from(int))
            }
        }

        impl TryFrom<&Value> for $int {
            type Error = UnexpectedValue;

            fn try_from(value: &Value) -> Result<$int, UnexpectedValue> {
                let number = <&Number>::try_from(value)?;
                <$int>::try_from(number).map_err(UnexpectedValue::Number)
            }
        }
    )*};
}

integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

impl<'v> TryFrom<&'v Value> for &'v Number {
    type Error = UnexpectedValue;

    fn try_from(value: &'v Value) -> Result<&'v Number, UnexpectedValue> {
        match &value.0 {
            Repr::Number(number) => Ok(number),
            _ => Err(unexpected(value, "number")),
        }
    }
}

/// Only a number that the float holds exactly; see [`Number::to_f64`] for rounding.
impl TryFrom<&Value> for f64 {
    type Error = UnexpectedValue;

    fn try_from(value: &Value) -> Result<f64, UnexpectedValue> {
        f64::try_from(<&Number>::try_from(value)?).map_err(UnexpectedValue::Number)
    }
}

impl TryFrom<&Value> for bool {
    type Error = UnexpectedValue;

    fn try_from(value: &Value) -> Result<bool, UnexpectedValue> {
        match &value.0 {
            Repr::Bool(b) => Ok(*b),
            _ => Err(unexpected(value, "bool")),
        }
    }
}

impl<'v> TryFrom<&'v Value> for &'v str {
    type Error = UnexpectedValue;

    fn try_from(value: &'v Value) -> Result<&'v str, UnexpectedValue> {
        match &value.0 {
            Repr::Text(text) => Ok(text),
            _ => Err(unexpected(value, "string")),
        }
    }
}

impl TryFrom<&Value> for String {
    type Error = UnexpectedValue;

    fn try_from(value: &Value) -> Result<String, UnexpectedValue> {
        <&str>::try_from(value).map(str::to_string)
    }
}

/// The elements of a list, set or tuple.
impl<'v> TryFrom<&'v Value> for &'v [Value] {
    type Error = UnexpectedValue;

    fn try_from(value: &'v Value) -> Result<&'v [Value], UnexpectedValue> {
        match &value.0 {
            Repr::Node(node) if !matches!(node.ty, Type::Map(_) | Type::Object(_)) => {
                Ok(&node.items)
            }
            _ => Err(unexpected(value, "list, set or tuple")),
        }
    }
}
