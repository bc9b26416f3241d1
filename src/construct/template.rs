//! New templates.

use super::expression::in_brackets;
use super::{BuildError, NewExpression, NewFor};
use crate::syntax::ast::{DirectivePiece, TemplateNode, TemplatePart};
use crate::writer::{Form, TemplateText};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "its text is what is written"]
pub struct NewTemplate {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    Interpolation(NewExpression),
    /// A sequence of a directive: its keywords, and the expression after them.
    Sequence(Result<String, BuildError>, Option<NewExpression>),
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

    /// Adds `%{ if condition }`, a template, and `%{ endif }`.
    pub fn if_directive(self, condition: impl Into<NewExpression>, then: NewTemplate) -> Self {
        self.sequence("if", Some(condition.into())).template(then).sequence("endif", None)
    }

    /// Adds an `if` directive with a template for a false condition.
    ///
    /// ```
    /// use hcl_lr::construct::{NewExpression, NewTemplate};
    ///
    /// let text = |text: &str| NewTemplate::new().literal(text);
    /// let template = text("on: ").if_else_directive(NewExpression::variable("on"), text("yes"), text("no"));
    /// assert_eq!(template.quoted().text()?, r#""on: %{if on}yes%{else}no%{endif}""#);
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn if_else_directive(self, condition: impl Into<NewExpression>, then: NewTemplate, other: NewTemplate) -> Self {
        let begun = self.sequence("if", Some(condition.into())).template(then);
        begun.sequence("else", None).template(other).sequence("endif", None)
    }

    /// Adds a `for` directive. A directive has no condition: put an `if` directive into its body.
    ///
    /// ```
    /// use hcl_lr::construct::{NewExpression, NewFor, NewTemplate};
    ///
    /// let each = NewFor::new("name", NewExpression::variable("names"));
    /// let body = NewTemplate::new().interpolation(NewExpression::variable("name")).literal(" ");
    /// let template = NewTemplate::new().for_directive(&each, body);
    /// assert_eq!(template.quoted().text()?, r#""%{for name in names}${name} %{endfor}""#);
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn for_directive(self, each: &NewFor, body: NewTemplate) -> Self {
        let (words, collection) = match each.head() {
            Ok(_) if each.condition().is_some() => {
                (Err(BuildError::Value(String::new(), "a condition of a `for` directive")), None)
            }
            Ok((words, collection)) => (Ok(words), Some(collection.clone())),
            Err(error) => (Err(error), None),
        };
        let mut begun = self;
        begun.parts.push(Part::Sequence(words, collection));
        begun.template(body).sequence("endfor", None)
    }

    fn sequence(mut self, words: &str, expression: Option<NewExpression>) -> Self {
        self.parts.push(Part::Sequence(Ok(words.to_owned()), expression));
        self
    }

    /// Adds the parts of another template.
    pub fn template(mut self, other: NewTemplate) -> Self {
        for part in other.parts {
            match part {
                Part::Literal(text) => self = self.literal(&text),
                part => self.parts.push(part),
            }
        }
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

    /// Returns the text between the quotes, or of a heredoc.
    #[doc(hidden)]
    pub fn raw(&self, is_quoted: bool) -> Result<String, BuildError> {
        self.written(if is_quoted { Form::Quoted } else { Form::Bare })
    }

    fn written(&self, form: Form) -> Result<String, BuildError> {
        let (mut template, mut out) = (TemplateText::new(form), String::new());
        for part in &self.parts {
            match part {
                Part::Literal(text) => template.text(text, &mut out),
                Part::Interpolation(expression) => {
                    let text = in_brackets(expression.raw()?.to_owned());
                    template.interpolation(&mut out, |out| out.push_str(&text));
                }
                Part::Sequence(words, expression) => {
                    let text = expression.as_ref().map(|expression| expression.raw()).transpose()?;
                    let text = text.map(|text| in_brackets(text.to_owned()));
                    let expression = text.as_ref().map(|text| |out: &mut String| out.push_str(text));
                    template.directive(words.as_ref().map_err(Clone::clone)?, &mut out, expression);
                }
            }
        }
        Ok(out)
    }
}

/// A template that is only text.
impl From<&str> for NewTemplate {
    fn from(text: &str) -> Self {
        NewTemplate::new().literal(text)
    }
}

/// A template that is only an interpolation.
impl From<NewExpression> for NewTemplate {
    fn from(expression: NewExpression) -> Self {
        NewTemplate::new().interpolation(expression)
    }
}

/// The template with its text decoded: strip markers and the indentation of a `<<-` heredoc are applied.
///
/// ```
/// use hcl_lr::construct::NewTemplate;
///
/// let template = hcl_lr::parse::<hcl_lr::Template>("Hello, ${name}!").into_result()?;
/// let greeting = NewTemplate::from(template.as_template().expect("a template")).literal("!!");
/// assert_eq!(greeting.quoted().text()?, r#""Hello, ${name}!!!""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<TemplateNode<'_>> for NewTemplate {
    fn from(template: TemplateNode<'_>) -> Self {
        enum Task<'t> {
            Part(TemplatePart<'t>),
            Piece(DirectivePiece<'t>),
        }
        let mut new = NewTemplate::new();
        let mut tasks: Vec<Task<'_>> = template.parts().map(Task::Part).collect();
        tasks.reverse();
        while let Some(task) = tasks.pop() {
            let first = tasks.len();
            match task {
                Task::Part(TemplatePart::Literal(text, _)) => new = new.literal(&text),
                Task::Part(TemplatePart::Interpolation(expression)) => new = new.interpolation(expression),
                Task::Part(directive) => tasks.extend(directive.directive_pieces().into_iter().map(Task::Piece)),
                Task::Piece(DirectivePiece::Sequence(words, expression)) => {
                    new = new.sequence(&words, expression.map(NewExpression::from));
                }
                Task::Piece(DirectivePiece::Template(template)) => tasks.extend(template.parts().map(Task::Part)),
            }
            tasks[first..].reverse();
        }
        new
    }
}
