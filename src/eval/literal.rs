//! Literal values ("Literal Values").

use super::failed;
use crate::model::{Number, Type, Value};
use crate::syntax::ast::{self, Expression, ExpressionKind};

/// The value of a number literal. One that is out of range has been reported by the parser.
pub(super) fn number(literal: ast::Number<'_>) -> Value {
    Number::parse(literal.text()).map_or_else(|_| failed(), Value::from)
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
