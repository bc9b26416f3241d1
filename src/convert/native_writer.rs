//! Native syntax as text, in the usual layout: two spaces for each level, and the equals signs of
//! neighbouring lines below each other.

use std::fmt::Write;

use super::MAX_INDENT;
use crate::format::too_many_blanks;

/// Text that grows by whole lines.
#[derive(Default)]
pub(super) struct NativeWriter {
    pub out: String,
    depth: usize,
    last: Option<Line>,
    /// How many blanks stand in `out` to align it.
    blanks: u64,
}

/// What stands in a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Comment,
    Attributes,
    Block,
}

impl NativeWriter {
    /// Writes what stands before an item of a body: an empty line around blocks, and before
    /// comments.
    pub fn begin(&mut self, line: Line) {
        let gap = match (self.last.replace(line), line) {
            (None, _) => false,
            (Some(Line::Block), _) => true,
            (Some(Line::Attributes), line) => line != Line::Attributes,
            (Some(Line::Comment), _) => false,
        };
        self.out.push_str(if gap { "\n" } else { "" });
    }

    pub fn indent(&mut self) {
        let indent = 2 * self.depth.min(MAX_INDENT);
        let _ = write!(self.out, "{:indent$}", "");
    }

    /// Writes a name and the equals sign after it: in its column, unless there would be so many blanks that the formatter
    /// gives up as well.
    pub fn assign(&mut self, name: &str, width: usize) {
        let blanks = width.saturating_sub(name.chars().count());
        let all = self.blanks + blanks as u64;
        self.out.push_str(name);
        if !too_many_blanks(all, self.out.len()) {
            self.blanks = all;
            self.out.push_str(&" ".repeat(blanks));
        }
        self.out.push_str(" = ");
    }

    /// Begins a tuple or object with its bracket.
    pub fn open(&mut self, bracket: &str) {
        self.out.push_str(bracket);
        self.out.push('\n');
        self.depth += 1;
    }

    /// Begins the body of a block.
    pub fn open_block(&mut self) {
        self.open("{");
        self.last = None;
    }

    /// Ends a body, tuple or object in a line of its own.
    pub fn close(&mut self, bracket: &str) {
        self.depth -= 1;
        self.indent();
        self.out.push_str(bracket);
    }

    /// Ends a body with nothing in it.
    pub fn close_empty(&mut self, brackets: &str) {
        self.depth -= 1;
        self.out.push_str(brackets);
    }

    /// Ends the line of the closing brace of a block.
    pub fn end_block(&mut self) {
        self.out.push('\n');
        self.last = Some(Line::Block);
    }

    pub fn comment(&mut self, text: &str) {
        self.begin(Line::Comment);
        for line in text.lines() {
            self.indent();
            self.out.push_str(format!("# {line}").trim_end());
            self.out.push('\n');
        }
    }

    /// The beginning of a block up to its body.
    pub fn header(&mut self, block_type: &str, labels: impl IntoIterator<Item = impl AsRef<str>>) {
        self.begin(Line::Block);
        self.indent();
        self.out.push_str(block_type);
        for label in labels {
            self.out.push(' ');
            self.out.push_str(label.as_ref());
        }
        self.out.push(' ');
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// How wide the names are before the equals signs, where `in_line` says of each of them whether
/// its value fits its line.
pub(super) fn widths(names: &[(&str, bool)]) -> Vec<usize> {
    let mut widths = Vec::with_capacity(names.len());
    for group in names.chunk_by(|a, b| a.1 && b.1) {
        let width = group.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        widths.extend(group.iter().map(|_| width));
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_signs_are_below_each_other() {
        let names = [("a", true), ("abc", true), ("long-one", false), ("b", true), ("ab", true)];
        assert_eq!(widths(&names), [3, 3, 8, 2, 2]);
    }
}
