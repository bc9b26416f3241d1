//! Type expressions as fields of structures.

use std::fmt;
use std::str::FromStr;

use crate::body::Expression;
use crate::diagnostic::Diagnostics;
use crate::model::convert::ConvertError;
use crate::model::{Type, Value};
use crate::type_expr::{Constraint, read_constraint};

/// A type expression with optional attributes and their defaults, such as `object({ size = optional(number, 1) })`. A
/// field of the type [`Type`] reads exact type expressions.
///
/// ```
/// use hcl_lr::model::Value;
/// use hcl_lr::typed::TypeExpression;
///
/// #[derive(serde::Deserialize, serde::Serialize)]
/// struct Variable {
///     #[serde(rename = "type")]
///     ty: TypeExpression,
/// }
///
/// let text = "type = object({ size = optional(number, 1) })\n";
/// let variable: Variable = hcl_lr::from_str(text)?;
/// let value = variable.ty.constraint().convert(&hcl_lr::value!({})).unwrap();
/// assert_eq!(value.to_string(), "{ size = 1 }");
/// assert_eq!(hcl_lr::to_string(&variable).unwrap(), text);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct TypeExpression {
    expression: Expression,
    constraint: Constraint,
}

impl TypeExpression {
    /// Reads a type from an expression.
    ///
    /// # Errors
    /// The errors in the type and its defaults.
    pub fn new(expression: Expression) -> Result<Self, Diagnostics> {
        let constraint = read_constraint(&expression)?;
        Ok(TypeExpression { expression, constraint })
    }

    /// The expression, with its place.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Returns the type, with the defaults of its attributes.
    pub fn constraint(&self) -> &Constraint {
        &self.constraint
    }

    /// Returns the type. Attributes that may be left out are optional in it.
    pub fn ty(&self) -> &Type {
        self.constraint.ty()
    }

    /// Fills in defaults, and converts a value to the type.
    ///
    /// # Errors
    /// The value does not fit the type.
    pub fn convert(&self, value: &Value) -> Result<Value, ConvertError> {
        self.constraint.convert(value)
    }
}

/// By what the expression means.
impl PartialEq for TypeExpression {
    fn eq(&self, other: &TypeExpression) -> bool {
        self.expression == other.expression
    }
}

impl Eq for TypeExpression {}

impl FromStr for TypeExpression {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Self, Diagnostics> {
        TypeExpression::new(text.parse()?)
    }
}

/// Writes the type as it is in the source.
impl fmt::Display for TypeExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}

impl fmt::Debug for TypeExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.expression, f)
    }
}
