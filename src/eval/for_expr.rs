//! For expressions ("For Expressions", "Template For Directive").

use std::collections::HashMap;

use super::messages::with_article;
use super::sink::Sink;
use super::{Scope, all_marks, collection, evaluate as evaluate_expression, failed, messages, report, strict};
use crate::diagnostic::Code;
use crate::limits::Account;
use crate::model::hidden::HIDDEN;
use crate::model::{MarkSet, MarkUnion, Text, Type, Value, operations, order_by_name};
use crate::reading::liberty;
use crate::sorting::{sort_by, sort_by_key};
use crate::stack::with_room_for;
use crate::syntax::ast::{ExpressionNode, ForExpr};

/// Evaluates a for expression. Anything that depends on an unknown value is dynamic, as the specification says.
pub(super) fn evaluate(for_expr: ForExpr<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let names = Names { key: for_expr.key_variable().map(|name| name.text()), value: for_expr.value_variable().text() };
    let (items, marks) = match iterable(for_expr.collection(), scope, sink) {
        Ok(iterable) => iterable,
        Err(value) => return value,
    };
    let mut condition_marks = MarkSet::default();
    if let Some(condition) = for_expr.condition() {
        match check_condition(condition, names, scope, sink) {
            Ok(more) => condition_marks = more,
            Err(more) => return failed().with_marks(&marks.union(&more)),
        }
    }
    if !items.is_known() {
        return failed().with_marks(&marks.union(&condition_marks));
    }
    let origin = marks.clone();
    let loop_of = Loop { for_expr, names, items: &items, origin: &origin, scope };
    match for_expr.key() {
        None => loop_of.tuple(marks, sink),
        Some(key) if for_expr.groups() => loop_of.groups(key, marks, sink),
        Some(key) => loop_of.object(key, marks, sink),
    }
}

/// The names of the variables of an iteration.
#[derive(Clone, Copy)]
pub(super) struct Names<'t> {
    pub key: Option<&'t str>,
    pub value: &'t str,
}

impl<'t> Names<'t> {
    /// Returns the scope of one iteration. The key is created only if the loop names it.
    pub fn scope<'s>(self, scope: &'s Scope<'s>, key: &'s Value, value: &'s Value) -> Scope<'s>
    where
        't: 's,
    {
        scope.iteration(self.key.map(|name| (name, key)), (self.value, value))
    }
}

/// Calls `work` with the key and value of each element until the account is used up. Without `with_key`, the key is
/// null.
pub(super) fn for_each_element(items: &Value, with_key: bool, account: &Account, mut work: impl FnMut(&Value, &Value)) {
    // The end of the loop reports that the limit is exceeded.
    if !with_key {
        let none = Value::null(Type::Dynamic);
        let mut elements = items.elements().unwrap_or_default().iter();
        let _ = elements.try_for_each(|value| account.steps(1).map(|()| work(&none, value)));
    } else if let Ok(mut elements) = operations::elements(items) {
        let _ = elements.try_for_each(|(key, value)| account.steps(1).map(|()| work(&key, &value)));
    }
}

/// Returns the collection to iterate over and its marks; or the value of the expression if that is already decided.
pub(super) fn iterable(
    expression: ExpressionNode<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Result<(Value, MarkSet), Value> {
    let value = evaluate_expression(expression, scope, sink);
    let mut error = |detail: String| {
        sink.report(|| report::error(Code::InvalidIteration, expression.span(), detail, expression, scope));
        Err(failed())
    };
    if value.is_null() {
        return error("a null value cannot be iterated over".to_owned());
    }
    match value.ty() {
        Type::Dynamic => return Err(failed().with_marks(&value.marks())),
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_) => {}
        ty => {
            return error(format!(
                "{} cannot be iterated over; a list, set, map, tuple or object can",
                with_article(&ty)
            ));
        }
    }
    Ok(value.unmark())
}

/// Checks the condition once before the iteration, so that an error that occurs for every element, or even without
/// elements, is reported once. Returns the marks of the condition.
fn check_condition(
    condition: ExpressionNode<'_>,
    names: Names<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Result<MarkSet, MarkSet> {
    // In a condition nested in another condition, each level would double the work of the next.
    if scope.is_rehearsal() {
        return Ok(MarkSet::default());
    }
    let before = sink.checkpoint();
    let element = failed();
    let unknown = names.scope(scope, &element, &element).rehearsed();
    let value = evaluate_expression(condition, &unknown, sink);
    let fits = is_condition(&value, condition, scope, sink);
    if fits && !sink.has_errors_since(before) { Ok(value.marks()) } else { Err(value.marks()) }
}

/// Returns true if a value can be a condition; if not, reports an error.
fn is_condition(value: &Value, condition: ExpressionNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> bool {
    let detail = if value.is_null() {
        "the condition is null; it must be true or false".to_owned()
    } else {
        match with_room_for(value.height(), || value.unmarked().convert_within(&Type::Bool, sink.account)) {
            Ok(_) if condition.is_strict() && !strict::is_bool(value) => {
                sink.report(|| strict::report(&liberty::FOR_CONDITION_CONVERSION, condition, scope));
                return false;
            }
            Ok(_) => return true,
            Err(why) => format!("the condition must be true or false: {why}"),
        }
    };
    sink.report(|| report::error(Code::InvalidCondition, condition.span(), detail, condition, scope));
    false
}

/// A for expression with the collection that it iterates over.
struct Loop<'l, 't> {
    for_expr: ForExpr<'t>,
    names: Names<'t>,
    items: &'l Value,
    /// The marks of the collection.
    origin: &'l MarkSet,
    scope: &'l Scope<'l>,
}

/// The outcome of an iteration.
#[derive(Default)]
struct Outcome {
    marks: MarkUnion,
    /// True if the keys or the number of elements are undecided, because of an unknown value or an error.
    undecided: bool,
}

impl<'l, 't: 'l> Loop<'l, 't> {
    fn tuple(&self, marks: MarkSet, sink: &mut Sink) -> Value {
        // With a condition, few elements may remain.
        let all = self.for_expr.condition().is_none();
        let capacity = if all { self.items.elements().map_or(0, <[Value]>::len) } else { 0 };
        if all && sink.account.elements(capacity).is_err() {
            return failed();
        }
        let mut elements = Vec::with_capacity(capacity);
        let value = self.for_expr.value();
        let mut outcome = self.each(marks, sink, |_, scope, _, sink| {
            if all || sink.account.element(elements.len()).is_ok() {
                elements.push(evaluate_expression(value, scope, sink));
            }
        });
        self.settle(&mut outcome, elements.iter(), sink);
        let result = if outcome.undecided { failed() } else { sink.within_nesting(Value::tuple(elements)) };
        result.with_marks(&outcome.marks.set())
    }

    /// Decides whether the result is unknown, given the values of the elements: in the strict dialect one unknown value
    /// is enough. An unknown result has all marks that its parts may turn out to have: those of the values and of the
    /// collection.
    fn settle<'v>(&'v self, outcome: &mut Outcome, values: impl Iterator<Item = &'v Value> + Clone, sink: &mut Sink) {
        outcome.undecided |= self.for_expr.value().is_strict() && values.clone().any(|value| !value.is_known());
        if outcome.undecided {
            values.chain([self.items]).for_each(|value| outcome.marks.add(&all_marks(value, sink.account)));
        }
    }

    fn object(&self, key: ExpressionNode<'t>, marks: MarkSet, sink: &mut Sink) -> Value {
        let mut attributes: Vec<(Text, Value)> = Vec::new();
        let mut positions: Vec<usize> = Vec::new();
        let value = self.for_expr.value();
        let mut outcome = self.each(marks, sink, |position, scope, outcome, sink| {
            let Some(name) = key_of(key, scope, outcome, sink) else { return };
            if sink.account.element(attributes.len()).is_ok() {
                attributes.push((name, evaluate_expression(value, scope, sink)));
                positions.push(position);
            }
        });
        // The attributes of an object are sorted, so equal keys are found by sorting them; no table of the keys so far
        // is needed.
        let (mut attributes, order) = order_by_name(attributes);
        self.settle(&mut outcome, attributes.iter().map(|(_, value)| value), sink);
        let marks = outcome.marks.set();
        // The type of the object has as many attributes.
        if sink.account.elements(attributes.len()).is_err() {
            return failed().with_marks(&marks);
        }
        if let Some(order) = order {
            let hidden = !marks.is_empty() || self.scope.hides();
            self.report_equal_keys(key, hidden, &attributes, |at| positions[order[at]], sink);
            attributes.dedup_by(|later, first| later.0 == first.0);
        }
        let result = if outcome.undecided { failed() } else { sink.within_nesting(Value::object_of(attributes)) };
        result.with_marks(&marks)
    }

    /// Reports each key that an earlier element also has.
    fn report_equal_keys(
        &self,
        key: ExpressionNode<'_>,
        hidden: bool,
        attributes: &[(Text, Value)],
        position: impl Fn(usize) -> usize,
        sink: &mut Sink,
    ) {
        let is_equal = |at: &usize| attributes[at - 1].0 == attributes[*at].0;
        let mut equal: Vec<usize> = (1..attributes.len()).filter(is_equal).collect();
        sort_by_key(&mut equal, |at| position(*at));
        for at in equal {
            sink.report(|| {
                let detail = match hidden {
                    true => format!("two elements have the same key, which is {HIDDEN}"),
                    false => format!("two elements have the key \"{}\"", messages::in_words(&attributes[at].0)),
                };
                let help = "to gather all values of a key in a tuple, write `...` after the value";
                let mut elements = operations::elements(self.items).into_iter().flatten();
                let (name, value) = elements.nth(position(at)).unwrap_or((failed(), failed()));
                let scope = self.names.scope(self.scope, &name, &value).out_of(self.origin);
                report::error(Code::DuplicateKey, key.span(), detail, key, &scope).with_help(help)
            });
        }
    }

    fn groups(&self, key: ExpressionNode<'t>, marks: MarkSet, sink: &mut Sink) -> Value {
        let mut groups: Vec<(Text, Vec<Value>)> = Vec::new();
        let mut places: HashMap<Text, usize> = HashMap::new();
        let value = self.for_expr.value();
        let mut outcome = self.each(marks, sink, |_, scope, outcome, sink| {
            let Some(name) = key_of(key, scope, outcome, sink) else { return };
            let place = *places.entry(name).or_insert_with_key(|name| {
                groups.push((name.clone(), Vec::new()));
                groups.len() - 1
            });
            let group = &mut groups[place].1;
            if sink.account.element(group.len()).is_ok() {
                group.push(evaluate_expression(value, scope, sink));
            }
        });
        sort_by(&mut groups, |a, b| a.0.cmp(&b.0));
        self.settle(&mut outcome, groups.iter().flat_map(|(_, values)| values), sink);
        let tuples = groups.into_iter().map(|(name, values)| (name, Value::tuple(values)));
        let result = if outcome.undecided { failed() } else { sink.within_nesting(Value::object_of(tuples.collect())) };
        result.with_marks(&outcome.marks.set())
    }

    /// Calls `take` for each element that the condition lets through, with its position.
    fn each(
        &self,
        marks: MarkSet,
        sink: &mut Sink,
        mut take: impl FnMut(usize, &Scope<'_>, &mut Outcome, &mut Sink),
    ) -> Outcome {
        let mut outcome = Outcome { marks: marks.into(), undecided: false };
        let condition = self.for_expr.condition();
        let mut position = 0;
        for_each_element(self.items, self.names.key.is_some(), sink.account, |key, value| {
            let scope = self.names.scope(self.scope, key, value).out_of(self.origin);
            if condition.is_none_or(|condition| self.includes(condition, &scope, &mut outcome, sink)) {
                take(position, &scope, &mut outcome, sink);
            }
            position += 1;
        });
        outcome
    }

    fn includes(
        &self,
        condition: ExpressionNode<'_>,
        scope: &Scope<'_>,
        outcome: &mut Outcome,
        sink: &mut Sink,
    ) -> bool {
        let value = evaluate_expression(condition, scope, sink);
        if let (Some(included), false) = (value.as_bool(), value.is_marked()) {
            return included;
        }
        if !value.is_null() {
            outcome.marks.add(&value.marks());
        }
        // The official engine looks at the type of an unknown condition for objects only.
        if !value.is_known() && !self.for_expr.is_object() {
            outcome.undecided = true;
            return false;
        }
        // If several elements fail in the same way, the first error is enough.
        let fits = if outcome.undecided {
            !value.is_null() && value.unmarked().convert_within(&Type::Bool, sink.account).is_ok()
        } else {
            is_condition(&value, condition, scope, sink)
        };
        outcome.undecided |= !fits || !value.is_known();
        fits && value
            .unmarked()
            .convert_within(&Type::Bool, sink.account)
            .is_ok_and(|value| value.as_bool() == Some(true))
    }
}

/// Returns the key of an element, if it is known and can be a key.
fn key_of(key: ExpressionNode<'_>, scope: &Scope<'_>, outcome: &mut Outcome, sink: &mut Sink) -> Option<Text> {
    let value = evaluate_expression(key, scope, sink);
    if value.is_null() {
        if !outcome.undecided {
            let detail = "the key must not be null";
            sink.report(|| report::error(Code::InvalidKey, key.span(), detail, key, scope));
        }
        outcome.undecided = true;
        return None;
    }
    outcome.marks.add(&value.marks());
    let name = if !value.is_known() {
        None
    } else if outcome.undecided {
        let converted = value.unmarked().convert_within(&Type::String, sink.account).ok();
        converted.and_then(|name| name.as_name().cloned())
    } else {
        collection::as_key(&value, key, scope, sink)
    };
    outcome.undecided |= name.is_none();
    name
}
