//! Functions, for their callers and for applications that define them (information model, "Functions").

mod call;
mod error;
mod table;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

pub(super) use call::Site;
pub use call::{Call, LazyCall};
pub use error::FunctionError;
pub use table::Functions;

use super::Scope;
use super::lazy::LazyArgument;
use crate::limits::{Account, Exceeded};
use crate::model::refine::Refine;
use crate::model::{MarkSet, MarkUnion, Type, Value};
use crate::stack::with_room_for;

/// A parameter of a function.
///
/// By default, the function never sees null, unknown or marked values for the parameter: a null is an error, an unknown
/// value makes the result unknown, and marks are moved to the result.
///
/// ```
/// use hcl_lr::eval::Parameter;
/// use hcl_lr::model::Type;
///
/// let parameter = Parameter::new("default", Type::Dynamic).allow_null().allow_dynamic();
/// assert_eq!(parameter.name(), "default");
/// ```
#[derive(Clone, Debug)]
pub struct Parameter {
    name: Cow<'static, str>,
    ty: Type,
    null: bool,
    unknown: bool,
    dynamic: bool,
    marked: bool,
}

impl Parameter {
    /// Creates a parameter with a type specification: arguments are converted to the type, and a dynamic type accepts
    /// anything.
    pub fn new(name: impl Into<Cow<'static, str>>, ty: Type) -> Self {
        Parameter { name: name.into(), ty, null: false, unknown: false, dynamic: false, marked: false }
    }

    /// Null arguments are given to the function.
    pub fn allow_null(self) -> Self {
        Parameter { null: true, ..self }
    }

    /// Passes unknown arguments to the function. Parts of an argument may be unknown anyway.
    pub fn allow_unknown(self) -> Self {
        Parameter { unknown: true, ..self }
    }

    /// Passes arguments of unknown type to the function; otherwise they make the type of the result dynamic.
    pub fn allow_dynamic(self) -> Self {
        Parameter { dynamic: true, ..self }
    }

    /// Passes arguments to the function with their marks, which it takes care of itself. If the function is not called
    /// because an argument is unknown, the result has the marks of all arguments.
    pub fn allow_marked(self) -> Self {
        Parameter { marked: true, ..self }
    }

    /// The name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type specification.
    pub fn ty(&self) -> &Type {
        &self.ty
    }
}

type Work = dyn Fn(&Call<'_>) -> Result<Value, FunctionError> + Send + Sync;
type LazyWork = dyn for<'c> Fn(&LazyCall<'c>) -> Result<Value, FunctionError> + Send + Sync;
type ResultType = dyn Fn(&Call<'_>) -> Result<Type, FunctionError> + Send + Sync;
type Refinement = dyn Fn(Refine) -> Refine + Send + Sync;

#[derive(Clone)]
enum Body {
    Eager(Eager),
    Lazy(Arc<LazyWork>),
}

#[derive(Clone)]
struct Eager {
    work: Arc<Work>,
    result: Arc<ResultType>,
    refine: Option<Arc<Refinement>>,
}

#[derive(Clone)]
struct Definition {
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    body: Body,
    impure: bool,
    attempt: Option<Attempt>,
    /// True if the function adds marks to its result.
    marking: bool,
    /// The names of the functions that the definition calls, if it is written in a file.
    calls: Option<Arc<[String]>>,
}

impl Definition {
    fn new(parameters: Vec<Parameter>, variadic: Option<Parameter>, body: Body) -> Self {
        Definition { parameters, variadic, body, impure: false, attempt: None, marking: false, calls: None }
    }
}

/// The number of functions that are searched for added marks; beyond it, a call is assumed to add marks.
const MAX_CALLED: usize = 64;

/// The behaviour of a function that evaluates its arguments itself, and does not look at their syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// It returns the value of the first argument that can be evaluated.
    First,
    /// It returns true if its argument can be evaluated.
    Can,
}

/// A function. Cheap to clone.
///
/// ```
/// use hcl_lr::eval::{Function, Parameter};
/// use hcl_lr::model::{Type, Value};
///
/// let repeat = Function::new(
///     [Parameter::new("text", Type::String), Parameter::new("count", Type::Number)],
///     Type::String,
///     |call| Ok(call.get_as::<&str>(0)?.repeat(call.get_as(1)?).into()),
/// );
/// assert_eq!(repeat.call(&[Value::from("ab"), Value::from(2)])?, Value::from("abab"));
/// assert!(!repeat.call(&[Value::unknown(Type::String), Value::from(2)])?.is_known());
/// # Ok::<(), hcl_lr::eval::FunctionError>(())
/// ```
#[derive(Clone)]
pub struct Function(Arc<Definition>);

impl Function {
    /// Returns true if both are one function, rather than two that do the same.
    pub(crate) fn is_same(&self, other: &Function) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Creates a function with a fixed number of arguments and a fixed result type.
    pub fn new(
        parameters: impl IntoIterator<Item = Parameter>,
        result: Type,
        work: impl Fn(&Call<'_>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        Function::typed(parameters, None, move |_| Ok(result.clone()), work)
    }

    /// Creates a function that takes any number of further arguments.
    ///
    /// ```
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let count = Function::variadic([], Parameter::new("values", Type::Dynamic), Type::Number, |call| {
    ///     Ok(call.arguments().len().into())
    /// });
    /// assert_eq!(count.call(&[Value::from("a"), Value::from(1)])?, Value::from(2));
    /// # Ok::<(), hcl_lr::eval::FunctionError>(())
    /// ```
    pub fn variadic(
        parameters: impl IntoIterator<Item = Parameter>,
        variadic: Parameter,
        result: Type,
        work: impl Fn(&Call<'_>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        Function::typed(parameters, Some(variadic), move |_| Ok(result.clone()), work)
    }

    /// Creates a function whose result type depends on its arguments. `result` gets the arguments without the marks
    /// that are not allowed; they may be unknown. `work` gets the type that `result` returned as [`Call::result_type`].
    ///
    /// ```
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let any = [Parameter::new("value", Type::Dynamic)];
    /// let same = Function::typed(any, None, |call| Ok(call.argument(0).ty()), |call| Ok(call.argument(0).clone()));
    /// assert_eq!(same.call(&[Value::unknown(Type::Bool)])?, Value::unknown(Type::Bool));
    /// # Ok::<(), hcl_lr::eval::FunctionError>(())
    /// ```
    pub fn typed(
        parameters: impl IntoIterator<Item = Parameter>,
        variadic: Option<Parameter>,
        result: impl Fn(&Call<'_>) -> Result<Type, FunctionError> + Send + Sync + 'static,
        work: impl Fn(&Call<'_>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        let body = Body::Eager(Eager { work: Arc::new(work), result: Arc::new(result), refine: None });
        let parameters = parameters.into_iter().collect();
        Function(Arc::new(Definition::new(parameters, variadic, body)))
    }

    /// Creates a function that gets its arguments unevaluated, and evaluates only those that it needs.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let parameter = [Parameter::new("expression", Type::Dynamic)];
    /// let text_of = Function::lazy(parameter, None, |call| {
    ///     Ok(Value::from(call.argument(0).expression().map_or("", |expression| expression.text())))
    /// });
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = text_of(1 + nonsense)\n").into_result()?;
    /// let scope = Scope::new().with_function("text_of", text_of);
    /// let value = file.body().attribute("a").unwrap().expression().evaluate(&scope)?;
    /// assert_eq!(value, Value::from("1 + nonsense"));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn lazy(
        parameters: impl IntoIterator<Item = Parameter>,
        variadic: Option<Parameter>,
        work: impl for<'c> Fn(&LazyCall<'c>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        let parameters = parameters.into_iter().collect();
        let body = Body::Lazy(Arc::new(work));
        Function(Arc::new(Definition::new(parameters, variadic, body)))
    }

    /// Declares that the function evaluates its arguments itself, and does nothing with them except this.
    pub(crate) fn attempting(self, attempt: Attempt) -> Self {
        let mut definition = Arc::unwrap_or_clone(self.0);
        definition.attempt = Some(attempt);
        Function(Arc::new(definition))
    }

    /// Returns the declared behaviour of the function with arguments that it evaluates itself.
    pub(crate) fn attempt(&self) -> Option<Attempt> {
        self.0.attempt
    }

    /// Declares facts about all results of the function, such as that they are not null. Lazy functions refine their
    /// results themselves.
    ///
    /// ```
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let text = [Parameter::new("text", Type::String)];
    /// let trim = Function::new(text, Type::String, |call| Ok(call.get_as::<&str>(0)?.trim().into()));
    /// let trim = trim.refined(|result| result.not_null());
    /// assert!(trim.call(&[Value::unknown(Type::String)])?.is_never_null());
    /// # Ok::<(), hcl_lr::eval::FunctionError>(())
    /// ```
    pub fn refined(self, refinement: impl Fn(Refine) -> Refine + Send + Sync + 'static) -> Self {
        let mut definition = Arc::unwrap_or_clone(self.0);
        if let Body::Eager(eager) = &mut definition.body {
            eager.refine = Some(Arc::new(refinement));
        }
        Function(Arc::new(definition))
    }

    /// Declares that the function may return different results for the same arguments, like the current time or a
    /// random number. [`Expression::simplify`](crate::Expression::simplify) leaves calls of it as they are.
    pub fn impure(self) -> Self {
        let mut definition = Arc::unwrap_or_clone(self.0);
        definition.impure = true;
        Function(Arc::new(definition))
    }

    /// Returns true if the function always returns the same result for the same arguments, as far as is declared.
    pub fn is_pure(&self) -> bool {
        !self.0.impure
    }

    /// Declares that the function adds marks to its result. The arguments of its calls are not shown: neither in
    /// messages nor in the text that [`Expression::simplify`](crate::Expression::simplify) leaves.
    ///
    /// ```
    /// use hcl_lr::{Expression, Scope, parse};
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let text = [Parameter::new("text", Type::String)];
    /// let secret = Function::new(text, Type::String, |call| Ok(call.argument(0).mark("sensitive"))).marking();
    /// let scope = Scope::new()
    ///     .with("password", "hunter2")
    ///     .with("later", Value::unknown(Type::String))
    ///     .with_function("secret", secret);
    /// let left = parse::<Expression>(r#"secret("${password}${later}")"#).into_result()?.simplify(&scope).into_result()?;
    /// assert_eq!(left.to_string(), r#"secret("${password}${later}")"#);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn marking(self) -> Self {
        let mut definition = Arc::unwrap_or_clone(self.0);
        definition.marking = true;
        Function(Arc::new(definition))
    }

    /// Declares that the definition of the function in a file calls the functions of these names.
    pub(crate) fn calling(self, names: &Arc<[String]>) -> Self {
        let mut definition = Arc::unwrap_or_clone(self.0);
        definition.calls = Some(names.clone()).filter(|names| !names.is_empty());
        Function(Arc::new(definition))
    }

    /// Returns true if a call may add marks to its result, by the function or by one that its definition calls.
    pub(super) fn is_marking(&self, scope: &Scope<'_>) -> bool {
        if self.0.marking || self.0.calls.is_none() {
            return self.0.marking;
        }
        let mut seen: Vec<&str> = Vec::new();
        let mut waiting: Vec<&Function> = vec![self];
        while let Some(function) = waiting.pop() {
            if function.0.marking {
                return true;
            }
            for name in function.0.calls.iter().flat_map(|names| names.iter()) {
                if seen.contains(&name.as_str()) {
                    continue;
                }
                if seen.len() == MAX_CALLED {
                    return true;
                }
                seen.push(name);
                waiting.extend(scope.function(name));
            }
        }
        false
    }

    /// Returns true if the result for unknown arguments has marks. Functions that are not pure are not called.
    pub(super) fn marks_unknown(&self, account: &Account) -> bool {
        if self.0.impure || self.as_lazy().is_some() {
            return false;
        }
        let arguments: Vec<Value> =
            self.0.parameters.iter().map(|parameter| Value::unknown(parameter.ty.clone())).collect();
        self.call_within(&arguments, account).is_ok_and(|value| value.contains_marks())
    }

    /// The parameters for the first arguments.
    pub fn parameters(&self) -> &[Parameter] {
        &self.0.parameters
    }

    /// The parameter for all further arguments.
    pub fn variadic_parameter(&self) -> Option<&Parameter> {
        self.0.variadic.as_ref()
    }

    /// Returns the signature of the function under a name, with the types of its parameters.
    ///
    /// ```
    /// let functions = hcl_lr::functions::standard();
    /// let join = functions.get("join").expect("it is there");
    /// assert_eq!(join.signature("join"), "join(separator: string, lists...: list(string))");
    /// ```
    pub fn signature(&self, name: &str) -> String {
        let fixed = self.parameters().iter().map(|parameter| (parameter, ""));
        let rest = self.variadic_parameter().map(|parameter| (parameter, "..."));
        let parameter = |(parameter, dots): (&Parameter, &str)| {
            format!("{}{dots}: {}", parameter.name(), type_text(parameter.ty()))
        };
        let parameters: Vec<String> = fixed.chain(rest).map(parameter).collect();
        format!("{name}({})", parameters.join(", "))
    }

    /// The parameter for an argument.
    pub(super) fn parameter(&self, index: usize) -> Option<&Parameter> {
        self.0.parameters.get(index).or(self.0.variadic.as_ref())
    }

    /// Returns the body, if the function evaluates its arguments itself.
    pub(super) fn as_lazy(&self) -> Option<&LazyWork> {
        match &self.0.body {
            Body::Lazy(work) => Some(&**work),
            Body::Eager(_) => None,
        }
    }

    /// Calls the function with values of the types of its parameters.
    ///
    /// # Errors
    /// The number of arguments is wrong, an argument is null but must not be, an argument is of another type, or the
    /// function itself fails.
    pub fn call(&self, arguments: &[Value]) -> Result<Value, FunctionError> {
        self.call_within(arguments, &Account::default())
    }

    /// [`call`](Self::call), as part of an evaluation.
    pub(crate) fn call_within(&self, arguments: &[Value], account: &Account) -> Result<Value, FunctionError> {
        let (least, given) = (self.0.parameters.len(), arguments.len());
        if given < least || given > least && self.0.variadic.is_none() {
            return Err(format!("takes {least} arguments, not {given}").into());
        }
        self.call_at(None, account, arguments)
    }

    /// Calls the function with the right number of values.
    pub(super) fn call_at(
        &self,
        site: Option<Site<'_>>,
        account: &Account,
        arguments: &[Value],
    ) -> Result<Value, FunctionError> {
        self.note_call(account);
        match &self.0.body {
            Body::Lazy(work) => {
                let arguments: Vec<LazyArgument<'_>> = arguments.iter().cloned().map(LazyArgument::of_value).collect();
                work(&LazyCall::new(&arguments, &Type::Dynamic, site, account))
            }
            Body::Eager(eager) => {
                let height = arguments.iter().map(Value::height).max().unwrap_or(0);
                with_room_for(height, || self.call_checked(eager, site, account, arguments))
            }
        }
    }

    /// Notes that the evaluated expression depends on more than its text and variables.
    pub(super) fn note_call(&self, account: &Account) {
        if self.0.impure {
            account.note_impure();
        }
    }

    fn call_checked(
        &self,
        eager: &Eager,
        site: Option<Site<'_>>,
        account: &Account,
        arguments: &[Value],
    ) -> Result<Value, FunctionError> {
        let mut marks = MarkUnion::default();
        let mut unmarked: Option<Vec<Value>> = None;
        for (index, argument) in arguments.iter().enumerate() {
            if argument.contains_marks() && self.parameter(index).is_some_and(|parameter| !parameter.marked) {
                count_marks(argument, account)?;
                let (plain, found) = argument.unmark_deep();
                marks.add(&found);
                unmarked.get_or_insert_with(|| arguments.to_vec())[index] = plain;
            }
        }
        let (arguments, marks) = (unmarked.as_deref().unwrap_or(arguments), marks.set());
        for (index, argument) in arguments.iter().enumerate() {
            let Some(parameter) = self.parameter(index) else { continue };
            if argument.is_null() && !parameter.null {
                return Err(FunctionError::argument(index, "must not be null"));
            }
            let ty = argument.ty();
            if ty == Type::Dynamic {
                if !parameter.dynamic {
                    let all = marks.union(&marks_of(arguments, account)?);
                    return Ok(Value::unknown(Type::Dynamic).with_marks(&all));
                }
            } else if let Err(mismatch) = ty.conforms_to(&parameter.ty) {
                return Err(FunctionError::argument(index, mismatch.to_string()));
            }
        }
        // Marked arguments may be secret, and the function cannot see that they are.
        let shown = |error: FunctionError| if marks.is_empty() { error } else { error.without_values() };
        let ty = (eager.result)(&Call::new(arguments, &Type::Dynamic, site, account)).map_err(shown)?;
        let unknown = |(index, argument): (usize, &Value)| {
            !argument.is_known() && self.parameter(index).is_some_and(|parameter| !parameter.unknown)
        };
        let result = match arguments.iter().enumerate().any(unknown) {
            // The body, which handles the marks of some arguments, is not called.
            true => Value::unknown(ty).with_marks(&marks_of(arguments, account)?),
            false => (eager.work)(&Call::new(arguments, &ty, site, account)).map_err(shown)?,
        };
        Ok(eager.refined(result).with_marks(&marks))
    }
}

/// Returns all marks in some arguments: the marks of an unknown result. A part of an argument may become part of the
/// result, and keeps its marks.
pub(crate) fn marks_of(arguments: &[Value], account: &Account) -> Result<MarkSet, Exceeded> {
    let mut marks = MarkUnion::default();
    for argument in arguments.iter().filter(|argument| argument.contains_marks()) {
        count_marks(argument, account)?;
        marks.add(&argument.marks_deep());
    }
    Ok(marks.set())
}

/// Counts a walk through all parts of a value.
fn count_marks(argument: &Value, account: &Account) -> Result<(), Exceeded> {
    account.steps(argument.steps())?;
    account.bytes(argument.size())
}

impl Eager {
    /// Adds the declared facts to an unknown result.
    fn refined(&self, result: Value) -> Value {
        match &self.refine {
            Some(refine) if !result.is_known() && result.ty() != Type::Dynamic => {
                refine(result.refine()).value().unwrap_or(result)
            }
            _ => result,
        }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("parameters", &self.0.parameters).field("variadic", &self.0.variadic).finish()
    }
}

/// Returns a type as type expressions write it, as far as the types of parameters need.
fn type_text(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "any".to_owned(),
        Type::List(element) => format!("list({})", type_text(element.get())),
        Type::Set(element) => format!("set({})", type_text(element.get())),
        Type::Map(element) => format!("map({})", type_text(element.get())),
        ty => ty.to_string(),
    }
}
