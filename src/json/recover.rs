//! What does not fit where it stands: what is wrong with it, and where reading goes on.
//!
//! Each mistake is one report. What people write out of habit from other languages is read as what
//! was meant wherever that is plain; what cannot be read becomes an error node that reaches to the
//! next comma, bracket or line.

use std::borrow::Cow;

use memchr::{memchr, memmem, memrchr};

use super::reader::{NONE, Reader, Step, continues_number, space_end};
use super::string::Escape;
use super::tree::Tag;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SUBSTITUTE, Span};
use crate::syntax::excerpt;

/// How far is looked ahead, and how many brackets outward, so that the work for a mistake is
/// bounded.
const MAX_SEARCH: usize = 4096;

const WRITE_EXPRESSION: &str =
    "text stands in quotes: `\"text\"`; an expression stands in a template: `\"${expression}\"`";

impl Reader<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn character(&self, at: usize) -> char {
        self.source.text().get(at..).and_then(|rest| rest.chars().next()).unwrap_or('\u{fffd}')
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(start as u32, end as u32)
    }

    fn text(&self, start: usize, end: usize) -> &str {
        self.source.slice(self.span(start, end))
    }

    /// Reports bytes that are no UTF-8. Whether the source is in another encoding altogether.
    pub(super) fn encoding(&mut self) -> bool {
        if self.source.looks_like_utf16() {
            self.report_at(Code::InvalidUtf8, 0, 2, "this looks like UTF-16", "save the file in the encoding UTF-8");
            return true;
        }
        for &span in self.source.invalid_utf8() {
            let detail =
                if span.len() == 1 { "this byte is not valid UTF-8" } else { "these bytes are not valid UTF-8" };
            self.report_at(Code::InvalidUtf8, span.start(), span.end(), detail, "save the file in the encoding UTF-8");
        }
        false
    }

    /// Behind what is no JSON but can stand between its tokens: it is reported, and left out.
    fn between(&mut self, start: usize) -> Option<usize> {
        let line_end = |at: usize| memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |length| at + length);
        let rest = &self.bytes[start..];
        let end = match rest.first()? {
            b'#' => line_end(start),
            b'/' if rest.starts_with(b"//") => line_end(start),
            b'/' if rest.starts_with(b"/*") => match memmem::find(&rest[2..], b"*/") {
                Some(length) => start + 2 + length + 2,
                None => {
                    self.report_at(
                        Code::UnclosedComment,
                        start,
                        start + 2,
                        "this comment is never closed",
                        "JSON has no comments; write it as a property named \"//\"",
                    );
                    return Some(self.bytes.len());
                }
            },
            b'<' | b'=' | b'>' | b'|' if self.is_conflict_marker(start) => {
                let end = line_end(start);
                self.report_at(
                    Code::ConflictMarker,
                    start,
                    end,
                    "a merge has left this line",
                    "decide for one of the two versions, and remove the marker lines",
                );
                return Some(end);
            }
            &SUBSTITUTE if self.source.is_substitute(start) => return Some(start + 1),
            _ => return None,
        };
        self.report_at(
            Code::JsonComment,
            start,
            end,
            "JSON has no comments",
            "write it as a property named \"//\", which is ignored in bodies",
        );
        Some(end)
    }

    fn is_conflict_marker(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        (at == 0 || self.bytes[at - 1] == b'\n') && rest.len() >= 7 && rest[..7].iter().all(|&byte| byte == rest[0])
    }

    /// Something else than the start of a value.
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
                self.report_at(
                    Code::UnexpectedComma,
                    at,
                    at + 1,
                    "a value is expected in front of this comma",
                    "remove the comma, or add what is missing",
                );
                self.push(Tag::Error, at, at);
                return if self.open == NONE { (Step::Done, at) } else { self.skip_commas(at) };
            }
            b':' => {
                let detail = "a value is expected in front of this colon";
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
            b'+' | b'.' | b'-' => return (Step::Behind, self.wrong_number(at)),
            b'<' if self.bytes[at..].starts_with(b"<<") => return (Step::Behind, self.heredoc(at)),
            _ => {}
        }
        if let Some(end) = self.foreign_string(at, false) {
            return (Step::Behind, end);
        }
        let c = self.character(at);
        if c.is_alphabetic() || c == '_' {
            return (Step::Behind, self.word(at));
        }
        if matches!(byte, b'(' | b'$' | b'%' | b'!' | b'~') {
            let end = self.rest_end(at);
            self.report_at(Code::UnquotedExpression, at, end, "expressions stand in quotes in JSON", WRITE_EXPRESSION);
            self.push(Tag::Error, at, end);
            return (Step::Behind, end);
        }
        let end = self.invalid_character(at);
        // What cannot be seen is left out; of anything else it is not known what it means.
        if invisible(c) {
            return (Step::Value, end);
        }
        let end = self.rest_end(end);
        self.push(Tag::Error, at, end);
        (Step::Behind, end)
    }

    /// A closing bracket where a value is expected.
    fn closer_for_value(&mut self, at: usize, byte: u8) -> (Step, usize) {
        if self.open == NONE {
            self.report_at(
                Code::MissingValue,
                at,
                at + 1,
                "a value is expected, not a closing bracket",
                "a document is one object or array",
            );
            self.push(Tag::Error, at, self.bytes.len());
            return (Step::Done, at);
        }
        if self.in_object {
            self.report_at(
                Code::MissingValue,
                at,
                at + 1,
                "a value is expected in front of this",
                "add what is missing behind the colon: `null` for no value",
            );
            self.push(Tag::Error, at, at);
        } else if self.comma != NONE && byte == b']' {
            self.trailing_comma("element");
        }
        (Step::Behind, at)
    }

    fn trailing_comma(&mut self, what: &str) {
        let at = self.comma as usize;
        self.report_at(
            Code::UnexpectedComma,
            at,
            at + 1,
            format!("no comma can stand behind the last {what}"),
            "remove the comma",
        );
    }

    /// Behind commas with nothing between them, the first of which was reported.
    fn skip_commas(&mut self, mut at: usize) -> (Step, usize) {
        while self.byte(at) == Some(b',') {
            at = space_end(self.bytes, at + 1);
        }
        self.comma = NONE;
        if matches!(self.byte(at), Some(b'}' | b']') | None) {
            return (Step::Behind, at);
        }
        (if self.in_object { Step::Name } else { Step::Value }, at)
    }

    /// Something else than the name of a property.
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
                return (Step::Behind, at);
            }
            b',' => {
                self.report_at(
                    Code::UnexpectedComma,
                    at,
                    at + 1,
                    "a property is expected in front of this comma",
                    "remove the comma, or add what is missing",
                );
                return self.skip_commas(at);
            }
            b':' => {
                self.report_at(
                    Code::MissingName,
                    at,
                    at + 1,
                    "a property name is expected in front of this colon",
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
                    "a property name is expected in front of this",
                    "every property has a name in quotes; a list of values stands in `[` and `]`",
                );
                self.push_name(Tag::Bare, at, at);
                return (Step::Value, at);
            }
            _ => {}
        }
        if let Some(end) = self.foreign_string(at, true) {
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
        (Step::Behind, end)
    }

    /// A name without quotes.
    fn bare_name(&mut self, start: usize) -> (Step, usize) {
        let end = self.word_end(start);
        let quote = usize::from(self.byte(end) == Some(b'"'));
        let next = space_end(self.bytes, end + quote);
        let followed = matches!(self.byte(next), Some(b':' | b'='));
        let help: Cow<'static, str> = if followed && end - start <= 60 {
            format!("write `\"{}\"`", self.text(start, end)).into()
        } else {
            "a property is a name in quotes, a colon and a value".into()
        };
        let diagnostic =
            Diagnostic::error(Code::UnquotedName, self.span(start, end), "a property name must stand in double quotes");
        self.report(diagnostic.with_help(help));
        self.push_name(Tag::Bare, start, end);
        match self.byte(next) {
            Some(b':') => (Step::Value, next + 1),
            // Native syntax, of which this is only the first thing that is wrong.
            Some(b'=') => (Step::Value, self.assignment_end(next)),
            _ => {
                let rest = self.rest_end(end);
                self.push(Tag::Error, end, rest);
                (Step::Behind, rest)
            }
        }
    }

    /// Something else than a colon behind a name.
    #[cold]
    pub(super) fn no_colon(&mut self, mut at: usize) -> (Step, usize) {
        while let Some(end) = self.between(at) {
            at = space_end(self.bytes, end);
        }
        // A name without its closing quote was reported, and may have swallowed the rest.
        if self.nodes.last().is_some_and(|name| name.tag == Tag::Unclosed) {
            self.push(Tag::Error, at, at);
            return (Step::Behind, at);
        }
        let Some(byte) = self.byte(at) else {
            self.push(Tag::Error, at, at);
            return self.end_of_file("a colon");
        };
        let adjacent = self.nodes.last().is_some_and(|name| name.end as usize == at);
        if adjacent && let Some(end) = self.name_end(at) {
            let help = "write `\\\"` for a quote within a string";
            self.report_at(Code::UnescapedQuote, at, at + 1, "the string has ended in front of this", help);
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
                    "a colon and a value are expected in front of this",
                    "every property of an object has a value: `\"name\": value`",
                );
                self.push(Tag::Error, at, at);
                return (Step::Behind, at);
            }
            b'"' if self.property_follows(at) => {
                self.report_at(
                    Code::MissingValue,
                    at,
                    at + 1,
                    "a colon and a value are expected in front of this",
                    "every property of an object has a value: `\"name\": value`",
                );
                self.push(Tag::Error, at, at);
                self.comma = NONE;
                return (Step::Name, at);
            }
            _ => {}
        }
        let end = at + self.character(at).len_utf8();
        self.report_at(
            Code::MissingColon,
            at,
            end,
            "a colon is expected in front of this",
            "a property is a name in quotes, a colon and a value",
        );
        if matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9') || self.keyword_follows(at) {
            return (Step::Value, at);
        }
        let rest = self.rest_end(end);
        self.push(Tag::Error, at, rest);
        (Step::Behind, rest)
    }

    /// What stands at `at` may be the rest of a name up to its quote and colon: where they end.
    fn name_end(&self, at: usize) -> Option<usize> {
        let near = &self.bytes[at..self.bytes.len().min(at + MAX_SEARCH)];
        let length =
            near.iter().position(|&byte| matches!(byte, b'"' | b'\n' | b',' | b':' | b'{' | b'}' | b'[' | b']'))?;
        let colon = space_end(self.bytes, at + length + 1);
        (length > 0 && near[length] == b'"' && self.byte(colon) == Some(b':')).then_some(colon + 1)
    }

    /// Something else than a comma or the closing bracket behind a value.
    #[cold]
    pub(super) fn not_behind_value(&mut self, at: usize) -> (Step, usize) {
        if let Some(end) = self.between(at) {
            return (Step::Behind, end);
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
                self.report_at(
                    Code::Semicolon,
                    at,
                    end,
                    "semicolons are not used in JSON",
                    "separate elements by commas",
                );
                self.comma = NONE;
                return (separated.0, end + usize::from(self.byte(end) == Some(b',')));
            }
            b'"' if self.in_object && !self.property_follows(at) => {
                if adjacent || behind_string {
                    return self.unescaped_quote(at);
                }
            }
            b'"' | b'{' | b'[' | b'0'..=b'9' => return self.missing_comma(separated, end),
            b'-' if !adjacent && self.byte(end).is_some_and(|byte| byte.is_ascii_digit()) => {
                return self.missing_comma(separated, end);
            }
            // A value stood in the place of a name.
            b':' if self.problems.last().is_some_and(|last| last.code() == Code::MissingName) => {
                return (Step::Behind, self.rest_end(end));
            }
            b':' if !self.in_object => {
                self.report_at(
                    Code::UnexpectedToken,
                    at,
                    end,
                    "the elements of an array have no names",
                    "properties stand in an object: `{\"name\": value}`",
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
            _ if invisible(c) => return (Step::Behind, self.invalid_character(at)),
            _ => {}
        }
        let rest = self.rest_end(end);
        let operator = matches!(
            byte,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'?' | b'=' | b'!' | b'<' | b'>' | b'&' | b'|' | b'.' | b'('
        );
        let (code, detail, help) = if operator {
            (Code::UnquotedExpression, "expressions stand in quotes in JSON", WRITE_EXPRESSION)
        } else {
            (
                Code::UnexpectedToken,
                "a comma or the closing bracket is expected here",
                "remove it, or put all of the value in quotes",
            )
        };
        self.report_at(code, at, end, detail, help);
        (Step::Behind, rest)
    }

    fn missing_comma(&mut self, separated: (Step, usize), end: usize) -> (Step, usize) {
        let start = separated.1;
        let mut diagnostic =
            Diagnostic::error(Code::MissingComma, self.span(start, end), "a comma is expected in front of this");
        let behind = self.text(0, start).trim_end().len();
        if behind < start {
            diagnostic = diagnostic.with_label(self.span(behind, behind), "the comma is missing here");
        }
        let what = if self.in_object { "separate properties by commas" } else { "separate elements by commas" };
        self.report(diagnostic.with_help(what));
        self.comma = NONE;
        separated
    }

    /// A string goes on behind a quote in it.
    fn unescaped_quote(&mut self, at: usize) -> (Step, usize) {
        let end = at + self.character(at).len_utf8();
        self.report_at(
            Code::UnescapedQuote,
            at,
            end,
            "the string has ended in front of this",
            "write `\\\"` for a quote within a string, or add the missing comma",
        );
        // It was the closing quote that was missing, and this is the name of the next property.
        if self.in_object
            && let Some(value) = self.name_end(at)
        {
            self.push_name(Tag::Bare, at, at);
            return (Step::Value, value);
        }
        let line = self.near_line_end(at);
        let text = self.text(at, line).trim_end();
        let text = text.trim_end_matches([',', '}', ']', ' ']);
        // To the quote that was meant to end the string, or else to the next thing that may follow.
        let rest = if text.ends_with('"') { at + text.len() } else { self.rest_end(at) };
        (Step::Behind, rest.max(end))
    }

    fn behind_root(&mut self, at: usize) -> (Step, usize) {
        let Some(byte) = self.byte(at) else {
            return (Step::Done, at);
        };
        let end = at + self.character(at).len_utf8();
        // Where the root could not be read, nothing behind it can be.
        if self.nodes.first().is_some_and(|root| root.tag == Tag::Error) {
            return (Step::Done, at);
        }
        match byte {
            b'}' | b']' => {
                let detail = format!("this `{}` closes nothing", char::from(byte));
                self.report_at(Code::UnexpectedCloser, at, end, detail, "remove it, or add the opening one");
                (Step::Behind, end)
            }
            _ => {
                self.report_at(
                    Code::ExtraAfterValue,
                    at,
                    end,
                    "the document has ended in front of this",
                    "a document is one value; several objects stand in an array, separated by commas",
                );
                (Step::Done, at)
            }
        }
    }

    /// A closing bracket of the other kind.
    fn other_closer(&mut self, at: usize, byte: u8) -> (Step, usize) {
        let expected = if self.in_object { '}' } else { ']' };
        let found = char::from(byte);
        let opener = self.nodes[self.open as usize].start as usize;
        let mut diagnostic = Diagnostic::error(
            Code::MismatchedCloser,
            self.span(at, at + 1),
            format!("`{found}` stands where `{expected}` is expected"),
        )
        .with_label(self.span(opener, opener + 1), "to close this");
        // It may close a container further out, all within which have not been closed then.
        let wanted = if byte == b'}' { Tag::Object } else { Tag::Array };
        let (mut outer, mut distance) = (self.nodes[self.open as usize].next, 1);
        while outer != NONE && self.nodes[outer as usize].tag != wanted && distance < MAX_SEARCH {
            outer = self.nodes[outer as usize].next;
            distance += 1;
        }
        let fits_outer = outer != NONE && self.nodes[outer as usize].tag == wanted && {
            let closer = self.indentation(at);
            let (inner, outer) =
                (self.indentation(opener), self.indentation(self.nodes[outer as usize].start as usize));
            // A closer that stands first in its line is in line with the opener that it was meant for.
            !closer.1 || closer.0 == outer.0 || closer.0 != inner.0
        };
        // What is expected stands right behind it, or it would close the document too early.
        let next = self.byte(space_end(self.bytes, at + 1));
        let is_root = self.nodes[self.open as usize].next == NONE;
        if !fits_outer && (next == Some(expected as u8) || is_root && next.is_some()) {
            let detail = format!("this `{found}` closes nothing");
            self.report_at(Code::UnexpectedCloser, at, at + 1, detail, "remove it, or add the opening one");
            if !matches!(next, Some(b',' | b'}' | b']')) {
                // It stands where a comma should.
                self.comma = NONE;
                return (if self.in_object { Step::Name } else { Step::Value }, at + 1);
            }
            return (Step::Behind, at + 1);
        }
        if fits_outer {
            diagnostic = diagnostic.with_help(format!("add the missing `{expected}` in front of it"));
            self.report(diagnostic);
            for _ in 0..distance {
                self.close_unclosed(at);
            }
            return (Step::Behind, at);
        }
        self.report(diagnostic.with_help(format!("write `{expected}` instead")));
        self.close(at + 1)
    }

    /// How far the line of a place is indented, and whether the place is first in its line.
    fn indentation(&self, at: usize) -> (usize, bool) {
        let near = &self.bytes[at.saturating_sub(MAX_SEARCH)..at];
        let Some(newline) = memrchr(b'\n', near) else {
            let start = space_end(self.bytes, 0);
            return if at <= MAX_SEARCH { (start, start == at) } else { (0, false) };
        };
        let line = at - (near.len() - newline - 1);
        let first =
            line + self.bytes[line..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).take(MAX_SEARCH).count();
        (first - line, first == at)
    }

    /// The source ends where something is expected.
    fn end_of_file(&mut self, expected: &str) -> (Step, usize) {
        let end = self.bytes.len();
        if self.nodes.last().is_none_or(|last| last.is_name) {
            self.push(Tag::Error, end, end);
        }
        if self.open == NONE {
            self.report_at(Code::MissingValue, end, end, "the document is empty", "write `{}` for an empty body");
            return (Step::Done, end);
        }
        if self.is_cut() {
            return self.close_all(end);
        }
        let opener = self.nodes[self.open as usize].start as usize;
        let diagnostic = Diagnostic::error(
            Code::UnclosedBracket,
            self.span(end, end),
            format!("the file ends where {expected} is expected"),
        )
        .with_label(self.span(opener, opener + 1), "this is never closed");
        self.report(diagnostic.with_help("the end of the file is missing: complete it"));
        self.close_all(end)
    }

    /// The source ends and something is open.
    fn unclosed(&mut self) -> (Step, usize) {
        let end = self.bytes.len();
        if !self.is_cut() {
            let diagnostic = self.unclosed_bracket();
            self.report(diagnostic);
        }
        self.close_all(end)
    }

    /// Whether what was reported last reaches to the end of the source, as a string without its
    /// closing quote or a comment may: that is enough.
    fn is_cut(&self) -> bool {
        let end = self.bytes.trim_ascii_end().len();
        let node = self.nodes.iter().rev().find(|node| node.start < node.end);
        let unread =
            node.is_some_and(|node| matches!(node.tag, Tag::Unclosed | Tag::Error) && node.end as usize >= end);
        let last = self.problems.last();
        last.is_some_and(|last| unread || last.subject().end() >= end)
    }

    fn close_all(&mut self, end: usize) -> (Step, usize) {
        while self.open != NONE {
            self.close_unclosed(end);
        }
        (Step::Done, end)
    }

    /// Which bracket was not closed: by the indentation, or else the innermost.
    fn unclosed_bracket(&self) -> Diagnostic {
        let closer_of = |tag: Tag| if matches!(tag, Tag::Object | Tag::UnclosedObject) { '}' } else { ']' };
        let wrong = self.nodes.iter().find(|node| {
            if !matches!(node.tag, Tag::Object | Tag::Array) || node.end == 0 {
                return false;
            }
            let closer = self.indentation(node.end as usize - 1);
            closer.1 && closer.0 < self.indentation(node.start as usize).0
        });
        let end = self.bytes.len();
        let (node, place, message) = match wrong {
            Some(node) => (node, node.end as usize - 1, "by the indentation, `?` is missing in front of this"),
            None => (&self.nodes[self.open as usize], end, "`?` is missing at the end of the file"),
        };
        let (start, closer) = (node.start as usize, closer_of(node.tag));
        let place = if wrong.is_some() { self.span(place, place + 1) } else { self.span(place, place) };
        let opener = self.span(start, start + 1);
        // Behind other mistakes it is the end that is surprising.
        let diagnostic = if self.problems.is_empty() || wrong.is_some() {
            Diagnostic::error(Code::UnclosedBracket, opener, "this is never closed")
                .with_label(place, message.replace('?', &closer.to_string()))
        } else {
            let detail = format!("the file ends without a `{closer}`");
            Diagnostic::error(Code::UnclosedBracket, place, detail).with_label(opener, "this is never closed")
        };
        diagnostic.with_help(format!("add the missing `{closer}`"))
    }

    fn wrong_assignment(&mut self, at: usize) {
        let end = self.assignment_end(at);
        self.report_at(
            Code::WrongAssignment,
            at,
            end,
            "a colon stands between name and value in JSON",
            "write `:` instead",
        );
    }

    /// Behind `=`, `=>` or `==`.
    fn assignment_end(&self, at: usize) -> usize {
        at + 1 + usize::from(matches!(self.byte(at + 1), Some(b'>' | b'=')))
    }

    /// A word where a value is expected.
    fn word(&mut self, start: usize) -> usize {
        let end = self.word_end(start);
        let word = self.text(start, end);
        let (tag, help): (_, Cow<'static, str>) = match word {
            _ if word.eq_ignore_ascii_case("true") => (Tag::True, "write `true`".into()),
            _ if word.eq_ignore_ascii_case("false") => (Tag::False, "write `false`".into()),
            _ if word.eq_ignore_ascii_case("null") => (Tag::Null, "write `null`".into()),
            "None" | "none" | "nil" | "undefined" => (Tag::Null, "write `null`".into()),
            "NaN" | "nan" | "Infinity" | "inf" => {
                (Tag::Error, "JSON has finite numbers only; leave the property out, or write `null`".into())
            }
            _ => {
                let known = crate::syntax::similar(word, ["true", "false", "null"]);
                (Tag::Error, known.map_or(Cow::Borrowed(""), |known| format!("write `{known}`").into()))
            }
        };
        let next = space_end(self.bytes, end);
        let ends = matches!(self.byte(next), None | Some(b',' | b'}' | b']' | b'#' | b'/'))
            || self.text(end, next).contains('\n');
        let detail: String;
        if !help.is_empty() && ends {
            detail = format!("`{}` is no keyword of JSON", excerpt(word));
            self.report(Diagnostic::error(Code::InvalidKeyword, self.span(start, end), detail).with_help(help));
            self.push(tag, start, end);
            return end;
        }
        let rest = self.rest_end(end);
        let text = self.text(start, rest).trim_end();
        let help = if text.len() <= 60 && !text.contains(['"', '\\', '\n']) {
            let plain = !text.contains(['.', '(', '[', '$']);
            if plain {
                format!("for text write `\"{text}\"`, for an expression `\"${{{text}}}\"`")
            } else {
                format!("write `\"${{{text}}}\"`")
            }
        } else {
            WRITE_EXPRESSION.to_owned()
        };
        detail = format!("`{}` does not stand in quotes", excerpt(text));
        let rest = start + text.len();
        self.report(Diagnostic::error(Code::UnquotedExpression, self.span(start, rest), detail).with_help(help));
        self.push(Tag::Error, start, rest);
        rest
    }

    /// A number that is not written as JSON wants it.
    #[cold]
    pub(super) fn wrong_number(&mut self, start: usize) -> usize {
        let end = start + self.bytes[start..].iter().take_while(|&&byte| continues_number(byte)).count();
        let text = self.text(start, end);
        let unsigned = text.trim_start_matches(['-', '+']);
        let digits = unsigned.trim_start_matches('0');
        let help: Cow<'static, str> = if matches!(unsigned, "Infinity" | "inf" | "NaN" | "nan") {
            "JSON has finite numbers only; leave the property out, or write `null`".into()
        } else if text.starts_with('+') {
            "a number has no plus sign in front".into()
        } else if unsigned.starts_with("0x")
            || unsigned.starts_with("0X")
            || unsigned.starts_with("0b")
            || unsigned.starts_with("0o")
        {
            "numbers are decimal".into()
        } else if unsigned.contains('_') {
            "the digits of a number stand together".into()
        } else if unsigned.starts_with('.') {
            format!(
                "write the zero in front of the point: `{}0{unsigned}`",
                if text.starts_with('-') { "-" } else { "" }
            )
            .into()
        } else if unsigned.starts_with('0') && digits.starts_with(|c: char| c.is_ascii_digit()) {
            "a number does not begin with a zero; in quotes it is text".into()
        } else {
            "a number is digits, a fraction as `.5` and an exponent as `e-3`; anything else stands in quotes".into()
        };
        let diagnostic = Diagnostic::error(
            Code::InvalidNumber,
            self.span(start, end),
            format!("`{}` is no number of JSON", excerpt(text)),
        );
        self.report(diagnostic.with_help(help));
        self.push(Tag::Error, start, end);
        end
    }

    /// A heredoc of the native syntax, up to the line that closes it.
    fn heredoc(&mut self, start: usize) -> usize {
        let line = self.near_line_end(start);
        let marker = self.text(start, line).trim_start_matches(['<', '-']).trim();
        let (mut at, mut end) = (line, line);
        for text in self.text(line, self.bytes.len()).split_inclusive('\n') {
            if at - line > self.search_budget {
                break;
            }
            at += text.len();
            if !marker.is_empty() && text.trim() == marker {
                end = at - (text.len() - text.trim_end().len());
                break;
            }
        }
        self.search_budget = self.search_budget.saturating_sub(at - line);
        let help = "write one string, with `\\n` for each line end";
        self.report_at(Code::UnquotedExpression, start, line, "heredocs are no part of JSON", help);
        self.push(Tag::Error, start, end);
        end
    }

    /// A string in quotes that JSON does not know, up to the closing one in the same line.
    fn foreign_string(&mut self, start: usize, is_name: bool) -> Option<usize> {
        let (code, closers, what): (_, &[char], _) = match self.character(start) {
            '\'' => (Code::SingleQuotes, &['\''], "strings are not written in single quotes"),
            '`' => (Code::Backticks, &['`'], "strings are not written in backticks"),
            '“' | '”' | '„' | '‟' => {
                (Code::CurlyQuotes, &['“', '”', '"'], "typographic quotes do not enclose strings")
            }
            '‘' | '’' | '‚' => {
                (Code::CurlyQuotes, &['‘', '’', '\''], "typographic quotes do not enclose strings")
            }
            _ => return None,
        };
        let quote = self.character(start).len_utf8();
        let line = self.text(start + quote, self.near_line_end(start));
        let close = line.char_indices().find(|(_, c)| closers.contains(c));
        let (end, content) = match close {
            Some((length, c)) => (start + quote + length + c.len_utf8(), Some(&line[..length])),
            None => (start + quote, None),
        };
        let help = match content {
            Some(content) if content.len() <= 40 && !content.contains(['"', '\\']) => {
                format!("enclose strings in double quotes: `\"{content}\"`")
            }
            _ => "enclose strings in double quotes: `\"`".to_owned(),
        };
        let is_string = content.is_some();
        self.report(Diagnostic::error(code, self.span(start, end), what).with_help(help));
        let (tag, end) = if is_string { (Tag::Foreign, end) } else { (Tag::Error, self.rest_end(end)) };
        match (is_name, is_string) {
            (true, true) => self.push_name(tag, start, end),
            (true, false) => self.push_name(Tag::Bare, start, end),
            (false, _) => self.push(tag, start, end),
        }
        Some(end)
    }

    fn invalid_character(&mut self, at: usize) -> usize {
        let c = self.character(at);
        let end = at + c.len_utf8();
        let (detail, help) = match c {
            '\u{feff}' if at == 0 => {
                ("the file begins with a byte order mark".to_owned(), "save the file as UTF-8 without byte order mark")
            }
            _ if invisible(c) && !c.is_whitespace() && !c.is_control() => {
                (format!("there is an invisible character U+{:04X} here", u32::from(c)), "remove it")
            }
            c if c.is_control() => {
                (format!("the control character U+{:04X} has no meaning here", u32::from(c)), "remove it")
            }
            c if c.is_whitespace() => (
                format!("this is the character U+{:04X}, which is no white space here", u32::from(c)),
                "replace it by a space",
            ),
            c => (format!("the character `{c}` has no meaning here"), "put text in quotes"),
        };
        // One report is enough for many of a kind in a row.
        if let Some(last) =
            self.problems.last_mut().filter(|last| last.code() == Code::InvalidCharacter && last.subject().end() == at)
        {
            last.extend_subject(end);
        } else {
            self.report_at(Code::InvalidCharacter, at, end, detail, help);
        }
        end
    }

    #[cold]
    pub(super) fn wrong_escape(&mut self, start: usize, end: usize, escape: Escape) {
        let (detail, help): (String, _) = match escape {
            Escape::Character(_) => return,
            // It is the string that has no end then, or the control character that cannot be.
            Escape::Nothing => return,
            Escape::Unknown(c) if c.is_control() => return,
            Escape::LoneSurrogate(unit) => {
                let detail = format!("`\\u{unit:04x}` is half of a character, and is read as U+FFFD");
                let diagnostic = Diagnostic::warning(Code::LoneSurrogate, self.span(start, end), detail);
                return self.report(
                    diagnostic.with_help("a character beyond U+FFFF is two escape sequences, as `\\ud83d\\ude00`"),
                );
            }
            Escape::Digits => {
                ("4 hexadecimal digits are needed here".into(), "a character by its number is `\\u` and 4 digits")
            }
            Escape::Unknown(c) => (
                format!("`\\{c}` is no escape sequence"),
                match c {
                    '\'' => "a single quote needs no backslash",
                    '$' => "a dollar sign needs no backslash; for a literal `${` write `$${`",
                    '%' => "a percent sign needs no backslash; for a literal `%{` write `%%{`",
                    'U' => "a character by its number is `\\u` and 4 digits; one beyond U+FFFF is two of them",
                    'x' | '0'..='9' | 'e' | 'a' | 'v' => "write characters by their number as `\\u001b`",
                    _ => {
                        "for a literal backslash write `\\\\`; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uNNNN"
                    }
                },
            ),
        };
        self.report_at(Code::InvalidEscape, start, end, detail, help);
    }

    /// A control character in a string. Where the string goes on; or where it ends, if its closing
    /// quote is missing there.
    #[cold]
    pub(super) fn control_character(
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
        // All of the white space is looked at once only.
        let behind = if line_end { space_end(self.bytes, at) } else { at + 1 };
        if line_end && self.shows_end_of_string(behind) {
            let end = start + self.text(start, at).trim_end().len();
            // A comma at the end of the line was meant to stand behind the string.
            let end = if self.byte(end - 1) == Some(b',') && end - 1 > start { end - 1 } else { end };
            if !*reported {
                let detail = "the string is not closed before the end of the line";
                let diagnostic = Diagnostic::error(Code::UnclosedString, self.span(at, at + 1), detail)
                    .with_label(self.span(start, start + 1), "it begins here");
                self.report(diagnostic.with_help("add the closing `\"`"));
            }
            return (end, true);
        }
        if !*reported {
            *reported = true;
            let (detail, help) = match byte {
                b'\n' | b'\r' => (
                    "a line end cannot stand in a string".to_owned(),
                    "write `\\n` for a line end, or add the closing `\"`",
                ),
                b'\t' => ("a tab cannot stand in a string".to_owned(), "write `\\t` for a tab"),
                _ => (
                    format!("the control character U+{byte:04X} cannot stand in a string"),
                    "write characters by their number as `\\u001b`",
                ),
            };
            self.report_at(Code::ControlCharacter, at, at + 1, detail, help);
        }
        (behind, false)
    }

    /// Whether what stands behind a line end in a string shows that the string was meant to end in
    /// front of it: a property, a closing bracket, or the end of the source.
    fn shows_end_of_string(&self, next: usize) -> bool {
        match self.byte(next) {
            None | Some(b'}' | b']') => true,
            Some(b'"') => self.property_follows(next),
            _ => false,
        }
    }

    pub(super) fn unclosed_string(&mut self, start: usize) {
        let end = self.bytes.len();
        let diagnostic = Diagnostic::error(
            Code::UnclosedString,
            self.span(end, end),
            "the string is not closed before the end of the file",
        )
        .with_label(self.span(start, start + 1), "it begins here");
        self.report(diagnostic.with_help("add the closing `\"`"));
    }

    /// Whether the string at `at` ends in its line and is followed by a colon or an equals sign.
    fn property_follows(&self, at: usize) -> bool {
        let near = &self.bytes[at + 1..self.bytes.len().min(at + 1 + MAX_SEARCH)];
        let Some(length) = near.iter().position(|&byte| byte == b'"' || byte == b'\n') else {
            return false;
        };
        near[length] == b'"' && matches!(self.byte(space_end(self.bytes, at + 1 + length + 1)), Some(b':' | b'='))
    }

    fn keyword_follows(&self, at: usize) -> bool {
        matches!(self.text(at, self.word_end(at)), "true" | "false" | "null")
    }

    /// Behind a word: a name, or a number without meaning.
    fn word_end(&self, start: usize) -> usize {
        let rest = self.source.text().get(start..).unwrap_or_default();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')));
        start + length.unwrap_or(rest.len())
    }

    /// Where the line ends, or what is looked at of it.
    fn near_line_end(&self, at: usize) -> usize {
        let near = &self.bytes[at..self.bytes.len().min(at + MAX_SEARCH)];
        let mut end = at + memchr(b'\n', near).unwrap_or(near.len());
        while !self.source.text().is_char_boundary(end) {
            end -= 1;
        }
        if end > at && self.byte(end - 1) == Some(b'\r') { end - 1 } else { end }
    }

    /// The closing quote of the string that begins at `at`, if it is in the same line.
    fn quoted_end(&self, mut at: usize) -> Option<usize> {
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

    /// Where what cannot be read ends: at the next comma, closing bracket or line end that is not
    /// in brackets or quotes. White space in front of that belongs to it no more.
    fn rest_end(&self, start: usize) -> usize {
        let mut depth = 0usize;
        let mut at = start;
        while let Some(byte) = self.byte(at) {
            match byte {
                b',' | b'}' | b']' | b'\n' if depth == 0 => break,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'"' => at = self.quoted_end(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        start + self.text(start, at).trim_end().len()
    }
}

/// What cannot be seen, and so was not written on purpose.
fn invisible(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}')
}
