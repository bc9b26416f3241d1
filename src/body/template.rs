//! Templates: texts with interpolations and directives.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use super::Expression;
use crate::diagnostic::Diagnostics;
use crate::eval::Scope;
use crate::model::hidden::HIDDEN;
use crate::reading::parse;
use crate::syntax::ast::debug_in_one_line;

/// A string or heredoc that is not evaluated when it is read: a template that the program renders later, when the
/// values of its variables are known.
///
/// ```
/// use hcl_lr::Scope;
/// use hcl_lr::typed::Template;
///
/// #[derive(serde::Deserialize)]
/// struct Mail {
///     greeting: Template,
/// }
///
/// let mail: Mail = hcl_lr::from_str("greeting = \"Hello, ${name}!\"\n")?;
/// assert_eq!(mail.greeting.render(&Scope::new().with("name", "Ada"))?, "Hello, Ada!");
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Template(Expression);

impl Template {
    pub(crate) fn from_expression(expression: Expression) -> Template {
        Template(expression)
    }

    /// The template as an expression, with its place.
    pub fn expression(&self) -> &Expression {
        &self.0
    }

    /// Renders the template. A value that is not a string is converted to one.
    ///
    /// # Errors
    /// The template cannot be evaluated, or its value cannot be converted to a string.
    pub fn render(&self, scope: &Scope<'_>) -> Result<String, Diagnostics> {
        use crate::diagnostic::{Code, Diagnostic};
        use crate::model::Type;
        let value = self.0.evaluate(scope)?;
        let wrong = |why: String| Diagnostic::error(Code::InvalidInterpolation, self.0.place(), why);
        if value.is_marked() {
            return Err(wrong(format!("the text of the template is {HIDDEN}")).into());
        }
        match value.convert(&Type::String) {
            Ok(text) => match text.as_str() {
                Some(text) => Ok(text.to_owned()),
                None => Err(wrong("the text of the template is null, or not known yet".to_owned()).into()),
            },
            Err(why) => Err(wrong(format!("the template gives no text: {why}")).into()),
        }
    }
}

/// Uses the template as an expression. Its [value](Expression::evaluate) is a string, unless the template is a single
/// interpolation ("Template Interpolation Unwrapping").
impl Deref for Template {
    type Target = Expression;

    fn deref(&self) -> &Expression {
        &self.0
    }
}

impl From<Template> for Expression {
    fn from(template: Template) -> Expression {
        template.0
    }
}

/// Parses a template, as [`parse`](crate::parse) does: the text is without quotes.
impl FromStr for Template {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Template, Diagnostics> {
        parse(text).into_result()
    }
}

/// Writes the template as it is in the source.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => fmt::Debug::fmt(&self.0, f),
            false => debug_in_one_line("Template", self.0.place().text(), f),
        }
    }
}
