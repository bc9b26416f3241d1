//! Literal values ("Literal Values").

use super::failed;
use crate::model::{Number, Type, Value};
use crate::syntax::ast::{self, ExpressionKind, ExpressionNode, no_literals};

/// Returns the value of a number literal. The parser has already reported one that is out of range.
pub(super) fn number(literal: ast::NumberNode<'_>) -> Value {
    let text = literal.text();
    match few_digits(text) {
        Some(number) => Value::from(number),
        None => Number::parse(text).map_or_else(|_| failed(), Value::from),
    }
}

/// Most numbers have only a few digits, and are read again for each element of a loop.
fn few_digits(text: &str) -> Option<u32> {
    if text.len() > 9 {
        return None;
    }
    text.bytes().try_fold(0, |number, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then_some(number * 10 + u32::from(digit))
    })
}

/// The value of a literal key in a traversal.
pub(super) fn key(key: ExpressionNode<'_>) -> Value {
    match key.kind() {
        ExpressionKind::Number(literal) => number(literal),
        ExpressionKind::Bool(value) => Value::from(value),
        ExpressionKind::Null => Value::null(Type::Dynamic),
        ExpressionKind::Template(template) => Value::from(&*template.as_text().unwrap_or_default()),
        // The others are no literals.
        no_literals!() => failed(),
    }
}
