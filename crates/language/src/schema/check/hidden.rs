//! The places of values that must not be shown.

use hcl_lr::source::Span;

/// The spans of the values in a file that a schema calls sensitive or write-only, each in source order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiddenSpans {
    /// The values that must not be shown. Write-only ones are among them.
    pub sensitive: Vec<Span>,
    /// The values that the program uses without storing them.
    pub write_only: Vec<Span>,
}

impl HiddenSpans {
    /// Adds the spans of other findings in the same file.
    pub fn add(&mut self, others: HiddenSpans) {
        self.sensitive.extend(others.sensitive);
        self.write_only.extend(others.write_only);
        for spans in [&mut self.sensitive, &mut self.write_only] {
            spans.sort_unstable();
            spans.dedup();
        }
    }
}
