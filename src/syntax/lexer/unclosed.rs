//! Strings without a closing quote: where they may end, and where reading continues.

use memchr::{memchr, memrchr};

use super::Lexer;
use super::mode::Mode;
use super::recover::{MAX_SEARCH, unclosed_sequence};
use crate::diagnostic::{Code, Finding};
use crate::source::Replacement;
use crate::syntax::scan::identifier_end;
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    /// Reads a string that is not closed in its line. If a later line has a quote where a closing one is likely, the
    /// text counts as a string over several lines.
    pub(super) fn unclosed_plain_string(&mut self, start: usize, end: usize) -> usize {
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
        let diagnostic = Finding::error(
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

    pub(super) fn unclosed_quoted_template(&mut self, end: usize) -> usize {
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

    /// Reports a string that is not closed. If the quotes within a line do not pair, the line's outermost string is at
    /// fault: strings within it that seem open are closed with it.
    pub(super) fn report_unclosed_string(&mut self, start: usize, end: usize) {
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
                // The quote that seems to begin a string ends the template.
                match memchr(b'"', &self.source[opener..start]) {
                    None => diagnostic.with_choice("add the missing `}`", [Replacement::insertion(start, "}")]),
                    Some(_) => diagnostic,
                }
            }
            None if self.is_stray_quote(start) => Finding::error(
                Code::UnclosedString,
                self.span(start, start + 1),
                "unexpected string, and its closing quote is missing",
            )
            .with_help("remove this `\"`, or add the missing one")
            .with_choice("remove this `\"`", [Replacement::removal(self.span(start, start + 1))]),
            None => Finding::error(
                Code::UnclosedString,
                self.newline_span(end),
                "the string is not closed before the end of the line",
            )
            .with_label(self.span(start, start + 1), "the string begins here")
            .with_help("add the closing `\"`")
            .with_edits(applicability, [quote]),
        };
        self.report(diagnostic);
    }

    /// Returns true if a quote is where no string can begin: after an operand. A template that it begins already has
    /// its token.
    fn is_stray_quote(&self, start: usize) -> bool {
        let before = self.tokens.all().rev().find(|&token| (self.tokens.start(token) as usize) < start);
        let in_expression = self.frame.mode != Mode::Body;
        in_expression && before.is_some_and(|before| self.tokens.kind(before).ends_operand())
    }

    /// Returns the span of the newline at a position, or of the end of the source.
    fn newline_span(&self, at: usize) -> crate::source::Span {
        self.span(at, at + 1)
    }

    /// Closes the templates that were opened in the line that ends here, and their brackets too, because the closers
    /// are probably part of the text that was read as a string.
    pub(super) fn leave_line(&mut self, end: usize) -> usize {
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
}

/// Returns true if a line looks like the start of an attribute or block, so that it is hardly text.
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
