//! Conversion of values to Rust types.

use super::{Unexpected, UnexpectedValue, unexpected};
use crate::model::number::Number;
use crate::model::path::PathStep;
use crate::model::types::Type;
use crate::model::value::{Repr, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::path::PathBuf;

impl<'v> TryFrom<&'v Value> for &'v Number {
    type Error = UnexpectedValue;

    fn try_from(value: &'v Value) -> Result<&'v Number, UnexpectedValue> {
        match &value.0 {
            Repr::Number(number) => Ok(number),
            _ => Err(unexpected(value, "number")),
        }
    }
}

impl TryFrom<&Value> for Number {
    type Error = UnexpectedValue;

    fn try_from(value: &Value) -> Result<Number, UnexpectedValue> {
        <&Number>::try_from(value).cloned()
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $number:ty),*) => {$(
        $(#[$doc])*
        impl TryFrom<&Value> for $number {
            type Error = UnexpectedValue;

            fn try_from(value: &Value) -> Result<$number, UnexpectedValue> {
                let number = <&Number>::try_from(value)?;
                <$number>::try_from(number).map_err(|why| Unexpected::Number(why).into())
            }
        }
    )*};
}

numbers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize,
    /// The nearest float. A number beyond the largest one is an error.
    f32,
    /// The nearest float. A number beyond the largest one is an error.
    f64
);

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
        <&str>::try_from(value).map(str::to_owned)
    }
}

impl TryFrom<&Value> for PathBuf {
    type Error = UnexpectedValue;

    fn try_from(value: &Value) -> Result<PathBuf, UnexpectedValue> {
        <&str>::try_from(value).map(PathBuf::from)
    }
}

/// A string of one character.
impl TryFrom<&Value> for char {
    type Error = UnexpectedValue;

    fn try_from(value: &Value) -> Result<char, UnexpectedValue> {
        let mut characters = <&str>::try_from(value)?.chars();
        match (characters.next(), characters.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(UnexpectedValue::new("a string of one character is required")),
        }
    }
}

/// `None` for null.
///
/// ```
/// use hcl_lr::model::Value;
/// assert_eq!(Option::<u16>::try_from(&Value::from(80)), Ok(Some(80)));
/// assert_eq!(Option::<u16>::try_from(&Value::NULL), Ok(None));
/// assert!(Option::<u16>::try_from(&Value::from("http")).is_err());
/// ```
impl<'v, T> TryFrom<&'v Value> for Option<T>
where
    T: TryFrom<&'v Value, Error = UnexpectedValue>,
{
    type Error = UnexpectedValue;

    fn try_from(value: &'v Value) -> Result<Option<T>, UnexpectedValue> {
        match &value.0 {
            Repr::Null(_) => Ok(None),
            _ => T::try_from(value).map(Some),
        }
    }
}

/// `None` for null. Anything else is itself.
impl TryFrom<&Value> for Option<Value> {
    type Error = UnexpectedValue;

    fn try_from(value: &Value) -> Result<Option<Value>, UnexpectedValue> {
        Ok(Some(value.clone()).filter(|value| !matches!(value.0, Repr::Null(_))))
    }
}

/// The elements of a list, set or tuple.
impl<'v> TryFrom<&'v Value> for &'v [Value] {
    type Error = UnexpectedValue;

    fn try_from(value: &'v Value) -> Result<&'v [Value], UnexpectedValue> {
        match &value.0 {
            Repr::Node(node) if !matches!(node.ty, Type::Map(_) | Type::Object(_)) => Ok(&node.items),
            _ => Err(unexpected(value, "list, set or tuple")),
        }
    }
}

/// The elements of a list, set or tuple, each converted; the first that cannot be is the error.
fn elements<'v, T, C>(value: &'v Value) -> Result<C, UnexpectedValue>
where
    T: TryFrom<&'v Value, Error: Into<UnexpectedValue>>,
    C: FromIterator<T>,
{
    let each = |(at, element)| T::try_from(element).map_err(|why| why.into().below(PathStep::Position(at)));
    <&[Value]>::try_from(value)?.iter().enumerate().map(each).collect()
}

/// The parts of a map or object, each converted; the first that cannot be is the error.
fn entries<'v, T, C>(value: &'v Value) -> Result<C, UnexpectedValue>
where
    T: TryFrom<&'v Value, Error: Into<UnexpectedValue>>,
    C: FromIterator<(String, T)>,
{
    let entries = value.entries().filter(|_| !value.is_marked());
    let entries = entries.ok_or_else(|| unexpected(value, "map or object"))?;
    let each = |(name, part): (&str, &'v Value)| match T::try_from(part) {
        Ok(part) => Ok((name.to_owned(), part)),
        Err(why) => Err(why.into().below(value.step_to(name))),
    };
    entries.map(each).collect()
}

macro_rules! collections {
    ($($(#[$doc:meta])* $collection:ty, [$($generics:tt)*], $parts:ident;)*) => {$(
        $(#[$doc])*
        impl<'v, $($generics)*> TryFrom<&'v Value> for $collection
        where
            T: TryFrom<&'v Value, Error: Into<UnexpectedValue>>,
        {
            type Error = UnexpectedValue;

            fn try_from(value: &'v Value) -> Result<Self, UnexpectedValue> {
                $parts::<T, _>(value)
            }
        }

        /// As from a borrowed value.
        impl<$($generics)*> TryFrom<Value> for $collection
        where
            T: for<'v> TryFrom<&'v Value, Error: Into<UnexpectedValue>>,
        {
            type Error = UnexpectedValue;

            fn try_from(value: Value) -> Result<Self, UnexpectedValue> {
                $parts::<T, _>(&value)
            }
        }
    )*};
}

collections! {
    /// The elements of a list, set or tuple, each converted; the first that cannot be is the error.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// let ports = Value::from([80, 443]);
    /// assert_eq!(Vec::<u16>::try_from(&ports), Ok(vec![80, 443]));
    /// ```
    Vec<T>, [T], elements;
    /// The elements of a list, set or tuple, each converted. Equal ones become one.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// use std::collections::HashSet;
    /// let zones = HashSet::<String>::try_from(&Value::from(["a", "b", "a"]))?;
    /// assert_eq!(zones.len(), 2);
    /// # Ok::<(), hcl_lr::model::UnexpectedValue>(())
    /// ```
    HashSet<T, S>, [T: Eq + Hash, S: BuildHasher + Default], elements;
    /// The elements of a list, set or tuple, each converted. Equal ones become one.
    BTreeSet<T>, [T: Ord], elements;
    /// The parts of a map or object, each converted; the first that cannot be is the error.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// use std::collections::HashMap;
    /// let sizes: Value = [("disk", 2), ("memory", 300)].into_iter().collect();
    /// assert_eq!(HashMap::<String, u16>::try_from(&sizes)?["memory"], 300);
    /// let error = HashMap::<String, u8>::try_from(&sizes).unwrap_err();
    /// assert_eq!(error.to_string(), ".memory: 300 does not fit u8 (0 to 255)");
    /// # Ok::<(), hcl_lr::model::UnexpectedValue>(())
    /// ```
    HashMap<String, T, S>, [T, S: BuildHasher + Default], entries;
    /// The parts of a map or object, each converted; the first that cannot be is the error.
    BTreeMap<String, T>, [T], entries;
}

macro_rules! from_owned {
    ($($target:ty)*) => {$(
        /// As from a borrowed value.
        impl TryFrom<Value> for $target {
            type Error = UnexpectedValue;

            fn try_from(value: Value) -> Result<$target, UnexpectedValue> {
                <$target>::try_from(&value)
            }
        }
    )*};
}

from_owned!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 Number bool String PathBuf char);

/// As from a borrowed value.
impl<T> TryFrom<Value> for Option<T>
where
    T: for<'v> TryFrom<&'v Value, Error = UnexpectedValue>,
{
    type Error = UnexpectedValue;

    fn try_from(value: Value) -> Result<Option<T>, UnexpectedValue> {
        Option::try_from(&value)
    }
}
