//! Schemas for conversion between the syntaxes.

use std::collections::BTreeSet;

use super::{MAX_DEPTH, MAX_REPEATED};
use crate::convert::ConversionSchema;
use crate::schema::check::{Catalog, CatalogKey, Found};
use crate::schema::facts::Facts;
use crate::schema::index::{Index, Layers};
use crate::schema::model::{Match, Otherwise, Schema, Type};
use crate::stack;

/// The bodies that a table may have.
const MAX_SHAPES: usize = 20_000;

impl Schema {
    /// The schema for conversions to and from JSON: the properties that are blocks, in files of all kinds, and the
    /// attributes that are read as they are written.
    ///
    /// ```
    /// use hcl_lr::schema::Schema;
    ///
    /// let schema = Schema::by_name("terraform").expect("it is there").conversion_schema();
    /// assert!(schema.to_string().contains("block \"variable\" {\n  static = [\"type\"]\n  labels = [\"name\"]\n"));
    /// ```
    pub fn conversion_schema(&self) -> ConversionSchema {
        self.conversions(None)
    }

    /// The schema for conversions with the contents of a catalog, for the names in it that are used.
    ///
    /// ```
    /// use hcl_lr::schema::{Facts, ProviderSchemas, Schema};
    ///
    /// let json = r#"{
    ///   "format_version": "1.0",
    ///   "provider_schemas": { "registry.terraform.io/hashicorp/a": { "resource_schemas": {
    ///     "a_disk": { "block": { "block_types": { "part": { "nesting_mode": "list", "block": {} } } } }
    ///   } } }
    /// }"#;
    /// let schemas = hcl_lr::parse::<ProviderSchemas>(("schemas.json", json)).into_result()?;
    /// let terraform = Schema::by_name("terraform").expect("it is there");
    /// let schema = terraform.conversion_schema_with(&schemas, &Facts::default(), &|name| name == "a_disk");
    /// assert!(schema.to_string().contains("when \"a_disk\" {\n    block \"part\""));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn conversion_schema_with(
        &self,
        catalog: &dyn Catalog,
        facts: &Facts,
        is_used: &(dyn Fn(&str) -> bool + Sync),
    ) -> ConversionSchema {
        self.conversions(Some(Used { catalog, facts, is_used }))
    }

    fn conversions(&self, used: Option<Used<'_>>) -> ConversionSchema {
        let index = Index::new(self);
        let mut writer = Writer { index: &index, used, in_catalog: false, schema: ConversionSchema::new(), shapes: 0 };
        for files in &self.files {
            if let Some(layers) = index.files(files) {
                writer.body(&layers, 0, &mut Vec::new());
            }
        }
        writer.schema
    }
}

/// The names of a catalog that are used.
#[derive(Clone, Copy)]
struct Used<'i> {
    catalog: &'i dyn Catalog,
    facts: &'i Facts,
    is_used: &'i (dyn Fn(&str) -> bool + Sync),
}

struct Writer<'i> {
    index: &'i Index,
    used: Option<Used<'i>>,
    /// True within contents of the catalog, whose blocks can all be generated.
    in_catalog: bool,
    schema: ConversionSchema,
    shapes: usize,
}

impl<'i> Writer<'i> {
    fn body(&mut self, layers: &Layers<'i>, shape: usize, path: &mut Vec<usize>) {
        let own = layers.identity();
        if path.len() >= MAX_DEPTH
            || path.iter().filter(|one| **one == own).count() >= MAX_REPEATED
            || self.shapes >= MAX_SHAPES
        {
            return;
        }
        self.shapes += 1;
        path.push(own);
        let statics = layers.attributes().filter(|attribute| self.is_static(&attribute.ty, 0));
        self.schema.add_statics(shape, statics.map(|attribute| attribute.name.clone()).collect());
        for block in layers.blocks() {
            // What is both is read as an attribute.
            if layers.attribute(&block.name).is_some() {
                continue;
            }
            let Some((block, inner)) = layers.block(&block.name) else { continue };
            let labels: Vec<String> =
                block.labels.iter().filter(|one| !one.optional).map(|one| one.name.clone()).collect();
            let first = labels.first().cloned();
            let body = self.schema.add_block(shape, &block.name, labels.clone());
            self.schema.set_labels(shape, &block.name, labels);
            stack::with_room(|| self.block(&inner, body, first.as_deref(), path));
        }
        if layers.generates() || self.in_catalog {
            let dynamic = self.schema.add_block(shape, "dynamic", Vec::new());
            self.schema.set_labels(shape, "dynamic", vec!["type".to_owned()]);
            self.schema.add_statics(dynamic, vec!["iterator".to_owned()]);
            self.schema.add_block(dynamic, "content", Vec::new());
        }
        path.pop();
    }

    /// The body of a block. Cases that depend on its first label hold for this label only, all others always.
    fn block(&mut self, layers: &Layers<'i>, shape: usize, first: Option<&str>, path: &mut Vec<usize>) {
        self.body(layers, shape, path);
        for one in layers.matches() {
            let by_label = first == Some(one.key.as_str());
            for case in &one.cases {
                let Some(inner) = self.index.of_body(&case.body) else { continue };
                if !by_label {
                    stack::with_room(|| self.body(&inner, shape, path));
                    continue;
                }
                for value in &case.values {
                    let shape = self.schema.add_when(shape, value);
                    stack::with_room(|| self.body(&inner, shape, path));
                }
            }
            if by_label {
                self.add_catalog(one, shape, path);
            }
            if let Otherwise::Body(body) = &one.otherwise
                && let Some(inner) = self.index.of_body(body)
            {
                stack::with_room(|| self.body(&inner, shape, path));
            }
        }
    }

    /// Adds the contents that a catalog has for the names that are used.
    fn add_catalog(&mut self, one: &Match, shape: usize, path: &mut Vec<usize>) {
        let Some(used) = self.used else { return };
        let index: &'i Index = self.index;
        let Some(source) = one.catalog.as_ref().and_then(|name| index.schema().catalog(name)) else { return };
        let names: BTreeSet<&str> = used.catalog.names(source).filter(|name| (used.is_used)(name)).collect();
        for name in names {
            if let Found::Contents { layers, .. } = used.catalog.find(source, &CatalogKey::new(name, used.facts)) {
                let shape = self.schema.add_when(shape, name);
                let outer = std::mem::replace(&mut self.in_catalog, true);
                stack::with_room(|| self.body(&layers, shape, path));
                self.in_catalog = outer;
            }
        }
    }

    /// Returns true if an attribute is read as it is written, in one of the alternatives of its type.
    fn is_static(&self, ty: &Type, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match self.index.resolve(ty) {
            Type::Keyword(_) | Type::Reference(_) | Type::Address(_) | Type::Path | Type::TypeExpression => true,
            Type::List(inner) | Type::Set(inner) | Type::Map(inner) => self.is_static(inner, depth + 1),
            Type::OneOf(types) => types.iter().any(|ty| self.is_static(ty, depth + 1)),
            _ => false,
        }
    }
}
