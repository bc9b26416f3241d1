//! Diagnostics for machines, in the shape of the `hcldec` tool's JSON output.

use std::fmt;

use super::{Diagnostic, Diagnostics};
use crate::source::{Source, Span};

/// A text that is written as a JSON string.
pub struct Json<'s>(
    /// The text.
    pub &'s str,
);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut done = 0;
        for (at, byte) in self.0.bytes().enumerate() {
            if byte >= 0x20 && byte != b'"' && byte != b'\\' {
                continue;
            }
            f.write_str(&self.0[done..at])?;
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
        f.write_str(&self.0[done..])?;
        f.write_str("\"")
    }
}

impl Diagnostics {
    /// The diagnostics as a JSON array. Each is an object with `severity`, `code`, `summary`,
    /// `detail`, `subject` and, where there are any, `context`, `labels` and `help`. A place has
    /// `filename`, `start` and `end`, and those `line` and `column` from 1 (columns in grapheme
    /// clusters) and `byte` from 0.
    pub fn to_json(&self) -> String {
        let mut text = String::from("[");
        for (index, diagnostic) in self.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&Object { source: self.source_of(diagnostic), diagnostic }.to_string());
        }
        text.push(']');
        text
    }
}

struct Object<'d> {
    source: &'d Source,
    diagnostic: &'d Diagnostic,
}

impl Object<'_> {
    fn place(&self, f: &mut fmt::Formatter<'_>, span: Span) -> fmt::Result {
        write!(f, "{{\"filename\":{}", Json(self.source.name()))?;
        for (name, offset) in [("start", span.start()), ("end", span.end())] {
            let position = self.source.position(offset);
            let (line, column, byte) = (position.line, position.column, position.byte);
            write!(f, ",\"{name}\":{{\"line\":{line},\"column\":{column},\"byte\":{byte}}}")?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let diagnostic = self.diagnostic;
        let (severity, code) = (diagnostic.severity().as_str(), diagnostic.code());
        write!(f, "{{\"severity\":\"{severity}\",\"code\":\"{code}\"")?;
        write!(f, ",\"summary\":{}", Json(diagnostic.summary()))?;
        write!(f, ",\"detail\":{},\"subject\":", Json(diagnostic.detail()))?;
        self.place(f, diagnostic.subject())?;
        if let Some(context) = diagnostic.context() {
            f.write_str(",\"context\":")?;
            self.place(f, context)?;
        }
        for (index, label) in diagnostic.labels().iter().enumerate() {
            f.write_str(if index == 0 { ",\"labels\":[" } else { "," })?;
            write!(f, "{{\"message\":{},\"place\":", Json(&label.message))?;
            self.place(f, label.span)?;
            f.write_str("}")?;
        }
        if !diagnostic.labels().is_empty() {
            f.write_str("]")?;
        }
        if let Some(help) = diagnostic.help() {
            write!(f, ",\"help\":{}", Json(help))?;
        }
        f.write_str("}")
    }
}
