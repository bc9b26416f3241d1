//! A schema prepared for lookups.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::model::{
    Attribute, Block, Body, Check, Files, Match, Otherwise, Rule, RuleKind, Schema, Type, types_of_themselves,
};
use hcl_lr::source::Place;
use hcl_lr::stack;

/// A table by names, with a hash that is fast for short texts and randomly seeded.
pub type Table<T> = HashMap<Box<str>, T, foldhash::fast::RandomState>;

/// The index of a node.
pub type Id = usize;

/// A schema prepared for lookups: bodies with the contents of the parts that they include, by name.
///
/// ```
/// use hcl_lr_language::schema::{SchemaIndex, Schema};
///
/// let index = SchemaIndex::new(Schema::by_name("terraform").expect("it is there"));
/// let module = index.part("module").expect("it is there");
/// let (_, variable) = module.block("variable").expect("it is there");
/// assert!(variable.attribute("default").is_some());
/// ```
#[derive(Clone, Debug)]
pub struct SchemaIndex {
    schema: Arc<Schema>,
    nodes: Vec<Node>,
    parts: Table<Id>,
    /// The nodes of bodies, by the addresses of the bodies in the schema.
    bodies: HashMap<usize, Id>,
    /// True if some attributes are sensitive.
    has_sensitive: bool,
    /// For each node, whether sensitive values may be in such a body. Computed on first use.
    hiding: OnceLock<Vec<Hiding>>,
    /// A body that may have anything.
    anything: Node,
}

/// A body with everything that it includes.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "public for the packages of this workspace only")]
pub struct Node {
    id: Option<Id>,
    attributes: Table<Arc<Attribute>>,
    attribute_order: Vec<Arc<Attribute>>,
    blocks: Table<(Arc<Block>, Id)>,
    block_order: Vec<Arc<Block>>,
    free_attribute: Option<Arc<Attribute>>,
    free_block: Option<(Arc<Block>, Id)>,
    pub required: Vec<Arc<Attribute>>,
    /// The types of blocks with a minimum number.
    pub required_blocks: Vec<Arc<Block>>,
    pub matches: Vec<MatchNode>,
    open: bool,
    pub dynamic: Option<bool>,
    pub rules: Vec<Rule>,
    pub checks: Vec<Check>,
    pub place: Option<Place>,
}

#[allow(missing_docs, reason = "public for the packages of this workspace only")]
impl Node {
    /// Returns the listed attributes, in the order of the schema file.
    pub fn attributes(&self) -> impl Iterator<Item = &Arc<Attribute>> {
        self.attribute_order.iter()
    }

    /// Returns true if an attribute with a name is listed.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.attributes.contains_key(name)
    }

    /// Returns the listed blocks, in the order of the schema file, with the node of their contents.
    pub fn blocks(&self) -> impl Iterator<Item = &(Arc<Block>, Id)> {
        self.block_order.iter().filter_map(|block| self.blocks.get(block.name.as_str()))
    }

    pub fn free_attribute(&self) -> Option<&Arc<Attribute>> {
        self.free_attribute.as_ref()
    }

    pub fn free_block(&self) -> Option<&(Arc<Block>, Id)> {
        self.free_block.as_ref()
    }

    pub fn is_open(&self) -> bool {
        self.open
    }
}

#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "public for the packages of this workspace only")]
pub struct MatchNode {
    pub matched: Match,
    pub cases: Table<Id>,
    pub otherwise: Option<Id>,
}

/// Says who may put sensitive values into a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hiding {
    /// True if the schema has such attributes there.
    by_schema: bool,
    /// True if a catalog may have them.
    by_catalog: bool,
}

/// The possible contents of a body: those of its node, and of the cases that apply.
#[derive(Clone, Debug)]
pub struct Layers<'i> {
    index: &'i SchemaIndex,
    base: &'i Node,
    /// The nodes of the cases that apply, which may be from another schema.
    more: Vec<(&'i SchemaIndex, &'i Node)>,
    /// True if the body may have more than is known.
    open: bool,
}

impl SchemaIndex {
    /// Prepares a schema. Types that are alternatives of themselves become `any`.
    pub fn new(schema: &Schema) -> SchemaIndex {
        let mut schema = schema.clone();
        for name in types_of_themselves(&schema.types) {
            schema.types.insert(name, Type::Any);
        }
        let schema = Arc::new(schema);
        let mut builder = Builder {
            parts: schema.parts.iter().map(|part| (part.name.as_str(), &part.body)).collect(),
            known: HashMap::new(),
            nodes: Vec::new(),
            waiting: Vec::new(),
        };
        let parts = schema.parts.iter().map(|part| (part.name.as_str().into(), builder.id(&part.body))).collect();
        builder.run();
        let bodies = builder.known.iter().map(|(body, id)| (body.addr(), *id)).collect();
        let nodes = builder.nodes;
        let has_sensitive = nodes.iter().any(|node| {
            let free = node.free_attribute.iter();
            node.attribute_order.iter().chain(free).any(|attribute| attribute.is_hidden())
        });
        let anything = Node { open: true, ..Node::default() };
        SchemaIndex { schema, nodes, parts, bodies, has_sensitive, hiding: OnceLock::new(), anything }
    }

    /// Returns the contents of a body that may have anything.
    pub(super) fn anything(&self) -> Layers<'_> {
        Layers { index: self, base: &self.anything, more: Vec::new(), open: true }
    }

    /// Returns true if some attributes are sensitive.
    pub(super) fn has_sensitive(&self) -> bool {
        self.has_sensitive
    }

    /// Returns for each node whether sensitive values may be in such a body, or in the blocks in it.
    fn hiding(&self) -> &[Hiding] {
        self.hiding.get_or_init(|| {
            let own = |node: &Node| {
                let attributes = node.attribute_order.iter().chain(&node.free_attribute);
                let hides = |attribute: &Arc<Attribute>| attribute.is_hidden() || self.may_hide(&attribute.ty);
                Hiding {
                    by_schema: attributes.into_iter().any(hides),
                    by_catalog: node.matches.iter().any(|matched| matched.matched.catalog.is_some()),
                }
            };
            let mut all: Vec<Hiding> = self.nodes.iter().map(own).collect();
            // The values in a block are in the bodies around it, too. Bodies may be in themselves.
            loop {
                let mut is_changed = false;
                for (id, node) in self.nodes.iter().enumerate().rev() {
                    let blocks = node.blocks().chain(node.free_block()).map(|(_, inner)| *inner);
                    let cases =
                        node.matches.iter().flat_map(|matched| matched.cases.values().chain(&matched.otherwise));
                    let mut hiding = all[id];
                    for inner in blocks.chain(cases.copied()) {
                        hiding.by_schema |= all[inner].by_schema;
                        hiding.by_catalog |= all[inner].by_catalog;
                    }
                    is_changed |= hiding != all[id];
                    all[id] = hiding;
                }
                if !is_changed {
                    return all;
                }
            }
        })
    }

    /// Returns true if a value of a type may have a sensitive part.
    pub(super) fn may_hide(&self, ty: &Type) -> bool {
        self.hides(ty, &mut HashSet::new())
    }

    /// Returns the same; `seen` has the addresses of the types visited so far.
    fn hides(&self, ty: &Type, seen: &mut HashSet<usize>) -> bool {
        let ty = self.resolve(ty);
        if !seen.insert(std::ptr::from_ref(ty).addr()) {
            return false;
        }
        stack::with_room(|| match ty {
            Type::List(element) | Type::Set(element) | Type::Map(element) => self.hides(element, seen),
            Type::Tuple(types) | Type::OneOf(types) => types.iter().any(|ty| self.hides(ty, seen)),
            Type::Object(object) => {
                object.attributes.iter().any(|attribute| attribute.sensitive || self.hides(&attribute.ty, seen))
                    || object.others.as_ref().is_some_and(|ty| self.hides(ty, seen))
            }
            Type::Part(name) => {
                self.part(name).is_some_and(|layers| {
                    let mut attributes = layers.attributes().chain(layers.free_attribute());
                    // The contents of blocks and cases may be sensitive.
                    let has_more = layers.blocks().next().is_some() || layers.matches().next().is_some();
                    has_more && self.has_sensitive
                        || attributes.any(|attribute| attribute.is_hidden() || self.hides(&attribute.ty, seen))
                })
            }
            _ => false,
        })
    }

    /// Returns the schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the contents of a part.
    pub fn part(&self, name: &str) -> Option<Layers<'_>> {
        self.parts.get(name).map(|id| self.layers(*id))
    }

    /// Returns the contents of files.
    pub fn files(&self, files: &Files) -> Option<Layers<'_>> {
        self.part(&files.body)
    }

    /// Returns the contents of a body of the schema.
    pub(super) fn of_body(&self, body: &Arc<Body>) -> Option<Layers<'_>> {
        self.bodies.get(&Arc::as_ptr(body).addr()).map(|id| self.layers(*id))
    }

    /// Returns the node of a part.
    #[doc(hidden)]
    pub fn part_id(&self, name: &str) -> Option<Id> {
        self.parts.get(name).copied()
    }

    #[doc(hidden)]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn layers(&self, id: Id) -> Layers<'_> {
        let base = &self.nodes[id];
        Layers { index: self, base, more: Vec::new(), open: base.open }
    }

    /// Returns the type that a name stands for; any other type is returned as it is.
    pub fn resolve<'t>(&'t self, ty: &'t Type) -> &'t Type {
        const MAX_STEPS: usize = 32;
        let mut found = ty;
        for _ in 0..MAX_STEPS {
            match found {
                Type::Named(name) => match self.schema.types.get(name) {
                    Some(ty) => found = ty,
                    None => return &Type::Any,
                },
                _ => return found,
            }
        }
        &Type::Any
    }
}

struct Builder<'s> {
    parts: HashMap<&'s str, &'s Arc<Body>>,
    /// The nodes of bodies, by the addresses of the bodies.
    known: HashMap<*const Body, Id>,
    nodes: Vec<Node>,
    waiting: Vec<(&'s Arc<Body>, Id)>,
}

impl<'s> Builder<'s> {
    /// Returns the node of a body, which is built later.
    fn id(&mut self, body: &'s Arc<Body>) -> Id {
        if let Some(id) = self.known.get(&Arc::as_ptr(body)) {
            return *id;
        }
        let id = self.nodes.len();
        self.nodes.push(Node::default());
        self.known.insert(Arc::as_ptr(body), id);
        self.waiting.push((body, id));
        id
    }

    fn run(&mut self) {
        while let Some((body, id)) = self.waiting.pop() {
            let mut node = Node { place: Some(body.place.clone()), ..Node::default() };
            // The body's own attributes and blocks override included ones, so it comes first.
            let mut bodies = vec![body];
            let mut included: HashSet<&str> = HashSet::new();
            while let Some(body) = bodies.pop() {
                self.add(&mut node, body);
                for include in body.includes.iter().rev() {
                    if let Some(part) = self.parts.get(include.part.as_str())
                        && included.insert(&include.part)
                    {
                        bodies.push(part);
                    }
                }
            }
            self.nodes[id] = Node { id: Some(id), ..node };
        }
    }

    fn add(&mut self, node: &mut Node, body: &'s Arc<Body>) {
        for attribute in &body.attributes {
            if attribute.is_free() {
                node.free_attribute.get_or_insert_with(|| attribute.clone());
            } else if !node.attributes.contains_key(attribute.name.as_str()) {
                node.attributes.insert(attribute.name.as_str().into(), attribute.clone());
                node.attribute_order.push(attribute.clone());
                if attribute.required {
                    node.required.push(attribute.clone());
                }
            }
        }
        for block in &body.blocks {
            let inner = self.id(&block.body);
            if block.is_free() {
                node.free_block.get_or_insert_with(|| (block.clone(), inner));
            } else if !node.blocks.contains_key(block.name.as_str()) {
                node.blocks.insert(block.name.as_str().into(), (block.clone(), inner));
                node.block_order.push(block.clone());
                if block.min > 0 {
                    node.required_blocks.push(block.clone());
                }
            }
        }
        for matched in &body.matches {
            let mut cases = Table::default();
            for case in &matched.cases {
                let id = self.id(&case.body);
                for value in &case.values {
                    cases.entry(value.as_str().into()).or_insert(id);
                }
            }
            let otherwise = match &matched.otherwise {
                Otherwise::Wrong => None,
                Otherwise::Body(body) => Some(self.id(body)),
            };
            node.matches.push(MatchNode { matched: matched.clone(), cases, otherwise });
        }
        node.open |= body.open;
        node.dynamic = node.dynamic.or(body.dynamic);
        node.rules.extend(body.rules.iter().cloned());
        node.checks.extend(body.checks.iter().cloned());
    }
}

impl<'i> Layers<'i> {
    /// Returns the nodes. The first that has a name counts.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'i Node> {
        self.indexed().map(|(_, node)| node)
    }

    /// Returns true if sensitive values may be in the body, or in blocks in it. They may come from a catalog, if there is
    /// one.
    pub(super) fn may_hide(&self, has_catalog: bool) -> bool {
        self.indexed().any(|(index, node)| {
            let hiding = node.id.map(|id| index.hiding()[id]).unwrap_or_default();
            hiding.by_schema || has_catalog && hiding.by_catalog
        })
    }

    fn indexed(&self) -> impl Iterator<Item = (&'i SchemaIndex, &'i Node)> {
        std::iter::once((self.index, self.base)).chain(self.more.iter().copied())
    }

    /// Adds the contents of a case.
    pub(super) fn add(&mut self, index: &'i SchemaIndex, id: Id) {
        self.add_node(index, &index.nodes[id]);
    }

    /// Adds all contents of another body, perhaps from another schema.
    pub(super) fn add_all(&mut self, other: &Layers<'i>) {
        self.open |= other.open;
        other.indexed().for_each(|(index, node)| self.add_node(index, node));
    }

    /// Adds a node unless it is present: a case may include the part that contains it.
    fn add_node(&mut self, index: &'i SchemaIndex, node: &'i Node) {
        if self.nodes().any(|known| std::ptr::eq(known, node)) {
            return;
        }
        self.open |= node.open;
        self.more.push((index, node));
    }

    /// Returns the contents that depend on labels and attributes, each with its schema.
    pub(super) fn match_nodes(&self) -> impl Iterator<Item = (&'i SchemaIndex, &'i MatchNode)> {
        self.indexed().flat_map(|(index, node)| node.matches.iter().map(move |match_node| (index, match_node)))
    }

    /// Marks the contents as open: the body may have more than is known.
    pub(super) fn set_open(&mut self) {
        self.open = true;
    }

    /// Returns the listed attribute with a name.
    pub fn attribute(&self, name: &str) -> Option<&'i Arc<Attribute>> {
        self.nodes().find_map(|node| node.attributes.get(name))
    }

    /// Returns the attribute that stands for names that are not listed.
    pub fn free_attribute(&self) -> Option<&'i Arc<Attribute>> {
        self.nodes().find_map(|node| node.free_attribute.as_ref())
    }

    /// Returns the listed blocks of a type, with their contents.
    pub fn block(&self, name: &str) -> Option<(&'i Arc<Block>, Layers<'i>)> {
        let listed = |(index, node): (&'i SchemaIndex, &'i Node)| Some((index, node.blocks.get(name)?));
        let (index, (block, id)) = self.indexed().find_map(listed)?;
        Some((block, index.layers(*id)))
    }

    /// Returns the blocks that stand for types that are not listed, with their contents.
    pub fn free_block(&self) -> Option<(&'i Arc<Block>, Layers<'i>)> {
        let listed = |(index, node): (&'i SchemaIndex, &'i Node)| Some((index, node.free_block.as_ref()?));
        let (index, (block, id)) = self.indexed().find_map(listed)?;
        Some((block, index.layers(*id)))
    }

    /// Returns the listed attributes, in the order of the schema file.
    pub fn attributes(&self) -> impl Iterator<Item = &'i Arc<Attribute>> {
        self.nodes().flat_map(|node| &node.attribute_order)
    }

    /// Returns the listed blocks, in the order of the schema file.
    pub fn blocks(&self) -> impl Iterator<Item = &'i Arc<Block>> {
        self.nodes().flat_map(|node| &node.block_order)
    }

    /// Returns true if any other attributes and blocks are allowed.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Returns the contents that depend on labels and attributes.
    pub fn matches(&self) -> impl Iterator<Item = &'i Match> {
        self.nodes().flat_map(|node| &node.matches).map(|match_node| &match_node.matched)
    }

    /// Adds the contents for a value of a label or attribute that others depend on. A value without a case makes the
    /// contents open, unless it is wrong.
    pub fn with_case(mut self, key: &str, value: &str) -> Layers<'i> {
        let matches: Vec<_> = self.match_nodes().filter(|(_, match_node)| match_node.matched.key == key).collect();
        for (index, match_node) in matches {
            match match_node.cases.get(value).copied().or(match_node.otherwise) {
                Some(id) => self.add(index, id),
                None => self.set_open(),
            }
        }
        self
    }

    /// Returns the rules of the body.
    pub fn rules(&self) -> impl Iterator<Item = (RuleKind, &'i [String])> {
        self.nodes().flat_map(|node| &node.rules).map(|rule| (rule.kind, &rule.names[..]))
    }

    /// Returns the place of the body in the schema file.
    pub fn place(&self) -> Option<&'i Place> {
        self.base.place.as_ref()
    }

    /// A number that identifies the body, to detect bodies that contain themselves.
    pub(super) fn identity(&self) -> usize {
        std::ptr::from_ref(self.base).addr()
    }

    /// Returns true if `dynamic` blocks may generate blocks of the body.
    pub fn generates(&self) -> bool {
        self.dynamic() == Some(true)
    }

    /// Returns true if `dynamic` blocks may generate blocks of the body and of those in it, and false if not. If `None`,
    /// the body around decides.
    #[doc(hidden)]
    pub fn dynamic(&self) -> Option<bool> {
        self.nodes().find_map(|node| node.dynamic)
    }

    pub(super) fn index(&self) -> &'i SchemaIndex {
        self.index
    }
}
