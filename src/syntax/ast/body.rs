//! The structural language: files, bodies, attributes and blocks.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::expression::{ExpressionNode, Name};
use super::template::TemplateNode;
use crate::source::{Place, Source, Span};
use crate::syntax::index::{NodeIndex, TokenIndex};
use crate::syntax::literal::unquote;
use crate::syntax::token::{Comment, Pieces, TokenKind, TokenList, comment_after, comments, comments_above};
use crate::syntax::tree::{NodeKind, Tree, expression_kinds, other_kinds, part_kinds};

/// A configuration file: a source and its body ("Configuration Files").
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

    /// Returns the body of the file. It is empty if the source was not parsed as a file.
    pub fn body(&self) -> BodyNode<'_> {
        BodyNode { tree: &self.tree, node: self.tree.root }
    }

    /// The source.
    pub fn source(&self) -> &Arc<Source> {
        &self.tree.source
    }

    /// The tokens of the source.
    pub fn tokens(&self) -> TokenList<'_> {
        TokenList::new(&self.tree)
    }

    /// Returns all tokens with the white space and comments between them, in order. Concatenated, they are the source.
    pub fn pieces(&self) -> Pieces<'_> {
        self.tokens().pieces(..)
    }

    /// Returns all comments of the source, in order.
    pub fn comments(&self) -> impl Iterator<Item = Comment<'_>> {
        comments(&self.tree)
    }

    /// Returns the expression that the source was parsed as; an error node if it was parsed as something else.
    pub fn expression(&self) -> ExpressionNode<'_> {
        self.expression_at(self.tree.root)
    }

    /// Returns the template that the source was parsed as; it has no parts if it was parsed as something else.
    pub fn template(&self) -> TemplateNode<'_> {
        TemplateNode::root(&self.tree)
    }

    /// The expression of which [`ExpressionNode::id`] gave the number.
    pub(crate) fn expression_at(&self, id: NodeIndex) -> ExpressionNode<'_> {
        ExpressionNode::new(&self.tree, id)
    }

    /// The body of which [`BodyNode::id`] gave the number.
    pub(crate) fn body_at(&self, id: NodeIndex) -> BodyNode<'_> {
        BodyNode { tree: &self.tree, node: id }
    }

    pub(in crate::syntax) fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }
}

/// Its text.
impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tree.text())
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => fmt::Debug::fmt(&super::TreeDump::of_file(self), f),
            false => super::debug_in_one_line("File", self.source().name(), f),
        }
    }
}

/// A body: attributes and blocks ("Bodies").
#[derive(Clone, Copy)]
pub struct BodyNode<'t> {
    pub(in crate::syntax) tree: &'t Arc<Tree>,
    pub(in crate::syntax) node: NodeIndex,
}

/// An item of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyItem<'t> {
    /// `name = expression`
    Attribute(AttributeNode<'t>),
    /// `type "label" { … }`
    Block(BlockNode<'t>),
    /// Lines that are neither an attribute nor a block.
    Error(ErrorNode<'t>),
}

impl<'t> BodyNode<'t> {
    /// Returns the attributes and blocks, in source order.
    pub fn items(self) -> BodyItems<'t> {
        let nodes = match self.tree.node(self.node).kind {
            NodeKind::Body => self.tree.children(self.node),
            _ => &[],
        };
        BodyItems { tree: self.tree, nodes: nodes.iter() }
    }

    /// Its attributes, in source order.
    pub fn attributes(self) -> impl DoubleEndedIterator<Item = AttributeNode<'t>> {
        self.items().filter_map(|item| match item {
            BodyItem::Attribute(attribute) => Some(attribute),
            _ => None,
        })
    }

    /// Its blocks, in source order.
    pub fn blocks(self) -> impl DoubleEndedIterator<Item = BlockNode<'t>> {
        self.items().filter_map(|item| match item {
            BodyItem::Block(block) => Some(block),
            _ => None,
        })
    }

    /// Returns the attribute with a name. Searches all items of the body.
    pub fn attribute(self, name: &str) -> Option<AttributeNode<'t>> {
        self.attributes().find(|attribute| attribute.name() == name)
    }

    /// The blocks of a type, in source order.
    pub fn blocks_of_type(self, block_type: &str) -> impl DoubleEndedIterator<Item = BlockNode<'t>> {
        self.blocks().filter(move |block| block.block_type() == block_type)
    }

    /// The file it is in.
    pub fn file(self) -> File {
        File::new(self.tree.clone())
    }

    /// Returns true if this is a body of the file or of a clone of it. Another file with the same text does not count.
    #[doc(hidden)]
    pub fn is_of(self, file: &File) -> bool {
        Arc::ptr_eq(self.tree, file.tree())
    }

    /// Returns the index by which [`File::body_at`] finds it.
    #[doc(hidden)]
    pub fn id(self) -> NodeIndex {
        self.node
    }

    /// Returns the source of the body, for creating diagnostics.
    #[doc(hidden)]
    pub fn shared_source(self) -> &'t Arc<Source> {
        &self.tree.source
    }

    /// Returns the place, with the source.
    pub fn place(self) -> Place {
        Place::new(&self.tree.source, self.span())
    }

    /// Returns the span, including the braces. The body of a file spans the whole file.
    pub fn span(self) -> Span {
        if self.node == self.tree.root {
            return Span::new(0, self.tree.text().len());
        }
        self.tree.span(self.node)
    }

    /// Returns the span of the opening brace, which the body of a file does not have.
    pub fn open_brace_span(self) -> Option<Span> {
        (self.node != self.tree.root).then(|| self.tree.token_span(self.tree.node(self.node).start))
    }

    /// Returns the span of the closing brace, which the body of a file does not have. It is empty if the brace is
    /// missing.
    pub fn close_brace_span(self) -> Option<Span> {
        (self.node != self.tree.root).then(|| self.tree.token_span(self.tree.node(self.node).end))
    }
}

/// The items of a [`BodyNode`].
#[derive(Clone)]
pub struct BodyItems<'t> {
    tree: &'t Arc<Tree>,
    nodes: std::slice::Iter<'t, NodeIndex>,
}

/// The items that are left.
impl std::fmt::Debug for BodyItems<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl BodyItem<'_> {
    /// Returns the span of the item.
    #[doc(hidden)]
    pub fn span(self) -> Span {
        match self {
            BodyItem::Attribute(attribute) => attribute.span(),
            BodyItem::Block(block) => block.span(),
            BodyItem::Error(error) => error.span(),
        }
    }
}

impl<'t> BodyItems<'t> {
    fn item(&self, node: NodeIndex) -> BodyItem<'t> {
        let tree = self.tree;
        match tree.node(node).kind {
            NodeKind::Attribute => BodyItem::Attribute(AttributeNode { tree, node }),
            NodeKind::Block => BodyItem::Block(BlockNode { tree, node }),
            // The others are not items: they only occur here in a source with errors.
            expression_kinds!() | part_kinds!() | other_kinds!() => BodyItem::Error(ErrorNode { tree, node }),
        }
    }
}

impl<'t> Iterator for BodyItems<'t> {
    type Item = BodyItem<'t>;

    fn next(&mut self) -> Option<BodyItem<'t>> {
        self.nodes.next().map(|&node| self.item(node))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.nodes.size_hint()
    }
}

impl DoubleEndedIterator for BodyItems<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.nodes.next_back().map(|&node| self.item(node))
    }
}

impl ExactSizeIterator for BodyItems<'_> {}

/// Its items, in source order.
///
/// ```
/// use hcl_lr::syntax::ast::BodyItem;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\nb {}\n").into_result()?;
/// for item in file.body() {
///     match item {
///         BodyItem::Attribute(attribute) => assert_eq!(attribute.name(), "a"),
///         BodyItem::Block(block) => assert_eq!(block.block_type(), "b"),
///         _ => unreachable!("the file has no errors"),
///     }
/// }
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
impl<'t> IntoIterator for BodyNode<'t> {
    type Item = BodyItem<'t>;
    type IntoIter = BodyItems<'t>;

    fn into_iter(self) -> BodyItems<'t> {
        self.items()
    }
}

/// An attribute: a name and an expression ("Attribute Definitions").
#[derive(Clone, Copy)]
pub struct AttributeNode<'t> {
    tree: &'t Arc<Tree>,
    node: NodeIndex,
}

impl<'t> AttributeNode<'t> {
    /// Its name.
    pub fn name(self) -> &'t str {
        self.name_token().text()
    }

    /// Returns the name of the attribute, with its place.
    pub fn name_token(self) -> Name<'t> {
        Name::new(self.tree, self.tree.node(self.node).first.token())
    }

    /// Returns the span of the `=`.
    pub fn equals_span(self) -> Span {
        self.tree.token_span(self.tree.node(self.node).first.token() + 1)
    }

    /// The expression for its value.
    pub fn expression(self) -> ExpressionNode<'t> {
        ExpressionNode::new(self.tree, self.tree.node(self.node).second.node())
    }

    /// Returns the place, with the source.
    pub fn place(self) -> Place {
        Place::new(&self.tree.source, self.span())
    }

    /// Returns the span from the name to the end of the expression. If the value is missing, the span ends where the
    /// value should be.
    pub fn span(self) -> Span {
        self.name_token().span().join(self.expression().span())
    }

    /// Returns the comments in the lines above the attribute, up to an empty line.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("# not this\n\n# the port\nport = 80 # as always\n").into_result()?;
    /// let port = file.body().attribute("port").expect("it is there");
    /// assert_eq!(port.leading_comments().map(|comment| comment.text()).collect::<Vec<_>>(), ["# the port"]);
    /// assert_eq!(port.trailing_comment().expect("a comment").text(), "# as always");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn leading_comments(self) -> impl Iterator<Item = Comment<'t>> {
        comments_above(self.tree, self.tree.node(self.node).start)
    }

    /// The comment after it in its last line.
    pub fn trailing_comment(self) -> Option<Comment<'t>> {
        comment_after(self.tree, self.tree.node(self.node).end)
    }
}

/// A block: a type, labels, and a body ("Blocks").
#[derive(Clone, Copy)]
pub struct BlockNode<'t> {
    tree: &'t Arc<Tree>,
    node: NodeIndex,
}

impl<'t> BlockNode<'t> {
    /// Its type.
    pub fn block_type(self) -> &'t str {
        self.type_token().text()
    }

    /// Returns the type of the block, with its place.
    pub fn type_token(self) -> Name<'t> {
        Name::new(self.tree, self.tree.node(self.node).first.token())
    }

    /// Its labels.
    pub fn labels(self) -> impl ExactSizeIterator<Item = LabelNode<'t>> {
        let tree = self.tree;
        let first = tree.node(self.node).first.token() + 1;
        let open = tree.node(self.body().node).start;
        first.to(open).map(move |token| LabelNode { tree, token })
    }

    /// Its body.
    pub fn body(self) -> BodyNode<'t> {
        BodyNode { tree: self.tree, node: self.tree.node(self.node).second.node() }
    }

    /// Returns true if the block is written in one line.
    pub fn is_one_line(self) -> bool {
        self.tree.tokens.kind(self.tree.node(self.body().node).start + 1) != TokenKind::Newline
    }

    /// Returns the place, with the source.
    pub fn place(self) -> Place {
        Place::new(&self.tree.source, self.span())
    }

    /// Returns the span from its type to its closing brace.
    pub fn span(self) -> Span {
        self.tree.span(self.node)
    }

    /// Returns the span of its type and labels.
    pub fn header_span(self) -> Span {
        let node = self.tree.node(self.node);
        self.tree.tokens_span(node.first.token(), self.tree.node(self.body().node).start - 1)
    }

    /// Returns the comments in the lines above the block, up to an empty line.
    pub fn leading_comments(self) -> impl Iterator<Item = Comment<'t>> {
        comments_above(self.tree, self.tree.node(self.node).start)
    }

    /// The comment after it in its last line.
    pub fn trailing_comment(self) -> Option<Comment<'t>> {
        comment_after(self.tree, self.tree.node(self.node).end)
    }
}

/// A label of a block: a name or a quoted string.
#[derive(Clone, Copy)]
pub struct LabelNode<'t> {
    tree: &'t Tree,
    token: TokenIndex,
}

impl<'t> LabelNode<'t> {
    /// Returns the text of the label, with escape sequences decoded.
    pub fn text(self) -> Cow<'t, str> {
        match self.tree.tokens.kind(self.token) {
            TokenKind::Identifier => Cow::Borrowed(self.tree.token_text(self.token)),
            _ => unquote(self.tree.token_text(self.token)),
        }
    }

    /// Returns true if the label is written in quotes.
    pub fn is_quoted(self) -> bool {
        self.tree.tokens.kind(self.token) != TokenKind::Identifier
    }

    /// Returns the span, with its quotes.
    pub fn span(self) -> Span {
        self.tree.token_span(self.token)
    }
}

/// A part of a source that could not be parsed.
#[derive(Clone, Copy)]
pub struct ErrorNode<'t> {
    pub(in crate::syntax) tree: &'t Arc<Tree>,
    pub(in crate::syntax) node: NodeIndex,
}

impl<'t> ErrorNode<'t> {
    /// Returns the span.
    pub fn span(self) -> Span {
        self.tree.span(self.node)
    }

    /// Returns the source text.
    pub fn text(self) -> &'t str {
        self.tree.source.slice(self.span())
    }
}

display_as_written!(BodyNode AttributeNode BlockNode LabelNode ErrorNode);
same_node! {
    AttributeNode node Arc::ptr_eq;
    BlockNode node Arc::ptr_eq;
    BodyNode node Arc::ptr_eq;
    ErrorNode node Arc::ptr_eq;
    LabelNode token std::ptr::eq;
}

debug_as_dump!(BodyNode AttributeNode BlockNode ErrorNode);

impl fmt::Debug for LabelNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}
