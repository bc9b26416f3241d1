//! The parts of a file in JSON in which names do not mean what the files define: in blocks that `dynamic` blocks generate,
//! and in arguments that are not evaluated.
//!
//! JSON does not tell which properties are blocks. Each property `dynamic` counts as one:
//!
//! ```json
//! "dynamic": { "port": { "for_each": "${var.ports}", "iterator": "it", "content": { "number": "${it.value}" } } }
//! ```
//!
//! Here `it` is defined in the value of `content`.

use std::collections::HashMap;

use super::roles::Roles;
use hcl_lr::json::{Document, Node, NodeKind, Object, Property};
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::Traversal;

/// The type of blocks that generate others.
pub(super) const DYNAMIC: &str = "dynamic";

/// The parts of a file.
pub(super) struct JsonParts {
    /// By each name that `dynamic` blocks define.
    generated: HashMap<String, Vec<Span>>,
    unevaluated: Vec<Span>,
    /// Arguments with addresses: what they name need not be defined.
    addresses: Vec<Span>,
}

impl JsonParts {
    pub fn of(document: &Document, roles: &Roles) -> JsonParts {
        let mut parts = JsonParts { generated: HashMap::new(), unevaluated: Vec::new(), addresses: Vec::new() };
        for member in members_of(document) {
            match roles.is_unevaluated("", &member.name()) {
                true => parts.unevaluated.push(member.value().span()),
                false => {
                    let labels = roles.of_block(&member.name()).map_or(0, |role| role.label_names().len());
                    parts.add(member.value(), &member.name(), labels, roles);
                }
            }
        }
        parts.generated.values_mut().for_each(outermost);
        outermost(&mut parts.unevaluated);
        outermost(&mut parts.addresses);
        parts
    }

    /// Adds the parts of blocks of a type, or of what may be such blocks.
    fn add(&mut self, blocks: Node<'_>, block_type: &str, labels: usize, roles: &Roles) {
        let mut waiting = vec![(blocks, block_type.to_owned(), labels)];
        while let Some((node, block_type, labels)) = waiting.pop() {
            match node.kind() {
                NodeKind::Array(array) => {
                    waiting.extend(array.elements().map(|element| (element, block_type.clone(), labels)));
                }
                NodeKind::Object(object) if labels > 0 => {
                    let bodies = object.properties().map(|member| (member.value(), block_type.clone(), labels - 1));
                    waiting.extend(bodies);
                }
                NodeKind::Object(object) => {
                    for property in object.properties() {
                        let name = property.name();
                        if roles.is_unevaluated(&block_type, &name) {
                            self.unevaluated.push(property.value().span());
                            continue;
                        }
                        if roles.has_addresses(&block_type, &name) {
                            self.addresses.push(property.value().span());
                        }
                        if name == DYNAMIC {
                            objects(property.value()).for_each(|blocks| self.add_generated(blocks));
                        }
                        waiting.push((property.value(), name.into_owned(), 0));
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the names of `dynamic` blocks by their labels.
    fn add_generated(&mut self, blocks: Object<'_>) {
        for block in blocks.properties() {
            for body in objects(block.value()) {
                let find = |name: &str| body.properties().find(|property| property.name() == name);
                let named = find("iterator").and_then(|name| name.value().as_string());
                let name = named.map_or_else(|| block.name(), |name| name.text()).into_owned();
                let within = [find("labels"), find("content")].into_iter().flatten();
                self.generated.entry(name).or_default().extend(within.map(|property| property.value().span()));
            }
        }
    }

    /// Returns true if a reference is in an argument that is not evaluated, or its first name is that of a `dynamic`
    /// block around it.
    pub fn hides(&self, reference: &Traversal) -> bool {
        let at = reference.place().span().start();
        self.generated.get(reference.root()).is_some_and(|spans| contain(spans, at)) || contain(&self.unevaluated, at)
    }

    /// Returns true if what a reference names need not be defined by the files.
    pub fn may_be_undefined(&self, reference: &Traversal) -> bool {
        self.hides(reference) || contain(&self.addresses, reference.place().span().start())
    }

    /// Returns true if a place is in an argument that is not evaluated.
    pub fn is_unevaluated(&self, place: &Place) -> bool {
        contain(&self.unevaluated, place.span().start())
    }
}

/// Keeps the spans that no other one contains, in order.
fn outermost(spans: &mut Vec<Span>) {
    spans.sort_unstable_by_key(|span| (span.start(), std::cmp::Reverse(span.end())));
    let mut end = 0;
    spans.retain(|span| {
        let is_new = span.end() > end;
        end = end.max(span.end());
        is_new
    });
}

fn contain(spans: &[Span], at: usize) -> bool {
    let after = spans.partition_point(|span| span.start() <= at);
    after.checked_sub(1).is_some_and(|found| at < spans[found].end())
}

/// Returns the object that a node is, or the objects in the array that it is.
pub(super) fn objects(node: Node<'_>) -> impl Iterator<Item = Object<'_>> {
    let elements = node.as_array().into_iter().flat_map(|array| array.elements());
    std::iter::once(node).chain(elements).filter_map(Node::as_object)
}

/// The properties of the object that a document is, or of the objects in the array that it is.
pub(super) fn members_of(document: &Document) -> impl Iterator<Item = Property<'_>> {
    let root = document.root();
    let of_array = root.as_array().into_iter().flat_map(|array| array.elements());
    std::iter::once(root).chain(of_array).filter_map(Node::as_object).flat_map(|object| object.properties())
}
