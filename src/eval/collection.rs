//! Tuples and objects ("Collection Values").

use super::sink::Sink;
use super::{Scope, all_marks, evaluate, failed, messages, report};
use crate::diagnostic::Code;
use crate::model::{MarkUnion, Text, Type, Value};
use crate::source::Replacement;
use crate::syntax::ast::{ExpressionKind, ExpressionNode, ObjectElement, ObjectKey, ObjectNode, Tuple};

/// The value of a tuple.
pub(super) fn tuple(tuple: Tuple<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let elements = tuple.elements();
    if sink.account.elements(elements.len()).is_err() {
        return failed();
    }
    let mut values = Vec::with_capacity(elements.len());
    values.extend(elements.map(|element| evaluate(element, scope, sink)));
    let value = sink.recent.tuple(values);
    sink.within_nesting(value)
}

/// Evaluates an object. Unless all of its keys are known, not even its type is.
pub(super) fn object(object: ObjectNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let mut is_ascii = true;
    let mut names = object.elements().map(|element| name_of(element).map(str::is_ascii));
    if names.all(|name| name.inspect(|&ascii| is_ascii &= ascii).is_some()) {
        return object_of_names(object, is_ascii, scope, sink);
    }
    let elements = object.elements();
    if sink.account.elements(elements.len()).is_err() {
        return failed();
    }
    // An object with computed keys has a type that no other object shares.
    if sink.account.elements(elements.len()).is_err() {
        return failed();
    }
    let mut attributes: Vec<(Text, Value)> = Vec::with_capacity(elements.len());
    let mut marks = MarkUnion::default();
    let mut known = true;
    for element in elements {
        let before = sink.checkpoint();
        let key = element_key(element, scope, sink);
        let failed = sink.has_errors_since(before);
        let value = evaluate(element.value(), scope, sink);
        if !failed {
            marks.add(&key.marks());
            if let Some(name) = element_name(&key, element, scope, sink) {
                attributes.push((name, value));
                continue;
            }
        }
        known = false;
        marks.add(&all_marks(&value, sink.account));
    }
    if !known {
        attributes.iter().for_each(|(_, value)| marks.add(&all_marks(value, sink.account)));
    }
    let value = if known { Value::object_of(attributes) } else { failed() };
    sink.within_nesting(value).with_marks(&marks.set())
}

/// Evaluates an object whose keys are names, as most are. ASCII names need no normalization, so they cost nothing more.
fn object_of_names(object: ObjectNode<'_>, is_ascii: bool, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let elements = object.elements();
    if sink.account.elements(elements.len()).is_err() {
        return failed();
    }
    if !is_ascii && object.elements().filter_map(name_of).any(|name| sink.account.name(name).is_err()) {
        return failed();
    }
    let mut values = Vec::with_capacity(elements.len());
    values.extend(elements.map(|element| evaluate(element.value(), scope, sink)));
    let value = sink.recent.object(|| object.elements().filter_map(name_of), values);
    sink.within_nesting(value)
}

fn name_of<'t>(element: ObjectElement<'t>) -> Option<&'t str> {
    match element.key() {
        ObjectKey::Name(name) => Some(name.text()),
        ObjectKey::Expression(_) => None,
    }
}

fn element_key(element: ObjectElement<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    match element.key() {
        ObjectKey::Name(name) if sink.account.name(name.text()).is_err() => failed(),
        ObjectKey::Name(name) => Value::from(name.text()),
        ObjectKey::Expression(key) => {
            if let ExpressionKind::Traversal(_) = key.kind() {
                let detail = "this may be meant as the name of an attribute or as a reference";
                sink.report(|| {
                    let (span, text) = (key.span(), key.text());
                    let as_name = Replacement::new(span, format!("\"{text}\""));
                    let as_reference = Replacement::new(span, format!("({text})"));
                    report::error(Code::AmbiguousKey, span, detail, key, scope)
                        .with_help(format!("write ({text}) for the reference, or put the name in quotes"))
                        .with_choice(format!("write ({text}) for the reference"), [as_reference])
                        .with_choice("put the name in quotes", [as_name])
                });
                return failed();
            }
            evaluate(key, scope, sink)
        }
    }
}

/// Returns the key as a name, if it is known and can be a name.
fn element_name(key: &Value, element: ObjectElement<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Option<Text> {
    if key.is_null() {
        // The official engine points at the value, perhaps because there may be no text for the key.
        let detail = "the key of this value must not be null";
        sink.report(|| {
            report::error(Code::InvalidKey, element.value().span(), detail, element.key_expression(), scope)
        });
        return None;
    }
    as_key(key, element.key_expression(), scope, sink)
}

/// Returns a key that is not null as a name, if it is known and can be a name.
pub(super) fn as_key(key: &Value, expression: ExpressionNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Option<Text> {
    if let Some(name) = key.as_name() {
        return Some(name.clone());
    }
    match key.unmarked().convert_within(&Type::String, sink.account) {
        Ok(name) => name.as_name().cloned(),
        Err(why) => {
            let detail = format!("this value cannot be a key: {}", messages::excerpt(&why.to_string()));
            sink.report(|| report::error(Code::InvalidKey, expression.span(), detail, expression, scope));
            None
        }
    }
}
