//! Reports malformed strings.

use super::MAX_SEARCH;
use crate::diagnostic::Applicability::{NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::json::reader::{Reader, Step, space_end};
use crate::json::string::Escape;
use crate::json::tree::Tag;
use crate::source::{Replacement, SUBSTITUTE};
use crate::syntax::mend::{self, has_escapes};
use crate::work::memchr;
use memchr::memrchr;

impl Reader<'_> {
    #[cold]
    pub(in crate::json) fn wrong_escape(&mut self, start: usize, end: usize, escape: Escape) {
        let (detail, help): (String, _) = match escape {
            Escape::Character(_) => return,
            // The error is then that the string has no end, or the invalid control character.
            Escape::Nothing => return,
            // Only these are not allowed in a string; the others up to U+009F are control characters in Unicode, but
            // not in JSON.
            Escape::Unknown(c) if c < ' ' => return,
            Escape::LoneSurrogate(unit) => {
                let detail = format!("`\\u{unit:04x}` is only half of a character, and is read as U+FFFD");
                let diagnostic = Finding::warning(Code::LoneSurrogate, self.span(start, end), detail);
                return self.report(
                    diagnostic.with_help("a character above U+FFFF needs two escape sequences, as in `\\ud83d\\ude00`"),
                );
            }
            Escape::Digits => (
                "4 hexadecimal digits are needed here".into(),
                "a character is written by its number as `\\u` and 4 digits",
            ),
            Escape::Unknown(c) => (
                match c.is_control() {
                    true => format!("a backslash before U+{:04X} is not an escape sequence", u32::from(c)),
                    false => format!("`\\{c}` is not an escape sequence"),
                },
                match c {
                    '\'' => "a single quote needs no backslash",
                    '$' => "a dollar sign needs no backslash; for a literal `${` write `$${`",
                    '%' => "a percent sign needs no backslash; for a literal `%{` write `%%{`",
                    'U' => {
                        "a character is written by its number as `\\u` and 4 digits; one above U+FFFF needs two of them"
                    }
                    'x' | '0'..='9' | 'e' | 'a' | 'v' => "write characters by their number, as in `\\u001b`",
                    _ => {
                        "for a literal backslash write `\\\\`; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uNNNN"
                    }
                },
            ),
        };
        let diagnostic = Finding::error(Code::InvalidEscape, self.span(start, end), detail).with_help(help);
        let mend = mend::escape(self.text(start, self.bytes.len().min(end + 2)), start as u32);
        self.report(match mend {
            Some((applicability, edit)) => {
                let sure = applicability == Safe && !self.has_escapes_around(start);
                diagnostic.with_edits(if sure { Safe } else { NeedsReview }, [edit])
            }
            None => diagnostic,
        });
    }

    /// Returns true if there are character escapes in the surrounding line, or too much text to search.
    fn has_escapes_around(&self, at: usize) -> bool {
        const MAX_LINE: usize = 2_000;
        let (first, last) = (at.saturating_sub(MAX_LINE), self.bytes.len().min(at + MAX_LINE));
        let before = memrchr(b'\n', &self.bytes[first..at]).map(|newline| first + newline);
        let after = memchr(b'\n', &self.bytes[at..last]).map(|newline| at + newline);
        match (before.or((first == 0).then_some(0)), after.or((last == self.bytes.len()).then_some(last))) {
            (Some(start), Some(end)) => has_escapes(&self.bytes[start..end], b"bfnrtu"),
            _ => true,
        }
    }

    /// Handles a control character in a string. Returns the position where the string continues; or where it ends, if
    /// its closing quote is missing there.
    #[cold]
    pub(in crate::json) fn control_character(
        &mut self,
        start: usize,
        at: usize,
        byte: u8,
        reported: &mut bool,
    ) -> (usize, bool) {
        if byte == SUBSTITUTE && self.source.is_substitute(at) {
            return (at + 1, false);
        }
        let line_end = matches!(byte, b'\n' | b'\r');
        // The whole white space is examined only once.
        let after = if line_end { space_end(self.bytes, at) } else { at + 1 };
        if line_end && self.shows_end_of_string(after) {
            let end = start + self.text(start, at).trim_end().len();
            // A comma at the end of the line was meant to be after the string.
            let end = if self.byte(end - 1) == Some(b',') && end - 1 > start { end - 1 } else { end };
            if !*reported {
                let detail = "the string is not closed before the end of the line";
                let diagnostic = Finding::error(Code::UnclosedString, self.span(at, at + 1), detail)
                    .with_label(self.span(start, start + 1), "the string begins here")
                    .with_help("add the closing `\"`")
                    .with_edits(NeedsReview, [Replacement::insertion(end, "\"")]);
                self.report(diagnostic);
            }
            return (end, true);
        }
        if !*reported {
            *reported = true;
            let (detail, help) = match byte {
                b'\n' | b'\r' => (
                    "a string cannot contain a line break".to_owned(),
                    "write `\\n` for a line break, or add the closing `\"`",
                ),
                b'\t' => ("a string cannot contain a tab".to_owned(), "write `\\t` for a tab"),
                _ => (
                    format!("a string cannot contain the control character U+{byte:04X}"),
                    "write characters by their number, as in `\\u001b`",
                ),
            };
            let diagnostic = Finding::error(Code::ControlCharacter, self.span(at, at + 1), detail).with_help(help);
            self.report(match byte {
                b'\n' | b'\r' => diagnostic,
                b'\t' => diagnostic.with_edits(Safe, [Replacement::new(self.span(at, at + 1), "\\t")]),
                _ => {
                    let number = format!("\\u{byte:04x}");
                    diagnostic.with_edits(Safe, [Replacement::new(self.span(at, at + 1), number)])
                }
            });
        }
        (after, false)
    }

    /// Returns true if the text after a line end in a string shows that the string was meant to end before it: a
    /// property, a closing bracket, or the end of the source.
    pub(in crate::json) fn shows_end_of_string(&self, next: usize) -> bool {
        match self.byte(next) {
            None | Some(b'}' | b']') => true,
            Some(b'"') => self.property_follows(next),
            _ => false,
        }
    }

    pub(in crate::json) fn unclosed_string(&mut self, start: usize) {
        let end = self.bytes.len();
        let diagnostic = Finding::error(
            Code::UnclosedString,
            self.span(end, end),
            "the string is not closed before the end of the document",
        )
        .with_label(self.span(start, start + 1), "the string begins here");
        self.report(diagnostic.with_help("add the closing `\"`"));
    }

    /// A string continues after a quote in it.
    pub(in crate::json) fn unescaped_quote(&mut self, at: usize) -> (Step, usize) {
        let end = at + self.character(at).len_utf8();
        let quote = at - usize::from(self.byte(at) != Some(b'"'));
        let diagnostic = Finding::error(Code::UnescapedQuote, self.span(at, end), "the string has ended before this")
            .with_help("write `\\\"` for a quote within a string, or add the missing comma");
        self.report(match self.byte(quote) {
            Some(b'"') => {
                let escaped = Replacement::insertion(quote, "\\");
                diagnostic.with_choice("write `\\\"` for the quote", [escaped])
            }
            _ => diagnostic,
        });
        // The closing quote was missing, and this is the name of the next property.
        if self.in_object
            && let Some(value) = self.name_end(at)
        {
            self.push_name(Tag::Bare, at, at);
            return (Step::Value, value);
        }
        let line = self.near_line_end(at);
        let text = self.text(at, line).trim_end();
        let text = text.trim_end_matches([',', '}', ']', ' ']);
        // Skips to the quote that was meant to end the string, or else to the next possible token.
        let rest = if text.ends_with('"') { at + text.len() } else { self.rest_end(at) };
        (Step::After, rest.max(end))
    }

    /// Returns the end of the rest of a name at `at`, with its quote and colon, if the text looks like one.
    pub(in crate::json) fn name_end(&self, at: usize) -> Option<usize> {
        let near = &self.bytes[at..self.bytes.len().min(at + MAX_SEARCH)];
        let length =
            near.iter().position(|&byte| matches!(byte, b'"' | b'\n' | b',' | b':' | b'{' | b'}' | b'[' | b']'))?;
        let colon = space_end(self.bytes, at + length + 1);
        (length > 0 && near[length] == b'"' && self.byte(colon) == Some(b':')).then_some(colon + 1)
    }

    /// Returns true if the string at `at` ends in its line and is followed by a colon or an equals sign.
    pub(in crate::json) fn property_follows(&self, at: usize) -> bool {
        let near = &self.bytes[at + 1..self.bytes.len().min(at + 1 + MAX_SEARCH)];
        let Some(length) = near.iter().position(|&byte| byte == b'"' || byte == b'\n') else {
            return false;
        };
        near[length] == b'"' && matches!(self.byte(space_end(self.bytes, at + 1 + length + 1)), Some(b':' | b'='))
    }

    /// Returns the closing quote of the string that begins at `at`, if it is in the same line.
    pub(in crate::json) fn quoted_end(&self, mut at: usize) -> Option<usize> {
        loop {
            at += 1;
            match self.byte(at)? {
                b'"' => return Some(at),
                b'\n' => return None,
                b'\\' => at += 1,
                _ => {}
            }
        }
    }
}
