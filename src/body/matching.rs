//! Matches attributes and blocks with a schema, in syntaxes that distinguish them.

use std::collections::HashSet;
use std::sync::Arc;

use super::content::{Attribute, Attributes, Block, Content};
use super::name_suggestions::NameSuggestions;
use super::schema::{AttributeSchema, BlockSchema, BodySchema};
use crate::diagnostic::Applicability::NeedsReview;
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome, in_source};
use crate::eval::unexpected_block;
use crate::source::{Place, Replacement, Source, Span};

/// Something in a body.
pub(super) enum Item<A, B> {
    Attribute(A),
    Block(B),
}

/// The common interface of attributes and blocks.
pub(super) trait Named {
    fn name(&self) -> &str;
    fn name_span(&self) -> Span;

    /// The edit that makes a block of an attribute, or an attribute of a block, if there is one.
    fn as_the_other(&self) -> Option<Replacement> {
        None
    }
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

/// The names that were asked for when a body was processed partially: they are not in the rest.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct Taken(Option<Arc<Names>>);

#[derive(Clone, Default)]
struct Names {
    attributes: HashSet<String>,
    blocks: HashSet<String>,
}

impl Taken {
    fn has<A: Named, B: Named>(&self, item: &Item<A, B>) -> bool {
        self.0.as_ref().is_some_and(|names| match item {
            Item::Attribute(attribute) => names.attributes.contains(attribute.name()),
            Item::Block(block) => names.blocks.contains(block.name()),
        })
    }

    /// Returns true if the schema has an attribute, or a block, of this name.
    pub(crate) fn takes(&self, name: &str, is_block: bool) -> bool {
        self.0.as_ref().is_some_and(|names| if is_block { &names.blocks } else { &names.attributes }.contains(name))
    }

    /// With the names of those items that a schema expects: there may be many more names in it, and many
    /// bodies that are asked for them.
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

/// The items of a body that a schema expects. If `all` must be expected, the others are errors.
pub(super) fn content<A: AttributeItem, B: BlockItem>(
    items: impl Iterator<Item = Item<A, B>>,
    schema: &BodySchema,
    taken: &Taken,
    all: bool,
    missing_item_place: Place,
) -> Outcome<Content> {
    let mut matching = Matching::default();
    let mut names: HashSet<*const AttributeSchema> = HashSet::new();
    let mut tips = NameSuggestions::new();
    for item in items.filter(|item| !taken.has(item)) {
        match item {
            Item::Block(block) => match schema.block_type(block.name()) {
                Some(expected) => matching.block(&block, expected),
                None if all => matching.problems.push(unsupported_block(&block, schema, &mut tips)),
                None => {}
            },
            Item::Attribute(attribute) => match schema.attribute(attribute.name()) {
                // The parser has reported the second one.
                Some(expected) if names.insert(std::ptr::from_ref(expected)) => {
                    matching.attributes.push(attribute.to_attribute());
                }
                Some(_) => {}
                None if all => matching.problems.push(unsupported_attribute(&attribute, schema, &mut tips)),
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
        if expected.has_any_labels() {
            self.blocks.push(item.to_block());
        } else if let Some(missing) = labels.get(spans.len()) {
            self.problems.push(missing_label(item.missing_label_span(), expected, missing));
        } else if let Some(&extra) = spans.get(labels.len()) {
            self.problems.push(extra_label(extra, expected));
        } else {
            self.blocks.push(item.to_block());
        }
    }
}

/// All attributes of a body; the first block is an error.
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

/// The number of problems of a body that are shown.
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
    missing.map(move |attribute| {
        let detail = format!("the argument \"{}\" is required here", attribute.name());
        Finding::error(Code::RequiredArgument, place, detail)
    })
}

fn unsupported_attribute(item: &impl Named, schema: &BodySchema, tips: &mut NameSuggestions) -> Finding {
    let name = item.name();
    let detail = format!("an argument named \"{name}\" is not expected here");
    let diagnostic = Finding::error(Code::UnsupportedArgument, item.name_span(), detail);
    if schema.block_type(name).is_some() {
        let help = format!("did you mean to define a block? write `{name} {{ … }}`, without `=`");
        return with_other_kind(diagnostic.with_help(help), item);
    }
    tips.suggest(diagnostic, name, item.name_span(), schema.attribute_names())
}

fn unsupported_block(item: &impl Named, schema: &BodySchema, tips: &mut NameSuggestions) -> Finding {
    let name = item.name();
    let detail = format!("blocks of type \"{name}\" are not expected here");
    let diagnostic = Finding::error(Code::UnsupportedBlock, item.name_span(), detail);
    if schema.attribute(name).is_some() {
        let help = format!("did you mean to define an argument? write `{name} = …`");
        return with_other_kind(diagnostic.with_help(help), item);
    }
    tips.suggest(diagnostic, name, item.name_span(), schema.block_types())
}

fn with_other_kind(diagnostic: Finding, item: &impl Named) -> Finding {
    match item.as_the_other() {
        Some(edit) => diagnostic.with_edits(NeedsReview, [edit]),
        None => diagnostic,
    }
}

fn missing_label(span: Span, expected: &BlockSchema, missing: &str) -> Finding {
    let name = expected.block_type();
    let detail = format!("this \"{name}\" block needs a label here: its {missing}");
    let labels: Vec<String> = expected.labels().iter().map(|label| format!("\"{label}\"")).collect();
    let diagnostic = Finding::error(Code::BlockLabels, span, detail);
    diagnostic.with_help(format!("write `{name} {} {{ … }}`", labels.join(" ")))
}

fn extra_label(span: Span, expected: &BlockSchema) -> Finding {
    let name = expected.block_type();
    let detail = match expected.labels() {
        [] => format!("\"{name}\" blocks have no labels"),
        [only] => format!("\"{name}\" blocks have only one label: {only}"),
        labels => format!("\"{name}\" blocks have only {} labels: {}", labels.len(), labels.join(", ")),
    };
    Finding::error(Code::BlockLabels, span, detail)
}
