//! Resolves addresses: finds the parts of a file that an address matches.
//!
//! Each step maps a set of positions to the next set. A set contains a position only once, and has at most as many as
//! the file is long, whatever the address: `**` after `**` costs no more than a single `**`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::JsonTemplates;
use super::items::{AttributeRef, BlockRef, BodyRef, Items};
use super::node::{Node, ValueRef, interpolations, operands};
use super::path::{PathId, PathStep, Paths};
use super::position::{At, AtBlock};
use super::target::{Target, TargetKind};
use super::trace::{Miss, Trace};
use super::{Address, AddressStep};
use hcl_lr::internal::work;
use hcl_lr::json::{ConversionSchema, Document};
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::{BodyNode, ExpressionKind};

impl Address {
    /// Returns the targets of the address in a body, which is usually that of a file. Each target comes once, in
    /// source order.
    pub fn resolve<'t>(&self, body: BodyNode<'t>) -> Vec<Target<'t>> {
        Resolver::new(body.shared_source()).resolve(self, BodyRef::Native(body))
    }

    /// Returns the targets of the address within another target. The steps begin in the body of a block, or else in
    /// the value.
    ///
    /// ```
    /// use hcl_lr_edit::address::Address;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a {\n  x = { y = b.c }\n}\n").into_result()?;
    /// let block = &"a".parse::<Address>()?.resolve(file.body())[0];
    /// assert_eq!("x.y".parse::<Address>()?.resolve_within(block)[0].value_text(), Some("b.c"));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn resolve_within<'t>(&self, target: &Target<'t>) -> Vec<Target<'t>> {
        let at = match target.kind() {
            TargetKind::Body(body) => At::Body(BodyRef::Native(*body)),
            TargetKind::Block(block) => At::Body(BodyRef::Native(block.body())),
            TargetKind::Attribute(attribute) => At::Node(Node::Attribute(*attribute)),
            TargetKind::Entry(entry) => At::Node(Node::Entry(*entry)),
            TargetKind::Element(expression) => At::Node(Node::Element(*expression)),
            TargetKind::Expression(expression) => At::Node(Node::Expression(*expression)),
            TargetKind::JsonBlock(block) => At::Body(BodyRef::Json(block.body(), block.shapes().clone())),
            TargetKind::JsonAttribute(property) => At::Node(Node::JsonAttribute(*property)),
            TargetKind::JsonEntry(property) => At::Node(Node::JsonEntry(*property)),
            TargetKind::JsonBody(node) | TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => {
                At::Node(Node::JsonValue(*node))
            }
        };
        let mut resolver = Resolver::new(target.source);
        let set = resolver.follow_from(self, at, &mut |_, _| ());
        let paths = Arc::new(std::mem::take(&mut resolver.paths));
        resolver.targets(set, &paths)
    }

    /// Follows the address in a body, and returns its targets and the places where a step finds nothing.
    ///
    /// ```
    /// use hcl_lr_edit::address::Address;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a {\n  x = 1\n}\na {\n  y = 2\n}\n").into_result()?;
    /// let trace = "a[*].x".parse::<Address>()?.trace(file.body());
    /// assert_eq!(trace.targets().len(), 1);
    /// assert_eq!(trace.misses()[0].target().address().to_string(), "a[1]");
    /// assert_eq!(trace.misses()[0].step(), 2);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn trace<'t>(&self, body: BodyNode<'t>) -> Trace<'t> {
        Resolver::new(body.shared_source()).trace(self, BodyRef::Native(body))
    }

    /// Follows the address in a document as [`resolve_json`](Address::resolve_json) does, and returns its targets and
    /// the places where a step finds nothing.
    pub fn trace_json<'t>(
        &self,
        document: &'t Document,
        schema: &'t ConversionSchema,
        templates: Option<&'t JsonTemplates>,
    ) -> Trace<'t> {
        let mut resolver = Resolver::new(document.source());
        resolver.templates = templates.filter(|templates| templates.are_of(document));
        resolver.trace(self, BodyRef::Json(document.root(), schema.root()))
    }

    /// Returns the targets of the address in a document, where the schema says which properties are blocks. With
    /// templates, `**` also reaches into strings. The [place](Target::place) of a target in a string is in the
    /// document, its [span](Target::span) in the text of the string. Templates of another document are ignored.
    ///
    /// ```
    /// use hcl_lr_edit::address::Address;
    /// use hcl_lr::json::ConversionSchema;
    /// use hcl_lr::{File, parse};
    ///
    /// let schema = ConversionSchema::of(parse::<File>("module \"name\" {}\n").into_result()?.body());
    /// let document = hcl_lr::parse::<hcl_lr::json::Document>("{\"module\": {\"vpc\": {\"source\": \"./vpc\"}}}").into_result()?;
    /// let found = "module[*].source".parse::<Address>()?.resolve_json(&document, &schema, None);
    /// assert_eq!(found[0].value_text(), Some("\"./vpc\""));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn resolve_json<'t>(
        &self,
        document: &'t Document,
        schema: &'t ConversionSchema,
        templates: Option<&'t JsonTemplates>,
    ) -> Vec<Target<'t>> {
        let mut resolver = Resolver::new(document.source());
        resolver.templates = templates.filter(|templates| templates.are_of(document));
        resolver.resolve(self, BodyRef::Json(document.root(), schema.root()))
    }
}

/// A position from which the next step starts.
#[derive(Clone)]
struct Position<'t> {
    at: At<'t>,
    path: PathId,
}

/// A set of positions.
#[derive(Default)]
struct Set<'t> {
    positions: Vec<Position<'t>>,
    known: HashSet<(u8, u32, usize, bool)>,
}

impl<'t> Set<'t> {
    /// Adds a position and returns true if it is new.
    fn add(&mut self, position: Position<'t>) -> bool {
        work::step(1);
        let identity = match &position.at {
            At::Body(_) => (u8::MAX, 0, 0, false),
            At::Block(block) => (u8::MAX - 1, block.item().id(), block.named, block.chosen),
            At::Node(node) => {
                let (kind, id, source) = node.id();
                (kind, id, source, false)
            }
        };
        let new = self.known.insert(identity);
        if new {
            self.positions.push(position);
        }
        new
    }
}

struct Resolver<'t> {
    source: &'t Arc<Source>,
    paths: Paths<'t>,
    /// The items of the bodies visited so far, by the number of the body.
    bodies: HashMap<u32, Arc<Items<'t>>>,
    /// The number for the next group of blocks.
    groups: u32,
    templates: Option<&'t JsonTemplates>,
}

impl<'t> Resolver<'t> {
    fn new(source: &'t Arc<Source>) -> Self {
        Resolver { source, paths: Paths::default(), bodies: HashMap::new(), groups: 0, templates: None }
    }

    fn resolve(mut self, address: &Address, body: BodyRef<'t>) -> Vec<Target<'t>> {
        let set = self.follow_from(address, At::Body(body), &mut |_, _| ());
        let paths = Arc::new(std::mem::take(&mut self.paths));
        self.targets(set, &paths)
    }

    fn trace(mut self, address: &Address, body: BodyRef<'t>) -> Trace<'t> {
        let mut missed = Vec::new();
        let set =
            self.follow_from(address, At::Body(body), &mut |step, position| missed.push((step, position.clone())));
        let paths = Arc::new(std::mem::take(&mut self.paths));
        let miss = |(step, position): (usize, Position<'t>)| {
            let at = position.at.clone();
            Miss { step, at, target: self.target(position, &paths) }
        };
        Trace { misses: missed.into_iter().map(miss).collect(), targets: self.targets(set, &paths) }
    }

    /// Takes all steps of an address. Calls `missed` with the index of a step and each position at which that step
    /// finds nothing.
    fn follow_from(&mut self, address: &Address, at: At<'t>, missed: &mut dyn FnMut(usize, &Position<'t>)) -> Set<'t> {
        let mut set = Set::default();
        set.add(Position { at, path: Paths::ROOT });
        let mut before = None;
        for (index, step) in address.steps().iter().enumerate() {
            // Most matches of `**` are unrelated to the step after it.
            let counts = before != Some(&AddressStep::Deep);
            set = self.step(step, set, &mut |position| {
                if counts {
                    missed(index, position);
                }
            });
            before = Some(step);
        }
        set
    }

    /// Takes a step from all positions of a set, and calls `missed` for each at which it finds nothing.
    fn step(&mut self, step: &AddressStep, set: Set<'t>, missed: &mut dyn FnMut(&Position<'t>)) -> Set<'t> {
        let mut found = Set::default();
        match step {
            AddressStep::Deep => self.descend(set, &mut found),
            AddressStep::Any => {
                for position in &set.positions {
                    let before = found.positions.len();
                    self.children(position, &mut found);
                    if found.positions.len() == before {
                        missed(position);
                    }
                }
            }
            AddressStep::Index(_) | AddressStep::Computed(_) | AddressStep::Name(_) => {
                let winners = match step {
                    AddressStep::Name(name) => groups_with_label(&set, name),
                    _ => HashSet::new(),
                };
                for position in &set.positions {
                    let before = found.positions.len();
                    self.take(step, position, &winners, &mut found);
                    let is_beaten = matches!(&position.at, At::Block(block) if block.is_beaten(&winners));
                    if found.positions.len() == before && !is_beaten {
                        missed(position);
                    }
                }
            }
        }
        found
    }

    /// Takes a name, an index or a computed key from one position.
    fn take(&mut self, step: &AddressStep, position: &Position<'t>, winners: &HashSet<u32>, found: &mut Set<'t>) {
        match (&position.at, step) {
            (At::Node(node), _) => {
                for (key, part) in node.value().parts() {
                    work::step(1);
                    if matches_key(step, &key) {
                        let path = self.paths.add(position.path, key);
                        found.add(Position { at: At::Node(part), path });
                    }
                }
            }
            (At::Body(body), AddressStep::Name(name)) => self.named_items(body, position.path, name, found),
            (At::Block(block), AddressStep::Name(name)) => match block.next_label() {
                Some(label) if label == name => {
                    found.add(Position { at: At::Block(block.with_label()), path: position.path });
                }
                Some(_) => {}
                None if block.is_beaten(winners) => {}
                None => self.named_items(&block.item().body(), position.path, name, found),
            },
            (At::Block(block), AddressStep::Index(index)) if !block.chosen && block.before() == *index => {
                found.add(Position { at: At::Block(block.chosen()), path: position.path });
            }
            _ => {}
        }
    }

    fn items(&mut self, body: &BodyRef<'t>, path: PathId) -> Arc<Items<'t>> {
        let id = match body {
            BodyRef::Native(body) => body.id().get(),
            BodyRef::Json(node, _) => node.id(),
        };
        if let Some(items) = self.bodies.get(&id) {
            return items.clone();
        }
        let mut items = Items::of(body);
        items.arrange(path, &mut self.paths, &mut self.groups);
        let items = Arc::new(items);
        self.bodies.insert(id, items.clone());
        items
    }

    /// Collects the items of a body with this name.
    fn named_items(&mut self, body: &BodyRef<'t>, path: PathId, name: &str, found: &mut Set<'t>) {
        self.add_items(body, path, |other| other == name, found);
    }

    fn add_items(&mut self, body: &BodyRef<'t>, path: PathId, wanted: impl Fn(&str) -> bool, found: &mut Set<'t>) {
        let items = self.items(body, path);
        work::step(items.attributes.len() + items.blocks.len());
        for (name, attribute) in items.attributes.iter().filter(|(name, _)| wanted(name)) {
            let path = self.paths.add(path, PathStep::Name(name.clone()));
            let node = match *attribute {
                AttributeRef::Native(attribute) => Node::Attribute(attribute),
                AttributeRef::Json(member) => Node::JsonAttribute(member),
            };
            found.add(Position { at: At::Node(node), path });
        }
        for (index, item) in items.blocks.iter().enumerate().filter(|(_, item)| wanted(&item.block_type)) {
            let block = AtBlock { items: items.clone(), index, named: 0, chosen: false };
            found.add(Position { at: At::Block(block), path: item.path });
        }
    }

    /// Collects everything that `[*]` reaches.
    fn children(&mut self, position: &Position<'t>, found: &mut Set<'t>) {
        let path = position.path;
        match &position.at {
            At::Body(body) => self.add_items(body, path, |_| true, found),
            At::Block(block) if block.chosen => self.add_items(&block.item().body(), path, |_| true, found),
            At::Block(block) => {
                let next = if block.next_label().is_some() { block.with_label() } else { block.chosen() };
                found.add(Position { at: At::Block(next), path });
            }
            At::Node(node) => {
                for (key, part) in node.value().parts() {
                    let path = self.paths.add(path, key);
                    found.add(Position { at: At::Node(part), path });
                }
            }
        }
    }

    /// Collects all positions of a set and everything inside them.
    fn descend(&mut self, set: Set<'t>, found: &mut Set<'t>) {
        let mut waiting = set.positions;
        while let Some(position) = waiting.pop() {
            if !found.add(position.clone()) {
                continue;
            }
            let mut within = Set::default();
            match position.at {
                At::Node(node) => self.within(node, position.path, &mut within),
                At::Body(_) | At::Block(_) => self.children(&position, &mut within),
            }
            waiting.append(&mut within.positions);
        }
    }

    /// Collects everything directly inside a node, including parts that only `**` reaches.
    fn within(&mut self, node: Node<'t>, path: PathId, found: &mut Set<'t>) {
        let mut add = |node: Node<'t>, path: PathId| found.add(Position { at: At::Node(node), path });
        let expression = match node {
            Node::Attribute(attribute) => {
                add(Node::Expression(attribute.expression()), path);
                return;
            }
            Node::Entry(element) => {
                add(Node::Expression(element.value()), path);
                return;
            }
            Node::JsonAttribute(member) | Node::JsonEntry(member) => {
                add(Node::JsonValue(member.value()), path);
                return;
            }
            Node::JsonElement(node) | Node::JsonValue(node) => {
                for (key, part) in ValueRef::Json(node).parts() {
                    add(part, self.paths.add(path, key));
                }
                if let Some(template) = self.templates.and_then(|templates| templates.get(node.id())) {
                    let template = template.template();
                    if let Some(expression) = template.unwrapped() {
                        add(Node::Expression(expression), path);
                        return;
                    }
                    for expression in interpolations(template) {
                        add(Node::Expression(expression), self.paths.below(path));
                    }
                }
                return;
            }
            Node::Element(expression) | Node::Expression(expression) => expression,
        };
        if let ExpressionKind::Parentheses(parentheses) = expression.kind() {
            add(Node::Expression(parentheses.inner()), path);
            return;
        }
        let mut parts = ValueRef::Native(expression).parts().peekable();
        let is_list = parts.peek().is_some_and(|(_, part)| matches!(part, Node::Element(_)));
        for (key, part) in parts {
            add(part, self.paths.add(path, key));
        }
        if !is_list {
            for operand in operands(expression) {
                add(Node::Expression(operand), self.paths.below(path));
            }
        }
    }

    fn targets(&self, set: Set<'t>, paths: &Arc<Paths<'t>>) -> Vec<Target<'t>> {
        let mut targets: Vec<Target<'t>> = Vec::with_capacity(set.positions.len());
        // A block may be reached several times, with more or fewer labels named.
        let mut blocks: HashMap<u32, usize> = HashMap::new();
        for position in set.positions {
            if let At::Block(block) = &position.at {
                if let Some(&known) = blocks.get(&block.item().id()) {
                    let known = &mut targets[known];
                    known.labels_named = known.labels_named.max(block.named);
                    continue;
                }
                blocks.insert(block.item().id(), targets.len());
            }
            targets.push(self.target(position, paths));
        }
        // Outer targets come before inner ones.
        targets.sort_by_cached_key(|target| {
            let span = target.place().span();
            (span.start(), std::cmp::Reverse(span.end()), rank(target.kind()))
        });
        targets
    }

    fn target(&self, Position { at, path }: Position<'t>, paths: &Arc<Paths<'t>>) -> Target<'t> {
        let mut labels_named = 0;
        let kind = match at {
            At::Body(BodyRef::Native(body)) => TargetKind::Body(body),
            At::Body(BodyRef::Json(node, _)) => TargetKind::JsonBody(node),
            At::Block(block) => {
                labels_named = block.named;
                match &block.item().block {
                    BlockRef::Native(block) => TargetKind::Block(*block),
                    BlockRef::Json(block) => TargetKind::JsonBlock(block.clone()),
                }
            }
            At::Node(node) => match node {
                Node::Attribute(attribute) => TargetKind::Attribute(attribute),
                Node::Entry(element) => TargetKind::Entry(element),
                Node::Element(expression) => TargetKind::Element(expression),
                Node::Expression(expression) => TargetKind::Expression(expression),
                Node::JsonAttribute(member) => TargetKind::JsonAttribute(member),
                Node::JsonEntry(member) => TargetKind::JsonEntry(member),
                Node::JsonElement(node) => TargetKind::JsonElement(node),
                Node::JsonValue(node) => TargetKind::JsonValue(node),
            },
        };
        let source = match &kind {
            TargetKind::Entry(element) => element.value().shared_source(),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => expression.shared_source(),
            _ => self.source,
        };
        Target { kind, source, labels_named, paths: paths.clone(), path }
    }
}

/// Ranks targets at the same place, the outermost first.
fn rank(kind: &TargetKind<'_>) -> u8 {
    match kind {
        TargetKind::Body(_) => 0,
        TargetKind::Block(_) => 1,
        TargetKind::Attribute(_) => 2,
        TargetKind::Entry(_) => 3,
        TargetKind::Element(_) => 4,
        TargetKind::Expression(_) => 5,
        TargetKind::JsonBody(_) => 0,
        TargetKind::JsonBlock(_) => 1,
        TargetKind::JsonAttribute(_) => 2,
        TargetKind::JsonEntry(_) => 3,
        TargetKind::JsonElement(_) => 4,
        TargetKind::JsonValue(_) => 5,
    }
}

/// Returns the groups in which some block has `name` as its next label.
fn groups_with_label(set: &Set<'_>, name: &str) -> HashSet<u32> {
    let blocks = set.positions.iter().filter_map(|position| match &position.at {
        At::Block(block) => Some(block),
        _ => None,
    });
    blocks.filter(|block| block.next_label() == Some(name)).map(AtBlock::group).collect()
}

fn matches_key(step: &AddressStep, key: &PathStep<'_>) -> bool {
    match (step, key) {
        (AddressStep::Name(name), PathStep::Name(key)) => name == key,
        (AddressStep::Index(index), PathStep::Index(at)) => index == at,
        // The keys of objects are strings.
        (AddressStep::Index(index), PathStep::Name(key)) => {
            key.as_bytes().first().is_some_and(u8::is_ascii_digit) && *key == index.to_string()
        }
        (AddressStep::Computed(text), PathStep::Computed(key)) => text == key,
        _ => false,
    }
}
