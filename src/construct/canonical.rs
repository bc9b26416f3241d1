//! Formats text from elsewhere canonically.

use crate::format::format;
use crate::writer::{Layout, Shape};

impl Layout {
    /// Returns the text, in canonical form.
    pub(crate) fn finish(self) -> String {
        let (text, needs_format) = self.into_parts();
        if needs_format { format(&text) } else { text }
    }

    /// Adds an expression that was written elsewhere.
    pub(crate) fn expression(&mut self, text: &str) -> Shape {
        if text.contains(['\n', '\r']) {
            return self.unformatted_expression(text);
        }
        self.push(&formatted(text));
        Shape::Plain
    }
}

/// An expression in canonical form, as the value of an attribute.
pub(super) fn formatted(text: &str) -> String {
    const LEAD: &str = "x = ";
    let line = format(&format!("{LEAD}{text}\n"));
    line.strip_prefix(LEAD).and_then(|line| line.strip_suffix('\n')).unwrap_or(text).to_owned()
}
