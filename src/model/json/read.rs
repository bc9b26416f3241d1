//! A reader of JSON text (RFC 8259) that keeps numbers exact.

use super::JsonError;
use crate::model::MAX_DEPTH;
use crate::model::number::Number;
use crate::model::text::{Spellings, Text, normalized};

/// The content of a JSON text. Duplicate names in an object are all kept, in order.
#[derive(Debug)]
pub(in crate::model) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(Text),
    Array(Vec<Json>),
    /// The entries, and a name that occurs in two spellings which normalize to the same string.
    Object(Vec<(Text, Json)>, Option<Text>),
}

impl Json {
    /// For messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a bool",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(..) => "an object",
        }
    }
}

/// Reads one JSON value and nothing after it.
pub(in crate::model) fn read(text: &str) -> Result<Json, JsonError> {
    let mut reader = Reader { text, at: 0 };
    let json = reader.value(1)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(json),
        Some(_) => Err(reader.error("there is more text after the JSON value")),
    }
}

struct Reader<'t> {
    text: &'t str,
    /// The number of bytes read; always at the start of a character.
    at: usize,
}

impl Reader<'_> {
    fn error(&self, why: &str) -> JsonError {
        JsonError::new(format!("invalid JSON at byte {}: {why}", self.at))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Reads the byte if it is the next one.
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: u32) -> Result<Json, JsonError> {
        self.skip_space();
        match self.peek() {
            Some(b'{' | b'[') if depth > MAX_DEPTH => Err(self.error("it nests too deeply")),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Json::String(normalized(&self.string()?))),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
            None => Err(self.error("a value is missing")),
        }
    }

    fn word(&mut self) -> Result<Json, JsonError> {
        let rest = &self.text[self.at..];
        let words = [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))];
        for (word, json) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(json);
            }
        }
        Err(self.error("a value is required"))
    }

    fn array(&mut self, depth: u32) -> Result<Json, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.eat(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.eat(b']') {
                return Ok(Json::Array(items));
            }
            if !self.eat(b',') {
                return Err(self.error("a comma or a closing bracket is required"));
            }
        }
    }

    fn object(&mut self, depth: u32) -> Result<Json, JsonError> {
        self.at += 1;
        let mut entries = Vec::new();
        self.skip_space();
        if self.eat(b'}') {
            return Ok(Json::Object(entries, None));
        }
        let mut spellings = Spellings::default();
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.error("a quoted name is required"));
            }
            let name = spellings.normalized(&self.string()?);
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.error("a colon is required"));
            }
            entries.push((name, self.value(depth + 1)?));
            self.skip_space();
            if self.eat(b'}') {
                let twice = spellings.with_two(entries.iter().map(|(name, _)| name));
                return Ok(Json::Object(entries, twice));
            }
            if !self.eat(b',') {
                return Err(self.error("a comma or a closing brace is required"));
            }
        }
    }

    fn digits(&mut self) -> Result<usize, JsonError> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        match self.at - start {
            0 => Err(self.error("a digit is required")),
            count => Ok(count),
        }
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        let start = self.at;
        self.eat(b'-');
        let leading_zero = self.peek() == Some(b'0');
        if self.digits()? > 1 && leading_zero {
            return Err(self.error("a number must not begin with an unnecessary zero"));
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        let number = Number::parse(&self.text[start..self.at]);
        number.map(Json::Number).map_err(|why| self.error(&why.to_string()))
    }

    /// The content of a string, escapes decoded.
    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let plain = |b: &u8| *b == b'"' || *b == b'\\' || *b < b' ';
            let Some(run) = rest.iter().position(plain) else {
                self.at = self.text.len();
                return Err(self.error("a string is not closed"));
            };
            out.push_str(&self.text[self.at..self.at + run]);
            self.at += run;
            match rest[run] {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => out.push(self.escape()?),
                _ => return Err(self.error("a control character must be escaped")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        self.at += 1;
        let Some(byte) = self.peek() else {
            return Err(self.error("an escape sequence is incomplete"));
        };
        let c = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.error("no such escape")),
        };
        self.at += 1;
        Ok(c)
    }

    /// Reads four hexadecimal digits, or a surrogate pair. A lone surrogate becomes the replacement character, as in
    /// the official engine.
    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let unit = self.hex4()?;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        let rest = &self.text.as_bytes()[self.at..];
        if unit < 0xdc00 && rest.starts_with(b"\\u") {
            let before = self.at;
            self.at += 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        let unit = unit.ok_or_else(|| self.error("four hexadecimal digits are required"))?;
        self.at += 4;
        Ok(unit)
    }
}
