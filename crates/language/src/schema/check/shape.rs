//! Forms of expressions: what is known of their values without evaluating names.

use std::borrow::Cow;

use hcl_lr::body::Expression;
use hcl_lr::eval::Scope;
use hcl_lr::model::{Number, Type, Value, View};
use hcl_lr::source::{Place, Span};
use hcl_lr::stack;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, TemplateNode};
use hcl_lr::syntax::operator::{OperandType, OperatorInfo, UnaryOperator};

use super::judge::Judge;
use crate::schema::model as schema;

/// An expression in either syntax.
#[derive(Clone)]
#[allow(missing_docs, reason = "public for the packages of this workspace only")]
pub enum Expr<'e> {
    Node(ExpressionNode<'e>),
    Handle(Expression),
}

/// The known form of a value.
#[allow(missing_docs, reason = "public for the packages of this workspace only")]
pub enum Shape<'e> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'e, str>),
    List(Vec<Expr<'e>>),
    Object(Vec<(Key<'e>, Expr<'e>)>),
    /// The value of one of two expressions.
    Either(Expr<'e>, Expr<'e>),
    /// A value of this type.
    Some(Type),
    /// A list, set or tuple with unknown elements.
    Sequence,
    /// An object or map with unknown entries.
    Entries,
    Unknown,
}

/// A key of an object: its text, if known, and its place.
pub struct Key<'e> {
    pub name: Option<Cow<'e, str>>,
    pub span: Span,
}

#[allow(missing_docs, reason = "public for the packages of this workspace only")]
impl<'e> Expr<'e> {
    /// Returns the place that messages about the value show.
    pub fn span(&self) -> Span {
        match self {
            Expr::Node(node) => node.span(),
            Expr::Handle(expression) => expression.place().span(),
        }
    }

    /// Returns the expression as a handle.
    pub fn handle(&self) -> Expression {
        match self {
            Expr::Node(node) => Expression::from(*node),
            Expr::Handle(expression) => expression.clone(),
        }
    }

    pub fn shape(&self, judge: &Judge<'_>) -> Shape<'e> {
        match self {
            Expr::Node(node) => of_node(*node, judge),
            Expr::Handle(expression) => of_handle(expression, judge),
        }
    }
}

fn of_node<'e>(node: ExpressionNode<'e>, judge: &Judge<'_>) -> Shape<'e> {
    match node.kind() {
        ExpressionKind::Null => Shape::Null,
        ExpressionKind::Bool(value) => Shape::Bool(value),
        ExpressionKind::Number(number) => match Number::parse(number.text()) {
            Ok(number) => Shape::Number(number),
            Err(_) => Shape::Some(Type::Number),
        },
        ExpressionKind::Template(template) => of_template(template, judge),
        ExpressionKind::Tuple(tuple) => Shape::List(tuple.elements().map(Expr::Node).collect()),
        ExpressionKind::Object(object) => {
            let elements = object.elements().map(|element| {
                let key = Key { name: element.key_text(), span: element.key_expression().span() };
                (key, Expr::Node(element.value()))
            });
            Shape::Object(elements.collect())
        }
        ExpressionKind::Parentheses(parentheses) => stack::with_room(|| of_node(parentheses.inner(), judge)),
        ExpressionKind::Conditional(conditional) => {
            Shape::Either(Expr::Node(conditional.true_result()), Expr::Node(conditional.false_result()))
        }
        ExpressionKind::Binary(operation) => of_operator(operation.operator().row()),
        ExpressionKind::Unary(operation) => match (operation.operator(), operation.operand().kind()) {
            (UnaryOperator::Negate, ExpressionKind::Number(number)) => match Number::parse(number.text()) {
                Ok(number) => Shape::Number(number.negate()),
                Err(_) => Shape::Some(Type::Number),
            },
            (operator, _) => of_operator(operator.row()),
        },
        ExpressionKind::For(one) if one.is_object() => Shape::Entries,
        ExpressionKind::For(_) | ExpressionKind::Splat(_) => Shape::Sequence,
        ExpressionKind::FunctionCall(call) => match judge.checker.result_of(&call.name(), judge.facts) {
            Some(Type::Dynamic) | None => Shape::Unknown,
            Some(ty) => Shape::Some(ty),
        },
        _ => Shape::Unknown,
    }
}

/// The result of an operation.
fn of_operator<'e>(row: &OperatorInfo) -> Shape<'e> {
    match row.gives {
        OperandType::Number => Shape::Some(Type::Number),
        OperandType::Bool => Shape::Some(Type::Bool),
        _ => Shape::Unknown,
    }
}

fn of_template<'e>(template: TemplateNode<'e>, judge: &Judge<'_>) -> Shape<'e> {
    if let Some(text) = template.as_text() {
        return Shape::Text(text);
    }
    match template.unwrapped() {
        Some(inner) => stack::with_room(|| of_node(inner, judge)),
        None => Shape::Some(Type::String),
    }
}

/// Returns the form of an expression in JSON, or of a value.
fn of_handle<'e>(expression: &Expression, judge: &Judge<'_>) -> Shape<'e> {
    if let Ok(elements) = expression.static_list() {
        return Shape::List(elements.into_iter().map(Expr::Handle).collect());
    }
    if let Ok(entries) = expression.static_map() {
        let entries = entries.into_iter().map(|(key, value)| {
            let span = key.place().span();
            let name = known(&key, judge).and_then(|key| key.as_str().map(|key| Cow::Owned(key.to_owned())));
            (Key { name, span }, Expr::Handle(value))
        });
        return Shape::Object(entries.collect());
    }
    match known(expression, judge) {
        Some(value) => of_value(&value, &expression.place()),
        None => Shape::Unknown,
    }
}

/// Returns the value of an expression, unless it has marks.
fn known(expression: &Expression, judge: &Judge<'_>) -> Option<Value> {
    // Functions make strings in JSON templates.
    let scope = Scope::new().with_functions(judge.checker.functions().clone());
    let (value, _) = expression.evaluate_partially(&scope).into_parts();
    (!value.contains_marks()).then_some(value)
}

/// Returns the form of a value, whose parts have the place of the whole.
fn of_value<'e>(value: &Value, place: &Place) -> Shape<'e> {
    if !value.is_known() {
        return match value.ty() {
            Type::Dynamic => Shape::Unknown,
            ty => Shape::Some(ty),
        };
    }
    let part = |value: &Value| Expr::Handle(Expression::of_value(value.clone(), place.clone()));
    match value.view() {
        _ if value.is_null() => Shape::Null,
        View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
            Shape::List(elements.iter().map(part).collect())
        }
        View::Map(entries) | View::Object(entries) => {
            let key = |name: &str| Key { name: Some(Cow::Owned(name.to_owned())), span: place.span() };
            Shape::Object(entries.map(|(name, value)| (key(name), part(value))).collect())
        }
        _ => match (value.as_str(), value.as_number(), value.as_bool()) {
            (Some(text), ..) => Shape::Text(Cow::Owned(text.to_owned())),
            (_, Some(number), _) => Shape::Number(number.clone()),
            (.., Some(value)) => Shape::Bool(value),
            _ => Shape::Unknown,
        },
    }
}

/// Returns the text of an expression that is not evaluated. A name in quotes is the name.
pub(in crate::schema) fn names_of(ty: &schema::Type, expression: &Expression) -> Value {
    if matches!(ty, schema::Type::Expression | schema::Type::TypeExpression) {
        return expression.source_texts();
    }
    let text = |expression: &Expression| match expression.as_str() {
        Some(text) => Value::from(&*text),
        None => Value::from(expression.source_text()),
    };
    if let Ok(elements) = expression.static_list() {
        return Value::tuple(elements.iter().map(text));
    }
    match expression.static_map() {
        Ok(entries) if matches!(ty, schema::Type::Map(_)) => {
            let name = |key: &Expression| text(key).as_str().unwrap_or_default().to_string();
            Value::object(entries.iter().map(|(key, value)| (name(key), text(value))))
        }
        _ => text(expression),
    }
}
