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
/// Its text, by `to_string`, is that of an expression in native syntax, whatever the syntax of the expression
/// that it is from. Only an expression in JSON that fails, or that has a key which is not known, stays as it
/// is written.
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
            // The closing line of a heredoc ends with a newline. What nests too deeply stays as it is.
            parse::<Expression>((name.as_str(), text + "\n")).into_result().ok()
        });
        Simplified { expression: new.unwrap_or_else(|| original.clone()), value, is_known }
    }

    pub(super) fn with_variables(self, variables: &Arc<HashMap<String, Value>>) -> Self {
        Simplified { expression: self.expression.with_variables(variables.clone()), ..self }
    }

    /// Returns true if nothing in it is left to be known, so that it has the same value wherever it is evaluated.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The value, if nothing in it is left to be known. It may be marked.
    pub fn known(&self) -> Option<&Value> {
        Some(&self.value).filter(|_| self.is_known)
    }

    /// The value as far as it is known: an unknown one, with its type and what else holds for it, where
    /// something is missing.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The expression that is left. Problems with it are reported with places in its own text.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Evaluates the rest.
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

/// As HCL. A text that ends in a heredoc has the newline that ends its closing line, so that the text can stand anywhere.
impl fmt::Display for Simplified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.expression.to_string();
        f.write_str(&text)?;
        f.write_str(if is_heredoc(&text) { "\n" } else { "" })
    }
}
