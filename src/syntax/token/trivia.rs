//! Trivia: the text between the tokens.

use std::fmt;

use memchr::{memchr, memmem};

use super::Tokens;
use crate::source::{Source, Span};
use crate::syntax::index::TokenIndex;
use crate::syntax::tree::Tree;

/// A piece of the text between the tokens ("Comments and Whitespace").
#[derive(Clone, Copy)]
pub struct Trivia<'t> {
    source: &'t Source,
    kind: TriviaKind,
    span: Span,
}

/// The kind of a piece of trivia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TriviaKind {
    /// White space within a line.
    Space,
    /// The end of a line that is not blank, `\n` or `\r\n`, where it is not a token.
    LineBreak,
    /// A blank line, with its line break.
    BlankLine,
    /// A comment, without the line break that ends it.
    Comment,
    /// The byte order mark at the start of a source.
    ByteOrderMark,
    /// Text that is not a token. An error reports it.
    Skipped,
}

impl<'t> Trivia<'t> {
    /// Returns the kind of the trivia.
    pub fn kind(self) -> TriviaKind {
        self.kind
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.span
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        self.source.slice(self.span)
    }

    /// The comment, if it is one.
    pub fn comment(self) -> Option<Comment<'t>> {
        (self.kind == TriviaKind::Comment).then_some(Comment { source: self.source, span: self.span })
    }
}

impl fmt::Debug for Trivia<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.kind, self.span, self.text())
    }
}

/// A comment ("Comments and Whitespace").
#[derive(Clone, Copy)]
pub struct Comment<'t> {
    source: &'t Source,
    span: Span,
}

impl<'t> Comment<'t> {
    /// Returns the text, from its `#`, `//` or `/*` on, without the line break after it.
    pub fn text(self) -> &'t str {
        self.source.slice(self.span).trim_end_matches('\r')
    }

    /// Returns the text without its comment markers and the white space around it.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("## A title ##\n/* b */\n").into_result()?;
    /// let contents: Vec<_> = file.comments().map(|comment| comment.content()).collect();
    /// assert_eq!(contents, ["A title ##", "b"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn content(self) -> &'t str {
        let text = self.text();
        match text.strip_prefix("/*") {
            Some(inside) => inside.strip_suffix("*/").unwrap_or(inside).trim(),
            None => text.trim_start_matches(['#', '/']).trim(),
        }
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.span
    }
}

impl fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// The trivia in a part of a source without tokens.
#[derive(Clone)]
pub(super) struct Gap<'t> {
    source: &'t Source,
    tokens: &'t Tokens,
    at: usize,
    end: usize,
}

impl<'t> Gap<'t> {
    /// Returns the trivia before a token.
    pub fn before(source: &'t Source, tokens: &'t Tokens, token: TokenIndex) -> Self {
        let at = token.checked_sub(1).map_or(0, |before| tokens.end(before));
        Gap { source, tokens, at: at as usize, end: tokens.start(token) as usize }
    }

    /// Returns the trivia within a token, between its parts.
    pub fn inside(source: &'t Source, tokens: &'t Tokens, token: TokenIndex) -> impl Iterator<Item = Trivia<'t>> {
        let (parts, count) = if tokens.has_gaps(token) { tokens.parts(token) } else { Default::default() };
        let gaps = (1..count.max(1)).map(move |part| (parts[part - 1].end(), parts[part].start()));
        gaps.flat_map(move |(at, end)| Gap { source, tokens, at, end })
    }

    /// Returns the kind and the end of the piece at the current position.
    fn piece(&self) -> (TriviaKind, usize) {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        let text = self.source.text().as_bytes();
        let (at, mut end) = (self.at, self.end);
        if let Some(skipped) = self.tokens.skipped(at).filter(|skipped| skipped.start() < end) {
            if skipped.start() <= at {
                return (TriviaKind::Skipped, end.min(skipped.end()));
            }
            end = skipped.start();
        }
        let rest = &text[at..end];
        match rest {
            [b'#', ..] | [b'/', b'/', ..] => {
                // The line break may be of two characters.
                let line = |newline: usize| newline - usize::from(rest[newline - 1] == b'\r');
                (TriviaKind::Comment, at + memchr(b'\n', rest).map_or(rest.len(), line))
            }
            [b'/', b'*', ..] => {
                (TriviaKind::Comment, at + memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4))
            }
            _ if at == 0 && rest.starts_with(MARK) => (TriviaKind::ByteOrderMark, MARK.len()),
            _ => {
                let is_space = |at: &usize| {
                    !matches!(rest[*at..], [b'#' | b'\n', ..] | [b'/', b'/' | b'*', ..] | [b'\r', b'\n', ..])
                };
                let length = (0..rest.len()).take_while(is_space).count();
                let after_break = match rest[length..] {
                    [b'\n', ..] => at + length + 1,
                    [b'\r', b'\n', ..] => at + length + 2,
                    _ => return (TriviaKind::Space, at + length),
                };
                let begins_line = at == 0 || text[at - 1] == b'\n';
                match (begins_line, length) {
                    (true, _) => (TriviaKind::BlankLine, after_break),
                    (false, 0) => (TriviaKind::LineBreak, after_break),
                    (false, _) => (TriviaKind::Space, at + length),
                }
            }
        }
    }
}

impl<'t> Iterator for Gap<'t> {
    type Item = Trivia<'t>;

    fn next(&mut self) -> Option<Trivia<'t>> {
        if self.at >= self.end {
            return None;
        }
        let (kind, end) = self.piece();
        let span = Span::new(self.at, end);
        self.at = end;
        Some(Trivia { source: self.source, kind, span })
    }
}

/// Returns true if the gaps within a token, if any, have only blanks.
pub(in crate::syntax) fn is_in_one_piece(source: &Source, tokens: &Tokens, token: TokenIndex) -> bool {
    Gap::inside(source, tokens, token).all(|trivia| trivia.kind == TriviaKind::Space)
}

/// Returns all comments of a source.
pub(in crate::syntax) fn comments(tree: &Tree) -> impl Iterator<Item = Comment<'_>> {
    let (source, tokens) = (&*tree.source, &tree.tokens);
    let at = |token| Gap::before(source, tokens, token).chain(Gap::inside(source, tokens, token));
    tokens.all().flat_map(at).filter_map(Trivia::comment)
}

/// Returns the comments in the lines above the line of a token, up to an empty line.
pub(in crate::syntax) fn comments_above(tree: &Tree, token: TokenIndex) -> impl Iterator<Item = Comment<'_>> {
    let mut comments: Vec<Comment<'_>> = Vec::new();
    // A comment at the end of the previous line belongs to that line: it is before the newline.
    for trivia in Gap::before(&tree.source, &tree.tokens, token) {
        match trivia.kind {
            TriviaKind::BlankLine => comments.clear(),
            _ => comments.extend(trivia.comment()),
        }
    }
    comments.into_iter()
}

/// The first one after a token in its line.
pub(in crate::syntax) fn comment_after(tree: &Tree, token: TokenIndex) -> Option<Comment<'_>> {
    let next = (token + 1).min(tree.tokens.last());
    let mut trivia = Gap::before(&tree.source, &tree.tokens, next);
    trivia.find(|trivia| !matches!(trivia.kind, TriviaKind::Space | TriviaKind::Skipped))?.comment()
}

/// Returns the comment of a line that has only a comment between its last token and its end.
pub(in crate::syntax) fn line_comment_before<'t>(
    source: &'t Source,
    tokens: &'t Tokens,
    newline: TokenIndex,
) -> Option<Comment<'t>> {
    let mut trivia = Gap::before(source, tokens, newline);
    let is_space = |kind| matches!(kind, TriviaKind::Space | TriviaKind::LineBreak | TriviaKind::BlankLine);
    trivia.find(|trivia| !is_space(trivia.kind))?.comment().filter(|comment| !comment.text().starts_with("/*"))
}
