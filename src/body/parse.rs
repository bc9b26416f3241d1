//! Parses bodies and expressions.

use std::str::FromStr;

use super::{Body, Expression};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::json;
use crate::reading::{Parse, ParseOptions, Syntax, parse};
use crate::source::Source;
use crate::syntax::{File, expression_file, template_file};

/// Parses a configuration file in the syntax of its name, or of the [options](ParseOptions::with_syntax).
impl Parse for Body {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Body> {
        match options.syntax_of(&source) {
            Syntax::Json => json::configuration(source, options).map(|document| Body::from(&document)),
            Syntax::Native => options.parse::<File>(source).map(Body::from),
        }
    }
}

/// Parses an expression in native syntax from a whole text ("Expressions"). Newlines are white space in it.
///
/// ```
/// use hcl_lr::{Expression, Scope, Value, parse};
///
/// let expression = parse::<Expression>("1 + 2 * n").into_result()?;
/// assert_eq!(expression.evaluate(&Scope::new().with("n", 3))?, Value::from(7));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
impl Parse for Expression {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Expression> {
        expression_file(source, options).map(|file| file.expression().into())
    }
}

/// Parses a template from a whole text ("Templates").
///
/// ```
/// use hcl_lr::{Scope, Template, Value, parse};
///
/// let template = parse::<Template>("Hello, ${name}!").into_result()?;
/// assert_eq!(template.evaluate(&Scope::new().with("name", "Ada"))?, Value::from("Hello, Ada!"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
impl Parse for super::Template {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Self> {
        template_file(source, options).map(|file| super::Template::from_expression(Expression::template(file)))
    }
}

/// Parses a body in native syntax, as [`parse`] does.
impl FromStr for Body {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Body, Diagnostics> {
        parse(text).into_result()
    }
}

/// Parses an expression, as [`parse`] does.
impl FromStr for Expression {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Expression, Diagnostics> {
        parse(text).into_result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::parse_file;

    #[test]
    fn what_cannot_be_read_is_the_only_problem() {
        // An empty expression would be an error, too.
        let outcome = parse_file::<Expression>(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        assert_eq!(outcome.diagnostics().len(), 1);
        let only = outcome.diagnostics().first().expect("an error");
        assert_eq!((only.code().as_str(), only.detail()), ("unreadable-file", "it is a folder"));
    }
}
