//! The templates that strings of a document are (JSON syntax specification, "Expressions").

use std::borrow::Cow;

use super::StringText;
use crate::diagnostic::Outcome;
use crate::reading::ParseOptions;
use crate::source::Source;
use crate::syntax::{File, template_file};

/// Returns the options for reading a string: those of its document.
pub(crate) fn options_of(text: StringText<'_>) -> ParseOptions {
    ParseOptions::new().dialect(text.node().dialect())
}

/// The text of a string as a source of its own.
pub(crate) fn source_of(text: StringText<'_>) -> Source {
    source_with(text, text.text())
}

fn source_with(text: StringText<'_>, decoded: Cow<'_, str>) -> Source {
    Source::string_in(text.node().source(), decoded, text.offsets())
}

/// The template that a string is; or its text, if it has no interpolations and directives, so that it
/// is just that. A byte order mark that it begins with is no part of either.
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

/// The first of these in a template is not read.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The property that is a comment.
pub const COMMENT: &str = "//";
