//! Recovery after unexpected input: reports the error, and finds the place to continue.
//!
//! Each mistake is one report. Habits from other languages are read as intended if that is plain. Text that cannot be
//! read becomes an error node that extends to the next comma, bracket or line.

mod ahead;
mod brackets;
mod foreign;
mod strings;

use super::reader::{NONE, Reader, Step, space_end};
use super::tree::Tag;
use crate::diagnostic::Applicability::Safe;
use crate::diagnostic::{Code, Finding};
use crate::source::Replacement;

/// The number of bytes searched ahead, and of brackets searched outward, which bounds the work for a mistake.
const MAX_SEARCH: usize = 1024;

const WRITE_EXPRESSION: &str = "text needs quotes: `\"text\"`; an expression needs a template: `\"${expression}\"`";

impl Reader<'_> {
    /// Reports bytes that are not UTF-8. Returns true if the whole source is in another encoding.
    pub(super) fn encoding(&mut self) -> bool {
        if self.source.looks_like_utf16() {
            self.report_at(Code::InvalidUtf8, 0, 2, "this looks like UTF-16", "save the file as UTF-8");
            return true;
        }
        for &span in self.source.invalid_utf8() {
            let detail =
                if span.len() == 1 { "this byte is not valid UTF-8" } else { "these bytes are not valid UTF-8" };
            self.report_at(Code::InvalidUtf8, span.start(), span.end(), detail, "save the file as UTF-8");
        }
        false
    }

    /// Something other than the start of a value.
    #[cold]
    pub(super) fn no_value(&mut self, at: usize) -> (Step, usize) {
        if let Some(end) = self.between(at) {
            return (Step::Value, end);
        }
        let Some(byte) = self.byte(at) else {
            return self.end_of_file("a value");
        };
        match byte {
            b'}' | b']' => return self.closer_for_value(at, byte),
            b',' => {
                if !self.is_behind_substitute(at) {
                    self.extra_comma(at, "a value is expected before this comma");
                }
                self.push(Tag::Error, at, at);
                return if self.open == NONE { (Step::Done, at) } else { self.skip_commas(at) };
            }
            b':' => {
                let detail = "a value is expected before this colon";
                self.report_at(Code::UnexpectedToken, at, at + 1, detail, "remove the colon, or add what is missing");
                if self.open == NONE {
                    self.push(Tag::Error, at, at);
                    return (Step::Done, at);
                }
                return (Step::Value, at + 1);
            }
            b'=' => {
                self.wrong_assignment(at);
                return (Step::Value, self.assignment_end(at));
            }
            b'+' | b'.' | b'-' => return (Step::After, self.wrong_number(at)),
            b'<' if self.bytes[at..].starts_with(b"<<") => return (Step::After, self.heredoc(at)),
            _ => {}
        }
        if let Some(end) = self.foreign_string(at, false) {
            return (Step::After, end);
        }
        let c = self.character(at);
        if c.is_alphabetic() || c == '_' {
            return (Step::After, self.word(at));
        }
        if matches!(byte, b'(' | b'$' | b'%' | b'!' | b'~') {
            let end = self.rest_end(at);
            self.report_at(Code::UnquotedExpression, at, end, "expressions need quotes in JSON", WRITE_EXPRESSION);
            self.push(Tag::Error, at, end);
            return (Step::After, end);
        }
        let end = self.invalid_character(at);
        // Invisible characters are skipped; others have an unknown meaning.
        if invisible(c) {
            return (Step::Value, end);
        }
        let end = self.rest_end(end);
        self.push(Tag::Error, at, end);
        (Step::After, end)
    }

    fn trailing_comma(&mut self, what: &str) {
        let at = self.comma as usize;
        let span = self.span(at, at + 1);
        let detail = format!("there must be no comma after the last {what}");
        let mend = (Safe, Replacement::removal(span));
        self.report_mended(Code::UnexpectedComma, span, detail, "remove the comma", mend);
    }

    fn extra_comma(&mut self, at: usize, detail: &'static str) {
        let span = self.span(at, at + 1);
        let diagnostic = Finding::error(Code::UnexpectedComma, span, detail);
        let diagnostic = diagnostic.with_help("remove the comma, or add what is missing");
        self.report(diagnostic.with_choice("remove the comma", [Replacement::removal(span)]));
    }

    /// Skips commas with nothing between them, the first of which was reported.
    fn skip_commas(&mut self, mut at: usize) -> (Step, usize) {
        while self.byte(at) == Some(b',') {
            at = space_end(self.bytes, at + 1);
        }
        self.comma = NONE;
        if matches!(self.byte(at), Some(b'}' | b']') | None) {
            return (Step::After, at);
        }
        (if self.in_object { Step::Name } else { Step::Value }, at)
    }

    /// Something other than the name of a property.
    #[cold]
    pub(super) fn no_name(&mut self, at: usize) -> (Step, usize) {
        if let Some(end) = self.between(at) {
            return (Step::Name, end);
        }
        let Some(byte) = self.byte(at) else {
            return self.end_of_file("a property name");
        };
        match byte {
            b'}' | b']' => {
                if self.comma != NONE && byte == b'}' {
                    self.trailing_comma("property");
                }
                return (Step::After, at);
            }
            b',' => {
                self.extra_comma(at, "a property is expected before this comma");
                return self.skip_commas(at);
            }
            b':' => {
                self.report_at(
                    Code::MissingName,
                    at,
                    at + 1,
                    "a property name is expected before this colon",
                    "every property has a name in quotes",
                );
                self.push_name(Tag::Bare, at, at);
                return (Step::Value, at + 1);
            }
            b'{' | b'[' => {
                self.report_at(
                    Code::MissingName,
                    at,
                    at + 1,
                    "a property name is expected before this",
                    "every property has a name in quotes; a list of values is written in `[` and `]`",
                );
                self.push_name(Tag::Bare, at, at);
                return (Step::Value, at);
            }
            _ => {}
        }
        if let Some(end) = self.foreign_string(at, true) {
            if self.nodes.last().is_some_and(|name| name.tag == Tag::Bare) {
                self.push(Tag::Error, end, end);
                return (Step::After, end);
            }
            return self.no_colon(space_end(self.bytes, end));
        }
        let c = self.character(at);
        if c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.') {
            return self.bare_name(at);
        }
        let end = self.invalid_character(at);
        if invisible(c) {
            return (Step::Name, end);
        }
        self.push_name(Tag::Bare, at, at);
        let end = self.rest_end(end);
        self.push(Tag::Error, at, end);
        (Step::After, end)
    }

    /// A name without quotes.
    fn bare_name(&mut self, start: usize) -> (Step, usize) {
        let end = self.word_end(start);
        let quote = usize::from(self.byte(end) == Some(b'"'));
        let next = space_end(self.bytes, end + quote);
        let followed = matches!(self.byte(next), Some(b':' | b'='));
        let span = self.span(start, end);
        let diagnostic = Finding::error(Code::UnquotedName, span, "a property name must stand in double quotes");
        self.report(if followed && end - start <= 60 {
            // The closing quote may be there.
            let name = format!("\"{}\"", self.text(start, end));
            let edit = Replacement::new(self.span(start, end + quote), name.clone());
            diagnostic.with_help(format!("write `{name}`")).with_edits(Safe, [edit])
        } else {
            diagnostic.with_help("a property has a name in quotes, a colon and a value")
        });
        self.push_name(Tag::Bare, start, end);
        match self.byte(next) {
            Some(b':') => (Step::Value, next + 1),
            // Native syntax, of which this is only the first error.
            Some(b'=') => (Step::Value, self.assignment_end(next)),
            _ => {
                let rest = self.rest_end(end);
                self.push(Tag::Error, end, rest);
                (Step::After, rest)
            }
        }
    }

    /// Something other than a colon after a name.
    #[cold]
    pub(super) fn no_colon(&mut self, mut at: usize) -> (Step, usize) {
        while let Some(end) = self.between(at) {
            at = space_end(self.bytes, end);
        }
        // A name without its closing quote was reported, and may have swallowed the rest.
        if self.nodes.last().is_some_and(|name| name.tag == Tag::Unclosed) {
            self.push(Tag::Error, at, at);
            return (Step::After, at);
        }
        let Some(byte) = self.byte(at) else {
            self.push(Tag::Error, at, at);
            return self.end_of_file("a colon");
        };
        let adjacent = self.nodes.last().is_some_and(|name| name.end as usize == at);
        if adjacent && let Some(end) = self.name_end(at) {
            let help = "write `\\\"` for a quote within a string";
            let after = at + self.character(at).len_utf8();
            self.report_at(Code::UnescapedQuote, at, after, "the string has ended before this", help);
            return (Step::Value, end);
        }
        match byte {
            b':' => return (Step::Value, at + 1),
            b'=' => {
                self.wrong_assignment(at);
                return (Step::Value, self.assignment_end(at));
            }
            b',' | b'}' | b']' => {
                self.report_at(
                    Code::MissingValue,
                    at,
                    at + 1,
                    "a colon and a value are expected before this",
                    "every property of an object has a value: `\"name\": value`",
                );
                self.push(Tag::Error, at, at);
                return (Step::After, at);
            }
            b'"' if self.property_follows(at) => {
                self.report_at(
                    Code::MissingValue,
                    at,
                    at + 1,
                    "a colon and a value are expected before this",
                    "every property of an object has a value: `\"name\": value`",
                );
                self.push(Tag::Error, at, at);
                self.comma = NONE;
                return (Step::Name, at);
            }
            _ => {}
        }
        let end = at + self.character(at).len_utf8();
        let diagnostic = Finding::error(Code::MissingColon, self.span(at, end), "a colon is expected before this")
            .with_help("a property has a name in quotes, a colon and a value");
        if matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9') || self.keyword_follows(at) {
            let name_end = self.text(0, at).trim_end().len();
            self.report(diagnostic.with_edits(Safe, [Replacement::insertion(name_end, ":")]));
            return (Step::Value, at);
        }
        self.report(diagnostic);
        let rest = self.rest_end(end);
        self.push(Tag::Error, at, rest);
        (Step::After, rest)
    }

    /// Handles text other than a comma or the closing bracket after a value.
    #[cold]
    pub(super) fn not_behind_value(&mut self, at: usize) -> (Step, usize) {
        if let Some(end) = self.between(at) {
            return (Step::After, end);
        }
        if self.open == NONE {
            return self.behind_root(at);
        }
        let Some(byte) = self.byte(at) else {
            return self.unclosed();
        };
        let separated = (if self.in_object { Step::Name } else { Step::Value }, at);
        let c = self.character(at);
        let end = at + c.len_utf8();
        let adjacent = self.nodes.last().is_some_and(|last| last.end as usize == at);
        let behind_string = self.nodes.last().is_some_and(|last| matches!(last.tag, Tag::Plain | Tag::Escaped));
        match byte {
            b'}' | b']' => return self.other_closer(at, byte),
            b';' => {
                let next = self.byte(space_end(self.bytes, end));
                let separator = if matches!(next, None | Some(b',' | b'}' | b']')) { "" } else { "," };
                let (span, detail) = (self.span(at, end), "semicolons are not used in JSON");
                let mend = (Safe, Replacement::new(span, separator));
                self.report_mended(Code::Semicolon, span, detail, "separate elements with commas", mend);
                self.comma = NONE;
                return (separated.0, end + usize::from(self.byte(end) == Some(b',')));
            }
            b'"' if self.in_object && !self.property_follows(at) && (adjacent || behind_string) => {
                return self.unescaped_quote(at);
            }
            b'"' if self.in_object && !self.property_follows(at) => {}
            b'"' | b'{' | b'[' | b'0'..=b'9' => return self.missing_comma(separated, end),
            b'-' if !adjacent && self.byte(end).is_some_and(|byte| byte.is_ascii_digit()) => {
                return self.missing_comma(separated, end);
            }
            // A value stood in place of a name.
            b':' if self.problems.last().is_some_and(|last| last.code() == Code::MissingName) => {
                return (Step::After, self.rest_end(end));
            }
            b':' if !self.in_object => {
                self.report_at(
                    Code::UnexpectedToken,
                    at,
                    end,
                    "the elements of an array have no names",
                    "properties belong in an object: `{\"name\": value}`",
                );
                self.comma = NONE;
                return (Step::Value, end);
            }
            b'\'' if !adjacent => return self.missing_comma(separated, end),
            _ if c.is_alphanumeric() || c == '_' => {
                if adjacent && behind_string {
                    return self.unescaped_quote(at);
                }
                let name = self.in_object && {
                    let next = space_end(self.bytes, self.word_end(at));
                    matches!(self.byte(next), Some(b':' | b'='))
                };
                if name || !self.in_object && self.keyword_follows(at) {
                    return self.missing_comma(separated, end);
                }
            }
            _ if invisible(c) => return (Step::After, self.invalid_character(at)),
            _ => {}
        }
        let rest = self.rest_end(end);
        let operator = matches!(
            byte,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'?' | b'=' | b'!' | b'<' | b'>' | b'&' | b'|' | b'.' | b'('
        );
        let (code, detail, help) = if operator {
            (Code::UnquotedExpression, "expressions need quotes in JSON", WRITE_EXPRESSION)
        } else {
            (
                Code::UnexpectedToken,
                "a comma or the closing bracket is expected here",
                "remove it, or put all of the value in quotes",
            )
        };
        self.report_at(code, at, end, detail, help);
        (Step::After, rest)
    }

    fn missing_comma(&mut self, separated: (Step, usize), end: usize) -> (Step, usize) {
        let start = separated.1;
        // After the separator line of a conflict, the other version begins.
        if self.problems.last().is_some_and(|last| last.code() == Code::ConflictMarker) {
            self.comma = NONE;
            return separated;
        }
        let mut diagnostic =
            Finding::error(Code::MissingComma, self.span(start, end), "a comma is expected before this");
        let after = self.text(0, start).trim_end().len();
        if after < start {
            diagnostic = diagnostic.with_label(self.span(after, after), "the comma is missing here");
        }
        let what = if self.in_object { "separate properties with commas" } else { "separate elements with commas" };
        let diagnostic = diagnostic.with_help(what);
        // A comment would swallow the comma.
        let commented =
            self.problems.last().is_some_and(|last| last.code() == Code::JsonComment && last.subject().end() >= after);
        let comma = Replacement::insertion(after, ",");
        self.report(if commented { diagnostic } else { diagnostic.with_edits(Safe, [comma]) });
        self.comma = NONE;
        separated
    }
}

/// Returns true for invisible characters, which are unlikely to be intended.
fn invisible(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}')
}
