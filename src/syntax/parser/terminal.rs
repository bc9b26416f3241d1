//! The terminals of the grammars, made from tokens.

use super::builder::{BadPiece, Region};
use crate::syntax::index::{Symbol, TokenIndex};
use crate::syntax::operator::UnaryOperator;
use crate::syntax::token::{TokenKind, Tokens};

/// A terminal with its token, which is the first one of a region or of a piece that could not be parsed. A separator
/// has, in place of a token, the node that waits for the root of the region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal(pub TerminalKind, pub Symbol);

/// Declares [`TerminalKind`]: the terminals, each with its kind of token if it corresponds to one, and the tokens that
/// no grammar reads.
macro_rules! terminals {
    (
        read { $($(#[$doc:meta])* $name:ident $(= $token:ident)?,)+ }
        unread { $($unread:ident,)+ }
    ) => {
        /// The terminals of all three grammars. Most are tokens of one kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum TerminalKind {
            $($(#[$doc])* $name,)+
        }

        impl TerminalKind {
            const fn of(kind: TokenKind) -> TerminalKind {
                match kind {
                    $($(TokenKind::$token => TerminalKind::$name,)?)+
                    $(TokenKind::$unread)|+ => TerminalKind::Unexpected,
                }
            }
        }
    };
}

// The terminals of the expression grammar come first, in its order: then LALRPOP gives them the same numbers, and no
// table is needed to map them.
terminals! {
    read {
        /// The beginning of a region.
        Separator,
        Newline = Newline,
        Literal = Literal,
        Template = Template,
        Identifier = Identifier,
        /// A name with attribute accesses, `a.b.c`.
        Traversal,
        OpenParen = OpenParen,
        CloseParen = CloseParen,
        OpenBracket = OpenBracket,
        CloseBracket = CloseBracket,
        OpenBrace = OpenBrace,
        CloseBrace = CloseBrace,
        Comma = Comma,
        Assign = Assign,
        FatArrow = FatArrow,
        Colon = Colon,
        DoubleColon = DoubleColon,
        Question = Question,
        Ellipsis = Ellipsis,
        GetAttr = GetAttr,
        LegacyIndex = LegacyIndex,
        AttrSplat = AttrSplat,
        FullSplat = FullSplat,
        Operator = Operator,
        Minus = Minus,
        Not = Not,
        For = For,
        In = In,
        If = If,
        /// A piece of an expression that could not be parsed.
        BadExpression,
        /// An object element that could not be parsed.
        BadElement,
        String = String,
        Value = Value,
        /// A block's braces with the lines between them.
        BlockBody,
        OpenBlock = OpenBlock,
        CloseBlock = CloseBlock,
        /// An item of a body that could not be parsed.
        BadItem,
        /// The last item of a body that could not be parsed, without a newline after it.
        BadEnd,
        TemplateLiteral = TemplateLiteral,
        Interpolation = Interpolation,
        IfDirective = IfDirective,
        ElseDirective = ElseDirective,
        EndIfDirective = EndIfDirective,
        ForDirective = ForDirective,
        EndForDirective = EndForDirective,
        /// A token that no grammar accepts.
        Unexpected,
    }
    unread {
        Illegal, EndOfFile, Keyword, Postfix, Dot, UnknownDirective, CloseTemplate, CloseSequence,
    }
}

const _: () = assert!(
    !UnaryOperator::HAS_AFTER || !matches!(TerminalKind::of(TokenKind::Postfix), TerminalKind::Unexpected),
    "the table of operators has one after its operand: it needs `Postfix = Postfix` among the terminals that are read, and in \
     grammar/expression.lalrpop the terminal and an alternative of `Access`, as in grammar/recipes/factorial.patch"
);

/// The terminals of all kinds of tokens.
const TERMINALS: [TerminalKind; 64] = {
    let mut terminals = [TerminalKind::Unexpected; 64];
    let mut number = 0;
    while number < terminals.len() {
        terminals[number] = TerminalKind::of(TokenKind::BY_NUMBER[number]);
        number += 1;
    }
    terminals
};

/// The terminals of many regions as a grammar reads them, with a separator before each region. `read` returns the
/// terminal that begins at a token, and the token after it.
pub(super) struct Terminals<'t, R> {
    tokens: &'t Tokens,
    regions: std::slice::Iter<'t, Region>,
    /// The token at which the first region continues.
    resume: TokenIndex,
    next: TokenIndex,
    /// The end of the current region, or the next bad piece within it.
    stop: TokenIndex,
    end: TokenIndex,
    bad: &'t [BadPiece],
    read: R,
}

impl<'t, R: Fn(&Tokens, TokenIndex) -> (TerminalKind, TokenIndex)> Terminals<'t, R> {
    pub fn new(tokens: &'t Tokens, regions: &'t [Region], resume: TokenIndex, bad: &'t [BadPiece], read: R) -> Self {
        let (next, stop, end) = (TokenIndex::FIRST, TokenIndex::FIRST, TokenIndex::FIRST);
        Terminals { tokens, regions: regions.iter(), resume, next, stop, end, bad, read }
    }

    /// Returns the separator of the next region, or a bad piece; `None` if the token here is read normally.
    fn at_stop(&mut self) -> Option<Terminal> {
        let mut terminal = None;
        if self.next >= self.end {
            let region = self.regions.next()?;
            self.next = std::mem::take(&mut self.resume).max(region.start);
            self.end = region.end;
            terminal = Some(Terminal(TerminalKind::Separator, region.owner.into()));
        } else if let [piece, rest @ ..] = self.bad {
            // Pieces within a part that was read as a single terminal are ignored.
            self.bad = &[];
            if piece.start == self.next {
                self.bad = rest;
                self.next = piece.end;
                terminal = Some(Terminal(piece.kind, piece.start.into()));
            }
        }
        let piece = self.bad.first().map(|piece| piece.start);
        self.stop = piece.filter(|start| (self.next..self.end).contains(start)).unwrap_or(self.end);
        terminal
    }
}

impl<R: Fn(&Tokens, TokenIndex) -> (TerminalKind, TokenIndex)> Iterator for Terminals<'_, R> {
    type Item = ((), Terminal, ());

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.stop {
            let terminal = self.at_stop();
            if terminal.is_some() || self.next >= self.end {
                return terminal.map(|terminal| ((), terminal, ()));
            }
        }
        let token = self.next;
        let (kind, next) = (self.read)(self.tokens, token);
        self.next = next;
        Some(((), Terminal(kind, token.into()), ()))
    }
}

/// Returns the terminal of a token that is one by itself.
#[inline]
fn terminal(tokens: &Tokens, token: TokenIndex) -> TerminalKind {
    tokens.by_kind(token, &TERMINALS)
}

/// An attribute's expression is one terminal, and so are the lines of a block.
#[inline]
pub(super) fn body_terminal(tokens: &Tokens, token: TokenIndex) -> (TerminalKind, TokenIndex) {
    match terminal(tokens, token) {
        TerminalKind::Value => (TerminalKind::Value, tokens.closer(token)),
        TerminalKind::OpenBlock if tokens.kind(token + 1) == TokenKind::Newline => {
            (TerminalKind::BlockBody, tokens.closer(token) + 1)
        }
        kind => (kind, token + 1),
    }
}

/// A template is one terminal, and so is a name with its attribute accesses.
#[inline]
pub(super) fn expression_terminal(tokens: &Tokens, token: TokenIndex) -> (TerminalKind, TokenIndex) {
    let mut next = token + 1;
    match terminal(tokens, token) {
        TerminalKind::Template => (TerminalKind::Template, tokens.closer(token) + 1),
        TerminalKind::Identifier if tokens.kind(next) == TokenKind::GetAttr => {
            while tokens.kind(next) == TokenKind::GetAttr {
                next += 1;
            }
            (TerminalKind::Traversal, next)
        }
        kind => (kind, next),
    }
}

/// A sequence is one terminal; that of a `for` begins after its names.
#[inline]
pub(super) fn template_terminal(tokens: &Tokens, token: TokenIndex) -> (TerminalKind, TokenIndex) {
    let kind = terminal(tokens, token);
    let next = match kind {
        TerminalKind::Interpolation | TerminalKind::IfDirective => tokens.closer(token) + 1,
        TerminalKind::ElseDirective | TerminalKind::EndIfDirective | TerminalKind::EndForDirective => {
            let (closer, first) = (tokens.closer(token), token + 2);
            // The content of such a directive is an error at this position.
            if closer == first { closer + 1 } else { first }
        }
        // Its keyword belongs to it.
        TerminalKind::ForDirective => token + 2,
        TerminalKind::In => {
            let directive = TokenIndex::FIRST.to(token).rfind(|&token| tokens.kind(token) == TokenKind::ForDirective);
            directive.map_or(token, |directive| tokens.closer(directive)) + 1
        }
        _ => token + 1,
    };
    (kind, next)
}
