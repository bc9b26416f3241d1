//! The nodes that a step can reach, in either syntax, and their parts.

use std::sync::Arc;

use super::path::PathStep;
use crate::{constant, constant_key};
use hcl_lr::internal::Child;
use hcl_lr::internal::sort_by_key;
use hcl_lr::json;
use hcl_lr::syntax::ast::{
    AttributeNode, ExpressionKind, ExpressionNode, ObjectElement, ObjectKey, TemplateNode, Visitor, Walk,
};

/// A node that a step can reach, other than a body or block.
#[derive(Clone, Copy)]
pub(super) enum Node<'t> {
    Attribute(AttributeNode<'t>),
    Entry(ObjectElement<'t>),
    Element(ExpressionNode<'t>),
    Expression(ExpressionNode<'t>),
    JsonAttribute(json::Property<'t>),
    JsonEntry(json::Property<'t>),
    JsonElement(json::Node<'t>),
    JsonValue(json::Node<'t>),
}

/// A value, in which steps go on.
#[derive(Clone, Copy)]
pub(super) enum ValueRef<'t> {
    Native(ExpressionNode<'t>),
    Json(json::Node<'t>),
}

/// The step to a part of a value.
pub(super) type Key<'t> = PathStep<'t>;

impl<'t> Node<'t> {
    /// Returns a key that is unique in the file: a kind, a number, and the source of that number, because each string
    /// in JSON is a source of its own.
    pub fn id(self) -> (u8, u32, usize) {
        let native = |kind: u8, expression: ExpressionNode<'t>| {
            (kind, expression.id().get(), Arc::as_ptr(expression.shared_source()).addr())
        };
        match self {
            Node::Attribute(attribute) => native(0, attribute.expression()),
            Node::Entry(entry) => native(1, entry.value()),
            // An element has one key, whichever step reaches it.
            Node::Element(expression) | Node::Expression(expression) => native(2, expression),
            Node::JsonAttribute(member) | Node::JsonEntry(member) => (3, member.name_node().id(), 0),
            Node::JsonElement(node) | Node::JsonValue(node) => (4, node.id(), 0),
        }
    }

    /// The value, without parentheses.
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
    /// The elements of a list or an object, each with its step.
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
                    Box::new(object.properties().map(|member| (PathStep::Name(member.name()), Node::JsonEntry(member))))
                }
                _ => Box::new(std::iter::empty()),
            },
        }
    }
}

/// Returns the step to an element of an object.
fn key<'t>(element: ObjectElement<'t>) -> Key<'t> {
    match constant_key(element) {
        Ok(text) => PathStep::Name(text),
        Err(expression) => PathStep::Computed(expression.text()),
    }
}

/// The operands of an expression other than a list, an object or an expression in parentheses. Excluded are the links
/// of a chain of operators or accesses, and the parts of a splat that apply to each element.
pub(super) fn operands(expression: ExpressionNode<'_>) -> Vec<ExpressionNode<'_>> {
    if let ExpressionKind::Object(object) = expression.kind() {
        return object.elements().filter_map(computed_key).collect();
    }
    let (mut found, mut links) = (Vec::new(), vec![expression]);
    while let Some(link) = links.pop() {
        let mut position = 0;
        Child::Expression(link).each_child(&mut |child| {
            match child {
                Child::Expression(child) if is_link(link, position, child, link.id() == expression.id()) => {
                    links.push(child)
                }
                Child::Expression(child) if matches!(child.kind(), ExpressionKind::SplatItem) => {}
                Child::Expression(child) => found.push(child),
                Child::Template(template) => found.extend(interpolations(template)),
                _ => {}
            }
            position += 1;
        });
    }
    sort_by_key(&mut found, |operand| operand.span().start());
    found
}

/// Returns true if a child belongs to the same chain of operators or accesses as its parent, or to the part of a splat
/// that applies to each element.
fn is_link(parent: ExpressionNode<'_>, position: usize, child: ExpressionNode<'_>, is_outermost: bool) -> bool {
    match (parent.kind(), child.kind()) {
        (ExpressionKind::Splat(_), _) => position == 1 || !is_outermost,
        (ExpressionKind::Binary(_), ExpressionKind::Binary(_)) => position == 0,
        (
            ExpressionKind::Index(_) | ExpressionKind::RelativeTraversal(_),
            ExpressionKind::Index(_) | ExpressionKind::RelativeTraversal(_),
        ) => position == 0,
        _ => false,
    }
}

/// The outermost expressions in a template.
pub(super) fn interpolations(template: TemplateNode<'_>) -> Vec<ExpressionNode<'_>> {
    let mut found = Outermost(Vec::new());
    template.walk(&mut found);
    found.0
}

fn computed_key<'t>(element: ObjectElement<'t>) -> Option<ExpressionNode<'t>> {
    match element.key() {
        ObjectKey::Expression(expression) => constant(expression).is_none().then_some(expression),
        _ => None,
    }
}

/// Collects expressions that are not inside other expressions.
struct Outermost<'t>(Vec<ExpressionNode<'t>>);

impl<'t> Visitor<'t> for Outermost<'t> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        self.0.push(expression);
        Walk::Over
    }
}
