//! The expression language.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::body::{ErrorNode, File};
use super::operation::{BinaryOperation, Conditional, UnaryOperation};
use super::path::{Index, RelativeTraversal, Splat, TraversalNode};
use super::template::TemplateNode;
use super::visit::ForNames;
use crate::reading::Dialect;
use crate::source::{Place, Source, Span};
use crate::syntax::index::{NodeIndex, TokenIndex};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Node, NodeKind, Tree, item_kinds, other_kinds, part_kinds};

/// An expression ("Expressions").
#[derive(Clone, Copy)]
pub struct ExpressionNode<'t> {
    pub(in crate::syntax) tree: &'t Arc<Tree>,
    pub(in crate::syntax) node: NodeIndex,
}

/// The kind of an expression.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ExpressionKind<'t> {
    /// A number ("Literal Values").
    Number(NumberNode<'t>),
    /// `true` or `false` ("Literal Values").
    Bool(bool),
    /// `null` ("Literal Values").
    Null,
    /// A quoted string or heredoc ("Template Expressions").
    Template(TemplateNode<'t>),
    /// A variable with attribute accesses and literal indexes ("Variables and Variable
    /// Expressions", "Static Traversal").
    Traversal(TraversalNode<'t>),
    /// Attribute accesses and literal indexes on something other than a variable.
    RelativeTraversal(RelativeTraversal<'t>),
    /// An index that is computed ("Index Operator").
    Index(Index<'t>),
    /// `.*` or `[*]` ("Splat Operators").
    Splat(Splat<'t>),
    /// Within a [`Splat`]: the element at hand.
    SplatItem,
    /// `name(…)` ("Functions and Function Calls").
    FunctionCall(FunctionCall<'t>),
    /// `[…]` ("Collection Values").
    Tuple(Tuple<'t>),
    /// `{…}` ("Collection Values").
    Object(ObjectNode<'t>),
    /// `[for …]` or `{for …}` ("For Expressions").
    For(ForExpr<'t>),
    /// `condition ? value : other` ("Conditional Operator").
    Conditional(Conditional<'t>),
    /// An operator between two operands ("Operations").
    Binary(BinaryOperation<'t>),
    /// An operator before an operand ("Operations").
    Unary(UnaryOperation<'t>),
    /// `(…)` ("Expression Terms").
    Parentheses(Parentheses<'t>),
    /// An expression with a syntax error.
    Error(ErrorNode<'t>),
}

impl ExpressionKind<'_> {
    /// Returns the word for this kind of expression in the conditions of queries, such as `call` or `list`.
    pub fn name(&self) -> &'static str {
        match self {
            ExpressionKind::Number(_) => "number",
            ExpressionKind::Bool(_) => "bool",
            ExpressionKind::Null => "null",
            ExpressionKind::Template(template) if template.as_text().is_some() => "string",
            ExpressionKind::Template(_) => "template",
            ExpressionKind::Traversal(_) => "reference",
            ExpressionKind::RelativeTraversal(_) | ExpressionKind::Index(_) | ExpressionKind::SplatItem => "access",
            ExpressionKind::Splat(_) => "splat",
            ExpressionKind::FunctionCall(_) => "call",
            ExpressionKind::Tuple(_) => "list",
            ExpressionKind::Object(_) => "object",
            ExpressionKind::For(_) => "for",
            ExpressionKind::Conditional(_) => "conditional",
            ExpressionKind::Binary(_) | ExpressionKind::Unary(_) => "operation",
            ExpressionKind::Parentheses(_) => "parentheses",
            ExpressionKind::Error(_) => "error",
        }
    }
}

/// The expressions that are not literal values, as a pattern. A match that lists the literal values and uses this for
/// the rest does not compile until a new kind of expression is in one of the two groups.
macro_rules! no_literals {
    () => {
        ExpressionKind::Traversal(_)
            | ExpressionKind::RelativeTraversal(_)
            | ExpressionKind::Index(_)
            | ExpressionKind::Splat(_)
            | ExpressionKind::SplatItem
            | ExpressionKind::FunctionCall(_)
            | ExpressionKind::Tuple(_)
            | ExpressionKind::Object(_)
            | ExpressionKind::For(_)
            | ExpressionKind::Conditional(_)
            | ExpressionKind::Binary(_)
            | ExpressionKind::Unary(_)
            | ExpressionKind::Parentheses(_)
            | ExpressionKind::Error(_)
    };
}

pub(crate) use no_literals;

impl<'t> ExpressionNode<'t> {
    pub(in crate::syntax) fn new(tree: &'t Arc<Tree>, node: NodeIndex) -> Self {
        ExpressionNode { tree, node }
    }

    pub(super) fn at(self, node: NodeIndex) -> ExpressionNode<'t> {
        ExpressionNode { tree: self.tree, node }
    }

    pub(super) fn data(self) -> &'t Node {
        self.tree.node(self.node)
    }

    /// Returns true if the expression contains no other one: it is a literal value, or a name with attribute accesses.
    pub(super) fn is_leaf(self) -> bool {
        matches!(self.data().kind, NodeKind::Literal | NodeKind::Variable | NodeKind::Traversal)
    }

    /// Returns the kind of the expression, to match on.
    pub fn kind(self) -> ExpressionKind<'t> {
        match self.data().kind {
            NodeKind::Literal => self.literal(),
            NodeKind::Variable | NodeKind::Traversal => ExpressionKind::Traversal(TraversalNode(self)),
            NodeKind::Item => ExpressionKind::SplatItem,
            NodeKind::GetAttr | NodeKind::LegacyIndex | NodeKind::ConstIndex => match self.path_source().data().kind {
                NodeKind::Variable | NodeKind::Traversal => ExpressionKind::Traversal(TraversalNode(self)),
                _ => ExpressionKind::RelativeTraversal(RelativeTraversal(self)),
            },
            NodeKind::Index => ExpressionKind::Index(Index(self)),
            NodeKind::AttrSplat | NodeKind::FullSplat => ExpressionKind::Splat(Splat(self)),
            NodeKind::FunctionCall | NodeKind::ExpandedCall => ExpressionKind::FunctionCall(FunctionCall(self)),
            NodeKind::Tuple => ExpressionKind::Tuple(Tuple(self)),
            NodeKind::Object => ExpressionKind::Object(ObjectNode(self)),
            NodeKind::ForTuple | NodeKind::ForObject | NodeKind::ForGroup => ExpressionKind::For(ForExpr(self)),
            NodeKind::Conditional => ExpressionKind::Conditional(Conditional(self)),
            NodeKind::BinaryOp => ExpressionKind::Binary(BinaryOperation(self)),
            NodeKind::UnaryOp => ExpressionKind::Unary(UnaryOperation(self)),
            NodeKind::Parentheses => ExpressionKind::Parentheses(Parentheses(self)),
            NodeKind::TemplateExpr => ExpressionKind::Template(TemplateNode::of_node(self.tree, self.node)),
            // The others are not expressions: they only occur here in a source with errors.
            item_kinds!() | part_kinds!() | other_kinds!() => {
                ExpressionKind::Error(ErrorNode { tree: self.tree, node: self.node })
            }
        }
    }

    fn literal(self) -> ExpressionKind<'t> {
        let start = self.tree.tokens.start(self.data().start) as usize;
        match self.tree.text().as_bytes().get(start) {
            Some(b't') => ExpressionKind::Bool(true),
            Some(b'f') => ExpressionKind::Bool(false),
            Some(b'n') => ExpressionKind::Null,
            Some(b'0'..=b'9' | b'.') => ExpressionKind::Number(NumberNode(self)),
            _ => ExpressionKind::Template(TemplateNode::of_token(self.tree, self.data().start)),
        }
    }

    /// Returns true if the expression is a word, which is a name if it is the key of an object.
    pub(super) fn is_name(self) -> bool {
        match self.data().kind {
            NodeKind::Variable => true,
            NodeKind::Literal => self.text().starts_with(|c: char| c.is_ascii_lowercase()),
            _ => false,
        }
    }

    /// Returns the operand of the constant path at the end of the expression; the expression itself, if it does not end
    /// with such a path.
    pub(super) fn path_source(self) -> ExpressionNode<'t> {
        let Node { kind, second, .. } = *self.data();
        match kind {
            NodeKind::GetAttr | NodeKind::LegacyIndex => self.at(second.node()),
            NodeKind::ConstIndex => self.at(self.at(second.node()).data().first.node()),
            _ => self,
        }
    }

    /// Returns the text of a string or heredoc in which nothing is computed.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = \"x\\ty\"\nb = \"${x}\"\n").into_result()?;
    /// let expression = |name| file.body().attribute(name).expect("it is there").expression();
    /// assert_eq!(expression("a").as_str().as_deref(), Some("x\ty"));
    /// assert_eq!(expression("b").as_str(), None);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        match self.kind() {
            ExpressionKind::Template(template) => template.as_text(),
            _ => None,
        }
    }

    /// Returns the expression as a path: a variable with constant steps. The words `true`, `false` and `null` count as
    /// variables ("Static Traversal").
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = null.b[0]\nc = (d)\n").into_result()?;
    /// let expression = |name| file.body().attribute(name).expect("it is there").expression();
    /// assert_eq!(expression("a").as_traversal().expect("a path").root().text(), "null");
    /// assert!(expression("c").as_traversal().is_none());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn as_traversal(self) -> Option<TraversalNode<'t>> {
        let source = self.path_source();
        let is_name =
            matches!(source.kind(), ExpressionKind::Traversal(_) | ExpressionKind::Bool(_) | ExpressionKind::Null);
        is_name.then_some(TraversalNode(self))
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.tree.span(self.node)
    }

    /// Returns the place, with the source.
    pub fn place(self) -> Place {
        Place::new(&self.tree.source, self.span())
    }

    /// The file it is in.
    pub fn file(self) -> File {
        File::new(self.tree.clone())
    }

    /// Returns true if this is an expression of the file or of a clone of it. Another file with the same text does not
    /// count.
    #[doc(hidden)]
    pub fn is_of(self, file: &File) -> bool {
        Arc::ptr_eq(self.tree, file.tree())
    }

    /// Returns the index by which [`File::expression_at`] finds it.
    #[doc(hidden)]
    pub fn id(self) -> NodeIndex {
        self.node
    }

    /// Returns the source text.
    pub fn text(self) -> &'t str {
        self.tree.source.slice(self.span())
    }

    /// Returns the span of its first token.
    pub fn first_token_span(self) -> Span {
        self.tree.token_span(self.data().start)
    }

    /// Returns the source of the expression, for creating diagnostics.
    #[doc(hidden)]
    pub fn shared_source(self) -> &'t Arc<Source> {
        &self.tree.source
    }

    /// Returns true if the expression was parsed in the strict dialect, in which it is also evaluated.
    #[inline]
    pub(crate) fn is_strict(self) -> bool {
        self.tree.dialect == Dialect::Strict
    }
}

/// A name in the source.
#[derive(Clone, Copy)]
pub struct Name<'t> {
    pub(super) tree: &'t Tree,
    pub(super) token: TokenIndex,
}

impl<'t> Name<'t> {
    pub(in crate::syntax) fn new(tree: &'t Tree, token: TokenIndex) -> Self {
        Name { tree, token }
    }

    /// The name. Names are not normalized ("Source Code Representation").
    pub fn text(self) -> &'t str {
        self.tree.name_text(self.token)
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.tree.tokens.name_span(self.token)
    }

    /// Returns the place, with the source.
    pub fn place(self) -> Place {
        Place::new(&self.tree.source, self.span())
    }

    /// Returns true if it was parsed in the strict dialect.
    #[inline]
    pub(crate) fn is_strict(self) -> bool {
        self.tree.dialect == Dialect::Strict
    }
}

/// A number literal, or a legacy index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberNode<'t>(pub(super) ExpressionNode<'t>);

impl<'t> NumberNode<'t> {
    /// Returns the number as it is written: digits, optionally a fraction and an exponent ("Numeric Literals").
    pub fn text(self) -> &'t str {
        self.0.tree.name_text(self.0.data().end)
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.0.tree.tokens.name_span(self.0.data().end)
    }
}

/// A function call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FunctionCall<'t>(ExpressionNode<'t>);

impl<'t> FunctionCall<'t> {
    /// Returns the name of the function. With namespaces, the parts are joined by `::`.
    pub fn name(self) -> Cow<'t, str> {
        let (first, end) = self.0.tree.called_name(self.0.data());
        if first + 1 == end {
            return Cow::Borrowed(self.0.tree.token_text(first));
        }
        Cow::Owned(first.to(end).map(|token| self.0.tree.token_text(token)).collect())
    }

    /// Returns the span of the name.
    pub fn name_span(self) -> Span {
        let (first, end) = self.0.tree.called_name(self.0.data());
        self.0.tree.tokens_span(first, end - 1)
    }

    /// Returns the span of the opening parenthesis.
    pub fn open_span(self) -> Span {
        self.0.tree.token_span(self.0.tree.called_name(self.0.data()).1)
    }

    /// Returns the span of the closing parenthesis.
    pub fn close_span(self) -> Span {
        self.0.tree.token_span(self.0.data().end)
    }

    /// The arguments.
    pub fn arguments(self) -> impl ExactSizeIterator<Item = ExpressionNode<'t>> + DoubleEndedIterator {
        self.0.tree.children(self.0.node).iter().map(move |&node| self.0.at(node))
    }

    /// Returns true if `...` follows the last argument, so that its elements are further arguments.
    pub fn expands_last(self) -> bool {
        self.0.data().kind == NodeKind::ExpandedCall
    }
}

/// A tuple.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tuple<'t>(ExpressionNode<'t>);

impl<'t> Tuple<'t> {
    /// The elements.
    pub fn elements(self) -> impl ExactSizeIterator<Item = ExpressionNode<'t>> + DoubleEndedIterator {
        self.0.tree.children(self.0.node).iter().map(move |&node| self.0.at(node))
    }
}

/// An object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ObjectNode<'t>(ExpressionNode<'t>);

impl<'t> ObjectNode<'t> {
    /// The elements, in source order.
    pub fn elements(self) -> impl ExactSizeIterator<Item = ObjectElement<'t>> + DoubleEndedIterator {
        let pairs = self.0.tree.children(self.0.node).chunks_exact(2);
        pairs.map(move |pair| ObjectElement { key: self.0.at(pair[0]), value: self.0.at(pair[1]) })
    }
}

/// An element of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectElement<'t> {
    key: ExpressionNode<'t>,
    value: ExpressionNode<'t>,
}

/// The key of an object element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObjectKey<'t> {
    /// A bare name, which is the key itself. `true`, `false` and `null` count as names.
    Name(Name<'t>),
    /// Any other expression, whose value is the key.
    Expression(ExpressionNode<'t>),
}

impl<'t> ObjectElement<'t> {
    /// The key as it is interpreted.
    pub fn key(self) -> ObjectKey<'t> {
        if self.key.is_name() {
            ObjectKey::Name(Name::new(self.key.tree, self.key.data().start))
        } else {
            ObjectKey::Expression(self.key)
        }
    }

    /// Returns the text of the key, if the key is a name or a string without sequences ("Collection Values").
    ///
    /// ```
    /// use hcl_lr::syntax::ast::ExpressionKind;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = { b = 1, \"c d\" = 2, (e) = 3 }\n").into_result()?;
    /// let ExpressionKind::Object(object) = file.body().attribute("a").expect("it is there").expression().kind() else {
    ///     panic!("no object")
    /// };
    /// let keys: Vec<_> = object.elements().map(|element| element.key_text()).collect();
    /// assert_eq!(keys, [Some("b".into()), Some("c d".into()), None]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn key_text(self) -> Option<Cow<'t, str>> {
        match self.key() {
            ObjectKey::Name(name) => Some(Cow::Borrowed(name.text())),
            ObjectKey::Expression(key) => match key.kind() {
                ExpressionKind::Template(template) => template.as_text(),
                _ => None,
            },
        }
    }

    /// Returns any key as an expression; for the static analysis of maps.
    pub fn key_expression(self) -> ExpressionNode<'t> {
        self.key
    }

    /// The value.
    pub fn value(self) -> ExpressionNode<'t> {
        self.value
    }

    /// Returns true if the element could not be parsed. Key and value are then the same node.
    pub(super) fn is_error(self) -> bool {
        self.key.node == self.value.node
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.key.span().join(self.value.span())
    }
}

/// A for expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ForExpr<'t>(ExpressionNode<'t>);

impl<'t> ForExpr<'t> {
    fn child(self, index: usize) -> Option<ExpressionNode<'t>> {
        let node = *self.0.tree.children(self.0.node).get(index)?;
        node.if_any().map(|node| self.0.at(node))
    }

    fn name_tokens(self) -> (Option<TokenIndex>, TokenIndex) {
        let first = self.0.data().start + 2;
        match self.0.tree.tokens.kind(first + 1) {
            TokenKind::Comma => (Some(first), first + 2),
            _ => (None, first),
        }
    }

    /// Returns the variable for the key, if it has one.
    pub fn key_variable(self) -> Option<Name<'t>> {
        self.name_tokens().0.map(|token| Name::new(self.0.tree, token))
    }

    /// The variable for the value.
    pub fn value_variable(self) -> Name<'t> {
        Name::new(self.0.tree, self.name_tokens().1)
    }

    /// Returns the variables that the expression defines for its key, value and condition.
    pub fn names(self) -> ForNames<'t> {
        ForNames { key: self.key_variable(), value: self.value_variable(), collection: self.collection() }
    }

    /// Returns the collection that is iterated over.
    pub fn collection(self) -> ExpressionNode<'t> {
        self.child(0).unwrap_or(self.0)
    }

    /// Returns the key of each element; a tuple has no keys.
    pub fn key(self) -> Option<ExpressionNode<'t>> {
        self.child(1)
    }

    /// The value of each element.
    pub fn value(self) -> ExpressionNode<'t> {
        self.child(2).unwrap_or(self.0)
    }

    /// Returns the condition that elements must meet.
    pub fn condition(self) -> Option<ExpressionNode<'t>> {
        self.child(3)
    }

    /// Returns true if `...` follows the value: the result is an object whose values are grouped by key.
    pub fn groups(self) -> bool {
        self.0.data().kind == NodeKind::ForGroup
    }

    /// Returns true if the result is an object rather than a tuple.
    pub fn is_object(self) -> bool {
        self.0.data().kind != NodeKind::ForTuple
    }

    /// Returns the span of the opening bracket.
    pub fn open_span(self) -> Span {
        self.0.tree.token_span(self.0.data().start)
    }

    /// Returns the span of the closing bracket.
    pub fn close_span(self) -> Span {
        self.0.tree.token_span(self.0.data().end)
    }
}

/// An expression in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parentheses<'t>(ExpressionNode<'t>);

impl<'t> Parentheses<'t> {
    /// The expression within.
    pub fn inner(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().first.node())
    }
}

macro_rules! debug_as_tree {
    ($($name:ident)+) => {
        $(impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        })+
    };
}

debug_as_tree! {
    NumberNode TraversalNode RelativeTraversal Index Splat FunctionCall Tuple ObjectNode ForExpr Conditional BinaryOperation
    UnaryOperation Parentheses
}

/// Writes the source text.
impl fmt::Display for ExpressionNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Writes the source text.
impl fmt::Display for TraversalNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

same_node! {
    ExpressionNode node Arc::ptr_eq;
    Name token std::ptr::eq;
}

debug_as_dump!(ExpressionNode);

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text(), f)
    }
}
