//! Errors in the values of sensitive inputs, without the values.

use std::collections::BTreeMap;
use std::sync::Arc;

use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::internal::SENSITIVE;
use hcl_lr::model::hidden;
use hcl_lr::model::{Mark, MarkSet};
use hcl_lr::source::{Place, Source, Span};

/// Errors in a source whose text must not be shown. Nothing of that text is kept: not in the words of the errors, and not
/// in their excerpts, which show a replacement for the values. The name of the source and the lines stay.
pub struct ConcealedErrors {
    name: String,
    /// The lines with errors, counted from 1, and what may be shown of them before a value.
    lines: BTreeMap<usize, String>,
    errors: Vec<(usize, Diagnostic)>,
    marks: MarkSet,
}

impl ConcealedErrors {
    /// No errors yet in a source of a name.
    pub fn new(name: &str) -> Self {
        let marks = MarkSet::from(Mark::new(SENSITIVE));
        ConcealedErrors { name: name.to_owned(), lines: BTreeMap::new(), errors: Vec::new(), marks }
    }

    /// Sets the marks of the values, which are `sensitive` by default.
    pub(super) fn with_marks(mut self, marks: MarkSet) -> Self {
        self.marks = marks;
        self
    }

    /// Adds errors, which are shown at the line of a place. `before` is the text that may be shown before the value.
    pub fn add(&mut self, found: Diagnostics, place: &Place, before: &str) {
        if found.is_empty() {
            return;
        }
        let line = place.position().line;
        self.lines.entry(line).or_insert_with(|| before.to_owned());
        self.errors.extend(found.into_iter().map(|error| (line, error)));
    }

    /// The errors as they may be shown.
    pub fn into_diagnostics(self) -> Diagnostics {
        let shown = hidden::text(&self.marks);
        let (mut text, mut at, mut spans) = (String::new(), 1, BTreeMap::new());
        for (line, before) in self.lines {
            text.extend(std::iter::repeat_n('\n', line.saturating_sub(at)));
            text += &before;
            let start = text.len();
            text += &shown;
            spans.insert(line, Span::new(start, text.len()));
            at = line;
        }
        let source = Arc::new(Source::new(&self.name, text));
        let detail = format!("the value is {}", hidden::because(&self.marks));
        let errors = self.errors.into_iter().filter_map(|(line, error)| {
            let place = Place::new(&source, *spans.get(&line)?);
            let new = Diagnostic::new(error.severity(), error.code().clone(), place, detail.clone());
            Some(match *error.code() {
                Code::UnknownVariable | Code::VariablesNotAllowed => new.with_help("a text is written in quotes"),
                _ => new,
            })
        });
        errors.collect::<Diagnostics>().without_repetitions()
    }
}
