//! The parts of objects and arrays, before and after edits.

use std::collections::HashMap;

use hcl_lr::json::{Node, NodeKind, Property};
use hcl_lr::source::Span;

/// A new part of a container, or a new value.
#[derive(Clone, Debug)]
pub(super) struct New {
    pub name: Option<String>,
    pub text: String,
    /// The indentation of the lines after the first one. `None` means this crate's own.
    pub indent: String,
    pub is_moved: bool,
    pub events: Vec<Event>,
}

/// The new parts of a container.
#[derive(Clone, Debug, Default)]
pub(super) struct Inserted {
    pub start: Vec<New>,
    pub end: Vec<New>,
    /// The parts before and after each value.
    pub before: HashMap<u32, Vec<New>>,
    pub after: HashMap<u32, Vec<New>>,
}

/// A part of a document as far as its meaning goes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    Open(char),
    Close,
    Name(String),
    Scalar(String),
}

/// A part of a container: an element or a property.
#[derive(Clone, Copy)]
pub(super) struct Part<'d> {
    pub property: Option<Property<'d>>,
    pub value: Node<'d>,
}

impl Part<'_> {
    pub fn span(self) -> Span {
        self.property.map_or(self.value.span(), Property::span)
    }
}

/// A part of a container after the edits.
pub(super) enum Entry<'e, 'd> {
    Kept(usize, Part<'d>),
    Removed,
    New(&'e New),
}

/// Returns the first part of a container.
pub(super) fn first_part<'d>(node: Node<'d>) -> Option<Part<'d>> {
    let property = node.as_object().and_then(|object| object.properties().next());
    let element = node.as_array().and_then(|array| array.elements().next());
    Some(Part { property, value: property.map(Property::value).or(element)? })
}

/// Returns the parts of a container; no parts for other values.
pub(super) fn parts<'d>(node: Node<'d>) -> Vec<Part<'d>> {
    match node.kind() {
        NodeKind::Object(object) => {
            let part = |property: Property<'d>| Part { property: Some(property), value: property.value() };
            object.properties().map(part).collect()
        }
        NodeKind::Array(array) => array.elements().map(|value| Part { property: None, value }).collect(),
        _ => Vec::new(),
    }
}
