//! Blocks whose value has all that is in them: their attributes, and their blocks by type and labels.
//!
//! A block without labels is an element of the list of its type, and one with labels an element of the list below its
//! labels: `group "web" { count = 1 }` becomes `group = { web = [{ count = 1 }] }`. Blocks of a type of which `dynamic` blocks
//! generate some are parts of one node, because their number depends on values.

use std::collections::{BTreeMap, HashMap};

use super::Collector;
use crate::definitions::generated::{Generated, iterators_in_json, labels_of_generated};
use crate::definitions::ids::{FrameId, ModuleId, NodeId};
use crate::definitions::json_parts::DYNAMIC;
use crate::definitions::program::{NodeKind, Target};
use hcl_lr::body::{Attributes, Block, Body, BodySchema};
use hcl_lr::internal::Written;
use hcl_lr::source::Place;

/// Blocks with more labels than this are only known later.
const MAX_LABELS: usize = 8;

/// Blocks within more blocks than this are only known later.
const MAX_DEPTH: usize = 100;

/// The blocks of a type in a body.
struct BlockType {
    /// The place of the first one.
    place: Place,
    /// The number of labels, if it is the same for all.
    labels: Option<usize>,
    /// True if a dynamic block generates some of them.
    is_generated: bool,
}

/// The blocks in a body: lists of those without labels, and what stands for those with labels.
#[derive(Default)]
pub(super) struct NestedBlocks {
    pub lists: Vec<(Box<str>, Vec<NodeId>)>,
    pub members: Vec<(Box<str>, NodeId, Place)>,
}

impl Collector<'_> {
    /// Makes nodes for all blocks in a body. In JSON all properties are attributes, so that there are none.
    pub(super) fn nested_blocks(
        &mut self,
        body: &Body,
        module: ModuleId,
        frame: FrameId,
        depth: usize,
    ) -> NestedBlocks {
        let mut found = NestedBlocks::default();
        let mut types: BTreeMap<String, BlockType> = BTreeMap::new();
        let Written::Native(node, _) = body.written() else { return found };
        for block in node.blocks() {
            let is_dynamic = block.block_type() == DYNAMIC;
            let (block_type, labels) = match block.labels().next() {
                Some(label) if is_dynamic => (label.text().into_owned(), labels_of_generated(block)),
                None if is_dynamic => continue,
                _ => (block.block_type().to_owned(), Some(block.labels().count())),
            };
            let known = types.entry(block_type).or_insert_with(|| {
                let place = Place::new(node.shared_source(), block.type_token().span());
                BlockType { place, labels, is_generated: false }
            });
            known.labels = known.labels.filter(|known| Some(*known) == labels && *known <= MAX_LABELS);
            known.is_generated |= is_dynamic;
        }
        let mut schema = BodySchema::new();
        for (block_type, known) in &types {
            if let Some(labels) = known.labels {
                schema = schema.block(block_type.clone(), &vec!["label"; labels]);
            }
        }
        let content = body.expected_content(&schema).into_value();
        for (block_type, BlockType { place, labels, is_generated }) in types {
            let name = Box::from(&*block_type);
            match labels {
                Some(labels) if is_generated => {
                    let written = content
                        .blocks_of_type(&block_type)
                        .map(|block| (block.type_place().span(), self.nested_body(block, module, frame, depth)));
                    let written = written.collect();
                    let generated = Generated::new(body, node, &block_type, labels, written);
                    let kind = NodeKind::Generated(Box::new(generated));
                    let node = self.node(kind, module, place.clone(), Some(frame));
                    found.members.push((name, node, place));
                }
                None => {
                    let node = self.node(NodeKind::Later, module, place.clone(), Some(frame));
                    found.members.push((name, node, place));
                }
                Some(0) => {
                    let blocks = content.blocks_of_type(&block_type);
                    let nodes = blocks.map(|block| self.nested_body(block, module, frame, depth));
                    found.lists.push((name, nodes.collect()));
                }
                Some(_) => {
                    let blocks: Vec<&Block> = content.blocks_of_type(&block_type).collect();
                    let node = self.by_labels(&blocks, 0, module, frame, depth);
                    found.members.push((name, node, place));
                }
            }
        }
        found
    }

    /// Makes nodes for the dynamic blocks of a body in JSON, and of the blocks beside them if these are part of the value.
    /// Returns the members in place of each property that is none itself.
    pub(super) fn generated_in_json(
        &mut self,
        body: &Body,
        attributes: &Attributes,
        nested: bool,
        (module, frame): (ModuleId, FrameId),
    ) -> HashMap<String, Vec<(Box<str>, NodeId)>> {
        let mut members: HashMap<String, Vec<(Box<str>, NodeId)>> = HashMap::new();
        let (Written::Json(_, node, _), Some(dynamic)) = (body.written(), attributes.get(DYNAMIC)) else {
            return members;
        };
        let iterators = iterators_in_json(node);
        let of_property = |name: &str| Some(attributes.get(name)?.expression().with_variables(iterators.clone()));
        members.insert(DYNAMIC.to_owned(), Vec::new());
        if !nested {
            // Only names that are not defined matter.
            let expression = dynamic.expression().with_variables(iterators.clone());
            self.expression(&expression, module, dynamic.name_place(), Some(frame));
            return members;
        }
        let content = body.expected_content(&BodySchema::new().block(DYNAMIC, &["type"])).into_value();
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for block in content.blocks() {
            let labels = block.body().expected_content(&BodySchema::new().optional("labels")).into_value();
            let labels = labels.attribute("labels").and_then(|labels| labels.expression().static_list().ok());
            types.entry(block.label(0).unwrap_or_default()).or_insert(labels.map_or(0, |labels| labels.len()));
        }
        for (block_type, labels) in types {
            let expressions = [DYNAMIC, block_type].into_iter().filter_map(of_property).collect();
            let generated = Generated::of_expressions(body, block_type, labels.min(MAX_LABELS), expressions);
            let kind = NodeKind::Generated(Box::new(generated));
            let node = self.node(kind, module, dynamic.name_place(), Some(frame));
            // The blocks beside the generated ones are in this node, too.
            members.insert(block_type.to_owned(), Vec::new());
            members.entry(DYNAMIC.to_owned()).or_default().push((block_type.into(), node));
        }
        members
    }

    /// An object of blocks by one of their labels, and in it by the next ones.
    fn by_labels(&mut self, blocks: &[&Block], at: usize, module: ModuleId, frame: FrameId, depth: usize) -> NodeId {
        let place = blocks.first().map_or_else(Place::nowhere, |block| block.type_place());
        let mut groups: BTreeMap<&str, Vec<&Block>> = BTreeMap::new();
        for block in blocks {
            if let Some(label) = block.label(at) {
                groups.entry(label).or_default().push(block);
            }
        }
        let (mut members, mut lists) = (Vec::new(), Vec::new());
        for (label, blocks) in groups {
            if blocks.iter().all(|block| block.labels().len() == at + 1) {
                let nodes = blocks.iter().map(|block| self.nested_body(block, module, frame, depth));
                lists.push((label.into(), nodes.collect()));
            } else {
                // No deeper than there are labels.
                let node = self.by_labels(&blocks, at + 1, module, frame, depth);
                members.push((label.into(), Target::Node(node)));
            }
        }
        let kind = NodeKind::Object { members: members.into(), blocks: lists.into(), open: false };
        self.node(kind, module, place, Some(frame))
    }

    /// The object of the attributes and blocks of a block.
    fn nested_body(&mut self, block: &Block, module: ModuleId, frame: FrameId, depth: usize) -> NodeId {
        if depth >= MAX_DEPTH {
            return self.node(NodeKind::Later, module, block.type_place(), Some(frame));
        }
        let attributes = self.attributes_of(block.body());
        let mut members = Vec::new();
        for attribute in &attributes {
            let node = self.attribute_node(attribute, block.block_type(), module, Some(frame));
            members.push((attribute.name().into(), Target::Node(node)));
        }
        let blocks = self.nested_blocks(block.body(), module, frame, depth + 1);
        members.extend(blocks.members.into_iter().map(|(name, node, _)| (name, Target::Node(node))));
        let kind = NodeKind::Object { members: members.into(), blocks: blocks.lists.into(), open: false };
        self.node(kind, module, block.type_place(), Some(frame))
    }
}
