//! The items that a schema finds in a body.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Body, Expression};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::eval::Scope;
use crate::model::Value;
use crate::source::{Place, Source, Span};

/// The attributes and blocks that a [`BodySchema`](super::BodySchema) finds in a body.
#[derive(Clone, Debug)]
pub struct Content {
    attributes: Attributes,
    blocks: Vec<Block>,
    missing_item_place: Place,
}

impl Content {
    /// Creates content in code, for a [`BodySource`](super::BodySource) for example. Missing items are reported at
    /// `missing_item_place`.
    pub fn new(attributes: Attributes, blocks: Vec<Block>, missing_item_place: Place) -> Self {
        Content { attributes, blocks, missing_item_place }
    }

    /// The attributes, in source order.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The attribute with a name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.get(name)
    }

    /// The blocks of all types, in source order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks of a type, in source order.
    pub fn blocks_of_type<'c>(&'c self, block_type: &'c str) -> impl DoubleEndedIterator<Item = &'c Block> {
        self.blocks.iter().filter(move |block| &*block.block_type == block_type)
    }

    /// Returns the place for reports about missing items.
    pub fn missing_item_place(&self) -> &Place {
        &self.missing_item_place
    }

    pub(crate) fn into_parts(self) -> (Attributes, Vec<Block>) {
        (self.attributes, self.blocks)
    }
}

/// Attributes, in source order; each name is there once.
#[derive(Clone, Default)]
pub struct Attributes {
    list: Vec<Attribute>,
    index: OnceLock<HashMap<String, usize>>,
}

impl Attributes {
    /// The attribute with a name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        /// Among so few, looking at each is faster.
        const MAX_COMPARED: usize = 8;
        if self.list.len() <= MAX_COMPARED {
            return self.list.iter().find(|attribute| &*attribute.name == name);
        }
        let index = self.index.get_or_init(|| {
            let names = self.list.iter().enumerate();
            names.map(|(at, attribute)| (attribute.name().to_owned(), at)).collect()
        });
        index.get(name).map(|&at| &self.list[at])
    }

    /// Iterates over all attributes.
    pub fn iter(&self) -> std::slice::Iter<'_, Attribute> {
        self.list.iter()
    }

    /// Returns the number of attributes.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Collects attributes. Of two with the same name, the first is kept.
impl FromIterator<Attribute> for Attributes {
    fn from_iter<I: IntoIterator<Item = Attribute>>(attributes: I) -> Self {
        let mut list: Vec<Attribute> = attributes.into_iter().collect();
        let mut known: HashSet<&str, foldhash::fast::RandomState> = HashSet::default();
        known.reserve(list.len());
        let is_first: Vec<bool> = list.iter().map(|attribute| known.insert(attribute.name())).collect();
        let mut is_first = is_first.into_iter();
        list.retain(|_| is_first.next() == Some(true));
        Attributes::of_distinct(list)
    }
}

impl Attributes {
    /// Attributes of which no two have the same name.
    pub(super) fn of_distinct(list: Vec<Attribute>) -> Self {
        Attributes { list, index: OnceLock::new() }
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = &'a Attribute;
    type IntoIter = std::slice::Iter<'a, Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Attributes {
    type Item = Attribute;
    type IntoIter = std::vec::IntoIter<Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl fmt::Debug for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.list).finish()
    }
}

/// An attribute: a name and an expression, in either syntax.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub(super) name: Box<str>,
    pub(super) expression: Expression,
    pub(super) source: Arc<Source>,
    pub(super) name_span: Span,
    pub(super) span: Span,
}

impl Attribute {
    /// Creates an attribute in code.
    pub fn new(name: &str, expression: Expression) -> Self {
        let place = expression.place();
        let (source, span) = (place.source().clone(), place.span());
        Attribute { name: name.into(), expression, source, name_span: span, span }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The expression for its value.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Evaluates the expression of the attribute.
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        self.expression.evaluate(scope)
    }

    /// Evaluates the expression to a value and all errors. Parts that fail are unknown.
    pub fn evaluate_partially(&self, scope: &Scope<'_>) -> Outcome<Value> {
        self.expression.evaluate_partially(scope)
    }

    /// Returns the place, from its name to the end of its expression.
    pub fn place(&self) -> Place {
        Place::new(&self.source, self.span)
    }

    /// Returns the place of its name.
    pub fn name_place(&self) -> Place {
        Place::new(&self.source, self.name_span)
    }

    /// The attribute with another expression in its place.
    pub fn with_expression(mut self, expression: Expression) -> Self {
        self.expression = expression;
        self
    }
}

/// A block: a type, labels, and a body, in either syntax.
#[derive(Clone, Debug)]
pub struct Block {
    pub(super) block_type: Box<str>,
    pub(super) labels: Vec<BlockLabel>,
    pub(super) body: Body,
    pub(super) source: Arc<Source>,
    pub(super) type_span: Span,
    pub(super) header_span: Span,
}

impl Block {
    /// Creates a block in code. Its place is that of its body.
    pub fn new(block_type: &str, labels: impl IntoIterator<Item = BlockLabel>, body: Body) -> Self {
        let place = body.missing_item_place();
        let (source, span) = (place.source().clone(), place.span());
        let labels = labels.into_iter().collect();
        Block { block_type: block_type.into(), labels, body, source, type_span: span, header_span: span }
    }

    /// Its type.
    pub fn block_type(&self) -> &str {
        &self.block_type
    }

    /// Its labels.
    pub fn labels(&self) -> &[BlockLabel] {
        &self.labels
    }

    /// The text of a label, counted from 0.
    pub fn label(&self, index: usize) -> Option<&str> {
        self.labels.get(index).map(BlockLabel::text)
    }

    /// Its body.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Returns the place of its type.
    pub fn type_place(&self) -> Place {
        Place::new(&self.source, self.type_span)
    }

    /// Returns the place of the header: type and labels; in JSON the opening bracket of the body.
    pub fn header_place(&self) -> Place {
        Place::new(&self.source, self.header_span)
    }

    /// Returns the block with other places for its type and header, which are in one source.
    pub(crate) fn with_places(mut self, type_place: &Place, header_place: &Place) -> Self {
        self.source = header_place.source().clone();
        self.type_span = type_place.span();
        self.header_span = header_place.span();
        self
    }

    /// The block with another body in its place.
    pub fn with_body(mut self, body: Body) -> Self {
        self.body = body;
        self
    }
}

/// A label of a block.
#[derive(Clone, Debug)]
pub struct BlockLabel {
    text: Box<str>,
    place: Place,
}

impl BlockLabel {
    /// A label at a place.
    pub fn new(text: &str, place: Place) -> Self {
        BlockLabel { text: text.into(), place }
    }

    /// Returns the text of the label.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the label is written in quotes, as all labels in JSON are; false for an identifier in native
    /// syntax, and for a label that is not from a source.
    ///
    /// ```
    /// use hcl_lr::{Body, parse};
    ///
    /// let body: Body = parse("server \"web\" main {}\n").into_result()?;
    /// let content = body.content_as_written().expect("it is written");
    /// let labels = content.blocks()[0].labels();
    /// assert_eq!((labels[0].is_quoted(), labels[1].is_quoted()), (true, false));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn is_quoted(&self) -> bool {
        self.place.text().starts_with('"')
    }

    /// Returns the place, with its quotes.
    pub fn place(&self) -> &Place {
        &self.place
    }
}
