//! Blocks of bodies, and their labels.

use std::sync::Arc;

use super::body::{Body, OTHERS};
use super::definition::Defines;
use super::deprecated::Deprecated;
use super::types::Type;
use hcl_lr::source::Place;

/// Blocks of a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// The type; `*` for all types that are not listed.
    pub name: String,
    /// The labels.
    pub labels: Vec<Label>,
    /// The contents of each block.
    pub body: Arc<Body>,
    /// The minimum number of blocks.
    pub min: u32,
    /// The maximum number of blocks; `None` if there is no limit.
    pub max: Option<u32>,
    /// True if no two blocks may have the same labels.
    pub unique: bool,
    /// True if all files of a program have at most one of them.
    pub once: bool,
    /// The structure that the blocks form together.
    pub nesting: Nesting,
    /// The allowed notation.
    pub form: Form,
    /// Names defined for expressions in the block, such as `self`.
    pub names: Vec<String>,
    /// The meaning for the definition that the enclosing block makes.
    pub role: Option<BlockRole>,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The address of the documentation.
    pub docs: Option<String>,
    /// Set if blocks of this type should no longer be used.
    pub deprecated: Option<Deprecated>,
    /// The first version of the language that has them.
    pub since: Option<String>,
    /// The first version of the language that no longer has them.
    pub until: Option<String>,
    /// The definition that each block makes.
    pub defines: Option<Defines>,
    /// The place in the schema file.
    pub place: Place,
}

/// The structure that the blocks of a type form together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nesting {
    /// One block.
    Single,
    /// A list.
    #[default]
    List,
    /// A set.
    Set,
    /// A map by label.
    Map,
}

/// The notations in which blocks may be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Only blocks.
    #[default]
    Block,
    /// Blocks, or an attribute with an object or a list of objects.
    Either,
}

/// The meaning of a block for the definition that the enclosing block makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockRole {
    /// Contains a condition that must hold.
    Check,
    /// Part of the value.
    Value,
    /// Not part of the value.
    Meta,
    /// Declares that the enclosing block is about files elsewhere.
    Elsewhere,
}

/// A label.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Label {
    /// The name in documentation, addresses and messages.
    pub name: String,
    /// The type; `string` accepts any text.
    pub ty: Type,
    /// True if it may be left out. All labels after it must be optional, too.
    pub optional: bool,
    /// True if any number of labels may follow in its place.
    pub repeated: bool,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The place in the schema file.
    pub place: Place,
}

impl Block {
    /// Any number of blocks of a type, without labels.
    pub fn new(name: impl Into<String>, body: Body) -> Self {
        Block {
            name: name.into(),
            labels: Vec::new(),
            body: Arc::new(body),
            min: 0,
            max: None,
            unique: false,
            once: false,
            nesting: Nesting::List,
            form: Form::Block,
            names: Vec::new(),
            role: None,
            description: None,
            docs: None,
            deprecated: None,
            since: None,
            until: None,
            defines: None,
            place: Place::nowhere(),
        }
    }

    /// Adds a required label.
    pub fn with_label(mut self, name: impl Into<String>, ty: Type) -> Self {
        self.labels.push(Label::new(name, ty));
        self
    }

    /// Sets the structure that the blocks form. A single block occurs at most once, and in a map no two have the same
    /// labels.
    pub fn with_nesting(mut self, nesting: Nesting) -> Self {
        self.nesting = nesting;
        self.unique |= nesting == Nesting::Map;
        if nesting == Nesting::Single {
            self.max = Some(1);
        }
        self
    }

    /// Sets the minimum and maximum number of blocks.
    pub fn with_count(mut self, min: u32, max: Option<u32>) -> Self {
        (self.min, self.max) = (min, max);
        self
    }

    /// Sets the description, in Markdown.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Declares that blocks of this type should no longer be used.
    pub fn with_deprecated(mut self, deprecated: Deprecated) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Returns true if it stands for all types that are not listed.
    pub fn is_free(&self) -> bool {
        self.name == OTHERS
    }
}

impl Label {
    /// A required label.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Label { name: name.into(), ty, optional: false, repeated: false, description: None, place: Place::nowhere() }
    }

    /// Allows any number of labels in its place.
    pub fn repeated(mut self) -> Self {
        (self.optional, self.repeated) = (true, true);
        self
    }

    /// Sets the description, in Markdown.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
}
