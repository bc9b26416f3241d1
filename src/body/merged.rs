//! Several bodies as one.

use std::collections::HashMap;
use std::sync::Arc;

use super::content::{Attribute, Attributes, Block, Content};
use super::matching::missing_attributes;
use super::{Body, BodySchema, BodySource, Kind};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome, in_source};
use crate::source::Place;

impl Body {
    /// Merges bodies into one that behaves as if their contents were in one body, in this order. An attribute in two of
    /// them is an error (information model, "Bodies").
    ///
    /// ```
    /// use hcl_lr::body::{Body, BodySchema};
    /// use hcl_lr::parse;
    ///
    /// let one = parse::<Body>("a = 1\n").into_result()?;
    /// let other = parse::<Body>(("other.json", r#"{"b": 2}"#)).into_result()?;
    /// let both = Body::merged([one, other]);
    /// assert_eq!(both.content(&BodySchema::new().required("a").required("b")).into_result()?.attributes().len(), 2);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn merged(bodies: impl IntoIterator<Item = Body>) -> Body {
        let mut bodies = bodies.into_iter();
        let Some(first) = bodies.next() else { return Body::empty() };
        bodies.fold(first, Body::merged_with)
    }

    /// Merged bodies are a flat list. It grows in place if nothing else refers to it, because a program may add one
    /// body at a time.
    fn merged_with(self, other: Body) -> Body {
        let mut all = match self.0 {
            Kind::Merged(bodies) => Arc::unwrap_or_clone(bodies),
            Kind::One(_) => MergedBody { bodies: vec![self] },
        };
        match other.0 {
            Kind::Merged(more) => all.bodies.extend(Arc::unwrap_or_clone(more).bodies),
            Kind::One(_) => all.bodies.push(other),
        }
        Body(Kind::Merged(Arc::new(all)))
    }
}

#[derive(Clone)]
pub(super) struct MergedBody {
    bodies: Vec<Body>,
}

/// The items found in the bodies so far.
#[derive(Default)]
struct Merging {
    attributes: Vec<Attribute>,
    known: HashMap<String, usize>,
    blocks: Vec<Block>,
    diagnostics: Diagnostics,
    duplicates: usize,
}

/// The number of duplicate attributes in two bodies that are reported.
const MAX_DUPLICATES: usize = 1_000;

impl Merging {
    fn add(&mut self, content: Outcome<Content>) {
        let (attributes, blocks) = content.into_value_reporting_to(&mut self.diagnostics).into_parts();
        self.add_attributes(attributes);
        self.blocks.extend(blocks);
    }

    fn add_attributes(&mut self, attributes: Attributes) {
        for attribute in attributes {
            match self.known.get(attribute.name()) {
                Some(&first) if self.duplicates < MAX_DUPLICATES => {
                    self.duplicates += 1;
                    self.diagnostics.push(duplicate(&attribute, &self.attributes[first]));
                }
                Some(_) => {}
                None => {
                    self.known.insert(attribute.name().to_owned(), self.attributes.len());
                    self.attributes.push(attribute);
                }
            }
        }
    }
}

fn duplicate(second: &Attribute, first: &Attribute) -> Diagnostic {
    let detail = format!("the argument \"{}\" is already set at {}", second.name(), first.place());
    Diagnostic::error(Code::DuplicateAttribute, second.name_place(), detail)
        .with_label(first.name_place(), "first set here")
        .with_help("the files are processed together: set it in only one of them")
}

impl MergedBody {
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Completes the content: missing attributes are known only after all bodies have been searched.
    fn finish(&self, schema: &BodySchema, merging: Merging) -> Outcome<Content> {
        let Merging { attributes, blocks, mut diagnostics, .. } = merging;
        let attributes = Attributes::of_distinct(attributes);
        let place = self.missing_item_place();
        let missing = missing_attributes(schema, &attributes, place.span());
        diagnostics.append(in_source(place.source(), missing));
        diagnostics.sort();
        Outcome::new(Content::new(attributes, blocks, place), diagnostics)
    }
}

impl BodySource for MergedBody {
    fn content(&self, schema: &BodySchema) -> Outcome<Content> {
        let optional = schema.nothing_required();
        let mut merging = Merging::default();
        self.bodies.iter().for_each(|body| merging.add(body.content(&optional)));
        self.finish(schema, merging)
    }

    fn partial_content(&self, schema: &BodySchema) -> Outcome<(Content, Body)> {
        let optional = schema.nothing_required();
        let mut merging = Merging::default();
        let mut rests = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let outcome = body.partial_content(&optional);
            merging.add(outcome.map(|(content, rest)| {
                rests.push(rest);
                content
            }));
        }
        self.finish(schema, merging).map(|content| (content, Body::merged(rests)))
    }

    fn attributes(&self) -> Outcome<Attributes> {
        let mut merging = Merging::default();
        for body in &self.bodies {
            let attributes = body.attributes().into_value_reporting_to(&mut merging.diagnostics);
            merging.add_attributes(attributes);
        }
        let Merging { attributes, mut diagnostics, .. } = merging;
        diagnostics.sort();
        Outcome::new(Attributes::of_distinct(attributes), diagnostics)
    }

    fn missing_item_place(&self) -> Place {
        self.bodies.first().map_or_else(Place::nowhere, Body::missing_item_place)
    }
}
