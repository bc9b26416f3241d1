//! Operations and conditionals.

use super::expression::{ExpressionNode, Name};
use crate::source::Span;
use crate::syntax::index::TokenIndex;
pub use crate::syntax::operator::{BinaryOperator, OperatorError, UnaryOperator};

/// A conditional.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Conditional<'t>(pub(super) ExpressionNode<'t>);

impl<'t> Conditional<'t> {
    fn child(self, index: usize) -> ExpressionNode<'t> {
        self.0.at(self.0.tree.children(self.0.node)[index])
    }

    /// Returns the condition.
    pub fn predicate(self) -> ExpressionNode<'t> {
        self.child(0)
    }

    /// The result if the predicate is true.
    pub fn true_result(self) -> ExpressionNode<'t> {
        self.child(1)
    }

    /// The result if the predicate is false.
    pub fn false_result(self) -> ExpressionNode<'t> {
        self.child(2)
    }

    /// Returns the span of the `?`.
    pub fn question_span(self) -> Span {
        self.0.tree.token_span(self.predicate().data().end + 1)
    }

    /// Returns the span of the `:`.
    pub fn colon_span(self) -> Span {
        self.0.tree.token_span(self.true_result().data().end + 1)
    }
}

/// A binary operation. A chain of operators nests to the left, as deep as it is long: walk down the left operands in a
/// loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BinaryOperation<'t>(pub(super) ExpressionNode<'t>);

impl<'t> BinaryOperation<'t> {
    fn token(self) -> Name<'t> {
        Name::new(self.0.tree, self.left().data().end + 1)
    }

    /// The left operand.
    pub fn left(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().first.node())
    }

    /// Returns the operator. In a source with errors it may be one of another language, which counts as the
    /// corresponding operator, or else as `||`.
    pub fn operator(self) -> BinaryOperator {
        BinaryOperator::beginning_of(self.token().text().as_bytes())
    }

    /// Returns the span of the operator.
    pub fn operator_span(self) -> Span {
        self.token().span()
    }

    /// The right operand.
    pub fn right(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().second.node())
    }
}

/// A unary operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnaryOperation<'t>(pub(super) ExpressionNode<'t>);

impl<'t> UnaryOperation<'t> {
    /// The operator.
    pub fn operator(self) -> UnaryOperator {
        let (token, is_after) = self.token();
        UnaryOperator::of_token(self.0.tree.token_text(token), is_after)
    }

    /// Returns the span of the operator.
    pub fn operator_span(self) -> Span {
        self.0.tree.token_span(self.token().0)
    }

    /// Returns the token of the operator, and true if it is after the operand.
    fn token(self) -> (TokenIndex, bool) {
        self.0.tree.unary_operator(self.0.data())
    }

    /// The operand.
    pub fn operand(self) -> ExpressionNode<'t> {
        self.0.at(self.0.data().first.node())
    }
}
