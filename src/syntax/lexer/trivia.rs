//! Comments and white space, and how the text is encoded.

use memchr::{memchr, memmem};

use super::Lexer;
use super::mode::Mode;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::SUBSTITUTE;
use crate::syntax::strict;

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
                    Diagnostic::error(Code::UnclosedComment, self.span(at, at + 2), "this comment has no end");
                self.report(diagnostic.with_help("write `*/` where the comment ends"));
                self.source.len()
            }
        }
    }

    /// Behind the white space and comments at a place. Most often there are none.
    #[inline]
    pub(super) fn trivia_end(&self, at: usize) -> usize {
        match self.byte(at) {
            b' ' | b'\t' | b'\r' | b'\n' | b'#' | b'/' => self.skip_trivia(at),
            _ => at,
        }
    }

    /// Behind the white space and comments at a place, within the line where newlines count.
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
            self.report(strict(
                self.span(0, MARK.len()),
                "a byte order mark is not permitted",
                "Source Code Representation",
            ));
        }
        MARK.len()
    }

    /// Whether a text begins with the byte order mark of UTF-16, or every other byte of its start is
    /// zero.
    pub(super) fn looks_like_utf16(&self) -> bool {
        let every_other = |at: usize| self.source.len() > 3 && self.source[at] == 0 && self.source[at + 2] == 0;
        let mark = self.invalid_utf8.first().is_some_and(|span| span.range() == (0..2))
            && self.source[..4.min(self.source.len())].contains(&0);
        mark || every_other(0) && self.source[1] != 0 || every_other(1) && self.source[0] != 0
    }

    /// Reports bytes that are no UTF-8 wherever they are, be it within strings or comments.
    pub(super) fn invalid_utf8(&mut self) {
        for &span in self.invalid_utf8 {
            let detail = if span.len() == 1 { "this byte is" } else { "these bytes are" };
            let diagnostic = Diagnostic::error(Code::InvalidUtf8, span, format!("{detail} not valid UTF-8"));
            self.report(diagnostic.with_help("save the file in the encoding UTF-8"));
        }
    }

    /// Whether a byte stands for one that was no UTF-8, which is reported already.
    pub(super) fn is_substitute(&self, at: usize) -> bool {
        self.byte(at) == SUBSTITUTE
            && self
                .invalid_utf8
                .binary_search_by(|span| {
                    if span.end() <= at {
                        std::cmp::Ordering::Less
                    } else if span.start() > at {
                        std::cmp::Ordering::Greater
                    } else {
                        std::cmp::Ordering::Equal
                    }
                })
                .is_ok()
    }
}
