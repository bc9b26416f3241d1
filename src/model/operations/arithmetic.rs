//! Arithmetic and comparison of numbers.

use super::equality::equal;
use super::{OperationError, Side};
use crate::model::number::{Number, NumberError};
use crate::model::types::Type;
use crate::model::value::{Value, View};

/// Adds two numbers.
///
/// # Errors
/// An operand is null or not a number; the sum is out of range or undefined.
///
/// ```
/// use hcl_lr::model::{operations::add, Value};
/// assert_eq!(add(&Value::from(1), &Value::from("2"))?, Value::from(3));
/// # Ok::<(), hcl_lr::model::operations::OperationError>(())
/// ```
pub fn add(left: &Value, right: &Value) -> Result<Value, OperationError> {
    arithmetic(left, right, Number::add)
}

/// Subtracts two numbers.
///
/// # Errors
/// As [`add`].
pub fn subtract(left: &Value, right: &Value) -> Result<Value, OperationError> {
    arithmetic(left, right, Number::subtract)
}

/// Multiplies two numbers.
///
/// # Errors
/// As [`add`].
pub fn multiply(left: &Value, right: &Value) -> Result<Value, OperationError> {
    arithmetic(left, right, Number::multiply)
}

/// Divides two numbers; see [`Number::divide`] for exactness and zero.
///
/// # Errors
/// As [`add`].
pub fn divide(left: &Value, right: &Value) -> Result<Value, OperationError> {
    arithmetic(left, right, Number::divide)
}

/// Returns the remainder of a division; see [`Number::remainder`] for its sign.
///
/// # Errors
/// As [`add`].
///
/// ```
/// use hcl_lr::model::{operations::remainder, Value};
/// assert_eq!(remainder(&Value::from(-5), &Value::from(3))?, Value::from(-2));
/// # Ok::<(), hcl_lr::model::operations::OperationError>(())
/// ```
pub fn remainder(left: &Value, right: &Value) -> Result<Value, OperationError> {
    arithmetic(left, right, Number::remainder)
}

/// Negates a number.
///
/// # Errors
/// The operand is null or not a number.
pub fn negate(value: &Value) -> Result<Value, OperationError> {
    let operand = operand(value, &Type::Number, Side::Only)?;
    let result = match operand.as_number() {
        Some(number) => Value::from(number.negate()),
        None => Value::unknown_not_null(Type::Number),
    };
    Ok(result.with_marks(&value.marks()))
}

/// Compares two numbers: true if the left one is less than the right one.
///
/// # Errors
/// An operand is null or not a number.
///
/// ```
/// use hcl_lr::model::{operations::less_than, Number, Type, Value};
/// assert_eq!(less_than(&Value::from(1), &Value::from(2))?, Value::from(true));
/// let positive = Value::unknown(Type::Number).refine().min(Number::from(1), true).value()?;
/// assert_eq!(less_than(&positive, &Value::from(0))?, Value::from(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn less_than(left: &Value, right: &Value) -> Result<Value, OperationError> {
    comparison(left, right, |a, b| a < b)
}

/// Compares two numbers: true if the left one is less than or equal to the right one.
///
/// # Errors
/// An operand is null or not a number.
pub fn less_or_equal(left: &Value, right: &Value) -> Result<Value, OperationError> {
    or_equal(comparison(left, right, |a, b| a <= b)?, left, right)
}

/// Compares two numbers: true if the left one is greater than the right one.
///
/// # Errors
/// An operand is null or not a number.
pub fn greater_than(left: &Value, right: &Value) -> Result<Value, OperationError> {
    comparison(left, right, |a, b| a > b)
}

/// Compares two numbers: true if the left one is greater than or equal to the right one.
///
/// # Errors
/// An operand is null or not a number.
pub fn greater_or_equal(left: &Value, right: &Value) -> Result<Value, OperationError> {
    or_equal(comparison(left, right, |a, b| a >= b)?, left, right)
}

/// The operand converted, without marks, and not null.
pub(super) fn operand(value: &Value, ty: &Type, side: Side) -> Result<Value, OperationError> {
    let plain = value.unmarked();
    let converted = plain.convert(ty).map_err(|why| OperationError::Operand(side, why))?;
    if converted.is_null() {
        return Err(OperationError::NullOperand(side));
    }
    Ok(converted)
}

fn arithmetic(
    left: &Value,
    right: &Value,
    work: impl Fn(&Number, &Number) -> Result<Number, NumberError>,
) -> Result<Value, OperationError> {
    // Usually nothing needs to be converted or marked.
    if let (View::Number(a), View::Number(b)) = (left.view(), right.view()) {
        return work(a, b).map(Value::from).map_err(OperationError::Number);
    }
    converted_arithmetic(left, right, &work)
}

/// The general case, in which an operand has to be converted or has marks.
fn converted_arithmetic(
    left: &Value,
    right: &Value,
    work: &dyn Fn(&Number, &Number) -> Result<Number, NumberError>,
) -> Result<Value, OperationError> {
    let a = operand(left, &Type::Number, Side::Left)?;
    let b = operand(right, &Type::Number, Side::Right)?;
    let result = match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => Value::from(work(a, b).map_err(OperationError::Number)?),
        _ => Value::unknown_not_null(Type::Number),
    };
    Ok(result.with_marks(&left.marks().union(&right.marks())))
}

/// `<=` and `>=` are false only if the operands are known not to be equal. While one of two may turn out to be null,
/// that is undecided, as in the official engine.
fn or_equal(result: Value, left: &Value, right: &Value) -> Result<Value, OperationError> {
    let decided =
        left.unmarked().is_known() && right.unmarked().is_known() || result.unmarked().as_bool() != Some(false);
    if decided || equal(left.unmarked(), right.unmarked()).as_bool() == Some(false) {
        return Ok(result);
    }
    Ok(Value::unknown_not_null(Type::Bool).with_marks(&result.marks()))
}

fn comparison(left: &Value, right: &Value, holds: fn(&Number, &Number) -> bool) -> Result<Value, OperationError> {
    let a = operand(left, &Type::Number, Side::Left)?;
    let b = operand(right, &Type::Number, Side::Right)?;
    let ((low_a, high_a), (low_b, high_b)) = (range(&a), range(&b));
    let known = a.is_known() && b.is_known();
    // If the ranges do not overlap, every comparison has the same result for any two of their numbers.
    let result = match known || high_a < low_b || low_a > high_b {
        true => Value::from(holds(&low_a, &low_b)),
        false => Value::unknown_not_null(Type::Bool),
    };
    Ok(result.with_marks(&left.marks().union(&right.marks())))
}

/// Between which numbers a number is.
fn range(value: &Value) -> (Number, Number) {
    if let Some(number) = value.as_number() {
        return (number.clone(), number.clone());
    }
    let known = value.refinement();
    (
        known.lower_bound().map_or(Number::NEG_INFINITY, |bound| bound.number.clone()),
        known.upper_bound().map_or(Number::INFINITY, |bound| bound.number.clone()),
    )
}
