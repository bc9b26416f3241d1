//! New templates.

use super::{BuildError, NewExpression};
use crate::writer::{Form, TemplateText, is_heredoc};

/// A template: text with expressions in it ("Templates").
///
/// ```
/// use hcl_lr::construct::{NewExpression, NewTemplate};
///
/// let greeting = NewTemplate::new().literal("Hello, ").interpolation(NewExpression::parse("var.name")?).literal("!\n");
/// assert_eq!(greeting.clone().quoted().text()?, r#""Hello, ${var.name}!\n""#);
/// assert_eq!(greeting.heredoc().text()?, "<<EOT\nHello, ${var.name}!\nEOT");
/// # Ok::<(), hcl_lr::construct::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NewTemplate {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Literal(String),
    Interpolation(NewExpression),
}

impl NewTemplate {
    /// A template with nothing in it.
    pub fn new() -> Self {
        NewTemplate::default()
    }

    /// Adds text.
    pub fn literal(mut self, text: &str) -> Self {
        // Text is escaped as a whole: a sequence could begin in one piece and continue in the next.
        match self.parts.last_mut() {
            Some(Part::Literal(last)) => last.push_str(text),
            _ => self.parts.push(Part::Literal(text.to_owned())),
        }
        self
    }

    /// Adds `${expression}`.
    pub fn interpolation(mut self, expression: impl Into<NewExpression>) -> Self {
        self.parts.push(Part::Interpolation(expression.into()));
        self
    }

    /// The template in quotes.
    pub fn quoted(self) -> NewExpression {
        match self.written(Form::Quoted) {
            Ok(text) => NewExpression::written(Ok(format!("\"{text}\""))),
            Err(error) => NewExpression::written(Err(error)),
        }
    }

    /// Returns the template as a heredoc, under the same conditions as [`NewExpression::heredoc`].
    pub fn heredoc(self) -> NewExpression {
        match self.written(Form::Bare) {
            Ok(text) => NewExpression::heredoc_of(&text),
            Err(error) => NewExpression::written(Err(error)),
        }
    }

    fn written(&self, form: Form) -> Result<String, BuildError> {
        let (mut template, mut out) = (TemplateText::new(form), String::new());
        for part in &self.parts {
            match part {
                Part::Literal(text) => template.text(text, &mut out),
                Part::Interpolation(expression) => {
                    let text = expression.raw()?;
                    let newline = if is_heredoc(text) { "\n" } else { "" };
                    template.interpolation(&mut out, |out| out.extend([text, newline]));
                }
            }
        }
        Ok(out)
    }
}
