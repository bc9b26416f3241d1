//! Access to parts of values by name and by position, without panics.

use super::Value;
use crate::model::native::{Unexpected, UnexpectedValue, unexpected};
use crate::model::path::PathStep;
use crate::model::types::Type;
use std::ops::Index;

/// A key for a part of a [`Value`]: a name (`&str`, `&String`) for an attribute of an object or an element of a map, a
/// position (`usize`) for an element of a list, set or tuple.
///
/// It cannot be implemented elsewhere.
pub trait ValueIndex: sealed::Sealed {
    #[doc(hidden)]
    fn part_of<'v>(&self, value: &'v Value) -> Option<&'v Value>;

    /// Returns the step of a path, and the kind of values that have such parts.
    #[doc(hidden)]
    fn step_from(&self, value: &Value) -> (PathStep, &'static str);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
    impl Sealed for String {}
    impl Sealed for usize {}
    impl<T: Sealed + ?Sized> Sealed for &T {}
}

impl ValueIndex for str {
    fn part_of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.attribute(self).or_else(|| value.entry(self))
    }

    fn step_from(&self, value: &Value) -> (PathStep, &'static str) {
        (value.step_to(self), "map or object")
    }
}

impl ValueIndex for String {
    fn part_of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.as_str().part_of(value)
    }

    fn step_from(&self, value: &Value) -> (PathStep, &'static str) {
        self.as_str().step_from(value)
    }
}

impl ValueIndex for usize {
    fn part_of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        let node = value.node()?;
        node.items.get(*self).filter(|_| !matches!(node.ty, Type::Map(_) | Type::Object(_)))
    }

    fn step_from(&self, _value: &Value) -> (PathStep, &'static str) {
        (PathStep::Position(*self), "list, set or tuple")
    }
}

impl<T: ValueIndex + ?Sized> ValueIndex for &T {
    fn part_of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        (**self).part_of(value)
    }

    fn step_from(&self, value: &Value) -> (PathStep, &'static str) {
        (**self).step_from(value)
    }
}

impl Value {
    /// Returns the part with a name or at a position, if there is one. Marks of the value are not added to it.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    /// let server = Value::object([("ports", Value::from([80, 443]))]);
    /// assert_eq!(server.get("ports").and_then(|ports| ports.get(1)), Some(&443.into()));
    /// assert_eq!(server.get("host"), None);
    /// assert_eq!(server.get(0), None);
    /// ```
    pub fn get(&self, index: impl ValueIndex) -> Option<&Value> {
        index.part_of(self)
    }

    /// Returns the part with a name or at a position as a Rust type. A missing part is null for an `Option`, and an
    /// error for all other types.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    ///
    /// let server: Value = "{ name = \"web\", ports = [80, 443], weight = 300 }".parse()?;
    /// let name: &str = server.get_as("name")?;
    /// let ports: Vec<u16> = server.get_as("ports")?;
    /// let host: Option<String> = server.get_as("host")?;
    /// assert_eq!((name, ports, host), ("web", vec![80, 443], None));
    ///
    /// let why = |index: &str| server.get_as::<u8>(index).unwrap_err().to_string();
    /// assert_eq!(why("weight"), ".weight: 300 does not fit u8 (0 to 255)");
    /// assert_eq!(why("ports"), ".ports: a number is required, not a tuple");
    /// assert_eq!(why("host"), ".host: the value is missing");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The value has no parts of that kind, or is marked; or the part does not fit the type.
    pub fn get_as<'v, T>(&'v self, index: impl ValueIndex) -> Result<T, UnexpectedValue>
    where
        T: TryFrom<&'v Value, Error: Into<UnexpectedValue>>,
    {
        static NONE: Value = Value::NULL;
        let (step, holder) = index.step_from(self);
        let by_name = matches!(self.ty(), Type::Map(_) | Type::Object(_));
        let by_position = matches!(self.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
        let fits = if matches!(step, PathStep::Position(_)) { by_position } else { by_name };
        if self.is_marked() || self.node().is_none() || !fits {
            return Err(unexpected(self, holder));
        }
        let converted = match index.part_of(self) {
            Some(part) => T::try_from(part).map_err(Into::into),
            None => T::try_from(&NONE).map_err(|_| Unexpected::Missing.into()),
        };
        converted.map_err(|why: UnexpectedValue| why.below(step))
    }

    /// Returns the step of a path to a part of a name.
    pub(in crate::model) fn step_to(&self, name: &str) -> PathStep {
        match self.ty() {
            Type::Map(_) => PathStep::key(name),
            _ => PathStep::attribute(name),
        }
    }
}

/// Returns the part with a name or at a position, like [`Value::get`]. It never panics: a missing part is null, and so
/// is every part of a null; a part of an unknown value is unknown.
///
/// ```
/// use hcl_lr::model::{Type, Value};
///
/// let server = Value::object([("ports", Value::from([80, 443]))]);
/// assert_eq!(server["ports"][1], 443.into());
/// assert!(server["host"]["name"].is_null());
/// assert!(!Value::unknown(Type::Dynamic)["host"].is_known());
/// ```
impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    fn index(&self, index: I) -> &Value {
        static NULL: Value = Value::NULL;
        static UNKNOWN: Value = Value::UNKNOWN;
        let otherwise = if self.is_known() { &NULL } else { &UNKNOWN };
        index.part_of(self).unwrap_or(otherwise)
    }
}
