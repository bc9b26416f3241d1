//! Schemas for conversion between the syntaxes.

use std::collections::BTreeSet;

use super::{MAX_DEPTH, MAX_REPEATED};
use crate::schema::check::{Catalog, CatalogKey, Found};
use crate::schema::facts::Facts;
use crate::schema::index::{Layers, SchemaIndex};
use crate::schema::model::{Defines, DefinitionKind, Files, Match, Otherwise, Schema, Type};
use hcl_lr::json::ConversionSchema;
use hcl_lr::stack;

/// The maximum number of bodies in a table.
const MAX_SHAPES: usize = 20_000;

impl Schema {
    /// Returns the schema for conversions to and from JSON: the properties that are blocks, in files of all kinds, and
    /// the attributes that are not evaluated.
    ///
    /// ```
    /// use hcl_lr::convert::{ConversionOptions, to_json};
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let schema = Schema::by_name("terraform").expect("it is there").conversion_schema();
    /// let file = hcl_lr::parse::<hcl_lr::File>("variable \"zone\" {\n  type = string\n}\n").into_result()?;
    /// let converted = to_json(&file, &ConversionOptions::new().with_schema(&schema)).into_result()?;
    /// assert!(converted.text.contains("\"type\": \"string\""));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn conversion_schema(&self) -> ConversionSchema {
        self.conversion(&self.files, None)
    }

    /// Returns the schema for conversions with the contents of a catalog, for the names that are used.
    ///
    /// ```
    /// use hcl_lr_language::schema::{Facts, ProviderSchemas, Schema};
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
    /// let blocks = schema.blocks_on_path(&["resource", "a_disk", "main", "part"]);
    /// assert_eq!(blocks, [("resource", vec!["a_disk", "main"]), ("part", vec![])]);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn conversion_schema_with(
        &self,
        catalog: &dyn Catalog,
        facts: &Facts,
        is_used: &(dyn Fn(&str) -> bool + Sync),
    ) -> ConversionSchema {
        self.conversion(&self.files, Some(Used { catalog, facts, is_used }))
    }

    /// Returns the schema for conversions of files of one kind.
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let terraform = Schema::by_name("terraform").expect("it is there");
    /// let values = terraform.files_of("prod.tfvars.json").expect("files of values");
    /// assert!(terraform.conversion_schema_of(values).blocks_on_path(&["variable", "zone"]).is_empty());
    /// ```
    pub fn conversion_schema_of(&self, files: &Files) -> ConversionSchema {
        self.conversion(std::slice::from_ref(files), None)
    }

    fn conversion(&self, files: &[Files], used: Option<Used<'_>>) -> ConversionSchema {
        let index = SchemaIndex::new(self);
        let mut writer = Writer { index: &index, used, schema: ConversionSchema::new(), shapes: 0, generates: false };
        for files in files {
            if let Some(layers) = index.files(files) {
                // A file with values has no names that strings could refer to.
                if layers.free_attribute().is_some_and(|attribute| attribute.assigns.is_some()) {
                    writer.schema.add_literal(0, None);
                }
                writer.body(&layers, 0, &[], &mut Vec::new());
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
    index: &'i SchemaIndex,
    used: Option<Used<'i>>,
    schema: ConversionSchema,
    shapes: usize,
    /// True if `dynamic` blocks may generate blocks, as an enclosing body says.
    generates: bool,
}

/// Returns true if the default of an input is a value that the program does not evaluate. In JSON, its strings are no
/// templates then.
fn is_literal(defines: &Defines) -> bool {
    defines.value == DefinitionKind::Input && defines.constant && defines.functions.is_empty()
}

impl<'i> Writer<'i> {
    /// Returns true if a body is to be added, and records that the walk is inside it.
    fn enters(&mut self, layers: &Layers<'i>, path: &mut Vec<usize>) -> bool {
        let identity = layers.identity();
        let repeated = path.iter().filter(|outer| **outer == identity).count() >= MAX_REPEATED;
        if path.len() >= MAX_DEPTH || repeated || self.shapes >= MAX_SHAPES {
            return false;
        }
        self.shapes += 1;
        path.push(identity);
        true
    }

    /// Adds a body with its cases. Cases of the first label, and inside them those of the next label, apply to that
    /// label only; all others always apply.
    fn body(&mut self, layers: &Layers<'i>, shape: usize, labels: &[String], path: &mut Vec<usize>) {
        if !self.enters(layers, path) {
            return;
        }
        self.contents(layers, shape, path);
        for matched in layers.matches() {
            let by_label = labels.first() == Some(&matched.key);
            for case in &matched.cases {
                let Some(inner) = self.index.of_body(&case.body) else { continue };
                if !by_label {
                    stack::with_room(|| self.body(&inner, shape, labels, path));
                    continue;
                }
                for value in &case.values {
                    let shape = self.schema.add_when(shape, value);
                    stack::with_room(|| self.body(&inner, shape, &labels[1..], path));
                }
            }
            if by_label {
                self.add_catalog(matched, shape, labels.get(1..).unwrap_or_default(), path);
            }
            if let Otherwise::Body(body) = &matched.otherwise
                && let Some(inner) = self.index.of_body(body)
            {
                stack::with_room(|| self.body(&inner, shape, labels, path));
            }
        }
        path.pop();
    }

    /// Adds the contents of a catalog for the names that are used. All blocks in them can be generated.
    fn add_catalog(&mut self, matched: &Match, shape: usize, labels: &[String], path: &mut Vec<usize>) {
        let Some(used) = self.used else { return };
        let index: &'i SchemaIndex = self.index;
        let Some(source) = matched.catalog.as_ref().and_then(|name| index.schema().catalog(name)) else { return };
        let names: BTreeSet<&str> = used.catalog.names(source).filter(|name| (used.is_used)(name)).collect();
        for name in names {
            if let Found::Contents { layers, .. } = used.catalog.find(source, &CatalogKey::new(name, used.facts)) {
                let shape = self.schema.add_when(shape, name);
                let outer = std::mem::replace(&mut self.generates, true);
                stack::with_room(|| self.body(&layers, shape, labels, path));
                self.generates = outer;
            }
        }
    }

    fn contents(&mut self, layers: &Layers<'i>, shape: usize, path: &mut Vec<usize>) {
        let statics = layers.attributes().filter(|attribute| self.is_static(&attribute.ty, 0));
        self.schema.add_statics(shape, statics.map(|attribute| attribute.name.clone()).collect());
        for attribute in layers.attributes().chain(layers.free_attribute()) {
            self.static_entries(&attribute.ty, shape, 0);
        }
        if layers.free_attribute().is_some_and(|attribute| attribute.defines.as_ref().is_some_and(is_literal)) {
            self.schema.add_literal(shape, None);
        }
        // The program evaluates a constant without names, so that a string in JSON is no template.
        for attribute in layers.attributes().filter(|attribute| attribute.constant == Some(true)) {
            self.schema.add_literal(shape, Some(&attribute.name));
        }
        if layers.free_attribute().is_some_and(|attribute| attribute.constant == Some(true)) {
            self.schema.add_literal(shape, None);
        }
        if layers.is_open() {
            self.schema.open(shape, layers.attributes().map(|attribute| attribute.name.clone()));
        }
        let outer = self.generates;
        self.generates = layers.dynamic().unwrap_or(outer);
        if self.generates {
            self.schema.generate(shape);
        }
        for block in layers.blocks() {
            // A name that is both is read as an attribute.
            if layers.attribute(&block.name).is_some() {
                continue;
            }
            let Some((block, inner)) = layers.block(&block.name) else { continue };
            let labels: Vec<String> = block.labels.iter().map(|label| label.name.clone()).collect();
            let required = block.labels.iter().filter(|label| !label.optional).count();
            let body = self.schema.add_block(shape, &block.name, labels.clone());
            self.schema.set_labels(shape, &block.name, labels.clone(), required);
            if block.defines.as_ref().is_some_and(is_literal) {
                self.schema.add_literal(body, Some("default"));
            }
            stack::with_room(|| self.body(&inner, body, &labels, path));
        }
        self.generates = outer;
    }

    /// Adds the entries of objects that are not evaluated.
    fn static_entries(&mut self, ty: &Type, shape: usize, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let index = self.index;
        match index.resolve(ty) {
            Type::OneOf(types) => types.iter().for_each(|ty| self.static_entries(ty, shape, depth + 1)),
            Type::Object(object) => {
                let entries = object.attributes.iter().filter(|entry| self.is_static(&entry.ty, 0));
                let names = entries.map(|entry| entry.name.clone()).collect();
                self.schema.add_static_entries(shape, names);
            }
            Type::Part(part) => {
                let Some(layers) = index.part(part) else { return };
                let entries = layers.attributes().filter(|entry| self.is_static(&entry.ty, 0));
                let names = entries.map(|entry| entry.name.clone()).collect();
                self.schema.add_static_entries(shape, names);
            }
            _ => {}
        }
    }

    /// Returns true if an attribute is not evaluated, in one of the alternatives of its type.
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
