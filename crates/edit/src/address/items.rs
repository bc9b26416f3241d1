//! The items of a body: attributes, and blocks with the labels and indexes that distinguish them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use super::path::{PathId, PathStep, Paths};
use hcl_lr::internal::Shapes;
use hcl_lr::internal::work;
use hcl_lr::json;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode};

/// A block in the JSON syntax: a type, labels and a body, each the name of a property.
#[derive(Clone)]
pub struct JsonBlock<'t> {
    pub(super) block_type: json::Property<'t>,
    pub(super) labels: Vec<json::Property<'t>>,
    pub(super) body: json::Node<'t>,
    /// The part of the schema for the body.
    pub(super) shapes: Shapes<'t>,
}

impl<'t> JsonBlock<'t> {
    /// The block type.
    pub fn block_type(&self) -> Cow<'t, str> {
        self.block_type.name()
    }

    /// The labels.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = Cow<'t, str>> {
        self.labels.iter().map(|label| label.name())
    }

    /// The properties whose names are the block type and the labels.
    pub fn properties(&self) -> impl ExactSizeIterator<Item = json::Property<'t>> {
        let mut all = vec![self.block_type];
        all.extend(&self.labels);
        all.into_iter()
    }

    /// Returns the property whose name is the block type. Other blocks may share it.
    pub fn type_property(&self) -> json::Property<'t> {
        self.block_type
    }

    /// The body.
    pub fn body(&self) -> json::Node<'t> {
        self.body
    }

    /// Returns the span: its last label and its body, or only its body if that is one of several in an array.
    pub fn span(&self) -> Span {
        let last = self.labels.last().unwrap_or(&self.block_type);
        if last.value().id() == self.body.id() { last.span() } else { self.body.span() }
    }

    pub(crate) fn shapes(&self) -> &Shapes<'t> {
        &self.shapes
    }
}

impl fmt::Debug for JsonBlock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("JsonBlock");
        debug.field("block_type", &self.block_type.name());
        debug.field("labels", &self.labels().collect::<Vec<_>>());
        debug.field("body", &self.body).finish()
    }
}

/// A body in either syntax.
#[derive(Clone)]
pub(crate) enum BodyRef<'t> {
    Native(BodyNode<'t>),
    /// A body in JSON, with the part of the schema for it.
    Json(json::Node<'t>, Shapes<'t>),
}

#[derive(Clone, Copy)]
pub(crate) enum AttributeRef<'t> {
    Native(AttributeNode<'t>),
    Json(json::Property<'t>),
}

#[derive(Clone)]
pub(crate) enum BlockRef<'t> {
    Native(BlockNode<'t>),
    Json(JsonBlock<'t>),
}

/// The blocks of a body with the same type and the same first labels.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub number: u32,
    pub before: u32,
}

pub(crate) struct BlockItem<'t> {
    pub block: BlockRef<'t>,
    pub block_type: Cow<'t, str>,
    pub labels: Vec<Cow<'t, str>>,
    /// The groups of the block: that of its type, and one for each label.
    pub(super) groups: Vec<Group>,
    pub(super) path: PathId,
}

impl<'t> BlockItem<'t> {
    pub fn new(block: BlockRef<'t>) -> Self {
        let (block_type, labels): (_, Vec<Cow<'t, str>>) = match &block {
            BlockRef::Native(block) => {
                (Cow::Borrowed(block.block_type()), block.labels().map(|label| label.text()).collect())
            }
            BlockRef::Json(block) => (block.block_type(), block.labels().collect()),
        };
        BlockItem { block, block_type, labels, groups: Vec::new(), path: Paths::ROOT }
    }

    pub fn body(&self) -> BodyRef<'t> {
        match &self.block {
            BlockRef::Native(block) => BodyRef::Native(block.body()),
            BlockRef::Json(block) => BodyRef::Json(block.body, block.shapes.clone()),
        }
    }

    /// A number that is unique in the file.
    pub fn id(&self) -> u32 {
        match &self.block {
            BlockRef::Native(block) => block.body().id().get(),
            BlockRef::Json(block) => block.body.id(),
        }
    }
}

/// The items of a body.
#[derive(Default)]
pub(crate) struct Items<'t> {
    pub attributes: Vec<(Cow<'t, str>, AttributeRef<'t>)>,
    pub blocks: Vec<BlockItem<'t>>,
}

impl<'t> Items<'t> {
    /// Collects the items of a body.
    pub fn of(body: &BodyRef<'t>) -> Items<'t> {
        match body {
            BodyRef::Native(body) => Items::of_native(*body),
            BodyRef::Json(node, shapes) => Items::of_json(*node, shapes),
        }
    }

    fn of_native(body: BodyNode<'t>) -> Items<'t> {
        let mut items = Items::default();
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    items.attributes.push((Cow::Borrowed(attribute.name()), AttributeRef::Native(attribute)));
                }
                BodyItem::Block(block) => items.blocks.push(BlockItem::new(BlockRef::Native(block))),
                _ => {}
            }
        }
        items
    }

    /// Groups the blocks and gives each its address. Groups get numbers from `next` on.
    pub(super) fn arrange(&mut self, path: PathId, paths: &mut Paths<'t>, next: &mut u32) {
        let mut known: HashMap<(Option<u32>, &str), u32> = HashMap::new();
        let mut counts: Vec<u32> = Vec::new();
        let first = *next;
        let mut all = Vec::with_capacity(self.blocks.len());
        for item in &self.blocks {
            let mut outer = None;
            let names = std::iter::once(&item.block_type).chain(&item.labels);
            let groups: Vec<Group> = names
                .map(|name| {
                    work::step(1);
                    let number = *known.entry((outer, name)).or_insert_with(|| {
                        counts.push(0);
                        first + counts.len() as u32 - 1
                    });
                    let count = &mut counts[(number - first) as usize];
                    outer = Some(number);
                    *count += 1;
                    Group { number, before: *count - 1 }
                })
                .collect();
            all.push(groups);
        }
        *next = first + counts.len() as u32;
        for (item, groups) in self.blocks.iter_mut().zip(all) {
            let names = std::iter::once(&item.block_type).chain(&item.labels);
            item.path = names.fold(path, |path, name| paths.add(path, PathStep::Name(name.clone())));
            if let Some(last) = groups.last().filter(|last| counts[(last.number - first) as usize] > 1) {
                item.path = paths.add(item.path, PathStep::Index(u64::from(last.before)));
            }
            item.groups = groups;
        }
    }
}
