//! Diagnostics in SARIF, the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code
//! hosts and editors read.

use serde_json::{Value, json};

use hcl_lr::diagnostic::{Code, Diagnostic, Severity, Suggestion, without_controls};
use hcl_lr::source::{Place, Source};

/// The document up to the results.
pub const BEGIN: &str = "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\
                         \"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"results\":[";

/// Returns the document after the results: the tool, the kinds of diagnostics found, and the files that could not be
/// checked.
pub fn end(codes: &[Code], failures: &[String]) -> String {
    let rules: Vec<Value> = codes.iter().map(rule).collect();
    let notifications: Vec<Value> =
        failures.iter().map(|message| json!({ "level": "error", "message": { "text": message } })).collect();
    let tool = json!({ "driver": {
        "name": "hcl",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    } });
    let invocation = json!({
        "executionSuccessful": failures.is_empty(),
        "toolExecutionNotifications": notifications,
    });
    let end = format!("],\"tool\":{tool},\"invocations\":[{invocation}]}}]}}\n");
    without_controls(&end).into_owned()
}

fn rule(code: &Code) -> Value {
    let explanation = code.explanation().unwrap_or_default();
    // The rest is an example.
    let text = explanation.split("\n```").next().unwrap_or_default().trim();
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.summary() },
        "fullDescription": { "text": text.replace("\n\n", "\u{0}").replace('\n', " ").replace('\u{0}', "\n\n") },
        "help": { "text": format!("`hcl explain {code}` says more."), "markdown": explanation },
    })
}

/// A diagnostic as a `result`.
pub fn result(diagnostic: &Diagnostic) -> String {
    let (headline, detail) = diagnostic.in_two_parts();
    let mut text = if detail.is_empty() { headline.to_owned() } else { format!("{headline}: {detail}") };
    if let Some(help) = diagnostic.help() {
        text += &format!("\nhelp: {help}");
    }
    let mut result = json!({
        "ruleId": diagnostic.code().as_str(),
        "level": match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "note",
        },
        "message": { "text": text },
        "locations": [{ "physicalLocation": location(diagnostic.place()) }],
    });
    let related: Vec<Value> = diagnostic
        .labels()
        .iter()
        .map(|label| json!({ "physicalLocation": location(label.place()), "message": { "text": label.message() } }))
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    let fixes: Vec<Value> = diagnostic.suggestions().iter().map(fix).collect();
    if !fixes.is_empty() {
        result["fixes"] = fixes.into();
    }
    without_controls(&result.to_string()).into_owned()
}

/// Converts a suggested edit. SARIF has no flag for safe edits: its readers review all of them.
fn fix(suggestion: &Suggestion) -> Value {
    let mut changes: Vec<(String, Vec<Value>)> = Vec::new();
    for edit in suggestion.edits() {
        let uri = uri(edit.place().source().name());
        let replacement = json!({
            "deletedRegion": region(edit.place()),
            "insertedContent": { "text": edit.text() },
        });
        match changes.iter_mut().find(|(known, _)| *known == uri) {
            Some((_, replacements)) => replacements.push(replacement),
            None => changes.push((uri, vec![replacement])),
        }
    }
    let changes: Vec<Value> = changes
        .into_iter()
        .map(|(uri, replacements)| json!({ "artifactLocation": { "uri": uri }, "replacements": replacements }))
        .collect();
    json!({ "description": { "text": suggestion.message() }, "artifactChanges": changes })
}

fn location(place: &Place) -> Value {
    json!({ "artifactLocation": { "uri": uri(place.source().name()) }, "region": region(place) })
}

fn region(place: &Place) -> Value {
    let (source, span) = (place.source(), place.span());
    let ((line, column), (end_line, end_column)) = (position(source, span.start()), position(source, span.end()));
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}

/// Returns the line and column, where the column counts Unicode characters.
fn position(source: &Source, offset: usize) -> (usize, usize) {
    let position = source.position(offset);
    let start = source.line_span(position.line).map_or(0, |line| line.start());
    let before = source.text()[start..position.byte].trim_start_matches('\u{feff}');
    (position.line, before.chars().count() + 1)
}

/// Returns the name of a file as a relative reference, or as a URI if it is absolute.
fn uri(name: &str) -> String {
    let name = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
    let mut uri = String::new();
    if name.starts_with('/') {
        uri += "file://";
    } else if name.as_bytes().get(1) == Some(&b':') && cfg!(windows) {
        uri += "file:///";
    } else if name.split('/').next().is_some_and(|first| first.contains(':')) {
        // Without this, the text before a colon would be the scheme.
        uri += "./";
    }
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' | b'@' | b'+' | b',' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_uris() {
        assert_eq!(uri("a b/ü.tf"), "a%20b/%C3%BC.tf");
        assert_eq!(uri("/etc/x#1.hcl"), "file:///etc/x%231.hcl");
        assert_eq!(uri("a:b.tf"), "./a:b.tf");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }

    #[test]
    fn columns_count_characters() {
        let source = Source::new("x", "\u{feff}e\u{301}x\n🏴b");
        assert_eq!(position(&source, 6), (1, 3));
        assert_eq!(position(&source, source.text().len()), (2, 3));
    }
}
