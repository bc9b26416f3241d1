//! Templates: quoted ones, heredocs, and those that are a whole source.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};

use super::Lexer;

use super::mode::Mode;
use super::recover::{Repair, unclosed_sequence};
use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding as Diagnostic};
use crate::identifier::is_identifier;
use crate::source::Replacement;
use crate::syntax::index::TokenIndex;
use crate::syntax::literal::escape;
use crate::syntax::mend;
use crate::syntax::scan::{identifier_end, quoted_text_end};
use crate::syntax::token::TokenKind;
use crate::syntax::{excerpt, similar, strict};

impl Lexer<'_> {
    #[inline]
    pub(super) fn quote(&mut self, start: usize) -> usize {
        let end = self.quoted_literal_end(start + 1);
        match self.source.get(end) {
            Some(b'"') => self.push(self.plain_string(), start, end + 1),
            Some(b'$' | b'%') => {
                self.open(TokenKind::Template, Mode::Quoted, start, start + 1);
                self.template_from(start + 1, end)
            }
            _ => self.unclosed_plain_string(start, end),
        }
    }

    /// The kind of a quoted string without sequences.
    pub(super) fn plain_string(&self) -> TokenKind {
        if self.frame.mode == Mode::Body { TokenKind::String } else { TokenKind::Literal }
    }

    #[inline(never)]
    pub(super) fn heredoc(&mut self, start: usize) -> usize {
        if self.byte(start + 2) == b'<' {
            // The first of three is an operator, if they are not the first of seven.
            return self.conflict_marker(start).unwrap_or_else(|| self.operator(start, start + 1));
        }
        let marker = self.heredoc_marker(start);
        let line_end = memchr(b'\n', &self.source[start..]).map_or(self.source.len(), |end| start + end);
        let well_formed = match &self.source[marker.end..line_end] {
            [] | [b'\r'] => matches!(self.source[marker.start - 1], b'<' | b'-'),
            _ => false,
        };
        if marker.is_empty() || line_end == self.source.len() {
            self.heredoc_header(start, line_end, marker, false);
            return self.push(TokenKind::Illegal, start, start + 2);
        }
        if !well_formed {
            let source = self.source;
            let known = self.has_line(line_end + 1, &source[marker.clone()]);
            self.heredoc_header(start, line_end, marker.clone(), known);
            if !known {
                return self.push(TokenKind::Illegal, start, start + 2);
            }
        }
        self.strict_identifier(marker.start);
        self.open_shown(TokenKind::Template, Mode::Heredoc, start..line_end + 1, line_end);
        self.template(line_end + 1)
    }

    /// Reports the header of a heredoc; `known` says whether there is a line that would close it.
    fn heredoc_header(&mut self, start: usize, line_end: usize, marker: Range<usize>, known: bool) {
        let name = String::from_utf8_lossy(&self.source[marker.clone()]).into_owned();
        let end = if marker.is_empty() { start + 2 } else { line_end.min(marker.end.max(start + 2)) };
        let dash = if self.byte(start + 2) == b'-' { "-" } else { "" };
        let (detail, help) = if marker.is_empty() {
            (
                "`<<` begins a heredoc and needs a marker after it",
                "write a name of your choice, as in `<<EOT`".to_owned(),
            )
        } else if self.source.len() == line_end {
            (
                "the text of this heredoc is missing",
                format!("write the text on the next lines, and then a line `{name}`"),
            )
        } else {
            (
                if matches!(self.byte(marker.end), b'"' | b'\'') {
                    "the marker must not be in quotes"
                } else {
                    "the marker must be a bare name and the last thing on its line"
                },
                format!("write `<<{dash}{name}` and put everything else on the next line"),
            )
        };
        let diagnostic = Diagnostic::error(Code::HeredocHeader, self.span(start, end), detail).with_help(help);
        if !known {
            return self.report(diagnostic);
        }
        let rest = self.source[marker.end..line_end].trim_ascii_end();
        let place = self.span(start, marker.end + rest.len());
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start();
        let comment = rest.starts_with(b"#") || rest.starts_with(b"//");
        let text = match std::str::from_utf8(rest) {
            Ok(text) if !comment && !text.is_empty() => format!("<<{dash}{name}\n{text}"),
            _ => format!("<<{dash}{name}"),
        };
        let sure = Applicability::safe_if(rest.is_empty());
        self.report(diagnostic.with_edits(sure, [Replacement::new(place, text)]));
    }

    /// The marker of a heredoc from its `<<`. For a better recovery, blanks and quotes before
    /// it are skipped.
    fn heredoc_marker(&self, start: usize) -> Range<usize> {
        let mut at = start + 2 + usize::from(self.byte(start + 2) == b'-');
        if matches!(self.byte(at), b' ' | b'\t' | b'"' | b'\'') {
            at = self.skip(at, |byte| matches!(byte, b' ' | b'\t' | b'"' | b'\''));
        }
        let end = identifier_end(self.source, at);
        let text = std::str::from_utf8(&self.source[at..end]).unwrap_or_default();
        if is_identifier(text) { at..end } else { at..at }
    }

    /// Whether a line follows that is nothing but a text. All such searches together look at no
    /// more than a few times the length of the source.
    fn has_line(&mut self, start: usize, line: &[u8]) -> bool {
        let mut at = start;
        while at < self.source.len() && self.search_budget > 0 {
            let end = memchr(b'\n', &self.source[at..]).map_or(self.source.len(), |length| at + length);
            self.search_budget = self.search_budget.saturating_sub(end - at + 1);
            if self.source[at..end].trim_ascii() == line {
                return true;
            }
            at = end + 1;
        }
        false
    }

    /// A template from its start, or from the end of a sequence on, up to the next sequence.
    pub(super) fn template(&mut self, start: usize) -> usize {
        let end = match self.frame.mode {
            Mode::Quoted => self.quoted_literal_end(start),
            Mode::Heredoc => {
                let marker = self.heredoc_marker(self.tokens.start(self.frame.opener) as usize);
                self.heredoc_literal_end(start, &self.source[marker])
            }
            _ => self.bare_literal_end(start),
        };
        self.template_from(start, end)
    }

    fn template_from(&mut self, start: usize, end: usize) -> usize {
        if start < end {
            if self.frame.mode == Mode::Heredoc {
                self.carriage_returns(start, end);
            }
            self.push(TokenKind::TemplateLiteral, start, end);
        }
        match (self.source.get(end), self.frame.mode) {
            (Some(b'$' | b'%'), _) => self.sequence(end),
            (Some(b'"'), Mode::Quoted) => self.close(TokenKind::CloseTemplate, end, end + 1),
            (_, Mode::Quoted) => self.unclosed_quoted_template(end),
            (Some(_), Mode::Heredoc) => self.closing_marker(end),
            (None, Mode::Heredoc) => self.unclosed_heredoc(end),
            _ => end,
        }
    }

    /// The end of the text from a place on: a sequence, the closing quote, or the end of the line
    /// or file, which is too early.
    fn quoted_literal_end(&mut self, mut at: usize) -> usize {
        loop {
            at = quoted_text_end(self.source, at);
            match (self.byte(at), self.byte(at + 1), self.byte(at + 2)) {
                (b'\\', ..) => at = self.escape(at),
                (b'$', b'$', b'{') | (b'%', b'%', b'{') => at += 3,
                (b'$' | b'%', next, _) if next != b'{' => at += 1,
                (b'\r', next, _) if next != b'\n' => {
                    self.lone_carriage_return(at);
                    at += 1;
                }
                (0x08 | b'\t' | b'\r' | 0x0b | 0x0c | 0x0e | 0x0f, ..) => at += 1,
                _ => return at.min(self.source.len()),
            }
        }
    }

    #[cold]
    fn lone_carriage_return(&mut self, at: usize) {
        let detail = "a carriage return must be followed by a newline";
        let diagnostic = Diagnostic::error(Code::InvalidCharacter, self.span(at, at + 1), detail);
        self.report(
            diagnostic.with_help("write `\\r` for one within quotes, or save the file with consistent line endings"),
        );
    }

    /// The place after an escape sequence, which is reported if it is not valid.
    fn escape(&mut self, at: usize) -> usize {
        let (length, result) = escape(&self.source[at..]);
        if let Err(error) = result {
            let diagnostic = Diagnostic::error(Code::InvalidEscape, self.span(at, at + length), error.detail());
            let diagnostic = diagnostic.with_help(error.help());
            let text = self.source[at..].get(..length + 2).unwrap_or(&self.source[at..]);
            let text = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            self.report(match mend::escape(text, at as u32) {
                Some((applicability, edit)) => {
                    let sure = applicability == Safe && !self.has_escapes_around(at);
                    diagnostic.with_edits(Applicability::safe_if(sure), [edit])
                }
                None => diagnostic,
            });
        }
        at + length
    }

    /// A sequence, the line of the closing marker, or the end of the file, which is too early.
    fn heredoc_literal_end(&self, mut at: usize, marker: &[u8]) -> usize {
        loop {
            if self.source[at - 1] == b'\n' && self.closing_marker_at(at, marker).is_some() {
                return at;
            }
            let rest = &self.source[at..];
            at += memchr3(b'\n', b'$', b'%', rest).unwrap_or(rest.len());
            match (self.byte(at), self.byte(at + 1), self.byte(at + 2)) {
                (b'$', b'$', b'{') | (b'%', b'%', b'{') => at += 3,
                (b'$' | b'%', b'{', _) => return at,
                (b'$' | b'%' | b'\n', ..) => at += 1,
                _ if at < self.source.len() => at += 1,
                _ => return at,
            }
        }
    }

    /// Where the marker is, if the line is a closing one: nothing but it and white space.
    #[inline]
    fn closing_marker_at(&self, line: usize, marker: &[u8]) -> Option<Range<usize>> {
        let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c');
        let at = self.skip(line, blank);
        let rest = &self.source[at..];
        if rest.starts_with(marker) {
            let end = at + marker.len();
            match self.byte(self.skip(end, blank)) {
                b'\n' => return Some(at..end),
                0x80.. => {}
                _ => return None,
            }
        } else if self.byte(at) < 0x80 {
            return None;
        }
        self.closing_marker_among_unicode_spaces(line, marker)
    }

    #[cold]
    fn closing_marker_among_unicode_spaces(&self, line: usize, marker: &[u8]) -> Option<Range<usize>> {
        let length = memchr(b'\n', &self.source[line..])?;
        let text = std::str::from_utf8(&self.source[line..line + length]).ok()?;
        let start = line + text.len() - text.trim_start().len();
        (text.trim().as_bytes() == marker).then_some(start..start + marker.len())
    }

    fn bare_literal_end(&self, mut at: usize) -> usize {
        loop {
            let rest = &self.source[at..];
            at += memchr2(b'$', b'%', rest).unwrap_or(rest.len());
            match (self.byte(at), self.byte(at + 1), self.byte(at + 2)) {
                (b'$', b'$', b'{') | (b'%', b'%', b'{') => at += 3,
                (b'$' | b'%', next, _) if next != b'{' => at += 1,
                _ => return at,
            }
        }
    }

    fn closing_marker(&mut self, line: usize) -> usize {
        let opener = self.tokens.start(self.frame.opener) as usize;
        let marker = self.heredoc_marker(opener);
        let found = self.closing_marker_at(line, &self.source[marker]).unwrap_or(line..line);
        if self.strict {
            let line_end = memchr(b'\n', &self.source[line..]).map_or(self.source.len(), |end| line + end);
            let flush = self.byte(opener + 2) == b'-';
            if found.start > line && !flush || !matches!(&self.source[found.end..line_end], [] | [b'\r']) {
                let span = self.span(found.start, found.end);
                self.report(strict(
                    span,
                    "the closing marker of `<<` stands alone on its line",
                    "Template Expressions",
                ));
            }
        }
        let next_line = found.end + memchr(b'\n', &self.source[found.end..]).unwrap_or(0);
        self.carriage_returns(line, found.start);
        self.carriage_returns(found.end, next_line);
        // The white space after the marker is skipped as any other, but here it may be any.
        self.close(TokenKind::CloseTemplate, found.start, found.end);
        next_line
    }

    /// Reports carriage returns within a heredoc that are not part of a newline.
    fn carriage_returns(&mut self, start: usize, end: usize) {
        let source = self.source;
        for offset in memchr::memchr_iter(b'\r', &source[start..end]) {
            if self.byte(start + offset + 1) != b'\n' {
                self.lone_carriage_return(start + offset);
            }
        }
    }

    /// `${`, or `%{` with its keyword.
    fn sequence(&mut self, start: usize) -> usize {
        let at = start + 2 + usize::from(self.byte(start + 2) == b'~');
        if self.byte(start) == b'$' {
            return self.open(TokenKind::Interpolation, Mode::Sequence, start, at);
        }
        let keyword = self.directive_trivia_end(at);
        let end = identifier_end(self.source, keyword);
        let kind = match &self.source[keyword..end] {
            b"if" => TokenKind::IfDirective,
            b"else" => TokenKind::ElseDirective,
            b"endif" => TokenKind::EndIfDirective,
            b"for" => TokenKind::ForDirective,
            b"endfor" => TokenKind::EndForDirective,
            _ => {
                self.unknown_directive(start, keyword, end);
                TokenKind::UnknownDirective
            }
        };
        self.open_shown(kind, Mode::Sequence, start..at, end);
        if keyword < end {
            self.push(TokenKind::Keyword, keyword, end);
        }
        end
    }

    /// In a sequence newlines are white space, but its mode is entered after the keyword only.
    fn directive_trivia_end(&mut self, at: usize) -> usize {
        let mode = std::mem::replace(&mut self.frame.mode, Mode::Sequence);
        let end = self.trivia_end(at);
        self.frame.mode = mode;
        end
    }

    fn unknown_directive(&mut self, start: usize, keyword_start: usize, end: usize) {
        const KEYWORDS: [&str; 5] = ["if", "else", "endif", "for", "endfor"];
        let name = String::from_utf8_lossy(&self.source[keyword_start..end]).into_owned();
        let diagnostic = if name.is_empty() {
            let end = (keyword_start + 1).min(self.source.len());
            let end = (end..).find(|&at| at >= self.source.len() || self.source[at] & 0xc0 != 0x80).unwrap_or(end);
            Diagnostic::error(Code::UnknownDirective, self.span(keyword_start, end), "a keyword is expected after `%{`")
                .with_context(self.span(start, end))
                .with_help("the directives are if, else, endif, for and endfor; for a literal `%{` write `%%{`")
                .with_choice("for a literal `%{` write `%%{`", [Replacement::insertion(start as u32, "%")])
        } else {
            let diagnostic = Diagnostic::error(
                Code::UnknownDirective,
                self.span(keyword_start, end),
                format!("`{name}` is not a template directive"),
            );
            let instead = |keyword: &'static str| Replacement::new(self.span(keyword_start, end), keyword);
            let literal = Replacement::insertion(start as u32, "%");
            let (help, edit) = match name.as_str() {
                "elif" | "elseif" | "elsif" => {
                    ("nest an `%{ if }` within `%{ else }` and close both with `%{ endif }`".to_owned(), None)
                }
                "end" => {
                    let help = "close an `if` with `%{ endif }` and a `for` with `%{ endfor }`";
                    (help.to_owned(), self.end_of_open_directive().map(|keyword| (Safe, instead(keyword))))
                }
                _ => match similar(&name, KEYWORDS) {
                    Some(similar) => (format!("did you mean `{similar}`?"), Some((NeedsReview, instead(similar)))),
                    None if keyword_start == start + 2 && self.byte(end) == b'}' => {
                        let help = format!(
                            "if this is for another program, write `%%{{{}}}`: `%%{{` stands for `%{{`",
                            excerpt(&name)
                        );
                        (help, Some((NeedsReview, literal)))
                    }
                    None => ("for a literal `%{` write `%%{`".to_owned(), Some((NeedsReview, literal))),
                },
            };
            match edit {
                Some((applicability, edit)) => diagnostic.with_help(help).with_edits(applicability, [edit]),
                None => diagnostic.with_help(help),
            }
        };
        self.report(diagnostic);
    }

    pub(super) fn close_sequence(&mut self, start: usize, end: usize) -> usize {
        let opener = self.tokens.kind(self.frame.opener);
        if opener == TokenKind::OpenParen {
            // A `${` outside a template was taken for a parenthesis.
            return self.close(TokenKind::CloseParen, start, end);
        }
        self.close(TokenKind::CloseSequence, start, end);
        match opener {
            TokenKind::IfDirective | TokenKind::ForDirective => self.frame.depth += 1,
            TokenKind::EndIfDirective | TokenKind::EndForDirective => {
                self.frame.depth = self.frame.base.max(self.frame.depth.saturating_sub(1));
            }
            _ => {}
        }
        self.template(end)
    }

    // What is not closed.

    /// A string that is not closed in its line. If a line or more below a quote follows where one
    /// would close it, it is taken for a string over several lines.
    fn unclosed_plain_string(&mut self, start: usize, end: usize) -> usize {
        if let Some(close) = self.quote_lines_below(end) {
            self.report_lines_in_string(start, end, close);
            return self.push(self.plain_string(), start, close + 1);
        }
        self.report_unclosed_string(start, end);
        // The brace of a block is not part of its label.
        let text = self.source[start..end].trim_ascii_end();
        if self.frame.mode == Mode::Body && text.ends_with(b"{") {
            let brace = start + text.len() - 1;
            self.push(TokenKind::String, start, brace);
            return brace;
        }
        self.push(self.plain_string(), start, end);
        self.leave_line(end)
    }

    /// Reports a string from `start` to `close` whose first line ends at `end`.
    fn report_lines_in_string(&mut self, start: usize, end: usize, close: usize) {
        let diagnostic = Diagnostic::error(
            Code::UnclosedString,
            self.newline_span(end),
            "a quoted string ends in the line where it begins",
        )
        .with_label(self.span(start, start + 1), "the string begins here")
        .with_help("write `\\n` for a newline, or use a heredoc: `<<EOT`, the lines, and `EOT`");
        let lines = &self.source[end..close];
        let newlines = memchr::memchr_iter(b'\n', lines).map(|at| {
            let start = end + at - usize::from(at > 0 && lines[at - 1] == b'\r');
            Replacement::new(self.span(start, end + at + 1), "\\n")
        });
        // Within a sequence a newline is white space.
        let sequence = memchr::memmem::find(lines, b"${").or_else(|| memchr::memmem::find(lines, b"%{"));
        let mut around = std::iter::once(&self.frame).chain(self.outer.iter().rev()).take(MAX_SEARCH);
        let within_sequence = around.any(|frame| frame.mode == Mode::Sequence);
        self.report(match sequence {
            None if !within_sequence => diagnostic.with_choice("write `\\n` for a newline", newlines),
            _ => diagnostic,
        });
    }

    fn unclosed_quoted_template(&mut self, end: usize) -> usize {
        let start = self.tokens.start(self.frame.opener) as usize;
        if end < self.string_end {
            return self.template(end + 1);
        }
        if let Some(close) = self.quote_lines_below(end) {
            self.report_lines_in_string(start, end, close);
            self.string_end = close;
            return self.template(end + 1);
        }
        self.report_unclosed_string(start, end);
        self.close(TokenKind::CloseTemplate, end, end);
        self.leave_line(end)
    }

    /// Where the quotes within a line do not pair, the line's outermost string is at fault: what
    /// seems to be open within it is closed with it.
    fn report_unclosed_string(&mut self, start: usize, end: usize) {
        let line_start = memrchr(b'\n', &self.source[..start]).map_or(0, |at| at + 1);
        let sequence = std::iter::once(&self.frame)
            .chain(self.outer.iter().rev())
            .take(MAX_SEARCH)
            .filter(|frame| frame.mode == Mode::Sequence)
            .map(|frame| self.tokens.start(frame.opener) as usize)
            .take_while(|&at| at >= line_start)
            .last();
        let (applicability, quote) = self.end_of_unclosed(start, end);
        let diagnostic = match sequence {
            Some(opener) => {
                let diagnostic = unclosed_sequence(self.span(opener, opener + 2), self.byte(opener) == b'$');
                // The quote that seems to begin a string is the one that ends the template.
                match memchr(b'"', &self.source[opener..start]) {
                    None => diagnostic.with_choice("add the missing `}`", [Replacement::insertion(start as u32, "}")]),
                    Some(_) => diagnostic,
                }
            }
            None if self.is_stray_quote(start) => Diagnostic::error(
                Code::UnclosedString,
                self.span(start, start + 1),
                "a string cannot begin here, and this one is not closed before the end of the line",
            )
            .with_help("remove this `\"`, or add the missing one")
            .with_choice("remove this `\"`", [Replacement::removal(self.span(start, start + 1))]),
            None => Diagnostic::error(
                Code::UnclosedString,
                self.newline_span(end),
                "the string is not closed before the end of the line",
            )
            .with_label(self.span(start, start + 1), "it begins here")
            .with_help("add the closing `\"`")
            .with_edits(applicability, [quote]),
        };
        self.report(diagnostic);
    }

    /// Whether a quote stands where no string can begin: after an operand. A template that it begins
    /// has its token already.
    fn is_stray_quote(&self, start: usize) -> bool {
        let before = self.tokens.all().rev().find(|&token| (self.tokens.start(token) as usize) < start);
        let in_expression = self.frame.mode != Mode::Body;
        in_expression && before.is_some_and(|before| self.tokens.kind(before).ends_operand())
    }

    /// The newline at a place, or the end of the source.
    fn newline_span(&self, at: usize) -> crate::source::Span {
        self.span(at, at + 1)
    }

    /// Closes the templates that were opened in the line that ends here, and the brackets too, for
    /// the closing ones are probably part of the text that was taken for a string.
    fn leave_line(&mut self, end: usize) -> usize {
        let line_start = memrchr(b'\n', &self.source[..end]).map_or(0, |at| at + 1);
        let in_line = |lexer: &Self| {
            lexer
                .outer
                .iter()
                .rev()
                .chain(std::iter::empty())
                .take(MAX_SEARCH)
                .any(|frame| frame.mode == Mode::Quoted && lexer.tokens.start(frame.opener) as usize >= line_start)
        };
        while in_line(self) || self.frame.mode == Mode::Quoted {
            self.close_frame(end);
        }
        while matches!(self.frame.mode, Mode::Brackets | Mode::Object)
            && !self.outer.is_empty()
            && self.tokens.start(self.frame.opener) as usize >= line_start
        {
            self.close_frame(end);
        }
        end
    }

    fn quote_lines_below(&self, end: usize) -> Option<usize> {
        const MAX_LINES: usize = 40;
        let mut at = end;
        for _ in 0..MAX_LINES {
            if self.byte(at) != b'\n' {
                return None;
            }
            let line = at + 1;
            let line_end = memchr(b'\n', &self.source[line..]).map_or(self.source.len(), |length| line + length);
            let text = &self.source[line..line_end];
            let mut quotes = memchr::memchr_iter(b'"', text);
            match (quotes.next(), quotes.next()) {
                (None, _) if !looks_like_item(text) => at = line_end,
                (Some(quote), None) => {
                    let before = &text[..quote];
                    let after = text[quote + 1..].trim_ascii();
                    let closes = matches!(after.first(), None | Some(b',' | b')' | b']' | b'}' | b'#' | b'/'));
                    return (closes && !looks_like_item(before)).then_some(line + quote);
                }
                _ => return None,
            }
        }
        None
    }

    fn unclosed_heredoc(&mut self, end: usize) -> usize {
        let opener = self.tokens.start(self.frame.opener) as usize;
        let marker = self.heredoc_marker(opener);
        let name = String::from_utf8_lossy(&self.source[marker.clone()]).into_owned();
        let text_start = memchr(b'\n', &self.source[opener..]).map_or(end, |at| opener + at + 1);
        let detail = format!("this heredoc has no closing line `{name}`");
        let mut diagnostic = Diagnostic::error(Code::UnclosedHeredoc, self.span(opener, marker.end), detail)
            .with_help(format!("end the text with a line that is `{name}` and nothing else"));
        if self.missing_closer.is_none() {
            self.tokens.sort();
            self.missing_closer = self.sequence_over_marker(text_start, &name);
        }
        if let Some((line, why, edit)) = self.similar_marker(text_start, &name) {
            diagnostic = diagnostic.with_label(self.span(line.start, line.end), why);
            if let Some((applicability, edit)) = edit {
                diagnostic = diagnostic.with_edits(applicability, [edit]);
            }
        }
        self.report(diagnostic);
        self.close(TokenKind::CloseTemplate, end, end);
        end
    }

    /// The sequence that has swallowed the closing line of a heredoc, because its own closing brace
    /// is missing.
    fn sequence_over_marker(&self, text_start: usize, name: &str) -> Option<Repair> {
        let mut at = text_start;
        while at < self.source.len() {
            let end = memchr(b'\n', &self.source[at..]).map_or(self.source.len(), |length| at + length);
            if self.source[at..end].trim_ascii() == name.as_bytes() {
                let sequence = (self.frame.opener + 1)
                    .to(self.tokens.next())
                    .take_while(|&token| (self.tokens.start(token) as usize) < at);
                let covers = |&token: &TokenIndex| {
                    matches!(
                        self.tokens.kind(token),
                        TokenKind::Interpolation | TokenKind::IfDirective | TokenKind::ForDirective
                    ) && self.tokens.start(self.tokens.closer(token).min(self.tokens.last())) as usize > at
                };
                let opener = self.tokens.start(sequence.filter(covers).last()?) as usize;
                let line_end = memchr(b'\n', &self.source[opener..])?;
                return Some(Repair { line_start: opener + line_end + 1, opener });
            }
            at = end + 1;
        }
        None
    }

    /// A line that was probably meant to close a heredoc, why it does not, and the edit with which it does.
    fn similar_marker(&self, mut at: usize, name: &str) -> Option<(Range<usize>, String, Option<mend::Mend>)> {
        let is_word = |text: &str| text.len() <= name.len() + 4 && is_identifier(text);
        let mut candidate = None;
        while at < self.source.len() {
            let end = memchr(b'\n', &self.source[at..]).map_or(self.source.len(), |length| at + length);
            if let Ok(line) = std::str::from_utf8(&self.source[at..end]) {
                let text = line.trim();
                let start = at + line.len() - line.trim_start().len();
                let rest =
                    text.strip_prefix(name).filter(|rest| !rest.starts_with(crate::identifier::is_identifier_part));
                let found = |why: String, edit| Some((start..start + text.len(), why, edit));
                let renamed = || Replacement::new(self.span(start, start + text.len()), name.to_owned());
                if text == name && end == self.source.len() {
                    let newline = Replacement::insertion(end as u32, "\n");
                    return found("the closing line must end with a newline".to_owned(), Some((Safe, newline)));
                } else if rest
                    .is_some_and(|rest| matches!(rest.trim(), "," | ")" | ");" | "]" | ";" | "}" | "\"" | "),"))
                {
                    let next = start + name.len();
                    let edit = match rest.unwrap_or_default().trim() {
                        ";" | "\"" => Replacement::removal(self.span(next, start + text.len())),
                        _ => Replacement::insertion(next as u32, "\n"),
                    };
                    let why = format!("nothing may follow `{name}` on the closing line");
                    return found(why, Some((NeedsReview, edit)));
                } else if is_word(text) && text != name && text.eq_ignore_ascii_case(name) {
                    let why = format!("`{text}` differs from `{name}` in case");
                    return found(why, Some((Safe, renamed())));
                } else if candidate.is_none()
                    && is_word(text)
                    && text != name
                    && (text.bytes().all(|byte| byte.is_ascii_uppercase()) || similar(text, [name]).is_some())
                {
                    candidate = found(format!("`{text}` is not `{name}`"), Some((NeedsReview, renamed())));
                }
            }
            at = end + 1;
        }
        candidate
    }
}

/// How many frames are looked at for what a bracket or quote may belong to.
pub(super) const MAX_SEARCH: usize = 100;

/// Whether a line looks like the start of an attribute or block, so that it is hardly text.
fn looks_like_item(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let name = identifier_end(text, 0);
    let rest = text[name..].trim_ascii_start();
    match text {
        [] => false,
        [b'}', ..] | [b'#', ..] => true,
        _ => name > 0 && matches!(rest, [b'=', ..] | [b'{', ..] | [b'"', ..]),
    }
}
