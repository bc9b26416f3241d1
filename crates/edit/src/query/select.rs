//! Results of a query. Parts of the match that are not constant appear as source text.

use super::QueryMatch;
use super::written::Form;
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::internal::Account;
use hcl_lr::model::{Type, Value};
use hcl_lr::parse;
use hcl_lr::stack::with_room;
use hcl_lr::syntax::ast::{AccessStep, ExpressionKind, ExpressionNode, ObjectKey, TraversalNode};

/// The evaluation of the results of a match.
pub(super) struct Selection<'a, 's, 't> {
    scope: &'a Scope<'s>,
    found: &'a QueryMatch<'t>,
    functions: &'a Functions,
    account: &'a Account,
    /// The parts of `self` that expressions use and that do not exist.
    absent: Vec<String>,
}

impl<'a, 's, 't> Selection<'a, 's, 't> {
    pub fn new(
        scope: &'a Scope<'s>,
        found: &'a QueryMatch<'t>,
        functions: &'a Functions,
        account: &'a Account,
    ) -> Selection<'a, 's, 't> {
        Selection { scope, found, functions, account, absent: Vec::new() }
    }

    /// Returns the value of an expression. Records an operand that is null because `self` lacks the part it names.
    pub fn select(&mut self, expression: &Expression) -> Result<Value, Diagnostics> {
        match expression.native_form() {
            Some(node) => self.value(node),
            None => expression.evaluate(self.scope),
        }
    }

    /// Returns the parts of `self` that expressions use and that do not exist.
    pub fn into_absent(self) -> Vec<String> {
        self.absent
    }

    /// Evaluates an expression. If it fails because `self` lacks a part, the value is null.
    fn evaluated(&mut self, expression: ExpressionNode<'_>) -> Result<Value, Diagnostics> {
        expression.evaluate(self.scope).or_else(|why| {
            let this = self.scope.variable("self");
            let lacking = expression
                .variables()
                .into_iter()
                .find(|path| path.root().text() == "self" && this.is_some_and(|this| lacks(this, *path)));
            match lacking {
                Some(path) if !self.account.is_exceeded() => {
                    self.absent.push(path.expression().text().to_owned());
                    Ok(Value::null(Type::Dynamic))
                }
                _ => Err(why),
            }
        })
    }

    fn value(&mut self, expression: ExpressionNode<'_>) -> Result<Value, Diagnostics> {
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
                let value = self.evaluated(expression)?;
                let is_hidden = self.found.resolver.is_some() && value.contains_marks();
                Ok(match value.is_wholly_known() && !is_hidden {
                    true => value,
                    false => self.as_written(path)?.unwrap_or(value),
                })
            }
            ExpressionKind::FunctionCall(call) if call.name() == "try" && !call.expands_last() => {
                // `try` handles missing parts.
                let known = self.absent.len();
                let first = call.arguments().find_map(|argument| {
                    let value = with_room(|| self.value(argument)).ok();
                    let is_there = self.absent.len() == known;
                    self.absent.truncate(known);
                    value.filter(|_| is_there)
                });
                // If no argument can be evaluated, the error is that of the function.
                first.map_or_else(|| expression.evaluate(self.scope), Ok)
            }
            _ => self.evaluated(expression),
        }
    }

    /// Returns the source at a path within a match. If the path continues into an expression without visible parts,
    /// such as a call, the rest of the path follows the source.
    fn as_written(&self, path: TraversalNode<'_>) -> Result<Option<Value>, Diagnostics> {
        let written = self.found.written(self.functions, Form::Source, self.account)?;
        Ok(self.part(&written, path))
    }

    fn part(&self, whole: &Value, path: TraversalNode<'_>) -> Option<Value> {
        let (mut value, mut rest) = (whole, path.steps());
        let mut source = None;
        for step in rest.by_ref() {
            match part(value, step) {
                Some(part) => value = part,
                None => {
                    source = Some((value.as_str()?.strip_prefix("${")?.strip_suffix('}')?, step));
                    break;
                }
            }
        }
        let Some((text, step)) = source else { return Some(value.clone()) };
        // The path would split an expression of several terms.
        let is_term = parse::<Expression>(text).value().as_native().is_some_and(is_term);
        let mut text = if is_term { text.to_owned() } else { format!("({text})") };
        for step in std::iter::once(step).chain(rest) {
            text.push_str(path.expression().shared_source().slice(step.span()));
        }
        Some(Value::from(format!("${{{text}}}")))
    }
}

/// Returns true if a known value has nothing at a path.
fn lacks(value: &Value, path: TraversalNode<'_>) -> bool {
    let mut value = value;
    for step in path.steps() {
        let is_computed = matches!(step, AccessStep::Index(key) if !matches!(key.kind(), ExpressionKind::Number(_) | ExpressionKind::Template(_)));
        if !value.is_known() || is_computed {
            return false;
        }
        match part(value, step) {
            Some(part) => value = part,
            None => return true,
        }
    }
    false
}

/// Returns true if a path can be appended to an expression.
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

/// Returns the part of a value at a step.
fn part<'v>(value: &'v Value, step: AccessStep<'_>) -> Option<&'v Value> {
    match step {
        AccessStep::Attribute(name) => value.attribute(name.text()).or_else(|| value.entry(name.text())),
        AccessStep::LegacyIndex(number) => element(value, number.text()),
        AccessStep::Index(key) => match key.kind() {
            ExpressionKind::Number(number) => element(value, number.text()),
            ExpressionKind::Template(template) => {
                template.as_text().and_then(|text| value.attribute(&text).or_else(|| value.entry(&text)))
            }
            _ => None,
        },
        _ => None,
    }
}

fn element<'v>(value: &'v Value, number: &str) -> Option<&'v Value> {
    value.elements().filter(|_| value.entries().is_none())?.get(number.parse::<usize>().ok()?)
}
