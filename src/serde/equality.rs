//! Compares expressions by what their text means.

use super::Template;
use super::ser::new_expression;
use crate::body::{Expression, ExpressionForm};
use crate::syntax::{File, TokenKind, meaning as tokens_that_mean};

/// Expressions are equal if they have the same text, apart from what means nothing: layout, comments, places, commas
/// that can be left out, the notation of numbers, and whether they are in native syntax or in JSON. They are not
/// evaluated: `1 + 1` is not `2`. Of values that a program has put in, the values count.
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

/// The tokens of the text that mean something; the text itself if it cannot be written.
fn meaning(expression: &Expression) -> Result<Vec<(TokenKind, String)>, String> {
    let written = new_expression(expression).ok().and_then(|expression| expression.text().ok());
    let Some(text) = written else { return Err(expression.to_string()) };
    let file = crate::parse::<File>(format!("x = {text}\n")).into_value();
    Ok(tokens_that_mean(file.tokens().iter()).into_iter().map(|(kind, text)| (kind, text.into_owned())).collect())
}
