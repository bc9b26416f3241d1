//! The reader as a [`serde::Deserializer`](::serde::Deserializer), for programs that put something around it.

use std::fmt;

use ::serde::de::{self, Visitor};

use super::input::Input;
use super::lender::Lender;
use super::pass::De;
use super::reader::{Reader, text_of};
use crate::body::Body;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Place;

/// A body as a deserializer, for packages that wrap one, such as `serde_path_to_error`, `serde_ignored` and
/// `erased_serde`.
///
/// [`Reader::read_body`] finds more: what hides types from the reader, as these packages do, hides errors after the first
/// one of each structure, and a list that is not in the file needs `#[serde(default)]` there.
///
/// ```
/// use std::collections::BTreeMap;
/// use hcl_lr::typed::Reader;
/// use serde::Deserialize;
///
/// let body = hcl_lr::parse::<hcl_lr::Body>("a = 1\nb = 2\n").into_result()?;
/// let numbers = BTreeMap::<String, u8>::deserialize(Reader::new().deserializer(&body))?;
/// assert_eq!(numbers["b"], 2);
///
/// let error = BTreeMap::<String, bool>::deserialize(Reader::new().deserializer(&body)).unwrap_err();
/// assert_eq!(error.diagnostics().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Deserializer<'s, 'de> {
    reader: Reader<'s>,
    body: &'de Body,
}

impl<'s> Reader<'s> {
    /// Makes a deserializer of a body, with the options of this reader.
    pub fn deserializer<'de>(&self, body: &'de Body) -> Deserializer<'s, 'de> {
        Deserializer { reader: *self, body }
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $ty:ty),*))+) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $ty,)* visitor: V) -> Result<V::Value, ReadError> {
            let text = text_of(self.body);
            let input = Input::Body(self.body);
            let read = self.reader.read(&input, Lender::new(text, text), Diagnostics::new(), |cx, input, path| {
                De { cx, input, path, pass: None }.$method($($name,)* visitor)
            });
            read.map(|(value, _)| value).map_err(ReadError)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for Deserializer<'_, 'de> {
    type Error = ReadError;

    forward! {
        deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64()
        deserialize_i128() deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_unit() deserialize_seq()
        deserialize_map() deserialize_identifier() deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(length: usize)
        deserialize_tuple_struct(name: &'static str, length: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }
}

/// The error of a [`Deserializer`]: all that is wrong, with places. `Display` shows a line for each error, and `Debug`,
/// which `unwrap` and a `main` print, shows them with the lines of the file.
#[derive(Clone, PartialEq, Eq)]
pub struct ReadError(Diagnostics);

impl ReadError {
    /// Returns the errors, and the warnings.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.0
    }
}

impl From<ReadError> for Diagnostics {
    fn from(error: ReadError) -> Diagnostics {
        error.0
    }
}

/// The error of a wrapper, which has no place.
impl de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        ReadError(Diagnostic::error(Code::InvalidValue, Place::nowhere(), message.to_string()).into())
    }
}

impl std::error::Error for ReadError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
