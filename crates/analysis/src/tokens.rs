//! The kinds of the words of a file, for highlighting.

use std::collections::HashMap;

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{
    AccessStep, AttributeNode, BlockNode, ExpressionKind, ExpressionNode, ForNames, ObjectKey, Visitor, Walk,
};
use hcl_lr::syntax::{Piece, TokenKind};

use crate::workspace::Snapshot;

/// A word of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The span.
    pub span: Span,
    /// The kind.
    pub kind: WordKind,
    /// True if the word defines a name.
    pub is_definition: bool,
}

/// The kind of a [`Word`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "the names say it")]
pub enum WordKind {
    Comment,
    String,
    Keyword,
    Number,
    Operator,
    /// The type of a block.
    Block,
    /// A label of a block.
    Label,
    /// The name of an attribute.
    Attribute,
    /// The key of an element of an object.
    Key,
    Function,
    Namespace,
    /// The first name of a reference.
    Variable,
    /// A further name of a reference.
    Member,
    /// A name that `for` defines.
    Parameter,
}

impl WordKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [WordKind; 14] = [
        WordKind::Comment,
        WordKind::String,
        WordKind::Keyword,
        WordKind::Number,
        WordKind::Operator,
        WordKind::Block,
        WordKind::Label,
        WordKind::Attribute,
        WordKind::Key,
        WordKind::Function,
        WordKind::Namespace,
        WordKind::Variable,
        WordKind::Member,
        WordKind::Parameter,
    ];
}

impl Snapshot {
    /// Returns the words of a file, or of a part of it, in source order. Empty for a file in the JSON syntax.
    pub fn words(&self, path: &str, within: Option<Span>) -> Vec<Word> {
        let Some(native) = self.file(path).and_then(|file| file.native()) else { return Vec::new() };
        let mut names = Names { within, names: HashMap::new(), scopes: Vec::new() };
        native.body().walk(&mut names);
        let range = within.map_or(0..native.source().text().len(), Span::range);
        let pieces = native.pieces().skip_while(|piece| piece.span().end() <= range.start);
        let mut words = Vec::new();
        for piece in pieces.take_while(|piece| piece.span().start() < range.end) {
            let token = match piece {
                Piece::Trivia(trivia) => {
                    if let Some(comment) = trivia.comment() {
                        words.push(Word { span: comment.span(), kind: WordKind::Comment, is_definition: false });
                    }
                    continue;
                }
                Piece::Token(token) => token,
            };
            let span = token.name_span();
            if span.is_empty() {
                continue;
            }
            if let Some(&(kind, is_definition)) = names.names.get(&span.start()) {
                words.push(Word { span, kind, is_definition });
                continue;
            }
            let kind = match token.kind() {
                TokenKind::For | TokenKind::In | TokenKind::If | TokenKind::Keyword => WordKind::Keyword,
                TokenKind::Literal => match token.text().as_bytes().first() {
                    Some(b'"') => WordKind::String,
                    Some(b'0'..=b'9' | b'-' | b'.') => WordKind::Number,
                    _ => WordKind::Keyword,
                },
                TokenKind::String | TokenKind::TemplateLiteral | TokenKind::Template | TokenKind::CloseTemplate => {
                    WordKind::String
                }
                TokenKind::LegacyIndex => WordKind::Number,
                TokenKind::GetAttr => WordKind::Member,
                TokenKind::Identifier => WordKind::Variable,
                TokenKind::Operator
                | TokenKind::Minus
                | TokenKind::Not
                | TokenKind::Assign
                | TokenKind::Value
                | TokenKind::FatArrow
                | TokenKind::Ellipsis
                | TokenKind::Question
                | TokenKind::AttrSplat
                | TokenKind::FullSplat => WordKind::Operator,
                _ => continue,
            };
            words.push(Word { span, kind, is_definition: false });
        }
        words
    }
}

/// The words whose kinds come from the tree.
struct Names<'t> {
    within: Option<Span>,
    /// The kinds by the start of the word.
    names: HashMap<usize, (WordKind, bool)>,
    scopes: Vec<ForNames<'t>>,
}

impl Names<'_> {
    fn walk(&self, span: Span) -> Walk {
        let is_outside = |within: Span| span.end() <= within.start() || within.end() <= span.start();
        if self.within.is_some_and(is_outside) { Walk::Over } else { Walk::Into }
    }

    fn add(&mut self, span: Span, kind: WordKind) {
        self.names.insert(span.start(), (kind, matches!(kind, WordKind::Attribute | WordKind::Label)));
    }
}

impl<'t> Visitor<'t> for Names<'t> {
    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
        self.add(attribute.name_token().span(), WordKind::Attribute);
        self.walk(attribute.span())
    }

    fn visit_block(&mut self, block: BlockNode<'t>) -> Walk {
        self.add(block.type_token().span(), WordKind::Block);
        for label in block.labels() {
            self.add(label.span(), WordKind::Label);
        }
        self.walk(block.span())
    }

    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        if self.walk(expression.span()) == Walk::Over {
            return Walk::Over;
        }
        match expression.kind() {
            ExpressionKind::Traversal(traversal) => {
                let root = traversal.root();
                let is_own = self.scopes.iter().flat_map(|names| names.iter()).any(|name| name.text() == root.text());
                self.add(root.span(), if is_own { WordKind::Parameter } else { WordKind::Variable });
                for step in traversal.steps() {
                    if let AccessStep::Attribute(name) = step {
                        self.add(name.span(), WordKind::Member);
                    }
                }
            }
            ExpressionKind::FunctionCall(call) => {
                let (mut start, text) = (call.name_span().start(), call.name());
                let count = text.split("::").count();
                for (at, part) in text.split("::").enumerate() {
                    let kind = if at + 1 == count { WordKind::Function } else { WordKind::Namespace };
                    self.names.insert(start, (kind, false));
                    start += part.len() + 2;
                }
            }
            ExpressionKind::Object(object) => {
                for element in object.elements() {
                    match element.key() {
                        ObjectKey::Name(name) => self.add(name.span(), WordKind::Key),
                        _ => {
                            let key = element.key_expression();
                            if matches!(key.kind(), ExpressionKind::Template(_)) {
                                self.add(key.span(), WordKind::Key);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Walk::Into
    }

    fn enter_scope(&mut self, names: ForNames<'t>) {
        for name in names.iter() {
            self.add(name.span(), WordKind::Parameter);
        }
        self.scopes.push(names);
    }

    fn leave_scope(&mut self, _: ForNames<'t>) {
        self.scopes.pop();
    }
}
