//! Directives, anchors, aliases and tags.

use super::cursor::{is_blank, is_line_end, is_space, is_word};
use super::{Scanner, Token};

impl<'t> Scanner<'t> {
    /// A line such as `%YAML 1.1`.
    pub(super) fn directive(&mut self) -> Result<(), String> {
        self.before_document()?;
        let line = self.cursor.line;
        self.cursor.next();
        let name = self.cursor.next_while(is_word);
        let token = match name {
            "YAML" if is_space(self.cursor.peek()) => self.version()?,
            "TAG" if is_space(self.cursor.peek()) => self.tag_prefix()?,
            _ => return self.fail("only the directives `%YAML` and `%TAG` are known"),
        };
        self.cursor.skip_blanks_and_comment();
        if !is_line_end(self.cursor.peek()) {
            return self.fail("only a comment can follow a directive on its line");
        }
        self.cursor.next_break();
        self.push(token, line);
        Ok(())
    }

    fn version(&mut self) -> Result<Token<'t>, String> {
        self.cursor.next_while(is_blank);
        let major = self.version_number();
        let dot = self.cursor.peek() == Some('.');
        if dot {
            self.cursor.next();
        }
        match (major, self.version_number()) {
            (Some(major), Some(minor)) if dot => Ok(Token::Version { major, minor }),
            _ => self.fail("`%YAML` needs a version; write `%YAML 1.1`"),
        }
    }

    fn version_number(&mut self) -> Option<u8> {
        let digits = self.cursor.next_while(|c| c.is_some_and(|c| c.is_ascii_digit()));
        digits.parse().ok().filter(|_| digits.len() <= 2)
    }

    fn tag_prefix(&mut self) -> Result<Token<'t>, String> {
        const WRONG: &str = "`%TAG` needs a handle and a prefix, such as `%TAG !e! tag:example.com,2026:`";
        self.cursor.next_while(is_blank);
        let (handle, closed) = self.tag_handle();
        if handle.is_empty() || !closed && handle != "!" || !is_blank(self.cursor.peek()) {
            return self.fail(WRONG);
        }
        self.cursor.next_while(is_blank);
        let prefix = self.tag_text()?;
        match !prefix.is_empty() && is_space(self.cursor.peek()) {
            true => Ok(Token::TagPrefix { handle, prefix }),
            false => self.fail(WRONG),
        }
    }

    /// An anchor or an alias.
    pub(super) fn anchor(&mut self) -> Result<(), String> {
        let line = self.cursor.line;
        let is_alias = self.cursor.next() == Some('*');
        let name = self.cursor.next_while(is_word);
        let next = self.cursor.peek();
        let ends = is_space(next) || matches!(next, Some('?' | ':' | ',' | ']' | '}' | '%' | '@' | '`'));
        if name.is_empty() || !ends {
            return self.fail("the name of an anchor or alias has only letters, digits, `-` and `_`");
        }
        self.push(if is_alias { Token::Alias(name) } else { Token::Anchor(name) }, line);
        Ok(())
    }

    /// A tag: `!<full>`, `!!suffix`, `!e!suffix`, `!suffix` or `!`.
    pub(super) fn tag(&mut self) -> Result<(), String> {
        const WRONG: &str = "a tag must be followed by a space; put a text that begins with `!` in quotes";
        let line = self.cursor.line;
        let (handle, suffix);
        if self.cursor.second() == Some('<') {
            self.cursor.next();
            self.cursor.next();
            (handle, suffix) = ("", self.tag_text()?);
            if suffix.is_empty() || self.cursor.next() != Some('>') {
                return self.fail("a tag that begins with `!<` must end with `>`");
            }
        } else {
            let (start, closed) = self.tag_handle();
            if closed {
                (handle, suffix) = (start, self.tag_text()?);
                if suffix.is_empty() {
                    return self.fail(WRONG);
                }
            } else {
                // The supposed handle is the beginning of the suffix.
                let text = format!("{}{}", start.trim_start_matches('!'), self.tag_text()?);
                (handle, suffix) = if text.is_empty() { ("", "!".to_owned()) } else { ("!", text) };
            }
        }
        if !is_space(self.cursor.peek()) {
            return self.fail(WRONG);
        }
        self.push(Token::Tag { handle, suffix }, line);
        Ok(())
    }

    /// Returns the text from `!` to the end of a name, and true if it ends with another `!`.
    fn tag_handle(&mut self) -> (&'t str, bool) {
        let mut ahead = self.cursor;
        if ahead.next() != Some('!') {
            return ("", false);
        }
        ahead.next_while(is_word);
        let closed = ahead.peek() == Some('!');
        let length = self.cursor.remaining() - ahead.remaining() + usize::from(closed);
        (self.cursor.next_bytes(length), closed)
    }

    /// Reads the rest of a tag or the prefix of tags: a URI, in which `%41` is a byte of a character.
    fn tag_text(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.next_while(is_uri));
            if self.cursor.peek() != Some('%') {
                return Ok(text);
            }
            match self.escaped_character() {
                Some(c) => text.push(c),
                None => return self.fail("a `%` in a tag must be followed by two hexadecimal digits, for each byte"),
            }
        }
    }

    fn escaped_character(&mut self) -> Option<char> {
        let mut bytes = vec![self.escaped_byte()?];
        let length = match bytes[0] {
            0..=0x7F => 1,
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF7 => 4,
            _ => return None,
        };
        while bytes.len() < length {
            bytes.push(self.escaped_byte()?);
        }
        std::str::from_utf8(&bytes).ok()?.chars().next()
    }

    fn escaped_byte(&mut self) -> Option<u8> {
        if self.cursor.next() != Some('%') {
            return None;
        }
        let digit = |c: Option<char>| c.and_then(|c| c.to_digit(16));
        let (high, low) = (digit(self.cursor.peek())?, digit(self.cursor.second())?);
        self.cursor.next();
        self.cursor.next();
        u8::try_from(high * 16 + low).ok()
    }
}

/// Returns true for a character of a URI that needs no escape.
fn is_uri(c: Option<char>) -> bool {
    is_word(c) || c.is_some_and(|c| ";/?:@&=+$,.!~*'()[]".contains(c))
}
