//! The structural language: files, bodies, attributes and blocks.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::expression::{Expression, Name};
use crate::source::{Source, Span};
use crate::syntax::comments::{Comment, Comments};
use crate::syntax::literal::unquote;
use crate::syntax::owned::{OwnedBody, OwnedExpression};
use crate::syntax::token::{TokenKind, TokenList};
use crate::syntax::tree::{NodeKind, Tree};

/// A configuration file: a source and the body that was found in it ("Configuration Files").
///
/// It is cheap to clone: clones share the tree.
#[derive(Clone)]
pub struct File {
    tree: Arc<Tree>,
}

impl File {
    pub(in crate::syntax) fn new(tree: Arc<Tree>) -> Self {
        File { tree }
    }

    /// The body of the file. It is empty if the source was parsed as something else than a file.
    pub fn body(&self) -> Body<'_> {
        Body { tree: &self.tree, node: self.tree.root }
    }

    /// The source.
    pub fn source(&self) -> &Source {
        &self.tree.source
    }

    /// The tokens of the source.
    pub fn tokens(&self) -> TokenList<'_> {
        TokenList::new(&self.tree)
    }

    /// All comments of the source, in order.
    pub fn comments(&self) -> impl Iterator<Item = Comment<'_>> {
        Comments::of_file(&self.tree)
    }

    /// An expression of this file that can be stored on its own.
    ///
    /// ```
    /// let expression = {
    ///     let file = hcl_lr::parse("a = b.c\n").into_result()?;
    ///     file.own(file.body().attribute("a").expect("it is there").expression())
    /// };
    /// assert_eq!(expression.get().text(), "b.c");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Panics
    /// If the expression is of another file.
    pub fn own(&self, expression: Expression<'_>) -> OwnedExpression {
        assert!(std::ptr::eq(expression.tree, &*self.tree), "the expression is of another file");
        OwnedExpression::new(self.tree.clone(), expression.node)
    }

    /// A body of this file that can be stored on its own.
    ///
    /// # Panics
    /// If the body is of another file.
    pub fn own_body(&self, body: Body<'_>) -> OwnedBody {
        assert!(std::ptr::eq(body.tree, &*self.tree), "the body is of another file");
        OwnedBody::new(self.tree.clone(), body.node)
    }

    pub(in crate::syntax) fn tree(&self) -> &Tree {
        &self.tree
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::TreeDump::of_file(self).fmt(f)
    }
}

/// A body: attributes and blocks ("Bodies").
#[derive(Clone, Copy)]
pub struct Body<'t> {
    pub(in crate::syntax) tree: &'t Tree,
    pub(in crate::syntax) node: u32,
}

/// One of the things in a body.
#[derive(Clone, Copy, Debug)]
pub enum BodyItem<'t> {
    /// `name = expression`
    Attribute(Attribute<'t>),
    /// `type "label" { … }`
    Block(Block<'t>),
    /// Lines that are neither.
    Error(ErrorNode<'t>),
}

impl<'t> Body<'t> {
    /// All that is in it, in source order.
    pub fn items(self) -> impl DoubleEndedIterator<Item = BodyItem<'t>> + ExactSizeIterator {
        let tree = self.tree;
        let children = match tree.node(self.node).kind {
            NodeKind::Body => tree.children(self.node),
            _ => &[],
        };
        children.iter().map(move |&node| match tree.node(node).kind {
            NodeKind::Attribute => BodyItem::Attribute(Attribute { tree, node }),
            NodeKind::Block => BodyItem::Block(Block { tree, node }),
            _ => BodyItem::Error(ErrorNode { tree, node }),
        })
    }

    /// Its attributes, in source order.
    pub fn attributes(self) -> impl DoubleEndedIterator<Item = Attribute<'t>> {
        self.items().filter_map(|item| match item {
            BodyItem::Attribute(attribute) => Some(attribute),
            _ => None,
        })
    }

    /// Its blocks, in source order.
    pub fn blocks(self) -> impl DoubleEndedIterator<Item = Block<'t>> {
        self.items().filter_map(|item| match item {
            BodyItem::Block(block) => Some(block),
            _ => None,
        })
    }

    /// The attribute of a name. It is searched for in all items of the body.
    pub fn attribute(self, name: &str) -> Option<Attribute<'t>> {
        self.attributes().find(|attribute| attribute.name() == name)
    }

    /// The blocks of a type, in source order.
    pub fn blocks_of_type(self, block_type: &str) -> impl DoubleEndedIterator<Item = Block<'t>> {
        self.blocks().filter(move |block| block.block_type() == block_type)
    }

    /// The source that it is from, to make diagnostics about it.
    pub(crate) fn shared_source(self) -> &'t Arc<Source> {
        &self.tree.source
    }

    /// Where it is, with its braces; the body of a file is all of it.
    pub fn span(self) -> Span {
        if self.node == self.tree.root {
            return Span::new(0, self.tree.text().len() as u32);
        }
        self.tree.span(self.node)
    }

    /// Where the brace in front of it is; the body of a file has none.
    pub fn open_brace_span(self) -> Option<Span> {
        (self.node != self.tree.root).then(|| self.tree.token_span(self.tree.node(self.node).start))
    }

    /// Where the brace behind it is; the body of a file has none. If the brace is missing, it is an
    /// empty span.
    pub fn close_brace_span(self) -> Option<Span> {
        (self.node != self.tree.root).then(|| self.tree.token_span(self.tree.node(self.node).end))
    }
}

/// An attribute: a name and an expression ("Attribute Definitions").
#[derive(Clone, Copy)]
pub struct Attribute<'t> {
    tree: &'t Tree,
    node: u32,
}

impl<'t> Attribute<'t> {
    /// Its name.
    pub fn name(self) -> &'t str {
        self.name_token().text()
    }

    /// Its name, with the place of it.
    pub fn name_token(self) -> Name<'t> {
        Name::new(self.tree, self.tree.node(self.node).first)
    }

    /// Where the `=` is.
    pub fn equals_span(self) -> Span {
        self.tree.token_span(self.tree.node(self.node).first + 1)
    }

    /// The expression for its value.
    pub fn expression(self) -> Expression<'t> {
        Expression::new(self.tree, self.tree.node(self.node).second)
    }

    /// Where it is, from its name to the end of its expression.
    pub fn span(self) -> Span {
        self.tree.span(self.node)
    }

    /// The comments in the lines above it, up to an empty line.
    ///
    /// ```
    /// let file = hcl_lr::parse("# not this\n\n# the port\nport = 80 # as always\n").into_result()?;
    /// let port = file.body().attribute("port").expect("it is there");
    /// assert_eq!(port.leading_comments().map(|comment| comment.text()).collect::<Vec<_>>(), ["# the port"]);
    /// assert_eq!(port.trailing_comment().expect("a comment").text(), "# as always");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn leading_comments(self) -> impl Iterator<Item = Comment<'t>> {
        Comments::above(self.tree, self.tree.node(self.node).start)
    }

    /// The comment behind it in its last line.
    pub fn trailing_comment(self) -> Option<Comment<'t>> {
        Comments::behind(self.tree, self.tree.node(self.node).end)
    }
}

/// A block: a type, labels, and a body ("Blocks").
#[derive(Clone, Copy)]
pub struct Block<'t> {
    tree: &'t Tree,
    node: u32,
}

impl<'t> Block<'t> {
    /// Its type.
    pub fn block_type(self) -> &'t str {
        self.type_token().text()
    }

    /// Its type, with the place of it.
    pub fn type_token(self) -> Name<'t> {
        Name::new(self.tree, self.tree.node(self.node).first)
    }

    /// Its labels.
    pub fn labels(self) -> impl ExactSizeIterator<Item = Label<'t>> {
        let tree = self.tree;
        let first = tree.node(self.node).first + 1;
        let open = tree.node(self.body().node).start;
        (first..open).map(move |token| Label { tree, token })
    }

    /// Its body.
    pub fn body(self) -> Body<'t> {
        Body { tree: self.tree, node: self.tree.node(self.node).second }
    }

    /// Whether it is written in one line.
    pub fn is_one_line(self) -> bool {
        self.tree.tokens.kind(self.tree.node(self.body().node).start + 1) != TokenKind::Newline
    }

    /// Where it is, from its type to its closing brace.
    pub fn span(self) -> Span {
        self.tree.span(self.node)
    }

    /// Where its type and labels are.
    pub fn header_span(self) -> Span {
        let node = self.tree.node(self.node);
        self.tree.tokens_span(node.first, self.tree.node(self.body().node).start - 1)
    }

    /// The comments in the lines above it, up to an empty line.
    pub fn leading_comments(self) -> impl Iterator<Item = Comment<'t>> {
        Comments::above(self.tree, self.tree.node(self.node).start)
    }

    /// The comment behind it in its last line.
    pub fn trailing_comment(self) -> Option<Comment<'t>> {
        Comments::behind(self.tree, self.tree.node(self.node).end)
    }
}

/// A label of a block: a name or a quoted string.
#[derive(Clone, Copy)]
pub struct Label<'t> {
    tree: &'t Tree,
    token: u32,
}

impl<'t> Label<'t> {
    /// What it says, with escape sequences decoded.
    pub fn text(self) -> Cow<'t, str> {
        match self.tree.tokens.kind(self.token) {
            TokenKind::Identifier => Cow::Borrowed(self.tree.token_text(self.token)),
            _ => unquote(self.tree.token_text(self.token)),
        }
    }

    /// Whether it is written in quotes.
    pub fn is_quoted(self) -> bool {
        self.tree.tokens.kind(self.token) != TokenKind::Identifier
    }

    /// Where it is, with its quotes.
    pub fn span(self) -> Span {
        self.tree.token_span(self.token)
    }
}

/// A part of a source that could not be understood.
#[derive(Clone, Copy)]
pub struct ErrorNode<'t> {
    pub(in crate::syntax) tree: &'t Tree,
    pub(in crate::syntax) node: u32,
}

impl<'t> ErrorNode<'t> {
    /// Where it is.
    pub fn span(self) -> Span {
        self.tree.span(self.node)
    }

    /// The source text of it.
    pub fn text(self) -> &'t str {
        self.tree.source.slice(self.span())
    }
}

impl fmt::Debug for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::TreeDump::new(self.tree, self.node).fmt(f)
    }
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::TreeDump::new(self.tree, self.node).fmt(f)
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::TreeDump::new(self.tree, self.node).fmt(f)
    }
}

impl fmt::Debug for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

impl fmt::Debug for ErrorNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::TreeDump::new(self.tree, self.node).fmt(f)
    }
}
