//! Lines of a text: starts, indentation and line endings.

use std::sync::OnceLock;

use memchr::memchr_iter;

use super::node::Container;
use hcl_lr::internal::pieces::{Kind, pieces, with_line_ends};
use hcl_lr::internal::work;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, File};

/// The lines of a text.
#[derive(Clone, Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    /// One step of the indentation, once it is known.
    unit: OnceLock<String>,
}

/// The maximum number of items of a file to examine for their indentation.
const MAX_ITEMS: usize = 1_000;

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Self {
        let after = memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let starts: Vec<usize> = std::iter::once(0).chain(after).collect();
        work::step(text.len() / 16 + starts.len());
        Lines { text, starts, unit: OnceLock::new() }
    }

    /// Returns one step of the indentation of a file, taken from the first items in a block or a collection at its
    /// top.
    pub fn unit(&self, file: &File) -> &str {
        self.unit.get_or_init(|| {
            let inner = |outer: Span, container: Container<'_>| {
                let (_, first) = *container.members_with_spans().first()?;
                let (outer, inner) = (outer.start(), first.start());
                let is_below = self.start(outer) < self.start(inner);
                let unit = self.indent(inner).strip_prefix(self.indent(outer)).filter(|unit| !unit.is_empty());
                unit.filter(|_| is_below).map(str::to_owned)
            };
            let items = file.body().items().take(MAX_ITEMS).filter_map(|item| match item {
                BodyItem::Block(block) => inner(block.span(), Container::Body(block.body())),
                BodyItem::Attribute(attribute) => {
                    inner(attribute.span(), Container::Collection(attribute.expression()).bare())
                }
                _ => None,
            });
            let mut items = items;
            items.next().unwrap_or_else(|| CANONICAL.to_owned())
        })
    }

    /// Returns the start of the line at a position.
    pub fn start(&self, at: usize) -> usize {
        let next = self.starts.partition_point(|&start| start <= at);
        self.starts[next - 1]
    }

    /// Returns the blanks between the start of a line and a position in it.
    pub fn indent(&self, at: usize) -> &'t str {
        let start = self.start(at);
        let line = self.text[start..at].trim_start_matches('\u{feff}');
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns the line ending, taken from the first line.
    pub fn end(&self) -> &'static str {
        let ends_with_return = |&newline: &usize| self.text[..newline].ends_with("\r\n");
        if self.starts.get(1).is_some_and(ends_with_return) { "\r\n" } else { "\n" }
    }

    /// Returns new text with these line endings, including those in comments. The text of heredocs is unchanged: its
    /// line endings are part of a value.
    pub fn ended(&self, text: String) -> String {
        match self.end() {
            end @ "\r\n" if text.contains('\n') => with_line_ends(&text, end),
            _ => text,
        }
    }
}

/// Returns a text with another indentation: `from` at the start of its lines becomes `to`. Lines inside heredocs and
/// comments stay. With `end`, that becomes the line ending.
pub(crate) fn reindent(text: &str, from: &str, to: &str, end: Option<&str>) -> String {
    // If `to` has tabs, two spaces become one tab.
    let unit = if to.contains('\t') { "\t" } else { CANONICAL };
    reindent_by(text, (from, to, unit), end)
}

/// One step of indentation in canonical form.
const CANONICAL: &str = "  ";

/// Does the same, with `unit` for each step of the canonical indentation if a line has nothing else.
pub(super) fn reindent_by(text: &str, (from, to, unit): (&str, &str, &str), end: Option<&str>) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let pieces = pieces(text.as_bytes()).list;
    let mut done = 0;
    for (newline, next) in pieces.iter().zip(&pieces[1..]) {
        if newline.kind != Kind::Newline {
            continue;
        }
        let (start, after, next_start) = (newline.start as usize, newline.end as usize, next.start as usize);
        // After a comment, the carriage return of a line break counts as part of the comment.
        let line = text[done..start].trim_end_matches([' ', '\t']);
        out.push_str(if end.is_some() { line.trim_end_matches('\r') } else { line });
        out.push_str(end.unwrap_or(&text[start..after]));
        let blanks = &text[after..next_start];
        if next.kind != Kind::Newline && next_start < text.len() {
            out.push_str(to);
            let deeper = blanks.strip_prefix(from).unwrap_or("");
            if unit != CANONICAL && deeper.bytes().all(|byte| byte == b' ') {
                out.extend(std::iter::repeat_n(unit, deeper.len() / CANONICAL.len()));
            } else {
                out.push_str(deeper);
            }
        }
        done = next_start;
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_code_are_indented() {
        let text = "a = [\n  1,\n\n  <<X\n x\n  X\n  , /*\n c */ 2\n]";
        let indented = "a = [\r\n    1,\r\n\r\n    <<X\n x\n  X\r\n    , /*\n c */ 2\r\n  ]";
        assert_eq!(reindent(text, "", "  ", Some("\r\n")), indented);
        assert_eq!(reindent("{\n    a\n  }", "  ", "\t", None), "{\n\t\ta\n\t}");
    }

    #[test]
    fn lines_have_starts_and_ends() {
        let lines = Lines::new("a\r\n  b = é = 1\n");
        assert_eq!((lines.start(0), lines.start(3), lines.start(10)), (0, 3, 3));
        assert_eq!((lines.indent(9), lines.indent(4), lines.end()), ("  ", " ", "\r\n"));
    }
}
