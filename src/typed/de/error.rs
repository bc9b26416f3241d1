//! Errors while serde reads.

use std::fmt;

use ::serde::de::{self, Expected, Unexpected};

use super::words::in_words;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Why something could not be read. Small, for each step of serde returns one or nothing.
pub(super) struct Error(Box<Kind>);

#[derive(Clone)]
pub(super) enum Kind {
    /// The error is on the list of diagnostics already.
    Reported,
    /// Errors at known places.
    Placed(Diagnostics),
    /// The type has to be asked once more, see [`Pass`](super::pass::Pass).
    Again,
    /// A field wants the labels of a block in JSON, which have to be told apart from its content.
    NeedsLabels,
    /// An error of a type, which does not know its place: the name of a missing field.
    Missing(&'static str),
    Duplicate(&'static str),
    UnknownField(String, &'static [&'static str]),
    UnknownVariant(String, &'static [&'static str]),
    /// The kind of value found, and the kind expected.
    Type(String, String),
    Value(String, String),
    /// A number that serde cannot buffer, and what was expected.
    Beyond(String, String),
    Length(usize, String),
    /// No variant of an untagged enum can be read.
    NoVariant,
    Custom(String),
}

/// The limit that is exceeded by what serde buffers.
#[derive(Clone, Copy)]
pub(super) enum TooMuch {
    Depth,
    Work,
}

/// The beginning of serde's message if no variant of an untagged enum can be read.
const NO_VARIANT: &str = "data did not match any variant of untagged enum ";

impl Error {
    pub fn reported() -> Self {
        Kind::Reported.into()
    }

    pub fn kind(&self) -> &Kind {
        &self.0
    }

    /// Returns true if the type has to be asked once more.
    pub fn asks_again(&self) -> bool {
        matches!(*self.0, Kind::Again)
    }

    pub fn into_kind(self) -> Kind {
        *self.0
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Kind::Placed(diagnostic.into()).into()
    }
}

impl From<Diagnostics> for Error {
    fn from(diagnostics: Diagnostics) -> Self {
        Kind::Placed(diagnostics).into()
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = message.to_string();
        let kind = match () {
            () if message.starts_with(NO_VARIANT) => Kind::NoVariant,
            () if message.starts_with("no variant of enum ") && message.ends_with(" found in flattened data") => {
                Kind::Custom("an attribute or a block with the name of a variant is missing".to_owned())
            }
            () => Kind::Custom(message),
        };
        kind.into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        if let Unexpected::Bytes(bytes) = found
            && let Some(digits) = bytes.strip_prefix(super::NUMBER_PREFIX)
        {
            return Kind::Beyond(String::from_utf8_lossy(digits).into_owned(), expected.to_string()).into();
        }
        Kind::Type(in_words(found), expected.to_string()).into()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Kind::Value(in_words(found), expected.to_string()).into()
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Kind::Length(length, expected.to_string()).into()
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Kind::UnknownVariant(variant.to_owned(), expected).into()
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Kind::UnknownField(field.to_owned(), expected).into()
    }

    fn missing_field(field: &'static str) -> Self {
        Kind::Missing(field).into()
    }

    fn duplicate_field(field: &'static str) -> Self {
        Kind::Duplicate(field).into()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
