//! Bodies that are built in code.

use super::content::{Attribute, Attributes, Block, BlockLabel, Content};
use super::matching::{self, AttributeItem, BlockItem, Item, Taken};
use super::unexpected::Named;
use super::{Body, BodySchema, BodySource, Expression, Written, WrittenItem};
use crate::diagnostic::Outcome;
use crate::model::{MarkSet, Value};
use crate::source::{Place, Span};

/// Builds a body from values and bodies, for tests and for programs that add to the files of their users.
///
/// ```
/// use hcl_lr::Scope;
/// use hcl_lr::body::{BodyBuilder, BodySchema};
/// use hcl_lr::model::Value;
///
/// let disk = BodyBuilder::new().attribute("size", 20).build();
/// let body = BodyBuilder::new().attribute("name", "a").block("disk", &["root"], disk).build();
/// let content = body.content(&BodySchema::new().required("name").block("disk", &["name"])).into_result()?;
/// assert_eq!(content.blocks()[0].label(0), Some("root"));
/// let name = content.attribute("name").expect("it is required").expression();
/// assert_eq!(name.evaluate(&Scope::new())?, Value::from("a"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodyBuilder {
    items: Vec<BuiltItem>,
    place: Place,
    marks: MarkSet,
    is_unknown: bool,
}

#[derive(Clone, Debug)]
enum BuiltItem {
    Attribute(Attribute),
    Block(Block),
}

impl Default for BodyBuilder {
    fn default() -> Self {
        BodyBuilder { items: Vec::new(), place: Place::nowhere(), marks: MarkSet::default(), is_unknown: false }
    }
}

impl BodyBuilder {
    /// Creates an empty body.
    pub fn new() -> Self {
        BodyBuilder::default()
    }

    /// Sets the place for reporting problems with the body, such as the place of its origin.
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Creates an empty body in place of another one: with its place and marks, and unknown if the other one is.
    pub fn in_place_of(body: &Body) -> Self {
        let (place, marks, is_unknown) = (body.missing_item_place(), body.marks(), body.is_unknown());
        BodyBuilder { items: Vec::new(), place, marks, is_unknown }
    }

    /// Adds an attribute with a value.
    pub fn attribute(self, name: &str, value: impl Into<Value>) -> Self {
        let expression = Expression::of_value(value.into(), self.place.clone());
        self.expression(name, expression)
    }

    /// Adds an attribute with an expression.
    pub fn expression(mut self, name: &str, expression: Expression) -> Self {
        self.items.push(BuiltItem::Attribute(Attribute::new(name, expression)));
        self
    }

    /// Adds an attribute of another body, with its places.
    pub fn with_attribute(mut self, attribute: Attribute) -> Self {
        self.items.push(BuiltItem::Attribute(attribute));
        self
    }

    /// Adds a block of another body, with its places.
    pub fn with_block(mut self, block: Block) -> Self {
        self.items.push(BuiltItem::Block(block));
        self
    }

    /// Adds a block.
    pub fn block(mut self, block_type: &str, labels: &[&str], body: Body) -> Self {
        let place = self.place.clone();
        let labels = labels.iter().map(|label| BlockLabel::new(label, place.clone()));
        self.items.push(BuiltItem::Block(Block::new(block_type, labels, body)));
        self
    }

    /// The body.
    pub fn build(self) -> Body {
        let BodyBuilder { items, place, marks, is_unknown } = self;
        Body::new(BuiltBody { items: items.into(), place, marks, is_unknown, taken: Taken::default() })
    }
}

struct BuiltBody {
    items: std::sync::Arc<[BuiltItem]>,
    place: Place,
    marks: MarkSet,
    is_unknown: bool,
    taken: Taken,
}

impl BuiltBody {
    fn items(&self) -> impl Iterator<Item = Item<&Attribute, &Block>> {
        self.items.iter().map(|item| match item {
            BuiltItem::Attribute(attribute) => Item::Attribute(attribute),
            BuiltItem::Block(block) => Item::Block(block),
        })
    }
}

impl BodySource for BuiltBody {
    fn content(&self, schema: &BodySchema) -> Outcome<Content> {
        matching::content(self.items(), schema, &self.taken, true, self.place.clone())
    }

    fn partial_content(&self, schema: &BodySchema) -> Outcome<(Content, Body)> {
        let rest = BuiltBody {
            items: self.items.clone(),
            place: self.place.clone(),
            marks: self.marks.clone(),
            is_unknown: self.is_unknown,
            taken: self.taken.with(schema, self.items()),
        };
        let content = matching::content(self.items(), schema, &self.taken, false, self.place.clone());
        content.map(|content| (content, Body::new(rest)))
    }

    fn attributes(&self) -> Outcome<Attributes> {
        matching::attributes(self.items(), &self.taken, &self.place)
    }

    fn missing_item_place(&self) -> Place {
        self.place.clone()
    }

    fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    fn marks(&self) -> MarkSet {
        self.marks.clone()
    }

    fn written(&self) -> Written<'_> {
        let items = self.items.iter().map(|item| match item {
            BuiltItem::Attribute(attribute) => WrittenItem::Attribute(attribute),
            BuiltItem::Block(block) => WrittenItem::Block(block),
        });
        Written::Items(items.collect(), &self.taken)
    }
}

impl Named for &Attribute {
    fn name(&self) -> &str {
        &self.name
    }

    fn name_span(&self) -> Span {
        self.name_span
    }
}

impl AttributeItem for &Attribute {
    fn to_attribute(&self) -> Attribute {
        (*self).clone()
    }
}

impl Named for &Block {
    fn name(&self) -> &str {
        &self.block_type
    }

    fn name_span(&self) -> Span {
        self.type_span
    }
}

impl BlockItem for &Block {
    fn label_spans(&self) -> Vec<Span> {
        self.labels.iter().map(|label| label.place().span()).collect()
    }

    fn missing_label_span(&self) -> Span {
        self.header_span
    }

    fn to_block(&self) -> Block {
        (*self).clone()
    }
}
