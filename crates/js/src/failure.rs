//! Errors, and diagnostics as JSON.

use hcl_lr::diagnostic::{Diagnostic, Diagnostics};
use hcl_lr::source::Place;
use wasm_bindgen::JsValue;

use crate::json;
use crate::places::AllPlaces;

/// The reason why there is no result: a message, and the diagnostics behind it.
#[derive(Debug)]
pub struct Failure {
    message: String,
    diagnostics: Diagnostics,
}

impl Failure {
    /// Returns the message and the diagnostics as JSON: an object with `message`, `diagnostics` and `report`.
    pub fn to_json(&self) -> String {
        let mut out = "{".to_owned();
        json::text("message", &self.message, &mut out);
        json::name("diagnostics", &mut out);
        diagnostics(&self.diagnostics, &mut out);
        json::text("report", &report(&self.diagnostics), &mut out);
        out.push('}');
        out
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Failure {
        let mut errors = diagnostics.errors();
        let mut message = errors.next().map_or_else(|| "there are errors".to_owned(), headline);
        match errors.count() {
            0 => {}
            1 => message.push_str(" (and 1 more error)"),
            more => message.push_str(&format!(" (and {more} more errors)")),
        }
        Failure { message, diagnostics }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure { message, diagnostics: Diagnostics::new() }
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Failure {
        message.to_owned().into()
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> JsValue {
        JsValue::from_str(&failure.to_json())
    }
}

/// The result of an exported function: text, or JSON.
pub type Answer = Result<String, Failure>;

fn headline(error: &Diagnostic) -> String {
    let position = error.position();
    let (summary, detail) = error.in_two_parts();
    let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
    format!("{}:{}:{}: {summary}{detail}", error.source().name(), position.line, position.column)
}

/// Returns diagnostics with their source lines, for people.
fn report(diagnostics: &Diagnostics) -> String {
    if diagnostics.is_empty() { String::new() } else { diagnostics.render() }
}

/// Appends diagnostics as JSON.
pub fn diagnostics(all: &Diagnostics, out: &mut String) {
    let mut places = AllPlaces::default();
    json::list(all.iter(), out, |diagnostic, out| one(diagnostic, &mut places, out));
}

fn one(diagnostic: &Diagnostic, places: &mut AllPlaces, out: &mut String) {
    let (summary, detail) = diagnostic.in_two_parts();
    out.push('{');
    json::text("severity", &diagnostic.severity().to_string(), out);
    json::text("code", diagnostic.code().as_str(), out);
    json::text("summary", summary, out);
    json::text("detail", detail, out);
    place(diagnostic.place(), places, out);
    if let Some(help) = diagnostic.help() {
        json::text("help", help, out);
    }
    json::name("labels", out);
    json::list(diagnostic.labels(), out, |label, out| {
        out.push('{');
        json::text("message", label.message(), out);
        place(label.place(), places, out);
        out.push('}');
    });
    json::name("fixes", out);
    json::list(diagnostic.suggestions(), out, |suggestion, out| {
        out.push('{');
        json::text("message", suggestion.message(), out);
        let is_safe = suggestion.applicability().as_str() == "safe";
        json::plain("safe", is_safe, out);
        json::name("edits", out);
        json::list(suggestion.edits(), out, |edit, out| {
            out.push('{');
            place(edit.place(), places, out);
            json::text("text", edit.text(), out);
            out.push('}');
        });
        out.push('}');
    });
    out.push('}');
}

/// Appends the properties `file` and `range`.
fn place(place: &Place, places: &mut AllPlaces, out: &mut String) {
    json::text("file", place.source().name(), out);
    json::name("range", out);
    places.of(place.source()).range(place.span(), out);
}
