//! Conversion between types (information model, "Conversion").
//!
//! A conversion is planned for two *types* before any value is read, by the table in
//! [`plan`](self::TypeConversion::new), and then applied to values. A *safe* conversion never fails and keeps different
//! values different; an *unsafe* one may fail or lose information.
//!
//! | from | to | safe | |
//! | --- | --- | --- | --- |
//! | any type | itself, dynamic | yes | nothing changes |
//! | dynamic | any type | no | an unknown or null of it |
//! | number, bool | string | yes | digits without exponent; `true`, `false` |
//! | string | number, bool | no | decimal text; `true` or `1`, `false` or `0` |
//! | list, set | list | as the elements | |
//! | set | set | as the elements | |
//! | list | set | no | order and repetition are lost |
//! | map | map | as the elements | |
//! | tuple | list, set | as the elements | an element type of dynamic is found by unification |
//! | tuple | tuple | as the elements | equal lengths only |
//! | object | map | as the attributes | an element type of dynamic is found by unification |
//! | object | object | as the attributes | a missing optional attribute becomes null |
//! | map | object | no | keys must cover the attributes that are not optional |
//!
//! Nulls and unknowns become those of the new type, and marks stay. Refinements of nullness and length stay as far as
//! they hold for the new type.

mod apply;
mod plan;
mod search;
mod settle;
mod why;

use super::path::{Located, Path, PathStep};
use super::types::{Type, TypeMismatch};
use super::value::Value;
use crate::limits::{Account, Meter};
use plan::Plan;
use std::fmt;

pub(crate) use apply::steps_to_sort;
pub(crate) use plan::possible;
pub(crate) use search::Search;
use settle::settled_type;

/// The set of allowed conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Safety {
    /// Only conversions that never fail and keep different values different.
    Safe,
    /// Also conversions that may fail or lose something.
    Unsafe,
}

/// A conversion from one type to another, for any number of values.
///
/// ```
/// use hcl_lr::model::{convert::{Safety, TypeConversion}, Type, Value};
/// let to_text = TypeConversion::new(&Type::Number, &Type::String, Safety::Safe)?;
/// assert_eq!(to_text.apply(&Value::from(1))?, Value::from("1"));
/// assert_eq!(to_text.apply(&Value::from(2))?, Value::from("2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TypeConversion {
    from: Type,
    to: Type,
    plan: Plan,
}

impl TypeConversion {
    /// Plans the conversion from one type to another.
    ///
    /// # Errors
    /// There is no conversion; the error names the innermost types that cannot be converted.
    ///
    /// ```
    /// use hcl_lr::model::{convert::{Safety, TypeConversion}, Type};
    /// let from = Type::object([("a", Type::tuple([Type::Bool]))]);
    /// let to = Type::object([("a", Type::list(Type::Number))]);
    /// let why = TypeConversion::new(&from, &to, Safety::Unsafe).unwrap_err();
    /// assert_eq!(why.to_string(), ".a[0]: a number is required, not a bool");
    /// ```
    pub fn new(from: &Type, to: &Type, safety: Safety) -> Result<TypeConversion, TypeMismatch> {
        TypeConversion::within(from, to, safety, &mut Search::new(&Account::default()))
    }

    /// [`new`](Self::new), as part of a search.
    pub(crate) fn within(
        from: &Type,
        to: &Type,
        safety: Safety,
        search: &mut Search<'_>,
    ) -> Result<TypeConversion, TypeMismatch> {
        match plan::plan(from, to, safety, search) {
            Some(plan) => Ok(TypeConversion { from: from.clone(), to: to.clone(), plan }),
            None => Err(why::why_not(from, to, safety, search)),
        }
    }

    /// Converts a value of the type that the conversion was planned for. (A value of another type is converted as by
    /// [`Value::convert`].)
    ///
    /// # Errors
    /// The first part of the value that cannot be converted; never if the conversion is safe.
    pub fn apply(&self, value: &Value) -> Result<Value, ConvertError> {
        if value.ty() != self.from {
            return value.convert(&self.to);
        }
        let converted = apply::apply(&self.plan, value, &mut Search::new(&Account::default()));
        converted.map_err(|why| why.without_marked_names(value))
    }
}

/// Why a value cannot be converted.
///
/// ```
/// use hcl_lr::model::{Type, Value};
/// let value = Value::tuple([Value::from("1"), Value::from("x")]);
/// let error = value.convert(&Type::list(Type::Number)).unwrap_err();
/// assert_eq!(error.to_string(), "[1]: a number is required");
/// assert_eq!(error.path().to_string(), "[1]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertError(pub(crate) Box<Located>);

impl ConvertError {
    /// Returns the path of the wrong part of the value.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the reason without the path.
    pub fn reason(&self) -> &str {
        &self.0.why
    }
}

impl ConvertError {
    /// Returns the error without the names of marked parts: the keys of a map may be secret too.
    fn without_marked_names(self, value: &Value) -> ConvertError {
        if !value.contains_marks() {
            return self;
        }
        let (mut part, mut hidden) = (Some(value.clone()), false);
        let step = |step: PathStep| {
            hidden |= part.as_ref().is_none_or(Value::is_marked);
            part = part.as_ref().and_then(|part| Path::from(vec![step.clone()]).apply(part));
            match step {
                PathStep::Attribute(_) | PathStep::Key(_) | PathStep::Element(_) if hidden => PathStep::Any,
                step => step,
            }
        };
        let steps = self.path().steps().iter().cloned().map(step).collect();
        ConvertError(Located::new(steps, self.0.why))
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for ConvertError {}

impl From<TypeMismatch> for ConvertError {
    fn from(mismatch: TypeMismatch) -> ConvertError {
        ConvertError(mismatch.0)
    }
}

impl Value {
    /// Converts the value to a type, unsafe conversions included, within the [default limits](crate::Limits). Where the
    /// type is dynamic, the part stays as it is. Attributes that are optional in the type and missing in the value
    /// become null.
    ///
    /// # Errors
    /// The value cannot be converted; the error has the path of the part.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let ports = Value::tuple([Value::from("80"), Value::from(443)]);
    /// let ports = ports.convert(&Type::set(Type::Number))?;
    /// assert_eq!(ports.to_string(), "[80, 443]");
    /// # Ok::<(), hcl_lr::model::convert::ConvertError>(())
    /// ```
    pub fn convert(&self, to: &Type) -> Result<Value, ConvertError> {
        match apply::primitive(self, to) {
            Some(converted) => converted,
            None => self.convert_compound(to, &Account::default()),
        }
    }

    /// Converts like [`convert`](Self::convert), counted by a meter that evaluations and other conversions may share.
    ///
    /// ```
    /// use hcl_lr::limits::{Limits, Meter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let meter = Meter::new(Limits::new().max_steps(1_000));
    /// let numbers = Value::tuple((0..800).map(Value::from));
    /// assert!(numbers.convert_with_meter(&Type::list(Type::String), &meter).is_ok());
    /// assert!(numbers.convert_with_meter(&Type::list(Type::String), &meter).is_err());
    /// assert!(meter.exceeded().is_some());
    /// ```
    ///
    /// # Errors
    /// The value cannot be converted, or a limit is exceeded.
    pub fn convert_with_meter(&self, to: &Type, meter: &Meter) -> Result<Value, ConvertError> {
        self.convert_within(to, &Account::new(meter.clone()))
    }

    /// [`convert`](Self::convert), as part of an evaluation.
    pub(crate) fn convert_within(&self, to: &Type, account: &Account) -> Result<Value, ConvertError> {
        apply::count_leaf(self, to, account)?;
        match apply::primitive(self, to) {
            Some(converted) => converted,
            None => self.convert_compound(to, account),
        }
    }

    fn convert_compound(&self, to: &Type, account: &Account) -> Result<Value, ConvertError> {
        let from = self.ty();
        if *to == Type::Dynamic || from == to.without_optional_attributes() {
            return Ok(self.clone());
        }
        let mut search = Search::new(account);
        let converted = TypeConversion::within(&from, to, Safety::Unsafe, &mut search)
            .map_err(ConvertError::from)
            .and_then(|conversion| apply::apply(&conversion.plan, self, &mut search));
        converted.map_err(|why| why.without_marked_names(self))
    }
}
