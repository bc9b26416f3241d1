//! Reads strings of a document as templates (JSON syntax specification, "Expressions").

use std::borrow::Cow;

use super::StringText;
use crate::diagnostic::Outcome;
use crate::reading::ParseOptions;
use crate::source::Source;
use crate::syntax::{File, template_file};

/// Returns the options for reading a string: those of its document.
pub(crate) fn options_of(text: StringText<'_>) -> ParseOptions {
    ParseOptions::new().with_dialect(text.node().dialect())
}

/// Returns the text of a string as a source of its own.
pub(crate) fn source_of(text: StringText<'_>) -> Source {
    source_with(text, text.text())
}

fn source_with(text: StringText<'_>, decoded: Cow<'_, str>) -> Source {
    Source::string_in(text.node().source(), decoded, text.offsets())
}

/// Returns the template in a string; or its text, if it has no interpolations and directives. Neither includes a byte
/// order mark at the beginning.
pub fn template_of(text: StringText<'_>) -> Result<Outcome<File>, Cow<'_, str>> {
    let decoded = text.text();
    if !decoded.contains("${") && !decoded.contains("%{") {
        return Err(match decoded.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => Cow::Owned(rest.to_owned()),
            None => decoded,
        });
    }
    Ok(template_file(source_with(text, decoded), &options_of(text)))
}

impl<'t> StringText<'t> {
    /// Returns the template in the string; or its text, if it has no interpolations and directives. Neither includes a
    /// byte order mark at the beginning.
    ///
    /// ```
    /// use hcl_lr::json::Document;
    ///
    /// let document = hcl_lr::parse::<Document>(r#"["a", "${b}"]"#).into_result()?;
    /// let array = document.root().as_array().expect("an array");
    /// let strings: Vec<_> = array.elements().filter_map(|element| element.as_string()).collect();
    /// assert_eq!(strings[0].template().unwrap_err(), "a");
    /// assert_eq!(strings[1].template().expect("a template").value().template().parts().count(), 1);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The string is not a template; the error is its text.
    pub fn template(self) -> Result<Outcome<File>, Cow<'t, str>> {
        template_of(self)
    }
}

/// A template is read without this character at its start.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The property that is a comment.
pub const COMMENT: &str = "//";
