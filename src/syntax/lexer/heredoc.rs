//! Heredocs: their introduction, their text, their closing line, and heredocs without one.

use std::ops::Range;

use memchr::{memchr, memchr3};

use super::Lexer;
use super::mode::Mode;
use super::recover::Repair;
use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::identifier::is_identifier;
use crate::reading::liberty;
use crate::source::Replacement;
use crate::syntax::index::TokenIndex;
use crate::syntax::mend;
use crate::syntax::scan::identifier_end;
use crate::syntax::similar_name;
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    #[inline(never)]
    pub(super) fn heredoc(&mut self, start: usize) -> usize {
        if self.byte(start + 2) == b'<' {
            // The first of three such characters is an operator, unless it is the first of seven.
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

    /// Reports the header of a heredoc; `known` is true if a later line would close it.
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
        let diagnostic = Finding::error(Code::HeredocHeader, self.span(start, end), detail).with_help(help);
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

    /// Returns the marker of a heredoc that starts with `<<`. For better recovery, blanks and quotes before it are
    /// skipped.
    pub(super) fn heredoc_marker(&self, start: usize) -> Range<usize> {
        let mut at = start + 2 + usize::from(self.byte(start + 2) == b'-');
        if matches!(self.byte(at), b' ' | b'\t' | b'"' | b'\'') {
            at = self.skip(at, |byte| matches!(byte, b' ' | b'\t' | b'"' | b'\''));
        }
        let end = identifier_end(self.source, at);
        let text = std::str::from_utf8(&self.source[at..end]).unwrap_or_default();
        if is_identifier(text) { at..end } else { at..at }
    }

    /// Returns true if a later line consists of this text only. All such searches together examine at most a few times
    /// the length of the source.
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

    /// Returns the end of the text: a sequence, the line of the closing marker, or the end of the file, which is an
    /// error.
    pub(super) fn heredoc_literal_end(&self, mut at: usize, marker: &[u8]) -> usize {
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

    /// Returns the range of the marker, if the line has only the marker and white space.
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

    pub(super) fn closing_marker(&mut self, line: usize) -> usize {
        let opener = self.tokens.start(self.frame.opener) as usize;
        let marker = self.heredoc_marker(opener);
        let marker_range = self.closing_marker_at(line, &self.source[marker]).unwrap_or(line..line);
        if self.strict {
            let line_end = memchr(b'\n', &self.source[line..]).map_or(self.source.len(), |end| line + end);
            let flush = self.byte(opener + 2) == b'-';
            let before = &self.source[line..marker_range.start];
            let liberty = if !before.is_empty() && !flush {
                Some(liberty::HEREDOC_INDENTED_END)
            } else if !matches!(&self.source[marker_range.end..line_end], [] | [b'\r']) {
                Some(liberty::HEREDOC_BLANKS_AFTER_END)
            } else if !before.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
                Some(liberty::HEREDOC_OTHER_SPACES)
            } else {
                None
            };
            if let Some(liberty) = liberty {
                self.report(liberty.at(self.span(marker_range.start, marker_range.end)));
            }
        }
        let next_line = marker_range.end + memchr(b'\n', &self.source[marker_range.end..]).unwrap_or(0);
        self.carriage_returns(line, marker_range.start);
        self.carriage_returns(marker_range.end, next_line);
        // The white space after the marker is skipped like any other, but more kinds of it are allowed here.
        self.close(TokenKind::CloseTemplate, marker_range.start, marker_range.end);
        next_line
    }

    pub(super) fn unclosed_heredoc(&mut self, end: usize) -> usize {
        let opener = self.tokens.start(self.frame.opener) as usize;
        let marker = self.heredoc_marker(opener);
        let name = String::from_utf8_lossy(&self.source[marker.clone()]).into_owned();
        let text_start = memchr(b'\n', &self.source[opener..]).map_or(end, |at| opener + at + 1);
        let detail = format!("this heredoc has no closing line `{name}`");
        let mut diagnostic = Finding::error(Code::UnclosedHeredoc, self.span(opener, marker.end), detail)
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

    /// Returns the sequence that has swallowed the closing line of a heredoc because its own closing brace is missing.
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

    /// Finds a line that was probably meant to close a heredoc. Returns the reason why it does not, and the edit that
    /// fixes it.
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
                    let newline = Replacement::insertion(end, "\n");
                    return found("the closing line must end with a newline".to_owned(), Some((Safe, newline)));
                } else if rest
                    .is_some_and(|rest| matches!(rest.trim(), "," | ")" | ");" | "]" | ";" | "}" | "\"" | "),"))
                {
                    let next = start + name.len();
                    let edit = match rest.unwrap_or_default().trim() {
                        ";" | "\"" => Replacement::removal(self.span(next, start + text.len())),
                        _ => Replacement::insertion(next, "\n"),
                    };
                    let why = format!("nothing may follow `{name}` on the closing line");
                    return found(why, Some((NeedsReview, edit)));
                } else if is_word(text) && text != name && text.eq_ignore_ascii_case(name) {
                    let why = format!("`{text}` differs from `{name}` in case");
                    return found(why, Some((Safe, renamed())));
                } else if candidate.is_none()
                    && is_word(text)
                    && text != name
                    && (text.bytes().all(|byte| byte.is_ascii_uppercase()) || similar_name(text, [name]).is_some())
                {
                    candidate = found(format!("`{text}` is not `{name}`"), Some((NeedsReview, renamed())));
                }
            }
            at = end + 1;
        }
        candidate
    }
}
