//! Writes indented JSON.
#![allow(missing_docs, reason = "public for the packages of this workspace only")]

use std::fmt::Write;

use super::MAX_INDENT;
use crate::diagnostic::PlainJson;

#[derive(Debug)]
pub struct JsonWriter {
    out: String,
    /// The blanks of each level.
    indent: usize,
    write_string: fn(&str, &mut String),
    /// True for each open container that has any content.
    open: Vec<bool>,
    /// A name was written, whose value follows.
    named: bool,
}

impl JsonWriter {
    pub fn new(indent: usize, write_string: fn(&str, &mut String)) -> Self {
        JsonWriter { out: String::new(), indent, write_string, open: Vec::new(), named: false }
    }

    /// Writes the text before a value or name.
    fn begin_item(&mut self) {
        if std::mem::take(&mut self.named) {
            return;
        }
        if let Some(any) = self.open.last_mut() {
            self.out.push_str(if std::mem::replace(any, true) { "," } else { "" });
            self.new_line();
        }
    }

    fn new_line(&mut self) {
        const BLANKS: &str = "                                                                ";
        let mut indent = self.indent * self.open.len().min(MAX_INDENT);
        self.out.push('\n');
        while indent > 0 {
            let blanks = indent.min(BLANKS.len());
            self.out.push_str(&BLANKS[..blanks]);
            indent -= blanks;
        }
    }

    /// Begins an object or array with its bracket.
    pub fn open(&mut self, bracket: char) {
        self.begin_item();
        self.out.push(bracket);
        self.open.push(false);
    }

    /// Ends an object or array with its bracket.
    pub fn close(&mut self, bracket: char) {
        if self.open.pop() == Some(true) {
            self.new_line();
        }
        self.out.push(bracket);
    }

    pub fn name(&mut self, name: &str) {
        self.string(name);
        self.out.push_str(": ");
        self.named = true;
    }

    pub fn string(&mut self, text: &str) {
        self.begin_item();
        (self.write_string)(text, &mut self.out);
    }

    /// A value that is written as it is.
    pub fn raw(&mut self, text: &str) {
        self.begin_item();
        self.out.push_str(text);
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// Writes a JSON string with escapes only where JSON needs them.
pub fn plain_string(text: &str, out: &mut String) {
    let _ = write!(out, "{}", PlainJson(text));
}
