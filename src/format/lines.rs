//! Rules about whole lines: switches, blank lines, and the end of the file.

use super::draft::Draft;
use super::pieces::{Kind, Piece};

/// Marks the text between the lines `# fmt: off` and `# fmt: on`.
pub(super) fn keep_switched_off(draft: &mut Draft) {
    let mut off = false;
    for line in draft.pieces.split_inclusive_mut(|piece| piece.kind == Kind::Newline) {
        let switch = match line {
            [comment] | [comment, _] => switch(comment.text(&draft.text)),
            _ => None,
        };
        off &= switch != Some(true);
        if off {
            line.iter_mut().for_each(|piece| piece.kept = true);
        }
        off |= switch == Some(false);
    }
}

/// Returns true if a comment turns formatting on, false if it turns it off.
fn switch(comment: &[u8]) -> Option<bool> {
    let text = comment.strip_prefix(b"#").or_else(|| comment.strip_prefix(b"//"))?;
    match text.trim_ascii().strip_prefix(b"fmt:")?.trim_ascii() {
        b"on" => Some(true),
        b"off" => Some(false),
        _ => None,
    }
}

/// Joins consecutive blank lines to one, and removes those at the start of the file.
pub(super) fn join_blank_lines(draft: &mut Draft) {
    let mut newlines = 2;
    draft.pieces.retain(|piece| {
        newlines = if piece.kind == Kind::Newline { newlines + 1 } else { 0 };
        newlines <= 2 || piece.kept
    });
}

/// Ends the file with one newline, unless it is empty.
pub(super) fn end_last_line(draft: &mut Draft) {
    let content = |piece: &Piece| !matches!(piece.kind, Kind::Newline | Kind::EndOfFile);
    let Some(last) = draft.pieces.iter().rposition(content) else {
        draft.pieces.retain(|piece| piece.kept);
        return;
    };
    if draft.pieces.last().is_some_and(|end| end.kept) {
        return;
    }
    let line_end = draft.line_end();
    let newline = draft.make(Kind::Newline, line_end);
    let end = draft.make(Kind::EndOfFile, b"");
    let had_newline = draft.pieces[last + 1].kind == Kind::Newline;
    draft.pieces.truncate(last + 1 + usize::from(had_newline));
    if !had_newline {
        draft.pieces.push(newline);
    }
    draft.pieces.push(end);
}
