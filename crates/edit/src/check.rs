//! Checks that edits changed exactly what was requested.
//!
//! Walks both trees together. Untouched parts must have the same tokens as before, and new parts those of the text
//! they were read from. Comments are counted: only those of removed or replaced parts may be missing.

use std::borrow::Cow;
use std::collections::HashMap;

use super::EditError;
use super::item::collection;
use super::item::{New, Origin};
use super::node::{Container, Item};
use super::orders::Orders;
use super::plan::{Final, Plan};
use super::requested::Comparison;
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::internal::pieces::{Kind, pieces};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{ExpressionNode, File, ObjectKey};
use hcl_lr::syntax::{Comment, Token, TokenKind};

/// Compares a file with what it should be after edits.
pub(super) fn check(
    old: &File,
    new: &File,
    is_template: bool,
    orders: &Orders<'_>,
    plan: &Plan<'_>,
) -> Result<(), EditError> {
    let mut checker = Checker { old, new, orders, plan, waiting: Vec::new() };
    if is_template {
        let mut comparison = Comparison::new(orders);
        if !comparison.is_requested_template(old.template(), new.template()) {
            return Err(EditError::NotAsAsked(Span::default()));
        }
        checker.waiting.append(&mut comparison.collections);
    } else {
        checker.waiting.push((Container::Body(old.body()), Container::Body(new.body())));
    }
    while let Some((old, new)) = checker.waiting.pop() {
        if !checker.container(old, new) {
            return Err(EditError::NotAsAsked(old.span()));
        }
    }
    if comments_are_right(old, new, plan) { Ok(()) } else { Err(EditError::NotAsAsked(Span::default())) }
}

/// Checks that a file has no more errors of each kind than before.
pub(super) fn no_new_errors(old: &Diagnostics, new: &Diagnostics) -> Result<(), EditError> {
    let mut counts: HashMap<&Code, i64> = HashMap::new();
    for error in new.errors() {
        *counts.entry(error.code()).or_default() += 1;
    }
    for error in old.errors() {
        *counts.entry(error.code()).or_default() -= 1;
    }
    let added: Diagnostics =
        new.errors().filter(|error| counts.get(error.code()).is_some_and(|&count| count > 0)).cloned().collect();
    if added.is_empty() { Ok(()) } else { Err(EditError::NewErrors(added)) }
}

struct Checker<'a, 'n> {
    old: &'a File,
    new: &'n File,
    orders: &'a Orders<'a>,
    plan: &'a Plan<'a>,
    waiting: Vec<(Container<'a>, Container<'n>)>,
}

impl<'a, 'n> Checker<'a, 'n> {
    fn container(&mut self, old: Container<'a>, new: Container<'n>) -> bool {
        let (before, after) = (old.members_with_spans(), new.members_with_spans());
        if !self.same_call(old, new) {
            return false;
        }
        let mut rest = after.iter();
        let Some(finals) = self.plan.finals.get(&old.id()) else {
            let same = before.len() == after.len();
            return same && before.iter().zip(rest).all(|(old, new)| self.kept(*old, *new));
        };
        for part in finals {
            let same = match part {
                Final::Kept(index) => rest.next().is_some_and(|new| self.kept(before[*index], *new)),
                Final::New(new) => self.is_new(new, &mut rest),
            };
            if !same {
                return false;
            }
        }
        rest.next().is_none()
    }

    /// Returns true if both containers are calls of one function, or neither is a call. An expanded last argument stays
    /// expanded, unless it is removed.
    fn same_call(&self, old: Container<'a>, new: Container<'n>) -> bool {
        let (Some(before), Some(after)) = (old.call(), new.call()) else {
            return old.call().is_none() && new.call().is_none();
        };
        let last = before.arguments().next_back().and_then(|last| self.orders.members.get(&Item::Element(last).id()));
        let expands = before.expands_last() && !last.is_some_and(|order| order.removed);
        let renamed = match old {
            Container::Collection(call) => self.orders.part_of(call).and_then(|order| order.function.as_deref()),
            _ => None,
        };
        after.name() == renamed.unwrap_or(&before.name()) && expands == after.expands_last()
    }

    /// Returns true if the next members are the inserted ones.
    fn is_new<'m>(&self, new: &New<'a>, rest: &mut impl Iterator<Item = &'m (Option<Item<'n>>, Span)>) -> bool
    where
        'n: 'm,
    {
        let mut next_is = |file: &File, span| rest.next().is_some_and(|(_, new)| same(file, span, self.new, *new));
        match &new.origin {
            Origin::Moved(member, None) => next_is(self.old, member.span()),
            Origin::Moved(member, Some(name)) => rest.next().is_some_and(|(found, span)| {
                let text = self.new.source().text();
                let names = found.and_then(Item::name_span).zip(member.name_span());
                names.is_some_and(|(found, was)| {
                    let after = |from: Span, end: Span| Span::new(from.end(), end.end());
                    text[found.range()] == **name
                        && same(self.old, after(was, member.span()), self.new, after(found, *span))
                })
            }),
            Origin::Parsed(file) => {
                let container = match new.shape {
                    super::node::Shape::Body => Some(Container::Body(file.body())),
                    _ => collection(file).map(Container::Collection),
                };
                let Some(container) = container else { return false };
                container.members_with_spans().into_iter().all(|(_, span)| next_is(file, span))
            }
        }
    }

    /// Returns true if a kept member is as requested.
    fn kept(&mut self, old: (Option<Item<'a>>, Span), new: (Option<Item<'n>>, Span)) -> bool {
        let (Some(member), Some(edited)) = (old.0, new.0) else {
            return old.0.is_none() && new.0.is_none() && same(self.old, old.1, self.new, new.1);
        };
        if !self.orders.concern(member) {
            return same(self.old, old.1, self.new, new.1);
        }
        let order = self.orders.members.get(&member.id());
        let name = order.and_then(|order| order.name.as_deref());
        let name_of = |file: &File, member: Item<'_>| {
            member.name_span().map(|span| file.source().text()[span.range()].to_owned())
        };
        let named = match name {
            Some(name) => name_of(self.new, edited).as_deref() == Some(name),
            None => match (member, edited) {
                (Item::Entry(old), Item::Entry(new)) if self.orders.within(old.key_expression().span()) => {
                    matches!(new.key(), ObjectKey::Expression(_))
                        && self.expression(old.key_expression(), new.key_expression())
                }
                _ => name_of(self.old, member) == name_of(self.new, edited),
            },
        };
        let value = order.and_then(|order| order.value.as_ref());
        named
            && match (member, edited) {
                (Item::Block(old), Item::Block(new)) => {
                    let labels: Vec<String> = new.labels().map(|label| label.text().into_owned()).collect();
                    self.waiting.push((Container::Body(old.body()), Container::Body(new.body())));
                    match order.and_then(|order| order.labels.as_ref()) {
                        Some(asked) => *asked == labels,
                        None => old.labels().map(|label| label.text().into_owned()).eq(labels),
                    }
                }
                (Item::Attribute(_), Item::Attribute(_))
                | (Item::Entry(_), Item::Entry(_))
                | (Item::Element(_), Item::Element(_)) => {
                    let (Some(old), Some(new)) = (member.value(), edited.value()) else { return false };
                    match value {
                        Some(value) => collection(&value.file)
                            .is_some_and(|asked| same(&value.file, asked.span(), self.new, new.span())),
                        None => self.expression(old, new),
                    }
                }
                _ => false,
            }
    }

    /// Returns true if an expression is as requested, apart from the members of collections, which are checked later.
    fn expression(&mut self, old: ExpressionNode<'a>, new: ExpressionNode<'n>) -> bool {
        if !self.orders.within(old.span()) {
            return same(self.old, old.span(), self.new, new.span());
        }
        let mut comparison = Comparison::new(self.orders);
        let same = comparison.is_requested(old, new);
        self.waiting.append(&mut comparison.collections);
        same
    }
}

/// Returns true if two places have the same tokens. Both are the same kind of node, so equal text gives equal tokens.
fn same(old: &File, old_span: Span, new: &File, new_span: Span) -> bool {
    if old.source().text()[old_span.range()] == new.source().text()[new_span.range()] {
        return true;
    }
    let (mut olds, mut news) = (Some(old.tokens().at(old_span.start())), Some(new.tokens().at(new_span.start())));
    loop {
        olds = olds.filter(|token| token.span().start() < old_span.end());
        news = news.filter(|token| token.span().start() < new_span.end());
        match (olds, news) {
            (None, None) => return true,
            (Some(a), Some(b)) if same_token(a, b) => (olds, news) = (a.next(), b.next()),
            _ => return false,
        }
    }
}

/// Returns true if two tokens are equal, ignoring white space between their parts and the style of line endings.
fn same_token(a: Token<'_>, b: Token<'_>) -> bool {
    if a.kind() != b.kind() {
        return false;
    }
    a.kind() == TokenKind::Newline || same_text(a, b)
}

/// Returns true if two tokens have the same text, ignoring white space between their parts and the line endings of the
/// file.
pub(super) fn same_text(a: Token<'_>, b: Token<'_>) -> bool {
    if a.text() == b.text() {
        return true;
    }
    let parts = |token: Token<'_>| {
        let (text, start) = (token.text().to_owned(), token.span().start());
        token.parts().map(|part| text[part.start() - start..part.end() - start].to_owned()).collect::<Vec<_>>()
    };
    match a.parts().len() {
        // The first line of a heredoc. Line endings in its text are part of the value.
        1 => a.kind() == TokenKind::Template && a.text().replace("\r\n", "\n") == b.text().replace("\r\n", "\n"),
        _ => parts(a) == parts(b),
    }
}

/// Returns true if exactly the expected comments are left. Unreplaced text has the same tokens, and so the same
/// comments.
fn comments_are_right(old: &File, new: &File, plan: &Plan<'_>) -> bool {
    let mut counts: HashMap<Cow<'_, str>, i64> = HashMap::new();
    for span in &plan.dropped {
        for comment in comments_at(old, *span) {
            let inside = span.start() <= comment.span().start() && comment.span().start() < span.end();
            *counts.entry(said(comment.text())).or_default() -= i64::from(inside);
        }
    }
    for text in &plan.added {
        for piece in pieces(text.as_bytes()).list {
            if matches!(piece.kind, Kind::LineComment | Kind::BlockComment) {
                *counts.entry(said(&text[piece.start as usize..piece.end as usize])).or_default() += 1;
            }
        }
    }
    // Visits each comment that a replacement touches, once.
    let (mut old_end, mut new_end) = (0, 0);
    let (mut at, mut done) = (0, 0);
    for replacement in &plan.replacements {
        let span = replacement.span();
        at += span.start() - done;
        let put = Span::new(at, at + replacement.text().len());
        at = put.end();
        done = span.end();
        for (file, span, end, count) in [(old, span, &mut old_end, 1), (new, put, &mut new_end, -1)] {
            for comment in comments_at(file, span).filter(|comment| {
                comment.span().touches(span.start()) || {
                    span.start() <= comment.span().start() && comment.span().start() <= span.end()
                }
            }) {
                if comment.span().start() >= *end {
                    *counts.entry(said(comment.text())).or_default() += count;
                    *end = comment.span().end();
                }
            }
        }
    }
    counts.values().all(|&count| count == 0)
}

/// The text of a comment, with line ends of one kind.
fn said(comment: &str) -> Cow<'_, str> {
    let text = comment.trim_end();
    if text.contains('\r') { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// Returns the comments around a span: from a little before its start up to its end.
fn comments_at(file: &File, span: Span) -> impl Iterator<Item = Comment<'_>> {
    // At the end of a file without a newline there are empty tokens after the last comment.
    let first = file.tokens().at(span.start()).index().saturating_sub(2);
    let pieces = file.tokens().pieces(first..).take_while(move |piece| piece.span().start() <= span.end());
    pieces.flat_map(|piece| {
        let inner =
            piece.token().into_iter().flat_map(|token| token.inner_trivia()).filter_map(|trivia| trivia.comment());
        piece.comment().into_iter().chain(inner)
    })
}
