//! Expressions in either syntax.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

#[cfg(feature = "write")]
use super::Simplified;
use super::StaticCall;
use super::json_expression::JsonExpression;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
#[cfg(feature = "write")]
use crate::eval::simplify;
#[cfg(feature = "decode")]
use crate::eval::used_parts::UsedParts;
use crate::eval::{Scope, start_of};
use crate::model::{MarkSet, Value};
use crate::source::Place;
use crate::syntax::ast::{ExpressionKind, ExpressionNode, TemplateNode, TraversalNode, debug_in_one_line};
use crate::syntax::index::NodeIndex;
use crate::syntax::{File, Traversal};

/// An expression in either syntax. It owns its source, and is cheap to clone.
///
/// ```
/// use hcl_lr::{Body, Scope, parse};
/// use hcl_lr::model::Value;
///
/// let body = parse::<Body>(("a.json", r#"{"sum": ["${a + 1}", "a"]}"#)).into_result()?;
/// let expression = body.attributes().into_result()?.get("sum").expect("it is there").expression().clone();
/// assert_eq!(expression.variables()[0].root(), "a");
///
/// let value = expression.evaluate(&Scope::new().with("a", 1))?;
/// assert_eq!(value, Value::tuple([Value::from(2), Value::from("a")]));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Expression(Kind);

#[derive(Clone)]
enum Kind {
    /// An expression in native syntax, with the index of its node.
    Native(File, NodeIndex),
    /// The template that a file is.
    Template(File),
    Json(JsonExpression),
    Value(Arc<(Value, Place)>),
    With(Arc<WithVariables>),
}

/// The notation of an expression.
pub(crate) enum ExpressionForm<'e> {
    Native(ExpressionNode<'e>),
    /// As the text of a template.
    Template(TemplateNode<'e>),
    /// As a value in JSON.
    Json(Place),
    /// It is no text but a value.
    Value(&'e Value),
    /// With variables that its text would not have.
    WithVariables,
}

/// An expression with variables of its own and marks for its value.
struct WithVariables {
    expression: Expression,
    variables: Arc<HashMap<String, Value>>,
    marks: MarkSet,
    /// The marks of the values that the variables come from: messages must not show the variables.
    origin: MarkSet,
}

impl WithVariables {
    /// Returns a part of the expression, with the same variables and marks.
    fn around(&self, part: &Expression) -> Expression {
        part.with_variables(self.variables.clone()).hiding(&self.origin).with_marks(&self.marks)
    }
}

impl Expression {
    /// The template that a source was parsed as.
    pub(super) fn template(file: File) -> Self {
        Expression(Kind::Template(file))
    }

    pub(super) fn json(expression: JsonExpression) -> Self {
        Expression(Kind::Json(expression))
    }

    /// Returns the variables and marks that the expression has besides its text, together with that text.
    pub(crate) fn own_variables(&self) -> Option<(&Expression, &HashMap<String, Value>, &MarkSet)> {
        match &self.0 {
            Kind::With(with) => Some((&with.expression, &with.variables, &with.marks)),
            _ => None,
        }
    }

    /// Creates an expression from a value. Problems with it are reported at a place.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::body::Expression;
    /// use hcl_lr::model::Value;
    /// use hcl_lr::source::Place;
    ///
    /// let expression = Expression::of_value(Value::from(1), Place::nowhere());
    /// assert_eq!(expression.evaluate(&Scope::new())?, Value::from(1));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn of_value(value: Value, place: Place) -> Self {
        Expression(Kind::Value(Arc::new((value, place))))
    }

    /// Returns the expression with variables that hide those of the scope of the evaluation.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use std::sync::Arc;
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::model::Value;
    ///
    /// let body = parse::<Body>("a = each + b\n").into_result()?;
    /// let expression = body.attributes().into_result()?.get("a").expect("it is there").expression().clone();
    /// let variables = HashMap::from([("each".to_owned(), Value::from(40))]);
    /// let expression = expression.with_variables(Arc::new(variables));
    /// assert_eq!(expression.evaluate(&Scope::new().with("b", 2))?, Value::from(42));
    /// assert_eq!(expression.variables().len(), 1);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn with_variables(&self, variables: Arc<HashMap<String, Value>>) -> Self {
        let with = WithVariables {
            expression: self.clone(),
            variables,
            marks: MarkSet::default(),
            origin: MarkSet::default(),
        };
        Expression(Kind::With(Arc::new(with)))
    }

    /// Returns the expression with its variables treated as parts of a value with these marks: messages must not show
    /// them. The values themselves do not have the marks.
    pub(crate) fn hiding(&self, origin: &MarkSet) -> Self {
        match &self.0 {
            Kind::With(with) if !origin.is_empty() => Expression(Kind::With(Arc::new(WithVariables {
                expression: with.expression.clone(),
                variables: with.variables.clone(),
                marks: with.marks.clone(),
                origin: with.origin.union(origin),
            }))),
            _ => self.clone(),
        }
    }

    /// Returns the expression with marks on its value.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::body::Expression;
    /// use hcl_lr::model::{Mark, MarkSet, Value};
    /// use hcl_lr::source::Place;
    ///
    /// let expression = Expression::of_value(Value::from(1), Place::nowhere());
    /// let expression = expression.with_marks(&MarkSet::from(Mark::new("sensitive")));
    /// assert!(expression.evaluate(&Scope::new())?.is_marked());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn with_marks(&self, marks: &MarkSet) -> Self {
        let with = match &self.0 {
            _ if marks.is_empty() => return self.clone(),
            Kind::With(with) => WithVariables {
                expression: with.expression.clone(),
                variables: with.variables.clone(),
                marks: with.marks.union(marks),
                origin: with.origin.clone(),
            },
            _ => WithVariables {
                expression: self.clone(),
                variables: Arc::default(),
                marks: marks.clone(),
                origin: MarkSet::default(),
            },
        };
        Expression(Kind::With(Arc::new(with)))
    }

    /// Evaluates the expression.
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        self.evaluate_partially(scope).into_result()
    }

    /// Evaluates the expression to a value and all errors. Parts that fail are unknown.
    pub fn evaluate_partially(&self, scope: &Scope<'_>) -> Outcome<Value> {
        match &self.0 {
            Kind::Native(file, node) => file.expression_at(*node).evaluate_partially(scope),
            Kind::Template(file) => file.template().evaluate_partially(scope),
            Kind::Json(expression) => expression.evaluate(scope),
            Kind::Value(value) => value.0.clone().into(),
            Kind::With(with) if with.variables.is_empty() => {
                with.expression.evaluate_partially(scope).map(|value| value.with_marks(&with.marks))
            }
            Kind::With(with) => {
                let scope = scope.child().with_variables(&with.variables).out_of(&with.origin);
                with.expression.evaluate_partially(&scope).map(|value| value.with_marks(&with.marks))
            }
        }
    }

    /// Fills in known values, and returns equivalent text ("partial evaluation").
    ///
    /// A variable is unknown if its value in the scope is unknown. The following stay as they are written: parts that
    /// depend on an unknown variable; parts that fail, which are reported; marked parts, which must not be shown; calls
    /// of a function that is not [pure](crate::eval::Function::is_pure); and values that cannot be written as an
    /// expression, such as a list if the scope has no function `tolist`.
    ///
    /// Evaluating the result, in the same scope or in one with more known values, gives the value of the original
    /// expression there. Unknown values have to turn out to be of their declared types.
    ///
    /// ```
    /// use hcl_lr::{Expression, Scope, parse};
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let env = Value::unknown(Type::String);
    /// let scope = Scope::new().with("var", Value::object([("env", env), ("team", "red".into())]));
    /// let expression = parse::<Expression>(r#"{ name = "${var.env}-${var.team}", n = 1 + 1 }"#).into_result()?;
    /// let simplified = expression.simplify(&scope).into_result()?;
    /// assert_eq!(simplified.to_string(), r#"{ name = "${var.env}-red", n = 2 }"#);
    /// assert!(!simplified.is_known());
    ///
    /// let known = Scope::new().with("var", Value::object([("env", "prod".into()), ("team", Value::from("red"))]));
    /// assert_eq!(simplified.evaluate(&known)?, expression.evaluate(&known)?);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    #[cfg(feature = "write")]
    pub fn simplify(&self, scope: &Scope<'_>) -> Outcome<Simplified> {
        let outcome = match &self.0 {
            Kind::Native(file, node) => simplify::expression(file.expression_at(*node), scope),
            Kind::Template(file) => simplify::template(file.template(), scope),
            Kind::Json(expression) => expression.residue(scope),
            Kind::Value(value) => {
                let text = simplify::text_of_value(&value.0, scope);
                simplify::Residue { value: value.0.clone(), is_known: value.0.is_wholly_known(), text }.into()
            }
            // Variables may contain secrets.
            Kind::With(with) if !with.marks.is_empty() || !with.origin.is_empty() => {
                let outcome = self.evaluate_partially(scope);
                return outcome.map(|value| Simplified::new(self.clone(), value, false));
            }
            Kind::With(with) => {
                let scope = scope.child().with_variables(&with.variables);
                return with.expression.simplify(&scope).map(|inner| inner.with_variables(&with.variables));
            }
        };
        outcome.map(|residue| Simplified::of(self, residue))
    }

    /// Returns the variables that evaluating the expression needs, each with the constant path after it, in source
    /// order.
    pub fn variables(&self) -> Vec<Traversal> {
        match &self.0 {
            Kind::Native(file, node) => stored(file.expression_at(*node).variables()),
            Kind::Template(file) => stored(file.template().variables()),
            Kind::Json(expression) => expression.variables(),
            Kind::Value(_) => Vec::new(),
            Kind::With(with) => {
                let mut variables = with.expression.variables();
                variables.retain(|path| !with.variables.contains_key(path.root()));
                variables
            }
        }
    }

    /// Returns the templates in the strings of an expression in JSON.
    pub fn templates(&self) -> impl Iterator<Item = File> {
        let mut expression = self;
        while let Kind::With(with) = &expression.0 {
            expression = &with.expression;
        }
        let json = match &expression.0 {
            Kind::Json(expression) => Some(expression.templates()),
            _ => None,
        };
        json.into_iter().flatten()
    }

    /// Returns the parts that the expression reads of each of its [variables](Self::variables), in the same order.
    #[cfg(feature = "decode")]
    #[doc(hidden)]
    pub fn asked(&self) -> Vec<Arc<UsedParts>> {
        match &self.0 {
            Kind::Native(file, node) => file.expression_at(*node).asked(),
            Kind::Template(file) => file.template().asked(),
            Kind::Json(expression) => expression.asked(),
            Kind::Value(_) => Vec::new(),
            Kind::With(with) => {
                let asked = with.expression.asked().into_iter().zip(with.expression.variables());
                let free = asked.filter(|(_, path)| !with.variables.contains_key(path.root()));
                free.map(|(asked, _)| asked).collect()
            }
        }
    }

    /// Returns the place.
    pub fn place(&self) -> Place {
        match &self.0 {
            Kind::Native(file, node) => file.expression_at(*node).place(),
            Kind::Template(file) => file.body().place(),
            Kind::Json(expression) => expression.place(),
            Kind::Value(value) => value.1.clone(),
            Kind::With(with) => with.expression.place(),
        }
    }

    /// Returns the place of the first part of the expression, up to the text that tells its kind. Errors that require
    /// another kind are reported there.
    pub fn start_place(&self) -> Place {
        match &self.0 {
            Kind::Native(file, node) => Place::new(file.source(), start_of(file.expression_at(*node))),
            Kind::Template(file) => file.body().place(),
            Kind::Json(expression) => expression.start_place(),
            Kind::Value(value) => value.1.clone(),
            Kind::With(with) => with.expression.start_place(),
        }
    }

    /// Returns the expression in native syntax. `None` if it is written in JSON, is just a value, or has variables or
    /// marks of its own, which would be lost.
    pub fn as_native(&self) -> Option<ExpressionNode<'_>> {
        match &self.0 {
            Kind::Native(file, node) => Some(file.expression_at(*node)),
            Kind::Template(_) | Kind::Json(_) | Kind::Value(_) | Kind::With(_) => None,
        }
    }

    /// Returns the syntax tree of the template: of a [`Template`](crate::Template), or of a string or heredoc in native
    /// syntax.
    ///
    /// ```
    /// let template = hcl_lr::parse::<hcl_lr::Template>("Hello, ${name}!").into_result()?;
    /// assert_eq!(template.as_template().expect("it is one").parts().count(), 3);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn as_template(&self) -> Option<TemplateNode<'_>> {
        match &self.0 {
            Kind::Template(file) => Some(file.template()),
            _ => match self.as_native()?.kind() {
                ExpressionKind::Template(template) => Some(template),
                _ => None,
            },
        }
    }

    /// Returns the text of a string literal: a string, heredoc or template without sequences, a string in JSON that is
    /// not a template, or a value that is a string.
    ///
    /// ```
    /// use hcl_lr::{Expression, parse};
    ///
    /// let source: Expression = parse("\"./modules/net\"").into_result()?;
    /// assert_eq!(source.as_str().as_deref(), Some("./modules/net"));
    /// let source: Expression = parse("\"./${var.name}\"").into_result()?;
    /// assert_eq!(source.as_str(), None);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        match &self.0 {
            Kind::Native(file, node) => file.expression_at(*node).as_str(),
            Kind::Template(file) => file.template().as_text(),
            Kind::Json(expression) => expression.as_str(),
            Kind::Value(value) => value.0.as_str().map(Cow::Borrowed),
            Kind::With(_) => None,
        }
    }

    /// Returns the expression in native syntax, whatever variables and marks it has.
    #[doc(hidden)]
    pub fn native_form(&self) -> Option<ExpressionNode<'_>> {
        match &self.0 {
            Kind::With(with) => with.expression.native_form(),
            _ => self.as_native(),
        }
    }

    /// Returns the source text of the expression, for writing it elsewhere.
    pub(crate) fn form(&self) -> ExpressionForm<'_> {
        match &self.0 {
            Kind::Native(file, node) => ExpressionForm::Native(file.expression_at(*node)),
            Kind::Template(file) => ExpressionForm::Template(file.template()),
            Kind::Json(expression) => ExpressionForm::Json(expression.place()),
            Kind::Value(value) => ExpressionForm::Value(&value.0),
            Kind::With(_) => ExpressionForm::WithVariables,
        }
    }

    /// Returns the content of a string in JSON, read as an expression in native syntax.
    #[doc(hidden)]
    pub fn in_string(&self) -> Option<Expression> {
        match &self.0 {
            Kind::Json(expression) => expression.in_string(),
            Kind::With(with) => with.expression.in_string(),
            Kind::Native(..) | Kind::Template(_) | Kind::Value(_) => None,
        }
    }

    /// Returns the text of a string in JSON.
    #[doc(hidden)]
    pub fn text_in_json(&self) -> Option<String> {
        match &self.0 {
            Kind::Json(expression) => expression.text(),
            Kind::With(with) => with.expression.text_in_json(),
            Kind::Native(..) | Kind::Template(_) | Kind::Value(_) => None,
        }
    }

    /// Returns the elements of a tuple, or of an array in JSON ("Static List").
    ///
    /// # Errors
    /// The expression is not a tuple.
    pub fn static_list(&self) -> Result<Vec<Expression>, Diagnostics> {
        match &self.0 {
            Kind::Native(file, node) => {
                let list = file.expression_at(*node).static_list()?;
                Ok(list.into_iter().map(Expression::from).collect())
            }
            Kind::Template(file) => Err(not_written(&file.body().place(), TEMPLATE)),
            Kind::Json(expression) => expression.static_list(),
            Kind::Value(value) => Err(not_written(&value.1, VALUE)),
            Kind::With(with) => {
                let list = with.expression.static_list()?;
                Ok(list.iter().map(|element| with.around(element)).collect())
            }
        }
    }

    /// Returns the keys and values of an object ("Static Map").
    ///
    /// # Errors
    /// The expression is not an object.
    pub fn static_map(&self) -> Result<Vec<(Expression, Expression)>, Diagnostics> {
        match &self.0 {
            Kind::Native(file, node) => {
                let map = file.expression_at(*node).static_map()?;
                Ok(map.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
            }
            Kind::Template(file) => Err(not_written(&file.body().place(), TEMPLATE)),
            Kind::Json(expression) => expression.static_map(),
            Kind::Value(value) => Err(not_written(&value.1, VALUE)),
            Kind::With(with) => {
                let map = with.expression.static_map()?;
                Ok(map.iter().map(|(key, value)| (with.around(key), with.around(value))).collect())
            }
        }
    }

    /// Returns the called function and its arguments; in JSON a string is read as a call in native syntax ("Static
    /// Call").
    ///
    /// ```
    /// use hcl_lr::{Body, parse};
    ///
    /// let body = parse::<Body>(("a.json", r#"{"type": "list(string)"}"#)).into_result()?;
    /// let call = body.attributes().into_result()?.get("type").expect("it is there").expression().static_call()?;
    /// assert_eq!((call.name(), call.arguments()[0].keyword().as_deref()), ("list", Some("string")));
    /// assert_eq!(call.arguments()[0].place().to_string(), "a.json:1:16");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The expression is not a function call.
    pub fn static_call(&self) -> Result<StaticCall, Diagnostics> {
        match &self.0 {
            Kind::Native(file, node) => StaticCall::of_native(file.expression_at(*node)),
            Kind::Template(file) => Err(not_written(&file.body().place(), TEMPLATE)),
            Kind::Json(expression) => expression.static_call(),
            Kind::Value(value) => Err(not_written(&value.1, VALUE)),
            Kind::With(with) => {
                let mut call = with.expression.static_call()?;
                call.arguments.iter_mut().for_each(|part| *part = with.around(part));
                Ok(call)
            }
        }
    }

    /// Returns the variable and the constant steps after it; in JSON a string is read as such a path in native syntax
    /// ("Static Traversal").
    ///
    /// # Errors
    /// The expression is not such a path.
    pub fn static_traversal(&self) -> Result<Traversal, Diagnostics> {
        match &self.0 {
            Kind::Native(file, node) => Ok(file.expression_at(*node).static_traversal()?.into()),
            Kind::Template(file) => Err(not_written(&file.body().place(), TEMPLATE)),
            Kind::Json(expression) => expression.static_traversal(),
            Kind::Value(value) => Err(not_written(&value.1, VALUE)),
            Kind::With(with) => with.expression.static_traversal(),
        }
    }

    /// Returns the source text of the expression; in JSON that of a string.
    #[doc(hidden)]
    pub fn source_text(&self) -> String {
        let in_json = match &self.0 {
            Kind::Json(expression) => expression.text(),
            Kind::With(with) => return with.expression.source_text(),
            _ => None,
        };
        in_json.unwrap_or_else(|| self.place().text().to_owned())
    }

    /// Returns the source text of the expression as a value. A list is a tuple of the texts of its elements.
    #[doc(hidden)]
    pub fn source_texts(&self) -> Value {
        match (&self.0, self.static_list()) {
            (Kind::Value(value), _) => value.0.clone(),
            (_, Ok(elements)) => Value::tuple(elements.iter().map(|element| Value::from(element.source_text()))),
            (_, Err(_)) => Value::from(self.source_text()),
        }
    }

    /// Returns the name if the expression is a single name; in JSON a string that is a name. Its meaning is up to the
    /// application.
    pub fn keyword(&self) -> Option<String> {
        let path = self.static_traversal().ok()?;
        let path = path.node()?;
        (path.steps().len() == 0).then(|| path.root().text().to_owned())
    }
}

impl From<ExpressionNode<'_>> for Expression {
    fn from(node: ExpressionNode<'_>) -> Expression {
        Expression(Kind::Native(node.file(), node.id()))
    }
}

fn stored(variables: Vec<TraversalNode<'_>>) -> Vec<Traversal> {
    variables.into_iter().map(Traversal::from).collect()
}

const VALUE: &str = "this is a computed value, not an expression of the required kind";
const TEMPLATE: &str = "this is a template, not an expression of the required kind";

/// Values from a program, and templates, have no written form to analyze.
fn not_written(place: &Place, detail: &'static str) -> Diagnostics {
    Diagnostic::error(Code::NotStatic, place, detail).into()
}

/// Writes the expression as in its source; for a value from a program, the value.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Value(value) => value.0.fmt(f),
            _ => f.write_str(self.place().text()),
        }
    }
}

/// In one line with `{:?}`: the beginning of the source text. `{:#?}` has the tree.
impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() && !matches!(self.0, Kind::Value(_)) {
            return debug_in_one_line("Expression", self.place().text(), f);
        }
        match &self.0 {
            Kind::Native(file, node) => fmt::Debug::fmt(&file.expression_at(*node), f),
            Kind::Template(file) => file.template().fmt(f),
            Kind::Json(expression) => expression.fmt(f),
            Kind::Value(value) => value.0.fmt(f),
            Kind::With(with) => with.expression.fmt(f),
        }
    }
}
