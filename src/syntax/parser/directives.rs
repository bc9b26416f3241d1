//! Directives that do not pair.
//!
//! A template with a wrong directive is not part of the tree, but all errors of its directives are reported, in one
//! pass over them. One mistake is one report: errors that only follow from it are skipped. An end of the wrong kind may
//! be superfluous, or a confused word. So the enclosing directive counts as closed, and an end of its own kind may
//! still follow.

use super::Parse;
use super::builder::{Builder, Region};
use super::expected::fallback::Stop;
use super::round::Recovery;
use crate::diagnostic::{Code, Finding};
use crate::syntax::index::TokenIndex;
use crate::syntax::similar_name;
use crate::syntax::token::TokenKind::{self, *};

/// An `if` or `for` that is open.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub token: TokenIndex,
    pub kind: TokenKind,
    /// Its `else`, if that has been read.
    pub otherwise: Option<TokenIndex>,
}

/// The open directives at a place of a template, and those that an earlier mistake explains.
#[derive(Default)]
struct Balance {
    open: Vec<Open>,
    /// The number of those that are an `if`.
    open_ifs: usize,
    /// The directives that an end of another kind may have closed, so that their own end may still follow. For each,
    /// the number of open directives around it; those of `if` and those of `for` are separate.
    doubtful: [Vec<usize>; 2],
    /// The number of directives with unknown names. Each may be meant as any directive.
    unknown: usize,
}

impl Balance {
    /// Returns true if an end or `else` without a beginning follows from an earlier mistake.
    fn follows_from_mistake(&mut self, kind: TokenKind) -> bool {
        if self.doubtful[usize::from(kind == ForDirective)].pop().is_some() {
            return true;
        }
        let explained = self.unknown > 0;
        self.unknown -= usize::from(explained);
        explained
    }

    fn open(&mut self, open: Open) {
        self.open_ifs += usize::from(open.kind == IfDirective);
        self.open.push(open);
    }

    /// Closes the innermost directive by its own end.
    fn close(&mut self) {
        if let Some(closed) = self.open.pop() {
            self.open_ifs -= usize::from(closed.kind == IfDirective);
        }
        let level = self.open.len();
        for doubtful in &mut self.doubtful {
            while doubtful.last().is_some_and(|&around| around > level) {
                doubtful.pop();
            }
        }
    }

    /// Closes a directive, and those within it, by an end that is within another one.
    fn close_across(&mut self, index: usize) {
        for closed in self.open.drain(index..) {
            self.open_ifs -= usize::from(closed.kind == IfDirective);
            self.doubtful[usize::from(closed.kind == ForDirective)].push(index);
        }
    }

    /// Returns the innermost directive of a kind. Does not search if there is none.
    fn innermost(&self, kind: TokenKind) -> Option<usize> {
        let count = if kind == IfDirective { self.open_ifs } else { self.open.len() - self.open_ifs };
        if count == 0 { None } else { self.open.iter().rposition(|open| open.kind == kind) }
    }
}

/// The keyword of a directive.
pub(super) fn keyword(kind: TokenKind) -> &'static str {
    match kind {
        IfDirective => "if",
        ForDirective => "for",
        ElseDirective => "else",
        EndIfDirective => "endif",
        _ => "endfor",
    }
}

impl Parse<'_> {
    /// Reports the errors in the directives of a template, and leaves the template out.
    pub(super) fn recover_template(&mut self, _: &Builder<'_>, stop: &Stop) -> Recovery {
        let reported = self.diagnostics.len();
        self.check_directives(stop.region);
        if self.diagnostics.len() == reported {
            self.keep_silent(stop);
        }
        Recovery::LeaveOut
    }

    fn check_directives(&mut self, region: Region) {
        // If a sequence or string is not closed, directives are taken for something else.
        let unclear = self.hides_directives(region);
        let mut balance = Balance::default();
        let mut token = region.start;
        while token < region.end {
            let kind = self.tokens.kind(token);
            match kind {
                UnknownDirective if self.may_stand_for_another(token) => balance.unknown += 1,
                UnknownDirective => {}
                kind if kind.is_directive() => {
                    let wrong = self.wrong_in_directive(token);
                    if let Some(wrong) = wrong
                        && !self.is_reported(token, self.tokens.closer(token), wrong)
                    {
                        let diagnostic = self.directive_error(token, wrong);
                        self.report(diagnostic);
                    }
                    // Another `else` may follow a directive written `else if`.
                    let chained = kind == ElseDirective && wrong.is_some_and(|wrong| self.text(wrong) == "if");
                    if !chained
                        && let Some(diagnostic) = self.balance_directive(&mut balance, token, kind)
                        && !unclear
                    {
                        self.report(diagnostic);
                    }
                }
                _ => {}
            }
            token = if kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        let unexplained = balance.open.len().saturating_sub(balance.unknown);
        if !unclear {
            for open in balance.open.iter().rev().take(unexplained) {
                let diagnostic = self.missing_end(region, open);
                self.report(diagnostic);
            }
        }
    }

    /// Takes the next directive into account, and returns an error if its place is wrong.
    fn balance_directive(&self, balance: &mut Balance, token: TokenIndex, kind: TokenKind) -> Option<Finding> {
        let opener = match kind {
            IfDirective | ForDirective => {
                balance.open(Open { token, kind, otherwise: None });
                return None;
            }
            EndForDirective => ForDirective,
            _ => IfDirective,
        };
        let innermost = balance.open.last().copied();
        match innermost {
            Some(innermost) if innermost.kind == opener => {
                if kind != ElseDirective {
                    balance.close();
                    return None;
                }
                if let Some(first) = innermost.otherwise {
                    return Some(self.second_else(innermost, first, token));
                }
                balance.open.iter_mut().rev().take(1).for_each(|open| open.otherwise = Some(token));
                None
            }
            Some(_) if balance.follows_from_mistake(opener) => None,
            Some(innermost) => {
                let around = balance.innermost(opener);
                match (around, kind) {
                    (Some(around), ElseDirective) => {
                        balance.close_across(around + 1);
                        balance.open.iter_mut().rev().take(1).for_each(|open| open.otherwise = Some(token));
                    }
                    (None, ElseDirective) => {}
                    (Some(around), _) => balance.close_across(around),
                    (None, _) => balance.close_across(balance.open.len() - 1),
                }
                Some(self.within_other_directive(innermost, token, kind))
            }
            None if balance.follows_from_mistake(opener) => None,
            None => Some(self.end_of_nothing(token, kind)),
        }
    }

    /// Returns the first token of a directive that does not belong there.
    fn wrong_in_directive(&self, directive: TokenIndex) -> Option<TokenIndex> {
        let expected: &[&[TokenKind]] = match self.tokens.kind(directive) {
            ForDirective => &[&[Identifier], &[In, Comma], &[Identifier], &[In]],
            IfDirective => return None,
            _ => &[&[CloseSequence]],
        };
        // The expression begins after the keyword.
        let first = directive + 2;
        for (token, expected) in first.to(first + expected.len() as u32).zip(expected) {
            match self.tokens.kind(token) {
                In if expected.contains(&In) => return None,
                kind if expected.contains(&kind) => {}
                _ => return Some(token),
            }
        }
        None
    }

    /// An error between the braces of a directive.
    fn directive_error(&self, directive: TokenIndex, at: TokenIndex) -> Finding {
        let (subject, name) = (self.token_span(at), self.name(at));
        let context = self.span(directive, at);
        let kind = self.tokens.kind(directive);
        if kind == ForDirective {
            let detail = match self.before(at) {
                Keyword => format!("the name of a variable is expected after `for`, not {name}"),
                Comma => format!("the name of a second variable is expected after the comma, not {name}"),
                _ => format!("`in` is expected after the names, not {name}"),
            };
            return Finding::error(Code::ForExpression, subject, detail)
                .with_context(context)
                .with_help("the form is `%{ for name in collection }`");
        }
        let detail = format!("the closing `}}` is expected after `{}`, not {name}", keyword(kind));
        let diagnostic = Finding::error(Code::ExtraInDirective, subject, detail).with_context(context);
        if kind == ElseDirective && self.text(at) == "if" {
            diagnostic.with_help("nest an `%{ if }` within `%{ else }` and close both with `%{ endif }`")
        } else {
            diagnostic
        }
    }

    /// Returns true if an unknown directive may be meant as one that begins or ends something. The form `%{name}` alone
    /// is more likely text for another program, and `elif` neither begins nor ends.
    fn may_stand_for_another(&self, directive: TokenIndex) -> bool {
        let text = self.source.slice(self.span(directive, self.tokens.closer(directive)));
        let inner = text.trim_start_matches(['%', '{', '~']).trim_end_matches(['}', '~']);
        let name = inner.split_whitespace().next().unwrap_or_default();
        if matches!(name, "elif" | "elseif" | "elsif") {
            return false;
        }
        let other_text = inner == name && !name.starts_with("end") && !matches!(name, "fi" | "done");
        !other_text || similar_name(name, ["if", "else", "endif", "for", "endfor"]).is_some()
    }

    /// Returns true if something is not closed in a template, so that apparent text may be code.
    fn hides_directives(&self, region: Region) -> bool {
        let first = self.problems.partition_point(|problem| problem.token < region.start);
        self.problems[first..].iter().take_while(|problem| problem.token <= region.end + 1).any(|problem| {
            let code = problem.diagnostic.code();
            use Code::*;
            code.is_unclosed()
                || matches!(code, UnclosedComment | UnclosedString | UnclosedHeredoc | HeredocHeader | NestingTooDeep)
        })
    }
}
