//! Tuples and objects ("Collection Values").

use super::sink::Sink;
use super::{Scope, evaluate, failed, report};
use crate::diagnostic::Code;
use crate::model::{MarkSet, Name, Type, Value};
use crate::syntax::ast::{Expression, ExpressionKind, Object, ObjectElement, ObjectKey, Tuple};

/// The value of a tuple.
pub(super) fn tuple(tuple: Tuple<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    Value::tuple(tuple.elements().map(|element| evaluate(element, scope, sink)))
}

/// The value of an object. Without all of its keys not even its type is known.
pub(super) fn object(object: Object<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let elements = object.elements();
    let mut attributes: Vec<(Name, Value)> = Vec::with_capacity(elements.len());
    let mut marks = MarkSet::default();
    let mut known = true;
    for element in elements {
        let before = sink.now();
        let key = element_key(element, scope, sink);
        let failed = sink.has_errors_since(before);
        let value = evaluate(element.value(), scope, sink);
        if !failed {
            marks = marks.union(&key.marks());
            if let Some(name) = element_name(&key, element, scope, sink) {
                attributes.push((name, value));
                continue;
            }
        }
        known = false;
    }
    let value = if known { Value::object_of(attributes) } else { failed() };
    value.with_marks(&marks)
}

fn element_key(element: ObjectElement<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    match element.key() {
        ObjectKey::Name(name) => Value::from(name.text()),
        ObjectKey::Expression(key) => {
            if let ExpressionKind::Traversal(_) = key.kind() {
                let detail = "this may be meant as the name of an attribute or as a reference";
                sink.report(|| {
                    let help = format!("write ({}) for the reference, or put the name in quotes", key.text());
                    report::error(Code::AmbiguousKey, key.span(), detail, key, scope).with_help(help)
                });
                return failed();
            }
            evaluate(key, scope, sink)
        }
    }
}

/// The key as a name, if it is known and one.
fn element_name(key: &Value, element: ObjectElement<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Option<Name> {
    if key.is_null() {
        // The engine points at the value here, perhaps because there is nothing to see of the key.
        let detail = "the key of this value is null, and null is no name";
        sink.report(|| {
            report::error(Code::InvalidKey, element.value().span(), detail, element.key_expression(), scope)
        });
        return None;
    }
    as_key(key, element.key_expression(), scope, sink)
}

/// A key that is not null as a name, if it is known and one.
pub(super) fn as_key(key: &Value, expression: Expression<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Option<Name> {
    if let Some(name) = key.as_name() {
        return Some(name.clone());
    }
    match key.unmarked().convert(&Type::String) {
        Ok(name) => name.as_name().cloned(),
        Err(why) => {
            let detail = format!("this value cannot be a key: {why}");
            sink.report(|| report::error(Code::InvalidKey, expression.span(), detail, expression, scope));
            None
        }
    }
}
