//! Templates ("Templates", "Template Expressions").

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::conditional::{Branches, choose};
use super::for_expr::{Names, for_each_element, iterable};
use super::sink::Sink;
use super::{Scope, evaluate as evaluate_expression, evaluate_kind, messages, report, strict, traversal};
use crate::diagnostic::Code;
use crate::limits::Account;
use crate::model::refine::Refine;
use crate::model::{MarkSet, MarkUnion, Type, Value, View};
use crate::reading::liberty;
use crate::stack::{with_room, with_room_for};
use crate::syntax::ast::{ExpressionKind, ExpressionNode, TemplateFor, TemplateIf, TemplateNode, TemplatePart};

/// Evaluates a template. A single interpolation yields the value of its expression.
pub(super) fn evaluate(template: TemplateNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    if let Some(text) = template.plain_text() {
        return string(&text, sink.account);
    }
    match template.unwrapped() {
        Some(expression) => evaluate_expression(expression, scope, sink),
        None => parts(template, scope, sink),
    }
}

/// The string that the parts of a template make.
fn parts(template: TemplateNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    if template.is_error() {
        return Value::unknown(Type::String);
    }
    let mut parts = template.parts();
    let first = parts.next();
    if let (Some(TemplatePart::Literal(literal, _)), (_, Some(0))) = (&first, parts.size_hint()) {
        return string(literal, sink.account);
    }
    let before = sink.checkpoint();
    let mut text = Text::new(sink.take_buffer(), sink.account);
    add_parts(first.into_iter().chain(parts), &mut text, scope, sink);
    let value = text.value(sink.has_errors_since(before));
    sink.give_back(text.known);
    value
}

fn add_parts<'t>(parts: impl Iterator<Item = TemplatePart<'t>>, text: &mut Text, scope: &Scope<'_>, sink: &mut Sink) {
    let before = sink.checkpoint();
    parts.for_each(|part| {
        let value = match part {
            TemplatePart::Literal(literal, _) => return text.push(&literal),
            TemplatePart::Interpolation(expression) => interpolation(expression, scope, sink),
            TemplatePart::If(directive) => Cow::Owned(with_room(|| if_directive(directive, scope, sink))),
            TemplatePart::For(directive) => return with_room(|| for_directive(directive, text, scope, sink)),
        };
        // After an error, nothing more is known to be part of the string.
        text.ended |= sink.has_errors_since(before);
        text.add(&value);
    });
}

/// A string with a given number of bytes.
fn string(text: &str, account: &Account) -> Value {
    let counted = account.text(text.len());
    // Text that is not ASCII is normalized.
    let counted = if text.is_ascii() { counted } else { counted.and_then(|()| account.normalizing(text)) };
    match counted {
        Ok(()) => Value::from(text),
        Err(_) => Value::unknown(Type::String),
    }
}

/// A string in progress.
struct Text<'a> {
    account: &'a Account,
    /// The known text, up to the first unknown part.
    known: String,
    unknown: bool,
    /// True if nothing more is added because an earlier part is missing.
    ended: bool,
    marks: MarkUnion,
}

impl<'a> Text<'a> {
    fn new(buffer: String, account: &'a Account) -> Self {
        Text { account, known: buffer, unknown: false, ended: false, marks: MarkUnion::default() }
    }

    fn push(&mut self, text: &str) {
        if !self.unknown && !self.ended {
            match self.account.more_text(self.known.len(), text.len()) {
                Ok(()) => self.known.push_str(text),
                Err(_) => self.unknown = true,
            }
        }
    }

    /// Adds a string, perhaps an unknown one, or a value with a unique text.
    fn add(&mut self, value: &Value) {
        if value.is_marked() {
            self.marks.add(&value.marks());
        }
        match value.unmarked().view() {
            View::String(text) => self.push(text),
            View::Bool(value) => self.push(if value { "true" } else { "false" }),
            View::Number(number) if !self.unknown && !self.ended => {
                let digits = self.account.steps(number.steps_with(number));
                match digits.and_then(|()| self.account.bytes(number.digit_bytes())) {
                    Ok(()) => number.write_to(&mut self.known),
                    Err(_) => self.unknown = true,
                }
            }
            View::Number(_) => {}
            _ => self.unknown = true,
        }
    }

    fn value(&mut self, has_errors: bool) -> Value {
        let value = if self.unknown {
            let value = Value::unknown(Type::String);
            let refine = value.refine().not_null();
            // After an error, the known text may not be how the string begins.
            let refine = if has_errors { refine } else { with_prefix(refine, &self.known) };
            refine.value().unwrap_or(value)
        } else {
            string(&self.known, self.account)
        };
        match std::mem::take(&mut self.marks).set() {
            marks if marks.is_empty() => value,
            marks => value.with_marks(&marks),
        }
    }
}

/// Returns the string of a part of a template, unless evaluating it fails.
pub(super) fn part_value(part: TemplatePart<'_>, scope: &Scope<'_>, account: &Account) -> Option<Value> {
    let mut sink = Sink::new(account);
    let before = sink.checkpoint();
    let mut text = Text::new(String::new(), account);
    add_parts(std::iter::once(part), &mut text, scope, &mut sink);
    let fails = sink.has_errors_since(before) || account.is_exceeded();
    (!fails).then(|| text.value(false))
}

/// Returns the string of the template within a directive, unless evaluating it fails.
pub(super) fn inner_value(template: TemplateNode<'_>, scope: &Scope<'_>, account: &Account) -> Option<Value> {
    let mut sink = Sink::new(account);
    let before = sink.checkpoint();
    let value = with_room(|| parts(template, scope, &mut sink));
    (!sink.has_errors_since(before) && !account.is_exceeded()).then_some(value)
}

/// A longer prefix is not worth its memory; the official engine keeps the same length.
const MAX_PREFIX: usize = 128;

fn with_prefix(refine: Refine, known: &str) -> Refine {
    if known.len() <= MAX_PREFIX {
        return if known.is_empty() { refine } else { refine.prefix(known) };
    }
    let end = (0..=MAX_PREFIX).rev().find(|&end| known.is_char_boundary(end)).unwrap_or(0);
    let kept = &known[..end];
    // At a boundary of grapheme clusters, the last kept character does not combine with the next one.
    let whole = known.grapheme_indices(true).take_while(|(at, _)| *at <= end).any(|(at, _)| at == end);
    if end < MAX_PREFIX && whole { refine.full_prefix(kept) } else { refine.prefix(kept) }
}

/// Returns the value of an interpolation as text for [`Text`]. If it cannot be part of a string, only its marks are
/// returned.
fn interpolation<'s>(expression: ExpressionNode<'_>, scope: &'s Scope<'_>, sink: &mut Sink) -> Cow<'s, Value> {
    if !sink.step(expression) {
        return Cow::Owned(Value::unknown(Type::String));
    }
    let value = match expression.kind() {
        ExpressionKind::Traversal(path) => traversal::look_up(path, expression, scope, sink),
        kind => Cow::Owned(evaluate_kind(expression, kind, scope, sink)),
    };
    if let View::String(_) | View::Number(_) | View::Bool(_) = value.unmarked().view() {
        return value;
    }
    let detail = if value.is_null() {
        "a null value cannot be part of a string".to_owned()
    } else if !value.is_known() {
        // The official engine does not look at the type before the value is known.
        if expression.is_strict() && !strict::may_be_text(&value) {
            sink.report(|| strict::report(&liberty::UNKNOWN_INTERPOLATION, expression, scope));
        }
        return Cow::Owned(Value::unknown(Type::String).with_marks(&value.marks()));
    } else {
        match with_room_for(value.height(), || value.unmarked().convert_within(&Type::String, sink.account)) {
            Ok(converted) => return Cow::Owned(converted.with_marks(&value.marks())),
            Err(why) => format!("this cannot be part of a string: {}", messages::excerpt(&why.to_string())),
        }
    };
    sink.report(|| report::error(Code::InvalidInterpolation, expression.span(), detail, expression, scope));
    Cow::Owned(Value::from("").with_marks(&value.marks()))
}

fn if_directive(directive: TemplateIf<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    choose(
        Branches::Directive(directive),
        |scope, sink| parts(directive.true_part(), scope, sink),
        |scope, sink| directive.false_part().map_or_else(|| Value::from(""), |part| parts(part, scope, sink)),
        scope,
        sink,
    )
}

/// Adds the text of a `for` directive to the text around it.
fn for_directive(directive: TemplateFor<'_>, text: &mut Text, scope: &Scope<'_>, sink: &mut Sink) {
    let before = sink.checkpoint();
    let (start, was_unknown, was_ended) = (text.known.len(), text.unknown, text.ended);
    (text.unknown, text.ended) = (false, false);
    match iterable(directive.collection(), scope, sink) {
        Ok((items, marks)) if items.is_known() => {
            text.marks.add(&marks);
            add_each(directive, &items, &marks, text, scope, sink);
        }
        Ok((_, marks)) => text.add(&Value::unknown(Type::String).with_marks(&marks)),
        Err(whole) => text.add(&Value::unknown(Type::String).with_marks(&whole.marks())),
    }
    let fails = sink.has_errors_since(before);
    // After an unknown part, nothing is known of the whole, as in the official engine.
    if was_unknown || was_ended || text.unknown || fails {
        text.known.truncate(start);
    }
    text.unknown |= was_unknown;
    text.ended = was_ended || fails;
}

fn add_each(
    directive: TemplateFor<'_>,
    items: &Value,
    origin: &MarkSet,
    text: &mut Text,
    scope: &Scope<'_>,
    sink: &mut Sink,
) {
    let names =
        Names { key: directive.key_variable().map(|name| name.text()), value: directive.value_variable().text() };
    let body = directive.body();
    for_each_element(items, names.key.is_some(), sink.account, |key, value| {
        // An error in one element does not end the text of the next.
        text.ended = false;
        if body.is_error() {
            text.unknown = true;
        }
        add_parts(body.parts(), text, &names.scope(scope, key, value).out_of(origin), sink);
    });
}
