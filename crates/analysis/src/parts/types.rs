//! The types of parts of definitions by the schema of their language.

use std::sync::Arc;

use hcl_lr::ConfigFile;
use hcl_lr::syntax::ast::{BodyItem, BodyNode};
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::model::AttributeRole;
use hcl_lr_language::schema::{Checker, Expected, ExpectedKey, Type, Within, has_at_top};

use super::places::properties_to;
use super::{Meaning, PathsAt};
use crate::cursor::Link;
use crate::description::{self, BodyIn};
use crate::file::File;
use crate::knowledge::{BodyAt, Header};
use crate::spans::{item_at, touches};

/// A part of a definition by the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownPart {
    /// Its name; empty for an element.
    pub name: String,
    /// Its type; `None` for a block, and if any value is right.
    pub type_text: Option<String>,
    pub description: Option<String>,
}

impl PathsAt<'_> {
    /// Returns what the schema says of the part at a path. `None` if the schema has no such part.
    pub fn known_part(&self, chain: &[Link]) -> Option<KnownPart> {
        let Some(Meaning::Part(definition, rest)) = self.meaning(chain) else { return None };
        let (last, before) = rest.split_last()?;
        self.in_schema(&definition, |checker, start| {
            let around = descend(checker, start, before);
            let name = match last {
                Link::Name(name) | Link::Index(Some(name)) => name.as_str(),
                _ => "",
            };
            let known = around.iter().flat_map(|expected| expected.keys()).find(|key| key.name() == name);
            if let Some(key) = known {
                return Some(part_of(&key));
            }
            let found = descend(checker, around, std::slice::from_ref(last));
            let is_known = found.iter().any(|expected| !expected.is_anything());
            is_known.then(|| KnownPart { type_text: type_text(&found), ..KnownPart::default() })
        })
    }

    /// Returns what the schema says of the attributes of the value at a path.
    pub fn known_parts(&self, chain: &[Link]) -> Vec<KnownPart> {
        let Some(Meaning::Part(definition, rest)) = self.meaning(chain) else { return Vec::new() };
        let parts = |checker: &Checker, start: Vec<Expected<'_>>| {
            let found = descend_owned(checker, start, &rest);
            (!found.is_empty()).then_some(found)
        };
        self.in_schema(&definition, parts).unwrap_or_default()
    }

    /// Returns the first result for the alternatives that a schema has for the value of a definition.
    fn in_schema<T>(
        &self,
        definition: &Definition<'_>,
        result: impl Fn(&Checker, Vec<Expected<'_>>) -> Option<T>,
    ) -> Option<T> {
        if definition.is_input() || definition.is_module() || definition.is_function() {
            return None;
        }
        let file = self.snapshot.file(definition.place().source().name())?;
        let checkers: Vec<Arc<Checker>> = file.language().checkers(file.path());
        checkers.iter().find_map(|checker| {
            let (blocks, attribute) = place_in_bodies(checker, file, definition)?;
            let layers = match body_in(checker, file, &blocks)? {
                BodyIn::Known { layers, .. } => layers,
                BodyIn::Dynamic(_) => return None,
            };
            let known = match &attribute {
                Some(name) => layers.attribute(name).or_else(|| layers.free_attribute()),
                None => layers.attributes().find(|attribute| attribute.role == Some(AttributeRole::Value)),
            };
            let start = match (known, attribute) {
                (Some(known), _) => checker.expected(&known.ty),
                (None, None) => vec![Expected::Body(layers)],
                (None, Some(_)) => return None,
            };
            result(checker, start)
        })
    }
}

fn descend_owned(checker: &Checker, start: Vec<Expected<'_>>, rest: &[Link]) -> Vec<KnownPart> {
    let found = descend(checker, start, rest);
    found.iter().flat_map(|expected| expected.keys()).map(|key| part_of(&key)).collect()
}

fn part_of(key: &ExpectedKey<'_>) -> KnownPart {
    let ty = key.ty().filter(|ty| !matches!(ty, Type::Any | Type::Expression));
    KnownPart {
        name: key.name().to_owned(),
        type_text: ty.map(ToString::to_string),
        description: key.description().map(str::to_owned),
    }
}

/// Returns the text of the types among alternatives.
fn type_text(found: &[Expected<'_>]) -> Option<String> {
    let mut types: Vec<String> = Vec::new();
    for expected in found {
        if let Expected::Type(ty) = expected {
            types.push(ty.to_string());
        }
    }
    types.dedup();
    (!types.is_empty()).then(|| types.join(" or "))
}

/// Returns the alternatives for a part of a value.
fn descend<'c>(checker: &'c Checker, start: Vec<Expected<'c>>, links: &[Link]) -> Vec<Expected<'c>> {
    links.iter().fold(start, |around, link| match link {
        Link::Name(name) => checker.expected_within(&around, Within::Key(name)),
        Link::Index(Some(key)) => {
            let mut found = checker.expected_within(&around, Within::Key(key));
            if let Ok(number) = key.parse() {
                found.extend(checker.expected_within(&around, Within::Element(number)));
            }
            found
        }
        Link::Index(None) | Link::Splat => {
            let mut found = checker.expected_within(&around, Within::Element(0));
            found.extend(checker.expected_within(&around, Within::AnyKey));
            found
        }
    })
}

fn body_in<'c>(checker: &'c Checker, file: &File, blocks: &[Header]) -> Option<BodyIn<'c>> {
    let has = |name: &str| has_at_top(file.document(), name);
    let value = |depth: usize, name: &str| crate::diagnostics::value_in(file, blocks, depth, name);
    description::find(checker, &BodyAt { path: file.path(), blocks, value: &value, has: &has })
}

/// Returns the blocks around a definition, with its own if it is a block, and the name of the attribute that it is.
fn place_in_bodies(
    checker: &Checker,
    file: &File,
    definition: &Definition<'_>,
) -> Option<(Vec<Header>, Option<String>)> {
    let offset = definition.name_place().span().start();
    let mut blocks: Vec<Header> = Vec::new();
    let document = match file.document() {
        ConfigFile::Native(native) => {
            let mut body: BodyNode<'_> = native.body();
            loop {
                match item_at(body, offset)? {
                    BodyItem::Attribute(attribute) => return Some((blocks, Some(attribute.name().to_owned()))),
                    BodyItem::Block(block) => {
                        blocks.push(Header::of(block));
                        if touches(block.header_span(), offset) {
                            return Some((blocks, None));
                        }
                        body = block.body();
                    }
                    _ => return None,
                }
            }
        }
        ConfigFile::Json(document) => document,
    };
    // In JSON, only the schema tells labels of blocks from names in them.
    let names: Vec<String> =
        properties_to(document.root(), offset).iter().map(|property| property.name().into_owned()).collect();
    let mut names = names.into_iter();
    while let Some(name) = names.next() {
        let BodyIn::Known { layers, .. } = body_in(checker, file, &blocks)? else { return None };
        let Some((block, _)) = layers.block(&name) else { return Some((blocks, Some(name))) };
        let labels = names.by_ref().take(block.labels.len()).collect();
        blocks.push(Header { block_type: name, labels });
    }
    (!blocks.is_empty()).then_some((blocks, None))
}
