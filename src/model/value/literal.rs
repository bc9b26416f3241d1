//! Comparison of values with Rust literals.
//!
//! The view is compared, not the value: if values could be compared with types other than `Value`, Rust could not infer
//! the type of `8080.into()` in `value == 8080.into()`.

use super::View;
use crate::model::number::Number;

impl PartialEq<bool> for View<'_> {
    fn eq(&self, other: &bool) -> bool {
        matches!(self, View::Bool(b) if b == other)
    }
}

impl PartialEq<str> for View<'_> {
    fn eq(&self, other: &str) -> bool {
        matches!(self, View::String(text) if *text == other)
    }
}

impl PartialEq<&str> for View<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<String> for View<'_> {
    fn eq(&self, other: &String) -> bool {
        *self == **other
    }
}

/// Compares by the shortest decimal that reads back as the same float.
impl PartialEq<f64> for View<'_> {
    fn eq(&self, other: &f64) -> bool {
        matches!(self, View::Number(number) if Number::try_from(*other).is_ok_and(|other| other == **number))
    }
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl PartialEq<$int> for View<'_> {
            fn eq(&self, other: &$int) -> bool {
                matches!(self, View::Number(number) if **number == Number::from(*other))
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
