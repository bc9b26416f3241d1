//! Conditions on values and bodies.

use hcl_lr::body::Expression;
use hcl_lr::source::Place;

/// A condition that must hold.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// The condition.
    pub condition: Expression,
    /// The message if it is false.
    pub message: String,
    /// The place in the schema file.
    pub place: Place,
}

impl Check {
    /// A condition, and the message if it is false.
    ///
    /// ```
    /// use hcl_lr_language::schema::model::Check;
    /// use hcl_lr_language::schema::{Attribute, Type};
    /// use hcl_lr::{Expression, parse};
    ///
    /// let even = parse::<Expression>("value % 2 == 0").into_result()?;
    /// let size = Attribute::new("size", Type::INTEGER).with_check(Check::new(even, "the size must be even"));
    /// assert_eq!(size.checks[0].message, "the size must be even");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn new(condition: Expression, message: impl Into<String>) -> Self {
        Check { condition, message: message.into(), place: Place::nowhere() }
    }
}
