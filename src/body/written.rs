//! Reads a body without a schema: all items, in the order of the source.

use std::collections::HashSet;

use super::Body;
use super::content::{Attribute, Block};
use super::matching::Taken;
use crate::json::{Document, Node};
use crate::syntax::ast::BodyNode;

/// The written form of a body. Names taken by partial processing are not in it.
#[doc(hidden)]
#[non_exhaustive]
pub enum Written<'b> {
    Native(BodyNode<'b>, &'b Taken),
    Json(&'b Document, Node<'b>, &'b HashSet<String>),
    Items(Vec<WrittenItem<'b>>, &'b Taken),
    /// Several bodies, one after the other.
    Several(&'b [Body]),
    /// Only a schema can tell.
    BySchema,
}

/// Something in a body.
#[doc(hidden)]
pub enum WrittenItem<'b> {
    Attribute(&'b Attribute),
    Block(&'b Block),
}
