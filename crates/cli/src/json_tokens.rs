//! The tokens of a JSON document.

use std::fmt;

use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::source::{Source, visible};

/// The tokens of a document, one per line, in the same columns as in native syntax: kind, line and column, text.
pub(super) struct JsonTokens<'d>(pub &'d Document);

impl JsonTokens<'_> {
    /// Hands on the kind of each token, and where it starts and ends.
    pub fn each(&self, mut take: impl FnMut(&'static str, usize, usize)) {
        let source = self.0.source();
        let length = source.text().len();
        let mut done = 0;
        for node in (0..).map_while(|id| self.0.node(id)) {
            between(source, done, node.span().start()).for_each(|(kind, start, end)| take(kind, start, end));
            let (kind, end) = leaf(node);
            take(kind, node.span().start(), end);
            done = end;
        }
        between(source, done, length).for_each(|(kind, start, end)| take(kind, start, end));
        take("EndOfFile", length, length);
    }
}

impl fmt::Display for JsonTokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.source().text();
        let mut position = self.0.source().positions();
        let (mut depth, mut result) = (0_usize, Ok(()));
        self.each(|kind, start, end| {
            if kind.starts_with("Close") {
                depth = depth.saturating_sub(1);
            }
            let at = position(start);
            let place = format!("{}:{}", at.line, at.column);
            let shown = visible::line(&text[start..end]);
            let line = format!("{:indent$}{kind:18} {place:7} {shown}", "", indent = 2 * depth.min(40));
            depth += usize::from(kind.starts_with("Open"));
            result = result.and_then(|()| writeln!(f, "{}", line.trim_end()));
        });
        result
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

/// Returns the tokens before a node or after the last one: separators and closers.
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
