//! Identifiers beyond ASCII, and numbers with more than digits.

use super::Lexer;
use super::mode::Mode;
use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::identifier::{is_id_start, is_identifier_part};
use crate::reading::liberty;
use crate::source::{Replacement, Span};
use crate::syntax::excerpt;
use crate::syntax::literal::number_out_of_range;
use crate::syntax::mend::decimal;
use crate::syntax::scan::identifier_end;
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    /// Returns the text from a character on, which begins at a character boundary.
    fn rest(&self, start: usize, end: usize) -> &str {
        std::str::from_utf8(&self.source[start..end]).unwrap_or_default()
    }

    /// Reads an identifier that begins beyond ASCII, or a character that cannot begin one.
    #[inline(never)]
    pub(super) fn unicode_identifier(&mut self, start: usize) -> usize {
        let end = self.unicode_identifier_end(start);
        if end == start {
            return self.foreign(start, self.byte(start));
        }
        self.push(TokenKind::Identifier, start, end)
    }

    /// Returns the end of an identifier with characters beyond ASCII. Examines no more than the identifier, because a
    /// long run of other characters may follow.
    pub(super) fn unicode_identifier_end(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.source.len() {
            let c = self.character(at);
            let allowed = if at == start { c == '_' || is_id_start(c) } else { is_identifier_part(c) };
            if !allowed {
                break;
            }
            at += c.len_utf8();
        }
        at
    }

    /// Reads a number with a fraction, an exponent, very many digits, or letters after it.
    #[inline(never)]
    pub(super) fn unusual_number(&mut self, start: usize, integer_end: usize) -> usize {
        let mut end = self.checked_number_end(start, integer_end, TokenKind::Literal);
        let suffix = self.checked_suffix_end(end);
        // The condition of a *for expression* may follow without a space.
        let condition = &self.source[end..suffix] == b"if" && self.is_in_for();
        if suffix > end && !condition {
            self.number_suffix(start, end, suffix);
            end = suffix;
        }
        self.push(TokenKind::Literal, start, end)
    }

    /// Returns the end of a legacy index with more than digits.
    #[inline(never)]
    pub(super) fn legacy_index(&mut self, start: usize, integer_end: usize) -> usize {
        self.checked_number_end(start, integer_end, TokenKind::LegacyIndex)
    }

    /// Returns the end of a number, and reports it if it is invalid. Like the official engine this consumes all text
    /// that looks like a number, even `1.2.3`.
    fn checked_number_end(&mut self, start: usize, integer_end: usize, kind: TokenKind) -> usize {
        let (mut end, mut at) = (integer_end, integer_end);
        loop {
            at = match self.byte(at) {
                b'.' => at + 1,
                b'e' | b'E' => {
                    let digits = at + 1 + usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
                    if !self.byte(digits).is_ascii_digit() {
                        break;
                    }
                    digits
                }
                b'0'..=b'9' => {
                    end = self.skip(at, |byte| byte.is_ascii_digit());
                    end
                }
                _ => break,
            };
        }
        let span = self.span(start, end);
        if let Some(diagnostic) = self.number_problem(self.rest(start, end), span, kind) {
            self.report(diagnostic);
        }
        end
    }

    fn number_problem(&self, text: &str, span: Span, kind: TokenKind) -> Option<Finding> {
        if kind == TokenKind::LegacyIndex {
            let digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
            return if !is_number(text) && !text.contains('.') {
                Some(Finding::error(Code::LegacyIndex, span, format!("`{}` is not a number", excerpt(text))))
            } else if text.contains('.') {
                let help = format!("write the indexes in brackets: `[{}]`", text.replace('.', "]["));
                let detail = "two indexes cannot be chained in this way";
                let diagnostic = Finding::error(Code::LegacyIndex, span, detail).with_help(help);
                let dot = span.start() - 1;
                let digits =
                    text.split('.').all(|index| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()));
                if !digits || self.byte(dot) != b'.' {
                    return Some(diagnostic);
                }
                // In a splat with a dot, an index in brackets does not apply to each element.
                let line = self.near_line_start(dot).map(|start| &self.source[start..dot]);
                let sure = line.is_some_and(|line| memchr::memchr(b'*', line).is_none());
                let indexes = format!("[{}]", text.replace('.', "]["));
                let place = Span::new(dot, span.end());
                Some(diagnostic.with_edits(Applicability::safe_if(sure), [Replacement::new(place, indexes)]))
            } else {
                let canonical = digits_only && (text.len() == 1 || !text.starts_with('0'));
                (self.strict && !canonical).then(|| liberty::LEGACY_INDEX.at(span))
            };
        }
        if !is_number(text) {
            let diagnostic = Finding::error(Code::InvalidNumber, span, format!("`{}` is not a number", excerpt(text)));
            return Some(diagnostic.with_help("a number has at most one point and one exponent, as in `1.5e3`"));
        }
        if self.strict && (text.contains(".e") || text.contains(".E")) {
            return Some(liberty::NUMBER_POINT.at(span));
        }
        number_out_of_range(text, span)
    }

    fn checked_suffix_end(&self, at: usize) -> usize {
        let end = identifier_end(self.source, at);
        // Here a dash is an operator, and a word after it is not a suffix.
        let end = self.source[at..end].iter().position(|&byte| byte == b'-').map_or(end, |dash| at + dash);
        let allowed = |c: char| is_identifier_part(c) || c == '_';
        self.rest(at, end).char_indices().find(|&(_, c)| !allowed(c)).map_or(end, |(offset, _)| at + offset)
    }

    /// `10GB`, `0x1F`, `1_000`
    fn number_suffix(&mut self, start: usize, end: usize, suffix: usize) {
        let (number, unit) = (excerpt(self.rest(start, end)), excerpt(self.rest(end, suffix)));
        let text = self.rest(start, suffix);
        let digits = text.replace('_', "");
        let place = self.span(start, suffix);
        let diagnostic = Finding::error(
            Code::InvalidNumber,
            self.span(end, suffix),
            format!("`{unit}` cannot directly follow the number `{number}`"),
        )
        .with_context(place);
        let (help, edit) = if self.frame.mode == Mode::Body {
            ("a name begins with a letter or an underscore".to_owned(), None)
        } else if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let help = format!("numbers are written without separators: `{}`", excerpt(&digits));
            (help, Some((Safe, digits)))
        } else if number == "0" && matches!(unit.as_bytes()[0], b'x' | b'X' | b'b' | b'B' | b'o' | b'O') {
            ("numbers are written in decimal digits".to_owned(), decimal(text).map(|number| (Safe, number)))
        } else {
            let quoted = format!("\"{text}\"");
            (format!("if this is text, put it in quotes: `\"{number}{unit}\"`"), Some((NeedsReview, quoted)))
        };
        let diagnostic = diagnostic.with_help(help);
        self.report(match edit {
            Some((applicability, text)) => diagnostic.with_edits(applicability, [Replacement::new(place, text)]),
            None => diagnostic,
        });
    }

    /// `.5`
    pub(super) fn number_without_integer(&mut self, start: usize) -> usize {
        let end = self.skip(start + 1, |byte| byte.is_ascii_digit());
        let text = self.rest(start, end).to_owned();
        let diagnostic = Finding::error(Code::InvalidNumber, self.span(start, end), "a number begins with a digit");
        let digit = Replacement::insertion(start, "0");
        self.report(diagnostic.with_help(format!("write `0{text}`")).with_edits(Safe, [digit]));
        self.push(TokenKind::Literal, start, end)
    }
}

/// `decimal+ ("." decimal*)? (expmark decimal+)?`: the specification requires a decimal after the point, the official
/// engine does not.
fn is_number(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    !integer.is_empty() && digits(integer) && digits(fraction) && !exponent.is_empty() && digits(exponent)
}
