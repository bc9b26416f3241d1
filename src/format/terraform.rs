//! The rules of `terraform fmt` beyond the canonical form. Each replaces an old notation:
//!
//! - an attribute's value that is a single interpolation, `"${a}"`, becomes the plain expression;
//! - the type of a variable, `"list"`, gets its modern notation, `list(string)`;
//! - labels get quotes.
//!
//! Unlike in Terraform, all comments are kept, nested values need no second run, and values of several lines keep their
//! meaning: they get parentheses, unless they are in some.

use std::ops::Range;

use super::draft::{Change, Draft};
use super::outline::{Item, ItemKind, outline};
use super::pieces::{Kind, Piece};

/// Applies the rules, if the text is well formed.
pub(super) fn modernize(draft: &mut Draft) {
    let items = outline(&draft.pieces).unwrap_or_default();
    let mut changes = Vec::new();
    for item in &items {
        if draft.pieces[item.name].kept {
            continue;
        }
        match &item.kind {
            ItemKind::Block(labels) => quote_labels(draft, labels.clone(), &mut changes),
            ItemKind::Attribute(value) if is_variable_type(draft, &items, item) => {
                changes.extend(current_type(draft, value.clone()));
            }
            ItemKind::Attribute(value) => changes.extend(unwrapped(draft, value.clone())),
        }
    }
    draft.change(changes);
}

fn quote_labels(draft: &mut Draft, labels: Range<usize>, changes: &mut Vec<Change>) {
    for at in labels {
        let piece = draft.pieces[at];
        if piece.kind == Kind::Word {
            let quoted = [b"\"", piece.text(&draft.text), b"\""].concat();
            changes.push(Change { place: at..at + 1, pieces: vec![draft.make(Kind::Quoted, &quoted)] });
        }
    }
}

/// Returns true if an attribute is the `type` of a top-level `variable` block.
fn is_variable_type(draft: &Draft, items: &[Item], item: &Item) -> bool {
    let named = |item: &Item, name: &[u8]| draft.pieces[item.name].text(&draft.text) == name;
    item.depth == 1 && named(item, b"type") && item.parent.is_some_and(|block| named(&items[block], b"variable"))
}

fn current_type(draft: &mut Draft, value: Range<usize>) -> Option<Change> {
    let [only] = draft.pieces[value.clone()] else {
        return None;
    };
    let words: &[&str] = match only.text(&draft.text) {
        b"list" => &["list", "any"],
        b"map" => &["map", "any"],
        b"set" => &["set", "any"],
        b"\"string\"" => &["string"],
        b"\"list\"" => &["list", "string"],
        b"\"map\"" => &["map", "string"],
        _ => return None,
    };
    let pieces = match *words {
        [outer, inner] => vec![
            draft.make(Kind::Word, outer.as_bytes()),
            draft.make(Kind::OpenParen, b"("),
            draft.make(Kind::Word, inner.as_bytes()),
            draft.make(Kind::CloseParen, b")"),
        ],
        _ => words.iter().map(|word| draft.make(Kind::Word, word.as_bytes())).collect(),
    };
    Some(Change { place: value, pieces })
}

/// Returns the content of a value that is only an interpolation, or several nested ones.
fn unwrapped(draft: &mut Draft, value: Range<usize>) -> Option<Change> {
    let closers = closers(&draft.pieces, value.clone());
    let mut inner = value.clone();
    while let Some(within) = interpolated(draft, inner.clone(), |opener| closers[opener - value.start]) {
        inner = without_newlines(&draft.pieces, within);
    }
    if inner == value {
        return None;
    }
    let mut changed = draft.pieces[inner.clone()].to_vec();
    // A comment or heredoc needs the end of its line.
    let open_end = matches!(changed.last()?.kind, Kind::LineComment | Kind::Heredoc | Kind::HeredocText);
    let line_goes_on = draft.pieces[value.end].kind != Kind::Newline || changed.last()?.kind == Kind::LineComment;
    let has_lines = changed.iter().any(|piece| piece.kind == Kind::Newline);
    if (has_lines || open_end && line_goes_on) && !in_parentheses(&changed) {
        if open_end {
            let line_end = draft.line_end();
            changed.push(draft.make(Kind::Newline, line_end));
        }
        changed.insert(0, draft.make(Kind::OpenParen, b"("));
        changed.push(draft.make(Kind::CloseParen, b")"));
    }
    Some(Change { place: value, pieces: changed })
}

/// Returns the content of an interpolation that is all of a value.
fn interpolated(draft: &Draft, value: Range<usize>, closer_of: impl Fn(usize) -> usize) -> Option<Range<usize>> {
    let [quote, opener, .., closer, unquote] = &draft.pieces[value.clone()] else {
        return None;
    };
    let text = |piece: &Piece| piece.text(&draft.text);
    let quoted = quote.kind == Kind::Quoted
        && text(quote) == b"\""
        && unquote.kind == Kind::QuotedText
        && text(unquote) == b"\"";
    let sequence =
        opener.kind == Kind::OpenSequence && text(opener).starts_with(b"$") && closer.kind == Kind::CloseSequence;
    let within = value.start + 2..value.end - 2;
    // The value is a single sequence if the first one ends at its end.
    let is_single = closer_of(value.start + 1) == value.end - 2;
    let is_empty = without_newlines(&draft.pieces, within.clone()).is_empty();
    (quoted && sequence && is_single && !is_empty).then_some(within)
}

/// Returns the index of the closer for each opener of a value.
fn closers(pieces: &[Piece], value: Range<usize>) -> Vec<usize> {
    let mut closers = vec![usize::MAX; value.len()];
    let mut openers = Vec::new();
    for at in value.clone() {
        match pieces[at].kind.bracket_change() {
            1 => openers.push(at),
            -1 => closers[openers.pop().unwrap_or(at) - value.start] = at,
            _ => {}
        }
    }
    closers
}

fn without_newlines(pieces: &[Piece], place: Range<usize>) -> Range<usize> {
    let is_newline = |piece: &&Piece| piece.kind == Kind::Newline;
    let start = place.start + pieces[place.clone()].iter().take_while(is_newline).count();
    let end = place.end - pieces[start..place.end].iter().rev().take_while(is_newline).count();
    start..end
}

/// Returns true if the first piece is a parenthesis that the last one closes.
fn in_parentheses(pieces: &[Piece]) -> bool {
    let opens = pieces.first().is_some_and(|first| first.kind == Kind::OpenParen);
    opens && closers(pieces, 0..pieces.len())[0] == pieces.len() - 1
}
