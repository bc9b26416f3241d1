//! Splats ("Splat Operators").

use super::sink::Sink;
use super::{Scope, all_marks, evaluate as evaluate_expression, failed, report};
use crate::diagnostic::Code;
use crate::model::{MarkUnion, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{AccessStep, ExpressionKind, ExpressionNode, Splat};

/// Evaluates a splat: to a list for a list or set, otherwise to a tuple.
pub(super) fn evaluate(splat: Splat<'_>, expression: ExpressionNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let before = sink.checkpoint();
    let source = evaluate_expression(splat.source(), scope, sink);
    if sink.has_errors_since(before) {
        return failed();
    }
    let ty = source.ty();
    let marks = source.marks();
    let is_sequence = matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    if source.is_null() {
        if !is_sequence {
            return Value::tuple([]).with_marks(&marks);
        }
        let detail = format!("this {ty} is null, so it has no elements");
        sink.report(|| report::error(Code::NullValue, splat.source().span(), detail, splat.source(), scope));
        return failed();
    }
    if ty == Type::Dynamic {
        return failed().with_marks(&marks);
    }
    if !is_sequence {
        return single(splat, &source, scope, sink).with_marks(&marks);
    }
    let source = source.unmarked();
    let scope = &scope.child().out_of(&marks);
    match source.elements() {
        Some(elements) => of_elements(splat, expression, &ty, elements, scope, sink),
        None => of_unknown(splat, &ty, source, scope, sink),
    }
    .with_marks(&marks)
}

fn each(splat: Splat<'_>, item: &Value, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    evaluate_expression(splat.each(), &scope.at_item(item), sink)
}

/// The names in a splat that does nothing but read attributes of each element. They are looked up once; usually all
/// elements have them at the same position.
struct NamePath<'t>(Vec<(&'t str, usize)>);

impl<'t> NamePath<'t> {
    fn of(splat: Splat<'t>) -> Option<Self> {
        let ExpressionKind::RelativeTraversal(path) = splat.each().kind() else { return None };
        let ExpressionKind::SplatItem = path.source().kind() else { return None };
        let names = path.steps().map(|step| match step {
            // A name selects an attribute only, not an element of a map.
            AccessStep::Attribute(name) if name.is_strict() => None,
            AccessStep::Attribute(name) => Some((name.text(), 0)),
            AccessStep::Index(_) | AccessStep::LegacyIndex(_) => None,
        });
        names.collect::<Option<Vec<_>>>().map(NamePath)
    }

    /// Follows the names in the simple case: without marks and unknown values on the way.
    fn follow<'v>(&mut self, item: &'v Value) -> Option<&'v Value> {
        self.0.iter_mut().try_fold(
            item,
            |value, (name, place)| {
                if value.is_marked() { None } else { value.part_near(name, place) }
            },
        )
    }
}

/// Treats a value that is not a sequence as the only element of one. While the value may turn out to be null, it is
/// undecided whether there is an element.
fn single(splat: Splat<'_>, source: &Value, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let may_be_null = !source.is_known() && !source.is_never_null();
    let before = sink.checkpoint();
    let result = each(splat, source, scope, sink);
    if may_be_null {
        return failed().with_marks(&all_marks(&result, sink.account));
    }
    if sink.has_errors_since(before) {
        return Value::unknown(Type::tuple([type_of(splat, &source.ty(), &result, scope)]));
    }
    Value::tuple([result])
}

fn of_elements(
    splat: Splat<'_>,
    expression: ExpressionNode<'_>,
    ty: &Type,
    elements: &[Value],
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    let before = sink.checkpoint();
    let mut path = NamePath::of(splat);
    let count = elements.len();
    if sink.account.elements(count).and_then(|()| sink.account.steps(count as u64)).is_err() {
        return failed();
    }
    let mut results = Vec::with_capacity(elements.len());
    for item in elements {
        let value = path.as_mut().and_then(|path| path.follow(item).cloned());
        results.push(value.unwrap_or_else(|| each(splat, item, scope, sink)));
        if sink.account.is_exceeded() {
            return failed();
        }
    }
    let fails = sink.has_errors_since(before);
    let Some(element) = ty.element_type() else {
        if fails {
            let items = elements.iter().zip(&results);
            return Value::unknown(Type::tuple(items.map(|(item, result)| type_of(splat, &item.ty(), result, scope))));
        }
        return Value::tuple(results);
    };
    if fails {
        let first = results.first().map_or(Type::Dynamic, |result| type_of(splat, element, result, scope));
        return Value::unknown(Type::list(first));
    }
    if results.is_empty() {
        let item = each(splat, &Value::unknown(element.clone()), scope, sink);
        return Value::empty(crate::model::CollectionKind::List, item.ty());
    }
    Value::list_of(results).unwrap_or_else(|why| {
        // An inner splat returns tuples of different lengths for values that are null and others.
        let subject = Span::new(splat.operator_span().start(), expression.span().end());
        let detail = format!("the elements of a list have one type, but these would have several: {why}");
        let help = "use a for expression: it makes a tuple, whose elements can have different types";
        sink.report(|| report::error(Code::NestedSplat, subject, detail, expression, scope).with_help(help));
        failed()
    })
}

/// Returns the unknown result for an unknown sequence. Its type is known, and its length as far as that of the sequence
/// is.
fn of_unknown(splat: Splat<'_>, ty: &Type, source: &Value, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let unknown_of = |item: &Type| Value::unknown(item.clone());
    if let Some(types) = ty.tuple_elements() {
        if sink.account.elements(types.len()).is_err() {
            return failed();
        }
        let items: Vec<Value> = types.iter().map(|item| each(splat, &unknown_of(item), scope, sink)).collect();
        let result = Value::unknown(Type::tuple(items.iter().map(Value::ty)));
        let mut marks = MarkUnion::default();
        items.iter().for_each(|item| marks.add(&all_marks(item, sink.account)));
        return result.refine().not_null().value().unwrap_or(result).with_marks(&marks.set());
    }
    let item = each(splat, &unknown_of(ty.element_type().unwrap_or(&Type::Dynamic)), scope, sink);
    let result = Value::unknown(Type::list(item.ty()));
    let known = source.refinement();
    let mut refine = result.refine().not_null().min_length(known.min_length());
    if let Some(most) = known.max_length() {
        refine = refine.max_length(most);
    }
    refine.value().unwrap_or(result).with_marks(&all_marks(&item, sink.account))
}

/// Returns the type of the result for an element if that result failed: the type of the result for an unknown element.
/// A splat within this one uses the type of the failed result instead, because otherwise each nested splat would double
/// the work.
fn type_of(splat: Splat<'_>, item: &Type, result: &Value, scope: &Scope<'_>) -> Type {
    if scope.is_rehearsal() {
        return result.ty();
    }
    let unknown = Value::unknown(item.clone());
    scope.metered(|scope, account| {
        evaluate_expression(splat.each(), &scope.at_item(&unknown).rehearsed(), &mut Sink::new(account)).ty()
    })
}
