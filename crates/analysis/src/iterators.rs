//! The names that `dynamic` blocks define for their generated blocks.

use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode};

/// Returns the iterator names of the `dynamic` blocks around a place, from the outermost: the label of each, or its
/// `iterator`.
pub(crate) fn iterators(body: BodyNode<'_>, offset: usize) -> Vec<String> {
    let (mut body, mut names) = (body, Vec::new());
    while let Some(BodyItem::Block(block)) = crate::spans::item_at(body, offset) {
        names.extend(iterator(block));
        body = block.body();
    }
    names
}

/// Returns the iterator name of a `dynamic` block.
pub(crate) fn iterator(block: BlockNode<'_>) -> Option<String> {
    if block.block_type() != "dynamic" {
        return None;
    }
    let named = block.body().attribute("iterator").map(|attribute| attribute.expression().text().to_owned());
    named.or_else(|| block.labels().next().map(|label| label.text().into_owned()))
}
