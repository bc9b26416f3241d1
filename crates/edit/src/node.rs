//! The parts of a file that can be edited: members and containers.

use super::EditError;
use super::address::items::JsonBlock;
use hcl_lr::json;
use hcl_lr::source::Span;
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::ast::{
    AttributeNode, BlockNode, BodyItem, BodyNode, ExpressionKind, ExpressionNode, File, FunctionCall, ObjectElement,
};

/// An item that can be inserted, moved and removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Item<'t> {
    /// An attribute of a body.
    Attribute(AttributeNode<'t>),
    /// A block of a body.
    Block(BlockNode<'t>),
    /// An entry of an object.
    Entry(ObjectElement<'t>),
    /// An element of a tuple, or an argument of a call. [`Editor::set`](crate::Editor::set) and its kin take any other
    /// expression, too.
    Element(ExpressionNode<'t>),
    /// The value of a property in the JSON syntax, with its name, or an element of an array.
    JsonValue(json::Node<'t>),
    /// A block in the JSON syntax: the property for its type, and its body.
    JsonBlock(json::Property<'t>, json::Node<'t>),
}

impl<'t> Item<'t> {
    /// Returns the span, without the separators from its neighbours.
    pub fn span(self) -> Span {
        match self {
            Item::Attribute(attribute) => attribute.span(),
            Item::Block(block) => block.span(),
            Item::Entry(entry) => entry.span(),
            Item::Element(element) => element.span(),
            Item::JsonValue(node) | Item::JsonBlock(_, node) => node.span(),
        }
    }

    /// The value; a block has none, and neither has an item in the JSON syntax.
    pub fn value(self) -> Option<ExpressionNode<'t>> {
        match self {
            Item::Attribute(attribute) => Some(attribute.expression()),
            Item::Block(_) | Item::JsonValue(_) | Item::JsonBlock(..) => None,
            Item::Entry(entry) => Some(entry.value()),
            Item::Element(element) => Some(element),
        }
    }

    /// Returns the span of the name or key; of the type for a block; an element has none.
    pub fn name_span(self) -> Option<Span> {
        match self {
            Item::Attribute(attribute) => Some(attribute.name_token().span()),
            Item::Block(block) => Some(block.type_token().span()),
            Item::Entry(entry) => Some(entry.key_expression().span()),
            Item::JsonBlock(block_type, _) => Some(block_type.name_span()),
            Item::Element(_) | Item::JsonValue(_) => None,
        }
    }

    /// Returns the file that it is in, if that is in native syntax.
    pub(super) fn file(self) -> Option<File> {
        Some(match self {
            Item::Attribute(attribute) => attribute.expression().file(),
            Item::Block(block) => block.body().file(),
            Item::Entry(entry) => entry.value().file(),
            Item::Element(element) => element.file(),
            Item::JsonValue(_) | Item::JsonBlock(..) => return None,
        })
    }

    /// The shape of the containers that it can be in.
    pub(super) fn shape(self) -> Shape {
        match self {
            Item::Attribute(_) | Item::Block(_) | Item::JsonBlock(..) => Shape::Body,
            Item::Entry(_) => Shape::Object,
            Item::Element(_) | Item::JsonValue(_) => Shape::Tuple,
        }
    }

    /// A number that is unique in the file, because no two members start at one place.
    pub(super) fn id(self) -> usize {
        self.span().start()
    }

    /// Returns true if both are the same part of the same file.
    pub(super) fn is_same(self, other: Item<'_>) -> bool {
        let kind = |item: Item<'_>| match item {
            Item::Attribute(_) => 0,
            Item::Block(_) => 1,
            Item::Entry(_) => 2,
            Item::Element(_) => 3,
            Item::JsonValue(_) => 4,
            Item::JsonBlock(..) => 5,
        };
        kind(self) == kind(other) && self.span() == other.span()
    }

    /// Checks that the member belongs to a file.
    ///
    /// # Errors
    /// If it belongs to another file, even one with the same text.
    pub(super) fn check_file(self, file: &File) -> Result<(), EditError> {
        let is_of = match self {
            Item::Attribute(attribute) => attribute.expression().is_of(file),
            Item::Block(block) => block.body().is_of(file),
            Item::Entry(entry) => entry.value().is_of(file),
            Item::Element(element) => element.is_of(file),
            Item::JsonValue(_) | Item::JsonBlock(..) => false,
        };
        if is_of { Ok(()) } else { Err(EditError::Elsewhere) }
    }
}

impl<'t> From<AttributeNode<'t>> for Item<'t> {
    fn from(attribute: AttributeNode<'t>) -> Self {
        Item::Attribute(attribute)
    }
}

impl<'t> From<BlockNode<'t>> for Item<'t> {
    fn from(block: BlockNode<'t>) -> Self {
        Item::Block(block)
    }
}

impl<'t> From<ObjectElement<'t>> for Item<'t> {
    fn from(entry: ObjectElement<'t>) -> Self {
        Item::Entry(entry)
    }
}

/// An element or an argument; for [`Editor::set`](crate::Editor::set), any expression.
impl<'t> From<ExpressionNode<'t>> for Item<'t> {
    fn from(expression: ExpressionNode<'t>) -> Self {
        Item::Element(expression)
    }
}

/// The value of a property with its name, or an element of an array.
impl<'t> From<json::Node<'t>> for Item<'t> {
    fn from(node: json::Node<'t>) -> Self {
        Item::JsonValue(node)
    }
}

/// The property of an attribute or an entry.
impl<'t> From<json::Property<'t>> for Item<'t> {
    fn from(property: json::Property<'t>) -> Self {
        Item::JsonValue(property.value())
    }
}

impl<'t> From<&JsonBlock<'t>> for Item<'t> {
    fn from(block: &JsonBlock<'t>) -> Self {
        Item::JsonBlock(block.type_property(), block.body())
    }
}

/// A container of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container<'t> {
    /// The body of the file or of a block.
    Body(BodyNode<'t>),
    /// An object, a tuple or a call. It may be in parentheses.
    Collection(ExpressionNode<'t>),
    /// The body of a file or a block in the JSON syntax: an object, or an array of objects.
    JsonBody(json::Node<'t>),
    /// Any other object or array in the JSON syntax.
    JsonValue(json::Node<'t>),
}

impl<'t> From<BodyNode<'t>> for Container<'t> {
    fn from(body: BodyNode<'t>) -> Self {
        Container::Body(body)
    }
}

impl<'t> From<BlockNode<'t>> for Container<'t> {
    fn from(block: BlockNode<'t>) -> Self {
        Container::Body(block.body())
    }
}

impl<'t> From<ExpressionNode<'t>> for Container<'t> {
    fn from(expression: ExpressionNode<'t>) -> Self {
        Container::Collection(expression)
    }
}

/// An object or an array that is a value.
impl<'t> From<json::Node<'t>> for Container<'t> {
    fn from(node: json::Node<'t>) -> Self {
        Container::JsonValue(node)
    }
}

impl<'t> From<&JsonBlock<'t>> for Container<'t> {
    fn from(block: &JsonBlock<'t>) -> Self {
        Container::JsonBody(block.body())
    }
}

/// The reason why an expression has no members.
pub(crate) const NO_MEMBERS: &str = "only objects, lists and calls have entries, elements or arguments";

/// The shape of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Body,
    Object,
    Tuple,
}

impl<'t> Container<'t> {
    /// Returns the container without parentheses around it.
    pub(super) fn bare(self) -> Container<'t> {
        let Container::Collection(mut expression) = self else { return self };
        while let ExpressionKind::Parentheses(parentheses) = expression.kind() {
            expression = parentheses.inner();
        }
        Container::Collection(expression)
    }

    /// Checks that the container belongs to a file.
    ///
    /// # Errors
    /// If it belongs to another file, even one with the same text.
    pub(super) fn check_file(self, file: &File) -> Result<(), EditError> {
        let is_of = match self {
            Container::Body(body) => body.is_of(file),
            Container::Collection(expression) => expression.is_of(file),
            Container::JsonBody(_) | Container::JsonValue(_) => false,
        };
        if is_of { Ok(()) } else { Err(EditError::Elsewhere) }
    }

    pub(super) fn span(self) -> Span {
        match self {
            Container::Body(body) => body.span(),
            Container::Collection(expression) => expression.span(),
            Container::JsonBody(node) | Container::JsonValue(node) => node.span(),
        }
    }

    /// Returns true if an item is one of the container itself.
    pub fn contains(self, item: Item<'t>) -> bool {
        let node = match (self, item) {
            (Container::JsonBody(node) | Container::JsonValue(node), _) => node,
            (native, item) => return native.bare().members().into_iter().flatten().any(|member| member == item),
        };
        let value = match item {
            Item::JsonValue(value) => value,
            Item::JsonBlock(block_type, _) => block_type.value(),
            _ => return false,
        };
        let is_within = |node: json::Node<'t>| match node.kind() {
            json::NodeKind::Object(object) => object.properties().any(|property| property.value() == value),
            json::NodeKind::Array(array) => array.elements().any(|element| element == value),
            _ => false,
        };
        // A body may be an array of objects.
        let is_body = matches!(self, Container::JsonBody(_));
        is_within(node) || is_body && node.as_array().is_some_and(|array| array.elements().any(is_within))
    }

    /// Returns the span between the brackets, and true if there are brackets.
    pub(super) fn inside(self) -> (Span, bool) {
        let span = self.span();
        match self {
            Container::Body(body) => match (body.open_brace_span(), body.close_brace_span()) {
                (Some(open), Some(close)) => (Span::new(open.end(), close.start()), true),
                _ => {
                    let text = body.file().source().text().starts_with('\u{feff}');
                    (Span::new(if text { 3 } else { 0 }, span.end()), false)
                }
            },
            Container::Collection(_) | Container::JsonBody(_) | Container::JsonValue(_) => {
                let brackets = self.brackets();
                (Span::new(brackets.start() + 1, brackets.end() - 1), true)
            }
        }
    }

    /// Returns the span from the opening to the closing bracket.
    pub(super) fn brackets(self) -> Span {
        match self {
            Container::Collection(expression) => match expression.kind() {
                ExpressionKind::FunctionCall(call) => call.open_span().join(call.close_span()),
                _ => expression.span(),
            },
            _ => self.span(),
        }
    }

    /// Returns the span of the `...` after the last argument of a call, if there is one.
    pub(super) fn ellipsis(self) -> Option<Span> {
        let (Container::Collection(expression), Some(call)) = (self, self.call()) else { return None };
        if !call.expands_last() {
            return None;
        }
        let file = expression.file();
        let mut token = file.tokens().at(call.close_span().start()).previous()?;
        while token.kind() != TokenKind::Ellipsis {
            token = token.previous().filter(|token| token.span().start() > expression.span().start())?;
        }
        Some(token.span())
    }

    /// Returns the call, if it is one.
    pub(super) fn call(self) -> Option<FunctionCall<'t>> {
        match self {
            Container::Collection(expression) => match expression.kind() {
                ExpressionKind::FunctionCall(call) => Some(call),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the shape of the expression if it can have members.
    pub(super) fn shape(self) -> Option<Shape> {
        match self {
            Container::Body(_) => Some(Shape::Body),
            Container::Collection(expression) => match expression.kind() {
                ExpressionKind::Object(_) => Some(Shape::Object),
                ExpressionKind::Tuple(_) | ExpressionKind::FunctionCall(_) => Some(Shape::Tuple),
                _ => None,
            },
            Container::JsonBody(_) => Some(Shape::Body),
            Container::JsonValue(node) => match node.kind() {
                json::NodeKind::Object(_) => Some(Shape::Object),
                json::NodeKind::Array(_) => Some(Shape::Tuple),
                _ => None,
            },
        }
    }

    /// A number that is unique in the file, because no two containers other than the file's body start at one place.
    pub(super) fn id(self) -> usize {
        match self {
            Container::Body(body) => body.open_brace_span().map_or(usize::MAX, |brace| brace.start()),
            Container::Collection(expression) => expression.span().start(),
            Container::JsonBody(node) | Container::JsonValue(node) => node.id() as usize,
        }
    }

    /// The members in order, each with its span; `None` for text that was not understood.
    pub(super) fn members_with_spans(self) -> Vec<(Option<Item<'t>>, Span)> {
        let Container::Body(body) = self else {
            let members = self.members().into_iter();
            let mut members: Vec<_> =
                members.map(|member| (member, member.map_or(Span::default(), Item::span))).collect();
            // The `...` belongs to the argument before it.
            if let Some((ellipsis, last)) = self.ellipsis().zip(members.last_mut()) {
                last.1 = last.1.join(ellipsis);
            }
            return members;
        };
        let known = |item: BodyItem<'t>| match item {
            BodyItem::Attribute(attribute) => Some(Item::Attribute(attribute)),
            BodyItem::Block(block) => Some(Item::Block(block)),
            _ => None,
        };
        body.items().map(|item| (known(item), item.span())).collect()
    }

    /// The members in order; `None` for text that was not understood.
    pub(crate) fn members(self) -> Vec<Option<Item<'t>>> {
        match self {
            Container::Body(_) => self.members_with_spans().into_iter().map(|(member, _)| member).collect(),
            Container::Collection(expression) => match expression.kind() {
                ExpressionKind::Object(object) => {
                    let valid = |entry: &ObjectElement<'t>| {
                        !matches!(entry.key_expression().kind(), ExpressionKind::Error(_))
                            && entry.key_expression().span() != entry.value().span()
                    };
                    object.elements().map(|entry| valid(&entry).then_some(Item::Entry(entry))).collect()
                }
                ExpressionKind::Tuple(tuple) => {
                    let valid = |element: &ExpressionNode<'t>| !matches!(element.kind(), ExpressionKind::Error(_));
                    tuple.elements().map(|element| valid(&element).then_some(Item::Element(element))).collect()
                }
                ExpressionKind::FunctionCall(call) => {
                    let valid = |element: &ExpressionNode<'t>| !matches!(element.kind(), ExpressionKind::Error(_));
                    call.arguments().map(|element| valid(&element).then_some(Item::Element(element))).collect()
                }
                _ => Vec::new(),
            },
            Container::JsonBody(_) | Container::JsonValue(_) => Vec::new(),
        }
    }
}

/// The position for an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InsertionPoint<'t> {
    /// Before all members of a container.
    Start(Container<'t>),
    /// After all members of a container.
    End(Container<'t>),
    /// Right before a member and the comments above it.
    Before(Item<'t>),
    /// Right after a member and the comment on its line.
    After(Item<'t>),
}

impl<'t> InsertionPoint<'t> {
    /// Before all members of a body or collection.
    pub fn start_of(container: impl Into<Container<'t>>) -> Self {
        InsertionPoint::Start(container.into())
    }

    /// Checks that the position is in a file.
    ///
    /// # Errors
    /// If it is in another file, even one with the same text.
    pub(super) fn check(self, file: &File) -> Result<(), EditError> {
        match self {
            InsertionPoint::Start(container) | InsertionPoint::End(container) => container.check_file(file),
            InsertionPoint::Before(item) | InsertionPoint::After(item) => item.check_file(file),
        }
    }

    /// Returns the file that it is in, if that is in native syntax.
    pub(super) fn file(self) -> Option<File> {
        match self {
            InsertionPoint::Start(container) | InsertionPoint::End(container) => match container {
                Container::Body(body) => Some(body.file()),
                Container::Collection(expression) => Some(expression.file()),
                Container::JsonBody(_) | Container::JsonValue(_) => None,
            },
            InsertionPoint::Before(item) | InsertionPoint::After(item) => item.file(),
        }
    }

    /// After all members of a body or collection.
    pub fn end_of(container: impl Into<Container<'t>>) -> Self {
        InsertionPoint::End(container.into())
    }

    /// Right before a member.
    pub fn before(member: impl Into<Item<'t>>) -> Self {
        InsertionPoint::Before(member.into())
    }

    /// Right after a member.
    pub fn after(member: impl Into<Item<'t>>) -> Self {
        InsertionPoint::After(member.into())
    }
}
