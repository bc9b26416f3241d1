//! Literal values ("Literal Values").

use super::failed;
use crate::model::{Number, Type, Value};
use crate::syntax::ast::{self, Expression, ExpressionKind};

/// The value of a number literal. One that is out of range has been reported by the parser.
pub(super) fn number(literal: ast::Number<'_>) -> Value {
    let text = literal.text();
    // Most are a few digits, and are read again for each element of a loop.
    if text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Value::from(text.bytes().fold(0, |number, byte| number * 10 + u32::from(byte - b'0')));
    }
    Number::parse(text).map_or_else(|_| failed(), Value::from)
}

/// The value of a literal key in a traversal.
pub(super) fn key(key: Expression<'_>) -> Value {
    match key.kind() {
        ExpressionKind::Number(literal) => number(literal),
        ExpressionKind::Bool(value) => Value::from(value),
        ExpressionKind::Null => Value::null(Type::Dynamic),
        ExpressionKind::Template(template) => Value::from(&*template.as_text().unwrap_or_default()),
        _ => failed(),
    }
}
