//! Diagnostics as JSON, in the shape of the `hcldec` tool's output.

use std::borrow::Cow;
use std::fmt;

use super::{Diagnostic, Diagnostics};
use crate::source::{Place, visible};

/// Writes a text as a JSON string. All control characters are escaped, even those that JSON allows in strings and those
/// that change the direction of text, so that the output is safe on a terminal.
///
/// ```
/// use hcl_lr::diagnostic::Json;
///
/// assert_eq!(Json("a\u{9b}\u{202e}\n").to_string(), r#""a\u009b\u202e\n""#);
/// ```
#[derive(Debug)]
pub struct Json<'s>(
    /// The text.
    pub &'s str,
);

/// Writes a text as a JSON string, with escapes only where JSON requires them.
#[derive(Debug)]
pub struct PlainJson<'s>(pub &'s str);

impl fmt::Display for PlainJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        escape(self.0, f)?;
        f.write_str("\"")
    }
}

/// Returns a JSON document without control characters in strings.
pub fn without_controls(json: &str) -> Cow<'_, str> {
    // Line ends occur only between the parts, not in strings.
    let is_control = |c: char| c != '\n' && visible::is_control(c);
    if !json.contains(is_control) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_control(c) { out.push_str(&format!("\\u{:04x}", u32::from(c))) } else { out.push(c) }
    }
    out.into()
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut rest = self.0;
        while let Some(at) = rest.find(|c: char| !c.is_ascii_control() && visible::is_control(c) || c == '\u{7f}') {
            escape(&rest[..at], f)?;
            let mut after = rest[at..].chars();
            // All of them are in the first plane.
            write!(f, "\\u{:04x}", after.next().map_or(0, u32::from))?;
            rest = after.as_str();
        }
        escape(rest, f)?;
        f.write_str("\"")
    }
}

fn escape(text: &str, f: &mut impl fmt::Write) -> fmt::Result {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        f.write_str(&text[done..at])?;
        done = at + 1;
        match byte {
            b'"' => f.write_str("\\\"")?,
            b'\\' => f.write_str("\\\\")?,
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            _ => write!(f, "\\u{byte:04x}")?,
        }
    }
    f.write_str(&text[done..])
}

/// Returns a text as it is written within a JSON string.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    // Writing to memory does not fail.
    let _ = escape(text, &mut escaped);
    escaped
}

impl Diagnostics {
    /// Returns the diagnostics as a JSON array. Each is an object with these properties, of which the last four are
    /// left out if empty:
    ///
    /// | property | |
    /// | --- | --- |
    /// | `severity` | `"error"`, `"warning"` or `"note"` |
    /// | `code` | the name of the kind |
    /// | `summary` | the headline |
    /// | `detail` | what is wrong here; empty if the headline says it all |
    /// | `subject` | the place |
    /// | `context` | the place of the enclosing construct |
    /// | `labels` | other places: objects with `message` and `place` |
    /// | `help` | advice |
    /// | `suggestions` | alternative edits that would fix it: objects with `message`, `applicability` (`"safe"` or `"needs-review"`) and `edits`, objects with `place` and `text` |
    ///
    /// A place has `filename`, `start` and `end`, each of which has `line` and `column` from 1 (columns in grapheme
    /// clusters) and `byte` from 0.
    pub fn to_json(&self) -> String {
        let objects: Vec<String> = self.iter().map(|diagnostic| Object(diagnostic).to_string()).collect();
        format!("[{}]", objects.join(","))
    }
}

struct Object<'d>(&'d Diagnostic);

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let diagnostic = self.0;
        let (summary, detail) = diagnostic.in_two_parts();
        write!(f, "{{\"severity\":\"{}\",\"code\":{}", diagnostic.severity(), Json(diagnostic.code().as_str()))?;
        write!(f, ",\"summary\":{},\"detail\":{}", Json(summary), Json(detail))?;
        write!(f, ",\"subject\":{}", JsonPlace(diagnostic.place()))?;
        if let Some(context) = diagnostic.context() {
            write!(f, ",\"context\":{}", JsonPlace(context))?;
        }
        list(f, "labels", diagnostic.labels(), |f, label| {
            write!(f, "{{\"message\":{},\"place\":{}}}", Json(label.message()), JsonPlace(label.place()))
        })?;
        if let Some(help) = diagnostic.help() {
            write!(f, ",\"help\":{}", Json(help))?;
        }
        list(f, "suggestions", diagnostic.suggestions(), |f, suggestion| {
            let applicability = suggestion.applicability().as_str();
            write!(f, "{{\"message\":{},\"applicability\":\"{applicability}\"", Json(suggestion.message()))?;
            list(f, "edits", suggestion.edits(), |f, edit| {
                write!(f, "{{\"place\":{},\"text\":{}}}", JsonPlace(edit.place()), Json(edit.text()))
            })?;
            f.write_str("}")
        })?;
        f.write_str("}")
    }
}

/// Writes a property that is a list, if it is not empty.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    items: &[T],
    mut write_item: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    write!(f, ",\"{name}\":[")?;
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { "," })?;
        write_item(f, item)?;
    }
    f.write_str("]")
}

struct JsonPlace<'p>(&'p Place);

impl fmt::Display for JsonPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (source, span) = (self.0.source(), self.0.span());
        write!(f, "{{\"filename\":{}", Json(source.name()))?;
        for (name, offset) in [("start", span.start()), ("end", span.end())] {
            let position = source.position(offset);
            let (line, column, byte) = (position.line, position.column, position.byte);
            write!(f, ",\"{name}\":{{\"line\":{line},\"column\":{column},\"byte\":{byte}}}")?;
        }
        f.write_str("}")
    }
}
