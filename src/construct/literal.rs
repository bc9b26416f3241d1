//! Rust literals as expressions, without the feature `model`. Their text is the same with it.

use std::borrow::Cow;

use super::NewExpression;
use crate::nfc::nfc;
use crate::writer::quoted;

/// Creates a string with special characters escaped.
impl From<&str> for NewExpression {
    fn from(text: &str) -> Self {
        NewExpression::of_value(quoted(&nfc(Cow::Borrowed(text))))
    }
}

/// Creates a string with special characters escaped.
impl From<&String> for NewExpression {
    fn from(text: &String) -> Self {
        NewExpression::from(text.as_str())
    }
}

/// Creates a string with special characters escaped.
impl From<String> for NewExpression {
    fn from(text: String) -> Self {
        NewExpression::from(text.as_str())
    }
}

macro_rules! from_plain {
    ($($plain:ty)*) => {$(
        /// As it is written.
        impl From<$plain> for NewExpression {
            fn from(value: $plain) -> Self {
                NewExpression::of_value(value.to_string())
            }
        }
    )*};
}

from_plain!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
