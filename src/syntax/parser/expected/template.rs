//! Errors in templates.

use crate::diagnostic::Applicability::NeedsReview;
use crate::diagnostic::{Code, Finding};
use crate::source::{Replacement, Span};
use crate::syntax::index::TokenIndex;
use crate::syntax::parser::Parse;
use crate::syntax::parser::builder::Region;
use crate::syntax::parser::directives::{Open, keyword};
use crate::syntax::token::TokenKind;

fn with_article(keyword: &str) -> String {
    format!("{} `{keyword}`", if keyword == "if" { "an" } else { "a" })
}

impl Parse<'_> {
    fn directive_span(&self, directive: TokenIndex) -> Span {
        self.span(directive, self.tokens.closer(directive))
    }

    fn unbalanced(&self, directive: TokenIndex, detail: String) -> Finding {
        Finding::error(Code::UnbalancedDirective, self.directive_span(directive), detail)
    }

    /// Returns the error for an end or `else` without a matching directive.
    pub(in crate::syntax::parser) fn end_of_nothing(&self, at: TokenIndex, kind: TokenKind) -> Finding {
        let opener = if kind == TokenKind::EndForDirective { "for" } else { "if" };
        self.unbalanced(at, format!("no `{opener}` is open here"))
    }

    /// Returns the error for an end or `else` that does not belong to the innermost directive.
    pub(in crate::syntax::parser) fn within_other_directive(
        &self,
        open: Open,
        at: TokenIndex,
        kind: TokenKind,
    ) -> Finding {
        let opener = keyword(open.kind);
        self.unbalanced(at, format!("this `{}` is within {}", keyword(kind), with_article(opener)))
            .with_label(self.directive_span(open.token), format!("the `{opener}` that is open"))
            .with_help(format!("close the `{opener}` with `%{{ end{opener} }}` first"))
            .with_edits(
                NeedsReview,
                [Replacement::insertion(self.tokens.start(at) as usize, format!("%{{ end{opener} }}"))],
            )
    }

    pub(in crate::syntax::parser) fn second_else(&self, open: Open, first: TokenIndex, at: TokenIndex) -> Finding {
        self.unbalanced(at, "this `if` already has an `else`".to_owned())
            .with_label(self.directive_span(open.token), "the `if` that is open")
            .with_label(self.directive_span(first), "its `else`")
    }

    /// Returns the error for a template that ends with an open directive.
    pub(in crate::syntax::parser) fn missing_end(&self, region: Region, open: &Open) -> Finding {
        let name = keyword(open.kind);
        let detail = format!("the template ends before the `%{{ end{name} }}` of the open `{name}`");
        let end = self.token_span(region.end);
        // A heredoc ends with the line of its marker.
        let before = self.source.text()[..end.start()].trim_end_matches([' ', '\t']).len();
        let start = if self.source.text()[..before].ends_with('\n') { before } else { end.start() };
        let end = Span::new(start, end.end());
        Finding::error(Code::UnbalancedDirective, end, detail)
            .with_label(self.directive_span(open.token), format!("the `{name}` that is open"))
            .with_help(format!("add `%{{ end{name} }}`"))
            .with_edits(NeedsReview, [self.directive_at_end(open, end.start(), format!("%{{ end{name} }}"))])
    }

    /// Returns the edit that puts a directive at the end of a template, on its own line if the one that it ends is on
    /// its own line.
    fn directive_at_end(&self, open: &Open, end: usize, directive: String) -> Replacement {
        const MAX_LINE: usize = 2_000;
        let text = self.source.text();
        let bytes = text.as_bytes();
        let opener = self.directive_span(open.token);
        let first = opener.start().saturating_sub(MAX_LINE);
        let line = memchr::memrchr(b'\n', &bytes[first..opener.start()]).map(|newline| first + newline + 1);
        let before = line.map(|line| &bytes[line..opener.start()]).filter(|before| before.trim_ascii().is_empty());
        let ends_line = matches!(bytes.get(opener.end()), Some(b'\r' | b'\n'));
        match before.and_then(|before| std::str::from_utf8(before).ok()).filter(|_| ends_line) {
            Some(blanks) if bytes[..end].ends_with(b"\n") => {
                Replacement::insertion(end, format!("{blanks}{directive}\n"))
            }
            _ => {
                let end = end - usize::from(end > opener.end() && bytes[..end].ends_with(b"\n"));
                let end = end - usize::from(end > opener.end() && bytes[..end].ends_with(b"\r"));
                Replacement::insertion(end, directive)
            }
        }
    }
}
