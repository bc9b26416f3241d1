//! The parts from which a structure or a map is read, with the labels of its block, and the type that requests them.

use super::context::TypeKey;
use super::input::{At, BlockRef, Label, Member};
use crate::source::Place;

/// The parts from which a structure or a map is read.
pub(super) struct Parts<'t> {
    pub members: Vec<Member<'t>>,
    /// The labels that are left.
    pub labels: Vec<Label<'t>>,
    /// True if the labels can be told from the rest.
    pub labels_known: bool,
    /// True if something has asked for the labels.
    pub labels_taken: bool,
    /// True if the names are labels.
    pub by_label: bool,
    pub header: Header<'t>,
}

/// The place for reports about missing items.
#[derive(Clone)]
pub(super) enum Header<'t> {
    At(At<'t>),
    Block(BlockRef<'t>),
    Place(Place),
}

impl<'t> Header<'t> {
    /// Returns the type of the block; empty if it is not a block in native syntax.
    pub fn block_type(&self) -> &'t str {
        match self {
            Header::Block(block) => block.block_type(),
            Header::At(_) | Header::Place(_) => "",
        }
    }

    pub fn place(&self) -> Place {
        match self {
            Header::At(at) => at.place(),
            Header::Block(block) => block.header(),
            Header::Place(place) => place.clone(),
        }
    }
}

/// The type that asks for parts.
#[derive(Clone, Copy)]
pub(super) enum Request {
    /// A structure with these fields.
    Fields(&'static [&'static str], TypeKey),
    /// A structure that does not say which fields it has, such as one with `flatten`: the names are not labels.
    Structure { labels_field: Option<&'static str> },
    /// A map: the names are keys, and may be labels.
    Map,
    /// A type that takes anything.
    Any,
}

impl<'t> Parts<'t> {
    pub fn new(members: Vec<Member<'t>>, header: Header<'t>) -> Self {
        Parts { members, labels: Vec::new(), labels_known: true, labels_taken: false, by_label: false, header }
    }
}

impl Request {
    /// Returns true if it has fields of its own, and is read from one block or one object.
    pub fn is_structure(self) -> bool {
        matches!(self, Request::Fields(..) | Request::Structure { .. })
    }
}
