//! The tokens of a JSON document.

use std::fmt;

use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::source::{Source, visible};

/// The tokens of a document, one a line, in the same columns as those of native syntax: kind, line
/// and column, and text.
pub(super) struct JsonTokens<'d>(pub &'d Document);

impl fmt::Display for JsonTokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = self.0.source();
        let text = source.text();
        let mut position = source.positions();
        let mut depth = 0_usize;
        let mut write = |f: &mut fmt::Formatter<'_>, kind: &str, start: usize, end: usize| {
            if kind.starts_with("Close") {
                depth = depth.saturating_sub(1);
            }
            let at = position(start);
            let place = format!("{}:{}", at.line, at.column);
            let line = format!(
                "{:indent$}{kind:18} {place:7} {}",
                "",
                visible::line(&text[start..end]),
                indent = 2 * depth.min(40)
            );
            depth += usize::from(kind.starts_with("Open"));
            writeln!(f, "{}", line.trim_end())
        };
        let mut done = 0;
        for node in (0..).map_while(|id| self.0.node(id)) {
            for (kind, start, end) in between(source, done, node.span().start()) {
                write(f, kind, start, end)?;
            }
            let (kind, end) = leaf(node);
            write(f, kind, node.span().start(), end)?;
            done = end;
        }
        for (kind, start, end) in between(source, done, text.len()) {
            write(f, kind, start, end)?;
        }
        write(f, "EndOfFile", text.len(), text.len())
    }
}

/// The kind of the token that a node begins with, and where it ends.
fn leaf(node: Node<'_>) -> (&'static str, usize) {
    let all = node.span().end();
    match node.kind() {
        NodeKind::Object(object) => ("OpenBrace", object.open_span().end()),
        NodeKind::Array(array) => ("OpenBracket", array.open_span().end()),
        NodeKind::String(_) => ("String", all),
        NodeKind::Number(_) => ("Number", all),
        NodeKind::Bool(_) | NodeKind::Null => ("Keyword", all),
        NodeKind::Error => ("Error", all),
    }
}

/// The tokens before a node or after the last one: what separates and closes.
fn between(source: &Source, start: usize, end: usize) -> impl Iterator<Item = (&'static str, usize, usize)> {
    let text = source.text().get(start..end).unwrap_or_default();
    text.char_indices().filter_map(move |(at, c)| {
        let kind = match c {
            '}' => "CloseBrace",
            ']' => "CloseBracket",
            ',' => "Comma",
            ':' => "Colon",
            c if c.is_whitespace() || c == '\u{feff}' => return None,
            _ => "Other",
        };
        Some((kind, start + at, start + at + c.len_utf8()))
    })
}
