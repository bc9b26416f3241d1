//! The schema of a body, which an application provides (information model, "Body Schema").

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// The attributes and blocks that a body may or must have.
///
/// Do not use one name both as an attribute and as a block type: JSON cannot distinguish them, so the attribute wins.
///
/// ```
/// use hcl_lr::body::BodySchema;
///
/// let schema = BodySchema::new().required("name").optional("port").block("route", &["method", "path"]);
/// assert_eq!(schema.attributes().len(), 2);
/// assert_eq!(schema.blocks()[0].labels(), ["method", "path"]);
/// ```
#[derive(Clone, Default)]
pub struct BodySchema {
    attributes: Vec<AttributeSchema>,
    blocks: Vec<BlockSchema>,
    attribute_index: HashMap<String, usize>,
    block_index: HashMap<String, usize>,
}

/// An attribute that is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeSchema {
    name: String,
    required: bool,
}

/// A type of expected blocks (information model, "block header schema").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockSchema {
    block_type: String,
    labels: Vec<String>,
    /// The number of labels that each block must have; the others can be left out.
    required: usize,
    /// True if more labels may follow.
    more: bool,
    /// The names in the bodies of the blocks. In JSON, a property with one of them belongs to a body, and is no optional
    /// label. Without names, blocks in JSON have no optional labels.
    names: Option<Arc<HashSet<String>>>,
}

impl BodySchema {
    /// Nothing is expected.
    pub fn new() -> Self {
        BodySchema::default()
    }

    /// Adds a required attribute. If it was already expected, it becomes required.
    pub fn required(self, name: impl Into<String>) -> Self {
        self.with_attribute(name.into(), true)
    }

    /// Adds an optional attribute. If it was already expected, nothing changes.
    pub fn optional(self, name: impl Into<String>) -> Self {
        self.with_attribute(name.into(), false)
    }

    /// Adds a type of blocks with the names of their labels. If they were already expected, nothing changes.
    pub fn block(mut self, block_type: impl Into<String>, labels: &[&str]) -> Self {
        let block_type = block_type.into();
        if !self.block_index.contains_key(&block_type) {
            self.block_index.insert(block_type.clone(), self.blocks.len());
            self.blocks.push(BlockSchema::new(block_type, labels));
        }
        self
    }

    /// Adds a type of blocks that may have any number of labels. In JSON such blocks have no labels.
    #[doc(hidden)]
    pub fn any_block(self, block_type: &str) -> Self {
        let mut schema = self.block(block_type, &[]);
        if let Some(&index) = schema.block_index.get(block_type) {
            schema.blocks[index].more = true;
        }
        schema
    }

    /// Adds blocks that another schema expects. If blocks of the type were already expected, nothing changes.
    #[doc(hidden)]
    pub fn with_block(mut self, block: &BlockSchema) -> Self {
        if !self.block_index.contains_key(&block.block_type) {
            self.block_index.insert(block.block_type.clone(), self.blocks.len());
            self.blocks.push(block.clone());
        }
        self
    }

    fn with_attribute(mut self, name: String, required: bool) -> Self {
        match self.attribute_index.get(&name) {
            Some(&known) => self.attributes[known].required |= required,
            None => {
                self.attribute_index.insert(name.clone(), self.attributes.len());
                self.attributes.push(AttributeSchema { name, required });
            }
        }
        self
    }

    /// The schema with all that another one expects.
    ///
    /// ```
    /// use hcl_lr::body::BodySchema;
    ///
    /// let common = BodySchema::new().optional("description");
    /// assert_eq!(BodySchema::new().required("name").with_all(&common).attributes().len(), 2);
    /// ```
    pub fn with_all(mut self, other: &BodySchema) -> Self {
        for attribute in &other.attributes {
            self = self.with_attribute(attribute.name.clone(), attribute.required);
        }
        for block in &other.blocks {
            self = self.with_block(block);
        }
        self
    }

    /// Returns the attributes, in the order in which they were added.
    pub fn attributes(&self) -> &[AttributeSchema] {
        &self.attributes
    }

    /// Returns the types of blocks, in the order in which they were added.
    pub fn blocks(&self) -> &[BlockSchema] {
        &self.blocks
    }

    /// The attribute with a name.
    pub fn attribute(&self, name: &str) -> Option<&AttributeSchema> {
        self.attribute_index.get(name).map(|&index| &self.attributes[index])
    }

    /// The blocks of a type.
    pub fn block_type(&self, name: &str) -> Option<&BlockSchema> {
        self.block_index.get(name).map(|&index| &self.blocks[index])
    }

    /// Returns the schema with all attributes optional.
    pub(super) fn nothing_required(&self) -> BodySchema {
        let mut schema = self.clone();
        schema.attributes.iter_mut().for_each(|attribute| attribute.required = false);
        schema
    }

    pub(super) fn attribute_names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(AttributeSchema::name)
    }

    pub(super) fn block_types(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().map(BlockSchema::block_type)
    }
}

impl AttributeSchema {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the attribute must be present.
    pub fn is_required(&self) -> bool {
        self.required
    }
}

impl BlockSchema {
    /// Blocks of a type that have exactly these labels.
    #[doc(hidden)]
    pub fn new(block_type: impl Into<String>, labels: &[&str]) -> Self {
        BlockSchema {
            block_type: block_type.into(),
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            required: labels.len(),
            more: false,
            names: None,
        }
    }

    /// Makes all labels optional except for the first `required`. If `more` is true, any number of labels may follow.
    /// `names` are all names in the bodies of the blocks, if they are known.
    #[doc(hidden)]
    pub fn with_optional_labels(self, required: usize, more: bool, names: Option<HashSet<String>>) -> Self {
        BlockSchema { required, more, names: names.map(Arc::new), ..self }
    }

    /// Their type.
    pub fn block_type(&self) -> &str {
        &self.block_type
    }

    /// Returns true if each block may have any labels.
    pub(crate) fn has_any_labels(&self) -> bool {
        self.more && self.labels.is_empty()
    }

    /// Returns the names of the labels.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Returns the number of labels that each block must have. The other labels are optional.
    ///
    /// ```
    /// use hcl_lr::body::BodySchema;
    ///
    /// let schema = BodySchema::new().block("route", &["method", "path"]);
    /// assert_eq!(schema.blocks()[0].required_labels(), 2);
    /// ```
    pub fn required_labels(&self) -> usize {
        self.required
    }

    /// Returns the name of the label that a block with this number of labels lacks.
    pub(crate) fn missing_label(&self, count: usize) -> Option<&str> {
        self.labels[..self.required].get(count).map(String::as_str)
    }

    /// Returns true if a block cannot have this number of labels, because there are too many.
    pub(crate) fn is_too_many(&self, count: usize) -> bool {
        !self.more && count > self.labels.len()
    }

    /// Returns the names in the bodies of the blocks, if some labels are optional and the names are known.
    pub(super) fn names(&self) -> Option<&HashSet<String>> {
        self.names.as_deref()
    }
}

impl fmt::Debug for BodySchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").field("attributes", &self.attributes).field("blocks", &self.blocks).finish()
    }
}
