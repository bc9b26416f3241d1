//! New expressions.

use std::fmt;

use super::canonical::in_one_line;
#[cfg(feature = "eval")]
use super::write_value;
use super::{BuildError, NewTemplate};
use crate::format::pieces::with_line_ends;
#[cfg(feature = "eval")]
use crate::model::Value;
use crate::reading::ParseOptions;
use crate::source::Source;
use crate::syntax::ast::{ExpressionKind, ExpressionNode};
use crate::syntax::{expression_file, is_identifier};
use crate::writer::{Form, Layout, escaped, is_free, is_heredoc, is_odd, key};

/// The text of an expression for a file.
///
/// Every value converts to one by `From`, so functions that take `impl Into<NewExpression>` accept numbers, strings,
/// lists and the like. A Rust string becomes a string of the language, with special characters escaped; use
/// [`parse`](NewExpression::parse) for HCL text.
///
/// Errors are reported when the text is requested, so that building needs no `?` at each step.
///
/// ```
/// use hcl_lr::construct::NewExpression;
///
/// assert_eq!(NewExpression::from("cost: ${a}").text()?, r#""cost: $${a}""#);
/// assert_eq!(NewExpression::from(vec![80, 443]).text()?, "[80, 443]");
/// assert_eq!(NewExpression::parse("[1,a.b]")?.text()?, "[1, a.b]");
/// let call = NewExpression::call("max", [NewExpression::from(1), NewExpression::parse("var.n")?]);
/// assert_eq!(call.text()?, "max(1, var.n)");
/// # Ok::<(), hcl_lr::construct::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewExpression {
    text: Result<String, BuildError>,
    /// It can be an operand as it is.
    is_term: bool,
}

impl NewExpression {
    fn term(text: Result<String, BuildError>) -> Self {
        NewExpression { text, is_term: true }
    }

    /// Parses HCL text. Comments around it are dropped; line breaks that are only allowed in brackets add parentheses.
    /// Line ends become `\n`, except in heredocs, where they are part of the value.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// assert_eq!(NewExpression::parse("a +\nb # sum")?.text()?, "(\na +\nb\n)");
    /// assert!(NewExpression::parse("a +").is_err());
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// The text is not an expression.
    pub fn parse(text: &str) -> Result<NewExpression, BuildError> {
        // The closing line of a heredoc needs a newline after it.
        let outcome = expression_file(Source::new("expression", format!("{text}\n")), &ParseOptions::default());
        let file = outcome.into_result().map_err(BuildError::Syntax)?;
        let expression = file.expression();
        let mut text = with_line_ends(expression.text(), "\n");
        let mut is_term = is_term(expression);
        if !stands_in_line(&text) {
            text = format!("(\n{text}\n)");
            is_term = true;
        }
        Ok(NewExpression { text: Ok(text), is_term })
    }

    /// Creates a heredoc, `<<EOT`, from a string.
    ///
    /// It is an error if the text does not end with a newline, or contains characters that a heredoc cannot represent:
    /// carriage returns and other control characters.
    pub fn heredoc(text: &str) -> NewExpression {
        NewExpression::heredoc_of(&escaped(text, Form::Bare))
    }

    /// A text that was put together.
    pub(super) fn written(text: Result<String, BuildError>) -> NewExpression {
        NewExpression::term(text)
    }

    /// The text of a value.
    pub(crate) fn of_value(text: String) -> NewExpression {
        let is_term = !text.starts_with('-');
        NewExpression { text: Ok(text), is_term }
    }

    /// A heredoc of a bare template.
    pub(super) fn heredoc_of(bare: &str) -> NewExpression {
        let refused = |why| NewExpression::term(Err(BuildError::Heredoc(why)));
        if !bare.is_empty() && !bare.ends_with('\n') {
            return refused("it does not end with a newline");
        }
        if bare.contains(is_odd) {
            return refused("it has control characters");
        }
        let numbered = (1..=bare.lines().count()).map(|number| format!("EOT{number}"));
        let mut markers = ["EOT", "EOF", "END"].map(str::to_owned).into_iter().chain(numbered);
        let marker = markers.find(|marker| is_free(marker, bare)).unwrap_or_default();
        NewExpression::term(Ok(format!("<<{marker}\n{bare}{marker}")))
    }

    /// Creates a tuple, `[…]`. It is in one line if its elements are.
    pub fn list(elements: impl IntoIterator<Item = impl Into<NewExpression>>) -> NewExpression {
        let elements: Result<Vec<String>, BuildError> =
            elements.into_iter().map(|element| element.into().text).collect();
        NewExpression::term(elements.map(|elements| {
            if elements.iter().any(|element| element.contains('\n')) {
                // The comma cannot follow the closing marker of a heredoc in its line.
                let element = |text: &String| format!("{text}{},\n", if is_heredoc(text) { "\n" } else { "" });
                format!("[\n{}]", elements.iter().map(element).collect::<String>())
            } else {
                format!("[{}]", elements.join(", "))
            }
        }))
    }

    /// Creates an object, `{…}`, with a line for each entry. Keys are texts, quoted if necessary.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// let object = NewExpression::object([("a", 1), ("b c", 2)]);
    /// assert_eq!(object.text()?, "{\na = 1\n\"b c\" = 2\n}");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn object<K: AsRef<str>, V: Into<NewExpression>>(entries: impl IntoIterator<Item = (K, V)>) -> NewExpression {
        let mut text = String::from("{\n");
        for (name, value) in entries {
            match value.into().text {
                Ok(value) => text.extend([&key(name.as_ref()), " = ", &value, "\n"]),
                Err(error) => return NewExpression::term(Err(error)),
            }
        }
        if text.len() == 2 {
            text.pop();
        }
        text.push('}');
        NewExpression::term(Ok(text))
    }

    /// A variable.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// assert_eq!(NewExpression::variable("var").attribute("zone").text()?, "var.zone");
    /// assert_eq!(NewExpression::variable("hosts").index(0).attribute("name").text()?, "hosts[0].name");
    /// assert!(NewExpression::variable("not a name").text().is_err());
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn variable(name: &str) -> NewExpression {
        NewExpression::term(identifier(name).map(str::to_owned))
    }

    /// Accesses an attribute of this expression, which gets parentheses if it needs them. A name that is not an
    /// identifier is an error; [`index`](Self::index) takes any string.
    pub fn attribute(self, name: &str) -> NewExpression {
        // After a number, a dot would begin its fraction.
        let is_number = self.text.as_deref().is_ok_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        let object = NewExpression { is_term: self.is_term && !is_number, ..self };
        NewExpression::term(identifier(name).and_then(|name| Ok(format!("{}.{name}", object.operand()?))))
    }

    /// Accesses an element of this expression, which gets parentheses if it needs them.
    pub fn index(self, key: impl Into<NewExpression>) -> NewExpression {
        let key = key.into().text.map(|key| if is_heredoc(&key) { key + "\n" } else { key });
        NewExpression::term(key.and_then(|key| Ok(format!("{}[{key}]", self.operand()?))))
    }

    /// Creates a call of a function, whose name may have namespaces, `a::b`.
    pub fn call(name: &str, arguments: impl IntoIterator<Item = impl Into<NewExpression>>) -> NewExpression {
        if !name.split("::").all(is_identifier) {
            return NewExpression::term(Err(BuildError::Name(name.to_owned())));
        }
        let arguments: Result<Vec<String>, BuildError> =
            arguments.into_iter().map(|argument| argument.into().text).collect();
        NewExpression::term(arguments.map(|arguments| {
            let arguments = arguments.into_iter().map(|text| if is_heredoc(&text) { text + "\n" } else { text });
            format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
        }))
    }

    /// Creates an operation of two operands, which get parentheses if they need them.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// let sum = NewExpression::operation(NewExpression::parse("a + b")?, "*", 2);
    /// assert_eq!(sum.text()?, "(a + b) * 2");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn operation(left: impl Into<NewExpression>, operator: &str, right: impl Into<NewExpression>) -> NewExpression {
        let known = ["*", "/", "%", "+", "-", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
        if !known.contains(&operator) {
            return NewExpression::term(Err(BuildError::Operator(operator.to_owned())));
        }
        let text = left.into().operand().and_then(|left| Ok(format!("{left} {operator} {}", right.into().operand()?)));
        NewExpression { text, is_term: false }
    }

    /// A conditional, `condition ? value : other`.
    pub fn conditional(
        condition: impl Into<NewExpression>,
        value: impl Into<NewExpression>,
        other: impl Into<NewExpression>,
    ) -> NewExpression {
        let text = || {
            let (condition, value) = (condition.into().operand()?, value.into().operand()?);
            Ok(format!("{condition} ? {value} : {}", other.into().operand()?))
        };
        NewExpression { text: text(), is_term: false }
    }

    /// Returns the text as an operand.
    fn operand(self) -> Result<String, BuildError> {
        let heredoc = self.text.as_deref().is_ok_and(is_heredoc);
        self.text.map(|text| match self.is_term && !heredoc {
            true => text,
            false => format!("({text}{})", if heredoc { "\n" } else { "" }),
        })
    }

    /// Returns the text in canonical form, except for the indentation of its lines, which depends on its place.
    ///
    /// # Errors
    /// A part of it cannot be written.
    pub fn text(&self) -> Result<String, BuildError> {
        let text = self.text.clone()?;
        Ok(if text.contains('\n') { text } else { in_one_line(&text) })
    }

    /// Returns the text as it was passed or built.
    #[doc(hidden)]
    pub fn raw(&self) -> Result<&str, BuildError> {
        self.text.as_deref().map_err(Clone::clone)
    }
}

fn identifier(name: &str) -> Result<&str, BuildError> {
    if is_identifier(name) { Ok(name) } else { Err(BuildError::Name(name.to_owned())) }
}

/// Returns true if an expression can be an operand as it is.
fn is_term(expression: ExpressionNode<'_>) -> bool {
    !matches!(
        expression.kind(),
        ExpressionKind::Conditional(_)
            | ExpressionKind::Binary(_)
            | ExpressionKind::Unary(_)
            | ExpressionKind::Error(_)
    )
}

/// Returns true if a text is an expression where a newline ends it.
fn stands_in_line(text: &str) -> bool {
    let file = crate::parse::<crate::File>(format!("x = {text}\n"));
    let attributes = file.value().body().items().len();
    !file.has_errors() && attributes == 1
}

/// The template in quotes.
impl From<NewTemplate> for NewExpression {
    fn from(template: NewTemplate) -> Self {
        template.quoted()
    }
}

/// The text of a value.
#[cfg(feature = "eval")]
impl<T: Into<Value>> From<T> for NewExpression {
    fn from(value: T) -> Self {
        let mut text = Layout::default();
        match write_value(&value.into(), false, &mut text) {
            Ok(_) => NewExpression::of_value(text.unformatted()),
            Err(error) => NewExpression::term(Err(error)),
        }
    }
}

/// Its text, or the error in brackets.
impl fmt::Display for NewExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "({error})"),
        }
    }
}
