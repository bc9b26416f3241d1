//! Chains of operators of which some operands are known.

use super::{Position, Work};
use crate::eval::Scope;
use crate::model::Type;
use crate::source::Span;
use crate::syntax::ast::{BinaryOperator, ExpressionKind, ExpressionNode};

/// An operand of a chain of operators, simplified so far.
#[derive(Clone, Copy)]
struct Side<'t> {
    /// An expression with the same meaning as the rest of the operand.
    part: ExpressionNode<'t>,
    /// The span that it replaces.
    span: Span,
    /// The start of its edits.
    edits: usize,
    /// The value, if it is known and not written yet.
    truth: Option<bool>,
    /// True if its final type is the current one.
    certain: bool,
}

impl Work<'_> {
    /// A chain of operators, however long.
    pub(super) fn keep_operators(&mut self, part: ExpressionNode<'_>, scope: &Scope<'_>, misses: u32) {
        let (mut chain, mut first) = (Vec::new(), part);
        while let ExpressionKind::Binary(operation) = first.kind() {
            // The longest known prefix, unless the whole chain is known but has no text.
            if first.id() != part.id() && !self.uses.is_closed(part.id()) && self.uses.is_closed(first.id()) {
                break;
            }
            chain.push((first, operation));
            first = operation.left();
        }
        let mut left = self.operand(first, scope, misses);
        for (whole, operation) in chain.into_iter().rev() {
            let right = self.operand(operation.right(), scope, misses);
            left = self.combine(whole, operation.operator(), left, right, scope);
        }
        self.settle(&left);
    }

    /// An operand that may turn out not to count.
    fn operand<'t>(&mut self, part: ExpressionNode<'t>, scope: &Scope<'_>, misses: u32) -> Side<'t> {
        let (edits, uncertain) = (self.edits.len(), self.uncertain);
        let truth = match part.kind() {
            ExpressionKind::Bool(value) => Some(value),
            _ if self.uses.is_closed(part.id()) => self.value(part, scope).and_then(|value| value.as_bool()),
            _ => None,
        };
        if truth.is_none() {
            self.visit(part, Position::BesideOperator, scope, misses);
        }
        Side { part, span: part.span(), edits, truth, certain: self.uncertain == uncertain }
    }

    /// Combines two operands. If one of them is known, the operator may disappear.
    fn combine<'t>(
        &mut self,
        whole: ExpressionNode<'t>,
        operator: BinaryOperator,
        left: Side<'t>,
        right: Side<'t>,
        scope: &Scope<'_>,
    ) -> Side<'t> {
        let span = Span::new(left.span.start(), right.span.end());
        let (deciding, open) = match (operator, left.truth, right.truth) {
            (BinaryOperator::And, Some(truth), None) => (!truth, &right),
            (BinaryOperator::And, None, Some(truth)) => (!truth, &left),
            (BinaryOperator::Or, Some(truth), None) => (truth, &right),
            (BinaryOperator::Or, None, Some(truth)) => (truth, &left),
            _ => return self.keep_operation(whole, left, right),
        };
        if !open.certain || !self.is_bool(open.part, scope) {
            return self.keep_operation(whole, left, right);
        }
        if deciding {
            self.edits.truncate(left.edits);
            return Side { part: whole, span, edits: left.edits, truth: left.truth.or(right.truth), certain: true };
        }
        let edits = left.edits;
        if left.truth.is_some() {
            self.edit(Span::new(left.span.start(), right.span.start()), "");
            return Side { span, edits, ..right };
        }
        self.leave_out(Span::new(left.span.end(), right.span.end()));
        Side { span, ..left }
    }

    fn keep_operation<'t>(&mut self, whole: ExpressionNode<'t>, left: Side<'t>, right: Side<'t>) -> Side<'t> {
        self.settle(&left);
        self.settle(&right);
        let span = Span::new(left.span.start(), right.span.end());
        Side { part: whole, span, edits: left.edits, truth: None, certain: left.certain && right.certain }
    }

    /// Writes the simplifications of an operand that were held back.
    fn settle(&mut self, side: &Side<'_>) {
        let as_written = || matches!(side.part.kind(), ExpressionKind::Bool(_)) && side.part.span() == side.span;
        if let Some(truth) = side.truth
            && !as_written()
        {
            self.edit(side.span, if truth { "true" } else { "false" });
        }
    }

    /// Returns true if a part is surely a bool as soon as it is known.
    fn is_bool(&mut self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> bool {
        if self.uses.may_mark(part.id()) {
            return false;
        }
        let value = self.probe(part, scope);
        value.is_some_and(|value| value.ty() == Type::Bool && value.is_never_null() && !value.is_marked())
    }
}
