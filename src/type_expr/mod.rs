//! Types written as expressions, such as `list(object({ name = string, port = optional(number, 80) }))`
//! (the extension "Type Expressions" of the official engine).
//!
//! A type expression is not evaluated: its syntax determines the type.
//!
//! | expression | type |
//! | --- | --- |
//! | `string`, `number`, `bool` | a primitive type |
//! | `any` | any type; in a constraint only |
//! | `list(T)`, `set(T)`, `map(T)` | a collection with elements of type `T` |
//! | `tuple([T, …])` | a tuple |
//! | `object({ name = T, … })` | an object |
//! | `optional(T)`, `optional(T, default)` | an attribute of an object that may be omitted; in a constraint only |
//!
//! ```
//! use hcl_lr::{Body, parse};
//! use hcl_lr::model::Value;
//! use hcl_lr::type_expr::read_constraint;
//!
//! let body = parse::<Body>("type = object({ name = string, port = optional(number, 80) })\n").into_result()?;
//! let attributes = body.attributes().into_result()?;
//! let constraint = read_constraint(attributes.get("type").expect("it is there").expression())?;
//!
//! let given = Value::object([("name", "web")].map(|(name, value)| (name, Value::from(value))));
//! let value = constraint.convert(&given).expect("it fits");
//! assert_eq!(value.to_string(), r#"{ name = "web", port = 80 }"#);
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! [`Type::describe`] writes a type as text; `parse` reads it: `"list(string)".parse::<Type>()`.

mod defaults;
mod from_str;
mod help;
mod read;

use crate::body::Expression;
use crate::diagnostic::Diagnostics;
use crate::limits::{Account, Meter};
use crate::model::convert::ConvertError;
use crate::model::{Type, Value};
use crate::stack;

pub use defaults::Defaults;
pub(crate) use help::Wanted;
use read::read_expression;
pub(crate) use read::read_native;

/// A type that values are converted to, and the defaults for omitted attributes.
#[derive(Clone, Debug)]
pub struct Constraint {
    ty: Type,
    defaults: Defaults,
}

impl Constraint {
    /// Returns the type. Attributes that may be omitted are optional in it.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns the defaults for attributes that are left out.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// Applies the defaults to a value and converts it to the type.
    ///
    /// # Errors
    /// The value does not fit.
    pub fn convert(&self, value: &Value) -> Result<Value, ConvertError> {
        self.convert_within(value, &Account::default())
    }

    /// Converts like [`convert`](Self::convert), counted by a meter that evaluations and other conversions may share.
    ///
    /// # Errors
    /// The value does not fit, or a limit is exceeded.
    pub fn convert_with_meter(&self, value: &Value, meter: &Meter) -> Result<Value, ConvertError> {
        self.convert_within(value, &Account::new(meter.clone()))
    }

    /// [`convert`](Self::convert), as part of an evaluation.
    #[doc(hidden)]
    pub fn convert_within(&self, value: &Value, account: &Account) -> Result<Value, ConvertError> {
        let value = self.defaults.apply_within(value, account);
        stack::with_room_for(value.height().max(self.ty.height()), || value.convert_within(&self.ty, account))
    }

    /// Returns the constraint with all attributes required.
    pub(crate) fn with_all_required(self) -> Self {
        Constraint { ty: self.ty.without_optional_attributes(), defaults: Defaults::default() }
    }

    /// The type and the defaults.
    pub fn into_parts(self) -> (Type, Defaults) {
        (self.ty, self.defaults)
    }
}

/// A type that nothing is left out of.
impl From<Type> for Constraint {
    fn from(ty: Type) -> Constraint {
        Constraint { ty, defaults: Defaults::default() }
    }
}

/// Reads a type from an expression in either syntax; in JSON it is a string. The type is exact: it contains neither
/// `any` nor `optional`.
///
/// ```
/// use hcl_lr::{Body, parse};
/// use hcl_lr::model::Type;
/// use hcl_lr::type_expr::read_type;
///
/// let type_in = |name: &str, text: &str| {
///     let body = parse::<Body>((name, text)).into_result()?;
///     read_type(body.attributes().into_result()?.get("type").expect("it is there").expression())
/// };
/// assert_eq!(type_in("a.hcl", "type = map(bool)\n")?, Type::map(Type::Bool));
/// assert_eq!(type_in("a.json", r#"{"type": "map(bool)"}"#)?, Type::map(Type::Bool));
///
/// let error = type_in("a.hcl", "type = \"map(bool)\"\n").unwrap_err();
/// assert_eq!(error.iter().next().unwrap().help(), Some("write it without quotes: `map(bool)`"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the type.
pub fn read_type(expression: &Expression) -> Result<Type, Diagnostics> {
    read_expression(expression, Wanted::Exact, &Account::default()).map(|constraint| constraint.ty)
}

/// Reads a type with defaults for omitted attributes from an expression; in JSON it is a string.
///
/// ```
/// use hcl_lr::{Body, parse};
/// use hcl_lr::model::Value;
/// use hcl_lr::type_expr::read_constraint;
///
/// let body = parse::<Body>("type = list(object({ size = optional(number, 1), tag = any }))\n").into_result()?;
/// let attributes = body.attributes().into_result()?;
/// let constraint = read_constraint(attributes.get("type").expect("it is there").expression())?;
/// assert_eq!(constraint.ty().describe(), "list(object({size = optional(number), tag = any}))");
/// assert!(!constraint.defaults().is_empty());
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the type and its defaults.
pub fn read_constraint(expression: &Expression) -> Result<Constraint, Diagnostics> {
    constraint_within(expression, &Account::default())
}

/// Reads like [`read_constraint`], counted by a meter: defaults are evaluated and converted to their types.
///
/// # Errors
/// The errors in the type and its defaults, or an exceeded limit.
pub fn read_constraint_with_meter(expression: &Expression, meter: &Meter) -> Result<Constraint, Diagnostics> {
    constraint_within(expression, &Account::new(meter.clone()))
}

/// [`read_constraint`], as part of an evaluation.
#[doc(hidden)]
pub fn constraint_within(expression: &Expression, account: &Account) -> Result<Constraint, Diagnostics> {
    read_expression(expression, Wanted::Defaults, account)
}
