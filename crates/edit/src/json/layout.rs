//! The layout of a document in the JSON syntax: how it separates and indents the parts of objects and arrays, so that
//! new parts follow its style.

use std::ops::Range;

use super::parts::{Entry, New, Part, first_part};
use crate::EditError;
use crate::text::Lines;
use hcl_lr::internal::PlainJson;
use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::source::{Replacement, Span};

/// The layout of a document.
#[derive(Clone, Debug)]
pub(super) struct Layout<'d> {
    text: &'d str,
    root: Node<'d>,
    lines: Lines<'d>,
    /// True if the document has its parts on lines of their own.
    has_lines: bool,
    /// One step of the indentation.
    unit: &'d str,
}

impl<'d> Layout<'d> {
    pub fn of(document: &'d Document) -> Self {
        let (root, text) = (document.root(), document.source().text());
        let lines = Lines::new(text);
        let root_indent = lines.indent(root.span().start());
        let first = first_part(root).map(|part| lines.indent(part.span().start()));
        let unit = first.and_then(|indent| indent.strip_prefix(root_indent)).filter(|unit| !unit.is_empty());
        Layout { text, root, lines, has_lines: root.text().contains('\n'), unit: unit.unwrap_or("  ") }
    }

    /// Returns the indentation of the line on which a value begins.
    pub fn indent(&self, node: Node<'d>) -> &'d str {
        self.lines.indent(node.span().start())
    }

    /// Returns the text of a value with this crate's indentation.
    pub fn canonical(&self, node: Node<'d>) -> String {
        let indent = self.indent(node);
        let canonical = |line: &str| {
            let code = line.trim_start_matches([' ', '\t']);
            let blanks = &line[..line.len() - code.len()];
            let steps = blanks.strip_prefix(indent).unwrap_or(blanks).len() / self.unit.len();
            format!("{}{}", "  ".repeat(steps), code.trim_end())
        };
        node.text().lines().map(canonical).collect::<Vec<_>>().join("\n")
    }

    /// Rewrites the text between the kept parts of a container where it changes.
    ///
    /// # Errors
    /// If a syntax error makes it uncertain where the container ends.
    pub fn rewrite(
        &self,
        node: Node<'d>,
        parts: &[Part<'d>],
        entries: &[Entry<'_, 'd>],
        replacements: &mut Vec<Replacement>,
    ) -> Result<(), EditError> {
        let text = self.text;
        let inside = inside(node).ok_or(EditError::Broken(node.start_span()))?;
        let layout = ContainerLayout::of(self, node, parts);
        let gap = |index: usize| {
            let start = index.checked_sub(1).map_or(inside.start, |before| parts[before].span().end());
            let end = parts.get(index).map_or(inside.end, |part| part.span().start());
            start..end
        };
        let (lead, trail) = match parts.is_empty() {
            true => (layout.lead.clone(), layout.trail.clone()),
            false => (text[gap(0)].to_owned(), text[gap(parts.len())].to_owned()),
        };
        let (mut news, mut changed, mut left) = (Vec::new(), false, None);
        for entry in entries.iter().map(Some).chain([None]) {
            let right = match entry {
                Some(Entry::New(new)) => {
                    news.push(layout.part(new));
                    changed = true;
                    continue;
                }
                Some(Entry::Removed) => {
                    changed = true;
                    continue;
                }
                Some(Entry::Kept(index, _)) => Some(*index),
                None => None,
            };
            if changed {
                let start = left.map_or(inside.start, |left: usize| parts[left].span().end());
                let end = right.map_or(inside.end, |right| parts[right].span().start());
                let joined = news.join(&layout.separator);
                let separator = if joined.is_empty() { "" } else { layout.separator.as_str() };
                let new = match (left, right) {
                    (None, None) if joined.is_empty() => String::new(),
                    (None, None) => format!("{lead}{joined}{trail}"),
                    (None, Some(_)) => format!("{lead}{joined}{separator}"),
                    (Some(_), None) => format!("{separator}{joined}{trail}"),
                    (Some(_), Some(right)) if joined.is_empty() => text[gap(right)].to_owned(),
                    (Some(_), Some(_)) => format!("{separator}{joined}{separator}"),
                };
                replacements.push(Replacement::new(Span::new(start, end), new));
            }
            news.clear();
            (left, changed) = (right, false);
        }
        Ok(())
    }

    /// Returns the text of a new value that replaces another.
    pub fn value(&self, old: Node<'d>, new: &New) -> String {
        let spreads = match old.kind() {
            NodeKind::Object(_) | NodeKind::Array(_) => old.text().contains('\n'),
            _ => self.has_lines,
        };
        match spreads {
            true => self.laid_out(new, self.lines.indent(old.span().start())),
            false => compact(&new.text),
        }
    }

    /// Returns new text with the indentation of its place. JSON strings contain no line breaks.
    fn laid_out(&self, new: &New, indent: &str) -> String {
        let mut lines = new.text.split('\n');
        let mut out = lines.next().unwrap_or_default().trim_end().to_owned();
        for line in lines {
            let code = line.trim_start_matches([' ', '\t']);
            let blanks = &line[..line.len() - code.len()];
            out.push_str(self.lines.end());
            if code.trim().is_empty() {
                continue;
            }
            out.push_str(indent);
            match new.is_moved {
                true => out.push_str(blanks.strip_prefix(new.indent.as_str()).unwrap_or("")),
                false => out.extend(std::iter::repeat_n(self.unit, blanks.len() / 2)),
            }
            out.push_str(code.trim_end());
        }
        out
    }
}

/// Returns the range between the brackets of a container, if it has both.
fn inside(node: Node<'_>) -> Option<Range<usize>> {
    let close = match node.kind() {
        NodeKind::Object(object) => object.close_span(),
        NodeKind::Array(array) => array.close_span(),
        _ => return None,
    };
    (!close.is_empty()).then(|| node.span().start() + 1..close.start())
}

/// The layout of a container.
struct ContainerLayout<'e, 'd> {
    document: &'e Layout<'d>,
    /// True if the parts have lines of their own.
    in_lines: bool,
    indent: String,
    separator: String,
    /// The text between a name and its value.
    colon: &'d str,
    /// The text after the opening and before the closing bracket of an empty container.
    lead: String,
    trail: String,
}

impl<'e, 'd> ContainerLayout<'e, 'd> {
    fn of(document: &'e Layout<'d>, node: Node<'d>, parts: &[Part<'d>]) -> Self {
        let text = document.text;
        let outer_indent = document.lines.indent(node.span().start());
        let first = parts.first().map(|part| &text[node.span().start() + 1..part.span().start()]);
        let between = parts.get(1).map(|part| text[parts[0].span().end()..part.span().start()].trim_start());
        let in_lines = match (first, between) {
            (_, Some(between)) => between.contains('\n'),
            (Some(first), None) => first.contains('\n'),
            (None, None) => document.has_lines,
        };
        let indent = match parts.first().filter(|_| first.is_some_and(|first| first.contains('\n'))) {
            Some(part) => document.lines.indent(part.span().start()).to_owned(),
            None => format!("{outer_indent}{}", document.unit),
        };
        let end = document.lines.end();
        let separator = match (in_lines, between) {
            (true, _) => format!(",{end}{indent}"),
            (false, Some(between)) => between.to_owned(),
            (false, None) => ", ".to_owned(),
        };
        let colon_of = |node: Node<'d>| {
            let property = node.as_object()?.properties().next()?;
            Some(&text[property.name_span().end()..property.value().span().start()])
        };
        let colon = colon_of(node).or_else(|| colon_of(document.root)).unwrap_or(": ");
        let (lead, trail) = match in_lines {
            true => (format!("{end}{indent}"), format!("{end}{outer_indent}")),
            false => (String::new(), String::new()),
        };
        ContainerLayout { document, in_lines, indent, separator, colon, lead, trail }
    }

    /// Returns the text of a new part.
    fn part(&self, new: &New) -> String {
        let value = match self.in_lines {
            true => self.document.laid_out(new, &self.indent),
            false => compact(&new.text),
        };
        match &new.name {
            Some(name) => format!("{}{}{value}", PlainJson(name), self.colon),
            None => value,
        }
    }
}

/// Returns a JSON text without the indentation of its last line.
pub(super) fn to_the_left(json: &str) -> String {
    let json = json.trim();
    let last = json.lines().next_back().unwrap_or_default();
    let blanks = &last[..last.len() - last.trim_start_matches([' ', '\t']).len()];
    json.lines().map(|line| line.strip_prefix(blanks).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Returns a text with each line indented by one more step.
pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Returns a JSON text on one line. JSON strings contain no line breaks.
fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        out.push_str(if out.ends_with(',') { " " } else { "" });
        out.push_str(line);
    }
    out
}
