//! Attribute access and index ("Index Operator", "Attribute Access Operator").

use std::borrow::Cow;

use super::sink::Sink;
use super::{Scope, evaluate, failed, messages, report, step, strict};
use crate::diagnostic::Applicability::NeedsReview;
use crate::diagnostic::{Code, Finding};
use crate::model::hidden::HIDDEN;
use crate::model::operations::{self, OperationError};
use crate::model::{AttributeType, Type, Value};
use crate::reading::liberty;
use crate::source::{Replacement, Span};
use crate::stack::with_room_for;
use crate::syntax::ast::{AccessStep, ExpressionKind, ExpressionNode};

/// Evaluates a value with the accesses after it, `f(x)[a].b[c]`, however many there are, without recursion.
pub(super) fn postfix(expression: ExpressionNode<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let Some(mut source) = accessed(expression) else { return evaluate(expression, scope, sink) };
    // Usually there is only one access, so no list is needed.
    let mut others = Vec::new();
    while let Some(inner) = accessed(source) {
        others.push(source);
        source = inner;
    }
    let start = match (source.kind(), scope.item()) {
        // The element of a splat is only read.
        (ExpressionKind::SplatItem, Some(item)) => Cow::Borrowed(item),
        _ => Cow::Owned(evaluate(source, scope, sink)),
    };
    let inner = others.into_iter().rev().fold(start, |value, access| apply(access, value, scope, sink));
    apply(expression, inner, scope, sink).into_owned()
}

/// Returns the operand of an access.
fn accessed(expression: ExpressionNode<'_>) -> Option<ExpressionNode<'_>> {
    match expression.kind() {
        ExpressionKind::RelativeTraversal(path) => Some(path.source()),
        ExpressionKind::Index(index) => Some(index.collection()),
        _ => None,
    }
}

fn apply<'v>(access: ExpressionNode<'_>, value: Cow<'v, Value>, scope: &Scope<'_>, sink: &mut Sink) -> Cow<'v, Value> {
    match access.kind() {
        ExpressionKind::RelativeTraversal(path) => walk(value, path.steps(), access, scope, sink),
        ExpressionKind::Index(index) => {
            let key = evaluate(index.key(), scope, sink);
            if access.is_strict() && strict::has_exponent(&value, &key) {
                sink.report(|| strict::report(&liberty::KEY_WITH_EXPONENT, index.key(), scope));
                return Cow::Owned(failed());
            }
            // With an unknown key, the result has the marks of all elements.
            let looked_at = if key.is_known() || !value.contains_marks() { 0 } else { value.steps() };
            if sink.account.steps(looked_at).is_err() {
                return Cow::Owned(failed());
            }
            let element = with_room_for(key.height(), || operations::index(&value, &key));
            Cow::Owned(element.unwrap_or_else(|why| {
                // The message and its parts may contain the key.
                let _ = sink.account.bytes(4 * key.unmarked().as_str().map_or(0, str::len) as u64);
                sink.report_name(count_names(&value), |compares| {
                    let hidden = key.contains_marks() || scope.hides();
                    let spans = Spans { access: index.brackets_span(), name: index.key().span(), compares };
                    let diagnostic = index_error(&why, &value, hidden, scope, spans);
                    report::with_values(diagnostic.with_context(access.span()), access, scope)
                });
                failed()
            }))
        }
        _ => value,
    }
}

/// Follows the steps of a path. Values that are only looked into are not cloned.
pub(super) fn walk<'v, 't>(
    start: Cow<'v, Value>,
    steps: impl Iterator<Item = AccessStep<'t>>,
    expression: ExpressionNode<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Cow<'v, Value> {
    let mut value = start;
    let is_strict = expression.is_strict();
    for step in steps {
        if is_strict && let Some(found) = strict::step(&value, &step) {
            sink.report(|| found.with_context(expression.span()));
            return Cow::Owned(failed());
        }
        let counted = match step {
            AccessStep::Attribute(name) => sink.account.name(name.text()),
            AccessStep::Index(key) => sink.account.name(key.text()),
            AccessStep::LegacyIndex(_) => Ok(()),
        };
        if counted.is_err() {
            return Cow::Owned(failed());
        }
        value = match step::step_into(value, &step) {
            Ok(next) => next,
            Err((before, why)) => {
                sink.report_name(count_names(&before), |compares| {
                    let access = step.span();
                    let diagnostic = match step {
                        AccessStep::Attribute(name) => {
                            let spans = Spans { access, name: name.span(), compares };
                            attribute_error(&why, &before, name.text(), scope, spans)
                        }
                        AccessStep::Index(key) => {
                            index_error(&why, &before, false, scope, Spans { access, name: key.span(), compares })
                        }
                        AccessStep::LegacyIndex(_) => {
                            index_error(&why, &before, false, scope, Spans { access, name: access, compares })
                        }
                    };
                    report::with_values(diagnostic.with_context(expression.span()), expression, scope)
                });
                return Cow::Owned(failed());
            }
        };
    }
    value
}

/// The span of an access, and of the name or key in it.
struct Spans {
    access: Span,
    name: Span,
    /// True if the name may be compared with the names that exist.
    compares: bool,
}

/// Returns the error of an attribute access.
fn attribute_error(why: &OperationError, value: &Value, name: &str, scope: &Scope<'_>, at: Spans) -> Finding {
    let span = at.access;
    let unsupported = |detail: String| Finding::error(Code::UnsupportedAttribute, span, detail);
    match why {
        OperationError::NullParts => {
            Finding::error(Code::NullValue, span, format!("the value is null, so it has no attribute \"{name}\""))
        }
        OperationError::NoSuchName(_) => {
            let kind =
                if matches!(value.ty(), Type::Map(_)) { "map has no element" } else { "object has no attribute" };
            let diagnostic = unsupported(format!("this {kind} \"{name}\""));
            suggest(diagnostic, name, value, scope, at)
        }
        _ => {
            let diagnostic = unsupported(format!("{} has no attributes", messages::with_article(&value.ty())));
            match value.ty() {
                Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
                    let each = Replacement::insertion(span.start(), "[*]");
                    diagnostic
                        .with_help(format!("for the attribute of each element write `[*].{name}`"))
                        .with_edits(NeedsReview, [each])
                }
                _ => diagnostic,
            }
        }
    }
}

/// Returns the error of an index. A key that is marked is not shown.
fn index_error(why: &OperationError, value: &Value, hidden: bool, scope: &Scope<'_>, at: Spans) -> Finding {
    let span = at.access;
    match why {
        OperationError::NoSuchName(_) | OperationError::NoIndex { .. } if hidden => {
            let detail = format!("no element has this key, which is {HIDDEN}");
            Finding::error(Code::InvalidIndex, span, detail)
        }
        OperationError::NullParts => Finding::error(Code::NullValue, span, "the value is null, so it has no elements"),
        OperationError::NoSuchName(name) => {
            let diagnostic = Finding::error(
                Code::InvalidIndex,
                span,
                format!("no element has the key \"{}\"", messages::in_words(name)),
            );
            suggest(diagnostic, name, value, scope, at)
        }
        why => Finding::error(Code::InvalidIndex, span, messages::in_words(why)),
    }
}

/// Suggests the name that was probably meant, if names may be compared. The names of a marked map may be secret too.
fn suggest(diagnostic: Finding, name: &str, value: &Value, scope: &Scope<'_>, at: Spans) -> Finding {
    if !at.compares || value.is_marked() || scope.hides() {
        return diagnostic;
    }
    match value.entries() {
        Some(entries) => diagnostic.with_similar(name, at.name, entries.map(|(name, _)| name)),
        None => {
            let ty = value.ty();
            let names = ty.attributes().unwrap_or_default().iter().map(AttributeType::name);
            diagnostic.with_similar(name, at.name, names)
        }
    }
}

/// Returns the number of names of a value that could have been meant.
fn count_names(value: &Value) -> usize {
    match value.entries() {
        Some(entries) => entries.len(),
        None => value.ty().attributes().map_or(0, <[AttributeType]>::len),
    }
}
