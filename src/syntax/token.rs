//! Tokens: what the lexer produces, the grammars read, and the tree keeps.

use super::tree::Tree;
use crate::source::Span;

/// The kind of a token.
///
/// The first group are plain tokens, the second openers and closers. The lexer folds tokens to
/// what the grammars need to tell apart: all literal values are one kind, all operators that are
/// binary only are one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TokenKind {
    /// Text that is no token; the lexer has reported it.
    Illegal,
    /// A newline that is significant: it ends a line of a body or an object element.
    Newline,
    /// Behind the last token of the source.
    EndOfFile,
    /// A name.
    Identifier,
    /// The `for` of a *for expression*.
    For,
    /// The `in` of a *for expression* or of a `for` directive.
    In,
    /// The `if` of a *for expression*.
    If,
    /// A number, `true`, `false`, `null`, or, in an expression, a quoted string without sequences.
    Literal,
    /// A quoted string without sequences where an expression cannot stand: a block label.
    String,
    /// Literal text of a template.
    TemplateLiteral,
    /// An operator that is always binary: `* / % + && || == != < <= > >=`.
    Operator,
    /// `-`, binary or unary.
    Minus,
    /// `!`.
    Not,
    /// A dot and the name behind it.
    GetAttr,
    /// A dot and the number behind it.
    LegacyIndex,
    /// `.*`
    AttrSplat,
    /// `[*]`
    FullSplat,
    /// A dot with nothing behind it that could follow a dot.
    Dot,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `::`
    DoubleColon,
    /// `=` in an object.
    Assign,
    /// `=>`
    FatArrow,
    /// `...`
    Ellipsis,
    /// `?`
    Question,

    /// The `=` of an attribute. It opens the attribute's expression; its closer is the newline or
    /// brace that ends the attribute.
    Value,
    /// `{` of a block.
    OpenBlock,
    /// `{` of an object or *for expression*.
    OpenBrace,
    /// `[`
    OpenBracket,
    /// `(`
    OpenParen,
    /// The opening quote or the introduction of a heredoc.
    Template,
    /// `${` or `${~`
    Interpolation,
    /// `%{ if`
    IfDirective,
    /// `%{ else`
    ElseDirective,
    /// `%{ endif`
    EndIfDirective,
    /// `%{ for`
    ForDirective,
    /// `%{ endfor`
    EndForDirective,
    /// `%{` with anything else behind it.
    UnknownDirective,
    /// `}` of a block.
    CloseBlock,
    /// `}` of an object or *for expression*.
    CloseBrace,
    /// `]`
    CloseBracket,
    /// `)`
    CloseParen,
    /// The closing quote, or the closing marker of a heredoc.
    CloseTemplate,
    /// `}` or `~}` of an interpolation or directive.
    CloseSequence,

    // Terminals of the grammars that are no tokens of their own.
    /// What leads a region when a grammar reads it.
    #[doc(hidden)]
    Separator,
    /// A name with attribute accesses, `a.b.c`.
    #[doc(hidden)]
    Traversal,
    /// A block's braces with the lines between them.
    #[doc(hidden)]
    BlockBody,
    /// A piece of an expression that could not be parsed.
    #[doc(hidden)]
    BadExpression,
    /// An object element that could not be parsed.
    #[doc(hidden)]
    BadElement,
    /// An item of a body that could not be parsed.
    #[doc(hidden)]
    BadItem,
    /// The last item of a body that could not be parsed, without a newline behind it.
    #[doc(hidden)]
    BadEnd,
}

impl TokenKind {
    /// Whether a token of this kind has a closer.
    pub fn is_opener(self) -> bool {
        (TokenKind::Value as u8..=TokenKind::UnknownDirective as u8).contains(&(self as u8))
    }

    /// Whether it closes an opener that is a bracket or the like.
    pub fn is_closer(self) -> bool {
        (TokenKind::CloseBlock as u8..=TokenKind::CloseSequence as u8).contains(&(self as u8))
    }

    /// Whether an operand may end with this token, so that an operator may follow.
    pub(crate) fn ends_operand(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Identifier
                | Literal
                | GetAttr
                | LegacyIndex
                | AttrSplat
                | FullSplat
                | CloseBrace
                | CloseBracket
                | CloseParen
                | CloseTemplate
                | Ellipsis
        )
    }
}

/// The token buffer: the kinds, and the byte offsets of start and end.
///
/// An opener has the index of its closer in place of its end, so that whoever reads the buffer can
/// step over a whole region. White space and comments are what lies between the tokens.
#[derive(Clone, Default)]
pub(crate) struct Tokens {
    kinds: Vec<TokenKind>,
    slots: Vec<(u32, u32)>,
}

impl Tokens {
    pub fn with_capacity(capacity: usize) -> Self {
        Tokens { kinds: Vec::with_capacity(capacity), slots: Vec::with_capacity(capacity) }
    }

    pub fn len(&self) -> u32 {
        self.kinds.len() as u32
    }

    pub fn kinds(&self) -> &[TokenKind] {
        &self.kinds
    }

    #[inline]
    pub fn kind(&self, token: u32) -> TokenKind {
        self.kinds[token as usize]
    }

    #[inline]
    pub fn start(&self, token: u32) -> u32 {
        self.slots[token as usize].0
    }

    /// The end of a token that is no opener.
    #[inline]
    pub fn end(&self, token: u32) -> u32 {
        self.slots[token as usize].1
    }

    /// The closer of an opener.
    #[inline]
    pub fn closer(&self, opener: u32) -> u32 {
        self.slots[opener as usize].1
    }

    /// The span of a token of any kind.
    pub fn span(&self, source: &[u8], token: u32) -> Span {
        let start = self.start(token);
        let end =
            if self.kind(token).is_opener() { opener_end(source, self.kind(token), start) } else { self.end(token) };
        Span::new(start, end)
    }

    #[inline]
    pub fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.kinds.push(kind);
        self.slots.push((start as u32, end as u32));
    }

    pub fn set_closer(&mut self, opener: u32, closer: u32) {
        self.slots[opener as usize].1 = closer;
    }

    pub fn truncate(&mut self, len: u32) {
        self.kinds.truncate(len as usize);
        self.slots.truncate(len as usize);
    }

    /// Takes the last `count` tokens off, none of which is an opener.
    pub fn take_last(&mut self, count: usize) -> Vec<(TokenKind, (u32, u32))> {
        let at = self.kinds.len() - count;
        let taken = self.kinds[at..].iter().copied().zip(self.slots[at..].iter().copied()).collect();
        self.truncate(at as u32);
        taken
    }
}

/// Where the text of an opener ends, which its slot does not say.
fn opener_end(source: &[u8], kind: TokenKind, start: u32) -> u32 {
    use TokenKind::*;
    let at = start as usize;
    let rest = &source[at..];
    let length = match kind {
        Template if rest.starts_with(b"<<") => memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1),
        Interpolation => 2 + usize::from(rest.get(2) == Some(&b'~')),
        IfDirective | ElseDirective | EndIfDirective | ForDirective | EndForDirective | UnknownDirective => {
            2 + usize::from(rest.get(2) == Some(&b'~'))
        }
        _ => 1,
    };
    start + length.min(rest.len()) as u32
}

/// A token of a source.
#[derive(Clone, Copy)]
pub struct Token<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> Token<'t> {
    /// What it is.
    pub fn kind(self) -> TokenKind {
        self.tree.tokens.kind(self.index)
    }

    /// Where it is.
    pub fn span(self) -> Span {
        self.tree.token_span(self.index)
    }

    /// Where it is; an attribute access begins with its dot.
    pub(super) fn span_from_dot(self) -> Span {
        let span = self.span();
        let before = self.tree.source.text()[..span.start()].trim_end_matches([' ', '\t']);
        match before.strip_suffix('.').filter(|_| self.kind() == TokenKind::GetAttr) {
            Some(before) => Span::new(before.len() as u32, span.end() as u32),
            None => span,
        }
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        self.tree.token_text(self.index)
    }

    /// The token that closes an opener.
    pub fn closer(self) -> Option<Token<'t>> {
        let index = self.kind().is_opener().then(|| self.tree.tokens.closer(self.index))?;
        Some(Token { index, ..self })
    }
}

impl std::fmt::Debug for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.kind(), self.span(), self.text())
    }
}

/// The tokens of a source, the last of which is [`TokenKind::EndOfFile`].
///
/// ```
/// use hcl_lr::syntax::TokenKind::*;
///
/// let file = hcl_lr::parse("a = 1\n").into_result()?;
/// let kinds: Vec<_> = file.tokens().iter().map(|token| token.kind()).collect();
/// assert_eq!(kinds, [Identifier, Value, Literal, Newline, EndOfFile]);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Copy)]
pub struct TokenList<'t> {
    tree: &'t Tree,
}

impl<'t> TokenList<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        TokenList { tree }
    }

    /// How many there are, at least one.
    pub fn len(self) -> usize {
        self.tree.tokens.len() as usize
    }

    /// Never.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of them, in source order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Token<'t>> {
        (0..self.tree.tokens.len()).map(move |index| Token { tree: self.tree, index })
    }
}

impl std::fmt::Debug for TokenList<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
