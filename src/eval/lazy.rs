//! Arguments of functions that evaluate them themselves.

use super::Scope;
use super::sink::Sink;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::model::Value;
use crate::syntax::ast::ExpressionNode;

/// An argument that is not evaluated yet.
///
/// It is an expression with its scope; or a value, if it comes from a list that was expanded by `...` or if the
/// function was called by [`Function::call`](super::Function::call).
pub struct LazyArgument<'a>(Source<'a>);

impl std::fmt::Debug for LazyArgument<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LazyArgument").finish_non_exhaustive()
    }
}

enum Source<'a> {
    Expression(ExpressionNode<'a>, &'a Scope<'a>),
    Value(Value),
}

impl<'a> LazyArgument<'a> {
    pub(crate) fn of_expression(expression: ExpressionNode<'a>, scope: &'a Scope<'a>) -> Self {
        LazyArgument(Source::Expression(expression, scope))
    }

    pub(super) const fn of_value(value: Value) -> Self {
        LazyArgument(Source::Value(value))
    }

    /// The expression, unless it is just a value.
    pub fn expression(&self) -> Option<ExpressionNode<'a>> {
        match &self.0 {
            Source::Expression(expression, _) => Some(*expression),
            Source::Value(_) => None,
        }
    }

    /// The scope of the expression.
    pub fn scope(&self) -> Option<&'a Scope<'a>> {
        match &self.0 {
            Source::Expression(_, scope) => Some(scope),
            Source::Value(_) => None,
        }
    }

    /// Evaluates the argument.
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub fn evaluate(&self) -> Result<Value, Diagnostics> {
        match &self.0 {
            Source::Value(value) => Ok(value.clone()),
            Source::Expression(expression, scope) => scope.metered(|scope, account| {
                let mut sink = Sink::new(account);
                let value = super::evaluate(*expression, scope, &mut sink);
                let diagnostics = sink.into_diagnostics(expression.shared_source(), expression.span());
                Outcome::new(value, diagnostics).into_result()
            }),
        }
    }
}
