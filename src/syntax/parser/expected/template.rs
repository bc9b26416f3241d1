//! Errors in templates.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::parser::Parse;
use crate::syntax::parser::builder::Region;
use crate::syntax::token::TokenKind;

impl Parse<'_> {
    pub(in crate::syntax::parser) fn template_error(&self, region: Region, at: u32) -> Diagnostic {
        use TokenKind::*;
        let tokens = self.tokens;
        let open = self.open_directives(region, at);
        let kind = tokens.kind(at);
        let sequence = |token: u32| match tokens.kind(token).is_opener() {
            true => self.span(token, tokens.closer(token)),
            false => self.token_span(token),
        };
        let keyword = |token: u32| if tokens.kind(token) == ForDirective { "for" } else { "if" };
        let unbalanced =
            |detail: std::string::String| Diagnostic::error(Code::UnbalancedDirective, sequence(at), detail);
        match (kind, open.last()) {
            (EndIfDirective | ElseDirective | EndForDirective, Some(&(directive, in_else))) => {
                let opener = keyword(directive);
                let (this, other) = match kind {
                    EndIfDirective => ("endif", "for"),
                    EndForDirective => ("endfor", "if"),
                    _ => ("else", "for"),
                };
                let label = format!("the `{opener}` that is open");
                if kind == ElseDirective && in_else {
                    return unbalanced("this `if` has an `else` already".to_owned())
                        .with_label(sequence(directive), label);
                }
                unbalanced(format!("this `{this}` stands within a `{other}`"))
                    .with_label(sequence(directive), label)
                    .with_help(format!("close the `{opener}` with `%{{ end{opener} }}` first"))
            }
            (EndIfDirective | ElseDirective | EndForDirective, None) => {
                let detail =
                    if kind == EndForDirective { "there is no `for` open here" } else { "there is no `if` open here" };
                unbalanced(detail.to_owned())
            }
            _ if at >= region.end => {
                let Some(&(directive, _)) = open.last() else {
                    return Diagnostic::error(
                        Code::UnexpectedToken,
                        self.token_span(at),
                        "the template ends too early",
                    );
                };
                let name = keyword(directive);
                Diagnostic::error(
                    Code::UnbalancedDirective,
                    self.token_span(at),
                    format!("the template ends in front of the `%{{ end{name} }}` of the open `{name}`"),
                )
                .with_label(sequence(directive), format!("the `{name}` that is open"))
                .with_help(format!("add `%{{ end{name} }}`"))
            }
            _ => self.directive_error(region, at),
        }
    }

    /// An error between the braces of a directive.
    pub(super) fn directive_error(&self, region: Region, at: u32) -> Diagnostic {
        use TokenKind::*;
        let tokens = self.tokens;
        let directive = (region.start..at).rev().find(|&token| {
            matches!(tokens.kind(token), ForDirective | ElseDirective | EndIfDirective | EndForDirective)
        });
        let subject = self.token_span(at);
        let name = self.name(at);
        match directive.map(|directive| (directive, tokens.kind(directive))) {
            Some((directive, ForDirective)) => {
                let detail = match self.before(at) {
                    ForDirective => format!("the name of a variable is expected behind `for`, not {name}"),
                    Comma => format!("the name of a second variable is expected behind the comma, not {name}"),
                    _ => format!("`in` is expected behind the names, not {name}"),
                };
                Diagnostic::error(Code::ForExpression, subject, detail)
                    .with_context(self.span(directive, at))
                    .with_help("the form is `%{ for name in collection }`")
            }
            Some((directive, kind)) => {
                let keyword = match kind {
                    ElseDirective => "else",
                    EndIfDirective => "endif",
                    _ => "endfor",
                };
                let detail = format!("the closing `}}` is expected behind `{keyword}`, not {name}");
                let diagnostic =
                    Diagnostic::error(Code::ExtraInDirective, subject, detail).with_context(self.span(directive, at));
                if kind == ElseDirective && self.text(at) == "if" {
                    diagnostic.with_help("nest an `%{ if }` within `%{ else }` and close both with `%{ endif }`")
                } else {
                    diagnostic
                }
            }
            None => Diagnostic::error(Code::UnexpectedToken, subject, format!("{name} is unexpected here")),
        }
    }

    /// The directives that are open at a token, and whether their `else` has been read.
    pub(super) fn open_directives(&self, region: Region, at: u32) -> Vec<(u32, bool)> {
        let mut open: Vec<(u32, bool)> = Vec::new();
        let mut token = region.start;
        while token < at {
            let kind = self.tokens.kind(token);
            match kind {
                TokenKind::IfDirective | TokenKind::ForDirective => open.push((token, false)),
                TokenKind::ElseDirective => open.iter_mut().rev().take(1).for_each(|last| last.1 = true),
                TokenKind::EndIfDirective | TokenKind::EndForDirective => drop(open.pop()),
                _ => {}
            }
            token = if kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        open
    }
}
