//! Finds the [shape](super::shape) of an input. Expressions are evaluated only if they are not written out, so that the
//! elements of written lists and objects keep their places.

use std::borrow::Cow;

use super::context::Context;
use super::error::{Error, Kind};
use super::input::{Input, JsonInput, Surroundings};
use super::messages;
use super::path::Path;
use super::shape::Shape;
use crate::body::{Expression, expression_of_json};
use crate::diagnostic::Diagnostics;
use crate::json::NodeKind;
use crate::json::template_of;
use crate::model::{Number, Value, View};
use crate::similar::similar_name;
use crate::syntax::ast::{ExpressionKind, ExpressionNode, ObjectKey, ObjectNode, TemplateNode};

/// Looks at an input.
pub(super) fn look<'t>(cx: &Context<'_, '_>, input: &Input<'t>, path: &Path<'_>) -> Result<Shape<'t>, Error> {
    match input {
        Input::Native(node) => native(cx, *node, path),
        Input::Expression(expression) => match expression.as_native() {
            Some(node) => native(cx, node, path),
            None => evaluated(cx, expression, path),
        },
        Input::Json(json) => in_json(cx, json, path),
        Input::Value(value, _) => of_value(cx, value, input, path),
        Input::Evaluated(_, Ok(value)) => of_value(cx, value, input, path),
        Input::Evaluated(_, Err(diagnostics)) => Err(diagnostics.clone().into()),
        Input::Text(text, _) => Ok(Shape::Text(text.clone())),
        Input::Blocks(_) | Input::Mixed(_) | Input::Body(_) | Input::Labels(_) | Input::Items(..) | Input::Item(_) => {
            Ok(Shape::Other)
        }
        Input::Absent(field, around) if cx.broken || is_misspelt(field, around) => Err(Error::reported()),
        Input::Absent(field, around) => Err(messages::missing_in(around, path, field).into()),
    }
}

/// Returns true if the missing field is there under another name that is an error already.
fn is_misspelt(field: &str, around: &Surroundings<'_>) -> bool {
    around.others_are_errors && similar_name(field, around.others.iter().map(|(name, _)| &**name)).is_some()
}

/// The value of an input that is one.
pub(super) fn value_of(cx: &Context<'_, '_>, input: &Input<'_>) -> Option<Result<Value, Diagnostics>> {
    Some(match input {
        Input::Native(node) => node.evaluate_partially(cx.scope).into_result(),
        Input::Expression(expression) => expression.evaluate(cx.scope),
        Input::Json(json) if json.more.is_empty() => expression_of_json(json.document, json.node).evaluate(cx.scope),
        Input::Value(value, _) => Ok((**value).clone()),
        Input::Evaluated(_, outcome) => outcome.clone(),
        Input::Text(text, _) => Ok(Value::from(&**text)),
        _ => return None,
    })
}

fn native<'t>(cx: &Context<'_, '_>, node: ExpressionNode<'t>, path: &Path<'_>) -> Result<Shape<'t>, Error> {
    let mut node = node;
    loop {
        return match node.kind() {
            ExpressionKind::Number(number) => match few_digits(number.text()) {
                Some(small) => Ok(Shape::Small(small)),
                // One that is out of range has been reported by the parser.
                None => Number::parse(number.text()).map(Shape::Number).map_err(|_| Error::reported()),
            },
            ExpressionKind::Bool(value) => Ok(Shape::Bool(value)),
            ExpressionKind::Null => Ok(Shape::Null),
            ExpressionKind::Template(template) => match (template.plain_text(), template.unwrapped()) {
                (Some(text), _) => Ok(Shape::Text(text)),
                (None, Some(inner)) if !cx.options.templates_as_text => {
                    node = inner;
                    continue;
                }
                (None, _) => template_text(cx, node, template, path),
            },
            ExpressionKind::Parentheses(parentheses) => {
                node = parentheses.inner();
                continue;
            }
            ExpressionKind::Tuple(tuple) => Ok(Shape::Tuple(tuple)),
            ExpressionKind::Object(object) if has_plain_keys(object) => Ok(Shape::Object(object)),
            ExpressionKind::Error(_) => Err(Error::reported()),
            _ => evaluated_native(cx, node, path),
        };
    }
}

fn template_text<'t>(
    cx: &Context<'_, '_>,
    node: ExpressionNode<'t>,
    template: TemplateNode<'t>,
    path: &Path<'_>,
) -> Result<Shape<'t>, Error> {
    match template.as_text() {
        Some(text) => Ok(Shape::Text(text)),
        None if template.is_error() => Err(Error::reported()),
        None if cx.options.templates_as_text => Ok(Shape::Text(Cow::Owned(template.text_with_sequences()))),
        None => evaluated_native(cx, node, path).map_err(|error| match error.into_kind() {
            Kind::Placed(diagnostics) => {
                diagnostics.into_iter().map(messages::with_help_for_templates).collect::<Diagnostics>().into()
            }
            kind => kind.into(),
        }),
    }
}

/// Returns true if the keys of an object can be seen without an evaluation.
fn has_plain_keys(object: ObjectNode<'_>) -> bool {
    object.elements().all(|element| match element.key() {
        ObjectKey::Name(_) => true,
        ObjectKey::Expression(key) => plain_key(key).is_some(),
    })
}

/// A key that is a literal.
fn plain_key(key: ExpressionNode<'_>) -> Option<Cow<'_, str>> {
    match key.kind() {
        ExpressionKind::Template(template) => template.plain_text(),
        ExpressionKind::Number(number) => Some(Number::parse(number.text()).ok()?.to_string().into()),
        ExpressionKind::Bool(value) => Some(Cow::Borrowed(if value { "true" } else { "false" })),
        _ => None,
    }
}

/// The name of an element of an object that has [plain keys](has_plain_keys).
pub(super) fn key_of<'t>(key: ObjectKey<'t>) -> Cow<'t, str> {
    match key {
        ObjectKey::Name(name) => Cow::Borrowed(name.text()),
        ObjectKey::Expression(key) => plain_key(key).unwrap_or_default(),
    }
}

fn evaluated_native<'t>(cx: &Context<'_, '_>, node: ExpressionNode<'t>, path: &Path<'_>) -> Result<Shape<'t>, Error> {
    let value = node.evaluate(cx.scope)?;
    of_value(cx, &value, &Input::Native(node), path)
}

fn evaluated<'t>(cx: &Context<'_, '_>, expression: &'t Expression, path: &Path<'_>) -> Result<Shape<'t>, Error> {
    let value = expression.evaluate(cx.scope)?;
    of_value(cx, &value, &Input::Expression(expression), path)
}

fn in_json<'t>(cx: &Context<'_, '_>, json: &JsonInput<'t>, path: &Path<'_>) -> Result<Shape<'t>, Error> {
    match json.node.kind() {
        NodeKind::Object(_) => return Ok(Shape::JsonObject),
        NodeKind::Array(_) => return Ok(Shape::JsonArray),
        _ => {}
    }
    if let Some(again) = json.more.first() {
        return Err(messages::set_again(json, *again, path).into());
    }
    match json.node.kind() {
        NodeKind::Null => Ok(Shape::Null),
        NodeKind::Bool(value) => Ok(Shape::Bool(value)),
        NodeKind::Number(number) => match few_digits(number.text()) {
            Some(small) => Ok(Shape::Small(small)),
            None => Ok(Shape::Number(number.value())),
        },
        NodeKind::String(text) if cx.options.templates_as_text => Ok(Shape::Text(match template_of(text) {
            Err(plain) => plain,
            Ok(template) if template.has_errors() => text.text(),
            Ok(template) => Cow::Owned(template.value().template().text_with_sequences()),
        })),
        NodeKind::String(text) if cx.literal_only => Ok(Shape::Text(text.text())),
        NodeKind::String(text) => match template_of(text) {
            Err(plain) => Ok(Shape::Text(plain)),
            Ok(_) => {
                let value = expression_of_json(json.document, json.node).evaluate(cx.scope)?;
                of_value(cx, &value, &Input::Json(json.clone()), path)
            }
        },
        NodeKind::Object(_) | NodeKind::Array(_) => Ok(Shape::Other),
        // The parser has reported the error.
        NodeKind::Error => Err(Error::reported()),
    }
}

fn of_value<'t>(cx: &Context<'_, '_>, value: &Value, input: &Input<'_>, path: &Path<'_>) -> Result<Shape<'t>, Error> {
    Ok(match value.view() {
        View::Null => Shape::Null,
        View::Bool(value) => Shape::Bool(value),
        View::Number(number) => Shape::Number(number.clone()),
        View::String(text) => Shape::Text(Cow::Owned(text.to_owned())),
        View::List(_) | View::Set(_) | View::Tuple(_) => Shape::List(value.clone()),
        View::Map(_) | View::Object(_) => Shape::Map(value.clone()),
        View::Capsule(_) => Shape::Capsule,
        // It is a consequence of what the parser has reported.
        View::Unknown(_) if cx.broken => return Err(Error::reported()),
        View::Unknown(_) => return Err(messages::unknown(input.place(), path).into()),
        View::Marked(marks, _) => return Err(messages::marked(input.place(), path, marks).into()),
    })
}

/// Most numbers are a few digits.
fn few_digits(text: &str) -> Option<u64> {
    if text.len() > 18 {
        return None;
    }
    text.bytes().try_fold(0, |number, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then_some(number * 10 + u64::from(digit))
    })
}
