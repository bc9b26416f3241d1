//! Handles that keep their tree, so that they can be stored.

use std::fmt;
use std::sync::Arc;

use super::ast::{Body, Expression, File, Template, Traversal};
use super::tree::Tree;
use crate::source::{Place, Source, Span};

/// An expression that keeps its tree, so that it can be stored.
#[derive(Clone)]
pub struct OwnedExpression {
    tree: Arc<Tree>,
    node: u32,
}

impl OwnedExpression {
    pub(super) fn new(tree: Arc<Tree>, node: u32) -> Self {
        OwnedExpression { tree, node }
    }

    /// A part of this expression that can be stored on its own.
    ///
    /// # Panics
    /// If the part is of another source.
    pub fn own(&self, part: Expression<'_>) -> OwnedExpression {
        OwnedExpression { tree: same(&self.tree, part.tree), node: part.node }
    }

    /// A traversal in this expression that can be stored on its own.
    ///
    /// # Panics
    /// If the traversal is of another source.
    pub fn own_traversal(&self, part: Traversal<'_>) -> OwnedTraversal {
        let Expression { tree, node } = part.expression();
        OwnedTraversal { tree: same(&self.tree, tree), node }
    }

    /// The expression.
    pub fn get(&self) -> Expression<'_> {
        Expression::new(&self.tree, self.node)
    }

    /// The source it is from.
    pub fn source(&self) -> &Source {
        &self.tree.source
    }

    pub(crate) fn shared_source(&self) -> &Arc<Source> {
        &self.tree.source
    }

    /// The file it is from.
    pub fn file(&self) -> File {
        File::new(self.tree.clone())
    }
}

/// A template that is a whole source, with its tree.
#[derive(Clone)]
pub struct OwnedTemplate {
    tree: Arc<Tree>,
}

impl OwnedTemplate {
    pub(super) fn new(tree: Arc<Tree>) -> Self {
        OwnedTemplate { tree }
    }

    /// A traversal in this template that can be stored on its own.
    ///
    /// # Panics
    /// If the traversal is of another source.
    pub fn own_traversal(&self, part: Traversal<'_>) -> OwnedTraversal {
        let Expression { tree, node } = part.expression();
        OwnedTraversal { tree: same(&self.tree, tree), node }
    }

    /// The template.
    pub fn get(&self) -> Template<'_> {
        Template::file(&self.tree)
    }

    /// The source it is.
    pub fn source(&self) -> &Source {
        &self.tree.source
    }

    /// The tokens it is made of.
    pub fn file(&self) -> File {
        File::new(self.tree.clone())
    }
}

/// A traversal that keeps its tree, so that it can be stored.
#[derive(Clone)]
pub struct OwnedTraversal {
    tree: Arc<Tree>,
    node: u32,
}

impl OwnedTraversal {
    pub(super) fn new(tree: Arc<Tree>, node: u32) -> Self {
        OwnedTraversal { tree, node }
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        let expression = Expression::new(&self.tree, self.node);
        Place::new(&self.tree.source, expression.span())
    }

    /// Where a part of it is.
    pub fn place_of(&self, part: Span) -> Place {
        Place::new(&self.tree.source, part)
    }

    /// The traversal, unless what was parsed is something else, which is an error of its parse.
    pub fn get(&self) -> Option<Traversal<'_>> {
        Expression::new(&self.tree, self.node).as_traversal()
    }

    /// The source it is from.
    pub fn source(&self) -> &Source {
        &self.tree.source
    }
}

/// A body that keeps its tree, so that it can be stored.
///
/// ```
/// let body = {
///     let file = hcl_lr::parse("a {\n  b = 1\n}\n").into_result()?;
///     file.own_body(file.body().blocks().next().expect("a block").body())
/// };
/// assert_eq!(body.get().attributes().count(), 1);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct OwnedBody {
    tree: Arc<Tree>,
    node: u32,
}

impl OwnedBody {
    pub(super) fn new(tree: Arc<Tree>, node: u32) -> Self {
        OwnedBody { tree, node }
    }

    /// The body.
    pub fn get(&self) -> Body<'_> {
        Body { tree: &self.tree, node: self.node }
    }

    /// The source it is from.
    pub fn source(&self) -> &Arc<Source> {
        &self.tree.source
    }

    /// An expression in this body that can be stored on its own.
    ///
    /// # Panics
    /// If the expression is of another source.
    pub fn own(&self, part: Expression<'_>) -> OwnedExpression {
        OwnedExpression { tree: same(&self.tree, part.tree), node: part.node }
    }

    /// A body within this one that can be stored on its own.
    ///
    /// # Panics
    /// If the body is of another source.
    pub fn own_body(&self, part: Body<'_>) -> OwnedBody {
        OwnedBody { tree: same(&self.tree, part.tree), node: part.node }
    }
}

/// The tree of a handle that is about to be stored.
fn same(tree: &Arc<Tree>, of: &Tree) -> Arc<Tree> {
    assert!(std::ptr::eq(&**tree, of), "the handle is of another source");
    tree.clone()
}

impl fmt::Debug for OwnedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Debug for OwnedExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Debug for OwnedTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Debug for OwnedTraversal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Expression::new(&self.tree, self.node).fmt(f)
    }
}
