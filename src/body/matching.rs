//! Matches attributes and blocks with a schema, for syntaxes that distinguish them.

use std::sync::Arc;

use super::content::{Attribute, Attributes, Block, Content};
use super::name_suggestions::NameSuggestions;
use super::schema::{AttributeSchema, BlockSchema, BodySchema};
use super::unexpected::{
    Named, extra_label, missing_attribute, missing_label, unsupported_attribute, unsupported_block,
};
use crate::diagnostic::{Diagnostics, Finding, Outcome, in_source};
use crate::eval::unexpected_block;
use crate::source::{Place, Source, Span};

/// Something in a body.
pub(super) enum Item<A, B> {
    Attribute(A),
    Block(B),
}

pub(super) trait AttributeItem: Named {
    fn to_attribute(&self) -> Attribute;
}

pub(super) trait BlockItem: Named {
    /// The place of each label.
    fn label_spans(&self) -> Vec<Span>;
    /// Returns the span of a missing label.
    fn missing_label_span(&self) -> Span;
    fn to_block(&self) -> Block;
}

/// The names that were requested when a body was processed partially: they are not in the rest.
#[doc(hidden)]
#[derive(Clone, Default, Debug)]
pub struct Taken(Option<Arc<Names>>);

#[derive(Clone, Debug, Default)]
struct Names {
    attributes: Set<String>,
    blocks: Set<String>,
}

type Set<T> = std::collections::HashSet<T, foldhash::fast::RandomState>;

impl Taken {
    fn has<A: Named, B: Named>(&self, item: &Item<A, B>) -> bool {
        self.0.as_ref().is_some_and(|names| match item {
            Item::Attribute(attribute) => names.attributes.contains(attribute.name()),
            Item::Block(block) => names.blocks.contains(block.name()),
        })
    }

    /// Returns true if there are no names.
    #[cfg(any(all(feature = "write", feature = "eval"), feature = "serde"))]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if the schema has an attribute, or a block, of this name.
    pub(crate) fn takes(&self, name: &str, is_block: bool) -> bool {
        self.0.as_ref().is_some_and(|names| if is_block { &names.blocks } else { &names.attributes }.contains(name))
    }

    /// Adds only the names of items that a schema expects, because the schema may have many more names, and may be
    /// applied to many bodies.
    pub(super) fn with<A: Named, B: Named>(
        &self,
        schema: &BodySchema,
        items: impl Iterator<Item = Item<A, B>>,
    ) -> Taken {
        let mut names = self.0.as_deref().cloned().unwrap_or_default();
        for item in items {
            match item {
                Item::Attribute(attribute) if schema.attribute(attribute.name()).is_some() => {
                    names.attributes.insert(attribute.name().to_owned());
                }
                Item::Block(block) if schema.block_type(block.name()).is_some() => {
                    names.blocks.insert(block.name().to_owned());
                }
                _ => {}
            }
        }
        Taken(Some(Arc::new(names)))
    }
}

/// Returns the items of a body that a schema expects. If `all` must be expected, the others are errors.
pub(super) fn content<A: AttributeItem, B: BlockItem>(
    items: impl Iterator<Item = Item<A, B>>,
    schema: &BodySchema,
    taken: &Taken,
    all: bool,
    missing_item_place: Place,
) -> Outcome<Content> {
    let mut matching = Matching::default();
    let mut names: Set<*const AttributeSchema> = Set::default();
    let mut tips = NameSuggestions::default();
    for item in items.filter(|item| !taken.has(item)) {
        match item {
            Item::Block(block) => match schema.block_type(block.name()) {
                Some(expected) => matching.block(&block, expected),
                None if all => {
                    let is_attribute = schema.attribute(block.name()).is_some();
                    let problem = unsupported_block(&block, is_attribute, schema.block_types(), &mut tips);
                    matching.problems.push(problem);
                }
                None => {}
            },
            Item::Attribute(attribute) => match schema.attribute(attribute.name()) {
                // The parser has reported the second one.
                Some(expected) if names.insert(std::ptr::from_ref(expected)) => {
                    matching.attributes.push(attribute.to_attribute());
                }
                Some(_) => {}
                None if all => {
                    let is_block = schema.block_type(attribute.name()).is_some();
                    let problem = unsupported_attribute(&attribute, is_block, schema.attribute_names(), &mut tips);
                    matching.problems.push(problem);
                }
                None => {}
            },
        }
    }
    let Matching { attributes, blocks, mut problems } = matching;
    let attributes = Attributes::of_distinct(attributes);
    problems.extend(missing_attributes(schema, &attributes, missing_item_place.span()));
    let diagnostics = problems_of(missing_item_place.source(), problems);
    Outcome::new(Content::new(attributes, blocks, missing_item_place), diagnostics)
}

#[derive(Default)]
struct Matching {
    attributes: Vec<Attribute>,
    blocks: Vec<Block>,
    problems: Vec<Finding>,
}

impl Matching {
    fn block(&mut self, item: &impl BlockItem, expected: &BlockSchema) {
        let spans = item.label_spans();
        let labels = expected.labels();
        let names = || labels.iter().map(AsRef::as_ref).collect::<Vec<&str>>();
        if let Some(missing) = expected.missing_label(spans.len()) {
            self.problems.push(missing_label(item.missing_label_span(), expected.block_type(), &names(), missing));
        } else if expected.is_too_many(spans.len()) {
            self.problems.push(extra_label(spans[labels.len()], expected.block_type(), &names()));
        } else {
            self.blocks.push(item.to_block());
        }
    }
}

/// Returns all attributes of a body; the first block is an error.
pub(super) fn attributes<A: AttributeItem, B: BlockItem>(
    items: impl Iterator<Item = Item<A, B>>,
    taken: &Taken,
    missing_item_place: &Place,
) -> Outcome<Attributes> {
    let mut blocks: Option<Finding> = None;
    let mut attributes = Vec::new();
    for item in items.filter(|item| !taken.has(item)) {
        match item {
            Item::Attribute(attribute) => attributes.push(attribute.to_attribute()),
            Item::Block(block) if blocks.is_none() => {
                blocks = Some(unexpected_block(block.name(), block.name_span()));
            }
            Item::Block(_) => {}
        }
    }
    let diagnostics = problems_of(missing_item_place.source(), blocks.into_iter().collect());
    Outcome::new(attributes.into_iter().collect(), diagnostics)
}

/// The number of problems that are shown for a body.
const MAX_PROBLEMS: usize = 1_000;

pub(super) fn problems_of(source: &Arc<Source>, problems: Vec<Finding>) -> Diagnostics {
    in_source(source, problems).limited(MAX_PROBLEMS)
}

/// The attributes that must be there and are not.
pub(super) fn missing_attributes<'a>(
    schema: &'a BodySchema,
    attributes: &'a Attributes,
    place: Span,
) -> impl Iterator<Item = Finding> + 'a {
    let required = schema.attributes().iter().filter(|attribute| attribute.is_required());
    let missing = required.filter(|attribute| attributes.get(attribute.name()).is_none());
    missing.map(move |attribute| missing_attribute(attribute.name(), place))
}
