//! Texts: plain, in quotes, and in blocks after `|` or `>`.

use super::cursor::{is_blank, is_break, is_line_end, is_space};
use super::{Scanner, Style, Token};

/// The white space inside a text that may turn out not to be part of it.
#[derive(Default)]
struct Gap {
    blanks: String,
    /// True after a line break; from there blanks do not count.
    broken: bool,
    /// The first line break.
    first: Option<char>,
    /// The line breaks after the first one.
    more: String,
}

impl Gap {
    fn add_break(&mut self, c: char) {
        match self.broken {
            false => self.first = Some(c),
            true => self.more.push(c),
        }
        self.broken = true;
        self.blanks.clear();
    }

    /// Adds the gap to a text. One newline becomes a space, several lose the first one.
    fn fold_into(&mut self, text: &mut String) {
        match self.first {
            Some('\n') if self.more.is_empty() => text.push(' '),
            Some('\n') | None => {}
            Some(c) => text.push(c),
        }
        text.push_str(&self.more);
        text.push_str(&self.blanks);
        *self = Gap::default();
    }
}

/// The number of line breaks at the end of a block that are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    None,
    One,
    All,
}

impl Scanner<'_> {
    /// A text without quotes.
    pub(super) fn plain(&mut self) -> Result<(), String> {
        let line = self.cursor.line;
        let indent = self.indent + 1;
        let (mut text, mut gap) = (String::new(), Gap::default());
        while !self.cursor.is_at_any_mark() && self.cursor.peek() != Some('#') {
            while let Some(c) = self.cursor.peek() {
                let ends = is_space(Some(c))
                    || c == ':' && is_space(self.cursor.second())
                    || self.in_brackets() && matches!(c, ',' | '?' | '[' | ']' | '{' | '}');
                if ends {
                    break;
                }
                gap.fold_into(&mut text);
                text.push(c);
                self.cursor.next();
            }
            if self.cursor.peek().is_none() || !is_space(self.cursor.peek()) {
                break;
            }
            while self.cursor.peek().is_some() && is_space(self.cursor.peek()) {
                let is_tab = self.cursor.peek() == Some('\t');
                if is_tab && gap.broken && self.cursor.column < indent {
                    return self.fail("a tab cannot be part of the indentation of a text; write spaces");
                }
                self.gap_character(&mut gap);
            }
            if !self.in_brackets() && self.cursor.column < indent {
                break;
            }
        }
        self.push(Token::Scalar { text, style: Style::Plain }, line);
        self.key_allowed |= gap.broken;
        Ok(())
    }

    /// Consumes a blank or a line break in a text.
    fn gap_character(&mut self, gap: &mut Gap) {
        if let Some(c) = self.cursor.next_break() {
            gap.add_break(c);
        } else if let Some(c) = self.cursor.next().filter(|_| !gap.broken) {
            gap.blanks.push(c);
        }
    }

    /// A text in single or double quotes.
    pub(super) fn quoted(&mut self) -> Result<(), String> {
        let line = self.cursor.line;
        let Some(quote) = self.cursor.next() else { return Ok(()) };
        let mut text = String::new();
        loop {
            if self.cursor.is_at_any_mark() {
                return self.fail("a text in quotes must be closed before the document ends");
            }
            let mut gap = Gap::default();
            while let Some(c) = self.cursor.peek().filter(|c| !is_space(Some(*c))) {
                let second = self.cursor.second();
                match c {
                    '\'' if quote == '\'' && second == Some('\'') => {
                        self.cursor.next();
                        text.push('\'');
                    }
                    _ if c == quote => break,
                    '\\' if quote == '"' && is_break(second) => {
                        self.cursor.next();
                        self.cursor.next_break();
                        gap.broken = true;
                        break;
                    }
                    '\\' if quote == '"' => {
                        self.cursor.next();
                        text.push(self.escape()?);
                        continue;
                    }
                    _ => text.push(c),
                }
                self.cursor.next();
            }
            match self.cursor.peek() {
                None => return Err(super::at_line(line, "a text in quotes is not closed")),
                Some(c) if c == quote => break,
                _ => {}
            }
            while self.cursor.peek().is_some() && is_space(self.cursor.peek()) {
                self.gap_character(&mut gap);
            }
            gap.fold_into(&mut text);
        }
        self.cursor.next();
        self.push(Token::Scalar { text, style: Style::Quoted }, line);
        Ok(())
    }

    /// The character of an escape sequence, after the backslash.
    fn escape(&mut self) -> Result<char, String> {
        let Some(kind) = self.cursor.next() else { return self.fail("a text in quotes is not closed") };
        let length = match kind {
            '0' => return Ok('\0'),
            'a' => return Ok('\x07'),
            'b' => return Ok('\x08'),
            't' | '\t' => return Ok('\t'),
            'n' => return Ok('\n'),
            'v' => return Ok('\x0B'),
            'f' => return Ok('\x0C'),
            'r' => return Ok('\r'),
            'e' => return Ok('\x1B'),
            ' ' | '"' | '\'' | '\\' => return Ok(kind),
            'N' => return Ok('\u{85}'),
            '_' => return Ok('\u{A0}'),
            'L' => return Ok('\u{2028}'),
            'P' => return Ok('\u{2029}'),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => {
                return self.fail(&format!("`\\{kind}` is not an escape sequence; write `\\\\` for a backslash"));
            }
        };
        let mut code = 0;
        for _ in 0..length {
            match self.cursor.peek().and_then(|c| c.to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return self.fail(&format!("`\\{kind}` needs {length} hexadecimal digits")),
            }
            self.cursor.next();
        }
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.fail(&format!("`\\{kind}` has no code of a character after it")),
        }
    }

    /// A text on the lines after `|` or `>`.
    pub(super) fn block_scalar(&mut self) -> Result<(), String> {
        let line = self.cursor.line;
        let is_literal = self.cursor.next() == Some('|');
        let (chomping, extra) = self.block_header()?;
        let mut indent = extra.map_or(0, |extra| self.indent.max(0) + extra);
        let mut text = String::new();
        let mut ending = None;
        let mut after_blank = false;
        let mut breaks = self.block_breaks(&mut indent)?;
        while self.cursor.column == indent && self.cursor.peek().is_some() {
            let at_blank = is_blank(self.cursor.peek());
            match ending {
                // A line that is indented more keeps the line breaks around it.
                Some('\n') if !is_literal && !after_blank && !at_blank => {
                    text.push_str(if breaks.is_empty() { " " } else { "" });
                }
                ending => text.extend(ending),
            }
            text.push_str(&breaks);
            after_blank = at_blank;
            text.push_str(self.cursor.next_while(|c| !is_line_end(c)));
            ending = self.cursor.next_break();
            breaks = self.block_breaks(&mut indent)?;
        }
        if chomping != Chomping::None {
            text.extend(ending);
        }
        if chomping == Chomping::All {
            text.push_str(&breaks);
        }
        self.push(Token::Scalar { text, style: Style::Block }, line);
        Ok(())
    }

    /// The rest of the line of `|` or `>`.
    fn block_header(&mut self) -> Result<(Chomping, Option<isize>), String> {
        let (mut chomping, mut extra) = (None, None);
        while let Some(c) = self.cursor.peek() {
            match c {
                '+' if chomping.is_none() => chomping = Some(Chomping::All),
                '-' if chomping.is_none() => chomping = Some(Chomping::None),
                '1'..='9' if extra.is_none() => extra = c.to_digit(10).and_then(|digit| isize::try_from(digit).ok()),
                _ => break,
            }
            self.cursor.next();
        }
        self.cursor.skip_blanks_and_comment();
        if !is_line_end(self.cursor.peek()) {
            return self.fail(
                "only `+` or `-` and a digit from 1 to 9 can follow `|` or `>`; write the text on the next line",
            );
        }
        self.cursor.next_break();
        Ok((chomping.unwrap_or(Chomping::One), extra))
    }

    /// Consumes empty lines and the indentation of the next one, and returns the line breaks. An unknown indentation of
    /// 0 becomes that of the most indented line.
    fn block_breaks(&mut self, indent: &mut isize) -> Result<String, String> {
        let mut breaks = String::new();
        let mut furthest = 0;
        loop {
            while (*indent == 0 || self.cursor.column < *indent) && self.cursor.peek() == Some(' ') {
                self.cursor.next();
            }
            furthest = furthest.max(self.cursor.column);
            if (*indent == 0 || self.cursor.column < *indent) && self.cursor.peek() == Some('\t') {
                return self.fail("a tab cannot be part of the indentation of a text; write spaces");
            }
            match self.cursor.next_break() {
                Some(c) => breaks.push(c),
                None => break,
            }
        }
        if *indent == 0 {
            *indent = furthest.max(self.indent + 1).max(1);
        }
        Ok(breaks)
    }
}
