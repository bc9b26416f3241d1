//! The tree: one flat vector of nodes that refer to each other by index.
//!
//! Nodes are not allocated separately and contain no text: a node knows its tokens, and those know their places in the
//! source. Dropping a tree, however deep, only drops a few vectors. Users see it through the handles of
//! [`ast`](super::ast).

use std::sync::Arc;

use super::index::{NodeIndex, TokenIndex};
use super::operator::UnaryOperator;
use super::token::{TokenKind, Tokens};
use crate::reading::Dialect;
use crate::source::{Source, Span};

/// The kind of a node, which determines its `first` and `second`. "Children" are the start and the length of a run in
/// [`Tree::children`], which is [`Node::run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum NodeKind {
    /// Children: the parts within that were parsed for further errors.
    Error,
    /// Within [`Error`](NodeKind::Error): a region of its own, or a reference. None, root of the region.
    Orphan,
    /// Children: attributes and blocks.
    Body,
    /// Token of the name, root of the expression.
    Attribute,
    /// Token of the type, Body.
    Block,
    /// None, or as the key of a [`ConstIndex`](NodeKind::ConstIndex) the source of its path. None.
    Literal,
    /// None, none.
    Variable,
    /// None, none: a variable with the attribute accesses that are the tokens after it.
    Traversal,
    /// The value to which a splat's accesses apply. None, none.
    Item,
    /// Operand, source of the path: the first operand that is not a constant access, stored so that nobody has to walk
    /// all steps to find it. The name is the last token.
    GetAttr,
    /// Operand, source of the path; the number is the last token.
    LegacyIndex,
    /// Operand, key.
    Index,
    /// Operand, key: the key is a literal value, and its node has the source of the path.
    ConstIndex,
    /// Operand, the expression for each element.
    AttrSplat,
    /// Operand, the expression for each element.
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
    /// Left, right; the operator is the token after the left operand.
    BinaryOp,
    /// Operand, none; the operator is the first token.
    UnaryOp,
    /// Inner expression, none.
    Parentheses,
    /// None, or as the key of a [`ConstIndex`](NodeKind::ConstIndex) the source of its path. Root of the template.
    TemplateExpr,
    /// Children: parts.
    Template,
    /// None, none.
    TemplateLiteral,
    /// None, root of the expression.
    Interpolation,
    /// Start of a run of children, which are a Template and a Template or none. Root of the predicate.
    TemplateIf,
    /// Template, root of the collection.
    TemplateFor,
}

// The kinds by the places where they occur, as patterns. Each kind is in exactly one of these. A match that lists some
// kinds and covers the rest with these patterns does not compile until a new kind is in one of them, and until the
// match handles the kind wherever it can occur.

/// The things in a body.
macro_rules! item_kinds {
    () => {
        NodeKind::Attribute | NodeKind::Block
    };
}

/// Expressions.
macro_rules! expression_kinds {
    () => {
        NodeKind::Literal
            | NodeKind::Variable
            | NodeKind::Traversal
            | NodeKind::Item
            | NodeKind::GetAttr
            | NodeKind::LegacyIndex
            | NodeKind::Index
            | NodeKind::ConstIndex
            | NodeKind::AttrSplat
            | NodeKind::FullSplat
            | NodeKind::FunctionCall
            | NodeKind::ExpandedCall
            | NodeKind::Tuple
            | NodeKind::Object
            | NodeKind::ForTuple
            | NodeKind::ForObject
            | NodeKind::ForGroup
            | NodeKind::Conditional
            | NodeKind::BinaryOp
            | NodeKind::UnaryOp
            | NodeKind::Parentheses
            | NodeKind::TemplateExpr
    };
}

/// The parts of a template.
macro_rules! part_kinds {
    () => {
        NodeKind::TemplateLiteral | NodeKind::Interpolation | NodeKind::TemplateIf | NodeKind::TemplateFor
    };
}

/// The kinds that occur only in specific places, and the kind for syntax errors.
macro_rules! other_kinds {
    () => {
        NodeKind::Error | NodeKind::Orphan | NodeKind::Body | NodeKind::Template
    };
}

pub(crate) use {expression_kinds, item_kinds, other_kinds, part_kinds};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub kind: NodeKind,
    /// The first token.
    pub start: TokenIndex,
    /// The last token. An empty template has no tokens, so both are `NONE`.
    pub end: TokenIndex,
    pub first: Slot,
    pub second: Slot,
}

/// A token, a node, or part of a run of children, depending on the kind of its node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot(u32);

impl Slot {
    pub const NONE: Slot = Slot(u32::MAX);

    #[inline]
    pub fn node(self) -> NodeIndex {
        NodeIndex::new(self.0)
    }

    #[inline]
    pub fn token(self) -> TokenIndex {
        TokenIndex::new(self.0)
    }

    /// Returns the run of `count` children that begins here.
    #[inline]
    pub fn run_of(self, count: u32) -> Run {
        Run { start: self.0, count }
    }
}

impl From<NodeIndex> for Slot {
    #[inline]
    fn from(node: NodeIndex) -> Slot {
        Slot(node.get())
    }
}

impl From<TokenIndex> for Slot {
    #[inline]
    fn from(token: TokenIndex) -> Slot {
        Slot(token.get())
    }
}

/// Adjacent nodes in [`Tree::children`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    start: u32,
    count: u32,
}

impl Run {
    #[inline]
    pub fn new(start: usize, count: usize) -> Self {
        Run { start: start as u32, count: count as u32 }
    }

    /// Returns the run as the `first` and `second` of a node.
    #[inline]
    pub fn slots(self) -> (Slot, Slot) {
        (Slot(self.start), Slot(self.count))
    }

    #[inline]
    pub fn start(self) -> usize {
        self.start as usize
    }

    #[inline]
    pub fn len(self) -> usize {
        self.count as usize
    }

    #[inline]
    pub fn of(self, children: &[NodeIndex]) -> &[NodeIndex] {
        &children[self.start()..self.start() + self.len()]
    }
}

impl Node {
    /// Returns the children of a node that stores them in its `first` and `second`.
    #[inline]
    pub fn run(&self) -> Run {
        self.first.run_of(self.second.0)
    }
}

/// The result of a parse of any kind of source.
pub(crate) struct Tree {
    pub source: Arc<Source>,
    pub tokens: Tokens,
    pub nodes: Vec<Node>,
    pub children: Vec<NodeIndex>,
    pub root: NodeIndex,
    /// The dialect for parsing and evaluation.
    pub dialect: Dialect,
}

impl Tree {
    pub fn node(&self, node: NodeIndex) -> &Node {
        &self.nodes[node.as_usize()]
    }

    pub fn children(&self, node: NodeIndex) -> &[NodeIndex] {
        self.node(node).run().of(&self.children)
    }

    /// Returns true if a reference is a piece of an expression that could not be parsed as a whole: the parser writes
    /// the orphan of such a reference right after it.
    pub fn is_left_out(&self, reference: NodeIndex) -> bool {
        let after = self.nodes.get(reference.as_usize() + 1);
        after.is_some_and(|node| node.kind == NodeKind::Orphan && node.second.node() == reference)
    }

    /// Calls `child` with each direct child of a node, in source order. Every walk over a tree uses this list.
    pub fn each_child(&self, parent: NodeIndex, child: impl FnMut(NodeIndex)) {
        use NodeKind::*;
        let node = self.node(parent);
        let (first, second) = (|| node.first.node(), || node.second.node());
        let listed = match node.kind {
            Literal | Variable | Traversal | Item | TemplateLiteral => [NodeIndex::NONE; 3],
            Attribute | Block | Orphan | TemplateExpr | Interpolation => [second(), NodeIndex::NONE, NodeIndex::NONE],
            GetAttr | LegacyIndex | UnaryOp | Parentheses => [first(), NodeIndex::NONE, NodeIndex::NONE],
            Index | ConstIndex | AttrSplat | FullSplat | BinaryOp => [first(), second(), NodeIndex::NONE],
            TemplateIf => {
                let parts = self.run(node.first.run_of(2));
                [second(), parts[0], parts[1]]
            }
            TemplateFor => [second(), first(), NodeIndex::NONE],
            Error | Body | FunctionCall | ExpandedCall | Tuple | Object | ForTuple | ForObject | ForGroup
            | Conditional | Template => return present(self.children(parent), child),
        };
        present(&listed, child);
    }

    /// Returns the token of the operator of a unary operation, and true if it is after the operand.
    pub fn unary_operator(&self, operation: &Node) -> (TokenIndex, bool) {
        // An operation with the operator before its operand ends where the operand ends.
        let is_after = UnaryOperator::HAS_AFTER && self.node(operation.first.node()).end != operation.end;
        (if is_after { operation.end } else { operation.start }, is_after)
    }

    /// Returns the first token of the name of a called function, and the token after the name.
    pub fn called_name(&self, call: &Node) -> (TokenIndex, TokenIndex) {
        let mut end = call.start;
        while self.tokens.kind(end) != TokenKind::OpenParen && end < call.end {
            end += 1;
        }
        (call.start, end)
    }

    pub fn run(&self, run: Run) -> &[NodeIndex] {
        run.of(&self.children)
    }

    pub fn text(&self) -> &str {
        self.source.text()
    }

    pub fn token_span(&self, token: TokenIndex) -> Span {
        self.tokens.span(token)
    }

    pub fn token_text(&self, token: TokenIndex) -> &str {
        self.source.slice(self.token_span(token))
    }

    /// Returns the name of an attribute access, the number of a legacy index, or the text of any other token.
    pub fn name_text(&self, token: TokenIndex) -> &str {
        self.source.slice(self.tokens.name_span(token))
    }

    /// Returns the span from the start of one token to the end of another.
    pub fn tokens_span(&self, first: TokenIndex, last: TokenIndex) -> Span {
        if first == TokenIndex::NONE || last == TokenIndex::NONE {
            return Span::default();
        }
        let start = self.token_span(first);
        let end = self.token_span(last);
        Span::new(start.start(), end.end().max(start.start()))
    }

    pub fn span(&self, node: NodeIndex) -> Span {
        let node = self.node(node);
        if node.kind == NodeKind::Error
            && let Some(place) = self.missing_value(node.start)
        {
            return place;
        }
        self.tokens_span(node.start, node.end)
    }

    /// Returns the empty span after an equals sign and its blank, if the value of the attribute is missing: `token`,
    /// which should begin the value, ends the attribute.
    fn missing_value(&self, token: TokenIndex) -> Option<Span> {
        let equals = token
            .checked_sub(1)
            .filter(|&before| self.tokens.kind(before) == TokenKind::Value && self.tokens.closer(before) == token)?;
        let end = self.tokens.end(equals);
        let place = end + u32::from(self.source.text().as_bytes().get(end as usize) == Some(&b' '));
        Some(Span::of(place, place))
    }
}

/// Calls `child` with the nodes of a list that exist. An object element that could not be parsed is a single node, both
/// key and value.
fn present(nodes: &[NodeIndex], mut child: impl FnMut(NodeIndex)) {
    let mut last = NodeIndex::NONE;
    for &node in nodes.iter().filter(|&&node| node != NodeIndex::NONE) {
        if node != last {
            child(node);
        }
        last = node;
    }
}

#[cfg(test)]
#[path = "../../tests/support/cases.rs"]
mod cases;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::{NodeIndex, NodeKind, Tree, cases};
    use crate::syntax::File;

    /// The number of nodes of each kind.
    fn counts(tree: &Tree, nodes: impl Iterator<Item = NodeIndex>) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        nodes.for_each(|node| *counts.entry(format!("{:?}", tree.node(node).kind)).or_default() += 1);
        counts
    }

    /// Every node of a tree without errors is reached exactly once from the root. A child that `each_child` omits is
    /// missing in all walks, and so in the dump by which other tests see a tree.
    #[test]
    fn every_node_is_the_child_of_another() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut kinds = BTreeMap::new();
        for (name, bytes) in cases::inputs(&root.join("tests/fixtures")) {
            if !cases::has_extension(&name, &["hcl", "tf", "tfvars", "nomad"]) {
                continue;
            }
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let Ok(file) = crate::parse::<File>(text).into_result() else { continue };
            let tree = file.tree();
            let (mut reached, mut waiting) = (Vec::new(), vec![tree.root]);
            while let Some(node) = waiting.pop() {
                reached.push(node);
                tree.each_child(node, |child| waiting.push(child));
            }
            // An orphan owns a region until it is read, and is nobody's child.
            let is_kept = |node: &NodeIndex| tree.node(*node).kind != NodeKind::Orphan;
            let all = (0..tree.nodes.len() as u32).map(NodeIndex::new).filter(is_kept);
            assert_eq!(counts(tree, reached.into_iter()), counts(tree, all.clone()), "{name}");
            counts(tree, all).into_iter().for_each(|(kind, count)| *kinds.entry(kind).or_insert(0) += count);
        }
        // All kinds but those for errors.
        assert_eq!(kinds.len(), 30, "each kind of node is in a fixture: {kinds:?}");
    }
}
