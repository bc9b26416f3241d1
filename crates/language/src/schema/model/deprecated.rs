//! Notes that attributes and blocks should no longer be used.

use hcl_lr::source::Place;

/// A note that an attribute or block should no longer be used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Deprecated {
    /// The name of the attribute or block type to use instead, which must mean the same.
    pub replacement: Option<String>,
    /// The advice for users, in a few words.
    pub message: Option<String>,
    /// The first version in which it is deprecated.
    pub since: Option<String>,
    /// The place in the schema file.
    pub place: Place,
}

impl Deprecated {
    /// An empty note.
    ///
    /// ```
    /// use hcl_lr_language::schema::model::Deprecated;
    /// use hcl_lr_language::schema::{Attribute, Type};
    ///
    /// let note = Deprecated::new().with_replacement("retries").with_since("2.0");
    /// let retry = Attribute::new("retry", Type::INTEGER).with_deprecated(note);
    /// assert_eq!(retry.deprecated.and_then(|note| note.replacement).as_deref(), Some("retries"));
    /// ```
    pub fn new() -> Self {
        Deprecated { replacement: None, message: None, since: None, place: Place::nowhere() }
    }

    /// Sets the name to use instead, which must mean the same.
    pub fn with_replacement(mut self, replacement: impl Into<String>) -> Self {
        self.replacement = Some(replacement.into());
        self
    }

    /// Sets the advice for users, in a few words.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Sets the first version in which it is deprecated.
    pub fn with_since(mut self, version: impl Into<String>) -> Self {
        self.since = Some(version.into());
        self
    }
}

impl Default for Deprecated {
    fn default() -> Self {
        Deprecated::new()
    }
}
