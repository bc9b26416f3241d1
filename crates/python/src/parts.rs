//! The parts of expressions by their roles, such as the condition of a conditional.

use hcl_lr::syntax::ast::{Conditional, ExpressionKind, ExpressionNode as Syntax, ForExpr};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::nodes::{Handle, Node};

/// Returns the parts of an expression by their roles.
pub fn parts<'py>(py: Python<'py>, handle: &Handle) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    if let Node::Json(node) = handle.node() {
        let parts = handle.lead(|node| match node {
            Node::Json(node) => node.parts(),
            _ => Vec::new(),
        });
        let role = match node.kind() {
            "list" => "elements",
            "object" => "entries",
            _ => return Ok(dict),
        };
        dict.set_item(role, Handle::list(py, parts)?)?;
        return Ok(dict);
    }
    let Some(expression) = handle.node().native_expression() else { return Ok(dict) };
    let one = |name: &str, find: for<'t> fn(ExpressionKind<'t>) -> Option<Syntax<'t>>| -> PyResult<()> {
        let found = handle.lead(|node| {
            let part = node.native_expression().and_then(|expression| find(expression.kind()));
            part.map(Node::Expression).into_iter().collect()
        });
        match found.first() {
            Some(part) => dict.set_item(name, part.object(py)?),
            None => Ok(()),
        }
    };
    let many = |name: &str, find: for<'t> fn(ExpressionKind<'t>) -> Vec<Node<'t>>| -> PyResult<()> {
        let found = handle.lead(|node| node.native_expression().map(|one| find(one.kind())).unwrap_or_default());
        dict.set_item(name, Handle::list(py, found)?)
    };
    match expression.kind() {
        ExpressionKind::Tuple(_) => many("elements", |kind| match kind {
            ExpressionKind::Tuple(tuple) => tuple.elements().map(Node::Expression).collect(),
            _ => Vec::new(),
        })?,
        ExpressionKind::Object(_) => many("entries", |kind| match kind {
            ExpressionKind::Object(object) => object.elements().map(Node::Entry).collect(),
            _ => Vec::new(),
        })?,
        ExpressionKind::FunctionCall(call) => {
            dict.set_item("name", call.name().as_ref())?;
            dict.set_item("expands_last", call.expands_last())?;
            many("arguments", |kind| match kind {
                ExpressionKind::FunctionCall(call) => call.arguments().map(Node::Expression).collect(),
                _ => Vec::new(),
            })?;
        }
        ExpressionKind::Conditional(_) => {
            one("condition", |kind| conditional(kind).map(|one| one.predicate()))?;
            one("true", |kind| conditional(kind).map(|one| one.true_result()))?;
            one("false", |kind| conditional(kind).map(|one| one.false_result()))?;
        }
        ExpressionKind::Binary(operation) => {
            dict.set_item("operator", operation.operator().as_str())?;
            one("left", |kind| match kind {
                ExpressionKind::Binary(operation) => Some(operation.left()),
                _ => None,
            })?;
            one("right", |kind| match kind {
                ExpressionKind::Binary(operation) => Some(operation.right()),
                _ => None,
            })?;
        }
        ExpressionKind::Unary(operation) => {
            dict.set_item("operator", operation.operator().as_str())?;
            one("operand", |kind| match kind {
                ExpressionKind::Unary(operation) => Some(operation.operand()),
                _ => None,
            })?;
        }
        ExpressionKind::Parentheses(_) => one("inner", |kind| match kind {
            ExpressionKind::Parentheses(parentheses) => Some(parentheses.inner()),
            _ => None,
        })?,
        ExpressionKind::For(expression) => {
            dict.set_item("key_name", expression.key_variable().map(|name| name.text()))?;
            dict.set_item("value_name", expression.value_variable().text())?;
            dict.set_item("is_object", expression.is_object())?;
            dict.set_item("groups", expression.groups())?;
            one("collection", |kind| for_of(kind).map(|one| one.collection()))?;
            one("key", |kind| for_of(kind).and_then(|one| one.key()))?;
            one("value", |kind| for_of(kind).map(|one| one.value()))?;
            one("condition", |kind| for_of(kind).and_then(|one| one.condition()))?;
        }
        ExpressionKind::Index(_) => {
            one("collection", |kind| match kind {
                ExpressionKind::Index(index) => Some(index.collection()),
                _ => None,
            })?;
            one("key", |kind| match kind {
                ExpressionKind::Index(index) => Some(index.key()),
                _ => None,
            })?;
        }
        _ => {}
    }
    Ok(dict)
}

fn conditional(kind: ExpressionKind<'_>) -> Option<Conditional<'_>> {
    match kind {
        ExpressionKind::Conditional(conditional) => Some(conditional),
        _ => None,
    }
}

fn for_of(kind: ExpressionKind<'_>) -> Option<ForExpr<'_>> {
    match kind {
        ExpressionKind::For(expression) => Some(expression),
        _ => None,
    }
}
