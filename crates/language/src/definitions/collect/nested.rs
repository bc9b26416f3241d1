//! Blocks whose value has all that is in them: their attributes, and their blocks by type and labels.
//!
//! A block without labels is an element of the list of its type, and one with labels an element of the list below its
//! labels: `group "web" { count = 1 }` becomes `group = { web = [{ count = 1 }] }`.

use std::collections::BTreeMap;

use super::Collector;
use crate::definitions::ids::{FrameId, ModuleId, NodeId};
use crate::definitions::program::{NodeKind, Target};
use hcl_lr::body::{Block, Body, BodySchema};
use hcl_lr::internal::Written;
use hcl_lr::source::Place;

/// Blocks with more labels than this are only known later.
const MAX_LABELS: usize = 8;

/// Blocks within more blocks than this are only known later.
const MAX_DEPTH: usize = 100;

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
        // The place of the first block of each type, and the number of labels, if it is the same for all.
        let mut types: BTreeMap<String, (Place, Option<usize>)> = BTreeMap::new();
        let Written::Native(node, _) = body.written() else { return found };
        for block in node.blocks() {
            let place = || Place::new(node.shared_source(), block.type_token().span());
            if block.block_type() == "dynamic" {
                // The number of generated blocks depends on values.
                if let Some(label) = block.labels().next() {
                    types.insert(label.text().into_owned(), (place(), None));
                }
                continue;
            }
            let labels = block.labels().count();
            let known = types.entry(block.block_type().to_owned()).or_insert_with(|| (place(), Some(labels)));
            known.1 = known.1.filter(|known| *known == labels && labels <= MAX_LABELS);
        }
        let mut schema = BodySchema::new();
        for (block_type, (_, labels)) in &types {
            if let Some(labels) = labels {
                schema = schema.block(block_type.clone(), &vec!["label"; *labels]);
            }
        }
        let content = body.expected_content(&schema).into_value();
        for (block_type, (place, labels)) in types {
            let name = Box::from(&*block_type);
            match labels {
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
            let node = self.expression(attribute.expression(), module, attribute.name_place(), Some(frame));
            members.push((attribute.name().into(), Target::Node(node)));
        }
        let blocks = self.nested_blocks(block.body(), module, frame, depth + 1);
        members.extend(blocks.members.into_iter().map(|(name, node, _)| (name, Target::Node(node))));
        let kind = NodeKind::Object { members: members.into(), blocks: blocks.lists.into(), open: false };
        self.node(kind, module, block.type_place(), Some(frame))
    }
}
