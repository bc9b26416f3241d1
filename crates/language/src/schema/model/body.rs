//! Bodies: their possible attributes and blocks.

use std::sync::Arc;

use super::attribute::Attribute;
use super::block::Block;
use super::condition::Check;
use super::matched::Match;
use super::rule::Rule;
use hcl_lr::source::Place;

/// The attributes and blocks of a body, and the rules for them.
///
/// ```
/// use hcl_lr_language::schema::{Attribute, Block, Body, Type};
///
/// let check = Body::new().with_attribute(Attribute::new("path", Type::String).required());
/// let service = Body::new()
///     .with_attribute(Attribute::new("port", Type::INTEGER).required())
///     .with_block(Block::new("check", check).with_label("name", Type::String));
/// assert_eq!(service.blocks[0].body.attributes[0].name, "path");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Body {
    /// The attributes. The name `*` stands for all names that are not listed.
    pub attributes: Vec<Arc<Attribute>>,
    /// The types of blocks. The name `*` stands for all types that are not listed.
    pub blocks: Vec<Arc<Block>>,
    /// The parts whose contents the body includes.
    pub includes: Vec<Include>,
    /// The contents that depend on the value of a label or attribute.
    pub matches: Vec<Match>,
    /// True if any other attributes and blocks are allowed, with any contents.
    pub open: bool,
    /// True if `dynamic` blocks may generate the blocks of this body and of nested ones. If `None`, the enclosing body
    /// decides.
    pub dynamic: Option<bool>,
    /// The attributes and blocks that exclude or need each other.
    pub rules: Vec<Rule>,
    /// The conditions on the whole body, which expressions call `body`: the object of its attributes.
    pub checks: Vec<Check>,
    /// The place in the schema file.
    pub place: Place,
    /// The names of the extended language to remove, with their places, until they are removed.
    pub(in crate::schema) without: Vec<(String, Place)>,
}

/// A part that a body includes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Include {
    /// The name of the part.
    pub part: String,
    /// The place of the name.
    pub place: Place,
}

/// The name that stands for all names that are not listed.
pub(super) const OTHERS: &str = "*";

impl Default for Body {
    fn default() -> Self {
        Body {
            attributes: Vec::new(),
            blocks: Vec::new(),
            includes: Vec::new(),
            matches: Vec::new(),
            open: false,
            dynamic: None,
            rules: Vec::new(),
            checks: Vec::new(),
            place: Place::nowhere(),
            without: Vec::new(),
        }
    }
}

impl Body {
    /// A body that must be empty.
    pub fn new() -> Self {
        Body::default()
    }

    /// Adds an attribute.
    pub fn with_attribute(mut self, attribute: Attribute) -> Self {
        self.attributes.push(Arc::new(attribute));
        self
    }

    /// Adds blocks of a type.
    pub fn with_block(mut self, block: Block) -> Self {
        self.blocks.push(Arc::new(block));
        self
    }

    /// Includes the contents of a part.
    pub fn including(mut self, part: impl Into<String>) -> Self {
        self.includes.push(Include { part: part.into(), place: Place::nowhere() });
        self
    }

    /// Adds contents that depend on a label or attribute.
    pub fn with_match(mut self, matched: Match) -> Self {
        self.matches.push(matched);
        self
    }

    /// Adds a rule for attributes and blocks.
    pub fn with_rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Adds a condition on the whole body.
    pub fn with_check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    /// Allows any other attributes and blocks.
    pub fn open(mut self) -> Self {
        self.open = true;
        self
    }
}
