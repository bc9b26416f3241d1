//! Conversions between Rust types and values. [`Value`](super::Value) has a table of all of them.

mod from_value;
mod into_value;

use super::number::LossyNumber;
use super::path::{Path, PathFromWithin, PathStep};
use super::types::Type;
use super::value::Value;
use crate::model::types::texts;
use std::convert::Infallible;
use std::fmt;

/// An error for a value that does not fit a Rust type.
///
/// The message has the path in the value; for a number, also the number and the range of the type.
///
/// ```
/// use hcl_lr::model::{Unexpected, Value};
///
/// let error = Vec::<u8>::try_from(&Value::from([80, 300])).unwrap_err();
/// assert_eq!(error.to_string(), "[1]: 300 does not fit u8 (0 to 255)");
/// assert_eq!(error.reason(), "the number does not fit u8 (0 to 255)");
/// assert!(matches!(error.cause(), Unexpected::Number(_)));
///
/// let error = String::try_from(&Value::from(1)).unwrap_err();
/// assert_eq!(error.to_string(), "a string is required, not a number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnexpectedValue(Box<Unfit>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Unfit {
    path: PathFromWithin,
    cause: Unexpected,
}

/// The reason why a value, or a part of it, does not fit a Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unexpected {
    /// The value is of another type.
    Type {
        /// The expected kind of value, in words.
        wanted: &'static str,
        /// The type of the value.
        given: Type,
    },
    /// There is no such attribute or element.
    Missing,
    /// The value is null.
    Null,
    /// The value is unknown.
    Unknown,
    /// The value is marked; remove the marks first if that is safe.
    Marked,
    /// The number does not fit.
    Number(LossyNumber),
    /// The message of an application about its own type.
    Other(String),
}

impl UnexpectedValue {
    /// For types of an application's own.
    ///
    /// ```
    /// use hcl_lr::model::{UnexpectedValue, Value};
    ///
    /// #[derive(Debug)]
    /// struct Even(u32);
    ///
    /// impl TryFrom<&Value> for Even {
    ///     type Error = UnexpectedValue;
    ///
    ///     fn try_from(value: &Value) -> Result<Even, UnexpectedValue> {
    ///         match u32::try_from(value)? {
    ///             odd if odd % 2 == 1 => Err(UnexpectedValue::new(format!("{odd} is odd"))),
    ///             even => Ok(Even(even)),
    ///         }
    ///     }
    /// }
    ///
    /// assert_eq!(Even::try_from(&Value::from(4)).unwrap().0, 4);
    /// let error = Vec::<Even>::try_from(&Value::from([4, 5])).unwrap_err();
    /// assert_eq!(error.to_string(), "[1]: 5 is odd");
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        UnexpectedValue::from(Unexpected::Other(message.into()))
    }

    /// Returns the path in the value that was to be converted; empty for the value itself.
    pub fn path(&self) -> &Path {
        self.0.path.path()
    }

    /// Returns the cause at that place.
    pub fn cause(&self) -> &Unexpected {
        &self.0.cause
    }

    /// Returns the reason without any content of the value: neither a number, nor a name in the path, nor an
    /// application's message.
    pub fn reason(&self) -> String {
        match &self.0.cause {
            Unexpected::Number(why) => why.reason(),
            Unexpected::Other(_) => "the value is not suitable".to_owned(),
            cause => cause.to_string(),
        }
    }

    /// Returns the error for the enclosing level.
    pub(super) fn below(mut self, step: PathStep) -> Self {
        self.0.path.below(vec![step]);
        self
    }
}

impl From<Unexpected> for UnexpectedValue {
    fn from(cause: Unexpected) -> Self {
        UnexpectedValue(Box::new(Unfit { path: PathFromWithin::default(), cause }))
    }
}

/// Allows conversions that always succeed, such as [`Value`] to [`Value`], where others may fail.
impl From<Infallible> for UnexpectedValue {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl fmt::Display for UnexpectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, cause) = (self.path(), self.cause());
        if path.steps().is_empty() { cause.fmt(f) } else { write!(f, "{path}: {cause}") }
    }
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unexpected::Type { wanted, given } => f.write_str(&texts::instead(wanted, &given.to_string())),
            Unexpected::Missing => f.write_str("the value is missing"),
            Unexpected::Null => f.write_str("the value is null"),
            Unexpected::Unknown => f.write_str("the value is not known"),
            Unexpected::Marked => f.write_str("the value is marked"),
            Unexpected::Number(why) => fmt::Display::fmt(why, f),
            Unexpected::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for UnexpectedValue {}

/// Returns the reason why a value has no plain content.
pub(super) fn unexpected(value: &Value, wanted: &'static str) -> UnexpectedValue {
    let cause = if value.is_marked() {
        Unexpected::Marked
    } else if value.is_null() {
        Unexpected::Null
    } else if !value.is_known() {
        Unexpected::Unknown
    } else {
        Unexpected::Type { wanted, given: value.shown_kind() }
    };
    cause.into()
}
