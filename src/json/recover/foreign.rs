//! Notations of other languages, written out of habit. Each is read as the intended one if that is certain.

use std::borrow::Cow;

use memchr::memmem;

use super::{MAX_SEARCH, WRITE_EXPRESSION, invisible};
use crate::decimal::text_of_literal;
use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::json::reader::{NONE, Reader, continues_number, space_end};
use crate::json::tree::Tag;
use crate::source::{Replacement, SUBSTITUTE};
use crate::syntax::conflict;
use crate::syntax::excerpt;
use crate::syntax::mend::{Mend, decimal, in_double_quotes, replacement_of};
use crate::work::{self, memchr};

impl Reader<'_> {
    /// Reports and skips text that is not JSON but can be between its tokens. Returns the position after it.
    pub(in crate::json) fn between(&mut self, start: usize) -> Option<usize> {
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
                let known = self.problems.iter().any(|problem| problem.code() == Code::ConflictMarker);
                if rest[0] == b'<' || !known {
                    self.report_at(Code::ConflictMarker, start, start + 7, conflict::DETAIL, conflict::HELP);
                } else if matches!(rest[0], b'=' | b'|') {
                    // One report is enough for a conflict, because only the first of its versions is read.
                    return conflict::end_after(self.bytes, end, &mut self.search_budget).or(Some(end));
                }
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

    /// Returns true if the text before a position, next to white space, was not UTF-8.
    pub(in crate::json) fn is_behind_substitute(&self, at: usize) -> bool {
        self.bytes[..at].trim_ascii_end().len().checked_sub(1).is_some_and(|last| self.source.is_substitute(last))
    }

    pub(in crate::json) fn is_conflict_marker(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        (at == 0 || self.bytes[at - 1] == b'\n') && rest.len() >= 7 && rest[..7].iter().all(|&byte| byte == rest[0])
    }

    pub(in crate::json) fn wrong_assignment(&mut self, at: usize) {
        let end = self.assignment_end(at);
        let span = self.span(at, end);
        self.report_mended(
            Code::WrongAssignment,
            span,
            "JSON has a colon between name and value",
            "write `:` instead",
            (Safe, Replacement::new(span, ":")),
        );
    }

    /// After `=`, `=>` or `==`.
    pub(in crate::json) fn assignment_end(&self, at: usize) -> usize {
        at + 1 + usize::from(matches!(self.byte(at + 1), Some(b'>' | b'=')))
    }

    /// A word where a value is expected.
    pub(in crate::json) fn word(&mut self, start: usize) -> usize {
        let end = self.word_end(start);
        let word = self.text(start, end);
        let (tag, known) = match word {
            _ if word.eq_ignore_ascii_case("true") => (Tag::True, Some("true")),
            _ if word.eq_ignore_ascii_case("false") => (Tag::False, Some("false")),
            _ if word.eq_ignore_ascii_case("null") => (Tag::Null, Some("null")),
            "None" | "none" | "nil" | "undefined" => (Tag::Null, Some("null")),
            "NaN" | "nan" | "Infinity" | "inf" => (Tag::Error, Some("null")),
            _ => (Tag::Error, crate::syntax::similar_name(word, ["true", "false", "null"])),
        };
        let sure = tag != Tag::Error && word != "undefined";
        let next = space_end(self.bytes, end);
        let ends = matches!(self.byte(next), None | Some(b',' | b'}' | b']' | b'#' | b'/'))
            || self.text(end, next).contains('\n');
        let detail: String;
        if let (Some(known), true) = (known, ends) {
            detail = format!("`{}` is not a JSON keyword", excerpt(word));
            let help = match word {
                "NaN" | "nan" | "Infinity" | "inf" => {
                    "JSON has finite numbers only; leave the property out, or write `null`".to_owned()
                }
                _ => format!("write `{known}`"),
            };
            let span = self.span(start, end);
            let mend = (Applicability::safe_if(sure), Replacement::new(span, known));
            self.report_mended(Code::InvalidKeyword, span, detail, help, mend);
            self.push(tag, start, end);
            return end;
        }
        let rest = self.rest_end(end);
        if self.open == NONE {
            let help = "files in the native syntax have names that do not end in `.json`";
            self.report_at(Code::InvalidRoot, start, end, "a JSON document must begin with `{` or `[`", help);
            self.push(Tag::Error, start, rest);
            return rest;
        }
        let text = self.text(start, rest).trim_end();
        detail = format!("`{}` is not in quotes", excerpt(text));
        let rest = start + text.len();
        let span = self.span(start, rest);
        let diagnostic = Finding::error(Code::UnquotedExpression, span, detail);
        let (as_text, as_expression) = (format!("\"{text}\""), format!("\"${{{text}}}\""));
        let expression = Replacement::new(span, as_expression.clone());
        let diagnostic = if text.len() > 60 || text.contains(['"', '\\', '\n']) {
            diagnostic.with_help(WRITE_EXPRESSION)
        } else if text.contains(['.', '(', '[', '$']) {
            diagnostic.with_help(format!("write `{as_expression}`")).with_edits(NeedsReview, [expression])
        } else {
            diagnostic
                .with_help(format!("for text write `{as_text}`, for an expression `{as_expression}`"))
                .with_choice(format!("write `{as_text}`"), [Replacement::new(span, as_text)])
                .with_choice(format!("write `{as_expression}`"), [expression])
        };
        self.report(diagnostic);
        self.push(Tag::Error, start, rest);
        rest
    }

    /// Reads a number that is not in JSON notation.
    #[cold]
    pub(in crate::json) fn wrong_number(&mut self, start: usize) -> usize {
        let end = start + self.bytes[start..].iter().take_while(|&&byte| continues_number(byte)).count();
        work::step(end - start);
        // All of `10.0.0.0/16` is one mistake.
        let after = |byte: &&u8| {
            !matches!(byte, b',' | b':' | b'"' | b'[' | b']' | b'{' | b'}' | b'#') && byte.is_ascii_graphic()
        };
        let is_comment = self.bytes[end..].starts_with(b"//") || self.bytes[end..].starts_with(b"/*");
        let end = if is_comment { end } else { end + self.bytes[end..].iter().take_while(after).count() };
        let text = self.text(start, end);
        let unsigned = text.trim_start_matches(['-', '+']);
        let digits = unsigned.trim_start_matches('0');
        let span = self.span(start, end);
        let written = |safe, text: String| Some((Applicability::safe_if(safe), Replacement::new(span, text)));
        let mut mend: Option<Mend> = None;
        let is_number = |text: &str| text_of_literal(text.trim_start_matches('-')).is_some();
        let help: Cow<'static, str> = if matches!(unsigned, "Infinity" | "inf" | "NaN" | "nan") {
            "JSON has finite numbers only; leave the property out, or write `null`".into()
        } else if text.starts_with('+') {
            mend = is_number(unsigned).then(|| unsigned.to_owned()).and_then(|text| written(true, text));
            "remove the plus sign".into()
        } else if unsigned.starts_with("0x")
            || unsigned.starts_with("0X")
            || unsigned.starts_with("0b")
            || unsigned.starts_with("0o")
        {
            let sign = if text.starts_with('-') { "-" } else { "" };
            let number = decimal(unsigned).map(|number| format!("{sign}{number}"));
            mend = number.clone().and_then(|number| written(true, number));
            number.map_or("numbers are decimal".into(), |number| format!("numbers are decimal: `{number}`").into())
        } else if unsigned.contains('_') {
            let together = text.replace('_', "");
            mend = Some(together).filter(|text| is_number(text)).and_then(|text| written(true, text));
            "the digits of a number must not be separated".into()
        } else if unsigned.starts_with('.') {
            let number = format!("{}0{unsigned}", if text.starts_with('-') { "-" } else { "" });
            let help = format!("write the zero before the point: `{number}`").into();
            mend = Some(number).filter(|text| is_number(text)).and_then(|text| written(true, text));
            help
        } else if unsigned.starts_with('0') && digits.starts_with(|c: char| c.is_ascii_digit()) {
            "a number must not begin with a zero; put text in quotes".into()
        } else if text.len() <= 40
            && text.contains(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | '.' | 'e' | 'E'))
        {
            // With operators it may be an expression.
            mend = written(!text.contains(['+', '*', '/']) || unsigned.matches('.').count() > 1, format!("\"{text}\""));
            format!("if this is text, put it in quotes: `\"{text}\"`").into()
        } else {
            "a number has digits, and may have a fraction such as `.5` and an exponent such as `e-3`; put anything else in quotes".into()
        };
        let detail = format!("`{}` is not a JSON number", excerpt(text));
        let diagnostic = Finding::error(Code::InvalidNumber, span, detail).with_help(help);
        self.report(match mend {
            Some((applicability, edit)) => diagnostic.with_edits(applicability, [edit]),
            None => diagnostic,
        });
        self.push(Tag::Error, start, end);
        end
    }

    /// Reads a heredoc of the native syntax, up to the line that closes it.
    pub(in crate::json) fn heredoc(&mut self, start: usize) -> usize {
        let line = self.near_line_end(start);
        let marker = self.text(start, line).trim_start_matches(['<', '-']).trim();
        let (mut at, mut end) = (line, line);
        let mut far = self.bytes.len().min(line + self.search_budget);
        while !self.source.text().is_char_boundary(far) {
            far -= 1;
        }
        for text in self.text(line, far).split_inclusive('\n') {
            work::step(1 + text.len() / 16);
            at += text.len();
            if !marker.is_empty() && text.trim() == marker {
                end = at - (text.len() - text.trim_end().len());
                break;
            }
        }
        self.search_budget = self.search_budget.saturating_sub(at - line);
        let help = "write one string, with `\\n` for each line end";
        self.report_at(Code::UnquotedExpression, start, line, "JSON has no heredocs", help);
        self.push(Tag::Error, start, end);
        end
    }

    /// Reads a string in quotes that JSON does not know, up to the closing one in the same line.
    pub(in crate::json) fn foreign_string(&mut self, start: usize, is_name: bool) -> Option<usize> {
        let (code, closers, what): (_, &[char], _) = match self.character(start) {
            '\'' => (Code::SingleQuotes, &['\''], "single quotes do not enclose strings"),
            '`' => (Code::Backticks, &['`'], "backticks do not enclose strings"),
            '“' | '”' | '„' | '‟' => {
                (Code::CurlyQuotes, &['“', '”', '"'], "typographic quotes do not enclose strings")
            }
            '‘' | '’' | '‚' => {
                (Code::CurlyQuotes, &['‘', '’', '\''], "typographic quotes do not enclose strings")
            }
            _ => return None,
        };
        let quote = self.character(start).len_utf8();
        let line = self.text(start + quote, self.bytes.len());
        let mut ahead = line.char_indices().take(MAX_SEARCH).take_while(|&(_, c)| c != '\n');
        let close = ahead.find(|(_, c)| closers.contains(c));
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
        let diagnostic = Finding::error(code, self.span(start, end), what).with_help(help);
        self.report(match content.and_then(|content| in_double_quotes(self.span(start, end), content)) {
            Some((applicability, edit)) => diagnostic.with_edits(applicability, [edit]),
            None => diagnostic,
        });
        let (tag, end) = if is_string { (Tag::Foreign, end) } else { (Tag::Error, self.rest_end(end)) };
        match (is_name, is_string) {
            (true, true) => self.push_name(tag, start, end),
            (true, false) => self.push_name(Tag::Bare, start, end),
            (false, _) => self.push(tag, start, end),
        }
        Some(end)
    }

    pub(in crate::json) fn invalid_character(&mut self, at: usize) -> usize {
        let c = self.character(at);
        let end = at + c.len_utf8();
        let (detail, help) = match c {
            '\u{feff}' if at == 0 => (
                "the file begins with a byte order mark".to_owned(),
                "save the file as UTF-8 without a byte order mark",
            ),
            _ if invisible(c) && !c.is_whitespace() && !c.is_control() => {
                (format!("there is an invisible character U+{:04X} here", u32::from(c)), "remove it")
            }
            c if c.is_control() => {
                (format!("the control character U+{:04X} has no meaning here", u32::from(c)), "remove it")
            }
            c if c.is_whitespace() => (
                format!("this is the character U+{:04X}, which does not count as white space here", u32::from(c)),
                "replace it with a space",
            ),
            c => (format!("the character `{c}` has no meaning here"), "put text in quotes"),
        };
        // One report is enough for a series of the same kind.
        let edit = replacement_of(c).map(|text| Replacement::new(self.span(at, end), text));
        if let Some(last) =
            self.problems.last_mut().filter(|last| last.code() == Code::InvalidCharacter && last.subject().end() == at)
        {
            last.extend_subject(end);
            last.extend_edits(edit);
        } else {
            let diagnostic = Finding::error(Code::InvalidCharacter, self.span(at, end), detail).with_help(help);
            self.report(match edit {
                Some(edit) => diagnostic.with_edits(Safe, [edit]),
                None => diagnostic,
            });
        }
        end
    }
}
