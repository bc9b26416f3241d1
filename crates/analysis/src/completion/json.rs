//! Completions in the JSON syntax.
//!
//! The text around a place is rewritten in native syntax, as far as it is known: the blocks around the place by the
//! language, the names next to it, and the string that contains it. The completions there are then converted to JSON,
//! with its quotes and braces.
//!
//! ```text
//! {"resource": {"t": {"n": {"a": "${var.    resource "t" "n" {
//!                                             a = "${var.
//! ```

use std::sync::{Arc, OnceLock};

use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode};
use hcl_lr::syntax::is_identifier;
use hcl_lr::{ConfigFile, ParseOptions, Syntax};
use hcl_lr_language::definitions::Role;

use super::{Item, ItemKind, in_snippet};
use crate::file::{File, Parsed, Text};
use crate::knowledge::{Header, KnownBody};
use crate::workspace::Snapshot;

/// The maximum nesting of objects and arrays with completions.
const MAX_DEPTH: usize = 100;

/// A place in JSON and its equivalent in native syntax.
pub(super) struct Twin {
    /// The file in native syntax.
    pub file: Arc<File>,
    /// The offset of the place in that file.
    pub offset: usize,
    written: Written,
}

/// The form of an item in JSON.
enum Written {
    /// The name of a property.
    Name {
        /// The span of the typed text, with its quotes.
        span: Span,
        /// True if the property already has its value.
        has_value: bool,
        /// True if a property comes after it.
        has_next: bool,
    },
    /// A part of a string.
    Part {
        /// The start of the string in JSON, and in native syntax.
        starts: (usize, usize),
    },
}

/// An object or an array around a place.
enum Around<'t> {
    Object(Members<'t>),
    Array,
}

/// The properties of an object so far.
#[derive(Default)]
struct Members<'t> {
    /// The name of the property whose value comes next, or that has just ended.
    name: Option<&'t str>,
    /// True after the colon.
    in_value: bool,
    /// The names, and the values that are strings.
    known: Vec<(&'t str, Option<&'t str>)>,
}

impl<'t> Around<'t> {
    fn add(&mut self, string: &'t str) {
        let Around::Object(members) = self else { return };
        match (members.in_value, members.known.last_mut()) {
            (false, _) => {
                members.name = Some(string);
                members.known.push((string, None));
            }
            (true, Some(last)) => last.1 = Some(string),
            (true, None) => {}
        }
    }

    fn punctuation(&mut self, byte: u8) {
        let Around::Object(members) = self else { return };
        match byte {
            b':' => members.in_value = true,
            b',' => (members.in_value, members.name) = (false, None),
            _ => {}
        }
    }
}

/// Returns the end of the inside of a string that starts at an offset: its quote, or the end of the line.
fn end_of_string(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len() && !matches!(bytes[at], b'"' | b'\n') {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// Reads a text up to a place. Returns the objects and arrays around it, and the start of the string that contains it.
fn read(text: &str, offset: usize) -> (Vec<Around<'_>>, Option<usize>) {
    let bytes = text.as_bytes();
    let mut around: Vec<Around<'_>> = Vec::new();
    let mut at = 0;
    while at < offset {
        match bytes[at] {
            b'"' => {
                let (start, end) = (at + 1, end_of_string(text, at + 1));
                if end >= offset {
                    return (around, Some(start));
                }
                if let (Some(inner), Some(string)) = (around.last_mut(), text.get(start..end)) {
                    inner.add(string);
                }
                at = end;
            }
            b'{' => around.push(Around::Object(Members::default())),
            b'[' => around.push(Around::Array),
            b'}' | b']' => drop(around.pop()),
            byte => {
                if let Some(inner) = around.last_mut() {
                    inner.punctuation(byte);
                }
            }
        }
        at += 1;
    }
    (around, None)
}

/// Returns the properties after a place in its object.
fn later_members(text: &str, from: usize) -> Vec<&str> {
    let (bytes, mut at, mut depth, mut found) = (text.as_bytes(), from, 0_usize, Vec::new());
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let (start, end) = (at + 1, end_of_string(text, at + 1));
                at = end;
                if depth == 0 && text.get(end + 1..).is_some_and(|rest| rest.trim_start().starts_with(':')) {
                    found.extend(text.get(start..end));
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => break,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    found
}

/// The blocks for a path of properties, and what is left of the path.
struct Path<'t> {
    blocks: Vec<Header>,
    /// The block that still lacks labels, and the number of its labels.
    open: Option<(Header, usize)>,
    /// The attribute, and the keys in its value.
    keys: Vec<&'t str>,
}

impl Snapshot {
    /// Finds the blocks for the properties around a place.
    fn path<'t>(&self, file: &File, names: impl Iterator<Item = &'t str>) -> Path<'t> {
        let mut path = Path { blocks: Vec::new(), open: None, keys: Vec::new() };
        for name in names {
            if let Some((mut header, count)) = path.open.take() {
                header.labels.push(name.to_owned());
                match header.labels.len() < count {
                    true => path.open = Some((header, count)),
                    false => path.blocks.push(header),
                }
                continue;
            }
            let count = match path.keys.is_empty() {
                true => self.kinds_of(file, &path.blocks).label_count(name),
                false => None,
            };
            let header = Header { block_type: name.to_owned(), labels: Vec::new() };
            match count {
                Some(0) => path.blocks.push(header),
                Some(count) => path.open = Some((header, count)),
                None => path.keys.push(name),
            }
        }
        path
    }

    /// Returns the possible blocks of a body.
    fn kinds_of<'f>(&self, file: &'f File, blocks: &[Header]) -> BlockKinds<'f> {
        let roles = if blocks.is_empty() { file.language().roles().roles() } else { &[] };
        BlockKinds { known: self.known_body(file, blocks), roles }
    }

    /// Rewrites the text around a place from JSON to native syntax. `None` where nothing is offered.
    pub(super) fn twin(&self, file: &File, offset: usize) -> Option<Twin> {
        let text = file.source().text();
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let (around, string) = read(text, offset);
        let Some(Around::Object(members)) = around.iter().rfind(|around| matches!(around, Around::Object(_))) else {
            return None;
        };
        if around.len() > MAX_DEPTH {
            return None;
        }
        let outer = around.iter().filter_map(|container| match container {
            Around::Object(members) => Some(members),
            Around::Array => None,
        });
        // A colon must follow a name.
        let may_be_name = |members: &Members<'_>| !members.in_value && (string.is_some() || members.name.is_none());
        let is_name = matches!(around.last(), Some(Around::Object(members)) if may_be_name(members));
        // The name at the place itself does not count.
        let names = outer.filter_map(|members| members.name.filter(|_| members.in_value));
        let path = self.path(file, names);
        let mut native = String::new();
        for header in &path.blocks {
            native += &opened(header);
            native += " {\n";
        }
        let mut closing = "\n}\n".repeat(path.blocks.len());
        let start = string.unwrap_or(offset);
        if is_name {
            if !path.keys.is_empty() {
                return None;
            }
            let end = string.map_or(offset, |start| end_of_string(text, start));
            let is_closed = string.is_some() && text[end..].starts_with('"');
            let behind = end + usize::from(is_closed);
            let rest = text[behind..].trim_start();
            let span = Span::new(start - usize::from(string.is_some()), behind);
            let typed = &text[start..offset];
            if typed.contains(['\\', '"']) {
                return None;
            }
            if let Some((header, _)) = &path.open {
                native += &format!("{} \"{typed}", opened(header));
            } else {
                let later = later_members(text, behind).into_iter().map(|name| (name, None));
                let kinds = self.kinds_of(file, &path.blocks);
                for (name, value) in members.known.iter().copied().chain(later) {
                    if is_identifier(name) {
                        native += &kinds.sibling(name, value);
                    }
                }
                native += typed;
            }
            let at = native.len();
            native += "\n";
            native += &closing;
            let written = Written::Name { span, has_value: rest.starts_with(':'), has_next: rest.starts_with('"') };
            return Some(Twin { file: twin_file(file, native), offset: at, written });
        }
        let (start, [attribute, keys @ ..]) = (string?, &path.keys[..]) else { return None };
        let end = end_of_string(text, start);
        let inside = &text[start..end];
        if path.open.is_some() || inside.contains('\\') || !is_identifier(attribute) {
            return None;
        }
        native += &format!("{attribute} = ");
        for key in keys {
            native += &format!("{{ {} = ", hcl_lr::Value::from(*key));
            closing.insert_str(0, " }");
        }
        if matches!(around.last(), Some(Around::Array)) {
            native.push('[');
            closing.insert(0, ']');
        }
        native.push('"');
        let written = Written::Part { starts: (start, native.len()) };
        let at = native.len() + offset - start;
        native += inside;
        native.push('"');
        native += &closing;
        Some(Twin { file: twin_file(file, native), offset: at, written })
    }
}

/// The possible blocks of a body, from the description of the language or from its definitions.
struct BlockKinds<'f> {
    known: Option<KnownBody>,
    roles: &'f [Role],
}

impl BlockKinds<'_> {
    /// Returns the number of labels of blocks of a type; `None` if there are no such blocks.
    fn label_count(&self, block_type: &str) -> Option<usize> {
        if let Some(block) = self.known.as_ref().and_then(|body| body.block(block_type)) {
            return Some(block.labels.len());
        }
        let role = self.roles.iter().find(|role| role.block_type() == Some(block_type))?;
        Some(role.label_names().len())
    }

    /// Rewrites a property next to the place as an attribute or a block.
    fn sibling(&self, name: &str, value: Option<&str>) -> String {
        match (self.label_count(name), value) {
            (Some(count), _) => format!("{name}{} {{}}\n", " \"x\"".repeat(count)),
            (None, Some(value)) if !value.contains(['\\', '$', '%']) => format!("{name} = \"{value}\"\n"),
            (None, _) => format!("{name} = null\n"),
        }
    }
}

fn opened(header: &Header) -> String {
    let labels: String =
        header.labels.iter().map(|label| format!(" {}", hcl_lr::Value::from(label.as_str()))).collect();
    format!("{}{labels}", header.block_type)
}

fn twin_file(file: &File, native: String) -> Arc<File> {
    let source = Source::new(file.path(), &*native);
    let (document, diagnostics) =
        ParseOptions::new().with_syntax(Syntax::Native).parse::<ConfigFile>(source).into_parts();
    let parsed = OnceLock::from(Parsed { document, diagnostics });
    Arc::new(File::new(file.path(), file.chosen().clone(), Text::Text(native.into()), parsed))
}

impl Twin {
    /// Converts an item to JSON. `None` if that is impossible.
    pub fn item(&self, mut item: Item) -> Option<Item> {
        match self.written {
            Written::Name { span, has_value, has_next } => {
                let name = json_text(&item.label);
                let value = match item.kind {
                    ItemKind::Attribute => json_value(item.text.split_once(" = ").map_or("null", |(_, value)| value)),
                    ItemKind::Block | ItemKind::Label => "{}".to_owned(),
                    _ => return None,
                };
                let comma = if has_next { "," } else { "" };
                (item.text, item.snippet) = match has_value {
                    true => (format!("\"{name}\""), None),
                    false => {
                        let hole = match value.split_at_checked(1) {
                            Some((open @ ("\"" | "[" | "{"), close @ ("\"" | "]" | "}"))) => format!("{open}$0{close}"),
                            _ => format!("${{0:{}}}", in_snippet(&value)),
                        };
                        let snippet = format!("\"{}\": {hole}{comma}", in_snippet(&name));
                        (format!("\"{name}\": {value}{comma}"), Some(snippet))
                    }
                };
                item.span = span;
            }
            Written::Part { starts: (json, native) } => {
                let moved = |at: usize| (at + json).checked_sub(native);
                item.span = Span::new(moved(item.span.start())?, moved(item.span.end())?);
                item.text = json_text(&item.text);
                // The rest of a quoted text already follows.
                item.snippet = item.snippet.filter(|snippet| !snippet.contains(['"', '\\', '\n']));
            }
        }
        Some(item)
    }
}

/// Escapes a text as the inside of a JSON string.
fn json_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Converts a value to fill in to JSON, where anything but a literal or an object of texts is a string.
fn json_value(native: &str) -> String {
    let is_literal = matches!(native, "null" | "true" | "false" | "[]" | "{}")
        || native.starts_with('"')
        || native.parse::<f64>().is_ok();
    let object = || {
        let expression = hcl_lr::parse::<hcl_lr::Expression>(native).into_result().ok()?;
        json_object(expression.as_native()?)
    };
    match is_literal {
        true => native.to_owned(),
        false => object().unwrap_or_else(|| format!("\"{}\"", json_text(native))),
    }
}

/// Returns an object whose values are texts, in JSON.
fn json_object(expression: ExpressionNode<'_>) -> Option<String> {
    let ExpressionKind::Object(object) = expression.kind() else { return None };
    let member = |element: hcl_lr::syntax::ast::ObjectElement<'_>| match element.value().kind() {
        ExpressionKind::Template(template) => {
            let (key, text) = (element.key_text()?, template.as_text()?);
            Some(format!("\"{}\": \"{}\"", json_text(&key), json_text(&text)))
        }
        _ => None,
    };
    let members: Option<Vec<String>> = object.elements().map(member).collect();
    Some(format!("{{ {} }}", members?.join(", ")))
}
