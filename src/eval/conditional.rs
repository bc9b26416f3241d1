//! Conditionals ("Conditional Operator", "Template If Directive").

use super::sink::Sink;
use super::{Scope, all_marks, failed, messages, report, strict};
use crate::diagnostic::{Code, Finding};
use crate::limits::Account;
use crate::model::convert::Safety;
use crate::model::refine::either;
use crate::model::unify::unify_within;
use crate::model::{MarkSet, Type, Value, hidden};
use crate::reading::liberty;
use crate::source::Span;
use crate::stack::with_room_for;
use crate::syntax::ast::{Conditional, ExpressionNode, TemplateIf};

/// Evaluates a conditional. Both results are evaluated because both determine the type. Errors in the result that is
/// not chosen do not matter.
pub(super) fn evaluate(
    conditional: Conditional<'_>,
    expression: ExpressionNode<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    choose(
        Branches::Expression(conditional, expression),
        |scope, sink| super::evaluate(conditional.true_result(), scope, sink),
        |scope, sink| super::evaluate(conditional.false_result(), scope, sink),
        scope,
        sink,
    )
}

/// A conditional or an `if` directive.
#[derive(Clone, Copy)]
pub(super) enum Branches<'t> {
    Expression(Conditional<'t>, ExpressionNode<'t>),
    Directive(TemplateIf<'t>),
}

impl<'t> Branches<'t> {
    fn predicate(self) -> ExpressionNode<'t> {
        match self {
            Branches::Expression(conditional, _) => conditional.predicate(),
            Branches::Directive(directive) => directive.predicate(),
        }
    }

    /// Returns the span of one of the results; for a directive, the span of the directive.
    fn result_span(self, when: bool) -> Span {
        match self {
            Branches::Expression(conditional, _) if when => conditional.true_result().span(),
            Branches::Expression(conditional, _) => conditional.false_result().span(),
            Branches::Directive(directive) => directive.span(),
        }
    }

    fn span(self) -> Span {
        match self {
            Branches::Expression(_, expression) => expression.span(),
            Branches::Directive(directive) => directive.span(),
        }
    }
}

pub(super) fn choose(
    branches: Branches<'_>,
    when_true: impl FnOnce(&Scope<'_>, &mut Sink) -> Value,
    when_false: impl FnOnce(&Scope<'_>, &mut Sink) -> Value,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    let start = sink.checkpoint();
    let when_true = when_true(scope, sink);
    let true_errors = sink.rollback(start);
    let when_false = when_false(scope, sink);
    let false_errors = sink.rollback(start);
    let height = when_true.height().max(when_false.height());
    let Some(ty) = with_room_for(height, || common_type(&when_true, &when_false, sink.account)) else {
        sink.report(|| inconsistent(branches, &when_true, &when_false));
        return failed();
    };
    let predicate = evaluate_predicate(branches, scope, sink);
    let Some(predicate) = predicate else {
        // The type may contain names from marked parts of the results.
        let is_marked = when_true.contains_marks() || when_false.contains_marks();
        return Value::unknown(if is_marked { hidden::without_structure(&ty) } else { ty });
    };
    let marked = predicate.is_marked() || when_true.is_marked() || when_false.is_marked();
    let marks = match marked {
        true => predicate.marks().union(&when_true.marks()).union(&when_false.marks()),
        false => MarkSet::default(),
    };
    let (chosen, errors, which) = match predicate.as_bool() {
        None => {
            // The result may become either of the two, with the marks of its parts.
            let within = [&when_true, &when_false].map(|value| all_marks(value, sink.account));
            let marks = marks.union(&within[0]).union(&within[1]);
            return with_room_for(height, || either(&ty, &when_true, &when_false)).with_marks(&marks);
        }
        Some(true) => (when_true, true_errors, true),
        Some(false) => (when_false, false_errors, false),
    };
    sink.restore(errors);
    match with_room_for(height, || chosen.convert_within(&ty, sink.account)) {
        Ok(value) if !marked => value,
        Ok(value) => value.with_marks(&marks),
        Err(why) => {
            let why = report::why(&why, scope);
            let detail = format!("the chosen result cannot be converted to {ty}: {why}");
            sink.report(|| {
                let place = branches.result_span(which);
                Finding::error(Code::InconsistentConditional, place, detail).with_context(branches.span())
            });
            Value::unknown(ty).with_marks(&marks)
        }
    }
}

/// Returns the predicate as a bool, perhaps unknown; `None` if it is not a bool.
fn evaluate_predicate(branches: Branches<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Option<Value> {
    let predicate = branches.predicate();
    let value = super::evaluate(predicate, scope, sink);
    let problem = if value.is_null() {
        "the condition is null; it must be true or false".to_owned()
    } else if predicate.is_strict() && !strict::is_bool(&value) {
        sink.report(|| strict::report(&liberty::CONDITION_CONVERSION, predicate, scope).with_context(branches.span()));
        return None;
    } else if !value.is_known() {
        return Some(Value::unknown(Type::Bool).with_marks(&value.marks()));
    } else {
        match with_room_for(value.height(), || value.convert_within(&Type::Bool, sink.account)) {
            Ok(converted) => return Some(converted),
            Err(why) => format!("the condition must be true or false: {}", messages::excerpt(&why.to_string())),
        }
    };
    sink.report(|| {
        let diagnostic = Finding::error(Code::InvalidCondition, predicate.span(), problem);
        report::with_values(diagnostic.with_context(branches.span()), predicate, scope)
    });
    None
}

/// Returns the type that both results can be converted to. A null without a type takes the type of the other result. If
/// one type is unknown, so is the common type.
fn common_type(when_true: &Value, when_false: &Value, account: &Account) -> Option<Type> {
    let untyped_null = |value: &Value| !value.is_marked() && value.is_null() && value.ty() == Type::Dynamic;
    if untyped_null(when_true) {
        return Some(when_false.ty());
    }
    if untyped_null(when_false) {
        return Some(when_true.ty());
    }
    match (when_true.ty(), when_false.ty()) {
        (Type::Dynamic, _) | (_, Type::Dynamic) => Some(Type::Dynamic),
        (a, b) if a == b => Some(a),
        (a, b) => unify_within(&[a, b], Safety::Unsafe, account),
    }
}

fn inconsistent(branches: Branches<'_>, when_true: &Value, when_false: &Value) -> Finding {
    let describe = |value: &Value| with_room_for(value.height(), || messages::with_article(&value.ty()));
    let (a, b) = (describe(when_true), describe(when_false));
    let detail = if a == b {
        format!("no type fits both results: each is {a}, but their content differs")
    } else {
        format!("no type fits both results: one is {a}, the other {b}")
    };
    let results = branches.result_span(true).join(branches.result_span(false));
    Finding::error(Code::InconsistentConditional, results, detail).with_context(branches.span())
}
