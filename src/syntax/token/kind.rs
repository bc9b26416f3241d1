//! The kinds of tokens.

/// Declares [`TokenKind`] with a mapping from numbers to kinds.
macro_rules! token_kinds {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// The kind of a token.
        ///
        /// The first group are plain tokens, the second openers and closers. The lexer distinguishes only what the
        /// grammars need: all literal values are one kind, and so are all operators that are only binary.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum TokenKind {
            $($(#[$doc])+ $name,)+
        }

        impl TokenKind {
            /// All kinds by their numbers. Numbers up to 63 without a kind have an entry too, so that six bits need no
            /// check.
            pub(in crate::syntax) const BY_NUMBER: [TokenKind; 64] = {
                let mut kinds = [TokenKind::Illegal; 64];
                $(kinds[TokenKind::$name as usize] = TokenKind::$name;)+
                kinds
            };

            /// The kind of a number of six bits.
            #[inline]
            pub(super) fn from_number(number: u32) -> TokenKind {
                TokenKind::BY_NUMBER[(number & 0x3f) as usize]
            }
        }
    };
}

token_kinds! {
    /// Text that is not a token; the lexer has reported it.
    Illegal,
    /// A newline that is significant: it ends a line of a body or an object element.
    Newline,
    /// The end after the last token of the source.
    EndOfFile,
    /// A name.
    Identifier,
    /// The `for` of a *for expression*.
    For,
    /// The `in` of a *for expression* or of a `for` directive.
    In,
    /// The `if` of a *for expression*.
    If,
    /// The word after the `%{` of a directive: `if`, `else`, `endif`, `for`, `endfor`, or an unknown word.
    Keyword,
    /// A number, `true`, `false`, `null`, or, in an expression, a quoted string without sequences.
    Literal,
    /// A quoted string without sequences where no expression is allowed: a block label.
    String,
    /// Literal text of a template.
    TemplateLiteral,
    /// An operator that is always binary, such as `*`, `&&` and `==`.
    Operator,
    /// `-`, binary or unary.
    Minus,
    /// `!`, or another operator that is only before its operand.
    Not,
    /// An operator after its operand. The language has none; a changed one may.
    Postfix,
    /// A dot and the name after it.
    GetAttr,
    /// A dot and the number after it.
    LegacyIndex,
    /// `.*`
    AttrSplat,
    /// `[*]`
    FullSplat,
    /// A dot that is not followed by a name, number or star.
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
    /// The opening quote, or the introduction of a heredoc with its newline.
    Template,
    /// `${` or `${~`
    Interpolation,
    /// `%{` or `%{~`, followed by the keyword `if`.
    IfDirective,
    /// `%{` or `%{~`, followed by the keyword `else`.
    ElseDirective,
    /// `%{` or `%{~`, followed by the keyword `endif`.
    EndIfDirective,
    /// `%{` or `%{~`, followed by the keyword `for`.
    ForDirective,
    /// `%{` or `%{~`, followed by the keyword `endfor`.
    EndForDirective,
    /// `%{` or `%{~`, followed by anything else.
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
}

/// The `%{` of directives, as a pattern.
macro_rules! directive_kinds {
    () => {
        $crate::syntax::token::TokenKind::IfDirective
            | $crate::syntax::token::TokenKind::ElseDirective
            | $crate::syntax::token::TokenKind::EndIfDirective
            | $crate::syntax::token::TokenKind::ForDirective
            | $crate::syntax::token::TokenKind::EndForDirective
            | $crate::syntax::token::TokenKind::UnknownDirective
    };
}

pub(in crate::syntax) use directive_kinds;

impl TokenKind {
    /// Returns true if a token of this kind has a closer.
    #[inline]
    pub fn is_opener(self) -> bool {
        (TokenKind::Value as u8..=TokenKind::UnknownDirective as u8).contains(&(self as u8))
    }

    /// Returns true if it closes an opener that is a bracket or the like.
    #[inline]
    pub fn is_closer(self) -> bool {
        (TokenKind::CloseBlock as u8..=TokenKind::CloseSequence as u8).contains(&(self as u8))
    }

    /// Returns true if it is the `%{` of a directive.
    pub fn is_directive(self) -> bool {
        matches!(self, directive_kinds!())
    }

    /// Returns true if names that it binds follow: after the `for` of an expression, or the `%{` of a `for` directive.
    pub(in crate::syntax) fn binds_names(self) -> bool {
        matches!(
            self,
            // In expressions.
            TokenKind::For
            // In templates.
            | TokenKind::ForDirective
        )
    }

    /// Returns true if an operand may end with this token, so that an operator may follow.
    pub fn ends_operand(self) -> bool {
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
                | Postfix
        )
    }

    /// The number of bytes of an opener, unless its token says otherwise.
    pub(super) fn usual_length(self) -> u32 {
        if self as u8 >= TokenKind::Interpolation as u8 { 2 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_agree() {
        for number in 0..=TokenKind::CloseSequence as u32 {
            assert_eq!(TokenKind::from_number(number) as u32, number);
        }
    }
}
