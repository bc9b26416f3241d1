//! Templates: quoted ones, whole sources, and the sequences in them.

use memchr::memchr2;

use super::Lexer;
use super::mode::Mode;
use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::source::Replacement;
use crate::syntax::literal::escape;
use crate::syntax::mend;
use crate::syntax::scan::{identifier_end, quoted_text_end};
use crate::syntax::token::TokenKind;
use crate::syntax::{excerpt, similar_name};

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

    /// Reads a template from its start, or from the end of a sequence, up to the next sequence.
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

    /// Returns the end of the text from a position: a sequence, the closing quote, or the end of the line or file,
    /// which is an error.
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
        let diagnostic = Finding::error(Code::InvalidCharacter, self.span(at, at + 1), detail);
        self.report(
            diagnostic.with_help("write `\\r` for one within quotes, or save the file with consistent line endings"),
        );
    }

    /// Returns the position after an escape sequence, and reports it if it is invalid.
    fn escape(&mut self, at: usize) -> usize {
        let (length, result) = escape(&self.source[at..]);
        if let Err(error) = result {
            let diagnostic = Finding::error(Code::InvalidEscape, self.span(at, at + length), error.detail());
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

    /// Reports carriage returns within a heredoc that are not part of a newline.
    pub(super) fn carriage_returns(&mut self, start: usize, end: usize) {
        let source = self.source;
        for offset in memchr::memchr_iter(b'\r', &source[start..end]) {
            if self.byte(start + offset + 1) != b'\n' {
                self.lone_carriage_return(start + offset);
            }
        }
    }

    /// `${`, or `%{` with its keyword.
    pub(super) fn sequence(&mut self, start: usize) -> usize {
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

    /// In a sequence newlines are white space, but its mode is entered only after the keyword.
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
            Finding::error(Code::UnknownDirective, self.span(keyword_start, end), "a keyword is expected after `%{`")
                .with_context(self.span(start, end))
                .with_help("the directives are if, else, endif, for and endfor; for a literal `%{` write `%%{`")
                .with_choice("for a literal `%{` write `%%{`", [Replacement::insertion(start, "%")])
        } else {
            let diagnostic = Finding::error(
                Code::UnknownDirective,
                self.span(keyword_start, end),
                format!("`{name}` is not a template directive"),
            );
            let instead = |keyword: &'static str| Replacement::new(self.span(keyword_start, end), keyword);
            let literal = Replacement::insertion(start, "%");
            let (help, edit) = match name.as_str() {
                "elif" | "elseif" | "elsif" => {
                    ("nest an `%{ if }` within `%{ else }` and close both with `%{ endif }`".to_owned(), None)
                }
                "end" => {
                    let help = "close an `if` with `%{ endif }` and a `for` with `%{ endfor }`";
                    (help.to_owned(), self.end_of_open_directive().map(|keyword| (Safe, instead(keyword))))
                }
                _ => match similar_name(&name, KEYWORDS) {
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
            // A `${` outside a template was read as a parenthesis.
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
}
