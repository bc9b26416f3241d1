//! A diagnostic: severity, code, place, messages and suggestions.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::{Code, Severity, Suggestion};
use crate::source::visible::Line;
use crate::source::{Place, Position, Source, Span};

/// A problem or remark: the place, the message, and advice.
///
/// ```
/// let diagnostics = hcl_lr::parse::<hcl_lr::File>("a = 'x'\n").into_result().unwrap_err();
/// let first = diagnostics.first().unwrap();
/// assert_eq!(first.code(), "single-quotes");
/// assert_eq!(first.place().to_string(), "<input>:1:5");
/// assert_eq!(first.place().text(), "'x'");
/// ```
///
/// Applications and lint rules create their own in the same way, with their own codes:
///
/// ```
/// use hcl_lr::{Body, parse};
/// use hcl_lr::diagnostic::{Diagnostic, Suggestion};
///
/// let attributes = parse::<Body>(("a.hcl", "Port = 80\n")).into_result()?.attributes().into_result()?;
/// let place = attributes.get("Port").expect("it is there").name_place();
/// let diagnostic = Diagnostic::warning("acme/lower-case", &place, "a name is in lower case")
///     .with_summary("Capital letters")
///     .with_suggestion(Suggestion::safe("write `port`").replace(&place, "port"));
/// assert_eq!(diagnostic.to_string(), "a.hcl:1:1: warning[acme/lower-case]: Capital letters: a name is in lower case");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub(super) severity: Severity,
    pub(super) code: Code,
    pub(super) summary: Option<Cow<'static, str>>,
    pub(super) detail: Cow<'static, str>,
    pub(super) place: Place,
    pub(super) context: Option<Place>,
    pub(super) labels: Vec<Label>,
    pub(super) help: Option<Cow<'static, str>>,
    pub(super) suggestions: Vec<Suggestion>,
}

/// Another place that is related to a diagnostic, perhaps in another source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub(super) place: Place,
    pub(super) message: Cow<'static, str>,
}

impl Label {
    /// The place.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the text of the label.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl Diagnostic {
    /// Creates a diagnostic of a kind at a place; `detail` describes the problem in a sentence. The kind is one of the
    /// [`Code`]s of the library, or a name that an application has chosen.
    pub fn new(
        severity: Severity,
        code: impl Into<Code>,
        place: impl Into<Place>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Diagnostic {
            severity,
            code: code.into(),
            summary: None,
            detail: detail.into(),
            place: place.into(),
            context: None,
            labels: Vec::new(),
            help: None,
            suggestions: Vec::new(),
        }
    }

    /// An error: see [`new`](Self::new).
    pub fn error(code: impl Into<Code>, place: impl Into<Place>, detail: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic::new(Severity::Error, code, place, detail)
    }

    /// A warning: see [`new`](Self::new).
    pub fn warning(code: impl Into<Code>, place: impl Into<Place>, detail: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic::new(Severity::Warning, code, place, detail)
    }

    /// A note: see [`new`](Self::new).
    pub fn note(code: impl Into<Code>, place: impl Into<Place>, detail: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic::new(Severity::Note, code, place, detail)
    }

    /// Sets a short description of the kind of problem. The default is that of the [`Code`]; a code of an application
    /// has none, so the detail becomes the headline.
    pub fn with_summary(mut self, summary: impl Into<Cow<'static, str>>) -> Self {
        self.summary = Some(summary.into());
        self
    }

    /// Says that it is of another kind.
    pub fn with_code(mut self, code: impl Into<Code>) -> Self {
        self.code = code.into();
        self
    }

    /// Says that it is somewhere else.
    pub fn at(mut self, place: impl Into<Place>) -> Self {
        self.place = place.into();
        self
    }

    /// Says what to do about it.
    pub fn with_help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a related place.
    pub fn with_label(mut self, place: impl Into<Place>, message: impl Into<Cow<'static, str>>) -> Self {
        self.labels.push(Label { place: place.into(), message: message.into() });
        self
    }

    /// Adds the wider construct in which it is.
    pub fn with_context(mut self, context: impl Into<Place>) -> Self {
        self.context = Some(context.into());
        self
    }

    /// Adds edits that would fix it.
    pub fn with_suggestion(mut self, suggestion: Suggestion) -> Self {
        self.suggestions.push(suggestion);
        self
    }

    /// Returns the diagnostic for other places, such as those of the same items after an edit elsewhere in the text: its own,
    /// those of its context and labels, and those of its suggested edits. `None` if one of them has no new place.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use hcl_lr::diagnostic::Diagnostic;
    /// use hcl_lr::source::{Place, Source, Span};
    ///
    /// let before = Arc::new(Source::new("a.hcl", "b = x\n"));
    /// let after = Arc::new(Source::new("a.hcl", "\nb = x\n"));
    /// let wrong = Diagnostic::error("acme/name", Place::new(&before, Span::new(4, 5)), "`x` is too short");
    /// let moved = wrong.with_places(|place| Some(Place::new(&after, Span::new(place.span().start() + 1, place.span().end() + 1))));
    /// assert_eq!(moved.expect("it has a place").place().to_string(), "a.hcl:2:5");
    /// ```
    pub fn with_places(&self, mut place_of: impl FnMut(&Place) -> Option<Place>) -> Option<Diagnostic> {
        let mut moved = self.clone();
        let edits = moved.suggestions.iter_mut().flat_map(|suggestion| &mut suggestion.edits);
        let places = edits
            .map(|edit| &mut edit.place)
            .chain(moved.labels.iter_mut().map(|label| &mut label.place))
            .chain(&mut moved.context)
            .chain([&mut moved.place]);
        for place in places {
            *place = place_of(place)?;
        }
        Some(moved)
    }

    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The stable name of its kind.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Returns a short description of the kind of problem; empty if there is none.
    pub fn summary(&self) -> &str {
        self.summary.as_deref().unwrap_or(self.code.summary())
    }

    /// Returns a sentence that describes the problem.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns the place, as exact as possible.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The source that it is in.
    pub fn source(&self) -> &Arc<Source> {
        self.place.source()
    }

    /// Returns the span in the source.
    pub fn span(&self) -> Span {
        self.place.span()
    }

    /// Line and column of where it begins.
    pub fn position(&self) -> Position {
        self.place.position()
    }

    /// The construct in which it is.
    pub fn context(&self) -> Option<&Place> {
        self.context.as_ref()
    }

    /// Other places that have to do with it.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Returns the advice for fixing the problem.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Returns alternative suggestions that would fix the problem.
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.suggestions
    }

    /// Returns the headline, and the remaining text for the place.
    pub fn in_two_parts(&self) -> (&str, &str) {
        match self.summary() {
            "" => (&self.detail, ""),
            summary => (summary, &self.detail),
        }
    }
}

/// Writes one line: `name:line:column: error[code]: summary: detail`. Line ends and control characters in it become
/// escape sequences such as `\n` and `\u{1b}`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { severity, code, place, .. } = self;
        let (headline, detail) = self.in_two_parts();
        write!(f, "{place}: {severity}[{}]: {}", Line(code.as_str()), Line(headline))?;
        if detail.is_empty() { Ok(()) } else { write!(f, ": {}", Line(detail)) }
    }
}

impl std::error::Error for Diagnostic {}
