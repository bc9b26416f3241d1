//! Simplified expressions, in which the known parts have been replaced by their values.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Expression;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::eval::Scope;
use crate::eval::simplify::Residue;
use crate::model::Value;
use crate::reading::parse;
use crate::writer::is_heredoc;

/// An expression with known values filled in: see [`Expression::simplify`].
///
/// `to_string` returns the text of an expression in native syntax, even if the original is written in JSON. Only a JSON
/// expression that fails or has an unknown key stays as it is written.
///
/// ```
/// use hcl_lr::{Expression, Scope, parse};
/// use hcl_lr::model::{Type, Value};
///
/// let scope = Scope::new().with("a", 20).with("b", Value::unknown(Type::Number));
/// let simplify = |text: &str| parse::<Expression>(text).into_result()?.simplify(&scope).into_result();
/// let sum = simplify("a * 2 + b")?;
/// assert_eq!((sum.to_string(), sum.known()), ("40 + b".to_owned(), None));
/// let product = simplify("a * 2 + a")?;
/// assert_eq!((product.to_string(), product.known()), ("60".to_owned(), Some(&Value::from(60))));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simplified {
    expression: Expression,
    value: Value,
    is_known: bool,
}

impl Simplified {
    pub(super) fn new(expression: Expression, value: Value, is_known: bool) -> Self {
        Simplified { expression, value, is_known }
    }

    pub(super) fn of(original: &Expression, residue: Residue) -> Self {
        let Residue { value, is_known, text } = residue;
        let new = text.and_then(|text| {
            let name = format!("{} (simplified)", original.place().source().name());
            // The closing line of a heredoc ends with a newline. An expression that nests too deeply stays as it is.
            parse::<Expression>((name.as_str(), text + "\n")).into_result().ok()
        });
        Simplified { expression: new.unwrap_or_else(|| original.clone()), value, is_known }
    }

    pub(super) fn with_variables(self, variables: &Arc<HashMap<String, Value>>) -> Self {
        Simplified { expression: self.expression.with_variables(variables.clone()), ..self }
    }

    /// Returns true if the expression has no unknown parts left, so that it has the same value wherever it is
    /// evaluated.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// Returns the value, if no unknown parts are left. It may be marked.
    pub fn known(&self) -> Option<&Value> {
        Some(&self.value).filter(|_| self.is_known)
    }

    /// Returns the value as far as it is known. If parts are missing, it is an unknown value with its type and other
    /// known facts.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the remaining expression. Problems with it are reported with places in its own text.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Evaluates the remaining expression.
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        self.expression.evaluate(scope)
    }

    /// Evaluates the rest to a value and all errors.
    pub fn evaluate_partially(&self, scope: &Scope<'_>) -> Outcome<Value> {
        self.expression.evaluate_partially(scope)
    }
}

/// Writes the expression as HCL. A text that ends in a heredoc includes the newline of its closing line, so that any
/// text can follow.
impl fmt::Display for Simplified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.expression.to_string();
        f.write_str(&text)?;
        f.write_str(if is_heredoc(&text) { "\n" } else { "" })
    }
}
