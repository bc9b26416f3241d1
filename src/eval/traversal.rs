//! Variables and constant paths ("Variables and Variable Expressions", "Attribute Access
//! Operator").

use std::borrow::Cow;

use super::access::{self, step_into};
use super::sink::Sink;
use super::{Evaluation, Scope, failed, report};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::Value;
use crate::syntax::ast::{Expression, Traversal};

/// The value of a variable with what is reached from it.
pub(super) fn absolute(path: Traversal<'_>, expression: Expression<'_>, scope: &Scope<'_>, sink: &mut Sink) -> Value {
    let Some(variable) = scope.variable(path.root().text()) else {
        sink.report(|| missing(path, scope));
        return failed();
    };
    if path.is_variable() {
        return variable.clone();
    }
    access::walk(Cow::Borrowed(variable), path.steps(), expression, scope, sink).into_owned()
}

/// The value of a path, if there is one; nothing is reported.
pub(super) fn resolve(path: Traversal<'_>, scope: &Scope<'_>) -> Option<Value> {
    let mut value = Cow::Borrowed(scope.variable(path.root().text())?);
    for step in path.steps() {
        value = step_into(value, &step).ok()?;
    }
    Some(value.into_owned())
}

fn missing(path: Traversal<'_>, scope: &Scope<'_>) -> Diagnostic {
    let name = path.root();
    if !scope.allows_variables() {
        return Diagnostic::error(Code::VariablesNotAllowed, name.span(), "variables may not be used here");
    }
    let detail = format!("there is no variable named \"{}\"", name.text());
    let diagnostic = Diagnostic::error(Code::UnknownVariable, name.span(), detail);
    if scope.variable_count() > report::MOST_CANDIDATES {
        return diagnostic;
    }
    report::suggest(diagnostic, name.text(), scope.variable_names())
}

impl Traversal<'_> {
    /// The value that the traversal leads to in a scope.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::model::Value;
    /// use hcl_lr::source::Source;
    /// use hcl_lr::syntax::{Options, parse_traversal};
    ///
    /// let path = parse_traversal(Source::new("input", "ports[1]"), &Options::default()).into_result()?;
    /// let scope = Scope::new().with("ports", vec![80, 443]);
    /// assert_eq!(path.get().expect("a path").evaluate(&scope)?, Value::from(443));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// There is no such variable, or a step leads nowhere.
    pub fn evaluate(self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        let mut sink = Sink::default();
        let value = absolute(self, self.expression(), scope, &mut sink);
        Evaluation { value, diagnostics: sink.into_diagnostics(self.expression().shared_source()) }.into_result()
    }

    /// The value that the steps of the traversal lead to from a value, which takes the place of its
    /// variable.
    ///
    /// ```
    /// use hcl_lr::model::Value;
    ///
    /// let file = hcl_lr::parse("a = server.ports[0]\n").into_result()?;
    /// let path = file.body().attribute("a").expect("it is there").expression().static_traversal()?;
    /// let server = Value::object([("ports", Value::tuple([Value::from(80)]))]);
    /// assert_eq!(path.apply_to(&server)?, Value::from(80));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// A step leads nowhere.
    pub fn apply_to(self, value: &Value) -> Result<Value, Diagnostics> {
        let (scope, mut sink) = (Scope::new(), Sink::default());
        let value = access::walk(Cow::Borrowed(value), self.steps(), self.expression(), &scope, &mut sink).into_owned();
        Evaluation { value, diagnostics: sink.into_diagnostics(self.expression().shared_source()) }.into_result()
    }
}
