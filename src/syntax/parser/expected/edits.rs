//! Edits that several explanations suggest. Each examines at most a few lines around an error.

use crate::diagnostic::{Applicability, Finding};
use crate::source::{Replacement, Span};
use crate::syntax::index::TokenIndex;
use crate::syntax::parser::Parse;
use crate::syntax::token::TokenKind;

/// The part of a line, in bytes, that is searched.
const MAX_LINE: usize = 2_000;

/// The number of tokens that are searched.
const MAX_TOKENS: usize = 500;

impl Parse<'_> {
    fn start(&self, token: TokenIndex) -> usize {
        self.tokens.start(token) as usize
    }

    fn end(&self, token: TokenIndex) -> usize {
        self.tokens.end(token) as usize
    }

    /// Returns the span between a token and the one before it, if it consists of blanks in one line.
    pub(super) fn gap_before(&self, at: TokenIndex) -> Option<Span> {
        let gap = Span::of(self.tokens.end(at.checked_sub(1)?), self.tokens.start(at));
        let blank = gap.start() <= gap.end() && self.source.slice(gap).bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        blank.then_some(gap)
    }

    /// Returns the edit that inserts a text before a token, surrounded by spaces.
    pub(super) fn inserted_before(&self, at: TokenIndex, text: &str) -> Replacement {
        let start = self.start(at);
        let before = self.source.text().as_bytes().get(start.wrapping_sub(1));
        let space = if before.is_some_and(u8::is_ascii_whitespace) { "" } else { " " };
        Replacement::insertion(start, format!("{space}{text} "))
    }

    /// Returns the edit that removes a token and the blanks after it.
    pub(super) fn removed(&self, token: TokenIndex, last: TokenIndex) -> Replacement {
        let end = self.end(last);
        let next = self.gap_before(last + 1).map_or(end, Span::end);
        Replacement::removal(Span::new(self.tokens.start(token) as usize, next))
    }

    /// Returns true if a token begins an operand.
    pub(super) fn begins_operand(&self, token: TokenIndex) -> bool {
        use TokenKind::*;
        let kind = self.tokens.kind(token.min(self.tokens.last()));
        matches!(kind, Identifier | Literal | Template | OpenParen | OpenBracket | OpenBrace | Not | Minus)
    }

    /// Returns the edit that doubles the sign of a sequence, which makes it text.
    pub(super) fn doubled_sign(&self, sequence: TokenIndex) -> Replacement {
        let start = self.start(sequence);
        let sign = if self.source.text().as_bytes().get(start) == Some(&b'%') { "%" } else { "$" };
        Replacement::insertion(start, sign)
    }

    /// Returns the blanks at the start of the line of a position, if they are near.
    fn blanks(&self, at: usize) -> Option<&str> {
        let text = self.source.text();
        let first = at.saturating_sub(MAX_LINE);
        let line = match memchr::memrchr(b'\n', &text.as_bytes()[first..at]) {
            Some(newline) => first + newline + 1,
            None if first == 0 => 0,
            None => return None,
        };
        let line = &text[line..at];
        Some(&line[..line.len() - line.trim_start_matches([' ', '\t']).len()])
    }

    /// Returns the edit that starts a new line at a token, with the indentation of the current line.
    pub(super) fn on_new_line(&self, at: TokenIndex) -> Option<Replacement> {
        let gap = self.gap_before(at)?;
        let blanks = self.blanks(gap.start())?;
        Some(Replacement::new(gap, format!("\n{blanks}")))
    }

    /// Adds edits, if there are any.
    pub(super) fn with_some_edits(
        &self,
        diagnostic: Finding,
        sure: bool,
        edits: Option<impl IntoIterator<Item = Replacement>>,
    ) -> Finding {
        match edits {
            Some(edits) => diagnostic.with_edits(Applicability::safe_if(sure), edits),
            None => diagnostic,
        }
    }

    /// Returns the edits that put parentheses around an expression that begins at a token and continues after a
    /// newline, up to the first line end where neither the line before nor the one after is incomplete.
    pub(super) fn in_parentheses(&self, first: TokenIndex, newline: TokenIndex) -> Option<[Replacement; 2]> {
        use TokenKind::*;
        let tokens = self.tokens;
        let joins = |token: TokenIndex| matches!(tokens.kind(token), Operator | Minus | Not | Question | Colon);
        let continues =
            |token: TokenIndex| matches!(tokens.kind(token.min(tokens.last())), Operator | Question | Colon | GetAttr);
        let mut at = newline;
        let mut steps = 0..MAX_TOKENS;
        while at.checked_sub(1).is_some_and(joins) || continues(at + 1) {
            at += 1;
            while !matches!(tokens.kind(at), Newline | EndOfFile) {
                steps.next()?;
                let kind = tokens.kind(at);
                // Text that looks like another argument or a block is not part of it.
                if matches!(kind, Value | OpenBlock | CloseBlock | EndOfFile | Illegal) {
                    return None;
                }
                at = if kind.is_opener() { tokens.closer(at) + 1 } else { at + 1 };
            }
            if at == tokens.last() || tokens.kind(at - 1) == Newline {
                return None;
            }
        }
        // An error within it, such as a quote, may have hidden its end.
        let problem = self.problems.partition_point(|problem| problem.token < first);
        if self.problems.get(problem).is_some_and(|problem| problem.token <= at) {
            return None;
        }
        let (start, end) = (self.tokens.start(first), self.tokens.end(at - 1));
        let goes_on = at > newline && tokens.kind(at - 1) != Comma && start < end;
        goes_on.then(|| [(start, "("), (end, ")")].map(|(at, sign)| Replacement::insertion(at as usize, sign)))
    }

    /// Returns the edits that put each item of a block, and its closing brace, on a line of its own, and whether the
    /// items are separated without commas.
    pub(super) fn opened_up(&self, braces: TokenIndex) -> Option<(Vec<Replacement>, bool)> {
        use TokenKind::*;
        let tokens = self.tokens;
        let closer = tokens.closer(braces);
        let blanks = self.blanks(self.start(braces))?;
        if self.start(closer) == self.end(closer) {
            return None;
        }
        let (mut edits, mut without_commas) = (Vec::new(), true);
        let mut token = braces + 1;
        // True if an item may begin here, and the end of the text before it.
        let (mut may_begin, mut before) = (true, self.end(braces));
        for _ in 0..MAX_TOKENS {
            let kind = tokens.kind(token);
            let next = tokens.kind((token + 1).min(tokens.last()));
            let begins =
                kind == Identifier && may_begin && matches!(next, Value | Assign | OpenBlock | String | Identifier);
            if begins || token == closer {
                let gap = self.source.text().get(before..self.start(token))?;
                if gap.chars().any(|c| !matches!(c, ' ' | '\t' | '\r' | '\n' | ',')) {
                    return None;
                }
                without_commas &= !gap.contains(',');
                if !gap.contains('\n') {
                    let inner = if token == closer { "" } else { "  " };
                    let place = Span::new(before, tokens.start(token) as usize);
                    edits.push(Replacement::new(place, format!("\n{blanks}{inner}")));
                }
            }
            if token == closer {
                return Some((edits, without_commas)).filter(|(edits, _)| !edits.is_empty());
            }
            if begins && next != Value && next != Assign {
                // The header of a block, up to its brace.
                let brace = (token + 1).to(closer).take(MAX_TOKENS).find(|&token| tokens.kind(token) == OpenBlock)?;
                token = brace;
            }
            let kind = tokens.kind(token);
            let last = if kind.is_opener() && kind != Value { tokens.closer(token) } else { token };
            may_begin = matches!(kind, Comma | Newline) || last > token || kind.ends_operand();
            if !matches!(kind, Comma | Newline) && self.start(last) < self.end(last) {
                before = self.end(last);
            }
            token = last + 1;
            if token > closer {
                return None;
            }
        }
        None
    }
}
