//! Logic on bools (rulings, `&&` and `||` with one deciding operand, `true && null`).

use super::arithmetic::operand;
use super::{OperationError, Side};
use crate::model::types::Type;
use crate::model::value::Value;

/// Returns an operand of a logic operator, converted but possibly null.
fn boolean(value: &Value, side: Side) -> Result<Value, OperationError> {
    value.unmarked().convert(&Type::Bool).map_err(|why| OperationError::Operand(side, why))
}

/// Returns true if both are true. A false or null operand on either side decides, even if the other one is unknown.
///
/// # Errors
/// An operand is not a bool.
///
/// ```
/// use hcl_lr::model::{operations::and, Type, Value};
/// let unknown = Value::unknown(Type::Bool);
/// assert_eq!(and(&unknown, &Value::from(false))?, Value::from(false));
/// assert!(!and(&unknown, &Value::from(true))?.is_known());
/// # Ok::<(), hcl_lr::model::operations::OperationError>(())
/// ```
pub fn and(left: &Value, right: &Value) -> Result<Value, OperationError> {
    let (a, b) = (boolean(left, Side::Left)?, boolean(right, Side::Right)?);
    let decides = |value: &Value| value.is_null() || value.as_bool() == Some(false);
    let result = if decides(&a) || decides(&b) {
        Value::from(false)
    } else if a.is_known() && b.is_known() {
        Value::from(true)
    } else {
        Value::unknown_not_null(Type::Bool)
    };
    Ok(result.with_marks(&left.marks().union(&right.marks())))
}

/// Returns true if one of them is true. A true operand on either side decides, even if the other one is unknown or
/// null.
///
/// # Errors
/// An operand is not a bool; or one is null and none is unknown or true.
///
/// ```
/// use hcl_lr::model::{operations::or, Type, Value};
/// assert_eq!(or(&Value::null(Type::Bool), &Value::from(true))?, Value::from(true));
/// assert!(or(&Value::null(Type::Bool), &Value::from(false)).is_err());
/// # Ok::<(), hcl_lr::model::operations::OperationError>(())
/// ```
pub fn or(left: &Value, right: &Value) -> Result<Value, OperationError> {
    let (a, b) = (boolean(left, Side::Left)?, boolean(right, Side::Right)?);
    let result = if a.as_bool() == Some(true) || b.as_bool() == Some(true) {
        Value::from(true)
    } else if !a.is_known() || !b.is_known() {
        Value::unknown_not_null(Type::Bool)
    } else if a.is_null() || b.is_null() {
        let side = if a.is_null() { Side::Left } else { Side::Right };
        return Err(OperationError::NullOperand(side));
    } else {
        Value::from(false)
    };
    Ok(result.with_marks(&left.marks().union(&right.marks())))
}

/// Negates a bool.
///
/// # Errors
/// The operand is null or not a bool.
pub fn not(value: &Value) -> Result<Value, OperationError> {
    let operand = operand(value, &Type::Bool, Side::Only)?;
    let result = match operand.as_bool() {
        Some(b) => Value::from(!b),
        None => Value::unknown_not_null(Type::Bool),
    };
    Ok(result.with_marks(&value.marks()))
}
