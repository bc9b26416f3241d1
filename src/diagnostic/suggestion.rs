//! Edits that fix a problem.

use std::borrow::Cow;
use std::sync::Arc;

use crate::sorting::sort_by_key;
use crate::source::{Place, Replacement, Source, Span};

/// The safety of a suggested edit: safe to apply without a review, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Applicability {
    /// The result is surely as the author intended: `hcl check --fix` applies the edit.
    Safe,
    /// The result is likely as the author intended, or the start of it: it needs a review.
    NeedsReview,
}

impl Applicability {
    /// Safe on a condition.
    pub(crate) fn safe_if(safe: bool) -> Self {
        if safe { Applicability::Safe } else { Applicability::NeedsReview }
    }

    /// `"safe"` or `"needs-review"`.
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::NeedsReview => "needs-review",
        }
    }
}

/// A text for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub(super) place: Place,
    pub(super) text: Cow<'static, str>,
}

impl Edit {
    /// The place whose text is replaced. If it is empty, the text is inserted there.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the new text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Edits that together would fix the problem of a [`Diagnostic`](super::Diagnostic).
///
/// ```
/// use std::sync::Arc;
/// use hcl_lr::diagnostic::Suggestion;
/// use hcl_lr::source::{Place, Replacement, Source, Span};
///
/// let source = Arc::new(Source::new("a.hcl", "a = yes\n"));
/// let suggestion = Suggestion::new("write `true`").replace(Place::new(&source, Span::new(4, 7)), "true");
/// let edits = suggestion.replacements_in(&source);
/// assert_eq!(Replacement::apply(&edits, source.text())?, "a = true\n");
/// # Ok::<(), hcl_lr::source::ReplacementError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    pub(super) message: Cow<'static, str>,
    pub(super) edits: Vec<Edit>,
    pub(super) applicability: Applicability,
}

impl Suggestion {
    /// Creates a suggestion that needs a review. `message` describes the edits: "remove the comma".
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Suggestion { message: message.into(), edits: Vec::new(), applicability: Applicability::NeedsReview }
    }

    /// Creates a suggestion that needs no review: the result surely parses and has the intended meaning.
    pub fn safe(message: impl Into<Cow<'static, str>>) -> Self {
        Suggestion { applicability: Applicability::Safe, ..Suggestion::new(message) }
    }

    /// Adds an edit that replaces the text at a place; an empty text removes it. The edits of a suggestion must not
    /// overlap.
    pub fn replace(mut self, place: impl Into<Place>, text: impl Into<Cow<'static, str>>) -> Self {
        self.edits.push(Edit { place: place.into(), text: text.into() });
        self
    }

    /// Removes a text.
    pub fn remove(self, place: impl Into<Place>) -> Self {
        self.replace(place, "")
    }

    /// Puts a text before a place.
    pub fn insert_before(self, place: &Place, text: impl Into<Cow<'static, str>>) -> Self {
        let start = place.span().start() as u32;
        self.replace(Place::new(place.source(), Span::of(start, start)), text)
    }

    /// Puts a text after a place.
    pub fn insert_after(self, place: &Place, text: impl Into<Cow<'static, str>>) -> Self {
        let end = place.span().end() as u32;
        self.replace(Place::new(place.source(), Span::of(end, end)), text)
    }

    /// Returns the effect of the edits, for users.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The edits.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Returns the safety of making the edits without a review.
    pub fn applicability(&self) -> Applicability {
        self.applicability
    }

    /// Returns the edits in one source, in order, as they can be [applied](Replacement::apply) to its text.
    pub fn replacements_in(&self, source: &Arc<Source>) -> Vec<Replacement> {
        let here = self.edits.iter().filter(|edit| Arc::ptr_eq(edit.place.source(), source));
        let mut replacements: Vec<Replacement> =
            here.map(|edit| Replacement::new(edit.place.span(), edit.text.clone())).collect();
        sort_by_key(&mut replacements, Replacement::span);
        replacements
    }
}
