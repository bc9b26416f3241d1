//! Bodies in the JSON syntax, with the blocks that a schema knows.

use std::borrow::Cow;

use super::items::{AttributeRef, BlockItem, BlockRef, Items, JsonBlock};
use hcl_lr::internal::Shapes;
use hcl_lr::json::{COMMENT, Node, NodeKind, Property};

impl<'t> Items<'t> {
    /// Collects the items of a body in JSON; `shapes` is the part of the schema for it.
    pub(super) fn of_json(node: Node<'t>, shapes: &Shapes<'t>) -> Items<'t> {
        let mut items = Items::default();
        // The body of a file may be an array of objects.
        let parts: Vec<Node<'t>> = match node.kind() {
            NodeKind::Array(array) => array.elements().collect(),
            _ => vec![node],
        };
        for member in parts.into_iter().filter_map(Node::as_object).flat_map(|object| object.properties()) {
            let name = member.name();
            match shapes.block(&name) {
                _ if name == COMMENT => {}
                None => items.attributes.push((name, AttributeRef::Json(member))),
                Some(known) => {
                    for (labels, body) in blocks(member, known.labels.len()) {
                        let names: Vec<Cow<'t, str>> = labels.iter().map(|label| label.name()).collect();
                        let shapes = shapes.within(Some(known), names.iter().map(|name| &**name));
                        let block = JsonBlock { block_type: member, labels, body, shapes };
                        items.blocks.push(BlockItem::new(BlockRef::Json(block)));
                    }
                }
            }
        }
        items
    }
}

/// Returns the labels and bodies of the blocks in a property. Null values and values that cannot be blocks are left
/// out.
fn blocks(block_type: Property<'_>, labels: usize) -> Vec<(Vec<Property<'_>>, Node<'_>)> {
    let mut blocks = Vec::new();
    // The waiting values are taken from the end.
    let mut waiting = vec![(block_type.value(), Vec::new())];
    while let Some((node, names)) = waiting.pop() {
        match node.kind() {
            NodeKind::Array(array) => {
                let elements: Vec<Node<'_>> = array.elements().collect();
                waiting.extend(elements.into_iter().rev().map(|element| (element, names.clone())));
            }
            NodeKind::Object(_) if names.len() == labels => blocks.push((names, node)),
            NodeKind::Object(object) => {
                let members: Vec<Property<'_>> =
                    object.properties().filter(|member| member.name() != COMMENT).collect();
                waiting.extend(members.into_iter().rev().map(|member| {
                    let mut names = names.clone();
                    names.push(member);
                    (member.value(), names)
                }));
            }
            _ => {}
        }
    }
    blocks
}
