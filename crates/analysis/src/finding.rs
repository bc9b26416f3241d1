//! A diagnostic with its severity and style in an editor.

use hcl_lr::diagnostic::{Diagnostic, Severity};

use crate::settings::Settings;

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

impl Finding {
    /// A diagnostic with the severity that the settings give it; `None` if they turn it off.
    pub(crate) fn new(diagnostic: Diagnostic, tag: Option<Tag>, settings: &Settings) -> Option<Finding> {
        let severity = match settings.severities.get(diagnostic.code().as_str()) {
            Some(severity) => *severity,
            None => Some(diagnostic.severity()),
        };
        Some(Finding { severity: severity?, diagnostic, tag })
    }
}

/// A kind of text that editors show in another style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Nothing uses it.
    Unused,
    /// It should not be used any more.
    Deprecated,
}
