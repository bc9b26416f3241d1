//! A position in a text, with its line and column.

/// Returns true for a space or a tab.
pub(super) fn is_blank(c: Option<char>) -> bool {
    matches!(c, Some(' ' | '\t'))
}

/// Returns true for a line break. YAML 1.1 has five.
pub(super) fn is_break(c: Option<char>) -> bool {
    matches!(c, Some('\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'))
}

/// Returns true for a line break or the end of the text.
pub(super) fn is_line_end(c: Option<char>) -> bool {
    c.is_none() || is_break(c)
}

/// Returns true for white space or the end of the text.
pub(super) fn is_space(c: Option<char>) -> bool {
    is_blank(c) || is_line_end(c)
}

/// Returns true for a character of a name: of an anchor, handle or directive.
pub(super) fn is_word(c: Option<char>) -> bool {
    matches!(c, Some('0'..='9' | 'A'..='Z' | 'a'..='z' | '_' | '-'))
}

/// Returns true for a character that may be in a document.
pub(super) fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{FFFD}' | '\u{10000}'..)
}

/// A position in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    rest: &'t str,
    /// The number of characters before it.
    pub(super) index: usize,
    /// From 1.
    pub(super) line: usize,
    /// In characters, from 0.
    pub(super) column: isize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Cursor { rest: text, index: 0, line: 1, column: 0 }
    }

    /// Returns the number of bytes that follow.
    pub(super) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Returns the next character, or `None` at the end.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Returns the character after the next one.
    pub(super) fn second(&self) -> Option<char> {
        self.rest.chars().nth(1)
    }

    /// Consumes a character that is not a line break, and returns it.
    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.index += 1;
        self.column += 1;
        Some(c)
    }

    /// Consumes a number of bytes of a line, and returns them.
    pub(super) fn next_bytes(&mut self, length: usize) -> &'t str {
        let text = &self.rest[..length];
        text.chars().for_each(|_| {
            self.next();
        });
        text
    }

    /// Consumes a line break, and returns it as it is in a text: three of the five are read as a newline.
    pub(super) fn next_break(&mut self) -> Option<char> {
        let c = self.peek().filter(|c| is_break(Some(*c)))?;
        self.next();
        if c == '\r' && self.peek() == Some('\n') {
            self.next();
        }
        self.line += 1;
        self.column = 0;
        Some(if matches!(c, '\u{2028}' | '\u{2029}') { c } else { '\n' })
    }

    /// Consumes all characters of a kind, and returns them.
    pub(super) fn next_while(&mut self, is_one: fn(Option<char>) -> bool) -> &'t str {
        let text = self.rest;
        while is_one(self.peek()) {
            self.next();
        }
        &text[..text.len() - self.rest.len()]
    }

    /// Skips blanks and a comment, up to the end of the line.
    pub(super) fn skip_blanks_and_comment(&mut self) {
        self.next_while(is_blank);
        self.skip_comment();
    }

    /// Skips a comment, up to the end of the line.
    pub(super) fn skip_comment(&mut self) {
        if self.peek() == Some('#') {
            self.next_while(|c| !is_line_end(c));
        }
    }

    /// Returns true at a mark such as `---` at the start of a line, followed by white space or the end.
    pub(super) fn is_at_mark(&self, mark: &str) -> bool {
        self.column == 0 && self.rest.strip_prefix(mark).is_some_and(|rest| is_space(rest.chars().next()))
    }

    /// Returns true at a mark for the start or the end of a document.
    pub(super) fn is_at_any_mark(&self) -> bool {
        self.is_at_mark("---") || self.is_at_mark("...")
    }
}
