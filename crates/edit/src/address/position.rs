//! The positions that the steps of an address reach.

use std::collections::HashSet;
use std::sync::Arc;

use super::items::{BlockItem, BodyRef, Items};
use super::node::Node;

/// A part of a file that a step has reached.
#[derive(Clone)]
pub(super) enum At<'t> {
    Body(BodyRef<'t>),
    Block(AtBlock<'t>),
    Node(Node<'t>),
}

/// A block that a step has reached.
#[derive(Clone)]
pub(super) struct AtBlock<'t> {
    /// The items of the body that contains the block, and its index among the blocks there.
    pub items: Arc<Items<'t>>,
    pub index: usize,
    /// The number of labels named so far.
    pub named: usize,
    /// True if an index chose it among blocks with the same labels, so that the next step applies to its body.
    pub chosen: bool,
}

impl<'t> AtBlock<'t> {
    pub fn item(&self) -> &BlockItem<'t> {
        &self.items.blocks[self.index]
    }

    pub fn group(&self) -> u32 {
        self.item().groups[self.named].number
    }

    /// Returns the number of blocks of the same group before it.
    pub fn before(&self) -> u64 {
        u64::from(self.item().groups[self.named].before)
    }

    /// The next label.
    pub fn next_label(&self) -> Option<&str> {
        let labels = if self.chosen { &[] } else { &self.item().labels[self.named..] };
        labels.first().map(|label| &**label)
    }

    /// Returns true if this block has no further label, and another block of its group has the label that the step
    /// names.
    pub fn is_beaten(&self, winners: &HashSet<u32>) -> bool {
        !self.chosen && self.next_label().is_none() && winners.contains(&self.group())
    }

    pub fn with_label(&self) -> AtBlock<'t> {
        AtBlock { named: self.named + 1, ..self.clone() }
    }

    pub fn chosen(&self) -> AtBlock<'t> {
        AtBlock { chosen: true, ..self.clone() }
    }
}
