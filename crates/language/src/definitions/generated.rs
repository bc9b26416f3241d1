//! Blocks of a type of which `dynamic` blocks generate some.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError};

use super::ids::NodeId;
use super::instances::At;
use super::json_parts::{DYNAMIC, objects};
use super::program::{NodeKind as Kind, Target};
use super::state::{State, unknown};
use hcl_lr::body::{Block, Body, BodySchema, Expression};
use hcl_lr::decode::Spec;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::dynamic::Expander;
use hcl_lr::json::{Node, NodeKind};
use hcl_lr::model::{MarkSet, Value};
use hcl_lr::source::Span;
use hcl_lr::stack;
use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode};

/// The name that stands for blocks with unknown labels where a value is shown.
const ANY: &str = "*";

/// The blocks of a type in a body, of which dynamic blocks generate some.
pub(super) struct Generated {
    /// The body with the blocks.
    body: Body,
    schema: BodySchema,
    labels: usize,
    /// The blocks that are written, by the places of their types.
    written: BTreeMap<Span, NodeId>,
    /// All expressions of the dynamic blocks. Names of current elements are no variables of them.
    expressions: Vec<Expression>,
}

/// A block, its value, and the value that is shown.
type Item<'b> = (&'b Block, Value, Value);

impl Generated {
    /// The blocks of a type in a body, which have this number of labels, with the nodes of those that are written.
    pub fn new(
        body: &Body,
        node: BodyNode<'_>,
        block_type: &str,
        labels: usize,
        written: BTreeMap<Span, NodeId>,
    ) -> Generated {
        let mut expressions = Vec::new();
        for block in node.blocks().filter(|block| block.block_type() == DYNAMIC) {
            if block.labels().next().is_some_and(|label| label.text() == block_type) {
                collect(block, &Arc::default(), &mut expressions);
            }
        }
        let schema = BodySchema::new().block(block_type, &vec!["label"; labels]);
        Generated { body: body.clone(), schema, labels, written, expressions }
    }

    /// The blocks of a type in a body in JSON, whose properties have these expressions.
    pub fn of_expressions(body: &Body, block_type: &str, labels: usize, expressions: Vec<Expression>) -> Generated {
        let schema = BodySchema::new().block(block_type, &vec!["label"; labels]);
        Generated { body: body.clone(), schema, labels, written: BTreeMap::new(), expressions }
    }

    /// Returns the expressions of the dynamic blocks.
    pub fn expressions(&self) -> &[Expression] {
        &self.expressions
    }

    /// Returns the nodes of the blocks that are written.
    pub fn written(&self) -> impl Iterator<Item = NodeId> {
        self.written.values().copied()
    }
}

/// Returns an object of blocks by their labels; without further labels, the list of them. If there may be more, an unknown
/// part stands for them.
fn by_labels<'v>(blocks: impl Iterator<Item = (&'v Block, Value)>, at: usize, labels: usize, more: bool) -> Value {
    if at == labels {
        let more = more.then(unknown);
        return Value::tuple(blocks.map(|(_, value)| value).chain(more).collect::<Vec<_>>());
    }
    let mut groups: BTreeMap<&str, Vec<(&Block, Value)>> = BTreeMap::new();
    let mut has_more = more;
    for (block, value) in blocks {
        match block.label(at).filter(|label| !label.is_empty() || !block.body().is_unknown()) {
            Some(label) => groups.entry(label).or_default().push((block, value)),
            None => has_more = true,
        }
    }
    // No deeper than there are labels.
    let groups =
        groups.into_iter().map(|(label, blocks)| (label, by_labels(blocks.into_iter(), at + 1, labels, false)));
    Value::object(groups.chain(has_more.then(|| (ANY, unknown()))).collect::<Vec<_>>())
}

/// Adds the expressions of a block and of those in it.
fn collect(block: BlockNode<'_>, iterators: &Arc<HashMap<String, Value>>, found: &mut Vec<Expression>) {
    let mut inner = iterators.clone();
    let is_dynamic = block.block_type() == DYNAMIC;
    if is_dynamic {
        let named = block.body().attribute("iterator").and_then(|attribute| attribute.expression().keyword());
        let label = || block.labels().next().map(|label| label.text().into_owned());
        if let Some(name) = named.map(str::to_owned).or_else(label) {
            Arc::make_mut(&mut inner).insert(name, unknown());
        }
    }
    for item in block.body().items() {
        match item {
            BodyItem::Attribute(attribute) if is_dynamic && attribute.name() == "iterator" => {}
            BodyItem::Attribute(attribute) => {
                let is_outside = is_dynamic && attribute.name() == "for_each";
                let iterators = if is_outside { iterators } else { &inner };
                let expression = Expression::from(attribute.expression());
                found.push(if iterators.is_empty() {
                    expression
                } else {
                    expression.with_variables(iterators.clone())
                });
            }
            BodyItem::Block(block) => stack::with_room(|| collect(block, &inner, found)),
            _ => {}
        }
    }
}

/// Returns the names that dynamic blocks anywhere in a body in JSON define, with unknown values.
pub(super) fn iterators_in_json(node: Node<'_>) -> Arc<HashMap<String, Value>> {
    let mut found = HashMap::new();
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            NodeKind::Object(object) => {
                for property in object.properties() {
                    waiting.push(property.value());
                    if property.name() == DYNAMIC {
                        add_iterators(property.value(), &mut found);
                    }
                }
            }
            NodeKind::Array(array) => waiting.extend(array.elements()),
            _ => {}
        }
    }
    Arc::new(found)
}

/// Adds the names that dynamic blocks define, given by the objects with their labels.
fn add_iterators(node: Node<'_>, found: &mut HashMap<String, Value>) {
    for block in objects(node).flat_map(|object| object.properties()) {
        found.insert(block.name().into_owned(), unknown());
        for body in objects(block.value()) {
            let iterator = body.properties().find(|property| property.name() == "iterator");
            if let Some(NodeKind::String(name)) = iterator.map(|iterator| iterator.value().kind()) {
                found.insert(name.text().into_owned(), unknown());
            }
        }
    }
}

/// Returns the number of labels of the blocks that a dynamic block generates. `None` if it is no list in brackets.
pub(super) fn labels_of_generated(block: BlockNode<'_>) -> Option<usize> {
    match block.body().attribute("labels") {
        Some(labels) => Some(labels.expression().static_list().ok()?.len()),
        None => Some(0),
    }
}

impl State {
    /// Returns the value of blocks of which dynamic blocks generate some. It is unknown if their number is. The value that
    /// is shown then has the known blocks, and is kept.
    pub fn generated(&self, number: NodeId, generated: &Generated, at: At, diagnostics: &mut Diagnostics) -> Value {
        let node = &self.program[number];
        let variables = self.variables(&node.uses, node.module, at);
        let (value, shown) = self.in_scope(node.module, at, |scope| {
            let scope = scope.child().with_variables(&variables);
            let body = Expander::new(&scope).with_unknown_labels().expand(generated.body.clone());
            let (content, found) = body.expected_content(&generated.schema).into_parts();
            // A collection with an error is as unknown as its value.
            let is_wrong = found.has_errors();
            diagnostics.append(found);
            let anything = Spec::open_object(Vec::<(&str, Spec)>::new());
            let mut marks = MarkSet::default();
            let item = |block| -> Item<'_> {
                let block: &Block = block;
                let body = block.body();
                if let Some(&node) = generated.written.get(&block.type_place().span()) {
                    return (block, self.of_node(node, at), self.shown(node, at));
                }
                let value = anything.decode(body, &scope).into_value_reporting_to(diagnostics);
                marks = marks.union(&body.marks()).union(&value.marks_deep());
                let value = if body.is_unknown() { unknown() } else { value }.with_marks(&body.marks());
                (block, value.clone(), value)
            };
            let items: Vec<Item<'_>> = content.blocks().iter().map(item).collect();
            let is_unknown = is_wrong || items.iter().any(|(block, ..)| block.body().is_unknown());
            let value = match is_unknown {
                true => unknown().with_marks(&marks),
                false => {
                    let values = items.iter().map(|(block, value, _)| (*block, value.clone()));
                    by_labels(values, 0, generated.labels, false)
                }
            };
            let shown = items.into_iter().map(|(block, _, shown)| (block, shown));
            (value, by_labels(shown, 0, generated.labels, is_wrong))
        });
        if !value.is_wholly_known() {
            let mut all = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert((number, at.instance), shown);
        }
        value
    }

    /// Returns the value of a node as it is shown. Blocks whose number is unknown do not hide those beside them.
    pub fn shown(&self, node: NodeId, at: At) -> Value {
        let value = self.of_node(node, at);
        if value.is_wholly_known() || value.is_marked() {
            return value;
        }
        match &self.program[node].kind {
            Kind::Generated(_) => {
                let instance = self.in_frame(at, self.program[node].frame);
                let all = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
                all.get(&(node, instance)).cloned().unwrap_or(value)
            }
            Kind::Object { members, blocks, open: false } => stack::with_room(|| {
                let members = members.iter().map(|(name, target)| match target {
                    Target::Node(node) => (&**name, self.shown(*node, at)),
                    target => (&**name, self.scope.metered(|_, account| self.target(target, at, account))),
                });
                let blocks = blocks.iter().map(|(name, blocks)| {
                    (&**name, Value::tuple(blocks.iter().map(|&block| self.shown(block, at)).collect::<Vec<_>>()))
                });
                Value::object(members.chain(blocks).collect::<Vec<_>>())
            }),
            _ => value,
        }
    }
}
