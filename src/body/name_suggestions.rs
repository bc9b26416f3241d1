//! Suggestions for misspelled names.
#![allow(missing_docs, reason = "public for the packages of this workspace only")]

use crate::diagnostic::Finding;
use crate::source::Span;

/// The number of names compared for the problems of one body. Both the body and the schema may be large; comparing all
/// names of one to all of the other would take longer than everything else.
const MAX_COMPARISONS: usize = 200_000;

/// Suggestions for unexpected names in a body.
#[derive(Default, Debug)]
pub struct NameSuggestions {
    comparisons: usize,
}

impl NameSuggestions {
    /// Returns a suggestion if one of the names was probably meant, as long as not too many names have been compared.
    pub fn suggest<'c>(
        &mut self,
        diagnostic: Finding,
        name: &str,
        written: Span,
        candidates: impl Iterator<Item = &'c str>,
    ) -> Finding {
        let left = MAX_COMPARISONS - self.comparisons;
        let comparisons = &mut self.comparisons;
        diagnostic.with_similar(name, written, candidates.take(left).inspect(|_| *comparisons += 1))
    }
}
