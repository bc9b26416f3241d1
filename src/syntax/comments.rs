//! Comments, which lie between the tokens.

use memchr::{memchr, memmem};

use super::token::TokenKind;
use super::tree::Tree;
use crate::source::{Source, Span};

/// A comment ("Comments and Whitespace").
#[derive(Clone, Copy)]
pub struct Comment<'t> {
    source: &'t Source,
    span: Span,
}

impl<'t> Comment<'t> {
    /// Its text, from its `#`, `//` or `/*` on, without the newline behind it.
    pub fn text(self) -> &'t str {
        self.source.slice(self.span).trim_end_matches('\r')
    }

    /// Its text without what marks it as a comment, and without white space around it.
    ///
    /// ```
    /// let file = hcl_lr::parse("## A title ##\n/* b */\n").into_result()?;
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

    /// Where it is.
    pub fn span(self) -> Span {
        self.span
    }
}

impl std::fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// The comments in a part of a source that is white space and comments only.
pub(super) struct Comments<'t> {
    source: &'t Source,
    at: usize,
    end: usize,
}

impl<'t> Comments<'t> {
    /// Those between a token and the one behind it.
    fn behind_token(tree: &'t Tree, token: Option<u32>) -> Self {
        let next = token.map_or(0, |token| token + 1);
        let at = token.map_or(0, |token| tree.token_span(token).end());
        let end = if next < tree.tokens.len() { tree.tokens.start(next) as usize } else { tree.text().len() };
        Comments { source: &tree.source, at, end: end.max(at) }
    }

    pub fn of_file(tree: &'t Tree) -> impl Iterator<Item = Comment<'t>> {
        let gaps = std::iter::once(None).chain((0..tree.tokens.len()).map(Some));
        gaps.filter(move |token| {
            // Within a template there is only text.
            token.is_none_or(|token| {
                !matches!(tree.tokens.kind(token), TokenKind::TemplateLiteral | TokenKind::Template)
            })
        })
        .flat_map(move |token| Comments::behind_token(tree, token))
    }

    /// Those in the lines above the line of a token, up to an empty line.
    pub fn above(tree: &'t Tree, token: u32) -> impl Iterator<Item = Comment<'t>> {
        let mut comments: Vec<Comment<'t>> = Vec::new();
        let before = token.checked_sub(1);
        // A comment behind the end of the line before belongs there: it is in front of the newline.
        for comment in Comments::behind_token(tree, before) {
            let since = comments.last().map_or(comment.span.start(), |last| last.span.end());
            if blank_line(&tree.text()[since..comment.span.start()]) {
                comments.clear();
            }
            comments.push(comment);
        }
        let start = tree.tokens.start(token) as usize;
        if comments.last().is_some_and(|last| blank_line(&tree.text()[last.span.end()..start])) {
            comments.clear();
        }
        comments.into_iter()
    }

    /// The first one behind a token in its line.
    pub fn behind(tree: &'t Tree, token: u32) -> Option<Comment<'t>> {
        let end = tree.token_span(token).end();
        Comments::behind_token(tree, Some(token))
            .next()
            .filter(|comment| !tree.text()[end..comment.span.start()].contains('\n'))
    }
}

/// Whether a line between two texts is empty.
fn blank_line(text: &str) -> bool {
    text.bytes().filter(|&byte| byte == b'\n').count() > 1
}

impl<'t> Iterator for Comments<'t> {
    type Item = Comment<'t>;

    fn next(&mut self) -> Option<Comment<'t>> {
        let text = &self.source.text().as_bytes()[..self.end];
        while self.at < self.end {
            let rest = &text[self.at..];
            let length = match rest {
                [b'#', ..] | [b'/', b'/', ..] => memchr(b'\n', rest).unwrap_or(rest.len()),
                [b'/', b'*', ..] => memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4),
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            let start = self.at;
            self.at += length;
            return Some(Comment { source: self.source, span: Span::new(start as u32, self.at as u32) });
        }
        None
    }
}
