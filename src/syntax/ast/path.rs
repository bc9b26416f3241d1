//! Accesses to parts of values: traversals, indexes and splats ("Index Operator", "Attribute Access
//! Operator", "Splat Operators").

use super::expression::{ExpressionNode, Name, NumberNode};
use crate::source::Span;
use crate::syntax::index::Indexes;
use crate::syntax::tree::{Node, NodeKind, Tree};

/// One step of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AccessStep<'t> {
    /// `.name`
    Attribute(Name<'t>),
    /// `[key]` where the key is a literal.
    Index(ExpressionNode<'t>),
    /// `.0`
    LegacyIndex(NumberNode<'t>),
}

impl AccessStep<'_> {
    /// Returns the span, with its dot or brackets.
    ///
    /// ```
    /// use hcl_lr::syntax::ast::ExpressionKind;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = b.c[ 0 ].1\n").into_result()?;
    /// let ExpressionKind::Traversal(path) = file.body().attribute("a").expect("a").expression().kind() else {
    ///     panic!("a traversal")
    /// };
    /// let places: Vec<_> = path.steps().map(|step| &file.source().text()[step.span().range()]).collect();
    /// assert_eq!(places, [".c", "[ 0 ]", ".1"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn span(self) -> Span {
        match self {
            AccessStep::Attribute(name) => name.tree.token_span(name.token),
            AccessStep::LegacyIndex(NumberNode(access)) => access.tree.token_span(access.data().end),
            AccessStep::Index(key) => key.tree.tokens_span(key.data().start - 1, key.data().end + 1),
        }
    }
}

/// Returns the steps of a path that ends with `last`, in order, without those of its variable.
fn steps_to<'t>(last: ExpressionNode<'t>, source: ExpressionNode<'t>) -> Vec<AccessStep<'t>> {
    let mut steps = Vec::new();
    let mut access = last;
    while access.node != source.node {
        steps.push(match access.data().kind {
            NodeKind::GetAttr => AccessStep::Attribute(Name::new(access.tree, access.data().end)),
            NodeKind::LegacyIndex => AccessStep::LegacyIndex(NumberNode(access)),
            _ => AccessStep::Index(access.at(access.data().second.node())),
        });
        access = access.at(access.data().first.node());
    }
    steps.reverse();
    steps
}

/// The names right after a variable, which need no list, followed by the other steps.
struct Steps<'t> {
    tree: &'t Tree,
    names: Indexes,
    others: std::vec::IntoIter<AccessStep<'t>>,
}

impl<'t> Iterator for Steps<'t> {
    type Item = AccessStep<'t>;

    fn next(&mut self) -> Option<AccessStep<'t>> {
        match self.names.next() {
            Some(token) => Some(AccessStep::Attribute(Name::new(self.tree, token))),
            None => self.others.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.names.len() + self.others.len();
        (count, Some(count))
    }
}

impl DoubleEndedIterator for Steps<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self.others.next_back() {
            Some(step) => Some(step),
            None => self.names.next_back().map(|token| AccessStep::Attribute(Name::new(self.tree, token))),
        }
    }
}

impl ExactSizeIterator for Steps<'_> {}

/// A variable followed by constant steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraversalNode<'t>(pub(super) ExpressionNode<'t>);

impl<'t> TraversalNode<'t> {
    /// The name of the variable.
    pub fn root(self) -> Name<'t> {
        Name::new(self.0.tree, self.0.data().start)
    }

    /// The steps from the variable on.
    pub fn steps(self) -> impl ExactSizeIterator<Item = AccessStep<'t>> + DoubleEndedIterator {
        let source = self.0.path_source();
        let Node { start, end, .. } = *source.data();
        Steps { tree: self.0.tree, names: (start + 1).to(end + 1), others: steps_to(self.0, source).into_iter() }
    }

    /// Returns the traversal as an expression, which has a place and a text.
    pub fn expression(self) -> ExpressionNode<'t> {
        self.0
    }

    /// Returns the name of the variable, if there are no steps.
    pub fn as_variable(self) -> Option<&'t str> {
        self.is_variable().then(|| self.root().text())
    }

    /// Returns true if there are no steps.
    pub(crate) fn is_variable(self) -> bool {
        self.0.data().kind == NodeKind::Variable
    }
}

/// Constant steps from an expression that is not a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RelativeTraversal<'t>(pub(super) ExpressionNode<'t>);

impl<'t> RelativeTraversal<'t> {
    /// Returns the expression at which the steps begin.
    pub fn source(self) -> ExpressionNode<'t> {
        self.0.path_source()
    }

    /// The steps.
    pub fn steps(self) -> impl ExactSizeIterator<Item = AccessStep<'t>> + DoubleEndedIterator {
        steps_to(self.0, self.source()).into_iter()
    }
}

/// An index whose key is computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Index<'t>(pub(super) ExpressionNode<'t>);

impl<'t> Index<'t> {
    /// Returns the collection that is indexed.
    pub fn collection(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().first.node())
    }

    /// The key.
    pub fn key(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().second.node())
    }

    /// Returns the span of the brackets and the key.
    pub fn brackets_span(self) -> Span {
        let open = self.0.tree.node(self.0.data().first.node()).end + 1;
        self.0.tree.tokens_span(open, self.0.data().end)
    }
}

/// A splat: an expression that is evaluated for each element of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Splat<'t>(pub(super) ExpressionNode<'t>);

impl<'t> Splat<'t> {
    /// The collection.
    pub fn source(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().first.node())
    }

    /// Returns the expression for each element, which it refers to as
    /// [`ExpressionKind::SplatItem`](super::ExpressionKind::SplatItem).
    pub fn each(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().second.node())
    }

    /// Returns true if it is `[*]`, whose steps include indexes, rather than `.*`.
    pub fn is_full(self) -> bool {
        self.0.data().kind == NodeKind::FullSplat
    }

    /// Returns the span of the `.*` or `[*]`.
    pub fn operator_span(self) -> Span {
        self.0.tree.token_span(self.0.tree.node(self.0.data().first.node()).end + 1)
    }
}
