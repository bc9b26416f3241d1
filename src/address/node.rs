//! What a step can reach, whatever the syntax, and what is in it.

use std::sync::Arc;

use super::path::PathStep;
use crate::edit::{constant, constant_key};
use crate::json;
use crate::stack::with_room;
use crate::syntax::ast::{
    AttributeNode, ExpressionKind, ExpressionNode, ObjectElement, ObjectKey, TemplateNode, Visitor, walk_expression,
    walk_template,
};

/// What a step can reach but for bodies and blocks.
#[derive(Clone, Copy)]
pub(super) enum Node<'t> {
    Attribute(AttributeNode<'t>),
    Entry(ObjectElement<'t>),
    Element(ExpressionNode<'t>),
    Expression(ExpressionNode<'t>),
    JsonAttribute(json::Member<'t>),
    JsonEntry(json::Member<'t>),
    JsonElement(json::Node<'t>),
    JsonValue(json::Node<'t>),
}

/// A value, in which steps go on.
#[derive(Clone, Copy)]
pub(super) enum ValueRef<'t> {
    Native(ExpressionNode<'t>),
    Json(json::Node<'t>),
}

/// How a part of a value is addressed.
pub(super) type Key<'t> = PathStep<'t>;

impl<'t> Node<'t> {
    /// What no other node of the file has: a kind, a number, and the source that it has this number in,
    /// for in JSON each string is one of its own.
    pub fn id(self) -> (u8, u32, usize) {
        let native = |kind: u8, expression: ExpressionNode<'t>| {
            (kind, expression.id().get(), Arc::as_ptr(expression.shared_source()).addr())
        };
        match self {
            Node::Attribute(attribute) => native(0, attribute.expression()),
            Node::Entry(entry) => native(1, entry.value()),
            // What is an element stays one, however it is reached.
            Node::Element(expression) | Node::Expression(expression) => native(2, expression),
            Node::JsonAttribute(member) | Node::JsonEntry(member) => (3, member.name_node().id(), 0),
            Node::JsonElement(node) | Node::JsonValue(node) => (4, node.id(), 0),
        }
    }

    /// Its value; parentheses are passed through.
    pub fn value(self) -> ValueRef<'t> {
        let mut expression = match self {
            Node::Attribute(attribute) => attribute.expression(),
            Node::Entry(entry) => entry.value(),
            Node::Element(expression) | Node::Expression(expression) => expression,
            Node::JsonAttribute(member) | Node::JsonEntry(member) => return ValueRef::Json(member.value()),
            Node::JsonElement(node) | Node::JsonValue(node) => return ValueRef::Json(node),
        };
        while let ExpressionKind::Parentheses(parentheses) = expression.kind() {
            expression = parentheses.inner();
        }
        ValueRef::Native(expression)
    }
}

impl<'t> ValueRef<'t> {
    /// The elements of a list or an object, each with what addresses it.
    pub fn parts(self) -> Box<dyn Iterator<Item = (Key<'t>, Node<'t>)> + 't> {
        let index = |index: usize| PathStep::Index(index as u64);
        match self {
            ValueRef::Native(expression) => match expression.kind() {
                ExpressionKind::Tuple(tuple) => {
                    let elements = tuple.elements().enumerate();
                    Box::new(elements.map(move |(at, element)| (index(at), Node::Element(element))))
                }
                ExpressionKind::Object(object) => {
                    Box::new(object.elements().map(|element| (key(element), Node::Entry(element))))
                }
                _ => Box::new(std::iter::empty()),
            },
            ValueRef::Json(node) => match node.kind() {
                json::NodeKind::Array(array) => {
                    let elements = array.elements().enumerate();
                    Box::new(elements.map(move |(at, element)| (index(at), Node::JsonElement(element))))
                }
                json::NodeKind::Object(object) => {
                    Box::new(object.members().map(|member| (PathStep::Name(member.name()), Node::JsonEntry(member))))
                }
                _ => Box::new(std::iter::empty()),
            },
        }
    }
}

/// What addresses an element of an object.
fn key<'t>(element: ObjectElement<'t>) -> Key<'t> {
    match constant_key(element) {
        Ok(text) => PathStep::Name(text),
        Err(expression) => PathStep::Computed(expression.text()),
    }
}

/// What an expression is made of, but for lists, objects and parentheses.
pub(super) fn operands(expression: ExpressionNode<'_>) -> Vec<ExpressionNode<'_>> {
    let mut found = Operands(Vec::new());
    // The parts of a splat are what is done with the elements: no expressions by themselves.
    let mut waiting = Vec::new();
    match expression.kind() {
        ExpressionKind::Splat(splat) => {
            found.0.push(splat.source());
            waiting.push(splat.each());
        }
        ExpressionKind::Object(object) => found.0.extend(object.elements().filter_map(computed_key)),
        _ => walk_expression(&mut found, expression),
    }
    while let Some(part) = waiting.pop() {
        match part.kind() {
            ExpressionKind::Splat(splat) => waiting.extend([splat.each(), splat.source()]),
            ExpressionKind::RelativeTraversal(path) => waiting.push(path.source()),
            ExpressionKind::Index(index) => {
                found.0.push(index.key());
                waiting.push(index.collection());
            }
            _ => {}
        }
    }
    found.0
}

/// The expressions in a template.
pub(super) fn interpolations(template: TemplateNode<'_>) -> Vec<ExpressionNode<'_>> {
    let mut found = Operands(Vec::new());
    found.visit_template(template);
    found.0
}

fn computed_key<'t>(element: ObjectElement<'t>) -> Option<ExpressionNode<'t>> {
    match element.key() {
        ObjectKey::Name(_) => None,
        ObjectKey::Expression(expression) => constant(expression).is_none().then_some(expression),
    }
}

struct Operands<'t>(Vec<ExpressionNode<'t>>);

impl<'t> Visitor<'t> for Operands<'t> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) {
        self.0.push(expression);
    }

    fn visit_template(&mut self, template: TemplateNode<'t>) {
        with_room(|| walk_template(self, template));
    }
}
