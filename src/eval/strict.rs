//! Checks values in the strict dialect, for conversions and values that the official engine accepts beyond the
//! specification. To cost nothing in the default dialect, the checks run only where evaluation has left its fast path,
//! or after a single check of the tree's dialect.

use super::{Scope, literal, report};
use crate::diagnostic::Finding;
use crate::model::{Number, Type, Value};
use crate::reading::{Liberty, liberty};
use crate::syntax::ast::{AccessStep, BinaryOperator, ExpressionNode, UnaryOperation};
use crate::syntax::operator::OperandType;

use super::sink::Sink;

/// Reports a deviation from the specification for the value of an expression.
pub(super) fn report(liberty: &Liberty, expression: ExpressionNode<'_>, scope: &Scope<'_>) -> Finding {
    report::with_values(liberty.at(expression.span()), expression, scope)
}

/// Returns true if a value is a bool, or may turn out to be one.
pub(super) fn is_bool(value: &Value) -> bool {
    matches!(value.ty(), Type::Bool | Type::Dynamic)
}

/// Returns true if an unknown value may turn out to be part of a string.
pub(super) fn may_be_text(value: &Value) -> bool {
    matches!(value.ty(), Type::String | Type::Number | Type::Bool | Type::Dynamic)
}

/// Returns true if an operand that is not a plain number or bool is allowed without a conversion.
pub(super) fn operand(
    value: &Value,
    operand: ExpressionNode<'_>,
    operator: BinaryOperator,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> bool {
    let row = operator.row();
    let liberty = match row.takes {
        OperandType::Any => return true,
        OperandType::Bool if value.is_null() => &liberty::NULL_OPERAND,
        OperandType::Bool if is_bool(value) => return true,
        OperandType::Bool => &liberty::LOGIC_CONVERSION,
        // A null operand fails in any dialect.
        OperandType::Number if value.is_null() || is_number(value) => return true,
        OperandType::Number if row.gives == OperandType::Bool => &liberty::COMPARISON_CONVERSION,
        OperandType::Number => &liberty::ARITHMETIC_CONVERSION,
    };
    sink.report(|| report(liberty, operand, scope));
    false
}

fn is_number(value: &Value) -> bool {
    matches!(value.ty(), Type::Number | Type::Dynamic)
}

/// The same for the operand of a unary operator.
pub(super) fn unary_operand(value: &Value, operation: UnaryOperation<'_>, scope: &Scope<'_>, sink: &mut Sink) -> bool {
    let liberty = match operation.operator().row().takes {
        _ if value.is_null() => return true,
        OperandType::Number if is_number(value) => return true,
        OperandType::Bool if is_bool(value) => return true,
        // A value that cannot be converted fails in any dialect.
        _ if !matches!(value.ty(), Type::String) => return true,
        OperandType::Number => &liberty::ARITHMETIC_CONVERSION,
        OperandType::Bool => &liberty::LOGIC_CONVERSION,
        OperandType::Any => return true,
    };
    sink.report(|| report(liberty, operation.operand(), scope));
    false
}

/// Returns the result of an operation as the specification says: with an unknown operand a logic operator returns an
/// unknown bool, and nulls of different types are not equal.
pub(super) fn result(operator: BinaryOperator, left: &Value, right: &Value, result: Value) -> Value {
    match operator {
        BinaryOperator::And | BinaryOperator::Or => {
            let has_unknown = !left.is_known() || !right.is_known();
            if has_unknown && result.is_known() { open_bool() } else { result }
        }
        BinaryOperator::Equal | BinaryOperator::NotEqual if left.is_null() && right.is_null() => {
            let (a, b) = (left.ty(), right.ty());
            if a == b || a == Type::Dynamic || b == Type::Dynamic {
                return result;
            }
            Value::from(operator == BinaryOperator::NotEqual)
        }
        _ => result,
    }
}

/// Returns the result of a logic operator with an unknown or failed operand.
pub(super) fn open_bool() -> Value {
    Value::unknown_not_null(Type::Bool)
}

/// The liberty that a step of a path takes.
pub(super) fn step(value: &Value, step: &AccessStep<'_>) -> Option<Finding> {
    match step {
        AccessStep::Attribute(_) if matches!(value.ty(), Type::Map(_)) => {
            Some(liberty::ATTRIBUTE_OF_MAP.at(step.span()))
        }
        AccessStep::Index(key) if has_exponent(value, &literal::key(*key)) => {
            Some(liberty::KEY_WITH_EXPONENT.at(key.span()))
        }
        _ => None,
    }
}

/// Returns true if a sequence is indexed by a string that is a number only because of its exponent.
pub(super) fn has_exponent(sequence: &Value, key: &Value) -> bool {
    let is_sequence = || matches!(sequence.ty(), Type::List(_) | Type::Tuple(_));
    let text = key.unmarked().as_str();
    text.is_some_and(|text| text.contains(['e', 'E']) && is_sequence() && Number::parse(text).is_ok())
}
