//! The actions of the grammars. Their arguments are [`Symbol`]s, the only type of value in the grammars. Each action
//! extracts what the grammar stored in a symbol: a token, a node, or a list, which is the number of nodes that were
//! pending when it began.

mod left_out;

use super::round::{Checkpoint, Recovery, Round};
use super::terminal::TerminalKind;
use crate::syntax::index::{ListIndex, NodeIndex, Symbol, TokenIndex};
use crate::syntax::operator::BinaryOperator;
use crate::syntax::token::{TokenKind, Tokens};
use crate::syntax::tree::{Node, NodeKind, Run, Slot};

/// Tokens that wait for their grammar, and the node whose `second` will be their root.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    pub start: TokenIndex,
    pub end: TokenIndex,
    pub owner: NodeIndex,
}

/// A part of an expression or body that is left out when the rest is parsed again.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct BadPiece {
    pub kind: TerminalKind,
    pub start: TokenIndex,
    pub end: TokenIndex,
    /// The tokens within it that are lines of a body, with their end; or none.
    pub lines: (TokenIndex, TokenIndex),
}

impl BadPiece {
    pub fn new(kind: TerminalKind, start: TokenIndex, end: TokenIndex) -> Self {
        BadPiece { kind, start, end, lines: (end, end) }
    }
}

pub(crate) struct Builder<'t> {
    source: &'t [u8],
    pub tokens: &'t Tokens,
    pub nodes: Vec<Node>,
    pub children: Vec<NodeIndex>,
    /// The regions of the next rounds.
    pub bodies: Vec<Region>,
    pub expressions: Vec<Region>,
    pub templates: Vec<Region>,
    /// The round under way.
    pub round: Round,
    /// The elements of the lists that are being read.
    pending: Vec<NodeIndex>,
    /// Bodies and objects with more than one item, to be checked for duplicate names.
    pub named_bodies: Vec<Run>,
    pub named_objects: Vec<Run>,
}

impl<'t> Builder<'t> {
    pub fn new(source: &'t [u8], tokens: &'t Tokens) -> Self {
        let count = tokens.len() as usize;
        Builder {
            source,
            tokens,
            nodes: Vec::with_capacity(count / 2 + 1),
            children: Vec::with_capacity(count / 3 + 1),
            bodies: Vec::with_capacity((count / 64 + 4).min(1 << 12)),
            expressions: Vec::with_capacity((count / 8).min(1 << 12)),
            templates: Vec::with_capacity((count / 64 + 4).min(1 << 12)),
            round: Round::default(),
            pending: Vec::with_capacity(64),
            named_bodies: Vec::with_capacity((count / 64 + 4).min(1 << 12)),
            named_objects: Vec::with_capacity(count / 64 + 4),
        }
    }

    // Rounds.

    pub fn begin_round(&mut self, waiting: Vec<Region>) {
        self.round = Round::new(waiting, self.pending.len());
        self.set_checkpoint();
    }

    #[inline]
    fn set_checkpoint(&mut self) {
        self.round.checkpoint = Checkpoint { nodes: self.nodes.len(), children: self.children.len() };
        if !self.round.bad.is_empty() {
            self.round.bad.clear();
        }
    }

    /// Applies the decision of a recovery after an error.
    pub fn recover(&mut self, region: Region, recovery: Recovery) {
        match recovery {
            Recovery::RetryLines { from, without } => {
                self.pending.truncate(self.round.body.pending);
                self.round.resume = from;
                self.round.bad = without;
            }
            Recovery::Retry { without } => {
                self.roll_back();
                self.round.resume = region.start;
                self.round.bad = without;
            }
            Recovery::LeaveOut => {
                self.roll_back();
                let error = self.error(BadPiece::new(TerminalKind::BadExpression, region.start, region.end));
                self.set_root(region.owner, error);
                self.round.resume = self.round.region().map_or(TokenIndex::FIRST, |next| next.start);
            }
        }
    }

    /// Discards the nodes of the current region.
    fn roll_back(&mut self) {
        let Checkpoint { nodes, children } = self.round.checkpoint;
        self.nodes.truncate(nodes);
        self.children.truncate(children);
        self.pending.truncate(self.round.pending);
        for waiting in [&mut self.expressions, &mut self.templates] {
            while waiting.last().is_some_and(|region| region.owner.as_usize() >= nodes) {
                waiting.pop();
            }
        }
        while self.named_objects.last().is_some_and(|run| run.start() >= children) {
            self.named_objects.pop();
        }
    }

    /// Returns true if the region consists of the lines of a block that looked like a one-line block but is not.
    pub fn is_lines_of_bad_block(&self, region: Region) -> bool {
        self.nodes.get(region.owner.as_usize()).is_some_and(|owner| owner.kind == NodeKind::Orphan)
            && region.start > TokenIndex::FIRST
            && self.tokens.kind(region.start) == TokenKind::Newline
            && self.tokens.kind(region.start - 1) != TokenKind::OpenBlock
    }

    #[inline]
    pub fn root(&mut self, owner: Symbol, root: Symbol) -> Symbol {
        self.set_root(owner.node(), root.node());
        root
    }

    #[inline]
    fn set_root(&mut self, owner: NodeIndex, root: NodeIndex) {
        self.nodes[owner.as_usize()].second = root.into();
        self.round.region_is_done();
        self.set_checkpoint();
    }

    // Nodes of any kind.

    pub fn no_node(&self) -> Symbol {
        NodeIndex::NONE.into()
    }

    /// The index that the next node will have.
    #[inline]
    fn next_node(&self) -> NodeIndex {
        NodeIndex::new(self.nodes.len() as u32)
    }

    pub fn node(
        &mut self,
        kind: NodeKind,
        start: TokenIndex,
        end: TokenIndex,
        first: impl Into<Slot>,
        second: impl Into<Slot>,
    ) -> NodeIndex {
        let node = self.next_node();
        self.nodes.push(Node { kind, start, end, first: first.into(), second: second.into() });
        node
    }

    fn node_with_run(&mut self, kind: NodeKind, start: TokenIndex, end: TokenIndex, run: Run) -> NodeIndex {
        let (first, second) = run.slots();
        self.node(kind, start, end, first, second)
    }

    fn last_token(&self, node: NodeIndex) -> TokenIndex {
        self.nodes[node.as_usize()].end
    }

    fn first_token(&self, node: NodeIndex) -> TokenIndex {
        self.nodes[node.as_usize()].start
    }

    #[inline]
    pub fn begin_list(&self) -> Symbol {
        self.new_list().into()
    }

    #[inline]
    fn new_list(&self) -> ListIndex {
        ListIndex::new(self.pending.len())
    }

    #[inline]
    pub fn element(&mut self, list: Symbol, element: Symbol) -> Symbol {
        self.pending.push(element.node());
        list
    }

    #[inline]
    pub fn list(&mut self, kind: NodeKind, open: Symbol, list: Symbol, close: Symbol) -> Symbol {
        self.node_with_list(kind, open.token(), list.list(), close.token()).into()
    }

    /// Adds a node whose children are the elements of a list.
    #[inline]
    fn node_with_list(&mut self, kind: NodeKind, open: TokenIndex, list: ListIndex, close: TokenIndex) -> NodeIndex {
        let (first, list) = (self.children.len(), list.as_usize());
        // Most lists are so short that calling a function to copy them takes longer.
        for &child in &self.pending[list..] {
            self.children.push(child);
        }
        let run = Run::new(first, self.pending.len() - list);
        self.pending.truncate(list);
        self.node_with_run(kind, open, close, run)
    }

    fn fixed_children<const N: usize>(&mut self, children: [NodeIndex; N]) -> Run {
        let run = Run::new(self.children.len(), N);
        self.children.extend_from_slice(&children);
        run
    }

    #[inline]
    pub fn term(&mut self, kind: NodeKind, token: Symbol) -> Symbol {
        self.node_of_token(kind, token.token()).into()
    }

    #[inline]
    fn node_of_token(&mut self, kind: NodeKind, token: TokenIndex) -> NodeIndex {
        self.node(kind, token, token, Slot::NONE, Slot::NONE)
    }

    // The structural language.

    pub fn begin_body(&mut self) -> Symbol {
        // After an error the items before it are kept.
        let list = self.round.body.list.unwrap_or(self.new_list());
        self.round.body.list = Some(list);
        self.round.body.pending = self.pending.len();
        list.into()
    }

    pub fn body_item(&mut self, items: Symbol, item: Symbol, newline: Symbol) -> Symbol {
        self.pending.push(item.node());
        self.round.body.pending = self.pending.len();
        self.round.body.next = newline.token() + 1;
        items
    }

    pub fn bad_end(&mut self, items: Symbol, token: Symbol) -> Symbol {
        let error = self.bad(token);
        self.element(items, error)
    }

    pub fn body_root(&mut self, owner: Symbol, items: Symbol) -> Symbol {
        let owner = owner.node();
        // The owner of a waiting body has the opening brace in place of the body.
        let Node { end, second: open, .. } = self.nodes[owner.as_usize()];
        let body = self.node_with_list(NodeKind::Body, open.token(), items.list(), end);
        self.nodes[owner.as_usize()].second = body.into();
        self.round.body_is_done();
        let run = self.nodes[body.as_usize()].run();
        if run.len() > 1 {
            self.named_bodies.push(run);
        }
        body.into()
    }

    #[inline]
    pub fn attribute(&mut self, name: Symbol, value: Symbol) -> Symbol {
        let (name, value) = (name.token(), value.token());
        let end = self.tokens.closer(value);
        let owner = self.node(NodeKind::Attribute, name, end - 1, name, Slot::NONE);
        self.expression(Region { start: value + 1, end, owner });
        owner.into()
    }

    pub fn block(&mut self, block_type: Symbol, open: Symbol) -> Symbol {
        let (block_type, open) = (block_type.token(), open.token());
        let close = self.tokens.closer(open);
        let owner = self.node(NodeKind::Block, block_type, close, block_type, open);
        self.bodies.push(Region { start: open + 1, end: close, owner });
        owner.into()
    }

    pub fn empty_block(&mut self, block_type: Symbol, open: Symbol, close: Symbol) -> Symbol {
        self.block_with_body(block_type, open, Run::new(self.children.len(), 0), close)
    }

    pub fn one_line_block(&mut self, block_type: Symbol, [open, name, value, close]: [Symbol; 4]) -> Symbol {
        let attribute = self.attribute(name, value);
        let run = self.fixed_children([attribute.node()]);
        self.block_with_body(block_type, open, run, close)
    }

    fn block_with_body(&mut self, block_type: Symbol, open: Symbol, items: Run, close: Symbol) -> Symbol {
        let (block_type, close) = (block_type.token(), close.token());
        let body = self.node_with_run(NodeKind::Body, open.token(), close, items);
        self.node(NodeKind::Block, block_type, close, block_type, body).into()
    }

    // The expression language.

    /// Adds the expression of a node. It waits for its grammar, unless it is a single terminal: a literal, a variable
    /// or a traversal. More than half of all expressions are, and creating their nodes here saves a run over three
    /// terminals for each. The rule `Simple` creates the same nodes: keep both in step. `tests/syntax/simple.rs`
    /// compares them.
    #[inline]
    fn expression(&mut self, region: Region) {
        let Region { start, end, owner } = region;
        let term = match self.tokens.kind(start) {
            TokenKind::Literal if start + 1 == end => Some((NodeKind::Literal, start)),
            TokenKind::Identifier if start + 1 == end => Some((NodeKind::Variable, start)),
            TokenKind::Identifier => Some((NodeKind::Traversal, self.last_access(start))),
            _ => None,
        };
        match term {
            Some((kind, last)) if last + 1 == end => {
                let root = self.node(kind, start, last, Slot::NONE, Slot::NONE);
                self.nodes[owner.as_usize()].second = root.into();
            }
            _ => self.expressions.push(region),
        }
    }

    /// Returns the last of the attribute accesses right after a token, or the token itself.
    #[inline]
    fn last_access(&self, mut token: TokenIndex) -> TokenIndex {
        while self.tokens.kind(token + 1) == TokenKind::GetAttr {
            token += 1;
        }
        token
    }

    #[inline]
    pub fn traversal(&mut self, variable: Symbol) -> Symbol {
        let variable = variable.token();
        let last = self.last_access(variable);
        self.node(NodeKind::Traversal, variable, last, Slot::NONE, Slot::NONE).into()
    }

    pub fn template_expr(&mut self, open: Symbol) -> Symbol {
        let open = open.token();
        let close = self.tokens.closer(open);
        let owner = self.node(NodeKind::TemplateExpr, open, close, Slot::NONE, Slot::NONE);
        self.templates.push(Region { start: open + 1, end: close, owner });
        owner.into()
    }

    pub fn parentheses(&mut self, open: Symbol, inner: Symbol, close: Symbol) -> Symbol {
        self.node(NodeKind::Parentheses, open.token(), close.token(), inner.node(), Slot::NONE).into()
    }

    pub fn access(&mut self, kind: NodeKind, operand: Symbol, token: Symbol) -> Symbol {
        let operand = operand.node();
        self.node(kind, self.first_token(operand), token.token(), operand, self.path_source(operand)).into()
    }

    /// Returns the operand of the constant path at the end of an operand; the operand itself, if it does not end with
    /// such a path.
    #[inline]
    fn path_source(&self, operand: NodeIndex) -> NodeIndex {
        let Node { kind, second, .. } = self.nodes[operand.as_usize()];
        match kind {
            NodeKind::GetAttr | NodeKind::LegacyIndex => second.node(),
            NodeKind::ConstIndex => self.nodes[second.node().as_usize()].first.node(),
            _ => operand,
        }
    }

    pub fn index(&mut self, operand: Symbol, key: Symbol, close: Symbol) -> Symbol {
        let (operand, key) = (operand.node(), key.node());
        let kind = match self.nodes[key.as_usize()].kind {
            NodeKind::Literal => NodeKind::ConstIndex,
            NodeKind::TemplateExpr if self.is_text(key) => NodeKind::ConstIndex,
            _ => NodeKind::Index,
        };
        if kind == NodeKind::ConstIndex {
            self.nodes[key.as_usize()].first = self.path_source(operand).into();
        }
        self.node(kind, self.first_token(operand), close.token(), operand, key).into()
    }

    /// Returns true if a template is only text.
    fn is_text(&self, template: NodeIndex) -> bool {
        let Node { start, end, .. } = self.nodes[template.as_usize()];
        start + 1 == end || start + 2 == end && self.tokens.kind(start + 1) == TokenKind::TemplateLiteral
    }

    /// Adds the node to which the accesses of a splat apply. The splat fills in its token.
    pub fn item(&mut self) -> Symbol {
        self.node_of_token(NodeKind::Item, TokenIndex::NONE).into()
    }

    pub fn splat(&mut self, kind: NodeKind, operand: Symbol, token: Symbol, each: Symbol) -> Symbol {
        let (operand, token, each) = (operand.node(), token.token(), each.node());
        // The accesses begin at the item.
        let mut access = each;
        loop {
            let node = &mut self.nodes[access.as_usize()];
            if node.start != TokenIndex::NONE {
                break;
            }
            node.start = token;
            if node.kind == NodeKind::Item {
                node.end = token;
                break;
            }
            access = node.first.node();
        }
        self.node(kind, self.first_token(operand), self.last_token(each), operand, each).into()
    }

    pub fn object(&mut self, open: Symbol, list: Symbol, close: Symbol) -> Symbol {
        let object = self.list(NodeKind::Object, open, list, close);
        let run = self.nodes[object.node().as_usize()].run();
        if run.len() > 2 {
            self.named_objects.push(run);
        }
        object
    }

    pub fn for_expr(&mut self, kind: NodeKind, open: Symbol, parts: [Symbol; 4], close: Symbol) -> Symbol {
        let run = self.fixed_children(parts.map(Symbol::node));
        self.node_with_run(kind, open.token(), close.token(), run).into()
    }

    pub fn conditional(&mut self, predicate: Symbol, then: Symbol, otherwise: Symbol) -> Symbol {
        let parts = [predicate.node(), then.node(), otherwise.node()];
        let (first, last) = (self.first_token(parts[0]), self.last_token(parts[2]));
        let run = self.fixed_children(parts);
        self.node_with_run(NodeKind::Conditional, first, last, run).into()
    }

    pub fn unary_op(&mut self, operator: Symbol, operand: Symbol) -> Symbol {
        let operand = operand.node();
        self.node(NodeKind::UnaryOp, operator.token(), self.last_token(operand), operand, Slot::NONE).into()
    }

    /// Adds a binary operation. Operators arrive from left to right, so a new one takes as its left operand as much of
    /// the right edge of the earlier operations as binds before it.
    pub fn binary_op(&mut self, left: Symbol, operator: Symbol, right: Symbol) -> Symbol {
        let (binary, right) = (self.operator(operator.token()), right.node());
        let end = self.last_token(right);
        let (mut edge, mut operand) = (NodeIndex::NONE, left.node());
        loop {
            let Node { kind, first, second, .. } = self.nodes[operand.as_usize()];
            if kind != NodeKind::BinaryOp || self.operator(self.last_token(first.node()) + 1).binds_before(binary) {
                break;
            }
            self.nodes[operand.as_usize()].end = end;
            (edge, operand) = (operand, second.node());
        }
        let operation = self.node(NodeKind::BinaryOp, self.first_token(operand), end, operand, right);
        if edge == NodeIndex::NONE {
            return operation.into();
        }
        self.nodes[edge.as_usize()].second = operation.into();
        left
    }

    fn operator(&self, token: TokenIndex) -> BinaryOperator {
        let at = self.tokens.start(token) as usize;
        BinaryOperator::beginning_of(self.source.get(at..).unwrap_or_default())
    }

    pub fn pair(&mut self, list: Symbol, key: Symbol, value: Symbol) -> Symbol {
        self.pending.extend([key.node(), value.node()]);
        list
    }

    // The template language.

    pub fn template(&mut self, parts: Symbol) -> Symbol {
        let (start, end) = match &self.pending[parts.list().as_usize()..] {
            [first, .., last] => (self.first_token(*first), self.last_token(*last)),
            [only] => (self.first_token(*only), self.last_token(*only)),
            [] => (TokenIndex::NONE, TokenIndex::NONE),
        };
        self.node_with_list(NodeKind::Template, start, parts.list(), end).into()
    }

    /// Adds a node of a template whose expression begins at a token and ends with the sequence that `open` begins.
    fn wait_for_sequence(
        &mut self,
        kind: NodeKind,
        open: TokenIndex,
        end: TokenIndex,
        first: impl Into<Slot>,
        start: TokenIndex,
    ) -> Symbol {
        let owner = self.node(kind, open, end, first, Slot::NONE);
        self.expression(Region { start, end: self.tokens.closer(open), owner });
        owner.into()
    }

    pub fn interpolation(&mut self, open: Symbol) -> Symbol {
        let open = open.token();
        self.wait_for_sequence(NodeKind::Interpolation, open, self.tokens.closer(open), Slot::NONE, open + 1)
    }

    pub fn template_if(&mut self, open: Symbol, then: Symbol, other: Symbol, close: Symbol) -> Symbol {
        let (open, close) = (open.token(), self.tokens.closer(close.token()));
        let (parts, _) = self.fixed_children([then.node(), other.node()]).slots();
        self.wait_for_sequence(NodeKind::TemplateIf, open, close, parts, open + 2)
    }

    pub fn template_for(&mut self, open: Symbol, keyword: Symbol, body: Symbol, close: Symbol) -> Symbol {
        let close = self.tokens.closer(close.token());
        self.wait_for_sequence(NodeKind::TemplateFor, open.token(), close, body.node(), keyword.token() + 1)
    }

    // The pieces that could not be parsed.

    pub fn bad(&mut self, token: Symbol) -> Symbol {
        let token = token.token();
        let piece = self.round.bad.iter().find(|piece| piece.start == token).copied();
        self.error(piece.unwrap_or(BadPiece::new(TerminalKind::Unexpected, token, token + 1))).into()
    }

    pub fn bad_pair(&mut self, list: Symbol, token: Symbol) -> Symbol {
        let error = self.bad(token);
        self.pair(list, error, error)
    }
}
