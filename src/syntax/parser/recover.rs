//! Recovery: parsing continues after an error.
//!
//! There is a recovery for each grammar, and all follow one protocol: `recover_…(&mut self, builder, stop)` is called
//! when a run has [stopped](Stop) within the current region. It
//!
//! 1. finds the part with the error, and reports it, or notes that it seems to be reported already;
//! 2. changes nothing that has been built;
//! 3. returns a [`Recovery`]: either the pieces to leave out when the region is read again, more each time, so that
//!    this terminates; or that the region is left out as a whole. [`Builder::recover`] does that.

use super::Parse;
use super::builder::{BadPiece, Builder, Region};
use super::expected::fallback::Stop;
use super::round::Recovery;
use super::terminal::TerminalKind;
use crate::diagnostic::Code;
use crate::syntax::index::TokenIndex;
use crate::syntax::token::TokenKind;

/// The number of times one expression is parsed again, each time without another piece.
const MAX_RETRIES: usize = 20;

/// A pair of brackets that is open at an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Brackets {
    Parentheses,
    Call,
    Index,
    Tuple,
    Object,
    For,
}

#[derive(Clone, Copy)]
pub(super) struct Group {
    pub brackets: Brackets,
    pub opener: TokenIndex,
    /// The first token of the current element.
    pub element: TokenIndex,
}

impl<'t> Parse<'t> {
    /// Leaves out the item of a body that contains an error.
    pub(super) fn recover_body(&mut self, builder: &Builder<'t>, stop: &Stop) -> Recovery {
        let &Stop { region, at, .. } = stop;
        let (tokens, bad) = (self.tokens, &builder.round.bad);
        let first = builder.round.resume.max(region.start);
        let (mut item, mut braces, mut token) = (first, None, first);
        while token < at {
            if let Some(piece) = bad.iter().find(|piece| piece.start == token) {
                token = piece.end.max(token + 1);
                continue;
            }
            let kind = tokens.kind(token);
            let closer = if kind.is_opener() { tokens.closer(token) } else { token };
            token = match kind {
                TokenKind::Newline => {
                    item = token + 1;
                    token + 1
                }
                TokenKind::Value => closer,
                TokenKind::OpenBlock if closer >= at => {
                    braces = Some(token);
                    token + 1
                }
                _ => closer + 1,
            };
        }
        let line_end = |mut token: TokenIndex| {
            while token < region.end && tokens.kind(token) != TokenKind::Newline {
                token = match tokens.kind(token) {
                    TokenKind::Value => tokens.closer(token).max(token + 1),
                    kind if kind.is_opener() => tokens.closer(token) + 1,
                    _ => token + 1,
                };
            }
            token.min(region.end)
        };
        let mut end = line_end(braces.map_or(at, |braces| tokens.closer(braces)));
        if end == at && end > item && end + 1 < region.end && tokens.kind(end + 1) == TokenKind::OpenBlock {
            // The brace of a block in the line below its header.
            end = line_end(end + 1);
        }
        // A brace in the last line of a broken one-line block is not an error of its own.
        let ends_broken_block =
            at == region.end && self.follows_value(item, at) && builder.is_lines_of_bad_block(region);
        if !ends_broken_block && !self.is_reported(item, at, at) && !self.continues_line(item) {
            let diagnostic = self.body_error(stop, item, braces);
            self.report(diagnostic);
        } else {
            self.keep_silent(stop);
        }
        let kind = if end < region.end { TerminalKind::BadItem } else { TerminalKind::BadEnd };
        let mut piece = BadPiece::new(kind, item, end);
        // Text that looked like a one-line block may be a block of several lines that starts right after its brace: the
        // other lines are parsed as such.
        if let Some(braces) = braces {
            let closer = tokens.closer(braces);
            let lines = line_end(at);
            if lines < closer {
                piece.lines = (lines, closer);
            }
        }
        if self.looks_like_json(item) {
            // Each of its lines is wrong for the same reason.
            piece.lines = (item, item);
        }
        // The item before it may not have been completed, so it is parsed again.
        let from = builder.round.first_unread(region);
        let mut without = bad.clone();
        // A second error in an item would be a bug in this parser: the body is left out then.
        if self.diagnostics.len() > self.max_errors || bad.iter().any(|bad| bad.start == item) {
            piece = BadPiece::new(TerminalKind::BadEnd, from, region.end);
        }
        without.retain(|bad| bad.start >= from && bad.end <= piece.start);
        without.push(piece);
        Recovery::RetryLines { from, without }
    }

    /// Returns true if a line only continues an expression of the line before it, which has the reported error.
    fn continues_line(&mut self, item: TokenIndex) -> bool {
        let Some(before) = item.checked_sub(2) else {
            return false;
        };
        use TokenKind::*;
        let incomplete = matches!(self.tokens.kind(before), Operator | Minus | Not | Question | Colon | Dot | Assign);
        let begins_with_operator =
            |token: TokenIndex| matches!(self.tokens.kind(token), Operator | Question | Colon | GetAttr);
        let mut first = before;
        while first > TokenIndex::FIRST && self.tokens.kind(first) != Newline {
            first -= 1;
        }
        let line = first.to(item);
        let goes_on = self.tokens.kind(item) == Colon && line.clone().any(|token| self.tokens.kind(token) == Question);
        incomplete || goes_on || begins_with_operator(item) && begins_with_operator(first + 1)
    }

    /// Leaves out the smallest piece of an expression that contains an error, so that the rest can be parsed again.
    pub(super) fn recover_expression(&mut self, builder: &Builder<'t>, stop: &Stop) -> Recovery {
        let &Stop { region, at, .. } = stop;
        let (bad, retries) = (&builder.round.bad, builder.round.retries);
        let groups = self.open_groups(region, at, bad);
        let group = groups.last().copied();
        let mut piece = self.piece(region, at, group);
        let comma = BadPiece::new(TerminalKind::Comma, at, at);
        let takes_comma = stop.expected.includes(",");
        if takes_comma && self.only_comma_is_missing(region, at, group) && !bad.contains(&comma) {
            piece = comma;
        }
        let known = |piece: &BadPiece| {
            bad.iter().any(|bad| bad.start <= piece.start && piece.end <= bad.end && bad.start < bad.end)
        };
        let kind = self.tokens.kind(at.min(region.end));
        // An error after a dot is found at the token after it.
        let after = if kind == TokenKind::Dot { at + 1 } else { at };
        let silent = bad.iter().any(|bad| bad.start == at && bad.end > at)
            || kind == TokenKind::Illegal
            || self.is_comma_of_json(region, at)
            || self.is_star_of_open_splat(at, group)
            || self.is_within_open_sequence(region)
            || self.is_within_broken_string(region, at)
            || self.is_reported(piece.start.min(group.map_or(region.start, |group| group.element)), after, at);
        if !silent {
            let diagnostic = self.expression_error(stop, group);
            self.report(diagnostic);
        } else {
            self.keep_silent(stop);
        }
        // A piece that cannot be left out alone is left out with the enclosing group.
        let mut outer = groups.iter().rev();
        while known(&piece) || retries > MAX_RETRIES || self.diagnostics.len() > self.max_errors {
            piece = match outer.next() {
                Some(group) if retries <= MAX_RETRIES && self.diagnostics.len() <= self.max_errors => {
                    let end = self.tokens.closer(group.opener) + 1;
                    BadPiece::new(TerminalKind::BadExpression, group.opener, end)
                }
                _ => {
                    piece = BadPiece::new(TerminalKind::BadExpression, region.start, region.end);
                    break;
                }
            };
        }
        if piece.start <= region.start && piece.end >= region.end {
            return Recovery::LeaveOut;
        }
        let mut without = bad.clone();
        without.retain(|other| other.end <= piece.start || piece.end <= other.start);
        without.insert(without.partition_point(|other| other.start < piece.start), piece);
        Recovery::Retry { without }
    }

    /// Returns true if an element ends before a token that may begin another one, so that adding a comma is enough.
    pub(super) fn only_comma_is_missing(&self, region: Region, at: TokenIndex, group: Option<Group>) -> bool {
        use TokenKind::{Identifier, Literal, Newline, OpenBrace, Template};
        let Some(group) = group.filter(|group| matches!(group.brackets, Brackets::Tuple | Brackets::Call)) else {
            return false;
        };
        let begins = matches!(self.tokens.kind(at), Identifier | Literal | Template | OpenBrace);
        // An object after a word, or two words in one line, are something else.
        let words = self.tokens.kind(at - 1) == Identifier
            && (self.tokens.kind(at) == OpenBrace || !self.begins_line(at))
            || self.tokens.kind(at + 1) == Newline;
        begins && !words && at > group.element && at > region.start && self.tokens.kind(at - 1).ends_operand()
    }

    fn begins_line(&self, token: TokenIndex) -> bool {
        let before = &self.source.text().as_bytes()[..self.tokens.start(token) as usize];
        matches!(before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n'))
    }

    /// Returns the token that opens a region, if the region is not the whole source.
    pub(super) fn opener(&self, region: Region) -> Option<TokenIndex> {
        let before = region.start.checked_sub(1)?;
        Some(if self.tokens.kind(before) == TokenKind::Keyword { before - 1 } else { before })
    }

    /// Returns true if an expression is in a sequence that is not closed, so that the line ends it.
    fn is_within_open_sequence(&self, region: Region) -> bool {
        let Some(opener) = self.opener(region) else {
            return false;
        };
        let first = self.problems.partition_point(|problem| problem.token < region.start);
        let mut problems = self.problems[first..].iter().take_while(|problem| problem.token <= region.end);
        problems.any(|problem| {
            problem.diagnostic.code() == Code::UnclosedSequence
                && problem.diagnostic.subject().start() == self.tokens.start(opener) as usize
        })
    }

    /// Returns true if a token is the `*` of a splat whose `]` is missing, which has been reported.
    fn is_star_of_open_splat(&self, at: TokenIndex, group: Option<Group>) -> bool {
        let closer = at + 1;
        group.is_some_and(|group| group.brackets == Brackets::Index && group.element == at)
            && self.tokens.kind(at) == TokenKind::Operator
            && self.tokens.kind(closer) == TokenKind::CloseBracket
            && self.tokens.start(closer) == self.tokens.end(closer)
    }

    /// Returns true if a comma ends a line of the form `"name": value,` whose name or colon has been reported.
    fn is_comma_of_json(&self, region: Region, at: TokenIndex) -> bool {
        let Some(value) = region.start.checked_sub(1) else {
            return false;
        };
        self.tokens.kind(value) == TokenKind::Value
            && self.source.text().as_bytes().get(self.tokens.start(value) as usize) == Some(&b':')
            && self.tokens.kind(at) == TokenKind::Comma
            && at + 1 == region.end
    }

    /// Returns true if a token is right after a string in an expression with a string that is not closed: the quotes
    /// are off by one then.
    fn is_within_broken_string(&self, region: Region, at: TokenIndex) -> bool {
        let behind_string = at > region.start
            && self.tokens.kind(at - 1) == TokenKind::Literal
            && self.tokens.end(at - 1) == self.tokens.start(at);
        let first = self.problems.partition_point(|problem| problem.token < at);
        behind_string
            && self.problems[first..]
                .iter()
                .take_while(|problem| problem.token <= region.end)
                .any(|problem| problem.diagnostic.code() == Code::UnclosedString)
    }

    /// Returns the brackets that are open at a token, outermost first.
    fn open_groups(&self, region: Region, at: TokenIndex, bad: &[BadPiece]) -> Vec<Group> {
        let tokens = self.tokens;
        let mut groups: Vec<Group> = Vec::new();
        let mut token = region.start;
        while token < at {
            use TokenKind::*;
            if let Some(piece) = bad.iter().find(|piece| piece.start == token) {
                if piece.end > token {
                    token = piece.end;
                    continue;
                }
                // Before it a comma has been added.
                groups.iter_mut().rev().take(1).for_each(|group| group.element = token);
            }
            let next = tokens.kind((token + 1).min(region.end));
            let behind_operand = token > region.start && tokens.kind(token - 1).ends_operand();
            let brackets = match tokens.kind(token) {
                OpenParen if token > region.start && tokens.kind(token - 1) == Identifier => Some(Brackets::Call),
                OpenParen => Some(Brackets::Parentheses),
                OpenBracket | OpenBrace if next == For => Some(Brackets::For),
                OpenBracket if behind_operand => Some(Brackets::Index),
                OpenBracket => Some(Brackets::Tuple),
                OpenBrace => Some(Brackets::Object),
                Template => {
                    token = tokens.closer(token) + 1;
                    continue;
                }
                CloseParen | CloseBracket | CloseBrace => {
                    groups.pop();
                    None
                }
                Comma | Newline => {
                    if let Some(group) = groups.last_mut() {
                        group.element = token + 1;
                    }
                    None
                }
                _ => None,
            };
            groups.extend(brackets.map(|brackets| Group { brackets, opener: token, element: token + 1 }));
            token += 1;
        }
        groups
    }

    /// Returns the smallest piece around an error that may be left out.
    fn piece(&self, region: Region, at: TokenIndex, group: Option<Group>) -> BadPiece {
        let expression = |start, end| BadPiece::new(TerminalKind::BadExpression, start, end);
        let Some(Group { brackets, opener, element }) = group else {
            return expression(region.start, region.end);
        };
        let closer = self.tokens.closer(opener);
        let whole = match brackets {
            // A call is left out with its parentheses only up to the end of its arguments.
            Brackets::For => expression(opener, closer + 1),
            Brackets::Parentheses | Brackets::Index => expression(opener + 1, closer),
            _ => {
                let end = self.element_end(at, closer);
                // A missing element is left out together with the next one.
                let end = if element == end && end < closer { self.element_end(end + 1, closer) } else { end };
                let kind = match brackets {
                    Brackets::Object => TerminalKind::BadElement,
                    _ => TerminalKind::BadExpression,
                };
                BadPiece::new(kind, element, end)
            }
        };
        if whole.start < whole.end { whole } else { expression(opener, closer + 1) }
    }

    /// Returns the comma or newline after an element, or the closing bracket.
    fn element_end(&self, mut token: TokenIndex, closer: TokenIndex) -> TokenIndex {
        while token < closer && !matches!(self.tokens.kind(token), TokenKind::Comma | TokenKind::Newline) {
            let kind = self.tokens.kind(token);
            token = if kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        token.min(closer)
    }
}
