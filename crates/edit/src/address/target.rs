//! The targets of an address.

use std::fmt;
use std::sync::Arc;

use super::Address;
use super::JsonBlock;
use super::path::{PathId, Paths};
use crate::{Container, EditError, Item};
use hcl_lr::json;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionNode, ObjectElement};

/// A match of an [`Address`].
#[derive(Clone)]
pub struct Target<'t> {
    pub(super) kind: TargetKind<'t>,
    pub(super) source: &'t Arc<Source>,
    pub(super) labels_named: usize,
    pub(super) paths: Arc<Paths<'t>>,
    pub(super) path: PathId,
}

/// The kind of a [`Target`]. Kinds with `Json` in their names come from [`resolve_json`](Address::resolve_json), the
/// others from [`resolve`](Address::resolve).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TargetKind<'t> {
    /// The body that the address starts from.
    Body(BodyNode<'t>),
    /// A block.
    Block(BlockNode<'t>),
    /// An attribute.
    Attribute(AttributeNode<'t>),
    /// An element of an object: key and value.
    Entry(ObjectElement<'t>),
    /// An element of a list.
    Element(ExpressionNode<'t>),
    /// Any other expression, such as the value of an attribute or an argument of a call. Only `**` finds it.
    Expression(ExpressionNode<'t>),
    /// The body that the address starts from.
    JsonBody(json::Node<'t>),
    /// A block, according to the schema.
    JsonBlock(JsonBlock<'t>),
    /// A property of a body that is not a block.
    JsonAttribute(json::Property<'t>),
    /// A property of any other object.
    JsonEntry(json::Property<'t>),
    /// An element of an array.
    JsonElement(json::Node<'t>),
    /// The value of a property. Only `**` finds it.
    JsonValue(json::Node<'t>),
}

impl<'t> Target<'t> {
    /// Returns the kind of the target, to match on.
    pub fn kind(&self) -> &TargetKind<'t> {
        &self.kind
    }

    /// Returns the address of this target alone, relative to the body in which the search started.
    ///
    /// ```
    /// use hcl_lr_edit::address::Address;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("locals {\n  a = [1, f({ b = 2 })]\n}\nlocals {}\n").into_result()?;
    /// let addresses = |text: &str| {
    ///     let address: Address = text.parse().expect("an address");
    ///     let found = address.resolve(file.body());
    ///     found.iter().map(|target| target.address().to_string()).collect::<Vec<_>>()
    /// };
    /// assert_eq!(addresses("locals"), ["locals[0]", "locals[1]"]);
    /// assert_eq!(addresses("locals[*].a[0]"), ["locals[0].a[0]"]);
    /// assert_eq!(addresses("**.b"), ["locals[0].a[1].**.b"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn address(&self) -> Address {
        self.paths.address(self.path)
    }

    /// Returns the number of labels of a block that the address names. It is less than all if the address matches
    /// every block of a type.
    pub fn labels_named(&self) -> usize {
        self.labels_named
    }

    /// Returns the span, including the name. For a target inside a JSON string, the span is in the text of the string.
    pub fn span(&self) -> Span {
        match &self.kind {
            TargetKind::Body(body) => body.span(),
            TargetKind::Block(block) => block.span(),
            TargetKind::Attribute(attribute) => attribute.span(),
            TargetKind::Entry(element) => element.span(),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => expression.span(),
            TargetKind::JsonBlock(block) => block.span(),
            TargetKind::JsonAttribute(member) | TargetKind::JsonEntry(member) => member.span(),
            TargetKind::JsonBody(node) | TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => node.span(),
        }
    }

    /// Returns the span of the value of an attribute or entry, or of an expression itself. Bodies and blocks have
    /// none.
    pub fn value_span(&self) -> Option<Span> {
        match &self.kind {
            TargetKind::JsonAttribute(member) | TargetKind::JsonEntry(member) => Some(member.value().span()),
            TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => Some(node.span()),
            _ => self.expression().map(ExpressionNode::span),
        }
    }

    /// The value, if the target has one and is in native syntax.
    pub fn expression(&self) -> Option<ExpressionNode<'t>> {
        match self.kind {
            TargetKind::Attribute(attribute) => Some(attribute.expression()),
            TargetKind::Entry(element) => Some(element.value()),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => Some(expression),
            _ => None,
        }
    }

    /// Returns the target as an item, for an [`Editor`](crate::Editor).
    ///
    /// # Errors
    /// If it is a whole file.
    pub fn item(&self) -> Result<Item<'t>, EditError> {
        match &self.kind {
            TargetKind::Attribute(attribute) => Ok(Item::Attribute(*attribute)),
            TargetKind::Block(block) => Ok(Item::Block(*block)),
            TargetKind::Entry(entry) => Ok(Item::Entry(*entry)),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => Ok(Item::Element(*expression)),
            TargetKind::JsonBlock(block) => Ok(Item::from(block)),
            TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => Ok(Item::from(*property)),
            TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => Ok(Item::JsonValue(*node)),
            TargetKind::Body(_) | TargetKind::JsonBody(_) => Err(EditError::Misplaced("this is the whole file")),
        }
    }

    /// Returns the target as a container of items, for an [`Editor`](crate::Editor).
    ///
    /// # Errors
    /// If it cannot have any.
    pub fn container(&self) -> Result<Container<'t>, EditError> {
        let container = match &self.kind {
            TargetKind::Body(body) => Container::Body(*body),
            TargetKind::Block(block) => Container::Body(block.body()),
            TargetKind::JsonBody(node) => Container::JsonBody(*node),
            TargetKind::JsonBlock(block) => Container::from(block),
            TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => {
                Container::JsonValue(property.value())
            }
            TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => Container::JsonValue(*node),
            TargetKind::Attribute(attribute) => Container::Collection(attribute.expression()),
            TargetKind::Entry(entry) => Container::Collection(entry.value()),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => Container::Collection(*expression),
        };
        match container {
            Container::JsonValue(_) if container.shape().is_none() => {
                Err(EditError::Misplaced("this cannot contain attributes or blocks"))
            }
            container => Ok(container),
        }
    }

    /// Returns the place in the file, with the source.
    pub fn place(&self) -> Place {
        Place::new(self.source, self.span())
    }

    /// The source text.
    pub fn text(&self) -> &'t str {
        self.source.slice(self.span())
    }

    /// The source text of the value, see [`value_span`](Self::value_span).
    pub fn value_text(&self) -> Option<&'t str> {
        self.value_span().map(|span| self.source.slice(span))
    }
}

impl fmt::Debug for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.address(), self.place())
    }
}
