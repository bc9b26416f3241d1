//! Notations of other languages, written out of habit. Each is reported, and becomes the intended token if that is
//! certain, so that the text after it is not misunderstood.

use memchr::memchr;

use super::Lexer;
use super::mode::Mode;
use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::source::Replacement;
use crate::syntax::conflict;
use crate::syntax::mend::{in_double_quotes, replacement_of};
use crate::syntax::operator::{BinaryOperator, UnaryOperator};
use crate::syntax::scan::identifier_end;
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    /// A character that begins no token.
    #[cold]
    pub(super) fn foreign(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'\'' => self.foreign_string(at, 1, &["'"], Code::SingleQuotes, "single quotes do not enclose strings"),
            b'`' => self.foreign_string(at, 1, &["`"], Code::Backticks, "backticks do not enclose strings"),
            b';' => self.semicolon(at),
            b'&' | b'|' | b'^' | b'~' => self.bitwise(at, byte),
            b'$' => self.dollar(at),
            _ => self.foreign_character(at),
        }
    }

    pub(super) fn character(&self, at: usize) -> char {
        // A character has at most four bytes; the one after it may be cut off.
        let bytes = &self.source[at..self.source.len().min(at + 4)];
        bytes.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()).unwrap_or('\u{fffd}')
    }

    fn foreign_character(&mut self, at: usize) -> usize {
        let c = self.character(at);
        let end = at + c.len_utf8();
        if self.is_substitute(at) {
            return self.skip_text(at, end);
        }
        match c {
            '“' | '”' | '„' | '‟' => {
                let detail = "typographic quotes do not enclose strings";
                return self.foreign_string(at, c.len_utf8(), &["“", "”", "\""], Code::CurlyQuotes, detail);
            }
            '‘' | '’' | '‚' => {
                let detail = "typographic quotes do not enclose strings";
                return self.foreign_string(at, c.len_utf8(), &["‘", "’", "'"], Code::CurlyQuotes, detail);
            }
            _ => {}
        }
        let (detail, help) = match c {
            '\r' => (
                "a carriage return must be followed by a newline".to_owned(),
                "save the file with consistent line endings",
            ),
            '\\' => (
                "a backslash has no meaning outside strings".to_owned(),
                "to continue an expression on the next line, put it in parentheses",
            ),
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' => {
                (format!("there is an invisible character U+{:04X} here", u32::from(c)), "remove it")
            }
            c if c.is_whitespace() => (
                format!("this is the character U+{:04X}, which does not count as white space here", u32::from(c)),
                "replace it with a space",
            ),
            c if c.is_control() => {
                (format!("the control character U+{:04X} has no meaning here", u32::from(c)), "remove it")
            }
            c => (format!("the character `{c}` has no meaning here"), "put text in quotes, and comments after `#`"),
        };
        let diagnostic = Finding::error(Code::InvalidCharacter, self.span(at, end), detail);
        let span = self.span(at, end);
        let edit = match c {
            c if c.is_control() && c != '\r' => Some((NeedsReview, Replacement::removal(span))),
            // Characters that end a line in other languages are not surely meant as a space.
            c => replacement_of(c).map(|text| {
                (Applicability::safe_if(!matches!(c, '\u{2028}' | '\u{2029}')), Replacement::new(span, text))
            }),
        };
        // One report is enough for a series of the same kind.
        let repeated = self.problems.last().is_some_and(|problem| {
            problem.diagnostic.code() == Code::InvalidCharacter && problem.diagnostic.subject().end() == at
        });
        if !repeated {
            let diagnostic = diagnostic.with_help(help);
            self.report(match edit {
                Some((applicability, edit)) => diagnostic.with_edits(applicability, [edit]),
                None => diagnostic,
            });
        } else if let Some(problem) = self.problems.last_mut() {
            problem.diagnostic.extend_subject(end);
            problem
                .diagnostic
                .extend_edits(edit.filter(|(applicability, _)| *applicability == Safe).map(|edit| edit.1));
        }
        self.skip_text(at, end)
    }

    /// Reads a string in quotes that HCL does not know, up to one of the `closers` in the same line.
    fn foreign_string(
        &mut self,
        start: usize,
        quote: usize,
        closers: &[&str],
        code: Code,
        detail: &'static str,
    ) -> usize {
        // The number of bytes in which the closing quote is searched.
        const MAX_LENGTH: usize = 4096;
        let inside = start + quote;
        let near = &self.source[inside..self.source.len().min(inside + MAX_LENGTH)];
        let line = &near[..memchr(b'\n', near).unwrap_or(near.len())];
        let line = line.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let close = closers.iter().filter_map(|closer| line.find(closer).map(|at| (at, closer.len()))).min();
        let help = "enclose strings in double quotes: `\"`";
        let Some((length, closer)) = close else {
            self.report(Finding::error(code, self.span(start, inside), detail).with_help(help));
            return self.skip_text(start, inside);
        };
        let end = inside + length + closer;
        let content = &line[..length];
        let help = if content.len() <= 40 && !content.contains(['"', '\\']) {
            format!("enclose strings in double quotes: `\"{content}\"`")
        } else {
            help.to_owned()
        };
        let span = self.span(start, end);
        let diagnostic = Finding::error(code, span, detail).with_help(help);
        // If more text follows, a later quote may be the closing one.
        let ends =
            matches!(self.byte(end), 0 | b' ' | b'\t' | b'\r' | b'\n' | b',' | b';' | b':' | b'=' | b')' | b']' | b'}');
        let diagnostic = match in_double_quotes(span, content) {
            Some((applicability, edit)) if ends => diagnostic.with_edits(applicability, [edit]),
            Some((_, edit)) => diagnostic.with_edits(NeedsReview, [edit]),
            None => diagnostic,
        };
        self.report(diagnostic);
        self.push(self.plain_string(), start, end)
    }

    fn semicolon(&mut self, at: usize) -> usize {
        let next = self.skip(at + 1, |byte| matches!(byte, b' ' | b'\t' | b'\r'));
        let last = matches!(self.source.get(next), None | Some(b'\n' | b'#' | b'}' | b')' | b']'))
            || self.source[next..].starts_with(b"//");
        let in_line = matches!(self.frame.mode, Mode::Body | Mode::Attribute);
        let help = match (last, in_line) {
            (true, _) => "remove it: the end of the line is enough",
            (false, true) => "start a new line instead",
            (false, false) => "separate elements with commas",
        };
        let diagnostic = Finding::error(Code::Semicolon, self.span(at, at + 1), "semicolons are not used in HCL");
        let diagnostic = diagnostic.with_help(help);
        let span = self.span(at, at + 1);
        self.report(if last {
            // A sequence that is not closed may have consumed it from the surrounding text.
            let sure = self.frame.mode != Mode::Sequence;
            diagnostic.with_edits(Applicability::safe_if(sure), [Replacement::removal(span)])
        } else if in_line {
            match self.line_break_in_body(at, next) {
                Some(edit) => diagnostic.with_edits(Safe, [edit]),
                None => diagnostic,
            }
        } else {
            let elements = self.frame.mode == Mode::Object || self.is_in_list_or_call();
            let elements = elements && self.byte(at + 1).is_ascii_whitespace();
            diagnostic.with_edits(Applicability::safe_if(elements), [Replacement::new(span, ",")])
        });
        if last {
            return self.skip_text(at, at + 1);
        }
        match self.frame.mode {
            Mode::Attribute => self.close(TokenKind::Newline, at, at + 1),
            Mode::Body => self.push(TokenKind::Newline, at, at + 1),
            _ => self.separator_of(TokenKind::Comma, at, at + 1),
        }
    }

    fn bitwise(&mut self, at: usize, byte: u8) -> usize {
        let unary = !self.previous().ends_operand();
        let text = char::from(byte).to_string();
        let logical = BinaryOperator::meant_by(&text).map(BinaryOperator::as_str);
        let logical = logical.or_else(|| UnaryOperator::meant_by(&text).map(UnaryOperator::as_str));
        let help = match byte {
            b'~' if !unary => "a strip marker belongs right before the closing `}` or after the opening `{`".into(),
            _ => match logical {
                Some(logical) => format!("for the logical operator write `{logical}`"),
                None => "HCL has no bitwise operators; for powers use a function".into(),
            },
        };
        let detail = format!("`{text}` is not an operator in HCL");
        let span = self.span(at, at + 1);
        let diagnostic = Finding::error(Code::BitwiseOperator, span, detail).with_help(help);
        self.report(match logical.filter(|_| byte != b'~' || unary) {
            Some(logical) => diagnostic.with_edits(NeedsReview, [Replacement::new(span, logical)]),
            None => diagnostic,
        });
        match (byte, unary) {
            (b'~', true) => self.prefix(TokenKind::Not, at, 1),
            (b'~', false) => self.skip_text(at, at + 1),
            _ => self.operator(at, at + 1),
        }
    }

    /// Reads `**`, `===` or `!==`, which counts as an operator of HCL.
    #[cold]
    pub(super) fn foreign_operator(&mut self, start: usize, text: &str, meant: BinaryOperator) -> usize {
        let end = start + text.len();
        let diagnostic =
            Finding::error(Code::UnknownOperator, self.span(start, end), format!("`{text}` is not an operator in HCL"));
        let edit = Replacement::new(self.span(start, end), meant.as_str());
        self.report(match meant {
            BinaryOperator::Equal | BinaryOperator::NotEqual => diagnostic
                .with_help(format!("write `{}`: it compares without conversion", meant.as_str()))
                .with_edits(Safe, [edit]),
            BinaryOperator::Multiply => {
                diagnostic.with_help("for powers use a function such as `pow(2, 8)`, if the application has one")
            }
            _ => diagnostic.with_help(format!("write `{}`", meant.as_str())).with_edits(NeedsReview, [edit]),
        });
        self.operator(start, end)
    }

    /// Reads `==` in a body: after a name it is meant as `=`.
    #[cold]
    pub(super) fn equal_in_body(&mut self, at: usize) -> usize {
        use TokenKind::{Identifier, Newline, OpenBlock, String};
        match self.tokens.last_kinds() {
            [Newline | OpenBlock, Identifier | String] => self.foreign_assignment(at, at + 2),
            _ => self.sign(at, b'='),
        }
    }

    /// `:=`, `==` or `+=` in place of `=`.
    #[cold]
    pub(super) fn foreign_assignment(&mut self, start: usize, end: usize) -> usize {
        let text = String::from_utf8_lossy(&self.source[start..end]).into_owned();
        let diagnostic =
            Finding::error(Code::WrongAssignment, self.span(start, end), format!("`{text}` does not assign a value"));
        let diagnostic = diagnostic.with_help("write `=`");
        let line = &self.source[end..self.near_line_end(end).unwrap_or(end)];
        // A value on the following lines is written in another way.
        let value = line.trim_ascii();
        let follows = !(value.is_empty() || value.starts_with(b"#") || value.starts_with(b"//"));
        let before = if start == 0 || self.byte(start - 1).is_ascii_whitespace() { "" } else { " " };
        let after = if self.byte(end).is_ascii_whitespace() { "" } else { " " };
        let edit = Replacement::new(self.span(start, end), format!("{before}={after}"));
        self.report(if !follows {
            diagnostic
        } else {
            let comma = (text == ":").then(|| self.comma_of_json(end, line)).flatten();
            // `+=` may be meant to add to a value that is set elsewhere.
            let sure = matches!(&*text, ":=" | "==" | ":") && (comma.is_some() || !value.ends_with(b","));
            // The braces of YAML and JSON may be meant as those of a block.
            let sure = sure && !(text == ":" && value.starts_with(b"{"));
            let comma = comma.map(|at| Replacement::removal(self.span(at, at + 1)));
            diagnostic.with_edits(Applicability::safe_if(sure), std::iter::once(edit).chain(comma))
        });
        match self.frame.mode {
            Mode::Body => self.open_attribute(start, end),
            _ => self.separator_of(TokenKind::Assign, start, end),
        }
    }

    /// `name: value` in a body.
    #[cold]
    pub(super) fn colon_in_body(&mut self, at: usize, next: u8) -> usize {
        use TokenKind::{Identifier, Minus, Newline, OpenBlock, Operator, Question, String};
        match (next, self.tokens.last_kinds()) {
            (b':', _) => self.push(TokenKind::DoubleColon, at, at + 2),
            (b'=', _) => self.foreign_assignment(at, at + 2),
            // The line continues the one before it.
            (_, [Question | Operator | Minus, Newline, _]) => self.push(TokenKind::Colon, at, at + 1),
            // The name in quotes is reported then.
            (_, [_, Newline | OpenBlock, String]) => self.open_attribute(at, at + 1),
            (_, [_, Newline | OpenBlock, Identifier]) => self.foreign_assignment(at, at + 1),
            _ => self.push(TokenKind::Colon, at, at + 1),
        }
    }

    fn dollar(&mut self, at: usize) -> usize {
        let first = at;
        let at = self.skip(at, |byte| byte == b'$') - 1;
        if self.byte(at + 1) == b'{' {
            return self.sequence_outside_template(first, at);
        }
        let end = identifier_end(self.source, at + 1);
        let name = String::from_utf8_lossy(&self.source[at + 1..end]).into_owned();
        let detail = "a dollar sign has no meaning here";
        let diagnostic = Finding::error(Code::DollarOutsideTemplate, self.span(first, at + 1), detail);
        let help = if name.is_empty() {
            "remove it, or put text in quotes".to_owned()
        } else {
            format!("variables are written without it: `{name}`")
        };
        let diagnostic = diagnostic.with_help(help);
        let edit = Replacement::removal(self.span(first, at + 1));
        self.report(match name.is_empty() {
            true => diagnostic.with_choice("remove it", [edit]),
            false => diagnostic.with_edits(NeedsReview, [edit]),
        });
        self.skip_text(first, at + 1)
    }

    /// Reads a line that a version control system has left where it could not merge two versions. One report is enough
    /// for a conflict, because only the first of its versions is read.
    pub(super) fn conflict_marker(&mut self, at: usize) -> Option<usize> {
        const LENGTH: usize = 7;
        let marker = self.source.get(at..at + LENGTH)?;
        let same = marker.iter().all(|&byte| byte == marker[0]);
        let line_end = at + memchr(b'\n', &self.source[at..]).unwrap_or(self.source.len() - at);
        let begins_line = at == 0 || self.source[at - 1] == b'\n';
        if !same || !begins_line || !matches!(self.source.get(at + LENGTH), None | Some(b' ' | b'\n' | b'\r')) {
            return None;
        }
        let known = self.problems.iter().any(|problem| problem.diagnostic.code() == Code::ConflictMarker);
        if marker[0] == b'<' || !known {
            let span = self.span(at, at + LENGTH);
            self.report(Finding::error(Code::ConflictMarker, span, conflict::DETAIL).with_help(conflict::HELP));
        } else if matches!(marker[0], b'=' | b'|')
            && let Some(end) = conflict::end_after(self.source, line_end, &mut self.search_budget)
        {
            return Some(self.skip_text(at, end));
        }
        Some(self.skip_text(at, line_end))
    }

    /// Reports `2024-01-31` as a whole value, if its first dash is at `at`: a subtraction is hardly meant.
    #[cold]
    pub(super) fn date(&mut self, at: usize) {
        let start = self.tokens.start(self.tokens.last()) as usize;
        let end = at + "-01-31".len();
        let Some(text) = self.source.get(start..end).and_then(|text| std::str::from_utf8(text).ok()) else { return };
        let digits = |from, to| text.get(from..to).is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let line_end = memchr(b'\n', &self.source[end..]).map_or(self.source.len(), |length| end + length);
        // Anything else on the line has its own message.
        let rest = self.source[end..line_end].trim_ascii_start();
        let ends = rest.is_empty() || rest.starts_with(b"#") || rest.starts_with(b"//");
        if at - start != 4 || !(digits(0, 4) && digits(5, 7) && digits(8, 10)) || !ends {
            return;
        }
        let span = self.span(start, end);
        let text = format!("\"{text}\"");
        self.report(
            Finding::warning(Code::UnquotedText, span, "this is not a date but a subtraction")
                .with_help(format!("for a date, put it in quotes: `{text}`"))
                .with_edits(NeedsReview, [Replacement::new(span, text)]),
        );
    }

    /// Reads `${ }` or `%{ }` where an expression is expected anyway. It becomes a pair of parentheses. `first` is the
    /// start of the error, which may be a dollar sign before it.
    #[cold]
    pub(super) fn sequence_outside_template(&mut self, first: usize, at: usize) -> usize {
        let text = if self.byte(at) == b'$' { "${" } else { "%{" };
        let diagnostic = Finding::error(
            Code::DollarOutsideTemplate,
            self.span(first, at + 2),
            format!("`{text}` belongs in templates, which are in quotes or heredocs"),
        );
        let diagnostic = diagnostic.with_help("write the expression without it, or put quotes around the template");
        self.report(self.without_sequence(diagnostic, first, at));
        if matches!(self.frame.mode, Mode::Body) {
            return self.skip_text(first, at + 2);
        }
        if first < at {
            self.skip_text(first, at);
        }
        self.open(TokenKind::OpenParen, Mode::Sequence, at, at + 2)
    }
}
