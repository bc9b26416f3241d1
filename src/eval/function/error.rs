//! Why functions have no result.

use std::borrow::Cow;
use std::fmt;

use crate::diagnostic::Diagnostics;
use crate::limits::Exceeded;
use crate::model::convert::ConvertError;
use crate::model::operations::OperationError;
use crate::model::{UnexpectedValue, hidden};

/// Why a function has no result.
///
/// ```
/// use hcl_lr::eval::FunctionError;
///
/// let error = FunctionError::argument(0, "must be even");
/// assert_eq!(error.to_string(), "must be even");
/// assert_eq!(error.argument_index(), Some(0));
/// assert_eq!(FunctionError::from("no luck").argument_index(), None);
/// ```
#[derive(Clone, Debug)]
pub struct FunctionError {
    argument: Option<usize>,
    message: Cow<'static, str>,
    /// The message without the contents of values, if the other message has them.
    concealed: Option<String>,
    is_concealed: bool,
    diagnostics: Option<Box<Diagnostics>>,
}

impl FunctionError {
    /// Creates an error that blames an argument, counted from 0. If the call has fewer arguments, the argument is a
    /// missing one.
    pub fn argument(index: usize, message: impl Into<Cow<'static, str>>) -> Self {
        FunctionError { argument: Some(index), ..FunctionError::new(message.into()) }
    }

    pub(super) fn new(message: Cow<'static, str>) -> Self {
        FunctionError { argument: None, message, concealed: None, is_concealed: false, diagnostics: None }
    }

    /// Returns the index of the wrong argument.
    pub fn argument_index(&self) -> Option<usize> {
        self.argument
    }

    /// Creates an error for an argument that a Rust type cannot hold.
    pub(super) fn unexpected(index: usize, why: &UnexpectedValue) -> Self {
        FunctionError { argument: Some(index), ..FunctionError::from(why) }
    }

    /// Sets the message that is used if the arguments may be secret, unless the error has one already.
    pub(crate) fn or_concealed(mut self, message: &str) -> Self {
        self.concealed.get_or_insert_with(|| message.to_owned());
        self
    }

    /// Returns the error without anything that may show arguments that the function does not know to be marked: a text
    /// that was put together, and errors of expressions that the function evaluated.
    pub(in crate::eval) fn without_values(self) -> Self {
        let concealed = self.conceal();
        match &concealed.message {
            Cow::Owned(_) if !concealed.is_concealed => {
                FunctionError { message: hidden::ARGUMENT.into(), diagnostics: None, ..concealed }
            }
            _ => FunctionError { diagnostics: None, ..concealed },
        }
    }

    /// Returns the error as it may be shown if the arguments may be secret.
    fn conceal(mut self) -> Self {
        if let Some(concealed) = self.concealed.take() {
            self.message = concealed.into();
            self.is_concealed = true;
        }
        self
    }

    /// Returns the errors of an argument that the function evaluated.
    pub(in crate::eval) fn diagnostics(&self) -> Option<&Diagnostics> {
        self.diagnostics.as_deref()
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FunctionError {}

macro_rules! from_messages {
    ($($error:ty)+) => {
        $(impl From<$error> for FunctionError {
            fn from(error: $error) -> Self {
                FunctionError::new(error.to_string().into())
            }
        })+
    };
}

from_messages! { &str String OperationError ConvertError crate::model::NumberError Exceeded }

impl From<&UnexpectedValue> for FunctionError {
    fn from(why: &UnexpectedValue) -> Self {
        FunctionError { concealed: Some(why.reason()), ..FunctionError::new(why.to_string().into()) }
    }
}

impl From<UnexpectedValue> for FunctionError {
    fn from(why: UnexpectedValue) -> Self {
        FunctionError::from(&why)
    }
}

/// Errors of an argument that the function evaluated are reported as they are; errors in another source become the
/// message.
impl From<Diagnostics> for FunctionError {
    fn from(diagnostics: Diagnostics) -> Self {
        let message = diagnostics.to_string().into();
        FunctionError { diagnostics: Some(Box::new(diagnostics)), ..FunctionError::new(message) }
    }
}
