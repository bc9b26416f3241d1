//! What the grammars' actions call. All symbols of the grammars are a `u32`: a token, a node, or a
//! list, which is the number of nodes that were pending when it began.

use super::terminal::TerminalKind;
use crate::syntax::token::{TokenKind, Tokens};
use crate::syntax::tree::{NONE, Node, NodeKind};

/// Tokens that wait for a run of their grammar, and the node whose `second` will be their root.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    pub start: u32,
    pub end: u32,
    pub owner: u32,
}

/// A piece of an expression or body that is left out when the rest is parsed again.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct BadPiece {
    pub kind: TerminalKind,
    pub start: u32,
    pub end: u32,
    /// Within it, tokens that are the lines of a body, with their end; or none.
    pub lines: (u32, u32),
}

impl BadPiece {
    pub fn new(kind: TerminalKind, start: u32, end: u32) -> Self {
        BadPiece { kind, start, end, lines: (end, end) }
    }
}

/// How much there was when a region began, to go back to. What waits refers to nodes, so that it
/// need not be counted.
#[derive(Clone, Copy, Default)]
struct Checkpoint {
    nodes: usize,
    children: usize,
}

pub(crate) struct Builder<'t> {
    source: &'t [u8],
    pub tokens: &'t Tokens,
    pub nodes: Vec<Node>,
    pub children: Vec<u32>,
    /// The regions of the next rounds.
    pub bodies: Vec<Region>,
    pub expressions: Vec<Region>,
    pub templates: Vec<Region>,
    /// How many regions of the round under way have their root.
    pub done: usize,
    /// The pieces of the region under way that are left out, in order.
    pub bad: Vec<BadPiece>,
    pending: Vec<u32>,
    checkpoint: Checkpoint,
    /// How many nodes were pending when the round began, and are whenever a region begins.
    round_pending: usize,
    /// The list of the body under way, how many nodes are pending with its last whole item, and the
    /// token after that.
    body: Option<u32>,
    body_end: usize,
    body_next: u32,
    /// Bodies and objects of more than one item, as runs of children, to be looked through for
    /// duplicate names.
    pub named_bodies: Vec<(u32, u32)>,
    pub named_objects: Vec<(u32, u32)>,
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
            done: 0,
            bad: Vec::new(),
            pending: Vec::with_capacity(64),
            checkpoint: Checkpoint::default(),
            round_pending: 0,
            body: None,
            body_end: 0,
            body_next: 0,
            named_bodies: Vec::with_capacity((count / 64 + 4).min(1 << 12)),
            named_objects: Vec::with_capacity(count / 64 + 4),
        }
    }

    // Rounds.

    pub fn begin_round(&mut self) {
        self.done = 0;
        self.round_pending = self.pending.len();
        self.set_checkpoint();
    }

    #[inline]
    fn set_checkpoint(&mut self) {
        self.checkpoint = Checkpoint { nodes: self.nodes.len(), children: self.children.len() };
        if !self.bad.is_empty() {
            self.bad.clear();
        }
    }

    /// Whether the region is the lines of a block that looked like a one-line block and is none.
    pub fn is_lines_of_bad_block(&self, region: Region) -> bool {
        self.nodes.get(region.owner as usize).is_some_and(|owner| owner.kind == NodeKind::Orphan)
            && region.start > 0
            && self.tokens.kind(region.start) == TokenKind::Newline
            && self.tokens.kind(region.start - 1) != TokenKind::OpenBlock
    }

    /// Forgets what came of the region under way.
    pub fn roll_back(&mut self) {
        let Checkpoint { nodes, children } = self.checkpoint;
        self.nodes.truncate(nodes);
        self.children.truncate(children);
        self.pending.truncate(self.round_pending);
        for waiting in [&mut self.expressions, &mut self.templates] {
            while waiting.last().is_some_and(|region| region.owner as usize >= nodes) {
                waiting.pop();
            }
        }
        while self.named_objects.last().is_some_and(|&(first, _)| first as usize >= children) {
            self.named_objects.pop();
        }
    }

    #[inline]
    pub fn root(&mut self, owner: u32, node: u32) -> u32 {
        self.nodes[owner as usize].second = node;
        self.done += 1;
        self.set_checkpoint();
        node
    }

    // Nodes of any kind.

    pub fn no_node(&self) -> u32 {
        NONE
    }

    pub fn node(&mut self, kind: NodeKind, start: u32, end: u32, first: u32, second: u32) -> u32 {
        self.nodes.push(Node { kind, start, end, first, second });
        self.nodes.len() as u32 - 1
    }

    fn last_token(&self, node: u32) -> u32 {
        self.nodes[node as usize].end
    }

    fn first_token(&self, node: u32) -> u32 {
        self.nodes[node as usize].start
    }

    #[inline]
    pub fn begin_list(&self) -> u32 {
        self.pending.len() as u32
    }

    #[inline]
    pub fn element(&mut self, list: u32, node: u32) -> u32 {
        self.pending.push(node);
        list
    }

    #[inline]
    pub fn list(&mut self, kind: NodeKind, open: u32, list: u32, close: u32) -> u32 {
        let (first, list) = (self.children.len() as u32, list as usize);
        self.children.extend_from_slice(&self.pending[list..]);
        let count = (self.pending.len() - list) as u32;
        self.pending.truncate(list);
        self.node(kind, open, close, first, count)
    }

    fn fixed_children<const N: usize>(&mut self, children: [u32; N]) -> u32 {
        let first = self.children.len() as u32;
        self.children.extend_from_slice(&children);
        first
    }

    #[inline]
    pub fn term(&mut self, kind: NodeKind, token: u32) -> u32 {
        self.node(kind, token, token, NONE, NONE)
    }

    // The structural language.

    pub fn begin_body(&mut self) -> u32 {
        // After an error the items before it are kept.
        let list = self.body.unwrap_or(self.pending.len() as u32);
        self.body = Some(list);
        self.body_end = self.pending.len();
        list
    }

    pub fn body_item(&mut self, items: u32, item: u32, newline: u32) -> u32 {
        self.pending.push(item);
        self.body_end = self.pending.len();
        self.body_next = newline + 1;
        items
    }

    pub fn bad_end(&mut self, items: u32, token: u32) -> u32 {
        let error = self.bad(token);
        self.pending.push(error);
        items
    }

    /// Forgets what was not a whole item of the body under way, and returns the first token of it.
    pub fn roll_back_item(&mut self, start: u32) -> u32 {
        self.pending.truncate(self.body_end);
        self.body_next.max(start)
    }

    pub fn body_root(&mut self, owner: u32, items: u32) -> u32 {
        // The owner of a body that waits has the opening brace in place of the body.
        let Node { end, second: open, .. } = self.nodes[owner as usize];
        let body = self.list(NodeKind::Body, open, items, end);
        self.nodes[owner as usize].second = body;
        self.done += 1;
        self.body = None;
        self.body_next = 0;
        if !self.bad.is_empty() {
            self.bad.clear();
        }
        let Node { first, second: count, .. } = self.nodes[body as usize];
        if count > 1 {
            self.named_bodies.push((first, count));
        }
        body
    }

    #[inline]
    fn wait_for_value(&mut self, value: u32, owner: u32) -> u32 {
        let end = self.tokens.closer(value);
        self.expressions.push(Region { start: value + 1, end, owner });
        end
    }

    #[inline]
    pub fn attribute(&mut self, name: u32, value: u32) -> u32 {
        let owner = self.nodes.len() as u32;
        let end = self.wait_for_value(value, owner);
        self.node(NodeKind::Attribute, name, end - 1, name, NONE)
    }

    pub fn block(&mut self, block_type: u32, open: u32) -> u32 {
        let close = self.tokens.closer(open);
        let owner = self.node(NodeKind::Block, block_type, close, block_type, open);
        self.bodies.push(Region { start: open + 1, end: close, owner });
        owner
    }

    pub fn empty_block(&mut self, block_type: u32, open: u32, close: u32) -> u32 {
        let body = self.node(NodeKind::Body, open, close, self.children.len() as u32, 0);
        self.node(NodeKind::Block, block_type, close, block_type, body)
    }

    pub fn one_line_block(&mut self, block_type: u32, [open, name, value, close]: [u32; 4]) -> u32 {
        let attribute = self.attribute(name, value);
        let first = self.fixed_children([attribute]);
        let body = self.node(NodeKind::Body, open, close, first, 1);
        self.node(NodeKind::Block, block_type, close, block_type, body)
    }

    // The expression language.

    #[inline]
    pub fn traversal(&mut self, variable: u32) -> u32 {
        let mut last = variable;
        while self.tokens.kind(last + 1) == TokenKind::GetAttr {
            last += 1;
        }
        self.node(NodeKind::Traversal, variable, last, NONE, NONE)
    }

    pub fn template_expr(&mut self, open: u32) -> u32 {
        let close = self.tokens.closer(open);
        let owner = self.node(NodeKind::TemplateExpr, open, close, NONE, NONE);
        self.templates.push(Region { start: open + 1, end: close, owner });
        owner
    }

    pub fn parentheses(&mut self, open: u32, inner: u32, close: u32) -> u32 {
        self.node(NodeKind::Parentheses, open, close, inner, NONE)
    }

    pub fn access(&mut self, kind: NodeKind, operand: u32, token: u32) -> u32 {
        self.node(kind, self.first_token(operand), token, operand, NONE)
    }

    pub fn index(&mut self, operand: u32, key: u32, close: u32) -> u32 {
        let kind = match self.nodes[key as usize].kind {
            NodeKind::Literal => NodeKind::ConstIndex,
            NodeKind::TemplateExpr if self.is_text(key) => NodeKind::ConstIndex,
            _ => NodeKind::Index,
        };
        self.node(kind, self.first_token(operand), close, operand, key)
    }

    /// Whether a template is nothing but text.
    fn is_text(&self, template: u32) -> bool {
        let Node { start, end, .. } = self.nodes[template as usize];
        start + 1 == end || start + 2 == end && self.tokens.kind(start + 1) == TokenKind::TemplateLiteral
    }

    /// What a splat's accesses apply to. Its token is that of the splat, which fills it in.
    pub fn item(&mut self) -> u32 {
        self.node(NodeKind::Item, NONE, NONE, NONE, NONE)
    }

    pub fn splat(&mut self, kind: NodeKind, operand: u32, token: u32, each: u32) -> u32 {
        // The accesses begin at the item.
        let mut access = each;
        loop {
            let node = &mut self.nodes[access as usize];
            if node.start != NONE {
                break;
            }
            node.start = token;
            if node.kind == NodeKind::Item {
                node.end = token;
                break;
            }
            access = node.first;
        }
        self.node(kind, self.first_token(operand), self.last_token(each), operand, each)
    }

    pub fn object(&mut self, open: u32, list: u32, close: u32) -> u32 {
        let object = self.list(NodeKind::Object, open, list, close);
        let Node { first, second: count, .. } = self.nodes[object as usize];
        if count > 2 {
            self.named_objects.push((first, count));
        }
        object
    }

    pub fn for_expr(&mut self, kind: NodeKind, open: u32, parts: [u32; 4], close: u32) -> u32 {
        let first = self.fixed_children(parts);
        self.node(kind, open, close, first, 4)
    }

    pub fn conditional(&mut self, predicate: u32, then: u32, otherwise: u32) -> u32 {
        let first = self.fixed_children([predicate, then, otherwise]);
        self.node(NodeKind::Conditional, self.first_token(predicate), self.last_token(otherwise), first, 3)
    }

    pub fn unary_op(&mut self, operator: u32, operand: u32) -> u32 {
        self.node(NodeKind::UnaryOp, operator, self.last_token(operand), operand, NONE)
    }

    /// Operators arrive from left to right, so a new one takes as its left operand as much of the
    /// right edge of the operations before it as binds at least as tightly.
    pub fn binary_op(&mut self, left: u32, operator: u32, right: u32) -> u32 {
        let level = self.level(operator);
        let end = self.last_token(right);
        let (mut edge, mut operand) = (NONE, left);
        loop {
            let Node { kind, first, second, .. } = self.nodes[operand as usize];
            if kind != NodeKind::BinaryOp || self.level(self.last_token(first) + 1) >= level {
                break;
            }
            self.nodes[operand as usize].end = end;
            (edge, operand) = (operand, second);
        }
        let operation = self.node(NodeKind::BinaryOp, self.first_token(operand), end, operand, right);
        if edge == NONE {
            return operation;
        }
        self.nodes[edge as usize].second = operation;
        left
    }

    /// The levels of precedence in the table of "Operations": a higher one binds tighter.
    fn level(&self, operator: u32) -> u8 {
        let at = self.tokens.start(operator) as usize;
        match (self.source[at], self.source.get(at + 1)) {
            (b'*' | b'/' | b'%', _) => 6,
            (b'+' | b'-', _) => 5,
            (b'<' | b'>', _) => 4,
            (b'=' | b'!', _) => 3,
            (b'&', _) => 2,
            _ => 1,
        }
    }

    pub fn pair(&mut self, list: u32, key: u32, value: u32) -> u32 {
        self.pending.push(key);
        self.pending.push(value);
        list
    }

    // The template language.

    pub fn template(&mut self, list: u32) -> u32 {
        let parts = &self.pending[list as usize..];
        let (start, end) = match parts {
            [first, .., last] => (self.first_token(*first), self.last_token(*last)),
            [only] => (self.first_token(*only), self.last_token(*only)),
            [] => (NONE, NONE),
        };
        self.list(NodeKind::Template, start, list, end)
    }

    fn wait_for_sequence(&mut self, kind: NodeKind, open: u32, end: u32, first: u32, start: u32) -> u32 {
        let owner = self.node(kind, open, end, first, NONE);
        self.expressions.push(Region { start, end: self.tokens.closer(open), owner });
        owner
    }

    pub fn interpolation(&mut self, open: u32) -> u32 {
        self.wait_for_sequence(NodeKind::Interpolation, open, self.tokens.closer(open), NONE, open + 1)
    }

    pub fn template_if(&mut self, open: u32, parts: [u32; 3], close: u32) -> u32 {
        let first = self.fixed_children(parts);
        self.wait_for_sequence(NodeKind::TemplateIf, open, self.tokens.closer(close), first, open + 2)
    }

    pub fn template_for(&mut self, open: u32, keyword: u32, body: u32, close: u32) -> u32 {
        let first = self.fixed_children([body]);
        self.wait_for_sequence(NodeKind::TemplateFor, open, self.tokens.closer(close), first, keyword + 1)
    }

    // What could not be parsed.

    pub fn bad(&mut self, token: u32) -> u32 {
        let piece = self.bad.iter().find(|piece| piece.start == token).copied();
        self.error(piece.unwrap_or(BadPiece::new(TerminalKind::Unexpected, token, token + 1)))
    }

    pub fn bad_pair(&mut self, list: u32, token: u32) -> u32 {
        let error = self.bad(token);
        self.pair(list, error, error)
    }

    /// An error node over tokens. What is a region of its own within them is parsed all the same,
    /// for the errors in it.
    pub fn error(&mut self, piece: BadPiece) -> u32 {
        let list = self.begin_list();
        let mut token = piece.start;
        while token < piece.lines.0 {
            let kind = self.tokens.kind(token);
            let closer = if kind.is_opener() { self.tokens.closer(token) } else { token };
            let region = Region { start: token + 1, end: closer, owner: self.nodes.len() as u32 };
            let next = match kind {
                TokenKind::Value => {
                    self.expressions.push(region);
                    closer
                }
                TokenKind::Interpolation => {
                    self.expressions.push(region);
                    closer + 1
                }
                TokenKind::IfDirective => {
                    // What follows its keyword.
                    self.expressions.push(Region { start: token + 2, ..region });
                    closer + 1
                }
                // The `in` of a directive that is complete up to there; its names are not regions.
                TokenKind::ForDirective => {
                    let within =
                        (token + 3..(token + 6).min(closer)).find(|&token| self.tokens.kind(token) == TokenKind::In);
                    let Some(keyword) = within else {
                        token = closer + 1;
                        continue;
                    };
                    self.expressions.push(Region { start: keyword + 1, ..region });
                    closer + 1
                }
                TokenKind::Template => {
                    self.templates.push(region);
                    closer + 1
                }
                TokenKind::OpenBlock if self.tokens.kind(token + 1) == TokenKind::Newline => {
                    self.bodies.push(region);
                    closer + 1
                }
                _ => {
                    token += 1;
                    continue;
                }
            };
            let orphan = self.node(NodeKind::Orphan, token, closer, NONE, token);
            self.pending.push(orphan);
            token = next.max(token + 1);
        }
        let (lines, lines_end) = piece.lines;
        if lines < lines_end {
            let orphan = self.node(NodeKind::Orphan, lines, lines_end, NONE, lines);
            self.bodies.push(Region { start: lines, end: lines_end, owner: orphan });
            self.pending.push(orphan);
        }
        self.list(NodeKind::Error, piece.start, list, piece.end.max(piece.start + 1) - 1)
    }
}
