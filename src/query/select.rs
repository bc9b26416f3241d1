//! The result of a query. What is not constant is shown as it is written, where it is a part of
//! what was found.

use super::QueryMatch;
use super::written::Form;
use crate::body::Expression;
use crate::diagnostic::Diagnostics;
use crate::eval::{Functions, Scope};
use crate::limits::Account;
use crate::model::Value;
use crate::reading::parse;
use crate::stack::with_room;
use crate::syntax::ast::{AccessStep, ExpressionKind, ExpressionNode, ObjectKey, TraversalNode};

/// The value of an expression for something that was found.
pub(super) fn select(
    expression: &Expression,
    scope: &Scope<'_>,
    found: &QueryMatch<'_>,
    functions: &Functions,
    account: &Account,
) -> Result<Value, Diagnostics> {
    match expression.native_form() {
        Some(node) => Selection { scope, found, functions, account }.value(node),
        None => expression.evaluate(scope),
    }
}

#[derive(Clone, Copy)]
struct Selection<'a, 's, 't> {
    scope: &'a Scope<'s>,
    found: &'a QueryMatch<'t>,
    functions: &'a Functions,
    account: &'a Account,
}

impl Selection<'_, '_, '_> {
    fn value(self, expression: ExpressionNode<'_>) -> Result<Value, Diagnostics> {
        match expression.kind() {
            ExpressionKind::Parentheses(parentheses) => with_room(|| self.value(parentheses.inner())),
            ExpressionKind::Tuple(tuple) => {
                let elements: Result<Vec<Value>, Diagnostics> =
                    tuple.elements().map(|element| with_room(|| self.value(element))).collect();
                Ok(Value::tuple(elements?))
            }
            ExpressionKind::Object(object)
                if object.elements().all(|element| matches!(element.key(), ObjectKey::Name(_))) =>
            {
                let mut members = Vec::new();
                for element in object.elements() {
                    let ObjectKey::Name(name) = element.key() else { continue };
                    members.push((name.text(), with_room(|| self.value(element.value()))?));
                }
                Ok(Value::object(members))
            }
            ExpressionKind::Traversal(path) if path.root().text() == "self" => {
                let value = expression.evaluate(self.scope)?;
                Ok(match value.is_wholly_known() {
                    true => value,
                    false => self.as_written(path)?.unwrap_or(value),
                })
            }
            ExpressionKind::FunctionCall(call) if call.name() == "try" && !call.expands_last() => {
                let first = call.arguments().find_map(|argument| with_room(|| self.value(argument)).ok());
                // If none can be evaluated, the error is the one of the function.
                first.map_or_else(|| expression.evaluate(self.scope), Ok)
            }
            _ => expression.evaluate(self.scope),
        }
    }

    /// Returns the source at a path within a match. If the path continues into an expression without visible parts,
    /// such as a call, the rest of the path follows the source.
    fn as_written(self, path: TraversalNode<'_>) -> Result<Option<Value>, Diagnostics> {
        let whole = self.found.written(self.functions, Form::Source, self.account)?;
        Ok(self.part(&whole, path))
    }

    fn part(self, whole: &Value, path: TraversalNode<'_>) -> Option<Value> {
        let (mut value, mut rest) = (whole, path.steps());
        let mut source = None;
        for step in rest.by_ref() {
            let part = match step {
                AccessStep::Attribute(name) => value.attribute(name.text()).or_else(|| value.entry(name.text())),
                AccessStep::LegacyIndex(number) => element(value, number.text()),
                AccessStep::Index(key) => match key.kind() {
                    ExpressionKind::Number(number) => element(value, number.text()),
                    ExpressionKind::Template(template) => {
                        template.as_text().and_then(|text| value.attribute(&text).or_else(|| value.entry(&text)))
                    }
                    _ => None,
                },
            };
            match part {
                Some(part) => value = part,
                None => {
                    source = Some((value.as_str()?.strip_prefix("${")?.strip_suffix('}')?, step));
                    break;
                }
            }
        }
        let Some((text, step)) = source else { return Some(value.clone()) };
        // An expression of several terms would be torn apart by the path after it.
        let is_term = parse::<Expression>(text).value().as_native().is_some_and(is_term);
        let mut text = if is_term { text.to_owned() } else { format!("({text})") };
        for step in std::iter::once(step).chain(rest) {
            text.push_str(path.expression().shared_source().slice(step.span()));
        }
        Some(Value::from(format!("${{{text}}}")))
    }
}

/// Returns true if a path can follow an expression as it is.
fn is_term(expression: ExpressionNode<'_>) -> bool {
    matches!(
        expression.kind(),
        ExpressionKind::Traversal(_)
            | ExpressionKind::RelativeTraversal(_)
            | ExpressionKind::Index(_)
            | ExpressionKind::Splat(_)
            | ExpressionKind::FunctionCall(_)
            | ExpressionKind::Tuple(_)
            | ExpressionKind::Object(_)
            | ExpressionKind::For(_)
            | ExpressionKind::Parentheses(_)
    )
}

fn element<'v>(value: &'v Value, number: &str) -> Option<&'v Value> {
    value.elements().filter(|_| value.entries().is_none())?.get(number.parse::<usize>().ok()?)
}
