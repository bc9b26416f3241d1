//! Comments, white space, and the encoding of the text.

use memchr::{memchr, memmem};

use super::Lexer;
use super::mode::Mode;
use crate::diagnostic::{Code, Finding};
use crate::reading::liberty;
use crate::source::{is_substitute, looks_like_utf16};

impl Lexer<'_> {
    #[inline(never)]
    pub(super) fn comment_end(&mut self, at: usize) -> usize {
        let rest = &self.source[at..];
        if !rest.starts_with(b"/*") {
            return at + memchr(b'\n', rest).unwrap_or(rest.len());
        }
        match memmem::find(&rest[2..], b"*/") {
            Some(end) => at + end + 4,
            None => {
                let diagnostic =
                    Finding::error(Code::UnclosedComment, self.span(at, at + 2), "this comment is never closed");
                self.report(diagnostic.with_help("write `*/` where the comment ends"));
                self.source.len()
            }
        }
    }

    /// Returns the position after white space and comments. Usually there are none.
    #[inline]
    pub(super) fn trivia_end(&self, at: usize) -> usize {
        match self.byte(at) {
            b' ' | b'\t' | b'\r' | b'\n' | b'#' | b'/' => self.skip_trivia(at),
            _ => at,
        }
    }

    /// Returns the position after white space and comments, within the line if newlines are significant.
    #[inline(never)]
    pub(super) fn skip_trivia(&self, mut at: usize) -> usize {
        let newlines = !matches!(self.frame.mode, Mode::Body | Mode::Attribute | Mode::Object);
        loop {
            at = match (self.byte(at), self.byte(at + 1)) {
                (b' ' | b'\t', _) => at + 1,
                (b'\r', b'\n') if newlines => at + 2,
                (b'\n', _) if newlines => at + 1,
                (b'#', _) | (b'/', b'/') => at + memchr(b'\n', &self.source[at..]).unwrap_or(self.source.len() - at),
                (b'/', b'*') => match memmem::find(&self.source[at + 2..], b"*/") {
                    Some(end) => at + end + 4,
                    None => return at,
                },
                _ => return at,
            }
        }
    }

    pub(super) fn byte_order_mark(&mut self) -> usize {
        const MARK: &str = "\u{feff}";
        if !self.source.starts_with(MARK.as_bytes()) {
            return 0;
        }
        if self.strict {
            self.report(liberty::BYTE_ORDER_MARK.at(self.span(0, MARK.len())));
        }
        MARK.len()
    }

    /// Returns true if the source looks like UTF-16.
    pub(super) fn looks_like_utf16(&self) -> bool {
        // The encoding applies to the whole file.
        !self.in_string && looks_like_utf16(self.source, self.invalid_utf8)
    }

    /// Reports bytes that are not UTF-8 everywhere, even within strings or comments.
    pub(super) fn invalid_utf8(&mut self) {
        for &span in self.invalid_utf8 {
            let detail = if span.len() == 1 { "this byte is" } else { "these bytes are" };
            let diagnostic = Finding::error(Code::InvalidUtf8, span, format!("{detail} not valid UTF-8"));
            self.report(diagnostic.with_help("save the file as UTF-8"));
        }
    }

    /// Returns true if a byte replaces one that was not UTF-8 and has been reported.
    pub(super) fn is_substitute(&self, at: usize) -> bool {
        is_substitute(self.source, self.invalid_utf8, at)
    }
}
