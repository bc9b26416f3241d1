//! Evaluation: from expressions and variables to values (native syntax specification, from
//! "Expressions" to "Static Analysis"; information model, "Evaluation" and "Functions").
//!
//! ```
//! use hcl_lr::{Scope, functions};
//!
//! let file = hcl_lr::parse::<hcl_lr::File>("total = sum([for item in items: item.price * item.count])\n").into_result()?;
//! # use hcl_lr::{eval::{Function, Parameter}, model::{Type, Value, operations}};
//! let items = Value::tuple([
//!     Value::object([("price", Value::from(10)), ("count", Value::from(3))]),
//!     Value::object([("price", Value::from(4)), ("count", Value::from(3))]),
//! ]);
//! let sum = Function::new([Parameter::new("numbers", Type::list(Type::Number))], Type::Number, |call| {
//!     let numbers = call.argument(0).elements().unwrap_or_default();
//!     Ok(numbers.iter().try_fold(Value::from(0), |sum, number| operations::add(&sum, number))?)
//! });
//! let scope = Scope::new().with("items", items).with_function("sum", sum);
//! assert_eq!(file.body().attribute("total").unwrap().expression().evaluate(&scope)?, Value::from(42));
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! There is one module for each construct of the language. Operators on values are in
//! [`model::operations`](crate::model::operations). A part that fails is reported and becomes an unknown value, and
//! evaluation continues with it, so that one mistake yields one diagnostic however much depends on it.

mod access;
mod analysis;
mod call;
mod collection;
mod conditional;
mod for_expr;
mod from_str;
mod function;
mod lazy;
mod literal;
mod messages;
mod operator;
mod recent;
mod report;
mod scope;
#[cfg(feature = "write")]
pub(crate) mod simplify;
pub(crate) mod sink;
mod splat;
mod step;
mod strict;
mod template;
mod traversal;
#[cfg(feature = "decode")]
pub(crate) mod used_parts;
mod variables;

use std::collections::HashMap;
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostics, Finding, Outcome};
use crate::limits::Account;
use crate::model::{MarkSet, Type, Value};
use crate::source::{Source, Span};
use crate::stack;
use crate::syntax::ast::{AttributeNode, BodyNode, ExpressionKind, ExpressionNode, TemplateNode};

pub(crate) use function::{Attempt, marks_of};
pub use function::{Call, Function, FunctionError, Functions, LazyCall, Parameter};
pub use lazy::LazyArgument;
pub(crate) use report::start_of;
pub use scope::Scope;
use sink::Sink;
pub(crate) use sink::limit_exceeded;

/// The values or functions by name. Names are looked up for each element of a loop, so the hash is one that is fast for
/// short texts. It differs from run to run, so no file can rely on names that collide.
type Table<T> = HashMap<String, T, foldhash::fast::RandomState>;

impl ExpressionNode<'_> {
    /// Evaluates the expression.
    ///
    /// ```
    /// use hcl_lr::{Scope, model::Value};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [1 + b, \"${b}${b}\"]\n").into_result()?;
    /// let expression = file.body().attribute("a").expect("it is there").expression();
    /// let value = expression.evaluate(&Scope::new().with("b", 2))?;
    /// assert_eq!(value, Value::tuple([Value::from(3), Value::from("22")]));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub fn evaluate(self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        self.evaluate_partially(scope).into_result()
    }

    /// Evaluates the expression to a value and all errors. Parts that fail are unknown.
    ///
    /// ```
    /// use hcl_lr::{Scope, model::Value};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [b, 1]\n").into_result()?;
    /// let expression = file.body().attribute("a").expect("it is there").expression();
    /// let outcome = expression.evaluate_partially(&Scope::new());
    /// assert_eq!(outcome.value().elements().unwrap()[1], Value::from(1));
    /// assert_eq!(outcome.diagnostics().len(), 1);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn evaluate_partially(self, scope: &Scope<'_>) -> Outcome<Value> {
        start(scope, self.shared_source(), self.span(), |scope, sink| evaluate(self, scope, sink))
            .map(|value| value.unwrap_or_else(failed))
    }
}

impl TemplateNode<'_> {
    /// Evaluates the template: to a string, unless it is a single interpolation ("Template Interpolation Unwrapping").
    ///
    /// ```
    /// use hcl_lr::{Scope, Template, Value, parse};
    ///
    /// let template = parse::<Template>("%{ for n in names }${n}! %{ endfor }").into_result()?;
    /// let scope = Scope::new().with("names", vec!["Ada", "Grace"]);
    /// let node = template.as_template().expect("it is a template");
    /// assert_eq!(node.evaluate(&scope)?, Value::from("Ada! Grace! "));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub fn evaluate(self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        self.evaluate_partially(scope).into_result()
    }

    /// Evaluates the template to a value and all errors.
    pub fn evaluate_partially(self, scope: &Scope<'_>) -> Outcome<Value> {
        start(scope, self.shared_source(), Span::default(), |scope, sink| template::evaluate(self, scope, sink))
            .map(|value| value.unwrap_or_else(failed))
    }
}

impl AttributeNode<'_> {
    /// Evaluates the expression of the template.
    ///
    /// # Errors
    /// The template cannot be evaluated.
    pub fn evaluate(self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        self.expression().evaluate(scope)
    }
}

impl<'t> BodyNode<'t> {
    /// Evaluates the attributes of a body without blocks, in source order (information model, "Bodies", dynamic
    /// attributes).
    ///
    /// ```
    /// use hcl_lr::{Scope, model::Value};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\nb = a\nc {}\n").into_result()?;
    /// let outcome = file.body().evaluate_attributes(&Scope::new().with("a", 2));
    /// let values: Vec<_> = outcome.value().iter().map(|(attribute, value)| (attribute.name(), value)).collect();
    /// assert_eq!(values, [("a", &Value::from(1)), ("b", &Value::from(2))]);
    /// assert_eq!(outcome.diagnostics().iter().next().unwrap().code().as_str(), "unexpected-block");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn evaluate_attributes(self, scope: &Scope<'_>) -> Outcome<Vec<(AttributeNode<'t>, Value)>> {
        let outcome = start(scope, self.shared_source(), Span::default(), |scope, sink| {
            if let Some(block) = self.blocks().next() {
                sink.report(|| unexpected_block(block.block_type(), block.type_token().span()));
            }
            let mut values = Vec::with_capacity(self.items().len());
            values.extend(self.attributes().map(|item| (item, evaluate(item.expression(), scope, sink))));
            values
        });
        outcome.map(Option::unwrap_or_default)
    }
}

/// Starts an evaluation, perhaps within another one. Returns no value if evaluations nest a thousand deep.
fn start<T>(
    scope: &Scope<'_>,
    source: &Arc<Source>,
    place: Span,
    work: impl FnOnce(&Scope<'_>, &mut Sink<'_>) -> T,
) -> Outcome<Option<T>> {
    scope.metered(|scope, account| {
        let mut sink = Sink::new(account);
        let mut value = None;
        if account.enter().is_ok() {
            value = stack::within_limits(|| work(scope, &mut sink));
            account.leave();
            if value.is_none() {
                let detail = "functions that evaluate expressions are nested too deeply here";
                sink.simple(Code::NestingTooDeep, place, detail);
            }
        }
        Outcome::new(value, sink.into_diagnostics(source, place))
    })
}

/// A block where all must be attributes.
pub(crate) fn unexpected_block(block_type: &str, place: Span) -> Finding {
    let detail = format!("blocks are not allowed here, but this is one of type \"{block_type}\"");
    Finding::error(Code::UnexpectedBlock, place, detail)
}

/// Returns the marks of a value and all its parts: the marks of an unknown result that may consist of them. Each part
/// counts as a step.
fn all_marks(value: &Value, account: &Account) -> MarkSet {
    match value.contains_marks() && account.steps(value.steps()).is_ok() {
        true => value.marks_deep(),
        false => value.marks(),
    }
}

/// Returns the value of an expression that failed.
fn failed() -> Value {
    Value::unknown(Type::Dynamic)
}

/// Evaluates an expression. All recursion of the evaluator goes through here.
fn evaluate(expression: ExpressionNode<'_>, scope: &Scope<'_>, sink: &mut Sink<'_>) -> Value {
    if !sink.step(expression) {
        return failed();
    }
    evaluate_kind(expression, expression.kind(), scope, sink)
}

fn evaluate_kind(
    expression: ExpressionNode<'_>,
    kind: ExpressionKind<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    match kind {
        ExpressionKind::Number(number) => literal::number(number),
        ExpressionKind::Bool(value) => Value::from(value),
        ExpressionKind::Null => Value::null(Type::Dynamic),
        ExpressionKind::Traversal(path) => traversal::absolute(path, expression, scope, sink),
        // The parser has reported the error.
        ExpressionKind::Error(_) => failed(),
        ExpressionKind::SplatItem => scope.item().cloned().unwrap_or_else(failed),
        ExpressionKind::Template(template) if template.is_plain() => template::evaluate(template, scope, sink),
        nested => {
            let value = stack::with_room(|| evaluate_nested(expression, nested, scope, sink));
            if sink.goes_on(expression) { value } else { failed() }
        }
    }
}

fn evaluate_nested(
    expression: ExpressionNode<'_>,
    kind: ExpressionKind<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    match kind {
        ExpressionKind::Template(template) => template::evaluate(template, scope, sink),
        ExpressionKind::RelativeTraversal(_) | ExpressionKind::Index(_) => access::postfix(expression, scope, sink),
        ExpressionKind::Splat(splat) => splat::evaluate(splat, expression, scope, sink),
        ExpressionKind::FunctionCall(call) => call::evaluate(call, expression, scope, sink),
        ExpressionKind::Tuple(tuple) => collection::tuple(tuple, scope, sink),
        ExpressionKind::Object(object) => collection::object(object, scope, sink),
        ExpressionKind::For(for_expr) => for_expr::evaluate(for_expr, scope, sink),
        ExpressionKind::Conditional(conditional) => conditional::evaluate(conditional, expression, scope, sink),
        ExpressionKind::Binary(_) => operator::binary(expression, scope, sink),
        ExpressionKind::Unary(operation) => operator::unary(operation, expression, scope, sink),
        ExpressionKind::Parentheses(parentheses) => evaluate(parentheses.inner(), scope, sink),
        // These have no parts, and were evaluated where this was called.
        ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null => failed(),
        ExpressionKind::Traversal(_) | ExpressionKind::SplatItem | ExpressionKind::Error(_) => failed(),
    }
}
