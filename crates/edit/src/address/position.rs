//! The places that the steps of an address lead to.

use std::collections::HashSet;
use std::rc::Rc;

use super::items::{BlockItem, BodyRef, Items};
use super::node::Node;

/// A part of a file that steps lead to.
#[derive(Clone)]
pub(super) enum At<'t> {
    Body(BodyRef<'t>),
    Block(AtBlock<'t>),
    Node(Node<'t>),
}

/// A block that is reached.
#[derive(Clone)]
pub(super) struct AtBlock<'t> {
    /// The items of the body it is in, and its number among the blocks there.
    pub items: Rc<Items<'t>>,
    pub index: usize,
    /// The number of its labels that have been named.
    pub named: usize,
    /// True if it was chosen among those that have the same labels, so that the next step is in its body.
    pub chosen: bool,
}

impl<'t> AtBlock<'t> {
    pub fn item(&self) -> &BlockItem<'t> {
        &self.items.blocks[self.index]
    }

    pub fn group(&self) -> u32 {
        self.item().groups[self.named].number
    }

    /// Returns the number of blocks of its group that are before it.
    pub fn before(&self) -> u64 {
        u64::from(self.item().groups[self.named].before)
    }

    /// Its next label.
    pub fn next_label(&self) -> Option<&str> {
        let labels = if self.chosen { &[] } else { &self.item().labels[self.named..] };
        labels.first().map(|label| &**label)
    }

    /// Returns true if another block of its group has the label that is looked for, while it has no further one.
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
