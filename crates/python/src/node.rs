//! Parts of documents in either syntax.

use std::borrow::Cow;

use hcl_lr::source::Place;
use hcl_lr::syntax::Comment;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode, ExpressionNode as Syntax, ObjectElement};
use hcl_lr_edit::address::{Address, Target, TargetKind};
use hcl_lr_edit::{Container, EditError, Item};

use crate::json_nodes::{Class, JsonNode, NO_ITEM};
use crate::parsed::{JsonFile, Parsed};

/// A node of a tree.
#[derive(Clone)]
pub enum Node<'t> {
    Body(BodyNode<'t>),
    Block(BlockNode<'t>),
    Attribute(AttributeNode<'t>),
    Entry(ObjectElement<'t>),
    /// An expression: an element of a list, or any other.
    Expression(Syntax<'t>),
    /// A part of a document in the JSON syntax.
    Json(JsonNode<'t>),
}

impl<'t> Node<'t> {
    /// Returns the node of a target of an address, with the file if that is in the JSON syntax.
    pub fn of(target: &Target<'t>, file: Option<&'t JsonFile>) -> Option<Node<'t>> {
        Some(match target.kind() {
            TargetKind::Body(body) => Node::Body(*body),
            TargetKind::Block(block) => Node::Block(*block),
            TargetKind::Attribute(attribute) => Node::Attribute(*attribute),
            TargetKind::Entry(entry) => Node::Entry(*entry),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => Node::Expression(*expression),
            _ => Node::Json(JsonNode::of(target, file?)?),
        })
    }

    /// Returns the body of a file.
    pub fn of_file(file: &'t Parsed) -> Node<'t> {
        match file {
            Parsed::Native(file) => Node::Body(file.body()),
            Parsed::Json(file) => Node::Json(JsonNode::body(file)),
        }
    }

    /// Returns the nodes at an address.
    pub fn find(file: &'t Parsed, address: &Address) -> Vec<Node<'t>> {
        let targets = file.subject().resolve(address);
        targets.iter().filter_map(|target| Node::of(target, file.json())).collect()
    }

    /// Returns the item that edits change.
    ///
    /// # Errors
    /// If it is a body.
    pub fn item(&self) -> Result<Item<'t>, EditError> {
        match self {
            Node::Block(block) => Ok((*block).into()),
            Node::Attribute(attribute) => Ok((*attribute).into()),
            Node::Entry(entry) => Ok((*entry).into()),
            Node::Expression(expression) => Ok((*expression).into()),
            Node::Body(_) => Err(EditError::Misplaced(NO_ITEM)),
            Node::Json(node) => node.item(),
        }
    }

    /// Returns the container that edits add to.
    ///
    /// # Errors
    /// If it is a value in JSON that can contain nothing.
    pub fn container(&self) -> Result<Container<'t>, EditError> {
        Ok(match self {
            Node::Body(body) => (*body).into(),
            Node::Block(block) => block.body().into(),
            Node::Attribute(attribute) => attribute.expression().into(),
            Node::Entry(entry) => entry.value().into(),
            Node::Expression(expression) => (*expression).into(),
            Node::Json(node) => return node.container(),
        })
    }

    /// Returns the body of a block, or a body itself, in native syntax.
    pub fn body(&self) -> Option<BodyNode<'t>> {
        match self {
            Node::Body(body) => Some(*body),
            Node::Block(block) => Some(block.body()),
            _ => None,
        }
    }

    /// Returns the expression in native syntax.
    pub fn native_expression(&self) -> Option<Syntax<'t>> {
        match self {
            Node::Attribute(attribute) => Some(attribute.expression()),
            Node::Entry(entry) => Some(entry.value()),
            Node::Expression(expression) => Some(*expression),
            Node::Body(_) | Node::Block(_) | Node::Json(_) => None,
        }
    }

    /// Returns the value of an attribute or an entry, or an expression itself.
    pub fn expression(&self) -> Option<Node<'t>> {
        match self {
            Node::Json(node) => node.expression().map(Node::Json),
            native => native.native_expression().map(Node::Expression),
        }
    }

    /// Returns the attributes and blocks of a body or a block.
    pub fn items(&self) -> Vec<Node<'t>> {
        if let Node::Json(node) = self {
            return node.items().into_iter().map(Node::Json).collect();
        }
        let item = |item| match item {
            BodyItem::Attribute(attribute) => Some(Node::Attribute(attribute)),
            BodyItem::Block(block) => Some(Node::Block(block)),
            _ => None,
        };
        self.body().into_iter().flat_map(BodyNode::items).filter_map(item).collect()
    }

    pub fn place(&self) -> Place {
        match self {
            Node::Body(body) => body.place(),
            Node::Block(block) => block.place(),
            Node::Attribute(attribute) => attribute.place(),
            Node::Entry(entry) => Place::new(entry.value().shared_source(), entry.span()),
            Node::Expression(expression) => expression.place(),
            Node::Json(node) => node.place(),
        }
    }

    /// Returns the name of an attribute or entry.
    pub fn name(&self) -> Option<Cow<'t, str>> {
        match self {
            Node::Attribute(attribute) => Some(Cow::Borrowed(attribute.name())),
            Node::Entry(entry) => {
                Some(entry.key_text().unwrap_or_else(|| Cow::Borrowed(entry.key_expression().text())))
            }
            Node::Json(node) => node.name(),
            Node::Body(_) | Node::Block(_) | Node::Expression(_) => None,
        }
    }

    /// Returns the type of a block; an empty text for others.
    pub fn block_type(&self) -> Cow<'t, str> {
        match self {
            Node::Block(block) => Cow::Borrowed(block.block_type()),
            Node::Json(node) => node.block_type(),
            _ => Cow::Borrowed(""),
        }
    }

    /// Returns the labels of a block.
    pub fn labels(&self) -> Vec<Cow<'t, str>> {
        match self {
            Node::Block(block) => block.labels().map(|label| label.text()).collect(),
            Node::Json(node) => node.labels(),
            _ => Vec::new(),
        }
    }

    /// Returns the class of the node in Python.
    pub fn class(&self) -> Class {
        match self {
            Node::Body(_) => Class::Body,
            Node::Block(_) => Class::Block,
            Node::Attribute(_) | Node::Entry(_) => Class::Attribute,
            Node::Expression(_) => Class::Expression,
            Node::Json(node) => node.class(),
        }
    }

    /// Returns true if `get` returns the object itself, rather than its value.
    pub fn has_body(&self) -> bool {
        matches!(self.class(), Class::Body | Class::Block)
    }

    /// Returns the texts of the comments above a node, and after it in its line.
    pub fn comments(&self) -> Option<(Vec<String>, Vec<String>)> {
        let content =
            |comments: Vec<Comment<'_>>| comments.iter().map(|comment| comment.content().trim().to_owned()).collect();
        Some(match self {
            Node::Attribute(attribute) => (
                content(attribute.leading_comments().collect()),
                content(attribute.trailing_comment().into_iter().collect()),
            ),
            Node::Block(block) => {
                (content(block.leading_comments().collect()), content(block.trailing_comment().into_iter().collect()))
            }
            Node::Json(node) => (node.comment().into_iter().collect(), Vec::new()),
            _ => return None,
        })
    }
}
