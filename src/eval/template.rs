//! Templates ("Templates", "Template Expressions").

use unicode_segmentation::UnicodeSegmentation;

use super::conditional::{Branches, choose};
use super::for_expr::{Names, for_each_element, iterable};
use super::sink::Sink;
use super::stack::{with_room, with_room_for};
use super::{Scope, evaluate as evaluate_expression, report};
use crate::diagnostic::Code;
use crate::model::refine::Refine;
use crate::model::{MarkSet, Type, Value};
use crate::syntax::ast::{Expression, Template, TemplateFor, TemplateIf, TemplatePart};

/// The value of a template. One that is a single interpolation is just the value of that.
pub(super) fn evaluate(template: Template<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    match template.unwrapped() {
        Some(expression) => evaluate_expression(expression, scope, sink),
        None => parts(template, scope, sink),
    }
}

/// The string that the parts of a template make.
fn parts(template: Template<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    if template.is_error() {
        return Value::unknown(Type::String);
    }
    let before = sink.now();
    let mut text = Text::default();
    for part in template.parts() {
        let value = match part {
            TemplatePart::Literal(literal, _) => {
                text.push(&literal);
                continue;
            }
            TemplatePart::Interpolation(expression) => interpolation(expression, scope, sink),
            TemplatePart::If(directive) => with_room(|| if_directive(directive, scope, sink)),
            TemplatePart::For(directive) => with_room(|| for_directive(directive, scope, sink)),
        };
        // From something wrong on, nothing is known to be part of the string.
        text.ended |= sink.has_errors_since(before);
        text.add(&value);
    }
    text.finish(sink.has_errors_since(before))
}

/// A string that is being put together.
#[derive(Default)]
struct Text {
    /// What is known, up to the first part that is not.
    known: String,
    unknown: bool,
    /// Whether nothing more is added, for something in between is missing.
    ended: bool,
    marks: MarkSet,
}

impl Text {
    fn push(&mut self, text: &str) {
        if !self.unknown && !self.ended {
            self.known.push_str(text);
        }
    }

    /// Adds a value that is a string, perhaps an unknown one.
    fn add(&mut self, value: &Value) {
        if value.is_marked() {
            self.marks = self.marks.union(&value.marks());
        }
        match value.as_str() {
            Some(text) => self.push(text),
            None => self.unknown = true,
        }
    }

    fn finish(self, has_errors: bool) -> Value {
        let value = if self.unknown {
            let value = Value::unknown(Type::String);
            let refine = value.refine().not_null();
            // After an error what is known may not be how the string begins.
            let refine = if has_errors { refine } else { with_prefix(refine, &self.known) };
            refine.value().unwrap_or(value)
        } else {
            Value::from(self.known)
        };
        value.with_marks(&self.marks)
    }
}

/// A longer prefix is not worth its memory; the official engine keeps as much.
const MOST_PREFIX: usize = 128;

fn with_prefix(refine: Refine, known: &str) -> Refine {
    if known.len() <= MOST_PREFIX {
        return if known.is_empty() { refine } else { refine.prefix(known) };
    }
    let end = (0..=MOST_PREFIX).rev().find(|&end| known.is_char_boundary(end)).unwrap_or(0);
    let kept = &known[..end];
    // Whether the last character kept may combine with the next one is known if that is cut off.
    let whole = known.grapheme_indices(true).take_while(|(at, _)| *at <= end).any(|(at, _)| at == end);
    if end < MOST_PREFIX && whole { refine.full_prefix(kept) } else { refine.prefix(kept) }
}

/// The value of an interpolation as a string; of what cannot be one, only the marks.
fn interpolation(expression: Expression<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let value = evaluate_expression(expression, scope, sink);
    if value.as_str().is_some() {
        return value;
    }
    let detail = if value.is_null() {
        "a null value cannot be part of a string".to_owned()
    } else if !value.is_known() {
        // The official engine does not look at the type before the value is known.
        return Value::unknown(Type::String).with_marks(&value.marks());
    } else {
        match with_room_for(value.height(), || value.unmarked().convert(&Type::String)) {
            Ok(converted) => return converted.with_marks(&value.marks()),
            Err(why) => format!("this cannot be part of a string: {why}"),
        }
    };
    sink.report(|| report::error(Code::InvalidInterpolation, expression.span(), detail, expression, scope));
    Value::from("").with_marks(&value.marks())
}

fn if_directive(directive: TemplateIf<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let span = directive.span();
    let branches = Branches { predicate: directive.predicate(), when_true: span, when_false: span, context: span };
    choose(
        branches,
        |scope, sink| parts(directive.true_part(), scope, sink),
        |scope, sink| directive.false_part().map_or_else(|| Value::from(""), |part| parts(part, scope, sink)),
        scope,
        sink,
    )
}

fn for_directive(directive: TemplateFor<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let names =
        Names { key: directive.key_variable().map(|name| name.text()), value: directive.value_variable().text() };
    let (items, marks) = match iterable(directive.collection(), scope, sink) {
        Ok(iterable) => iterable,
        Err(whole) => return Value::unknown(Type::String).with_marks(&whole.marks()),
    };
    if !items.is_known() {
        return Value::unknown(Type::String).with_marks(&marks);
    }
    let mut text = Text { marks, ..Text::default() };
    let body = directive.body();
    for_each_element(&items, names.key.is_some(), |key, value| {
        text.add(&parts(body, &names.scope(scope, key, value), sink));
    });
    // An unknown part leaves nothing known of the whole, as in the official engine.
    let value = if text.unknown { Value::unknown(Type::String) } else { Value::from(text.known) };
    value.with_marks(&text.marks)
}
