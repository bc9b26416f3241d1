//! Schemas of bodies.

use crate::schema::index::Layers;
use hcl_lr::body;

impl Layers<'_> {
    /// Returns the schema of the body, for [`Body::content`](hcl_lr::Body::content): its attributes, and its blocks
    /// with their required labels.
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
        blocks.fold(schema, |schema, block| {
            let labels: Vec<&str> =
                block.labels.iter().filter(|label| !label.optional).map(|label| &*label.name).collect();
            schema.block(block.name.as_str(), &labels)
        })
    }
}
