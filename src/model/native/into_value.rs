//! Conversion of Rust types to values.

use crate::model::number::{Number, NumberError};
use crate::model::value::{Repr, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The null whose type is not settled.
impl From<()> for Value {
    fn from((): ()) -> Value {
        Value::NULL
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

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::string(text)
    }
}

impl From<Cow<'_, str>> for Value {
    fn from(text: Cow<'_, str>) -> Value {
        Value::string(&text)
    }
}

/// A string of one character.
impl From<char> for Value {
    fn from(c: char) -> Value {
        Value::string(c.encode_utf8(&mut [0; 4]))
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        Value(Repr::Number(number))
    }
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl From<$int> for Value {
            fn from(int: $int) -> Value {
                Value::from(Number::from(int))
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// The shortest decimal that reads back as the same float; NaN is an error.
impl TryFrom<f64> for Value {
    type Error = NumberError;

    fn try_from(float: f64) -> Result<Value, NumberError> {
        Number::try_from(float).map(Value::from)
    }
}

/// The shortest decimal that reads back as the same float; NaN is an error.
impl TryFrom<f32> for Value {
    type Error = NumberError;

    fn try_from(float: f32) -> Result<Value, NumberError> {
        Number::try_from(float).map(Value::from)
    }
}

/// Clones, which is cheap, so that a borrowed value works wherever a value is expected.
impl From<&Value> for Value {
    fn from(value: &Value) -> Value {
        value.clone()
    }
}

/// Converts `Some` to its value, and `None` to the null of dynamic type.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Value {
        option.map_or(Value::NULL, Into::into)
    }
}

/// A tuple of the elements.
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Value {
        elements.into_iter().collect()
    }
}

/// A tuple of the elements.
impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Value {
        elements.into_iter().collect()
    }
}

/// A tuple of the elements.
impl<T: Into<Value> + Clone> From<&[T]> for Value {
    fn from(elements: &[T]) -> Value {
        elements.iter().cloned().collect()
    }
}

/// An object with the entries as attributes.
impl<N: AsRef<str>, T: Into<Value>> From<BTreeMap<N, T>> for Value {
    fn from(entries: BTreeMap<N, T>) -> Value {
        entries.into_iter().collect()
    }
}

/// An object with the entries as attributes.
impl<N: AsRef<str>, T: Into<Value>, S> From<HashMap<N, T, S>> for Value {
    fn from(entries: HashMap<N, T, S>) -> Value {
        entries.into_iter().collect()
    }
}

/// A tuple of the elements. For a list or set of one type there are [`Value::list_of`] and
/// [`Value::set_of`].
///
/// ```
/// use hcl_lr::model::Value;
/// let squares: Value = (1..4).map(|n| n * n).collect();
/// assert_eq!(squares.to_string(), "[1, 4, 9]");
/// ```
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Value {
        Value::tuple(elements.into_iter().map(Into::into))
    }
}

/// An object; the last of two equal names wins.
///
/// ```
/// use hcl_lr::model::Value;
/// let sizes: Value = [("disk", 2), ("memory", 4)].into_iter().collect();
/// assert_eq!(sizes.to_string(), "{ disk = 2, memory = 4 }");
/// ```
impl<N: AsRef<str>, T: Into<Value>> FromIterator<(N, T)> for Value {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Value {
        Value::object(entries.into_iter().map(|(name, value)| (name, value.into())))
    }
}
