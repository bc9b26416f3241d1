//! Compares the tokens before and after edits.
//!
//! The tree of a broken file does not contain all of its text. So the tokens are compared, too: after an edit, there
//! must be the tokens of the original in their order, without those that were removed or replaced, and with the new
//! ones. Line endings and commas are ignored, because they change with the layout.

use super::check::same_text;
use super::item::{New, Origin, collection};
use super::node::{Container, Item, Shape};
use super::orders::{MemberOrder, Orders};
use super::parts::NewTokens;
use super::plan::Plan;
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::{Replacement, Span};
use hcl_lr::syntax::ast::File;
use hcl_lr::syntax::{Piece, Token, TokenKind, TriviaKind};
use hcl_lr::writer::quoted;

/// A piece of text to compare.
#[derive(Clone, Copy)]
enum Part<'a> {
    Token(Token<'a>),
    /// Invalid text.
    Skipped(&'a str),
    /// A name as source text, which may be several tokens.
    Name(&'a str),
    /// A parenthesis around new text.
    Sign(&'a str),
    /// A label, with or without quotes.
    Label(&'a str),
}

/// A change at a place in the file.
struct Cut<'a> {
    at: usize,
    /// Orders changes at the same place.
    rank: u8,
    dropped: Span,
    put: Vec<Part<'a>>,
}

/// Compares the tokens of a file with those of the result. With `all`, all tokens are compared; otherwise only those
/// from the first to the last change.
///
/// # Errors
/// The place in the original file where they differ.
pub(super) fn compare(old: &File, new: &File, orders: &Orders<'_>, plan: &Plan<'_>, all: bool) -> Result<(), Span> {
    let (old_length, new_length) = (old.source().text().len(), new.source().text().len());
    let cuts = cuts(old, orders, plan);
    let places = || plan.replacements.iter().map(Replacement::span);
    let changed = cuts.iter().map(|cut| Span::new(cut.at, cut.dropped.end().max(cut.at)));
    let (start, end) = match all {
        true => (0, old_length),
        false => changed
            .chain(places())
            .fold((old_length, 0), |(start, end), span| (start.min(span.start()), end.max(span.end()))),
    };
    if start > end {
        return Ok(());
    }
    let new_end = new_length.saturating_sub(old_length - end);
    let mut found = parts(new, start, new_end).map(|(_, part)| part).peekable();
    let (mut waiting, mut dropped) = (cuts.iter().peekable(), 0);
    for (at, part) in parts(old, start, end).map(|(at, part)| (at, Some(part))).chain([(usize::MAX, None)]) {
        while let Some(cut) = waiting.next_if(|cut| cut.at <= at) {
            dropped = dropped.max(cut.dropped.end());
            for part in &cut.put {
                take(&mut found, *part).ok_or(cut.dropped)?;
            }
        }
        if let Some(part) = part.filter(|_| at >= dropped) {
            take(&mut found, part).ok_or(Span::new(at, at))?;
        }
    }
    match found.next() {
        None => Ok(()),
        Some(_) => Err(Span::new(end, end)),
    }
}

/// Returns the parts that start in a range, each with its start.
fn parts(file: &File, start: usize, end: usize) -> impl Iterator<Item = (usize, Part<'_>)> {
    let first = file.tokens().at(start).index().saturating_sub(1);
    let pieces = file.tokens().pieces(first..);
    let in_range = pieces.skip_while(move |piece| piece.span().start() < start);
    in_range.take_while(move |piece| piece.span().start() < end).filter_map(|piece| {
        let part = match piece {
            Piece::Token(token) => match token.kind() {
                TokenKind::Newline | TokenKind::Comma | TokenKind::EndOfFile => return None,
                // Missing brackets.
                _ if token.span().is_empty() => return None,
                _ => Part::Token(token),
            },
            Piece::Trivia(trivia) if trivia.kind() == TriviaKind::Skipped => Part::Skipped(piece.text()),
            Piece::Trivia(_) => return None,
        };
        Some((piece.span().start(), part))
    })
}

/// Consumes the next part if it is the wanted one.
fn take<'n>(found: &mut impl Iterator<Item = Part<'n>>, wanted: Part<'_>) -> Option<()> {
    let next = found.next()?;
    let same = match (wanted, next) {
        (Part::Token(wanted), Part::Token(next)) => same_text(wanted, next),
        (Part::Skipped(wanted), Part::Skipped(next)) => wanted == next,
        (Part::Sign(wanted), Part::Token(next)) => next.text() == wanted,
        (Part::Label(wanted), Part::Token(next)) => next.text() == wanted || next.text() == quoted(wanted),
        (Part::Name(wanted), Part::Token(next)) => {
            let mut rest = wanted.strip_prefix(next.text())?;
            while !rest.is_empty() {
                let Part::Token(next) = found.next()? else { return None };
                rest = rest.strip_prefix(next.text())?;
            }
            true
        }
        _ => false,
    };
    same.then_some(())
}

/// Returns all requested changes, ordered by place.
fn cuts<'a>(old: &'a File, orders: &'a Orders<'_>, plan: &'a Plan<'_>) -> Vec<Cut<'a>> {
    let mut cuts = Vec::new();
    let mut put = |at: usize, rank: u8, dropped: Span, put: Vec<Part<'a>>| {
        cuts.push(Cut { at, rank, dropped, put });
    };
    let nothing = |at: usize| Span::new(at, at);
    for edit in &plan.parts {
        let mut parts = Vec::new();
        for new in &edit.tokens {
            match new {
                NewTokens::Of(file, span) => parts.extend(tokens(file, *span)),
                NewTokens::Sign(sign) => parts.push(Part::Sign(sign)),
                NewTokens::Name(name) => parts.push(Part::Name(name)),
            }
        }
        put(edit.span.start(), if edit.after { 5 } else { 3 }, edit.span, parts);
    }
    let all_new = |new: &'a [New<'_>]| new.iter().flat_map(|new| parts_of_new(old, new)).collect::<Vec<_>>();
    for order in orders.containers.values() {
        let Some(container) = order.container else { continue };
        let (inside, _) = container.inside();
        put(inside.start(), 0, nothing(inside.start()), all_new(&order.start));
        put(inside.end(), 7, nothing(inside.end()), all_new(&order.end));
    }
    for order in orders.members.values() {
        let Some(member) = order.member else { continue };
        let span = member.span();
        put(span.start(), 1, nothing(span.start()), all_new(&order.before));
        if order.removed {
            put(span.start(), 2, span.join(order.ellipsis.unwrap_or(span)), Vec::new());
        } else {
            if let Some((name, old)) = order.name.as_deref().zip(member.name_span()) {
                put(old.start(), 2, old, vec![Part::Name(name)]);
            }
            if let Some((value, old)) = order.value.as_ref().zip(member.value()) {
                let new = collection(&value.file).map(|new| tokens(&value.file, new.span()));
                put(old.span().start(), 3, old.span(), new.unwrap_or_default());
            }
            labels(member, order, &mut put);
        }
        put(span.end(), 6, nothing(span.end()), all_new(&order.after));
    }
    cuts.retain(|cut| !cut.put.is_empty() || !cut.dropped.is_empty());
    sort_by_key(&mut cuts, |cut| (cut.at, cut.rank));
    cuts
}

fn labels<'a>(member: Item<'_>, order: &'a MemberOrder<'_>, put: &mut impl FnMut(usize, u8, Span, Vec<Part<'a>>)) {
    let (Item::Block(block), Some(asked)) = (member, &order.labels) else { return };
    let mut end = block.type_token().span().end();
    let mut old = block.labels();
    for label in asked {
        let was = old.next();
        end = was.map_or(end, |was| was.span().end());
        match was {
            Some(was) if was.text() == label.as_str() => {}
            Some(was) => put(was.span().start(), 4, was.span(), vec![Part::Label(label)]),
            None => put(end, 5, Span::new(end, end), vec![Part::Label(label)]),
        }
    }
    for was in old {
        put(was.span().start(), 4, was.span(), Vec::new());
    }
}

fn parts_of_new<'a>(old: &'a File, new: &'a New<'_>) -> Vec<Part<'a>> {
    match &new.origin {
        Origin::Moved(member, name) => {
            let span = member.span();
            let Some((name, was)) = name.as_deref().zip(member.name_span()) else { return tokens(old, span) };
            let mut parts = vec![Part::Name(name)];
            parts.extend(tokens(old, Span::new(was.end(), span.end())));
            parts
        }
        Origin::Parsed(file) => {
            let container = match new.shape {
                Shape::Body => Some(Container::Body(file.body())),
                _ => collection(file).map(Container::Collection),
            };
            let members = container.map(Container::members_with_spans).unwrap_or_default();
            members.into_iter().flat_map(|(_, span)| tokens(file, span)).collect()
        }
    }
}

fn tokens(file: &File, span: Span) -> Vec<Part<'_>> {
    parts(file, span.start(), span.end()).map(|(_, part)| part).collect()
}
