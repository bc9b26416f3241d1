//! Schemas of bodies.

use crate::schema::index::Layers;
use crate::schema::model::Block;
use hcl_lr::body;

impl Layers<'_> {
    /// Returns the schema of the body, for [`Body::content`](hcl_lr::Body::content): its attributes, and its blocks
    /// with their labels, of which some may be optional.
    ///
    /// ```
    /// use hcl_lr_language::schema::{SchemaIndex, Schema};
    ///
    /// let index = SchemaIndex::new(Schema::by_name("terraform").expect("it is there"));
    /// let schema = index.part("module").expect("it is there").body_schema();
    /// assert_eq!(schema.block_type("resource").expect("it is there").labels(), ["type", "name"]);
    /// ```
    pub fn body_schema(&self) -> body::BodySchema {
        let schema = self.attributes().fold(body::BodySchema::new(), |schema, attribute| match attribute.required {
            true => schema.required(attribute.name.as_str()),
            false => schema.optional(attribute.name.as_str()),
        });
        // In JSON, a name cannot be both.
        let blocks = self.blocks().filter(|block| self.attribute(&block.name).is_none());
        blocks.fold(schema, |schema, block| match self.block(&block.name) {
            Some((block, inner)) => schema.with_block(&block_schema(&block.name, block, &inner)),
            None => schema,
        })
    }
}

/// Returns the schema of blocks of a type with this name and these contents. The name differs from that of the block if
/// the latter stands for all types that are not listed.
pub(in crate::schema) fn block_schema(name: &str, block: &Block, inner: &Layers<'_>) -> body::BlockSchema {
    let labels: Vec<&str> = block.labels.iter().map(|label| &*label.name).collect();
    let required = block.labels.iter().take_while(|label| !label.optional).count();
    let schema = body::BlockSchema::new(name, &labels);
    if required == labels.len() {
        return schema;
    }
    // In JSON, only the names in the bodies tell labels from bodies.
    let names = || {
        let attributes = inner.attributes().map(|attribute| attribute.name.clone());
        attributes.chain(inner.blocks().map(|block| block.name.clone())).collect()
    };
    let more = block.labels.last().is_some_and(|label| label.repeated);
    schema.with_optional_labels(required, more, (!inner.is_open()).then(names))
}
