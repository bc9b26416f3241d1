//! Parses addresses.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use super::{Address, AddressStep};
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::internal::Finding;
use hcl_lr::internal::identifier::{is_id_start, is_identifier_part};
use hcl_lr::internal::{decode_quoted, wrong_escape};
use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::is_identifier;

/// Errors are diagnostics whose source is called `<address>`.
impl FromStr for Address {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Address, Diagnostics> {
        Address::parse(("<address>", text))
    }
}

impl Address {
    /// Parses an address from a named source.
    ///
    /// # Errors
    /// The syntax errors of the address, with their places.
    ///
    /// ```
    /// use hcl_lr_edit::address::Address;
    ///
    /// let wrong = Address::parse(("addresses.txt", "a.[0]")).expect_err("no address");
    /// assert_eq!(
    ///     wrong.short(),
    ///     "addresses.txt:1:2: error[invalid-address]: malformed address: a bracket is not preceded by a dot\n"
    /// );
    /// ```
    pub fn parse(source: impl Into<Source>) -> Result<Address, Diagnostics> {
        Address::parse_with_spans(source).map(|(address, _)| address)
    }

    /// Parses an address and returns the span of each step in the text.
    ///
    /// # Errors
    /// The syntax errors of the address, with their places.
    ///
    /// ```
    /// use hcl_lr_edit::address::Address;
    ///
    /// let (_, spans) = Address::parse_with_spans(("ADDRESS", "a[0].b"))?;
    /// assert_eq!(spans.iter().map(|span| span.range()).collect::<Vec<_>>(), [0..1, 1..4, 5..6]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn parse_with_spans(source: impl Into<Source>) -> Result<(Address, Vec<Span>), Diagnostics> {
        let source = Arc::new(source.into());
        let text = source.text();
        if text.len() > LONGEST {
            let end = Span::new(LONGEST, LONGEST);
            let wrong = Finding::error(Code::InvalidAddress, end, format!("an address has at most {LONGEST} bytes"));
            return Err(wrong.in_source(&source).into());
        }
        Parser { text, at: 0, spans: Vec::new() }.address().map_err(|wrong| wrong.in_source(&source).into())
    }
}

/// The maximum length of an address in bytes. It bounds whatever takes time in proportion to the length.
const LONGEST: usize = 65_536;

const INDEX: &str = "a string in quotes, a whole number, `*`, or an expression in parentheses is expected here";

fn helped(mut wrong: Box<Finding>, help: impl Into<Cow<'static, str>>) -> Box<Finding> {
    *wrong = wrong.with_help(help);
    wrong
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// The spans of the steps so far.
    spans: Vec<Span>,
}

impl<'a> Parser<'a> {
    fn address(mut self) -> Result<(Address, Vec<Span>), Box<Finding>> {
        let mut steps = Vec::new();
        self.skip_space();
        if self.rest().trim_end() == "." {
            return Ok((Address::root(), Vec::new()));
        }
        match self.peek() {
            None => {
                let wrong = self.wrong(self.at..self.at, "an address is expected");
                return Err(helped(wrong, "`.` is the address of the whole body of a file"));
            }
            Some('.') => {
                let wrong = self.wrong(self.at..self.at + 1, "an address does not begin with a dot");
                return Err(wrong);
            }
            Some('[') => {}
            Some(_) => steps.push(self.spanned(Self::after_dot)?),
        }
        loop {
            self.skip_space();
            match self.peek() {
                None => return Ok((Address { steps }, self.spans)),
                Some('.') => {
                    let dot = self.at;
                    self.at += 1;
                    self.skip_space();
                    if self.peek() == Some('[') {
                        return Err(self.wrong(dot..dot + 1, "a bracket is not preceded by a dot"));
                    }
                    steps.push(self.spanned(Self::after_dot)?);
                }
                Some('[') => steps.push(self.spanned(Self::bracket)?),
                Some(_) => {
                    let length = self.rest().find(['.', '[', ' ']).unwrap_or(self.rest().len());
                    let wrong = self.wrong(
                        self.at..self.at + length.max(1),
                        "after a part of an address, a dot or `[` is expected",
                    );
                    return Err(helped(wrong, "a name with other characters is written as `[\"…\"]`"));
                }
            }
        }
    }

    /// Reads a step and records its span.
    fn spanned(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<AddressStep, Box<Finding>>,
    ) -> Result<AddressStep, Box<Finding>> {
        let start = self.at;
        let step = read(self)?;
        self.spans.push(Span::new(start, self.at));
        Ok(step)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Returns a finding at a range that may end inside a character.
    fn wrong(&self, range: Range<usize>, detail: impl Into<Cow<'static, str>>) -> Box<Finding> {
        let end = (range.end..=self.text.len()).find(|&end| self.text.is_char_boundary(end)).unwrap_or(range.start);
        Box::new(Finding::error(Code::InvalidAddress, Span::new(range.start, end), detail))
    }

    /// A name, a number or stars.
    fn after_dot(&mut self) -> Result<AddressStep, Box<Finding>> {
        let start = self.at;
        if self.eat("**") {
            return Ok(AddressStep::Deep);
        }
        if self.eat("*") {
            return Ok(AddressStep::Any);
        }
        match self.peek() {
            Some(c) if c == '_' || is_id_start(c) => {
                let length = self.rest().find(|c| !is_identifier_part(c)).unwrap_or(self.rest().len());
                self.at += length;
                Ok(AddressStep::Name(self.text[start..self.at].to_owned()))
            }
            Some('0'..='9') => self.number(),
            Some('"') => {
                let wrong = self.wrong(start..start + 1, "a name is expected here");
                Err(helped(wrong, "write a string in brackets: `[\"…\"]`"))
            }
            Some(_) => {
                let wrong = self.wrong(start..start + 1, "a name is expected here");
                Err(helped(wrong, "a name with other characters is written as `[\"…\"]`"))
            }
            None => Err(self.wrong(start..start, "a name is expected after the dot")),
        }
    }

    fn number(&mut self) -> Result<AddressStep, Box<Finding>> {
        let start = self.at;
        let length = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        self.at += length;
        match self.text[start..self.at].parse() {
            Ok(index) => Ok(AddressStep::Index(index)),
            Err(_) => Err(self.wrong(start..self.at, "this number is too large")),
        }
    }

    fn bracket(&mut self) -> Result<AddressStep, Box<Finding>> {
        let open = self.at;
        self.at += 1;
        self.skip_space();
        let start = self.at;
        let step = match self.peek() {
            Some('*') if self.rest().starts_with("**") => {
                let wrong = self.wrong(start..start + 2, "`**` is not written in brackets");
                return Err(helped(wrong, "write `.**`"));
            }
            Some('*') => {
                self.at += 1;
                AddressStep::Any
            }
            Some('"') => AddressStep::Name(self.string()?),
            Some('0'..='9') => self.number()?,
            Some('(') => AddressStep::Computed(self.parentheses()?),
            _ => {
                let length = self.rest().find(']').unwrap_or(self.rest().len());
                let wrong = self.wrong(start..start + length, INDEX);
                let key = self.rest()[..length].trim_end();
                return Err(match is_identifier(key) {
                    true => helped(wrong, format!("for the name write `[\"{key}\"]`")),
                    false => wrong,
                });
            }
        };
        self.skip_space();
        if self.eat("]") {
            return Ok(step);
        }
        let wrong = self.wrong(self.at..(self.at + 1).min(self.text.len()), "`]` is expected here");
        Err(Box::new(wrong.with_label(Span::new(open, open + 1), "the open bracket")))
    }

    /// A string in quotes.
    fn string(&mut self) -> Result<String, Box<Finding>> {
        let open = self.at;
        let mut escaped = false;
        let end = self.text[open + 1..].char_indices().find(|&(_, c)| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let Some((length, _)) = end else {
            return Err(self.wrong(open..self.text.len(), "a closing quote is missing"));
        };
        let inside = &self.text[open + 1..open + 1 + length];
        self.at = open + length + 2;
        match wrong_escape(inside) {
            Some((range, detail, help)) => {
                Err(helped(self.wrong(open + 1 + range.start..open + 1 + range.end, detail), help))
            }
            None => Ok(decode_quoted(inside).into_owned()),
        }
    }

    /// Returns the text within parentheses, which may contain strings and other brackets.
    fn parentheses(&mut self) -> Result<String, Box<Finding>> {
        let open = self.at;
        // The closers of all open brackets and quotes.
        let mut closers: Vec<u8> = Vec::new();
        let bytes = self.text.as_bytes();
        let mut at = open;
        while at < bytes.len() {
            let in_string = closers.last() == Some(&b'"');
            match bytes[at] {
                byte if closers.last() == Some(&byte) => {
                    closers.pop();
                    if closers.is_empty() {
                        self.at = at + 1;
                        return Ok(self.text[open + 1..at].trim().to_owned());
                    }
                }
                b'\\' if in_string => at += 1,
                b'$' | b'%' if in_string && bytes.get(at + 1) == Some(&b'{') => {
                    at += 1;
                    closers.push(b'}');
                }
                _ if in_string => {}
                b'(' => closers.push(b')'),
                b'[' => closers.push(b']'),
                b'{' => closers.push(b'}'),
                b'"' => closers.push(b'"'),
                _ => {}
            }
            at += 1;
        }
        Err(self.wrong(open..open + 1, "this parenthesis is not closed"))
    }
}
