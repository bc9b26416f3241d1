//! A diagnostic before its source is attached.

use std::borrow::Cow;
use std::sync::Arc;

use super::json::escaped;
use super::{Applicability, Code, Diagnostic, Diagnostics, Edit, Label, Severity, Suggestion};
use crate::similar::similar_name;
use crate::source::{Place, Replacement, Source, Span};

/// A diagnostic before its source is attached. It has a span of a source that only the caller knows, and becomes a
/// [`Diagnostic`] by [`in_source`](Self::in_source) when findings are collected.
#[derive(Clone, Debug)]
pub struct Finding {
    severity: Severity,
    code: Code,
    detail: Cow<'static, str>,
    subject: Span,
    context: Option<Span>,
    labels: Vec<(Span, Cow<'static, str>)>,
    help: Option<Cow<'static, str>>,
    fixes: Vec<Fix>,
}

/// Edits that implement the help.
#[derive(Clone, Debug)]
struct Fix {
    /// The effect of the edits, if the help does not describe it.
    message: Option<Cow<'static, str>>,
    edits: Edits,
    applicability: Applicability,
}

#[derive(Clone, Debug)]
enum Edits {
    Texts(Vec<Replacement>),
    /// Replaces a name, which is written bare or in quotes, by a text; `bare` is true if the text is valid without
    /// quotes.
    InPlaceOf {
        name: Box<str>,
        span: Span,
        text: Box<str>,
        bare: bool,
    },
}

impl Finding {
    /// Creates an error of a kind at a span; `detail` describes the problem there.
    pub fn error(code: Code, subject: Span, detail: impl Into<Cow<'static, str>>) -> Self {
        Finding {
            severity: Severity::Error,
            code,
            detail: detail.into(),
            subject,
            context: None,
            labels: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// A warning of a kind at a span.
    pub fn warning(code: Code, subject: Span, detail: impl Into<Cow<'static, str>>) -> Self {
        Finding { severity: Severity::Warning, ..Finding::error(code, subject, detail) }
    }

    /// The same as a warning.
    pub fn into_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Says what to do about it.
    pub fn with_help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a related span.
    pub fn with_label(mut self, span: Span, message: impl Into<Cow<'static, str>>) -> Self {
        self.labels.push((span, message.into()));
        self
    }

    /// Adds the wider construct around the subject.
    pub fn with_context(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// Adds edits that implement the help.
    pub fn with_edits(mut self, applicability: Applicability, edits: impl IntoIterator<Item = Replacement>) -> Self {
        let edits = Edits::Texts(edits.into_iter().collect());
        self.fixes.push(Fix { message: None, edits, applicability });
        self
    }

    /// Adds edits that need a review and implement one of several options of the help.
    pub fn with_choice(
        mut self,
        message: impl Into<Cow<'static, str>>,
        edits: impl IntoIterator<Item = Replacement>,
    ) -> Self {
        let edits = Edits::Texts(edits.into_iter().collect());
        self.fixes.push(Fix { message: Some(message.into()), edits, applicability: Applicability::NeedsReview });
        self
    }

    /// Leaves out its edits.
    pub fn without_edits(mut self) -> Self {
        self.fixes.clear();
        self
    }

    /// Extends the edits by another one; without it they are not enough, so they are dropped.
    pub fn extend_edits(&mut self, edit: Option<Replacement>) {
        match (self.fixes.last_mut().map(|fix| &mut fix.edits), edit) {
            (Some(Edits::Texts(edits)), Some(edit)) => edits.push(edit),
            _ => self.fixes.clear(),
        }
    }

    /// Suggests one of the candidates for the misspelled name at `span`, with an edit.
    pub fn with_similar<'c>(self, name: &str, span: Span, candidates: impl IntoIterator<Item = &'c str>) -> Self {
        match similar_name(name, candidates) {
            Some(meant) => self.with_meant(name, span, meant),
            None => self,
        }
    }

    /// Suggests another name for the one at `span`, with an edit.
    pub fn with_meant(self, name: &str, span: Span, meant: &str) -> Self {
        self.with_help(format!("did you mean \"{meant}\"?")).with_renaming(span, name, meant)
    }

    /// Adds the edit that replaces the name at `span` by another one, if the name is written there, bare or in quotes:
    /// it may be computed, or come from elsewhere.
    pub fn with_renaming(self, span: Span, name: &str, other: &str) -> Self {
        self.in_place_of(span, name, other, can_be_bare(other))
    }

    /// Does the same for any text that can replace the name.
    pub fn with_writing(self, span: Span, name: &str, text: &str) -> Self {
        self.in_place_of(span, name, text, true)
    }

    fn in_place_of(mut self, span: Span, name: &str, text: &str, bare: bool) -> Self {
        let edits = Edits::InPlaceOf { name: name.into(), span, text: text.into(), bare };
        let message = Some(format!("write `{text}`").into());
        self.fixes.push(Fix { message, edits, applicability: Applicability::NeedsReview });
        self
    }

    /// Lets the subject end elsewhere.
    pub fn extend_subject(&mut self, end: usize) {
        self.subject = Span::new(self.subject.start(), end);
    }

    /// Moves an error about an open bracket to the end of the source; `noun` describes the source.
    pub fn move_unclosed_to_end(&mut self, end: usize, noun: &str) {
        if self.code.is_unclosed() && self.context == Some(Span::new(end, end)) {
            let opener = std::mem::replace(&mut self.subject, Span::new(end, end));
            self.labels.insert(0, (opener, "this is never closed".into()));
            self.detail = format!("the {noun} ends before everything is closed").into();
        }
    }

    /// Returns true if it is an error rather than a warning.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The stable name of its kind.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Returns the span.
    pub fn subject(&self) -> Span {
        self.subject
    }

    /// The other spans that have to do with it.
    pub fn label_spans(&self) -> impl Iterator<Item = Span> {
        self.labels.iter().map(|(span, _)| *span)
    }

    /// Returns the advice for fixing the problem.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Returns the diagnostic in the source of the spans. If that is a string within another source, the diagnostic is
    /// about the place of the string there.
    pub fn in_source(self, source: &Arc<Source>) -> Diagnostic {
        let place = |span| Place::new(source, span);
        let label = |(span, message)| Label { place: place(span), message };
        let Finding { severity, code, detail, subject, context, labels, help, fixes } = self;
        let suggestion = |Fix { message, edits, applicability }: Fix| {
            let edits = match edits {
                Edits::Texts(edits) => edits,
                Edits::InPlaceOf { name, span, text, bare } => {
                    vec![in_place_of(source.slice(span), &name, span, &text, bare)?]
                }
            };
            Some(Suggestion {
                message: message.or_else(|| help.clone()).unwrap_or_else(|| detail.clone()),
                edits: edits.into_iter().map(|replacement| edit(source, replacement)).collect(),
                applicability,
            })
        };
        Diagnostic {
            severity,
            code,
            summary: None,
            place: place(subject),
            context: context.map(place),
            labels: labels.into_iter().map(label).collect(),
            suggestions: fixes.into_iter().filter_map(suggestion).collect(),
            detail,
            help,
        }
    }
}

impl Diagnostic {
    /// Suggests one of the candidates for the misspelled name at a place, with an edit.
    pub fn with_similar<'c>(
        self,
        name: &str,
        place: &Place,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Diagnostic {
        let Some(meant) = similar_name(name, candidates) else { return self };
        let diagnostic = self.with_help(format!("did you mean \"{meant}\"?"));
        match in_place_of(place.text(), name, place.span(), meant, can_be_bare(meant)) {
            Some(replacement) => {
                let text = replacement.text().to_owned();
                diagnostic.with_suggestion(Suggestion::new(format!("write `{meant}`")).replace(place, text))
            }
            None => diagnostic,
        }
    }
}

/// Returns true if a name is valid without quotes.
fn can_be_bare(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':');
    name.chars().all(is_plain) && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns the edit that replaces a name by a text, if it is written bare or in quotes.
fn in_place_of(written: &str, name: &str, span: Span, text: &str, bare: bool) -> Option<Replacement> {
    match written == name && bare {
        true => Some(Replacement::new(span, text.to_owned())),
        false => in_quotes(written, name, span, text),
    }
}

/// Returns the edit that replaces a name in quotes by a text.
fn in_quotes(written: &str, name: &str, span: Span, text: &str) -> Option<Replacement> {
    let quoted = written.strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = !text.chars().any(|c| c.is_control() || matches!(c, '"' | '\\' | '$' | '%'));
    (quoted == name && is_plain).then(|| Replacement::new(span, format!("\"{text}\"")))
}

/// Returns an edit of a source, or of the JSON source that has it as a string.
fn edit(source: &Arc<Source>, replacement: Replacement) -> Edit {
    let mut text = Cow::Owned(replacement.text().to_owned());
    let mut outer = source.outer();
    while let Some(string) = outer {
        text = Cow::Owned(escaped(&text));
        outer = string.source().outer();
    }
    Edit { place: Place::new(source, replacement.span()), text }
}

/// Turns the findings in a source into diagnostics, in the order of their places.
pub fn in_source(source: &Arc<Source>, findings: impl IntoIterator<Item = Finding>) -> Diagnostics {
    let mut diagnostics: Diagnostics = findings.into_iter().map(|finding| finding.in_source(source)).collect();
    diagnostics.sort();
    diagnostics
}
