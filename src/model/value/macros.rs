//! Values written like HCL in Rust.

use super::Value;

/// Creates a value in the notation of HCL: `{ … }` is an object, `[ … ]` a tuple, `null` is null, and everything else
/// is a Rust expression.
///
/// Use `=` or `:` between a key and its value, and commas between entries. A key is a name, a literal string, or an
/// expression in parentheses that is text. Expressions are anything that converts to a value by `into`, and floats. Use
/// `to_value` for types that serialize (feature `serde`), and `?` for conversions that may fail.
///
/// ```
/// use hcl_lr::{Value, value};
///
/// let name = String::from("web");
/// let ports = vec![80, 443];
/// let service = value!({
///     name = name,
///     ports = ports,
///     ratio = 2.5,
///     "content type" = null,
///     (format!("x-{}", 1)): [1 + 1, { nested = true }],
/// });
/// assert_eq!(
///     service.to_string(),
///     r#"{ "content type" = null, name = "web", ports = [80, 443], ratio = 2.5, x-1 = [2, { nested = true }] }"#,
/// );
/// assert_eq!(value!([]), Value::tuple([]));
/// ```
///
/// # Panics
/// Panics if a float is NaN, which HCL does not have. `Value::try_from` returns an error instead.
#[macro_export]
macro_rules! value {
    (@list [$($done:tt)*]) => { $crate::Value::tuple([$($done)*]) };
    (@list [$($done:tt)*] null $(, $($rest:tt)*)?) => {
        $crate::value!(@list [$($done)* $crate::Value::NULL,] $($($rest)*)?)
    };
    (@list [$($done:tt)*] [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::value!(@list [$($done)* $crate::value!([$($inner)*]),] $($($rest)*)?)
    };
    (@list [$($done:tt)*] {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::value!(@list [$($done)* $crate::value!({$($inner)*}),] $($($rest)*)?)
    };
    (@list [$($done:tt)*] $next:expr $(, $($rest:tt)*)?) => {
        $crate::value!(@list [$($done)* $crate::value!($next),] $($($rest)*)?)
    };

    // The entries so far, then the remaining tokens.
    (@object [$($done:tt)*]) => { $crate::Value::object::<::std::string::String>([$($done)*]) };
    (@object [$($done:tt)*] $key:ident = $($rest:tt)*) => {
        $crate::value!(@entry [$($done)*] (::std::stringify!($key)) $($rest)*)
    };
    (@object [$($done:tt)*] $key:ident : $($rest:tt)*) => {
        $crate::value!(@entry [$($done)*] (::std::stringify!($key)) $($rest)*)
    };
    (@object [$($done:tt)*] $key:literal = $($rest:tt)*) => { $crate::value!(@entry [$($done)*] ($key) $($rest)*) };
    (@object [$($done:tt)*] $key:literal : $($rest:tt)*) => { $crate::value!(@entry [$($done)*] ($key) $($rest)*) };
    (@object [$($done:tt)*] ($key:expr) = $($rest:tt)*) => { $crate::value!(@entry [$($done)*] ($key) $($rest)*) };
    (@object [$($done:tt)*] ($key:expr) : $($rest:tt)*) => { $crate::value!(@entry [$($done)*] ($key) $($rest)*) };

    (@entry [$($done:tt)*] ($key:expr) null $(, $($rest:tt)*)?) => {
        $crate::value!(@object [$($done)* (::std::string::String::from($key), $crate::Value::NULL),] $($($rest)*)?)
    };
    (@entry [$($done:tt)*] ($key:expr) [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::value!(@object [$($done)* (::std::string::String::from($key), $crate::value!([$($inner)*])),] $($($rest)*)?)
    };
    (@entry [$($done:tt)*] ($key:expr) {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::value!(@object [$($done)* (::std::string::String::from($key), $crate::value!({$($inner)*})),] $($($rest)*)?)
    };
    (@entry [$($done:tt)*] ($key:expr) $next:expr $(, $($rest:tt)*)?) => {
        $crate::value!(@object [$($done)* (::std::string::String::from($key), $crate::value!($next)),] $($($rest)*)?)
    };

    (null) => { $crate::Value::NULL };
    ([$($elements:tt)*]) => { $crate::value!(@list [] $($elements)*) };
    ({$($entries:tt)*}) => { $crate::value!(@object [] $($entries)*) };
    ($value:expr) => { $crate::model::IntoPart::into_part($value) };
}

/// A part of [`value!`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not become a value of HCL by itself",
    note = "`hcl_lr::to_value(&x)?` (feature `serde`) makes a value from anything that serializes"
)]
pub trait IntoPart {
    /// The value.
    fn into_part(self) -> Value;
}

impl<T: Into<Value>> IntoPart for T {
    fn into_part(self) -> Value {
        self.into()
    }
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl IntoPart for $float {
            fn into_part(self) -> Value {
                Value::try_from(self).unwrap_or_else(|error| panic!("{error}"))
            }
        }
    )*};
}

floats!(f32 f64);
