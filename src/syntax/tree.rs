//! The tree: one flat vector of nodes that refer to each other by index.
//!
//! There is no allocation for a node, and no text in it: a node knows its tokens, and those know
//! their places in the source. Dropping a tree, however deep, is dropping a few vectors. Users see
//! it through the handles of [`ast`](super::ast).

use std::sync::Arc;

use super::token::Tokens;
use crate::source::{Source, Span};

/// No node, or no token.
pub(crate) const NONE: u32 = u32::MAX;

/// What a node is, and what its `first` and `second` are. "Children" are the start and the length
/// of a run in [`Tree::children`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum NodeKind {
    /// Children: what is within and was looked at for further errors.
    Error,
    /// Within [`Error`](NodeKind::Error): a region of its own. None, root of the region.
    Orphan,
    /// Children: attributes and blocks.
    Body,
    /// Token of the name, root of the expression.
    Attribute,
    /// Token of the type, Body.
    Block,
    /// None, none.
    Literal,
    /// None, none.
    Variable,
    /// None, none: a variable with the attribute accesses that are the tokens after it.
    Traversal,
    /// The value to which a splat's accesses apply. None, none.
    Item,
    /// Operand, none; the name is the last token.
    GetAttr,
    /// Operand, none; the number is the last token.
    LegacyIndex,
    /// Operand, key.
    Index,
    /// Operand, key: the key is a literal value.
    ConstIndex,
    /// Operand, what is done with each element.
    AttrSplat,
    /// Operand, what is done with each element.
    FullSplat,
    /// Children: arguments; the first tokens are the name.
    FunctionCall,
    /// The same, with "..." after the last argument.
    ExpandedCall,
    /// Children: elements.
    Tuple,
    /// Children: key, value, key, value, and so on.
    Object,
    /// Children: collection, none, value, condition or none.
    ForTuple,
    /// Children: collection, key, value, condition or none.
    ForObject,
    /// The same, with "..." after the value.
    ForGroup,
    /// Children: predicate, true result, false result.
    Conditional,
    /// Left, right; the operator is the token after the left one.
    BinaryOp,
    /// Operand, none; the operator is the first token.
    UnaryOp,
    /// Inner expression, none.
    Parentheses,
    /// None, root of the template.
    TemplateExpr,
    /// Children: parts.
    Template,
    /// None, none.
    TemplateLiteral,
    /// None, root of the expression.
    Interpolation,
    /// Children: Template, Template or none, token of the else or none. Root of the predicate.
    TemplateIf,
    /// Children: Template. Root of the collection.
    TemplateFor,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub kind: NodeKind,
    /// The first token.
    pub start: u32,
    /// The last token. An empty template has none as both.
    pub end: u32,
    pub first: u32,
    pub second: u32,
}

/// What a parse results in, whatever it was of.
pub(crate) struct Tree {
    pub source: Arc<Source>,
    pub tokens: Tokens,
    pub nodes: Vec<Node>,
    pub children: Vec<u32>,
    pub root: u32,
}

impl Tree {
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub fn children(&self, node: u32) -> &[u32] {
        let node = self.node(node);
        self.child_run(node.first, node.second)
    }

    pub fn child_run(&self, first: u32, count: u32) -> &[u32] {
        &self.children[first as usize..(first + count) as usize]
    }

    pub fn text(&self) -> &str {
        self.source.text()
    }

    pub fn token_span(&self, token: u32) -> Span {
        self.tokens.span(token)
    }

    pub fn token_text(&self, token: u32) -> &str {
        self.source.slice(self.token_span(token))
    }

    /// The name of an attribute access, the number of a legacy index, or a whole token.
    pub fn name_text(&self, token: u32) -> &str {
        self.source.slice(self.tokens.name_span(token))
    }

    /// From the start of one token to the end of another.
    pub fn tokens_span(&self, first: u32, last: u32) -> Span {
        if first == NONE || last == NONE {
            return Span::default();
        }
        let start = self.token_span(first);
        let end = self.token_span(last);
        Span::new(start.start() as u32, end.end().max(start.start()) as u32)
    }

    pub fn span(&self, node: u32) -> Span {
        let node = self.node(node);
        self.tokens_span(node.start, node.end)
    }
}
