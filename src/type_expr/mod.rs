//! Types written as expressions, such as `list(object({ name = string, port = optional(number, 80) }))`
//! (the extension "Type Expressions" of the official engine).
//!
//! A type expression is not evaluated: it says by the way it is written which type is meant.
//!
//! | written | means |
//! | --- | --- |
//! | `string`, `number`, `bool` | a primitive type |
//! | `any` | any type; in a constraint only |
//! | `list(T)`, `set(T)`, `map(T)` | a collection with elements of type `T` |
//! | `tuple([T, …])` | a tuple |
//! | `object({ name = T, … })` | an object |
//! | `optional(T)`, `optional(T, default)` | an attribute of an object that may be left out; in a constraint only |
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
//! A type as text is [`Type::describe`]; a text is read as a type by `parse`: `"list(string)".parse::<Type>()`.

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

/// A type that values are converted to, and what stands for attributes that they leave out.
#[derive(Clone, Debug)]
pub struct Constraint {
    ty: Type,
    defaults: Defaults,
}

impl Constraint {
    /// The type. Attributes that may be left out are optional in it.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns the defaults for attributes that are left out.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// A value with what it leaves out, converted to the type.
    ///
    /// # Errors
    /// The value does not fit.
    pub fn convert(&self, value: &Value) -> Result<Value, ConvertError> {
        self.convert_within(value, &Account::default())
    }

    /// [`convert`](Self::convert), counted by a meter that evaluations and other conversions may share.
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

    /// The constraint with no attribute that may be left out.
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

/// The type that an expression describes, in either syntax; in JSON a string says it. The type is exact:
/// neither `any` nor `optional` is in it.
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
/// The errors of the type.
pub fn read_type(expression: &Expression) -> Result<Type, Diagnostics> {
    read_expression(expression, Wanted::Exact, &Account::default()).map(|constraint| constraint.ty)
}

/// The type that an expression allows values to have, with what stands for attributes that may be
/// left out; in JSON a string says it.
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
/// The errors of the type and of the defaults in it.
pub fn read_constraint(expression: &Expression) -> Result<Constraint, Diagnostics> {
    constraint_within(expression, &Account::default())
}

/// [`read_constraint`], counted by a meter: defaults are evaluated and converted to their types.
///
/// # Errors
/// The errors of the type and of the defaults in it, or an exceeded limit.
pub fn read_constraint_with_meter(expression: &Expression, meter: &Meter) -> Result<Constraint, Diagnostics> {
    constraint_within(expression, &Account::new(meter.clone()))
}

/// [`read_constraint`], as part of an evaluation.
#[doc(hidden)]
pub fn constraint_within(expression: &Expression, account: &Account) -> Result<Constraint, Diagnostics> {
    read_expression(expression, Wanted::Defaults, account)
}
