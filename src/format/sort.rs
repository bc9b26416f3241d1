//! Attributes and blocks in alphabetical order.
//!
//! Only adjacent items are sorted, each with the comments above it and at the end of its line. So a blank line or a
//! block between attributes, and a separate comment, keep their places, and nothing moves past them.

use std::ops::Range;

use super::draft::{Change, Draft};
use super::outline::{Item, ItemKind, outline};
use super::pieces::{Kind, Piece};
use crate::sorting::{sort_by, sort_by_key};

/// Sorts the attributes of each body that are on adjacent lines without a blank line between them.
pub(super) fn sort_attributes(draft: &mut Draft) {
    let runs = |draft: &Draft, before: &Entry, entry: &Entry| newlines(&draft.pieces, before, entry) == Some(1);
    sort(draft, |item| matches!(item.kind, ItemKind::Attribute(_)), runs);
}

/// Sorts the top-level blocks of one type by their labels, if only blank lines separate them.
pub(super) fn sort_blocks(draft: &mut Draft) {
    let runs = |draft: &Draft, before: &Entry, entry: &Entry| {
        before.key.first() == entry.key.first() && newlines(&draft.pieces, before, entry).is_some()
    };
    sort(draft, |item| matches!(item.kind, ItemKind::Block(_)) && item.parent.is_none(), runs);
}

/// An item with its lines.
struct Entry {
    lines: Range<usize>,
    /// The sort key: the name, and the labels.
    key: Vec<Vec<u8>>,
    parent: Option<usize>,
}

/// Sorts the items that are `wanted` within each run of `neighbours`.
fn sort(draft: &mut Draft, wanted: fn(&Item) -> bool, neighbours: impl Fn(&Draft, &Entry, &Entry) -> bool) {
    let items = outline(&draft.pieces).unwrap_or_default();
    // Group the items of each body.
    let mut entries: Vec<Entry> =
        items.iter().filter(|item| wanted(item)).filter_map(|item| entry(draft, item)).collect();
    sort_by_key(&mut entries, |entry| entry.parent);
    let mut changes = Vec::new();
    for run in entries.chunk_by(|a, b| a.parent == b.parent && neighbours(draft, a, b)) {
        let mut sorted: Vec<&Entry> = run.iter().collect();
        sort_by(&mut sorted, |a, b| a.key.cmp(&b.key));
        for (place, entry) in run.iter().zip(sorted) {
            if place.lines != entry.lines {
                changes.push(Change { place: place.lines.clone(), pieces: draft.pieces[entry.lines.clone()].to_vec() });
            }
        }
    }
    sort_by_key(&mut changes, |change| change.place.start);
    draft.change(changes);
}

fn entry(draft: &Draft, item: &Item) -> Option<Entry> {
    let pieces = &draft.pieces;
    let begins_line = |at: usize| at == 0 || pieces[at - 1].kind == Kind::Newline;
    let mut start = item.name;
    while let Some(above) = comment_line_above(&pieces[..start]) {
        start = above;
    }
    let rest = pieces[item.end..].iter().position(|piece| matches!(piece.kind, Kind::Newline | Kind::EndOfFile))?;
    let end = item.end + rest;
    let comments_only = pieces[item.end..end].iter().all(is_comment);
    let kept = pieces[start..end].iter().any(|piece| piece.kept);
    if !begins_line(item.name) || !comments_only || kept {
        return None;
    }
    let text = |at: usize| pieces[at].text(&draft.text).to_vec();
    let labels = match &item.kind {
        ItemKind::Attribute(_) => 0..0,
        ItemKind::Block(labels) => labels.clone(),
    };
    let labels = labels.filter(|&at| !is_comment(&pieces[at])).map(|at| unquoted(text(at)));
    let key = [text(item.name)].into_iter().chain(labels).collect();
    Some(Entry { lines: start..end, key, parent: item.parent })
}

fn unquoted(label: Vec<u8>) -> Vec<u8> {
    match &label[..] {
        [b'"', inner @ .., b'"'] => inner.to_vec(),
        _ => label,
    }
}

fn is_comment(piece: &Piece) -> bool {
    matches!(piece.kind, Kind::LineComment | Kind::BlockComment)
}

/// Returns the start of the last line of these pieces, if it has only comments.
fn comment_line_above(pieces: &[Piece]) -> Option<usize> {
    let [line @ .., Piece { kind: Kind::Newline, .. }] = pieces else {
        return None;
    };
    let comments = line.iter().rev().take_while(|piece| is_comment(piece)).count();
    let start = line.len() - comments;
    let begins_line = start == 0 || line[start - 1].kind == Kind::Newline;
    (comments > 0 && begins_line).then_some(start)
}

/// Returns the number of newlines between two entries, if only newlines are between them.
fn newlines(pieces: &[Piece], before: &Entry, entry: &Entry) -> Option<usize> {
    let between = pieces.get(before.lines.end..entry.lines.start)?;
    between.iter().all(|piece| piece.kind == Kind::Newline).then_some(between.len())
}
