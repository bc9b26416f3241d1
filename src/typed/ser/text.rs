//! Keys of objects, and labels: texts.

use ::serde::ser::{Impossible, Serialize};

use super::WriteError;
use super::kinds::{Parts, Plain, Receiver, To, not_finite};

/// Accepts values that can be text: strings, characters, numbers, bools, names of variants.
pub(super) struct Text {
    /// The purpose of the text, with an article.
    role: &'static str,
}

/// The text of the key of an object.
pub(super) fn key<T: ?Sized + Serialize>(value: &T) -> Result<String, WriteError> {
    value.serialize(To(Text { role: "the key of an object" }))
}

/// The text of a label.
pub(super) fn label<T: ?Sized + Serialize>(value: &T) -> Result<String, WriteError> {
    value.serialize(To(Text { role: "a label" }))
}

/// The texts of a sequence of labels.
pub(super) fn labels<T: ?Sized + Serialize>(value: &T) -> Result<Vec<String>, WriteError> {
    value.serialize(To(LabelList))
}

impl Receiver for Text {
    type Ok = String;
    type List = Impossible<String, WriteError>;
    type Map = Impossible<String, WriteError>;
    type Struct = Impossible<String, WriteError>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("{kind} cannot be {}", self.role)).help("use a string, a number, a bool or a character")
    }

    fn plain(self, value: Plain<'_>) -> Result<String, WriteError> {
        match value {
            Plain::Single(float) if !float.is_finite() => Err(not_finite(float.is_nan())),
            Plain::Double(float) if !float.is_finite() => Err(not_finite(float.is_nan())),
            Plain::Bytes(_) => Err(self.refused(value.kind())),
            Plain::Text(text) => Ok(text.to_owned()),
            value => Ok(value.to_string()),
        }
    }

    fn unit_variant(self, variant: &'static str) -> Result<String, WriteError> {
        Ok(variant.to_owned())
    }
}

struct LabelList;

impl Receiver for LabelList {
    type Ok = Vec<String>;
    type List = LabelsSoFar;
    type Map = Impossible<Vec<String>, WriteError>;
    type Struct = Impossible<Vec<String>, WriteError>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("labels must be a list of strings, not {kind}"))
            .help("use a field `$label` for a single label")
    }

    fn none(self) -> Result<Vec<String>, WriteError> {
        Ok(Vec::new())
    }

    fn list(self, _: &'static str, _: Option<usize>) -> Result<LabelsSoFar, WriteError> {
        Ok(LabelsSoFar(Vec::new()))
    }
}

struct LabelsSoFar(Vec<String>);

impl Parts for LabelsSoFar {
    type Ok = Vec<String>;

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.0.push(label(value).map_err(|error| error.below_index(self.0.len()))?);
        Ok(())
    }

    fn finish(self) -> Result<Vec<String>, WriteError> {
        Ok(self.0)
    }
}
