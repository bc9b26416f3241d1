//! The inputs of types: an expression, blocks, a body, or a part of a value, in either syntax.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use crate::body::{Attribute, Block, Body, Expression, Written};
use crate::diagnostic::Diagnostics;
use crate::json::{Document, Node};
use crate::model::Value;
use crate::source::{Place, Source, Span};
use crate::syntax::ast::{BlockNode, BodyNode, ExpressionNode};

/// The origin of a place, which is made only when it is needed.
#[derive(Clone, Copy)]
pub(super) enum At<'t> {
    Span(&'t Arc<Source>, Span),
    Expression(&'t Expression),
    Attribute(&'t Attribute),
    Block(&'t Block),
    Nowhere,
}

impl At<'_> {
    pub fn place(self) -> Place {
        match self {
            At::Span(source, span) => Place::new(source, span),
            At::Expression(expression) => expression.place(),
            At::Attribute(attribute) => attribute.name_place(),
            At::Block(block) => block.type_place(),
            At::Nowhere => Place::nowhere(),
        }
    }
}

/// The input of a type.
#[derive(Clone)]
pub(super) enum Input<'t> {
    /// An expression in native syntax.
    Native(ExpressionNode<'t>),
    /// Any other expression.
    Expression(&'t Expression),
    /// A value in JSON, which is an expression or blocks: the type decides.
    Json(JsonInput<'t>),
    /// A value, or a part of one.
    Value(Cow<'t, Value>, At<'t>),
    /// An input that has been evaluated to see whether it is null, and its result.
    Evaluated(Box<Input<'t>>, Result<Value, Diagnostics>),
    /// Blocks of one type, at least one.
    Blocks(Vec<BlockRef<'t>>),
    /// Blocks of one type in both syntaxes, of bodies that are merged.
    Mixed(Vec<Input<'t>>),
    /// A whole body.
    Body(&'t Body),
    /// A label or a name.
    Text(Cow<'t, str>, At<'t>),
    /// The labels of a block.
    Labels(Rc<Surroundings<'t>>),
    /// Attributes and blocks one by one, in the order of the source.
    Items(Vec<Member<'t>>, At<'t>),
    /// One of those.
    Item(Box<Member<'t>>),
    /// The structure asks for a field that is missing.
    Absent(&'static str, Rc<Surroundings<'t>>),
}

/// The known facts about the body in which a field is looked for.
pub(super) struct Surroundings<'t> {
    pub labels: Vec<Label<'t>>,
    /// True if something has asked for the labels.
    pub taken: Cell<bool>,
    /// True if the labels are known. In JSON they are unknown until something asks for them.
    pub known: bool,
    /// The place for reports about missing items.
    pub header: Place,
    /// The type of the block; empty if it is not one in native syntax.
    pub block_type: &'t str,
    /// Names that are there and that nothing asks for.
    pub others: Vec<(Cow<'t, str>, At<'t>)>,
    /// True if they have been reported as errors.
    pub others_are_errors: bool,
    /// True if the structure tells its fields.
    pub tells_fields: bool,
}

/// A label of a block.
#[derive(Clone)]
pub(super) struct Label<'t> {
    pub text: Cow<'t, str>,
    pub at: At<'t>,
}

/// A named part: an attribute, the blocks of a type, a property, an element of an object.
#[derive(Clone)]
pub(super) struct Member<'t> {
    pub name: Cow<'t, str>,
    pub at: At<'t>,
    pub input: Input<'t>,
}

/// A block, and how many of its labels have been used.
#[derive(Clone, Copy)]
pub(super) struct BlockRef<'t> {
    kind: BlockKind<'t>,
    used: usize,
}

#[derive(Clone, Copy)]
enum BlockKind<'t> {
    Native(BlockNode<'t>),
    Owned(&'t Block),
}

/// A body that can be gone through.
#[derive(Clone, Copy)]
pub(super) enum BodyRef<'t> {
    Native(BodyNode<'t>),
    Any(&'t Body),
}

impl<'t> BlockRef<'t> {
    pub fn native(node: BlockNode<'t>) -> Self {
        BlockRef { kind: BlockKind::Native(node), used: 0 }
    }

    pub fn owned(block: &'t Block) -> Self {
        BlockRef { kind: BlockKind::Owned(block), used: 0 }
    }

    pub fn block_type(&self) -> &'t str {
        match self.kind {
            BlockKind::Native(node) => node.block_type(),
            BlockKind::Owned(block) => block.block_type(),
        }
    }

    /// Returns the number of labels left.
    pub fn labels_left(&self) -> usize {
        let all = match self.kind {
            BlockKind::Native(node) => node.labels().len(),
            BlockKind::Owned(block) => block.labels().len(),
        };
        all.saturating_sub(self.used)
    }

    /// Returns the labels that are left.
    pub fn labels(&self) -> Vec<Label<'t>> {
        match self.kind {
            BlockKind::Native(node) => {
                let source = node.body().shared_source();
                let label = |label: crate::syntax::ast::LabelNode<'t>| Label {
                    text: label.text(),
                    at: At::Span(source, label.span()),
                };
                node.labels().skip(self.used).map(label).collect()
            }
            BlockKind::Owned(block) => {
                let labels = block.labels().iter().skip(self.used);
                labels
                    .map(|label| {
                        let place = label.place();
                        Label { text: Cow::Borrowed(label.text()), at: At::Span(place.source(), place.span()) }
                    })
                    .collect()
            }
        }
    }

    /// Returns the block without its next label.
    pub fn after_label(&self) -> Self {
        BlockRef { used: self.used + 1, ..*self }
    }

    /// Returns the block without its labels.
    pub fn after_labels(&self) -> Self {
        BlockRef { used: usize::MAX, ..*self }
    }

    pub fn type_at(&self) -> At<'t> {
        match self.kind {
            BlockKind::Native(node) => At::Span(node.body().shared_source(), node.type_token().span()),
            BlockKind::Owned(block) => At::Block(block),
        }
    }

    /// Returns the place of its type and labels.
    pub fn header(&self) -> Place {
        match self.kind {
            BlockKind::Native(node) => Place::new(node.body().shared_source(), node.header_span()),
            BlockKind::Owned(block) => block.header_place(),
        }
    }

    /// Returns the whole span, if it is in one source.
    pub fn span(&self) -> Span {
        match self.kind {
            BlockKind::Native(node) => node.span(),
            BlockKind::Owned(block) => block.header_place().span(),
        }
    }

    pub fn body(&self) -> BodyRef<'t> {
        match self.kind {
            BlockKind::Native(node) => BodyRef::Native(node.body()),
            BlockKind::Owned(block) => BodyRef::Any(block.body()),
        }
    }
}

/// A value in JSON. A property that is there more than once has several nodes, each with blocks.
#[derive(Clone)]
pub(super) struct JsonInput<'t> {
    pub document: &'t Document,
    pub node: Node<'t>,
    pub more: Vec<Node<'t>>,
    /// The choice of a block, if the input is an element of a sequence or the content of a block whose labels are read,
    /// too.
    pub choice: Option<Rc<Choice<'t>>>,
    /// True if it is the root, or the body of a block: a property `//` is a comment there.
    pub is_body: bool,
}

/// The blocks of a JSON object that are read: with labels, an object may hold many.
#[derive(Default)]
pub(super) struct Choice<'t> {
    /// All blocks, once the number of their labels is known.
    pub blocks: RefCell<Option<Vec<JsonBlock<'t>>>>,
    /// The number of blocks read.
    pub done: Cell<usize>,
    /// True if the labels are read, too.
    pub with_labels: Cell<bool>,
    /// True if the blocks are elements of a sequence, so that there may be more of them.
    pub many: bool,
}

/// A block in JSON: its labels, and the object that is its body.
#[derive(Clone)]
pub(super) struct JsonBlock<'t> {
    pub labels: Vec<Label<'t>>,
    pub body: Node<'t>,
}

impl<'t> JsonInput<'t> {
    pub fn new(document: &'t Document, node: Node<'t>) -> Self {
        JsonInput { document, node, more: Vec::new(), choice: None, is_body: false }
    }

    pub fn nodes(&self) -> impl Iterator<Item = Node<'t>> + '_ {
        std::iter::once(self.node).chain(self.more.iter().copied())
    }

    pub fn at(&self, span: Span) -> At<'t> {
        At::Span(self.document.source(), span)
    }
}

impl<'t> Input<'t> {
    /// Adds more blocks of the same type.
    pub fn join(&mut self, other: Input<'t>) {
        match (&mut *self, other) {
            (Input::Blocks(blocks), Input::Blocks(more)) => blocks.extend(more),
            (Input::Json(json), Input::Json(more)) if same_document(json, &more) => json.more.extend(more.nodes()),
            (Input::Mixed(all), Input::Mixed(more)) => all.extend(more),
            (Input::Mixed(all), more) => all.push(more),
            (_, more) => {
                let first = std::mem::replace(self, Input::Mixed(Vec::new()));
                *self = Input::Mixed(vec![first, more]);
            }
        }
    }

    /// Returns the place for reports that it does not fit.
    pub fn place(&self) -> Place {
        match self {
            Input::Native(node) => node.place(),
            Input::Expression(expression) => expression.place(),
            Input::Json(json) => Place::new(json.document.source(), json.node.start_span()),
            Input::Evaluated(written, _) => written.place(),
            Input::Value(_, at) | Input::Text(_, at) | Input::Items(_, at) => at.place(),
            Input::Blocks(blocks) => blocks[0].header(),
            Input::Mixed(inputs) => inputs[0].place(),
            Input::Body(body) => body.missing_item_place(),
            Input::Labels(around) | Input::Absent(_, around) => around.header.clone(),
            Input::Item(member) => member.at.place(),
        }
    }

    /// Returns true if it is an object, a block or a list, as far as can be seen.
    pub fn has_parts(&self) -> bool {
        use crate::syntax::ast::ExpressionKind;
        match self {
            Input::Native(node) => matches!(node.kind(), ExpressionKind::Object(_) | ExpressionKind::Tuple(_)),
            Input::Json(json) => json.node.as_object().is_some() || json.node.as_array().is_some(),
            Input::Value(value, _) => value.elements().is_some(),
            Input::Evaluated(_, outcome) => outcome.as_ref().is_ok_and(|value| value.elements().is_some()),
            Input::Blocks(_) | Input::Mixed(_) | Input::Body(_) | Input::Items(..) | Input::Item(_) => true,
            Input::Expression(_) | Input::Text(..) | Input::Labels(_) | Input::Absent(..) => false,
        }
    }

    /// Returns the whole span, for `Spanned`.
    pub fn span(&self) -> Span {
        match self {
            Input::Json(json) => Place::new(json.document.source(), json.node.span()).span(),
            Input::Blocks(blocks) => {
                let spans = blocks.iter().map(BlockRef::span);
                spans.reduce(Span::join).unwrap_or_default()
            }
            Input::Body(body) => match body.written() {
                Written::Native(node, _) => node.span(),
                Written::Json(_, node, _) => node.span(),
                _ => body.missing_item_place().span(),
            },
            Input::Item(member) => member.input.span(),
            Input::Evaluated(written, _) => written.span(),
            _ => self.place().span(),
        }
    }
}

fn same_document(one: &JsonInput<'_>, other: &JsonInput<'_>) -> bool {
    Arc::ptr_eq(one.document.source(), other.document.source())
}

impl<'t> Member<'t> {
    pub fn attribute(attribute: &'t Attribute) -> Self {
        Member {
            name: Cow::Borrowed(attribute.name()),
            at: At::Attribute(attribute),
            input: Input::Expression(attribute.expression()),
        }
    }

    pub fn is_attribute(&self) -> bool {
        matches!(self.input, Input::Native(_) | Input::Expression(_))
    }
}
