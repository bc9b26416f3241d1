//! Decides between a blank and none for each pair of pieces in a line.

use super::pieces::{Kind, Piece};

/// Returns true if a blank separates `left` and `right`; `before` is the piece before `left` in the line. The first
/// rule that applies decides.
pub(super) fn blank_between(source: &[u8], before: Option<Piece>, left: Piece, right: Piece) -> bool {
    use Kind::*;
    let before_kind = before.map(|piece| piece.kind);
    match (left.kind, right.kind) {
        // No blank at the end of a line, or before a piece that separates or follows an operand.
        (_, Newline | Comma | Dot | Ellipsis | Postfix) => false,
        (Dot | Not, _) => false,
        // Calls, `f(x)` and `a::b(x)`.
        (Word, OpenParen | DoubleColon) | (DoubleColon, Word) => false,
        (Comma, _) => true,
        // Within templates everything is text.
        (Heredoc | HeredocText | CloseSequence, OpenSequence) | (CloseSequence, HeredocText) => false,
        // A line break within quotes, which is an error, is not part of the text.
        (Quoted | QuotedText, OpenSequence | LooseBackslash) => matches!(left.text(source), [.., b'\n' | b'\r']),
        (CloseSequence, QuotedText) => matches!(right.text(source), [b'\n' | b'\r', ..]),
        // A name `in` counts as the keyword after any other name.
        (Word, _) if left.text(source) == b"in" && before_kind == Some(Word) => true,
        (_, Word) if right.text(source) == b"in" && left.kind == Word => true,
        // An index, `a[0]`.
        (Word | Number | CloseParen | CloseBracket | CloseBrace | CloseSequence, OpenBracket) => false,
        // A minus is the sign of a number where no operand can end.
        (Minus, _) => !begins_operand(before_kind),
        (OpenBrace, CloseBrace) => false,
        (OpenBrace, _) | (_, CloseBrace) | (OpenSequence, OpenBrace) | (CloseBrace, CloseSequence) => true,
        (OpenParen | OpenBracket | OpenSequence, _) => false,
        (_, CloseParen | CloseBracket | CloseSequence) => false,
        _ => true,
    }
}

/// Returns true if an operand begins after a piece, so that a minus there is the sign of a number.
fn begins_operand(before: Option<Kind>) -> bool {
    use Kind::*;
    match before {
        None => true,
        Some(kind) => {
            matches!(kind, Operator | Minus | Not | Equals | Comma | OpenParen | OpenBracket | OpenBrace)
        }
    }
}
