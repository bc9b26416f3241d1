//! Diagnostics with the values of the variables involved.

use std::borrow::Cow;

use super::messages::{MAX_PARTS, describe, excerpt};
use super::{Scope, step, variables};
use crate::diagnostic::{Code, Finding};
use crate::model::convert::ConvertError;
use crate::model::hidden;
use crate::source::Span;
use crate::syntax::ast::{ExpressionKind, ExpressionNode, TemplateNode, TemplatePart};

/// Creates an error within an expression, labelled with the values of its variables.
pub(super) fn error(
    code: Code,
    subject: Span,
    detail: impl Into<Cow<'static, str>>,
    expression: ExpressionNode<'_>,
    scope: &Scope<'_>,
) -> Finding {
    let diagnostic = Finding::error(code, subject, detail).with_context(expression.span());
    with_values(diagnostic, expression, scope)
}

/// Adds the values of the variables in an expression. An expression may be large, so only its first variables are
/// searched.
pub(super) fn with_values(diagnostic: Finding, expression: ExpressionNode<'_>, scope: &Scope<'_>) -> Finding {
    let mut seen: Vec<&str> = Vec::new();
    let mut diagnostic = diagnostic;
    let used = variables::first_of(expression, 2 * MAX_PARTS, scope);
    let conceals = |text: &str| scope.is_concealed() || used.concealed.contains(text);
    for path in used.paths {
        let used = path.expression();
        if seen.len() == MAX_PARTS || seen.contains(&used.text()) {
            continue;
        }
        if let Some(value) = step::resolve(path, scope) {
            seen.push(used.text());
            let value = scope.as_shown(path.root().text(), value);
            let label = match conceals(used.text()) && !value.contains_marks() {
                true => format!("this is {}", hidden::AS_INPUT),
                false => describe(&value),
            };
            diagnostic = diagnostic.with_label(used.span(), label);
        }
    }
    diagnostic
}

/// Describes why there is no conversion. The path to the mismatch contains names from the value, which are not shown if
/// they may be secret.
pub(super) fn why(error: &ConvertError, scope: &Scope<'_>) -> String {
    let why = if scope.hides() { error.reason().to_owned() } else { error.to_string() };
    excerpt(&why).into_owned()
}

/// Returns the first part of an expression, up to the text that tells its kind. That is where the official engine
/// reports arguments, and expressions that should be static.
pub(crate) fn start_of(expression: ExpressionNode<'_>) -> Span {
    let mut at = expression;
    loop {
        at = match at.kind() {
            ExpressionKind::Parentheses(parentheses) => parentheses.inner(),
            ExpressionKind::Conditional(conditional) => conditional.predicate(),
            ExpressionKind::Binary(operation) => operation.left(),
            ExpressionKind::Index(index) => {
                let start = index.brackets_span().start() as u32;
                return Span::of(start, start + 1);
            }
            ExpressionKind::Splat(splat) => return splat.operator_span(),
            ExpressionKind::FunctionCall(call) => return call.name_span().join(call.open_span()),
            ExpressionKind::Unary(operation) => return operation.operator_span(),
            ExpressionKind::Template(template) if template.unwrapped().is_some() => return at.span(),
            ExpressionKind::Template(template) => match template.parts().next() {
                Some(TemplatePart::Interpolation(first)) => first,
                Some(TemplatePart::If(directive)) => directive.predicate(),
                Some(TemplatePart::Literal(_, span)) => return text_within(template, span),
                Some(directive) => return directive.first_sequence_span(),
                None => {
                    let end = at.span().end() as u32;
                    return Span::of(end, end);
                }
            },
            ExpressionKind::Number(_)
            | ExpressionKind::Bool(_)
            | ExpressionKind::Null
            | ExpressionKind::Traversal(_)
            | ExpressionKind::RelativeTraversal(_)
            | ExpressionKind::SplatItem
            | ExpressionKind::Error(_) => return at.span(),
            // These begin with a bracket or a keyword.
            _ => return at.first_token_span(),
        };
    }
}

/// The text of a quoted string without its quotes.
fn text_within(template: TemplateNode<'_>, span: Span) -> Span {
    let text = &template.shared_source().text()[span.range()];
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        // An empty string has no text, so the official engine points after it.
        Some("") => Span::new(span.end(), span.end()),
        Some(_) => Span::of(span.start() as u32 + 1, span.end() as u32 - 1),
        None => span,
    }
}
