//! Scopes: the variables and functions that names refer to (native syntax specification, "Variables and Variable
//! Expressions"; information model, "Evaluation").

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Table;
use super::function::{Call, Function, Functions};
use crate::limits::{Account, Limits, Meter};
use crate::model::{MarkSet, Value};
use crate::sorting::sort_by_key;

/// The variables and functions that an expression may use.
///
/// A scope may be the child of another one: its variables hide variables of the same name in its ancestors. Nothing is
/// copied for that: a scope borrows its parent and may borrow its variables.
///
/// A scope made by [`Scope::new`] alone has neither variables nor functions, and using one is an error that says that
/// none are allowed. That is the *literal-only mode* of the information model.
///
/// ```
/// use hcl_lr::{Scope, functions};
///
/// let file = hcl_lr::parse::<hcl_lr::File>("greeting = \"Hello, ${upper(name)}!\"\n").into_result()?;
/// let attribute = file.body().attribute("greeting").expect("it is there");
///
/// let scope = Scope::new().with("name", "Ada").with_functions(functions::standard());
/// assert_eq!(attribute.expression().evaluate(&scope)?.as_str(), Some("Hello, ADA!"));
///
/// let child = scope.child().with("name", "Grace");
/// assert_eq!(attribute.expression().evaluate(&child)?.as_str(), Some("Hello, GRACE!"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Default)]
pub struct Scope<'s> {
    parent: Option<&'s Scope<'s>>,
    variables: Variables<'s>,
    functions: Option<Functions>,
    /// True if expressions are only checked, before they are evaluated with real values.
    rehearsal: bool,
    /// The marks of the collection that the variables of an iteration, or the element of a splat, come from. The values
    /// themselves lack these marks because the result of the whole expression has them.
    origin: Option<&'s MarkSet>,
    /// True if values evaluated here go into something marked.
    concealed: bool,
    budget: Budget<'s>,
    /// True if values whose type is unknown get a type later.
    has_late_types: bool,
    /// The number of outer scopes.
    depth: u32,
}

/// The limits of evaluations.
#[derive(Clone, Default)]
enum Budget<'s> {
    /// The limits of the outer scopes.
    #[default]
    Inherited,
    /// Limits for each evaluation.
    Each(Arc<Limits>),
    /// Limits for all evaluations together.
    All(Meter),
    /// The rest of the running evaluation's limits.
    Account(&'s Account),
}

#[derive(Clone, Default)]
enum Variables<'s> {
    /// No variables.
    #[default]
    None,
    Own(Table<Value>),
    Borrowed(&'s HashMap<String, Value>),
    /// The variables of an iteration, stored in place: entering it allocates nothing.
    Iteration {
        key: Option<(&'s str, &'s Value)>,
        value: (&'s str, &'s Value),
    },
    /// The element that a splat is at.
    Item(&'s Value),
}

impl<'s> Scope<'s> {
    /// A scope without variables, functions and parent.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = b\n").into_result()?;
    /// let errors = file.body().attribute("a").unwrap().expression().evaluate(&hcl_lr::Scope::new()).unwrap_err();
    /// assert_eq!(errors.iter().next().unwrap().code().as_str(), "variables-not-allowed");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn new() -> Scope<'static> {
        Scope::default()
    }

    /// Returns an owned scope with all variables and functions that are visible here.
    ///
    /// ```
    /// use hcl_lr::{Scope, model::Value};
    ///
    /// let owned: Scope<'static> = {
    ///     let outer = Scope::new().with("a", 1).with("b", 2);
    ///     outer.child().with("a", 3).to_owned_scope()
    /// };
    /// assert_eq!(owned.variable("a"), Some(&Value::from(3)));
    /// assert_eq!(owned.variable("b"), Some(&Value::from(2)));
    /// ```
    pub fn to_owned_scope(&self) -> Scope<'static> {
        let names = self.variable_names().into_iter();
        let variables = names.filter_map(|name| Some((name.to_owned(), self.variable(name)?.clone())));
        let variables = match self.allows_variables() {
            true => Variables::Own(variables.collect()),
            false => Variables::None,
        };
        // Outer tables first, so that inner ones replace their functions.
        let mut tables: Vec<&Functions> = self.chain().filter_map(|scope| scope.functions.as_ref()).collect();
        let outermost = tables.pop().cloned();
        let functions = outermost.map(|first| tables.iter().rev().fold(first, |all, table| all.with_all(table)));
        let budget = match self.budget() {
            Some(Budget::Each(limits)) => Budget::Each(limits.clone()),
            Some(Budget::All(meter)) => Budget::All(meter.clone()),
            Some(Budget::Account(account)) => Budget::All(account.meter().clone()),
            Some(Budget::Inherited) | None => Budget::Inherited,
        };
        Scope { variables, functions, budget, has_late_types: self.has_late_types(), ..Scope::default() }
    }

    /// A child of this scope.
    pub fn child(&'s self) -> Scope<'s> {
        Scope { parent: Some(self), depth: self.depth.saturating_add(1), ..Scope::default() }
    }

    /// Adds a variable to the scope, or replaces the one of the same name.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a variable. Borrowed variables are copied before they are changed.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.change(|variables| {
            variables.insert(name.into(), value.into());
        });
    }

    /// Changes the scope's own variables. Borrowed ones are copied before.
    fn change(&mut self, change: impl FnOnce(&mut Table<Value>)) {
        let mut variables = match std::mem::take(&mut self.variables) {
            Variables::Own(own) => own,
            Variables::Borrowed(borrowed) => {
                borrowed.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
            }
            Variables::None | Variables::Iteration { .. } | Variables::Item(_) => Table::default(),
        };
        change(&mut variables);
        self.variables = Variables::Own(variables);
    }

    /// Replaces the scope's own variables by these. With an empty map, variables are allowed, but there are none.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use hcl_lr::{Scope, model::Value};
    ///
    /// let variables = HashMap::from([("port".to_owned(), Value::from(80))]);
    /// let scope = Scope::new().with_variables(&variables);
    /// assert_eq!(scope.variable("port"), Some(&Value::from(80)));
    /// ```
    pub fn with_variables(mut self, variables: &'s HashMap<String, Value>) -> Self {
        self.variables = Variables::Borrowed(variables);
        self
    }

    /// Replaces the scope's own functions by these.
    pub fn with_functions(mut self, functions: Functions) -> Self {
        self.functions = Some(functions);
        self
    }

    /// Adds a function to the scope. The name may have namespaces.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::eval::{Function, Parameter};
    /// use hcl_lr::model::{Type, Value, operations};
    ///
    /// let double = Function::new([Parameter::new("number", Type::Number)], Type::Number, |call| {
    ///     Ok(operations::add(call.argument(0), call.argument(0))?)
    /// });
    /// let scope = Scope::new().with_function("math::double", double);
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = math::double(21)\n").into_result()?;
    /// assert_eq!(file.body().attribute("a").unwrap().expression().evaluate(&scope)?, Value::from(42));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn with_function(mut self, name: impl Into<String>, function: Function) -> Self {
        self.functions = Some(self.functions.take().unwrap_or_default().with(name, function));
        self
    }

    /// Limits each evaluation in the scope or its children. Without this, [`Limits::default`] applies.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.budget = Budget::Each(Arc::new(limits));
        self
    }

    /// Limits all evaluations in the scopes with this meter and their children together.
    pub fn with_meter(mut self, meter: &Meter) -> Self {
        self.budget = Budget::All(meter.clone());
        self
    }

    /// Runs several evaluations as one, so that the [`Limits`] apply to all of them together.
    ///
    /// ```
    /// use hcl_lr::{Expression, Limits, Scope, parse};
    ///
    /// let expression = parse::<Expression>("[for x in [1, 2, 3] : x]").into_result()?;
    /// let scope = Scope::new().with_limits(Limits::new().max_steps(30));
    /// let evaluate = |scope: &Scope<'_>| expression.evaluate(scope).is_ok();
    /// assert!((0..10).all(|_| evaluate(&scope)));
    /// assert!(!scope.together(|scope| (0..10).all(|_| evaluate(scope))));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn together<R>(&self, work: impl FnOnce(&Scope<'_>) -> R) -> R {
        self.metered(|scope, _| work(scope))
    }

    /// Runs `work` in this scope, or a child of it, with the account of the current evaluation; starts one if there is
    /// none.
    #[doc(hidden)]
    pub fn metered<R>(&self, work: impl FnOnce(&Scope<'_>, &Account) -> R) -> R {
        if let Some(Budget::Account(account)) = self.budget() {
            return work(self, account);
        }
        let account = self.new_account();
        work(&Scope { budget: Budget::Account(&account), ..self.child() }, &account)
    }

    /// Creates the account of an evaluation that starts in this scope.
    fn new_account(&self) -> Account {
        let account = match self.budget() {
            Some(Budget::All(meter)) => Account::new(meter.clone()),
            Some(Budget::Each(limits)) => Account::new(Meter::new((**limits).clone())),
            Some(Budget::Inherited | Budget::Account(_)) | None => Account::default(),
        };
        account.with_late_types(self.has_late_types())
    }

    /// Returns this scope, in which a value of unknown type stands for one whose type the application decides later. A
    /// collection of it and of values with different types is unknown then, and no error.
    #[doc(hidden)]
    pub fn with_late_types(self) -> Self {
        Scope { has_late_types: true, ..self }
    }

    fn has_late_types(&self) -> bool {
        self.chain().any(|scope| scope.has_late_types)
    }

    /// Returns this scope for evaluations by a function: they are part of the evaluation that calls the function.
    ///
    /// ```
    /// use hcl_lr::{Limits, Scope, Value};
    /// use hcl_lr::eval::Function;
    /// use hcl_lr::model::Type;
    ///
    /// let inner = hcl_lr::parse::<hcl_lr::Expression>("[for x in l: x]").into_result()?;
    /// let numbers = Function::new([], Type::Dynamic, move |call| {
    ///     let scope = Scope::new().with("l", vec![1; 100]);
    ///     Ok(inner.evaluate(&scope.counted_by(call))?)
    /// });
    /// let scope = Scope::new().with_limits(Limits::new().max_steps(50)).with_function("numbers", numbers);
    /// let outer = hcl_lr::parse::<hcl_lr::Expression>("numbers()").into_result()?;
    /// assert!(outer.evaluate(&scope).unwrap_err().to_string().contains("more than 50 steps"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn counted_by<'c, A>(self, call: &Call<'c, A>) -> Scope<'s>
    where
        'c: 's,
    {
        self.within(call.account())
    }

    /// Returns this scope as part of the evaluation that an account belongs to.
    #[doc(hidden)]
    pub fn within(self, account: &'s Account) -> Scope<'s> {
        Scope { budget: Budget::Account(account), ..self }
    }

    /// Returns this scope with its own meter, if it has none, so that all evaluations in it share the meter.
    #[doc(hidden)]
    pub fn sharing_meter(self) -> Self {
        let meter = match self.budget() {
            Some(Budget::Account(_) | Budget::All(_)) => return self,
            Some(Budget::Each(limits)) => Meter::new((**limits).clone()),
            Some(Budget::Inherited) | None => Meter::new(Limits::default()),
        };
        self.with_meter(&meter)
    }

    fn budget(&self) -> Option<&Budget<'s>> {
        self.chain().map(|scope| &scope.budget).find(|budget| !matches!(budget, Budget::Inherited))
    }

    /// Returns the number of steps for looking up a name in this scope and its ancestors, beyond the step of the
    /// expression with the name.
    pub(super) fn steps_to_look(&self) -> u64 {
        u64::from(self.depth / 8)
    }

    /// Returns the value of a variable, from this scope or its nearest ancestor that has it.
    ///
    /// ```
    /// use hcl_lr::{Scope, model::Value};
    ///
    /// let outer = Scope::new().with("a", 1).with("b", 2);
    /// let inner = outer.child().with("a", 3);
    /// assert_eq!(inner.variable("a"), Some(&Value::from(3)));
    /// assert_eq!(inner.variable("b"), Some(&Value::from(2)));
    /// assert_eq!(inner.variable("c"), None);
    /// ```
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.chain().find_map(|scope| match &scope.variables {
            Variables::None | Variables::Item(_) => None,
            Variables::Own(own) => own.get(name),
            Variables::Borrowed(borrowed) => borrowed.get(name),
            // If both have the same name, the value hides the key.
            Variables::Iteration { value: (value_name, value), .. } if *value_name == name => Some(*value),
            Variables::Iteration { key, .. } => key.filter(|(key_name, _)| *key_name == name).map(|(_, key)| key),
        })
    }

    /// Returns a function, from this scope or its nearest ancestor that has it.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.chain().find_map(|scope| scope.functions.as_ref()?.get(name))
    }

    /// Returns true if variables are allowed, even if there are none.
    pub fn allows_variables(&self) -> bool {
        self.chain().any(|scope| !matches!(scope.variables, Variables::None | Variables::Item(_)))
    }

    /// Returns true if function calls are allowed, even if there are no functions.
    pub fn allows_functions(&self) -> bool {
        self.chain().any(|scope| scope.functions.is_some())
    }

    /// Returns the names of all visible variables, in alphabetic order.
    pub fn variable_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for scope in self.chain() {
            match &scope.variables {
                Variables::None | Variables::Item(_) => {}
                Variables::Own(own) => names.extend(own.keys().map(String::as_str)),
                Variables::Borrowed(borrowed) => names.extend(borrowed.keys().map(String::as_str)),
                Variables::Iteration { key, value } => {
                    names.extend(key.as_ref().map(|(name, _)| *name));
                    names.push(value.0);
                }
            }
        }
        sort_by_key(&mut names, |name| *name);
        names.dedup();
        names
    }

    /// Returns an upper bound on the number of names, including hidden ones.
    pub(super) fn variable_count(&self) -> usize {
        let counts = self.chain().map(|scope| match &scope.variables {
            Variables::None | Variables::Item(_) => 0,
            Variables::Own(own) => own.len(),
            Variables::Borrowed(borrowed) => borrowed.len(),
            Variables::Iteration { key, .. } => 1 + usize::from(key.is_some()),
        });
        counts.sum()
    }

    /// Returns the names of all visible functions, in alphabetic order.
    pub fn function_names(&self) -> Vec<&str> {
        let tables = self.chain().filter_map(|scope| scope.functions.as_ref());
        let mut names: Vec<&str> = tables.flat_map(Functions::names).collect();
        sort_by_key(&mut names, |name| *name);
        names.dedup();
        names
    }

    /// Returns an upper bound on the number of functions.
    pub(super) fn function_count(&self) -> usize {
        self.chain().filter_map(|scope| scope.functions.as_ref()).map(Functions::count).sum()
    }

    /// This scope and those further out.
    fn chain(&self) -> impl Iterator<Item = &Scope<'s>> {
        std::iter::successors(Some(self), |scope| scope.parent)
    }

    /// A child with the variables of an iteration.
    pub(super) fn iteration(&'s self, key: Option<(&'s str, &'s Value)>, value: (&'s str, &'s Value)) -> Scope<'s> {
        Scope { variables: Variables::Iteration { key, value }, ..self.child() }
    }

    /// Returns this scope for checking expressions that are evaluated with real values later. The scope carries this,
    /// not the evaluator, because functions that evaluate their arguments get the scope.
    pub(super) fn rehearsed(self) -> Scope<'s> {
        Scope { rehearsal: true, ..self }
    }

    pub(super) fn is_rehearsal(&self) -> bool {
        self.chain().any(|scope| scope.rehearsal)
    }

    /// Returns this scope with its variables treated as parts of a value with these marks: messages must not show them.
    pub(crate) fn out_of(self, marks: &'s MarkSet) -> Scope<'s> {
        Scope { origin: Some(marks).filter(|marks| !marks.is_empty()), ..self }
    }

    /// Returns this scope for evaluating a part of a marked value: messages must not show the values.
    #[doc(hidden)]
    pub fn concealed(self) -> Scope<'s> {
        Scope { concealed: true, ..self }
    }

    /// Returns true if values evaluated here go into something marked.
    pub(super) fn is_concealed(&self) -> bool {
        self.chain().any(|scope| scope.concealed)
    }

    /// Returns true if parts of marked values may be visible without their marks, or if the results become part of a
    /// marked value.
    pub(crate) fn hides(&self) -> bool {
        self.chain().any(|scope| scope.origin.is_some() || scope.concealed)
    }

    /// Returns a value as messages may show it: with the marks of the value that the variable comes from.
    pub(super) fn as_shown(&self, variable: &str, value: Value) -> Value {
        let owner = self.chain().find(|scope| match &scope.variables {
            Variables::None | Variables::Item(_) => false,
            Variables::Own(own) => own.contains_key(variable),
            Variables::Borrowed(borrowed) => borrowed.contains_key(variable),
            Variables::Iteration { key, value } => {
                value.0 == variable || key.as_ref().is_some_and(|(name, _)| *name == variable)
            }
        });
        match owner.and_then(|scope| scope.origin) {
            Some(marks) => value.with_marks(marks),
            None => value,
        }
    }

    /// Returns a child scope for an element of a splat.
    pub(super) fn at_item(&'s self, item: &'s Value) -> Scope<'s> {
        Scope { variables: Variables::Item(item), ..self.child() }
    }

    /// The element that the innermost splat is at.
    pub(super) fn item(&self) -> Option<&Value> {
        self.chain().find_map(|scope| match &scope.variables {
            Variables::Item(item) => Some(*item),
            _ => None,
        })
    }
}

/// A scope with these variables.
///
/// ```
/// use hcl_lr::Scope;
///
/// let scope: Scope = [("width", 3), ("height", 4)].into_iter().collect();
/// assert_eq!(scope.variable("height"), Some(&4.into()));
/// ```
impl<N: Into<String>, T: Into<Value>> FromIterator<(N, T)> for Scope<'_> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(variables: I) -> Self {
        let mut scope = Scope::default();
        scope.extend(variables);
        scope
    }
}

/// Sets variables. Afterwards variables are allowed, even if there are none.
///
/// ```
/// use std::collections::BTreeMap;
/// use hcl_lr::Scope;
///
/// let mut scope = Scope::new().with("region", "eu");
/// scope.extend(BTreeMap::from([("zone", "a"), ("region", "us")]));
/// assert_eq!(scope.variable_names(), ["region", "zone"]);
/// assert_eq!(scope.variable("region"), Some(&"us".into()));
/// ```
impl<N: Into<String>, T: Into<Value>> Extend<(N, T)> for Scope<'_> {
    fn extend<I: IntoIterator<Item = (N, T)>>(&mut self, variables: I) {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        self.change(|table| table.extend(variables));
    }
}

/// Shows the names but not the values, which may be secret or large.
impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("variables", &self.variable_names())
            .field("functions", &self.function_names())
            .finish()
    }
}
