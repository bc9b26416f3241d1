//! The input of a function: the arguments of a call, and information about them.

use std::fmt;

use super::FunctionError;
use crate::eval::{LazyArgument, Scope};
use crate::limits::Account;
use crate::model::convert::{ConvertError, Safety, Search, TypeConversion};
use crate::model::unify::unify_within;
use crate::model::{Type, TypeMismatch, UnexpectedValue, Value};
use crate::source::Place;
use crate::syntax::ast::{ExpressionNode, FunctionCall};

/// A call of a function, as its body sees it: the arguments, the type of the result, and their places in the source.
///
/// A function whose arguments are evaluated first gets a `Call` of values; so does the callback that returns the type
/// of its result. A [lazy](super::Function::lazy) function gets a [`LazyCall`], whose arguments are expressions with
/// their scopes.
///
/// | method | for values | for expressions |
/// | --- | --- | --- |
/// | [`arguments`](Self::arguments) | `&[Value]` | `&[LazyArgument]` |
/// | `argument(i)` | `&Value` | `&LazyArgument` |
/// | `get_as::<T>(i)`, `get_rest_as::<T>(i)` | as types of Rust | |
/// | `result_type()` | the declared type of the result | |
/// | [`place(i)`](Self::place) | where the argument is written | the same |
/// | [`call_place()`](Self::call_place) | where the call is written | the same |
/// | `scope()` | | the scope of the call |
///
/// ```
/// use hcl_lr::Scope;
/// use hcl_lr::eval::{Function, Parameter};
/// use hcl_lr::model::Type;
///
/// let parameters = [Parameter::new("text", Type::String), Parameter::new("count", Type::Number)];
/// let repeat = Function::new(parameters, Type::String, |call| {
///     let (text, count): (&str, u8) = (call.get_as(0)?, call.get_as(1)?);
///     Ok(text.repeat(count.into()).into())
/// });
/// let scope = Scope::new().with_function("repeat", repeat);
/// let file = hcl_lr::parse::<hcl_lr::File>("a = repeat(\"ab\", 2)\nb = repeat(\"ab\", 300)\n").into_result()?;
/// let value = |name| file.body().attribute(name).unwrap().expression().evaluate(&scope);
/// assert_eq!(value("a")?.as_str(), Some("abab"));
/// assert_eq!(value("b").unwrap_err().iter().next().unwrap().code().as_str(), "invalid-argument");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub struct Call<'c, A = Value> {
    arguments: &'c [A],
    result_type: &'c Type,
    site: Option<Site<'c>>,
    account: &'c Account,
}

/// A call of a function that evaluates its arguments itself.
pub type LazyCall<'c> = Call<'c, LazyArgument<'c>>;

/// The place of a call in a source.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Site<'c> {
    pub call: FunctionCall<'c>,
    pub expression: ExpressionNode<'c>,
    pub scope: &'c Scope<'c>,
}

impl Site<'_> {
    fn place(&self, index: usize) -> Option<Place> {
        let mut arguments = self.call.arguments();
        // Arguments from an expanded list have the place of the list.
        let last = arguments.len().checked_sub(1)?;
        let index = if self.call.expands_last() { index.min(last) } else { index };
        let expression = arguments.nth(index)?;
        Some(Place::new(expression.shared_source(), expression.span()))
    }
}

impl<'c, A> Call<'c, A> {
    /// Creates a call with arguments that suit the function.
    pub(in crate::eval) fn new(
        arguments: &'c [A],
        result_type: &'c Type,
        site: Option<Site<'c>>,
        account: &'c Account,
    ) -> Self {
        Call { arguments, result_type, site, account }
    }

    /// Converts a value to a type like [`Value::convert`], and counts the work in the account of the evaluation.
    ///
    /// # Errors
    /// As for [`Value::convert`]; or a limit is exceeded.
    pub fn convert(&self, value: &Value, to: &Type) -> Result<Value, ConvertError> {
        value.convert_within(to, self.account)
    }

    /// Returns the type that all types convert to, as found by [`unify`](crate::model::unify::unify).
    pub(crate) fn unify(&self, types: &[Type], safety: Safety) -> Option<Type> {
        unify_within(types, safety, self.account)
    }

    /// Finds the conversion of values of a type to another one.
    pub(crate) fn conversion(&self, from: &Type, to: &Type) -> Result<TypeConversion, TypeMismatch> {
        TypeConversion::within(from, to, Safety::Unsafe, &mut Search::new(self.account))
    }

    /// Returns the account that counts the work.
    pub(crate) fn account(&self) -> &'c Account {
        self.account
    }

    /// Counts work of the function: steps, and bytes of values that it is about to create. A function has to call this
    /// before work that is not bounded by the size of its arguments.
    ///
    /// # Errors
    /// A [limit](crate::Limits) is exceeded. The function has to end; its own message does not matter.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::Type;
    ///
    /// let parameters = [Parameter::new("text", Type::String), Parameter::new("count", Type::Number)];
    /// let repeat = Function::new(parameters, Type::String, |call| {
    ///     let (text, count): (&str, u32) = (call.get_as(0)?, call.get_as(1)?);
    ///     call.charge(1, text.len() as u64 * u64::from(count))?;
    ///     Ok(text.repeat(count as usize).into())
    /// });
    /// let scope = Scope::new().with_function("repeat", repeat);
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = repeat(\"a\", 4000000000)\n").into_result()?;
    /// let errors = file.body().attribute("a").unwrap().evaluate(&scope).unwrap_err();
    /// assert_eq!(errors.iter().next().unwrap().code().as_str(), "limit-exceeded");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn charge(&self, steps: u64, bytes: u64) -> Result<(), FunctionError> {
        self.account.steps(steps)?;
        Ok(self.account.bytes(bytes)?)
    }

    /// Returns the arguments: one for each parameter, followed by those of the variadic parameter.
    pub fn arguments(&self) -> &'c [A] {
        self.arguments
    }

    /// Returns the place of an argument. An argument from a list that was expanded by `...` has the place of the list.
    ///
    /// There is no place if a program called the function, or if there is no such argument.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::Type;
    ///
    /// let any = [Parameter::new("value", Type::Dynamic)];
    /// let line_of = Function::new(any, Type::Number, |call| {
    ///     let place = call.place(0).ok_or("this is for configurations only")?;
    ///     Ok(place.position().line.into())
    /// });
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\nb = line_of(a)\n").into_result()?;
    /// let scope = Scope::new().with("a", 1).with_function("line_of", line_of);
    /// assert_eq!(file.body().attribute("b").unwrap().expression().evaluate(&scope)?, 2.into());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn place(&self, index: usize) -> Option<Place> {
        self.site.filter(|_| index < self.arguments.len())?.place(index)
    }

    /// Returns the place of the call, unless a program called the function.
    pub fn call_place(&self) -> Option<Place> {
        let expression = self.site?.expression;
        Some(Place::new(expression.shared_source(), expression.span()))
    }
}

impl<'c> Call<'c> {
    /// Returns an argument by its index, or null if there is none.
    pub fn argument(&self, index: usize) -> &'c Value {
        static NONE: Value = Value::NULL;
        self.arguments.get(index).unwrap_or(&NONE)
    }

    /// Returns an argument as a Rust type.
    ///
    /// # Errors
    /// The argument does not fit the type. The error blames the argument.
    ///
    /// ```
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let half = Function::new([Parameter::new("number", Type::Number)], Type::Number, |call| {
    ///     Ok((call.get_as::<u8>(0)? / 2).into())
    /// });
    /// assert_eq!(half.call(&[Value::from(8)])?, 4.into());
    /// assert_eq!(half.call(&[Value::from(300)]).unwrap_err().argument_index(), Some(0));
    /// # Ok::<(), hcl_lr::eval::FunctionError>(())
    /// ```
    pub fn get_as<T>(&self, index: usize) -> Result<T, FunctionError>
    where
        T: TryFrom<&'c Value, Error: Into<UnexpectedValue>>,
    {
        T::try_from(self.argument(index)).map_err(|why| FunctionError::unexpected(index, &why.into()))
    }

    /// Returns all arguments from an index on as a Rust type: those of a variadic parameter.
    ///
    /// # Errors
    /// An argument does not fit the type. The error blames that argument.
    ///
    /// ```
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let join = Function::variadic([], Parameter::new("parts", Type::String), Type::String, |call| {
    ///     Ok(call.get_rest_as::<&str>(0)?.join("/").into())
    /// });
    /// assert_eq!(join.call(&["srv".into(), "www".into()])?, "srv/www".into());
    /// # Ok::<(), hcl_lr::eval::FunctionError>(())
    /// ```
    pub fn get_rest_as<T>(&self, from: usize) -> Result<Vec<T>, FunctionError>
    where
        T: TryFrom<&'c Value, Error: Into<UnexpectedValue>>,
    {
        (from..self.arguments.len()).map(|index| self.get_as(index)).collect()
    }

    /// Returns the type of the result: the declared one, or the one that the callback for the type returned. Within
    /// that callback it is dynamic.
    pub fn result_type(&self) -> &'c Type {
        self.result_type
    }
}

impl<'c> LazyCall<'c> {
    /// Returns an argument by its index, or null if there is none.
    pub fn argument(&self, index: usize) -> &'c LazyArgument<'c> {
        static NONE: LazyArgument<'static> = LazyArgument::of_value(Value::NULL);
        self.arguments.get(index).unwrap_or(&NONE)
    }

    /// Returns the scope of the call, unless a program called the function.
    pub fn scope(&self) -> Option<&'c Scope<'c>> {
        self.site.map(|site| site.scope)
    }
}

/// Shows the number of arguments and their places, but not the values, which may be secret or large.
impl<A> fmt::Debug for Call<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Call");
        shown.field("arguments", &self.arguments.len()).field("result_type", self.result_type);
        shown.field("place", &self.call_place()).finish_non_exhaustive()
    }
}
