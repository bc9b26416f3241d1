//! Parts of documents in the JSON syntax.

use std::borrow::Cow;

use hcl_lr::convert::JsonStrings;
use hcl_lr::internal::expression_of_json;
use hcl_lr::json::{COMMENT, Node as Json, NodeKind, Property};
use hcl_lr::source::Place;
use hcl_lr_edit::address::{Address, AddressStep, Target, TargetKind};
use hcl_lr_edit::{Container, EditError, Item};

use crate::load;
use crate::objects::Objects;
use crate::parsed::JsonFile;

/// The reason why a body is not changed.
pub const NO_ITEM: &str = "only attributes, blocks and parts of objects and lists can be changed";

/// A part of a document.
#[derive(Clone)]
pub struct JsonNode<'t> {
    file: &'t JsonFile,
    part: Part<'t>,
    /// The names that lead to it. A part of a value has those of the value.
    path: Vec<String>,
    /// The meaning of strings in it.
    strings: JsonStrings,
}

#[derive(Clone)]
enum Part<'t> {
    /// The body of the file.
    Body,
    /// A block, according to the language.
    Block(Target<'t>),
    /// The body of a block.
    BodyOfBlock(Target<'t>),
    Property(Property<'t>),
    Value(Json<'t>),
}

/// The class of a node in Python.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Body,
    Block,
    Attribute,
    Expression,
}

impl<'t> JsonNode<'t> {
    /// Returns the body of a file.
    pub fn body(file: &'t JsonFile) -> JsonNode<'t> {
        JsonNode { file, part: Part::Body, path: Vec::new(), strings: file.strings_at(&[]) }
    }

    /// Returns the node of a target, unless it is in a string.
    pub fn of(target: &Target<'t>, file: &'t JsonFile) -> Option<JsonNode<'t>> {
        JsonNode::within(&[], target, file)
    }

    /// Returns the node of a target whose address begins after some names.
    fn within(names: &[String], target: &Target<'t>, file: &'t JsonFile) -> Option<JsonNode<'t>> {
        let part = match target.kind() {
            TargetKind::JsonBody(_) => Part::Body,
            TargetKind::JsonBlock(_) => Part::Block(target.clone()),
            TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => Part::Property(*property),
            TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => Part::Value(*node),
            _ => return None,
        };
        let address = target.address();
        let name = |step: &AddressStep| match step {
            AddressStep::Name(name) => Some(name.clone()),
            _ => None,
        };
        let path: Vec<String> = names.iter().cloned().chain(address.steps().iter().filter_map(name)).collect();
        let strings = file.strings_at(&path);
        Some(JsonNode { file, part, path, strings })
    }

    /// Returns another part of the same value or block.
    fn with(&self, part: Part<'t>) -> JsonNode<'t> {
        JsonNode { part, ..self.clone() }
    }

    /// Returns the class of the node in Python.
    pub fn class(&self) -> Class {
        match self.part {
            Part::Body | Part::BodyOfBlock(_) => Class::Body,
            Part::Block(_) => Class::Block,
            Part::Property(_) => Class::Attribute,
            Part::Value(_) => Class::Expression,
        }
    }

    /// Returns the item that edits change.
    pub fn item(&self) -> Result<Item<'t>, EditError> {
        match &self.part {
            Part::Body | Part::BodyOfBlock(_) => Err(EditError::Misplaced(NO_ITEM)),
            Part::Block(target) => target.item(),
            Part::Property(property) => Ok((*property).into()),
            Part::Value(node) => Ok((*node).into()),
        }
    }

    /// Returns the container that edits add to.
    pub fn container(&self) -> Result<Container<'t>, EditError> {
        match &self.part {
            Part::Body => Ok(Container::JsonBody(self.file.document.root())),
            Part::Block(target) | Part::BodyOfBlock(target) => target.container(),
            Part::Property(property) => container(property.value()),
            Part::Value(node) => container(*node),
        }
    }

    /// Returns the JSON of a body, or of a value.
    fn json(&self) -> Json<'t> {
        match &self.part {
            Part::Body => self.file.document.root(),
            Part::Block(target) | Part::BodyOfBlock(target) => match target.kind() {
                TargetKind::JsonBlock(block) => block.body(),
                _ => self.file.document.root(),
            },
            Part::Property(property) => property.value(),
            Part::Value(node) => *node,
        }
    }

    /// Returns the attributes and blocks of a body or a block.
    pub fn items(&self) -> Vec<JsonNode<'t>> {
        let targets = match &self.part {
            Part::Body => self.file.items(),
            Part::Block(target) | Part::BodyOfBlock(target) => Address::root().any().resolve_within(target),
            Part::Property(_) | Part::Value(_) => return Vec::new(),
        };
        targets.iter().filter_map(|target| JsonNode::within(&self.path, target, self.file)).collect()
    }

    /// Returns the body of a block, which finds its attributes and blocks as the block does.
    pub fn body_of_block(&self) -> JsonNode<'t> {
        match &self.part {
            Part::Block(target) => self.with(Part::BodyOfBlock(target.clone())),
            _ => self.clone(),
        }
    }

    /// Returns the type of a block; an empty text for others.
    pub fn block_type(&self) -> Cow<'t, str> {
        match self.block() {
            Some(TargetKind::JsonBlock(block)) => block.block_type(),
            _ => Cow::Borrowed(""),
        }
    }

    /// Returns the labels of a block.
    pub fn labels(&self) -> Vec<Cow<'t, str>> {
        match self.block() {
            Some(TargetKind::JsonBlock(block)) => block.labels().collect(),
            _ => Vec::new(),
        }
    }

    fn block(&self) -> Option<&TargetKind<'t>> {
        match &self.part {
            Part::Block(target) => Some(target.kind()),
            _ => None,
        }
    }

    /// Returns the property `"//"` of a block, which is its comment.
    pub fn comment(&self) -> Option<String> {
        let object = self.block().and_then(|_| self.json().as_object())?;
        let comment = object.properties().find(|property| property.name() == COMMENT)?;
        comment.value().as_string().map(|text| text.text().into_owned())
    }

    /// Returns the name of a property.
    pub fn name(&self) -> Option<Cow<'t, str>> {
        match self.part {
            Part::Property(property) => Some(property.name()),
            _ => None,
        }
    }

    /// Returns the value of a property, or of a value itself.
    pub fn expression(&self) -> Option<JsonNode<'t>> {
        let is_value = matches!(self.part, Part::Property(_) | Part::Value(_));
        is_value.then(|| self.with(Part::Value(self.json())))
    }

    /// Adds the value to objects of Python; nothing for a body or a block.
    pub fn value(&self, objects: &mut Objects) {
        if self.expression().is_some() {
            load::json_value(self.json(), self.strings, objects);
        }
    }

    /// Adds the contents of a body or a block to objects of Python; nothing for others.
    pub fn contents(&self, objects: &mut Objects) {
        if self.expression().is_none() {
            load::json_body(self.json(), self.strings, objects);
        }
    }

    /// Returns the kind of a value, as for an expression in native syntax.
    pub fn kind(&self) -> &'static str {
        match self.json().kind() {
            NodeKind::Object(_) => "object",
            NodeKind::Array(_) => "list",
            NodeKind::String(text) => match load::text_or_expression(text, self.strings) {
                Ok(_) => "string",
                Err(_) => "template",
            },
            NodeKind::Number(_) => "number",
            NodeKind::Bool(_) => "bool",
            NodeKind::Null => "null",
            NodeKind::Error => "error",
        }
    }

    /// Returns the parts of a value: the elements of an array, or the entries of an object.
    pub fn parts(&self) -> Vec<JsonNode<'t>> {
        match self.json().kind() {
            NodeKind::Array(array) => array.elements().map(|element| self.with(Part::Value(element))).collect(),
            NodeKind::Object(object) => {
                object.properties().map(|property| self.with(Part::Property(property))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the references in the strings of a value.
    pub fn variables(&self) -> Vec<String> {
        if self.strings == JsonStrings::Literal {
            return Vec::new();
        }
        let variables = expression_of_json(&self.file.document, self.json()).variables();
        variables.iter().map(ToString::to_string).collect()
    }

    pub fn place(&self) -> Place {
        let span = match &self.part {
            Part::Body | Part::BodyOfBlock(_) | Part::Value(_) => self.json().span(),
            Part::Block(target) => target.span(),
            Part::Property(property) => property.span(),
        };
        Place::new(self.file.document.source(), span)
    }
}

fn container(node: Json<'_>) -> Result<Container<'_>, EditError> {
    match node.kind() {
        NodeKind::Object(_) | NodeKind::Array(_) => Ok(node.into()),
        _ => Err(EditError::Misplaced("this cannot contain attributes or blocks")),
    }
}
