//! Divides a document into tokens.
//!
//! The official library reads the YAML 1.1 of libyaml 0.1, and differs from all readers of YAML 1.2 in the layouts that
//! it accepts. So this scanner follows the rules of that library: where tabs may be, how long a key may be, which
//! characters end a line.
//!
//! A key is only recognized by its `:`. Until then a token that may be a key is held back, with all tokens after it,
//! and the tokens `Key` and `MappingStart` are inserted before it. In `a: [b, c]`, `a` is held back until `:`, `[`
//! until the end of the line, `b` until `,`. A key ends on its line, and within 1,024 characters, so few tokens are
//! held back.

mod cursor;
mod properties;
mod scalars;

use std::collections::VecDeque;

use super::resolve::Style;
use crate::work;
use cursor::{Cursor, is_allowed, is_space};

/// The number of characters in which a key must end.
const MAX_KEY: usize = 1024;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// `%YAML 1.1`
    Version {
        major: u8,
        minor: u8,
    },
    /// `%TAG !e! tag:example.com,2026:`
    TagPrefix {
        handle: &'t str,
        prefix: String,
    },
    DocumentStart,
    DocumentEnd,
    /// The start of a sequence or mapping whose structure is given by its indentation.
    SequenceStart,
    MappingStart,
    /// The end of either.
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    Comma,
    /// The `-` before an element.
    Dash,
    /// The start of a key, with or without `?`.
    Key,
    /// The `:` after a key.
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    Tag {
        /// `!`, `!!`, `!e!`; empty if the tag is written in full.
        handle: &'t str,
        suffix: String,
    },
    Scalar {
        text: String,
        style: Style,
    },
    End,
}

/// A token that may begin a key.
#[derive(Clone, Copy, Default)]
struct PossibleKey {
    possible: bool,
    /// The number of tokens before it.
    token: usize,
    index: usize,
    line: usize,
    column: isize,
    /// True if only a key is allowed here.
    required: bool,
}

pub(super) struct Scanner<'t> {
    cursor: Cursor<'t>,
    /// The tokens that are not taken yet, with their lines.
    queue: VecDeque<(Token<'t>, usize)>,
    /// The number of tokens taken.
    taken: usize,
    /// The line of the last token taken.
    last_line: usize,
    /// The column of the innermost sequence or mapping in block style; -1 outside.
    indent: isize,
    /// The columns of those around it.
    outer_indents: Vec<isize>,
    /// The last token that may be a key: outside of brackets, and in each pair of brackets.
    keys: Vec<PossibleKey>,
    /// True if the next token may be a key.
    key_allowed: bool,
}

impl<'t> Scanner<'t> {
    /// # Errors
    /// The text contains a control character.
    pub(super) fn new(text: &'t str) -> Result<Self, String> {
        work::step(1 + text.len() / 16);
        if let Some((at, c)) = text.char_indices().find(|(_, c)| !is_allowed(*c)) {
            let line = text[..at].bytes().filter(|byte| *byte == b'\n').count() + 1;
            return Err(at_line(line, &format!("the control character U+{:04X} is not allowed", u32::from(c))));
        }
        // A second byte order mark has its own column.
        let mut cursor = Cursor::new(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
        if text.starts_with(BYTE_ORDER_MARK) && cursor.peek() == Some(BYTE_ORDER_MARK) {
            cursor.next();
        }
        Ok(Scanner {
            cursor,
            queue: VecDeque::new(),
            taken: 0,
            last_line: 1,
            indent: -1,
            outer_indents: Vec::new(),
            keys: vec![PossibleKey::default()],
            key_allowed: true,
        })
    }

    /// Returns the next token without taking it. After the last one, this is the end.
    pub(super) fn peek_token(&mut self) -> Result<&Token<'t>, String> {
        loop {
            self.check_key()?;
            if !self.needs_more() {
                break;
            }
            let before = self.cursor.remaining();
            self.fetch()?;
            work::step(1 + (before - self.cursor.remaining()) / 16);
        }
        Ok(self.queue.front().map_or(&Token::End, |(token, _)| token))
    }

    /// Takes the next token.
    pub(super) fn take(&mut self) -> Result<Token<'t>, String> {
        self.peek_token()?;
        self.taken += 1;
        Ok(match self.queue.pop_front() {
            Some((token, line)) => {
                self.last_line = line;
                token
            }
            None => Token::End,
        })
    }

    /// Returns the line of the next token.
    pub(super) fn line(&self) -> usize {
        self.queue.front().map_or(self.cursor.line, |(_, line)| *line)
    }

    /// Returns the line of the token that was taken last.
    pub(super) fn last_line(&self) -> usize {
        self.last_line
    }

    /// Returns true if the next token is not final: it may turn out to be a key.
    fn needs_more(&self) -> bool {
        if self.queue.is_empty() {
            return true;
        }
        // Inner brackets start later, so the numbers of the tokens are in ascending order.
        let level = self.keys.partition_point(|key| key.token < self.taken);
        self.keys.get(level).is_some_and(|key| key.token == self.taken && self.is_possible(key))
    }

    /// # Errors
    /// A line that must have a key has none.
    fn check_key(&self) -> Result<(), String> {
        let key = &self.keys[0];
        match key.required && key.possible && !self.is_possible(key) {
            true => missing_colon(key),
            false => Ok(()),
        }
    }

    fn is_possible(&self, key: &PossibleKey) -> bool {
        key.possible && key.line == self.cursor.line && key.index + MAX_KEY >= self.cursor.index
    }

    fn in_brackets(&self) -> bool {
        self.keys.len() > 1
    }

    fn push(&mut self, token: Token<'t>, line: usize) {
        self.queue.push_back((token, line));
    }

    fn fail<T>(&self, why: &str) -> Result<T, String> {
        Err(at_line(self.cursor.line, why))
    }

    /// Adds the next token to the queue, and the ends of blocks that end before it.
    fn fetch(&mut self) -> Result<(), String> {
        self.skip_to_token();
        self.check_key()?;
        self.end_blocks(self.cursor.column);
        let (c, second) = (self.cursor.peek(), self.cursor.second());
        let Some(first) = c else { return self.end() };
        let at_start = self.cursor.column == 0;
        match first {
            '%' if at_start => self.directive(),
            '-' if self.cursor.is_at_mark("---") => self.document_mark(Token::DocumentStart),
            '.' if self.cursor.is_at_mark("...") => self.document_mark(Token::DocumentEnd),
            '[' => self.open_bracket(Token::FlowSequenceStart),
            '{' => self.open_bracket(Token::FlowMappingStart),
            ']' => self.close_bracket(Token::FlowSequenceEnd),
            '}' => self.close_bracket(Token::FlowMappingEnd),
            ',' => {
                self.forget_key()?;
                self.key_allowed = true;
                self.indicator(Token::Comma);
                Ok(())
            }
            '-' if is_space(second) => self.dash(),
            '?' if self.in_brackets() || is_space(second) => self.key(),
            ':' if self.in_brackets() || is_space(second) => self.value(),
            '*' | '&' => {
                self.possible_key()?;
                self.anchor()
            }
            '!' => {
                self.possible_key()?;
                self.tag()
            }
            '|' | '>' if !self.in_brackets() => {
                self.forget_key()?;
                self.key_allowed = true;
                self.block_scalar()
            }
            '\'' | '"' => {
                self.possible_key()?;
                self.quoted()
            }
            '\t' => self.fail("a tab cannot be part of the indentation; write spaces"),
            '#' | '|' | '>' | '%' | '@' | '`' => {
                self.fail(&format!("`{first}` cannot begin a value; put the value in quotes"))
            }
            _ => {
                self.possible_key()?;
                self.plain()
            }
        }
    }

    /// Skips white space and comments. Tabs are white space where no key can begin, and in brackets.
    fn skip_to_token(&mut self) {
        loop {
            while self.cursor.peek() == Some(' ')
                || self.cursor.peek() == Some('\t') && (self.in_brackets() || !self.key_allowed)
            {
                self.cursor.next();
            }
            self.cursor.skip_comment();
            if self.cursor.next_break().is_none() {
                return;
            }
            self.key_allowed |= !self.in_brackets();
        }
    }

    /// Notes that the next token may be a key.
    fn possible_key(&mut self) -> Result<(), String> {
        if self.key_allowed {
            let required = !self.in_brackets() && self.indent == self.cursor.column;
            self.forget_key()?;
            let Cursor { index, line, column, .. } = self.cursor;
            let token = self.taken + self.queue.len();
            self.set_key(PossibleKey { possible: true, token, index, line, column, required });
        }
        // No key can be right after a name, tag, text or bracket.
        self.key_allowed = false;
        Ok(())
    }

    fn set_key(&mut self, key: PossibleKey) {
        if let Some(last) = self.keys.last_mut() {
            *last = key;
        }
    }

    /// Notes that the last token that may have been a key is not one.
    fn forget_key(&mut self) -> Result<(), String> {
        let Some(key) = self.keys.last_mut() else { return Ok(()) };
        if key.possible && key.required {
            return missing_colon(key);
        }
        key.possible = false;
        Ok(())
    }

    /// Starts a sequence or mapping at a column, unless it continues.
    fn begin_block(&mut self, column: isize, at: usize, token: Token<'t>, line: usize) {
        if !self.in_brackets() && self.indent < column {
            self.outer_indents.push(self.indent);
            self.indent = column;
            self.queue.insert(at, (token, line));
        }
    }

    /// Ends the sequences and mappings to the right of a column.
    fn end_blocks(&mut self, column: isize) {
        while !self.in_brackets() && self.indent > column {
            self.push(Token::BlockEnd, self.cursor.line);
            self.indent = self.outer_indents.pop().unwrap_or(-1);
        }
    }

    fn end(&mut self) -> Result<(), String> {
        self.end_blocks(-1);
        self.forget_key()?;
        // Tokens before an open bracket cannot be followed by `:` any more.
        self.keys.iter_mut().for_each(|key| key.possible = false);
        self.push(Token::End, self.cursor.line);
        Ok(())
    }

    /// Ends all blocks before a line that does not belong to any value.
    fn before_document(&mut self) -> Result<(), String> {
        self.end_blocks(-1);
        self.forget_key()?;
        self.key_allowed = false;
        Ok(())
    }

    fn document_mark(&mut self, token: Token<'t>) -> Result<(), String> {
        self.before_document()?;
        self.cursor.next();
        self.cursor.next();
        self.indicator(token);
        Ok(())
    }

    /// Adds a token, and consumes its last character.
    fn indicator(&mut self, token: Token<'t>) {
        let line = self.cursor.line;
        self.cursor.next();
        self.push(token, line);
    }

    fn open_bracket(&mut self, token: Token<'t>) -> Result<(), String> {
        self.possible_key()?;
        self.indicator(token);
        self.keys.push(PossibleKey { token: self.taken + self.queue.len(), ..PossibleKey::default() });
        self.key_allowed = true;
        Ok(())
    }

    fn close_bracket(&mut self, token: Token<'t>) -> Result<(), String> {
        self.forget_key()?;
        if self.in_brackets() {
            self.keys.pop();
        }
        self.key_allowed = false;
        self.indicator(token);
        Ok(())
    }

    fn dash(&mut self) -> Result<(), String> {
        if !self.in_brackets() {
            if !self.key_allowed {
                return self.fail("a sequence cannot begin here; write it on its own lines");
            }
            self.begin_block(self.cursor.column, self.queue.len(), Token::SequenceStart, self.cursor.line);
        }
        self.forget_key()?;
        self.key_allowed = true;
        self.indicator(Token::Dash);
        Ok(())
    }

    fn key(&mut self) -> Result<(), String> {
        if !self.in_brackets() {
            if !self.key_allowed {
                return self.fail("a key cannot begin here; write the mapping on its own lines");
            }
            self.begin_block(self.cursor.column, self.queue.len(), Token::MappingStart, self.cursor.line);
        }
        self.forget_key()?;
        self.key_allowed = !self.in_brackets();
        self.indicator(Token::Key);
        Ok(())
    }

    fn value(&mut self) -> Result<(), String> {
        let key = self.keys.last().copied().filter(|key| self.is_possible(key));
        if let Some(key) = key {
            let at = key.token.saturating_sub(self.taken).min(self.queue.len());
            self.queue.insert(at, (Token::Key, key.line));
            self.begin_block(key.column, at, Token::MappingStart, key.line);
            self.set_key(PossibleKey { possible: false, ..key });
            self.key_allowed = false;
        } else {
            if !self.in_brackets() {
                if !self.key_allowed {
                    return self.fail("there cannot be a `:` here; put a text that contains `: ` in quotes");
                }
                self.begin_block(self.cursor.column, self.queue.len(), Token::MappingStart, self.cursor.line);
            }
            self.key_allowed = !self.in_brackets();
        }
        self.indicator(Token::Value);
        Ok(())
    }
}

fn missing_colon<T>(key: &PossibleKey) -> Result<T, String> {
    Err(at_line(key.line, "there is no `:` after a key"))
}

/// A message about a line.
pub(super) fn at_line(line: usize, why: &str) -> String {
    format!("line {line}: {why}")
}
