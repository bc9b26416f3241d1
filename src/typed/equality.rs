//! Compares expressions by the meaning of their text.

use super::Template;
use crate::body::{Expression, ExpressionForm};
use crate::construct::NewExpression;
use crate::syntax::{File, TokenKind, meaning as tokens_that_mean};

/// Expressions are equal if they have the same text, apart from insignificant differences: layout, comments, places,
/// optional commas, the notation of numbers, and the syntax. They are not evaluated: `1 + 1` does not equal `2`. Values
/// from a program are compared as values.
///
/// ```
/// use hcl_lr::Expression;
///
/// let expression = |text: &str| text.parse::<Expression>();
/// assert_eq!(expression("f(a, [1,2])")?, expression("f( a,\n  [1.0, 2,]) # twice\n")?);
/// assert_ne!(expression("1 + 1")?, expression("2")?);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        match (self.form(), other.form()) {
            (ExpressionForm::Value(one), ExpressionForm::Value(other)) => one == other,
            (ExpressionForm::WithVariables, _) | (_, ExpressionForm::WithVariables) => {
                self.own_variables() == other.own_variables()
            }
            _ => meaning(self) == meaning(other),
        }
    }
}

impl Eq for Expression {}

/// Templates are equal if their expressions are.
impl PartialEq for Template {
    fn eq(&self, other: &Template) -> bool {
        self.expression() == other.expression()
    }
}

impl Eq for Template {}

/// Returns the significant tokens of the text; the text itself if it cannot be written.
fn meaning(expression: &Expression) -> Result<Vec<(TokenKind, String)>, String> {
    let written = NewExpression::from(expression).text().ok();
    let Some(text) = written else { return Err(expression.to_string()) };
    let file = crate::parse::<File>(format!("x = {text}\n")).into_value();
    Ok(tokens_that_mean(file.tokens().iter()).into_iter().map(|(kind, text)| (kind, text.into_owned())).collect())
}
