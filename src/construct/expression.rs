//! New expressions.

use std::fmt;
use std::str::FromStr;

use super::canonical::formatted;
#[cfg(feature = "eval")]
use super::write_value;
use super::{BuildError, NewTemplate};
use crate::format::pieces::with_line_ends;
#[cfg(feature = "eval")]
use crate::model::Value;
use crate::reading::ParseOptions;
use crate::source::Source;
use crate::syntax::ast::{BinaryOperator, ExpressionKind, ExpressionNode, UnaryOperator};
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
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "its text is what is written"]
pub struct NewExpression {
    text: Result<String, BuildError>,
    /// It can be an operand as it is.
    is_term: bool,
    /// It is a number, after which a dot would begin its fraction.
    is_number: bool,
    splat: SplatState,
    /// The text is written as it is.
    keeps_layout: bool,
}

/// The meaning of an attribute or index after an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplatState {
    /// It is one of the value: there is no splat.
    None,
    /// It is one of each element: the splat is being built.
    Open,
    /// It must be one of the value, so the splat needs parentheses.
    Closed,
}

impl NewExpression {
    fn term(text: Result<String, BuildError>) -> Self {
        let is_number = is_number(&text);
        NewExpression { is_number, text, is_term: true, splat: SplatState::None, keeps_layout: false }
    }

    /// A text that needs parentheses where an expression needs them.
    fn like(expression: ExpressionNode<'_>, text: String) -> Self {
        let is_splat = matches!(expression.kind(), ExpressionKind::Splat(_));
        let splat = if is_splat { SplatState::Closed } else { SplatState::None };
        let is_number = matches!(expression.kind(), ExpressionKind::Number(_));
        NewExpression { text: Ok(text), is_term: is_term(expression), is_number, splat, keeps_layout: false }
    }

    /// An expression that needs parentheses as an operand.
    fn operation_of(text: Result<String, BuildError>) -> Self {
        NewExpression { text, is_term: false, is_number: false, splat: SplatState::None, keeps_layout: false }
    }

    /// Parses HCL text. Comments around it are dropped; line breaks that are only allowed in brackets add parentheses.
    /// Line ends become `\n`, except in heredocs, where they are part of the value.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// assert_eq!(NewExpression::parse("a +\nb # sum")?.text()?, "(\n  a +\n  b\n)");
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
        if !stands_in_line(&text) {
            text = format!("(\n{text}\n)");
            return Ok(NewExpression::term(Ok(text)));
        }
        Ok(NewExpression::like(expression, text))
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

    /// An expression that cannot be written.
    #[cfg(any(all(feature = "write", feature = "eval"), feature = "serde"))]
    pub(crate) fn refused(error: BuildError) -> NewExpression {
        NewExpression::term(Err(error))
    }

    /// The text of a value.
    pub(crate) fn of_value(text: String) -> NewExpression {
        let is_negative = text.starts_with('-');
        if is_negative { NewExpression::operation_of(Ok(text)) } else { NewExpression::term(Ok(text)) }
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
    /// assert_eq!(object.text()?, "{\n  a     = 1\n  \"b c\" = 2\n}");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn object<K: AsRef<str>, V: Into<NewExpression>>(entries: impl IntoIterator<Item = (K, V)>) -> NewExpression {
        object_text(entries.into_iter().map(|(name, value)| (Ok(key(name.as_ref())), value)))
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
        let object = NewExpression { is_term: self.is_term && !self.is_number, ..self };
        object.step(|object| Ok(format!("{object}.{}", identifier(name)?)))
    }

    /// Accesses an element of this expression, which gets parentheses if it needs them.
    pub fn index(self, key: impl Into<NewExpression>) -> NewExpression {
        let key = key.into().text.map(in_brackets);
        self.step(|object| Ok(format!("{object}[{}]", key?)))
    }

    /// Adds a step after this expression.
    fn step(self, add: impl FnOnce(String) -> Result<String, BuildError>) -> NewExpression {
        let splat = if self.splat == SplatState::Open { SplatState::Open } else { SplatState::None };
        let object = NewExpression { is_term: self.is_term && self.splat != SplatState::Closed, ..self };
        NewExpression { splat, is_number: false, ..NewExpression::term(object.operand().and_then(add)) }
    }

    /// Creates a call of a function, whose name may have namespaces, `a::b`.
    pub fn call(name: &str, arguments: impl IntoIterator<Item = impl Into<NewExpression>>) -> NewExpression {
        if !name.split("::").all(is_identifier) {
            return NewExpression::term(Err(BuildError::Name(name.to_owned())));
        }
        let arguments: Result<Vec<String>, BuildError> =
            arguments.into_iter().map(|argument| argument.into().text).collect();
        NewExpression::term(arguments.map(|arguments| {
            let arguments = arguments.into_iter().map(in_brackets);
            format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
        }))
    }

    /// Creates an operation of two operands, which get parentheses if they need them.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    /// use hcl_lr::syntax::ast::BinaryOperator;
    ///
    /// let product = NewExpression::operation(NewExpression::parse("a + b")?, BinaryOperator::Multiply, 2);
    /// assert_eq!(product.text()?, "(a + b) * 2");
    /// assert_eq!(NewExpression::operation(1, "+".parse()?, 2).text()?, "1 + 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn operation(
        left: impl Into<NewExpression>,
        operator: BinaryOperator,
        right: impl Into<NewExpression>,
    ) -> NewExpression {
        let text = left.into().operand().and_then(|left| Ok(format!("{left} {operator} {}", right.into().operand()?)));
        NewExpression::operation_of(text)
    }

    /// Creates an operation of one operand, which gets parentheses if it needs them.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    /// use hcl_lr::syntax::ast::UnaryOperator;
    ///
    /// let neither = NewExpression::unary(UnaryOperator::Not, NewExpression::parse("a || b")?);
    /// assert_eq!(neither.text()?, "!(a || b)");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn unary(operator: UnaryOperator, operand: impl Into<NewExpression>) -> NewExpression {
        NewExpression::operation_of(operand.into().operand().map(|operand| operator.with_operand(&operand)))
    }

    /// Returns the expression in parentheses.
    pub fn parentheses(self) -> NewExpression {
        NewExpression::term(self.text.map(|text| format!("({})", in_brackets(text))))
    }

    /// Applies the splat operator `[*]` to this expression, which gets parentheses if it needs them. An attribute or
    /// index after it is one of each element; [`parentheses`](Self::parentheses) ends the splat.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// let ids = NewExpression::variable("hosts").splat().attribute("id");
    /// assert_eq!(ids.clone().text()?, "hosts[*].id");
    /// assert_eq!(ids.parentheses().index(0).text()?, "(hosts[*].id)[0]");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn splat(self) -> NewExpression {
        NewExpression { splat: SplatState::Open, ..self.step(|source| Ok(format!("{source}[*]"))) }
    }

    /// Creates a call whose last argument is expanded: `name(…, last...)`.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// let call = NewExpression::expanded_call("max", [NewExpression::from(1), NewExpression::variable("sizes")]);
    /// assert_eq!(call.text()?, "max(1, sizes...)");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn expanded_call(name: &str, arguments: impl IntoIterator<Item = impl Into<NewExpression>>) -> NewExpression {
        let call = NewExpression::call(name, arguments);
        let text = call.text.and_then(|text| match text.strip_suffix("()") {
            Some(_) => Err(BuildError::Value(String::new(), "a call that expands no argument")),
            None => Ok(text),
        });
        NewExpression::term(text.map(|mut text| {
            text.truncate(text.len() - 1);
            text + "...)"
        }))
    }

    /// Creates an object whose keys are expressions. A string is written as it is, any other key in parentheses.
    ///
    /// ```
    /// use hcl_lr::construct::{NewExpression, NewTemplate};
    ///
    /// let name = NewTemplate::new().literal("a-").interpolation(NewExpression::variable("n"));
    /// let object = NewExpression::object_with_keys([(name.into(), 1), (NewExpression::variable("k"), 2)]);
    /// assert_eq!(object.text()?, "{\n  \"a-${n}\" = 1\n  (k)      = 2\n}");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn object_with_keys<K: Into<NewExpression>, V: Into<NewExpression>>(
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> NewExpression {
        object_text(entries.into_iter().map(|(key, value)| {
            let key = key.into();
            let is_string =
                key.is_term && key.text.as_deref().is_ok_and(|text| text.starts_with('"') && text.ends_with('"'));
            (if is_string { key.text } else { key.parentheses().text }, value)
        }))
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
        NewExpression::operation_of(text())
    }

    /// Returns a name in the place of this expression. It gets parentheses and line breaks where this expression needs
    /// them.
    #[doc(hidden)]
    pub fn stand_in(&self, name: &str) -> NewExpression {
        let text = self.text.as_ref().map_err(Clone::clone).map(|text| stand_in(text, name));
        let splat = if self.splat == SplatState::None { SplatState::None } else { SplatState::Closed };
        NewExpression { text, splat, ..*self }
    }

    /// Returns a name in the place of an expression, as [`stand_in`](Self::stand_in) does.
    #[doc(hidden)]
    pub fn standing_for(expression: ExpressionNode<'_>, name: &str) -> NewExpression {
        NewExpression::like(expression, stand_in(expression.text(), name))
    }

    /// Returns the text as an operand.
    fn operand(self) -> Result<String, BuildError> {
        let heredoc = self.text.as_deref().is_ok_and(is_heredoc);
        self.text.map(|text| match self.is_term && !heredoc {
            true => text,
            false => format!("({text}{})", if heredoc { "\n" } else { "" }),
        })
    }

    /// Keeps the layout of a text that was parsed or copied from a node. Otherwise, it becomes canonical. An expression
    /// around this one has the canonical layout.
    ///
    /// ```
    /// use hcl_lr::construct::NewExpression;
    ///
    /// let table = NewExpression::parse("[ 1,  2,\n 10, 20 ]")?;
    /// assert_eq!(table.text()?, "[1, 2,\n10, 20]");
    /// assert_eq!(table.with_layout().text()?, "[ 1,  2,\n 10, 20 ]");
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    pub fn with_layout(self) -> NewExpression {
        NewExpression { keeps_layout: true, ..self }
    }

    /// Returns true if the text is written as it is.
    #[doc(hidden)]
    pub fn keeps_layout(&self) -> bool {
        self.keeps_layout
    }

    /// Returns the text in canonical form, with its lines indented as in an attribute of a file; or as it is, see
    /// [`with_layout`](Self::with_layout).
    ///
    /// # Errors
    /// A part of it cannot be written.
    pub fn text(&self) -> Result<String, BuildError> {
        let text = self.raw()?;
        Ok(if self.keeps_layout { text.to_owned() } else { formatted(text) })
    }

    /// Returns the text as it was passed or built.
    #[doc(hidden)]
    pub fn raw(&self) -> Result<&str, BuildError> {
        self.text.as_deref().map_err(Clone::clone)
    }
}

pub(super) fn identifier(name: &str) -> Result<&str, BuildError> {
    if is_identifier(name) { Ok(name) } else { Err(BuildError::Name(name.to_owned())) }
}

/// Returns a name, or an empty heredoc with this marker for a text that ends with a heredoc.
fn stand_in(text: &str, name: &str) -> String {
    if is_heredoc(text) { format!("<<{name}\n{name}") } else { name.to_owned() }
}

/// Returns an object with keys as they are written.
fn object_text(entries: impl Iterator<Item = (Result<String, BuildError>, impl Into<NewExpression>)>) -> NewExpression {
    let mut text = String::from("{\n");
    for (key, value) in entries {
        match key.and_then(|key| Ok((key, value.into().text?))) {
            Ok((key, value)) => text.extend([&key, " = ", &value, "\n"]),
            Err(error) => return NewExpression::term(Err(error)),
        }
    }
    if text.len() == 2 {
        text.pop();
    }
    text.push('}');
    NewExpression::term(Ok(text))
}

/// Returns a text for a place in brackets. The closing marker of a heredoc must end its line.
pub(super) fn in_brackets(text: String) -> String {
    if is_heredoc(&text) { text + "\n" } else { text }
}

fn is_number(text: &Result<String, BuildError>) -> bool {
    text.as_deref().is_ok_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
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

/// The expression as it is written in its file, with the comments in it. A part with a syntax error, or one that means
/// nothing by itself, such as the steps of a splat, gives an error when its text is requested.
///
/// ```
/// use hcl_lr::construct::NewExpression;
/// use hcl_lr::syntax::ast::BinaryOperator;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = b + 1\n").into_result()?;
/// let sum = file.body().attribute("a").expect("it is there").expression();
/// assert_eq!(NewExpression::operation(sum, BinaryOperator::Multiply, 2).text()?, "(b + 1) * 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<ExpressionNode<'_>> for NewExpression {
    fn from(expression: ExpressionNode<'_>) -> Self {
        NewExpression::parse(expression.text()).unwrap_or_else(|error| NewExpression::term(Err(error)))
    }
}

/// Parses HCL text, as [`NewExpression::parse`] does.
impl FromStr for NewExpression {
    type Err = BuildError;

    fn from_str(text: &str) -> Result<Self, BuildError> {
        NewExpression::parse(text)
    }
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
