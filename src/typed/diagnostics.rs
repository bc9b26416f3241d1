//! Deserializes diagnostics.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ::serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::diagnostic::{Applicability, Code, Diagnostic, Diagnostics, Severity, Suggestion};
use crate::source::{Place, Source, Span};

/// Reads [`Diagnostics`] that another process has serialized. Their places have file names but no texts, which are
/// needed to show a place, so the sources are passed in.
///
/// ```
/// use std::sync::Arc;
/// use hcl_lr::typed::DiagnosticsIn;
/// use hcl_lr::{File, Source, parse};
/// use serde::de::DeserializeSeed;
///
/// let source = Arc::new(Source::new("main.hcl", "a = 'b'\n"));
/// let found = parse::<File>((*source).clone()).into_result().unwrap_err();
/// let sent = serde_json::to_string(&found)?;
///
/// let received = DiagnosticsIn::new([source]).deserialize(&mut serde_json::Deserializer::from_str(&sent))?;
/// assert_eq!(received.render(), found.render());
/// assert_eq!(received.first().unwrap().code(), found.first().unwrap().code());
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// A file is not among the sources, a place is not in its text, or the input does not have the shape of
/// [`Diagnostics::to_json`].
#[derive(Clone, Debug)]
pub struct DiagnosticsIn {
    sources: Vec<Arc<Source>>,
}

impl DiagnosticsIn {
    /// Creates a reader of diagnostics about some sources, which are identified by their names.
    pub fn new(sources: impl IntoIterator<Item = Arc<Source>>) -> Self {
        DiagnosticsIn { sources: sources.into_iter().collect() }
    }

    fn place<E: Error>(&self, shape: PlaceShape) -> Result<Place, E> {
        let (name, start, end) =
            (needed(shape.filename, "filename")?, needed(shape.start, "start")?, needed(shape.end, "end")?);
        let (start, end) = (needed(start.byte, "byte")?, needed(end.byte, "byte")?);
        let nowhere = Place::nowhere();
        let source = match self.sources.iter().find(|source| source.name() == name) {
            Some(source) => source,
            None if name == nowhere.source().name() => return Ok(nowhere),
            None => return Err(E::custom(format_args!("the source {name:?} is not among those given"))),
        };
        let text = source.text();
        let (from, to) = (start as usize, end as usize);
        if from > to || !text.is_char_boundary(from) || !text.is_char_boundary(to) {
            return Err(E::custom(format_args!(
                "the bytes {start} to {end} are not a place in the given text of {name:?}"
            )));
        }
        Ok(Place::new(source, Span::of(start, end)))
    }

    fn diagnostic<E: Error>(&self, shape: DiagnosticShape) -> Result<Diagnostic, E> {
        let severities = [Severity::Error, Severity::Warning, Severity::Note];
        let severity = one_of(severities, Severity::as_str, needed(shape.severity, "severity")?)?;
        let code = Code::from(needed(shape.code, "code")?);
        let (summary, detail) = (needed(shape.summary, "summary")?, needed(shape.detail, "detail")?);
        let place = self.place(needed(shape.subject, "subject")?)?;
        // If a kind has no headline, the detail is the headline.
        let is_headline = detail.is_empty() && code.summary().is_empty();
        let has_own_summary = !is_headline && summary != code.summary();
        let mut diagnostic = match is_headline {
            true => Diagnostic::new(severity, code, place, summary.clone()),
            false => Diagnostic::new(severity, code, place, detail),
        };
        if has_own_summary {
            diagnostic = diagnostic.with_summary(summary);
        }
        if let Some(context) = shape.context {
            diagnostic = diagnostic.with_context(self.place::<E>(context)?);
        }
        for label in shape.labels.unwrap_or_default() {
            let place = self.place::<E>(needed(label.place, "place")?)?;
            diagnostic = diagnostic.with_label(place, needed(label.message, "message")?);
        }
        if let Some(help) = shape.help {
            diagnostic = diagnostic.with_help(help);
        }
        for suggestion in shape.suggestions.unwrap_or_default() {
            diagnostic = diagnostic.with_suggestion(self.suggestion(suggestion)?);
        }
        Ok(diagnostic)
    }

    fn suggestion<E: Error>(&self, shape: SuggestionShape) -> Result<Suggestion, E> {
        let kinds = [Applicability::Safe, Applicability::NeedsReview];
        let message = needed(shape.message, "message")?;
        let mut suggestion = match one_of(kinds, Applicability::as_str, needed(shape.applicability, "applicability")?)?
        {
            Applicability::Safe => Suggestion::safe(message),
            Applicability::NeedsReview => Suggestion::new(message),
        };
        for edit in shape.edits.unwrap_or_default() {
            let place = self.place::<E>(needed(edit.place, "place")?)?;
            suggestion = suggestion.replace(place, needed(edit.text, "text")?);
        }
        Ok(suggestion)
    }
}

fn needed<T, E: Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
    field.ok_or_else(|| E::missing_field(name))
}

fn one_of<T: Copy, E: Error, const N: usize>(all: [T; N], name: fn(T) -> &'static str, text: String) -> Result<T, E> {
    let found = all.into_iter().find(|candidate| name(*candidate) == text);
    found.ok_or_else(|| E::custom(format_args!("{text:?} is none of {}", all.map(name).join(", "))))
}

impl<'de> DeserializeSeed<'de> for DiagnosticsIn {
    type Value = Diagnostics;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Diagnostics, D::Error> {
        let shapes = Vec::<DiagnosticShape>::deserialize(deserializer)?;
        shapes.into_iter().map(|shape| self.diagnostic(shape)).collect()
    }
}

/// Structures whose fields may all be missing, in their serialized form.
macro_rules! shapes {
    ($($shape:ident $name:literal { $($field:ident: $ty:ty,)+ })+) => {$(
        #[derive(Default)]
        struct $shape {
            $($field: Option<$ty>,)+
        }

        impl<'de> Deserialize<'de> for $shape {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_struct($name, &[$(stringify!($field)),+], Fields::<$shape>(PhantomData))
            }
        }

        impl<'de> Visitor<'de> for Fields<$shape> {
            type Value = $shape;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!("an object with the properties of a ", $name))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<$shape, A::Error> {
                let mut shape = $shape::default();
                while let Some(name) = fields.next_key::<String>()? {
                    match &*name {
                        $(stringify!($field) => shape.$field = Some(fields.next_value()?),)+
                        _ => {
                            fields.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(shape)
            }
        }
    )+};
}

struct Fields<T>(PhantomData<T>);

shapes! {
    DiagnosticShape "diagnostic" {
        severity: String,
        code: String,
        summary: String,
        detail: String,
        subject: PlaceShape,
        context: PlaceShape,
        labels: Vec<LabelShape>,
        help: String,
        suggestions: Vec<SuggestionShape>,
    }
    LabelShape "label" {
        message: String,
        place: PlaceShape,
    }
    SuggestionShape "suggestion" {
        message: String,
        applicability: String,
        edits: Vec<EditShape>,
    }
    EditShape "edit" {
        place: PlaceShape,
        text: String,
    }
    PlaceShape "place" {
        filename: String,
        start: PositionShape,
        end: PositionShape,
    }
    PositionShape "position" {
        byte: u32,
    }
}
