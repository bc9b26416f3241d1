//! Errors in the values of sensitive inputs, without the values.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::{Mark, MarkSet, SENSITIVE, hidden};
use crate::source::{Place, Source, Span};

/// Returns errors in the text of a value with nothing of that text: not in their words, and not in their excerpts, which
/// show `text` with a replacement for the value. Their places keep the name of the source and the line of `place`.
pub(crate) fn concealed(found: Diagnostics, place: &Place, text: &str) -> Diagnostics {
    let marks = MarkSet::from(Mark::new(SENSITIVE));
    let line = place.position().line.saturating_sub(1);
    let before = "\n".repeat(line) + text;
    let shown = hidden::text(&marks);
    let span = Span::new(before.len() as u32, (before.len() + shown.len()) as u32);
    let source = Arc::new(Source::new(place.source().name(), before + &shown));
    let mut all = Diagnostics::new();
    for error in found.iter() {
        let detail = format!("the value is {}", hidden::because(&marks));
        let new = Diagnostic::new(error.severity(), error.code().clone(), Place::new(&source, span), detail);
        all.push(match *error.code() {
            Code::UnknownVariable | Code::VariablesNotAllowed => new.with_help("a text is written in quotes"),
            _ => new,
        });
    }
    all.without_repetitions()
}
