//! Writes text in canonical form.
//!
//! For text that consists of names, values and blocks, everything that determines the canonical form is known: the open
//! brackets around a line, and the equals signs of consecutive lines. So each line is indented when it begins, and a
//! run of lines is aligned when it ends. The formatter would change nothing. Only text from elsewhere may have any
//! layout: then the formatter processes all of it.

use std::fmt::{Display, Write as _};

use super::columns::{INDENTATION, columns, too_many_blanks};
use super::heredoc::{heredoc, is_heredoc};
use super::quote::{Form, escaped, key_into, quote_into};

/// The maximum length of a list in one line, without its closing bracket.
const LONGEST_LIST: usize = 80;

/// The shape of a written value, as far as it matters to its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// In one line, with nothing in it.
    Plain,
    /// A list or an object.
    Nested,
    /// A heredoc, after which the line has to end.
    Heredoc,
}

/// A text under way.
#[derive(Default)]
pub(crate) struct Layout {
    text: String,
    /// The number of open brackets whose contents have lines of their own.
    depth: usize,
    /// The lines that are aligned with each other, up to the current one.
    run: Vec<Line>,
    /// The start of the innermost list, if it is in one line so far. The lists around it are not.
    inline: Option<usize>,
    /// The starts of its elements.
    elements: Vec<usize>,
    /// The text that is moved to make room.
    moved: String,
    blanks: u64,
    /// The last item of the current body, if the next item may need an empty line before it.
    last: Option<Item>,
    /// True if the formatter has to lay out a part of the text.
    needs_format: bool,
}

/// An item of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Attribute,
    Block,
}

/// A line with an equals sign.
struct Line {
    /// The place of the equals sign.
    equals: usize,
    /// The columns of the text before it, without the indentation, which the whole run shares.
    columns: usize,
}

impl Layout {
    /// Returns the text, and whether the formatter has to process it for the canonical form.
    pub(crate) fn into_parts(mut self) -> (String, bool) {
        self.end_run();
        (self.text, self.needs_format)
    }

    /// Returns the text, to be formatted together with the text around it.
    pub(crate) fn unformatted(self) -> String {
        self.into_parts().0
    }

    /// Returns the number of used columns of the current line.
    pub(crate) fn column(&self) -> usize {
        let line = self.text.rsplit('\n').next().unwrap_or_default();
        if line.is_ascii() { line.len() } else { line.chars().count() }
    }

    /// Adds an expression that was written elsewhere, and that the formatter will lay out.
    pub(crate) fn unformatted_expression(&mut self, text: &str) -> Shape {
        self.needs_format = true;
        if text.contains(['\n', '\r']) {
            self.open_up();
        }
        self.text.push_str(text);
        match is_heredoc(text) {
            true => Shape::Heredoc,
            false => Shape::Nested,
        }
    }

    /// Adds what has no line breaks.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds what has no line breaks.
    pub(crate) fn display(&mut self, value: impl Display) {
        // Writing to memory does not fail.
        let _ = write!(self.text, "{value}");
    }

    /// Adds a whole number.
    pub(crate) fn integer(&mut self, magnitude: u64, is_negative: bool) {
        let (mut digits, mut first, mut left) = ([b'0'; 20], 20, magnitude);
        while left > 0 || first == digits.len() {
            first -= 1;
            digits[first] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        self.text.push_str(if is_negative { "-" } else { "" });
        self.text.push_str(std::str::from_utf8(&digits[first..]).unwrap_or_default());
    }

    /// Adds a string, as a heredoc if requested and if it has several lines.
    pub(crate) fn string(&mut self, text: &str, heredocs: bool) -> Shape {
        if heredocs
            && text.contains('\n')
            && let Some(text) = heredoc(&escaped(text, Form::Bare))
        {
            self.open_up();
            self.text.push_str(&text);
            return Shape::Heredoc;
        }
        quote_into(text, &mut self.text);
        Shape::Plain
    }

    /// Begins an attribute of a body, followed by its value. An empty line separates it from a block before it.
    pub(crate) fn begin_attribute(&mut self, name: &str) {
        if self.last == Some(Item::Block) {
            self.gap();
        }
        self.last = Some(Item::Attribute);
        self.inline = None;
        self.indent();
        self.text.push_str(name);
        self.equals(name.len());
    }

    pub(crate) fn end_line(&mut self) {
        self.text.push('\n');
    }

    fn gap(&mut self) {
        self.end_run();
        self.end_line();
    }

    /// Adds an empty line to a body.
    pub(crate) fn blank_line(&mut self) {
        self.gap();
        self.last = None;
    }

    /// Adds lines of comments to a body. They belong to the item after them.
    pub(crate) fn comment(&mut self, lines: &str) {
        match self.last.take() {
            Some(Item::Block) => self.gap(),
            _ => self.end_run(),
        }
        // The lines of a comment between `/*` and `*/` stay as they are.
        let is_block = lines.starts_with("/*");
        for (index, line) in lines.lines().enumerate() {
            if index == 0 || !is_block {
                self.indent();
            }
            self.text.push_str(line);
            self.end_line();
        }
    }

    /// Returns the last item of the current body, if the next item may need an empty line before it.
    pub(crate) fn last(&self) -> Option<Item> {
        self.last
    }

    /// Adds items of a body that were written elsewhere.
    pub(crate) fn items(&mut self, text: &str, last: Option<Item>) {
        if self.last == Some(Item::Block) {
            self.gap();
        }
        self.end_run();
        self.text.push_str(text);
        self.last = last;
        self.needs_format = true;
    }

    /// Adds an equals sign after a name of a length.
    fn equals(&mut self, length: usize) {
        let name = &self.text[self.text.len() - length..];
        // Nearly all names are, and have no control characters.
        let columns = if name.is_ascii() { length } else { columns(name) };
        self.text.push_str(" = ");
        self.run.push(Line { equals: self.text.len() - 2, columns });
    }

    fn indent(&mut self) {
        self.push_blanks(INDENTATION as usize * self.depth);
    }

    /// Adds blanks, unless there would be too many for the formatter too.
    fn push_blanks(&mut self, count: usize) {
        const BLANKS: &str = "                                ";
        let all = self.blanks + count as u64;
        if too_many_blanks(all, self.text.len()) {
            self.needs_format = true;
            return;
        }
        self.blanks = all;
        let mut left = count;
        while left > BLANKS.len() {
            self.text.push_str(BLANKS);
            left -= BLANKS.len();
        }
        self.text.push_str(&BLANKS[..left]);
    }

    /// Aligns the equals signs of the lines so far.
    fn end_run(&mut self) {
        let lines = std::mem::take(&mut self.run);
        let widest = lines.iter().map(|line| line.columns).max().unwrap_or_default();
        if let Some(first) = lines.iter().find(|line| line.columns < widest) {
            let (start, mut moved) = (first.equals, std::mem::take(&mut self.moved));
            moved.clear();
            moved.push_str(&self.text[start..]);
            self.text.truncate(start);
            let mut done = 0;
            for line in lines.iter().filter(|line| line.columns < widest) {
                self.text.push_str(&moved[done..line.equals - start]);
                self.push_blanks(widest - line.columns);
                done = line.equals - start;
            }
            self.text.push_str(&moved[done..]);
            self.moved = moved;
        }
        self.run = lines;
        self.run.clear();
    }

    /// Ends the run before the current line, which ends with an open bracket and is not aligned.
    fn break_run(&mut self) {
        // Within lists lines have no equals signs, and there is no run.
        self.run.pop();
        self.end_run();
        self.depth += 1;
    }

    /// Puts the elements of the innermost list on separate lines.
    fn open_up(&mut self) {
        let Some(start) = self.inline.take() else { return };
        self.moved.clear();
        self.moved.push_str(&self.text[start..]);
        self.text.truncate(start + "[".len());
        self.depth += 1;
        let (elements, moved) = (std::mem::take(&mut self.elements), std::mem::take(&mut self.moved));
        for (index, begin) in elements.iter().enumerate() {
            self.text.push('\n');
            self.indent();
            // Each is followed by a comma and a blank, except the last, which is incomplete.
            let end = elements.get(index + 1).map_or(moved.len(), |next| next.saturating_sub(1 + start));
            // A `Serialize` that ignores errors may have left half an element.
            self.text.push_str(begin.checked_sub(start).and_then(|begin| moved.get(begin..end)).unwrap_or_default());
        }
        (self.elements, self.moved) = (elements, moved);
        self.depth -= 1;
        self.break_run();
    }
}

/// Writes a list in one line.
pub(crate) fn list_in_line<T, E>(
    parts: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String) -> Result<(), E>,
) -> Result<(), E> {
    out.push('[');
    for (index, part) in parts.into_iter().enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        write(part, out)?;
    }
    out.push(']');
    Ok(())
}

/// Writes an object in one line.
pub(crate) fn object_in_line<'n, T, E>(
    entries: impl IntoIterator<Item = (&'n str, T)>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String) -> Result<(), E>,
) -> Result<(), E> {
    let mut is_empty = true;
    for (name, part) in entries {
        out.push_str(if std::mem::take(&mut is_empty) { "{ " } else { ", " });
        key_into(name, out);
        out.push_str(" = ");
        write(part, out)?;
    }
    out.push_str(if is_empty { "{}" } else { " }" });
    Ok(())
}

/// A list under way.
#[derive(Default)]
pub(crate) struct ListText {
    in_lines: bool,
    count: usize,
}

impl ListText {
    /// Begins a list that stays in one line if it is short and contains nothing nested.
    pub(crate) fn new(out: &mut Layout) -> Self {
        out.open_up();
        out.inline = Some(out.text.len());
        out.elements.clear();
        out.text.push('[');
        ListText::default()
    }

    /// Begins a list with a line for each element.
    pub(crate) fn in_lines(out: &mut Layout) -> Self {
        out.open_up();
        out.text.push('[');
        ListText { in_lines: true, count: 0 }
    }

    /// A list whose first element was begun.
    pub(crate) fn begun() -> Self {
        ListText { in_lines: false, count: 1 }
    }

    /// Begins an element, which is written next.
    pub(crate) fn begin_element(&mut self, out: &mut Layout) {
        if self.in_lines {
            if self.count == 0 {
                out.break_run();
                out.end_line();
            }
            out.indent();
        } else {
            out.text.push_str(if self.count > 0 { ", " } else { "" });
            out.elements.push(out.text.len());
        }
        self.count += 1;
    }

    /// Ends an element that was written.
    pub(crate) fn end_element(&mut self, shape: Shape, out: &mut Layout) {
        if let Some(start) = out.inline
            && out.text.len() - start >= LONGEST_LIST
        {
            out.open_up();
        }
        self.in_lines = out.inline.is_none();
        if self.in_lines {
            if shape == Shape::Heredoc {
                out.text.push('\n');
                out.indent();
            }
            out.text.push_str(",\n");
        }
    }

    /// Ends the list.
    pub(crate) fn finish(self, out: &mut Layout) -> Shape {
        out.inline = None;
        if self.in_lines && self.count > 0 {
            out.depth = out.depth.saturating_sub(1);
            out.indent();
        }
        out.text.push(']');
        Shape::Nested
    }
}

/// An unfinished object, with a line for each entry.
#[derive(Default)]
pub(crate) struct ObjectText {
    has_entries: bool,
}

impl ObjectText {
    /// Begins an object.
    pub(crate) fn new(out: &mut Layout) -> Self {
        out.open_up();
        out.text.push('{');
        ObjectText::default()
    }

    /// An object whose first entry was begun.
    pub(crate) fn begun() -> Self {
        ObjectText { has_entries: true }
    }

    /// Begins an entry, after which its value is written.
    pub(crate) fn begin_entry(&mut self, name: &str, out: &mut Layout) {
        self.begin_line(out);
        let start = out.text.len();
        key_into(name, &mut out.text);
        out.equals(out.text.len() - start);
    }

    /// Begins an entry with a key that has already been written as text.
    pub(crate) fn begin_written_entry(&mut self, key: &str, out: &mut Layout) {
        self.begin_line(out);
        out.text.push_str(key);
        out.equals(key.len());
        // The formatter lays out the contents of sequences too.
        out.needs_format |= key.contains('{');
    }

    fn begin_line(&mut self, out: &mut Layout) {
        if !self.has_entries {
            out.break_run();
            out.end_line();
            self.has_entries = true;
        }
        out.indent();
    }

    /// Ends an entry.
    pub(crate) fn end_entry(&self, out: &mut Layout) {
        out.end_line();
    }

    /// Ends the object.
    pub(crate) fn finish(self, out: &mut Layout) -> Shape {
        if self.has_entries {
            out.end_run();
            out.depth = out.depth.saturating_sub(1);
            out.indent();
        }
        out.text.push('}');
        Shape::Nested
    }
}

/// A block under way.
pub(crate) struct BlockText {
    /// The end of its labels.
    header: usize,
    /// The start of its body.
    body: usize,
    /// Labels that came after something of the body.
    late: String,
}

impl BlockText {
    /// Begins a block with labels that have already been written as text. All further items are in its body. An empty
    /// line separates it from an item before it.
    pub(crate) fn new<L: AsRef<str>>(block_type: &str, labels: impl IntoIterator<Item = L>, out: &mut Layout) -> Self {
        match out.last.take() {
            Some(_) => out.gap(),
            None => out.end_run(),
        }
        out.inline = None;
        out.indent();
        out.text.push_str(block_type);
        for label in labels {
            out.text.push(' ');
            out.text.push_str(label.as_ref());
        }
        let mut block = BlockText { header: out.text.len(), body: 0, late: String::new() };
        block.open(out);
        out.depth += 1;
        block
    }

    fn open(&mut self, out: &mut Layout) {
        out.text.push_str(" {\n");
        self.body = out.text.len();
    }

    /// Adds a label after those that it has.
    pub(crate) fn add_label(&mut self, label: &str, out: &mut Layout) {
        let mut text = String::from(" ");
        quote_into(label, &mut text);
        if self.body == out.text.len() {
            out.text.truncate(self.header);
            out.text.push_str(&text);
            self.header = out.text.len();
            self.open(out);
        } else {
            self.late.push_str(&text);
        }
    }

    /// Ends the block.
    pub(crate) fn finish(self, out: &mut Layout) {
        out.end_run();
        if !self.late.is_empty() {
            out.text.insert_str(self.header, &self.late);
        }
        out.depth = out.depth.saturating_sub(1);
        out.indent();
        out.text.push_str("}\n");
        out.last = Some(Item::Block);
    }

    /// Ends the block, with both braces in its first line if its body is empty.
    pub(crate) fn finish_short(self, out: &mut Layout) {
        match self.body == out.text.len() {
            true => out.text.truncate(self.body - "\n".len()),
            false => return self.finish(out),
        }
        out.depth = out.depth.saturating_sub(1);
        out.text.push_str("}\n");
        out.last = Some(Item::Block);
    }
}
