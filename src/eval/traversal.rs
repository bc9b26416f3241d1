//! Variables and constant paths ("Variables and Variable Expressions", "Attribute Access
//! Operator").

use std::borrow::Cow;

use super::access;
use super::sink::Sink;
use super::{Scope, failed};
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome};
use crate::model::Value;
use crate::syntax::Traversal;
use crate::syntax::ast::{ExpressionNode, TraversalNode};

/// Evaluates a variable with the steps after it.
pub(super) fn absolute(
    path: TraversalNode<'_>,
    expression: ExpressionNode<'_>,
    scope: &Scope<'_>,
    sink: &mut Sink,
) -> Value {
    look_up(path, expression, scope, sink).into_owned()
}

/// Evaluates like [`absolute`], but borrows the value from a variable if it can.
pub(super) fn look_up<'s>(
    path: TraversalNode<'_>,
    expression: ExpressionNode<'_>,
    scope: &'s Scope<'_>,
    sink: &mut Sink,
) -> Cow<'s, Value> {
    let deep = scope.steps_to_look();
    if deep > 0 && sink.account.steps(deep).is_err() {
        return Cow::Owned(failed());
    }
    let Some(variable) = scope.variable(path.root().text()) else {
        sink.report_name(scope.variable_count(), |compares| missing(path, scope, compares));
        return Cow::Owned(failed());
    };
    if path.is_variable() {
        return Cow::Borrowed(variable);
    }
    access::walk(Cow::Borrowed(variable), path.steps(), expression, scope, sink)
}

fn missing(path: TraversalNode<'_>, scope: &Scope<'_>, compares: bool) -> Finding {
    let name = path.root();
    if !scope.allows_variables() {
        return Finding::error(Code::VariablesNotAllowed, name.span(), "variables cannot be used here");
    }
    let detail = format!("there is no variable named \"{}\"", name.text());
    let diagnostic = Finding::error(Code::UnknownVariable, name.span(), detail);
    if !compares {
        return diagnostic;
    }
    diagnostic.with_similar(name.text(), name.span(), scope.variable_names())
}

impl Traversal {
    /// Evaluates the traversal in a scope. With splats, the result is a tuple.
    ///
    /// ```
    /// use hcl_lr::{Scope, Traversal, Value, parse};
    ///
    /// let path = parse::<Traversal>("ports[1]").into_result()?;
    /// let scope = Scope::new().with("ports", vec![80, 443]);
    /// assert_eq!(path.evaluate(&scope)?, Value::from(443));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// There is no such variable, or a step fails.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        match self.node() {
            Some(path) => path.evaluate(scope),
            None => self.expression().evaluate(scope),
        }
    }
}

impl TraversalNode<'_> {
    /// Evaluates the traversal in a scope.
    ///
    /// # Errors
    /// There is no such variable, or a step fails.
    pub fn evaluate(self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        scope.metered(|scope, account| {
            let mut sink = Sink::new(account);
            let value = absolute(self, self.expression(), scope, &mut sink);
            Outcome::new(value, sink.into_diagnostics(self.expression().shared_source(), self.expression().span()))
                .into_result()
        })
    }

    /// Applies the steps of the traversal to a value, which takes the place of the variable.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = server.ports[0]\n").into_result()?;
    /// let path = file.body().attribute("a").expect("it is there").expression().static_traversal()?;
    /// let server = Value::object([("ports", Value::tuple([Value::from(80)]))]);
    /// assert_eq!(path.apply_to(&server)?, Value::from(80));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// A step fails.
    pub fn apply_to(self, value: &Value) -> Result<Value, Diagnostics> {
        Scope::new().metered(|scope, account| {
            let mut sink = Sink::new(account);
            let value = access::walk(Cow::Borrowed(value), self.steps(), self.expression(), scope, &mut sink);
            let diagnostics = sink.into_diagnostics(self.expression().shared_source(), self.expression().span());
            Outcome::new(value.into_owned(), diagnostics).into_result()
        })
    }
}
