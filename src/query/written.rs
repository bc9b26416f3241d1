//! What is written, as a value: what is constant as it is, and what is not in one of two forms.

use std::collections::HashSet;

use super::Members;
use crate::address::{AttributeRef, BlockRef, BodyRef, Items};
use crate::body::{expression_of_json, template_of};
use crate::convert::bare_template;
use crate::eval::{Function, Functions, Parameter, Scope};
use crate::json::{Document, Node, NodeKind};
use crate::model::{Type, Value};
use crate::source::Place;
use crate::stack::with_room;
use crate::syntax::Traversal;
use crate::syntax::ast::{
    ExpressionKind, ExpressionNode, ObjectElement, ObjectKey, TemplateNode, Visitor, walk_expression, walk_template,
};

/// What becomes of an expression that is not constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An unknown value.
    Unknown,
    /// The expression as a string `"${…}"`, as the JSON syntax has it.
    Source,
}

/// Reads what is written.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub functions: &'a Functions,
    /// The document, if it is in the JSON syntax.
    pub document: Option<&'a Document>,
    pub form: Form,
}

impl Written<'_> {
    /// A body as an object: attributes by name, blocks by type, then by each label, then a list.
    pub fn body(self, body: &BodyRef<'_>) -> Value {
        let items = Items::of(body);
        let mut members = Members::default();
        for (name, attribute) in &items.attributes {
            let value = match *attribute {
                AttributeRef::Native(attribute) => self.expression(attribute.expression()),
                AttributeRef::Json(member) => self.json(member.value()),
            };
            members.add_attribute(name, value);
        }
        for item in &items.blocks {
            let inner = with_room(|| self.body(&item.body()));
            let labels = item.labels.iter().map(|label| label.clone().into_owned()).collect();
            let place = match &item.block {
                BlockRef::Native(block) => block.place(),
                BlockRef::Json(_) => Place::nowhere(),
            };
            // A block with more labels than a value can have levels is left out.
            let _ = members.add_block(&item.block_type, labels, inner, &place);
        }
        members.into_value()
    }

    pub fn expression(self, expression: ExpressionNode<'_>) -> Value {
        if self.form == Form::Unknown {
            return self.constant(expression);
        }
        match expression.kind() {
            ExpressionKind::Parentheses(parentheses) => with_room(|| self.expression(parentheses.inner())),
            ExpressionKind::Tuple(tuple) => {
                Value::tuple(tuple.elements().map(|element| with_room(|| self.expression(element))))
            }
            ExpressionKind::Object(object) => Value::object(
                object.elements().map(|element| (self.key(element), with_room(|| self.expression(element.value())))),
            ),
            _ => {
                let value = self.constant(expression);
                if value.is_wholly_known() { value } else { Value::from(source_text(expression)) }
            }
        }
    }

    fn key(self, element: ObjectElement<'_>) -> String {
        match element.key() {
            ObjectKey::Name(name) => name.text().to_owned(),
            ObjectKey::Expression(key) => {
                let value = self.constant(key).convert(&Type::String);
                match value.as_ref().ok().and_then(Value::as_str) {
                    Some(key) => key.to_owned(),
                    None => source_text(key),
                }
            }
        }
    }

    /// The value of an expression in which all variables are unknown, and the results of functions that there
    /// are not.
    fn constant(self, expression: ExpressionNode<'_>) -> Value {
        let variables = expression.variables();
        let mut calls = Calls::default();
        calls.visit_expression(expression);
        let scope = self.scope(variables.iter().map(|variable| variable.root().text()), calls);
        expression.evaluate_partially(&scope).into_value()
    }

    fn scope<'n>(self, variables: impl Iterator<Item = &'n str>, calls: Calls) -> Scope<'static> {
        let mut scope = Scope::new().with_functions(self.functions.clone());
        for name in variables {
            scope.set(name, Value::unknown(Type::Dynamic));
        }
        for name in calls.0 {
            if self.functions.get(&name).is_none() {
                scope = scope.with_function(name, unknown_function());
            }
        }
        scope
    }

    pub fn json(self, node: Node<'_>) -> Value {
        match node.kind() {
            NodeKind::Array(array) => Value::tuple(array.elements().map(|element| with_room(|| self.json(element)))),
            NodeKind::Object(object) => Value::object(
                object.members().map(|member| (member.name().into_owned(), with_room(|| self.json(member.value())))),
            ),
            _ => {
                let value = self.constant_json(node);
                match node.as_string() {
                    Some(text) if self.form == Form::Source && !value.is_wholly_known() => Value::from(&*text.text()),
                    _ => value,
                }
            }
        }
    }

    fn constant_json(self, node: Node<'_>) -> Value {
        let Some(document) = self.document else { return Value::unknown(Type::Dynamic) };
        let expression = expression_of_json(document, node);
        let variables = expression.variables();
        let mut calls = Calls::default();
        if let Some(Ok(template)) = node.as_string().map(template_of) {
            calls.visit_template(template.into_value().template());
        }
        let scope = self.scope(variables.iter().map(Traversal::root), calls);
        expression.evaluate_partially(&scope).into_value()
    }
}

/// The source of an expression as a template: `${…}`, or that of the template that it is.
pub(super) fn source_text(expression: ExpressionNode<'_>) -> String {
    match expression.kind() {
        ExpressionKind::Template(template) => match template.unwrapped() {
            Some(inner) => format!("${{{}}}", inner.text()),
            None => bare_template(template),
        },
        _ => format!("${{{}}}", expression.text()),
    }
}

/// A function that nothing is known of.
fn unknown_function() -> Function {
    let any = Parameter::new("arguments", Type::Dynamic);
    Function::lazy([], Some(any), |_| Ok(Value::unknown(Type::Dynamic)))
}

/// The names of the functions that are called.
#[derive(Default)]
pub(super) struct Calls(pub HashSet<String>);

impl<'t> Visitor<'t> for Calls {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) {
        if let ExpressionKind::FunctionCall(call) = expression.kind() {
            self.0.insert(call.name().into_owned());
        }
        with_room(|| walk_expression(self, expression));
    }

    fn visit_template(&mut self, template: TemplateNode<'t>) {
        with_room(|| walk_template(self, template));
    }
}
