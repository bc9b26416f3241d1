//! Differences that are there on purpose.
//!
//! A pattern that is wider than its row hides what should be seen: each says as exactly as it can what the two answers
//! must have in common.

use serde_json::Value as Json;

use super::answers::{Difference, difference};

/// A request with two answers that differ.
pub struct Case<'c> {
    pub request: &'c Json,
    pub theirs: &'c Json,
    pub ours: &'c Json,
    pub difference: Option<Difference>,
}

/// The name of a row of `DIVERGENCES.md`, and the cases that it explains.
pub type Row = (&'static str, fn(&Case<'_>) -> bool);

impl<'c> Case<'c> {
    pub fn new(request: &'c Json, theirs: &'c Json, ours: &'c Json) -> Case<'c> {
        Case { request, theirs, ours, difference: difference(theirs, ours) }
    }

    /// Returns the first of some rows that explains the difference.
    pub fn row(&self, rows: &[Row]) -> Option<&'static str> {
        rows.iter().find(|(_, applies)| applies(self)).map(|(name, _)| *name)
    }

    /// Returns the source of the request.
    pub fn text(&self) -> &'c str {
        self.request["src"].as_str().unwrap_or_default()
    }
}

/// Returns true if a diagnostic of an answer contains a text.
pub fn says(answer: &Json, text: &str) -> bool {
    let diagnostics = answer["diags"].as_array().into_iter().flatten();
    let texts = diagnostics.flat_map(|found| [&found["summary"], &found["detail"]]);
    texts.chain([&answer["message"]]).filter_map(Json::as_str).any(|found| found.contains(text))
}

/// A panic within a function is an error for whoever calls it.
pub fn panics(case: &Case<'_>) -> bool {
    case.theirs.get("panic").is_some() || case.theirs["ok"] == false && says(case.theirs, "panic in function")
}
