//! Conditionals with a known condition: how the other result affects the chosen one.

use super::literal::Writer;
use super::{Position, Work, no_entries};
use crate::eval::Scope;
use crate::model::{Type, Value};
use crate::source::Span;
use crate::syntax::ast::{Conditional, ExpressionKind, ExpressionNode};

impl Work<'_> {
    /// Simplifies a conditional. If its condition is known, only the chosen result remains, provided that the other one
    /// cannot change its type.
    pub(super) fn keep_conditional(
        &mut self,
        conditional: Conditional<'_>,
        whole: ExpressionNode<'_>,
        scope: &Scope<'_>,
        misses: u32,
    ) {
        let (when_true, when_false) = (conditional.true_result(), conditional.false_result());
        let Some(choice) = self.truth(conditional.predicate(), scope) else {
            self.visit(conditional.predicate(), Position::Alone, scope, misses);
            return self.within_result(|work| {
                [when_true, when_false].into_iter().for_each(|part| work.visit(part, Position::Alone, scope, misses));
            });
        };
        let (chosen, other) = if choice { (when_true, when_false) } else { (when_false, when_true) };
        let (start, before) = (self.edits.len(), self.uncertain);
        if self.is_plain_null(other, scope) || self.fails_without_type(other, scope) {
            self.visit(chosen, Position::Alone, scope, misses);
            return self.reduce(whole.span(), chosen, start);
        }
        let end = self.within_result(|work| {
            work.visit(chosen, Position::Alone, scope, misses);
            let end = work.edits.len();
            work.visit(other, Position::Alone, scope, misses);
            end
        });
        if self.uncertain == before && self.only_chosen_counts(chosen, other, scope) {
            self.edits.truncate(end);
            self.reduce(whole.span(), chosen, start);
            return;
        }
        if self.results == 0
            && let Some(function) = self.conversion(chosen, other, scope)
        {
            self.edits.truncate(end);
            let (at, whole) = (chosen.span(), whole.span());
            let close = if self.drafts.has_newline(&at.range()) { "\n)" } else { ")" };
            self.edit(Span::new(whole.start(), at.start()), &format!("{function}("));
            self.edit(Span::new(at.end(), whole.end()), close);
            return;
        }
        self.uncertain += 1;
        self.visit(conditional.predicate(), Position::Alone, scope, misses);
    }

    /// The value of a condition, if it is known.
    pub(super) fn truth(&self, predicate: ExpressionNode<'_>, scope: &Scope<'_>) -> Option<bool> {
        if !self.uses.is_closed(predicate.id()) {
            return None;
        }
        self.value(predicate, scope)?.convert_within(&Type::Bool, self.account).ok()?.as_bool()
    }

    /// Returns true if a part is a null without a type: the type of the other result is then that of the conditional.
    fn is_plain_null(&self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> bool {
        self.known_value(part, scope).is_some_and(|value| value.is_null() && value.ty() == Type::Dynamic)
    }

    /// Returns true if a part surely fails and nothing is known of its type: the other result then stays as it is.
    fn fails_without_type(&self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> bool {
        if !self.uses.is_closed(part.id()) {
            return false;
        }
        let before = self.account.impure_calls();
        let (value, diagnostics) = part.evaluate_partially(scope).into_parts();
        let fails = diagnostics.has_errors() && !self.account.is_exceeded() && before == self.account.impure_calls();
        fails && value.ty() == Type::Dynamic && !value.is_known() && !value.contains_marks()
    }

    /// Returns the function that converts the chosen result as the conditional does: beside a string it becomes a
    /// string, and a tuple with elements becomes a list beside an empty one.
    fn conversion(
        &self,
        chosen: ExpressionNode<'_>,
        other: ExpressionNode<'_>,
        scope: &Scope<'_>,
    ) -> Option<&'static str> {
        let other = self.known_value(other, scope)?;
        let is_empty = other.elements().is_some_and(<[Value]>::is_empty) || no_entries(&other);
        let (one, none) = (|| Value::from(1), || Value::from(0));
        let (name, from, to) = match (other.ty(), chosen.kind()) {
            (Type::String, _) => ("tostring", one(), Value::from("1")),
            _ if self.uses.may_mark(chosen.id()) => return None,
            (Type::Tuple(_), ExpressionKind::Tuple(tuple)) if is_empty && tuple.elements().len() > 0 => {
                ("tolist", Value::tuple([one(), none()]), Value::list_of([one(), none()]).ok()?)
            }
            (Type::Object(_), ExpressionKind::Object(object)) if is_empty && object.elements().len() > 0 => {
                let object = Value::object([("a", one())]);
                let map = object.convert(&Type::map(Type::Number)).ok()?;
                ("tomap", object, map)
            }
            _ => return None,
        };
        Writer { scope, account: self.account }.makes(name, &from, &to).then_some(name)
    }

    /// Returns true if a conditional equals its chosen result, whatever is unknown in the other one.
    fn only_chosen_counts(&mut self, chosen: ExpressionNode<'_>, other: ExpressionNode<'_>, scope: &Scope<'_>) -> bool {
        let Some(rest) = self.probe(other, scope) else { return false };
        if rest.contains_marks() || self.uses.may_mark(other.id()) {
            return false;
        }
        let ty = rest.ty();
        if rest.is_null() && ty == Type::Dynamic {
            return self.uses.is_closed(other.id());
        }
        !ty.has_dynamic() && self.probe(chosen, scope).is_some_and(|value| value.ty() == ty)
    }
}
