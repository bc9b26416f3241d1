//! Iteration over the parts of values.

use super::Value;

/// Iterates over the parts of a list, set, map, tuple or object, like [`Value::elements`]; other values have none.
/// [`Value::entries`] includes the names.
///
/// ```
/// use hcl_lr::model::Value;
///
/// let ports = Value::from([80, 443]);
/// let mut sum = 0;
/// for port in &ports {
///     sum += u16::try_from(port)?;
/// }
/// assert_eq!(sum, 523);
/// assert_eq!((&Value::NULL).into_iter().count(), 0);
/// # Ok::<(), hcl_lr::model::UnexpectedValue>(())
/// ```
impl<'v> IntoIterator for &'v Value {
    type Item = &'v Value;
    type IntoIter = std::slice::Iter<'v, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements().unwrap_or_default().iter()
    }
}

/// The parts, as from a borrowed value.
impl IntoIterator for Value {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements().unwrap_or_default().to_vec().into_iter()
    }
}

/// The null whose type is not settled.
impl Default for Value {
    fn default() -> Self {
        Value::NULL
    }
}
