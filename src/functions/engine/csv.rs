//! Comma-separated values (RFC 4180), as strict as Go's reader: quotes are only allowed around whole fields, and are
//! doubled within them. Empty lines are skipped, and a line ends with LF or CRLF.

use std::borrow::Cow;

/// Why a text is not CSV.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CsvError {
    pub line: usize,
    pub why: &'static str,
}

const BARE: &str = "there is a quote in a field without quotes; put quotes around the field and double those in it";
const AFTER: &str = "there is text between a closing quote and the next comma; double the quotes within a field";
const OPEN: &str = "the closing quote of a field is missing";

/// Adds to a field; a field that is contiguous in the text is not copied.
fn add<'t>(field: &mut Cow<'t, str>, part: &'t str) {
    match field.is_empty() {
        true => *field = Cow::Borrowed(part),
        false => field.to_mut().push_str(part),
    }
}

/// Reads one record after the other.
pub(crate) struct Records<'t> {
    rest: &'t str,
    /// The number of the last line that was read, from 1.
    line: usize,
}

impl<'t> Records<'t> {
    pub fn new(text: &'t str) -> Self {
        Records { rest: text, line: 0 }
    }

    /// Returns the next line without its end, and whether it had one; `None` at the end of the text.
    fn next_line(&mut self) -> Option<(&'t str, bool)> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        match memchr::memchr(b'\n', self.rest.as_bytes()) {
            Some(end) => {
                let line = &self.rest[..end];
                self.rest = &self.rest[end + 1..];
                Some((line.strip_suffix('\r').unwrap_or(line), true))
            }
            None => {
                let line = std::mem::take(&mut self.rest);
                Some((line.strip_suffix('\r').unwrap_or(line), false))
            }
        }
    }

    fn error(&self, why: &'static str) -> CsvError {
        CsvError { line: self.line, why }
    }

    /// Returns the fields of the next record; `None` at the end of the text.
    pub fn read(&mut self) -> Result<Option<Vec<Cow<'t, str>>>, CsvError> {
        let (mut line, mut ended) = loop {
            match self.next_line() {
                Some(("", _)) => {}
                Some(line) => break line,
                None => return Ok(None),
            }
        };
        let mut fields = Vec::new();
        loop {
            let Some(mut quoted) = line.strip_prefix('"') else {
                let (field, after) = match line.split_once(',') {
                    Some((field, after)) => (field, Some(after)),
                    None => (line, None),
                };
                if field.contains('"') {
                    return Err(self.error(BARE));
                }
                fields.push(Cow::Borrowed(field));
                match after {
                    Some(after) => line = after,
                    None => return Ok(Some(fields)),
                }
                continue;
            };
            let mut field = Cow::Borrowed("");
            loop {
                let Some((part, after)) = quoted.split_once('"') else {
                    // The field continues in the next line.
                    add(&mut field, quoted);
                    if ended {
                        add(&mut field, "\n");
                    }
                    match self.next_line() {
                        Some(next) => (quoted, ended) = next,
                        None => return Err(self.error(OPEN)),
                    }
                    continue;
                };
                add(&mut field, part);
                match after.strip_prefix('"') {
                    Some(after) => {
                        add(&mut field, "\"");
                        quoted = after;
                    }
                    None => {
                        quoted = after;
                        break;
                    }
                }
            }
            fields.push(field);
            if quoted.is_empty() {
                return Ok(Some(fields));
            }
            line = quoted.strip_prefix(',').ok_or_else(|| self.error(AFTER))?;
        }
    }

    /// The line that was read last, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}
