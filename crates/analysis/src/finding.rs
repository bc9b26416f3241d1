//! A diagnostic with its severity and style in an editor.

use hcl_lr::diagnostic::{Diagnostic, Severity};

/// A diagnostic for an editor.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// The severity, by the settings.
    pub severity: Severity,
    /// The tag that changes how the place looks.
    pub tag: Option<Tag>,
}

/// A kind of text that editors show in another style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Nothing uses it.
    Unused,
    /// It should not be used any more.
    Deprecated,
}
