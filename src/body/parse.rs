//! Parses bodies and expressions.

use std::path::Path;
use std::str::FromStr;

use super::{Body, Expression};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::reading::{ParseOptions, parse_path};
use crate::source::Source;
use crate::syntax::{expression_file, template_file};

/// Parses a configuration file as a [`Body`]. A name that ends with `.json` says that it is in JSON; all
/// others, and texts without a name, are in native syntax.
///
/// ```
/// use hcl_lr::{Body, parse};
///
/// assert!(parse::<Body>("a = 1\n").into_result().is_ok());
/// assert!(parse::<Body>(("main.hcl.json", "{\"a\": 1}")).into_result().is_ok());
/// assert!(parse::<Body>(("main.hcl", "{\"a\": 1}")).into_result().is_err());
/// ```
pub fn parse_body(source: impl Into<Source>) -> Outcome<Body> {
    ParseOptions::default().parse_body(source)
}

/// Reads a file and parses it as [`parse_body`] does. If it cannot be read, that is a diagnostic, and
/// the body is empty.
///
/// ```
/// use hcl_lr::diagnostic::Diagnostics;
/// use hcl_lr::{Body, parse_file};
///
/// let mut problems = Diagnostics::new();
/// let bodies = ["no/such.hcl", "no/such.json"].map(|path| parse_file::<Body>(path).report_to(&mut problems));
/// assert!(bodies.iter().all(Option::is_none));
/// assert_eq!(problems.len(), 2);
/// ```
pub fn parse_body_file(path: impl AsRef<Path>) -> Outcome<Body> {
    ParseOptions::default().parse_body_file(path)
}

/// Parses a configuration file in JSON as a [`Body`], whatever its name is.
///
/// ```
/// use hcl_lr::{Body, ParseOptions, Syntax};
///
/// assert!(ParseOptions::new().with_syntax(Syntax::Json).parse::<Body>("{\"a\": 1}").into_result().is_ok());
/// let error = ParseOptions::new().with_syntax(Syntax::Json).parse::<Body>("1").into_result().unwrap_err();
/// assert_eq!(error.iter().next().expect("an error").code().as_str(), "invalid-root");
/// ```
pub fn parse_json_body(source: impl Into<Source>) -> Outcome<Body> {
    ParseOptions::default().parse_json_body(source)
}

/// Parses an expression in native syntax that is a whole text ("Expressions"). Newlines are white space
/// in it.
///
/// ```
/// use hcl_lr::{Expression, Scope, Value, parse};
///
/// let expression = parse::<Expression>("1 + 2 * n").into_result()?;
/// assert_eq!(expression.evaluate(&Scope::new().with("n", 3))?, Value::from(7));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_expression(source: impl Into<Source>) -> Outcome<Expression> {
    ParseOptions::default().parse_expression(source)
}

/// Reads a file and parses it as [`parse_expression`] does. If it cannot be read, that is a diagnostic.
pub fn parse_expression_file(path: impl AsRef<Path>) -> Outcome<Expression> {
    ParseOptions::default().parse_expression_file(path)
}

/// Parses a template that is a whole text ("Templates"). Its value is a string, unless it is one
/// interpolation and nothing else.
///
/// ```
/// use hcl_lr::{Scope, Template, Value, parse};
///
/// let template = parse::<Template>("Hello, ${name}!").into_result()?;
/// assert_eq!(template.evaluate(&Scope::new().with("name", "Ada"))?, Value::from("Hello, Ada!"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_template(source: impl Into<Source>) -> Outcome<Expression> {
    ParseOptions::default().parse_template(source)
}

/// Reads a file and parses it as [`parse_template`] does. If it cannot be read, that is a diagnostic.
pub fn parse_template_file(path: impl AsRef<Path>) -> Outcome<Expression> {
    ParseOptions::default().parse_template_file(path)
}

impl ParseOptions {
    /// Like [`parse_body`](crate::parse_body), with these options.
    pub fn parse_body(&self, source: impl Into<Source>) -> Outcome<Body> {
        let source = source.into();
        if source.name().ends_with(".json") { self.parse_json_body(source) } else { self.parse(source).map(Body::from) }
    }

    /// Like [`parse_body_file`](crate::parse_body_file), with these options.
    pub fn parse_body_file(&self, path: impl AsRef<Path>) -> Outcome<Body> {
        let path = path.as_ref();
        let in_json = path.extension().is_some_and(|extension| extension == "json");
        parse_path(path, self, |source| match in_json {
            true => self.parse_json_body(source),
            false => self.parse(source).map(Body::from),
        })
    }

    /// Like [`parse_json_body`](crate::parse_json_body), with these options.
    pub fn parse_json_body(&self, source: impl Into<Source>) -> Outcome<Body> {
        self.parse_json_configuration(source).map(|document| Body::from(&document))
    }

    /// Like [`parse_expression`](crate::parse_expression), with these options.
    pub fn parse_expression(&self, source: impl Into<Source>) -> Outcome<Expression> {
        expression_file(source.into(), self).map(|file| file.expression().into())
    }

    /// Like [`parse_expression_file`](crate::parse_expression_file), with these options.
    pub fn parse_expression_file(&self, path: impl AsRef<Path>) -> Outcome<Expression> {
        parse_path(path.as_ref(), self, |source| self.parse_expression(source))
    }

    /// Like [`parse_template`](crate::parse_template), with these options.
    pub fn parse_template(&self, source: impl Into<Source>) -> Outcome<Expression> {
        template_file(source.into(), self).map(Expression::template)
    }

    /// Like [`parse_template_file`](crate::parse_template_file), with these options.
    pub fn parse_template_file(&self, path: impl AsRef<Path>) -> Outcome<Expression> {
        parse_path(path.as_ref(), self, |source| self.parse_template(source))
    }
}

/// As [`parse_body`] does with a text in native syntax.
impl FromStr for Body {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Body, Diagnostics> {
        parse_body(text).into_result()
    }
}

/// As [`parse_expression`] does.
impl FromStr for Expression {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Expression, Diagnostics> {
        parse_expression(text).into_result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_the_only_problem() {
        // An empty expression would be an error, too.
        let outcome = parse_expression_file(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        assert_eq!(outcome.diagnostics().len(), 1);
        let only = outcome.diagnostics().first().expect("an error");
        assert_eq!((only.code().as_str(), only.detail()), ("unreadable-file", "it is a folder"));
    }
}
