//! Specs that decode bodies.

use super::bodies::block_schema;
use crate::schema::index::{Layers, SchemaIndex};
use crate::schema::model::{Block, Files, Nesting, Schema, Type};
use hcl_lr::body::BlockSchema;
use hcl_lr::decode::Spec;
use hcl_lr::model;
use hcl_lr::stack;

impl Schema {
    /// Returns the spec that decodes files of the language to values: an object of the attributes and blocks of a
    /// file.
    ///
    /// The spec knows no definitions: a scope has the values of all names. `Project::decode` of the package
    /// `hcl-lr-project` resolves references, and decodes the contents that depend on others by their case.
    ///
    /// | in the schema | in the value |
    /// | --- | --- |
    /// | an attribute | its value, converted to its type; null or the default without it |
    /// | a single block | the object of its contents, or null |
    /// | a list, set of blocks | a tuple of such objects |
    /// | blocks with labels, or a map | an object by the labels, with a tuple of bodies, or one if they are unique |
    /// | an attribute that is not evaluated, such as a reference | the text of its expression |
    /// | optional labels that a block lacks | an empty label |
    /// | `dynamic` blocks, where the schema allows them | the blocks that they generate |
    /// | names that are not listed, and contents that depend on others | their values as they are written |
    /// | blocks in a block of the same kind, below the first levels | their values as they are written |
    ///
    /// ```
    /// use hcl_lr_language::schema::{Attribute, Body, Files, Schema, Type};
    /// use hcl_lr::{Body as FileBody, Scope, Value, parse};
    ///
    /// let body = Body::new().with_attribute(Attribute::new("port", Type::INTEGER).with_default(80));
    /// let schema = Schema::new("service").with_files(Files::new("service", ["*.service.hcl"], "service"));
    /// let schema = schema.with_part("service", body);
    /// let spec = schema.spec(&schema.files[0]).expect("a part");
    /// let value = spec.decode(&parse::<FileBody>("").into_result()?, &Scope::new()).into_result()?;
    /// assert_eq!(value.attribute("port"), Some(&Value::from(80)));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn spec(&self, files: &Files) -> Option<Spec> {
        let index = SchemaIndex::new(self);
        let layers = index.files(files)?;
        let of_depth = |depth| Maker { index: &index, left: MAX_BODIES }.body(&layers, depth);
        Some(DEPTHS.into_iter().find_map(of_depth).unwrap_or_else(anything))
    }
}

/// The levels of blocks that a spec describes. The first that does not exceed `MAX_BODIES` is used.
const DEPTHS: [usize; 5] = [32, 16, 8, 4, 2];

/// The maximum number of bodies in a spec.
const MAX_BODIES: usize = 20_000;

struct Maker<'i> {
    index: &'i SchemaIndex,
    /// The number of bodies that may still be added.
    left: usize,
}

/// Returns a spec that takes values as they are.
fn anything() -> Spec {
    Spec::open_object(Vec::<(&str, Spec)>::new())
}

impl<'i> Maker<'i> {
    /// Returns the spec of a body; `None` if it has too many bodies. Below a depth, values are taken as they are.
    fn body(&mut self, layers: &Layers<'i>, depth: usize) -> Option<Spec> {
        self.left = self.left.checked_sub(1)?;
        let Some(depth) = depth.checked_sub(1) else { return Some(anything()) };
        let mut parts: Vec<(String, Spec)> = Vec::new();
        for attribute in layers.attributes() {
            if self.index.is_unevaluated(&attribute.ty) {
                parts.push((attribute.name.clone(), Spec::source_text(&attribute.name, attribute.required)));
                continue;
            }
            let ty = self.index.converted_type(&attribute.ty);
            let spec = match (attribute.required, &attribute.default) {
                (true, _) => Spec::required_attr(&attribute.name, ty),
                (false, Some(default)) => Spec::attr(&attribute.name, ty).or(Spec::literal(default.clone())),
                (false, None) => Spec::attr(&attribute.name, ty),
            };
            parts.push((attribute.name.clone(), spec));
        }
        // A type of which no blocks are allowed is a reserved name.
        let blocks = layers.blocks().filter(|block| block.max != Some(0));
        for block in blocks.filter(|block| layers.attribute(&block.name).is_none()) {
            let Some((block, inner)) = layers.block(&block.name) else { continue };
            let spec = stack::with_room(|| self.body(&inner, depth))?;
            parts.push((block.name.clone(), blocks_spec(block, block_schema(&block.name, block, &inner), spec)));
        }
        // The contents of cases are known only when a file is read.
        let is_open = layers.is_open()
            || layers.free_attribute().is_some()
            || layers.free_block().is_some()
            || layers.matches().next().is_some();
        let spec = if is_open { Spec::open_object(parts) } else { Spec::object(parts) };
        Some(match layers.dynamic() {
            Some(expands) => spec.with_dynamic_blocks(expands),
            None => spec,
        })
    }
}

/// Returns the spec of all blocks of a type, with the spec of their bodies.
pub(in crate::schema) fn blocks_spec(block: &Block, schema: BlockSchema, inner: Spec) -> Spec {
    let name = &block.name;
    let count = (block.min as usize, block.max.map(|max| max as usize));
    if !block.labels.is_empty() {
        let unique = block.unique || block.nesting == Nesting::Map;
        return Spec::counted_blocks(schema, count, unique, inner);
    }
    match (block.nesting, count) {
        (Nesting::Single, (0, _)) => Spec::block(name, inner),
        (Nesting::Single, _) => Spec::required_block(name, inner),
        (_, (least, Some(most))) => Spec::block_tuple(name, least..=most, inner),
        (_, (least, None)) => Spec::block_tuple(name, least.., inner),
    }
}

impl SchemaIndex {
    /// Returns true if the values of a type are read as they are written, such as references.
    pub(in crate::schema) fn is_unevaluated(&self, ty: &Type) -> bool {
        match self.resolve(ty) {
            Type::OneOf(types) => types.iter().any(|ty| self.resolve(ty).is_static()),
            Type::List(element) | Type::Set(element) | Type::Map(element) => match self.resolve(element) {
                Type::OneOf(types) => types.iter().any(|ty| self.resolve(ty).is_static()),
                element => element.is_static(),
            },
            Type::Expression => true,
            ty => ty.is_static(),
        }
    }

    /// Returns the type that the values of a type are converted to.
    pub(in crate::schema) fn converted_type(&self, ty: &Type) -> model::Type {
        let named = |ty: &Type| match ty {
            Type::Named(_) => Some(self.resolve(ty).clone()),
            _ => None,
        };
        ty.value_type(&named)
    }
}
