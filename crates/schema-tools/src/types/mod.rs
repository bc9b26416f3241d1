//! Types of programming languages for the files of a language.
//!
//! `plan` turns the bodies of a schema into records, fields and enumerations; the other modules write them as Rust,
//! TypeScript, Go and Python. For example, blocks `check "http" { path = "/" }` become a record `Check` with a field
//! `path`. In Rust the label is another field, because [serde](hcl_lr::typed) reads the file itself; the other
//! languages read JSON, where the label is the key of a map.

mod go;
mod names;
mod plan;
mod python;
mod rust;
mod typescript;

use hcl_lr_language::internal::SchemaIndex;
use hcl_lr_language::schema::model::{Files, Schema};

/// A programming language for generated types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypesIn {
    /// Structures with `Deserialize`, which read files of either syntax with this crate.
    Rust,
    /// Interfaces for files in JSON.
    TypeScript,
    /// Structures that `encoding/json` reads.
    Go,
    /// Data classes with a function `from_json`.
    Python,
}

/// Returns types of a programming language that read files of the language: those in Rust read files of either syntax
/// with [serde](hcl_lr::typed), the others the JSON that `hcl decode` and `hcl convert` write.
///
/// Attributes and blocks of a case are optional. Names that the schema does not list are read only if it describes
/// them by `*`.
///
/// ```
/// use hcl_lr_language::schema::{Attribute, Body, Files, Schema, Type};
/// use hcl_lr_schema_tools::TypesIn;
///
/// let body = Body::new().with_attribute(Attribute::new("port", Type::INTEGER).required());
/// let files = Files::new("service", ["*.service.hcl"], "service");
/// let schema = Schema::new("service").with_files(files.clone()).with_part("service", body);
/// assert!(hcl_lr_schema_tools::to_types(&schema, &files, TypesIn::Rust).contains("pub struct Service {\n    pub port: i64,\n}\n"));
/// assert!(hcl_lr_schema_tools::to_types(&schema, &files, TypesIn::TypeScript).contains("export interface Service {\n  port: number;\n}\n"));
/// ```
pub fn to_types(schema: &Schema, files: &Files, language: TypesIn) -> String {
    let index = SchemaIndex::new(schema);
    let plan = plan::Plan::new(&index, files);
    match language {
        TypesIn::Rust => rust::write(&plan),
        TypesIn::TypeScript => typescript::write(&plan),
        TypesIn::Go => go::write(&plan),
        TypesIn::Python => python::write(&plan),
    }
}
