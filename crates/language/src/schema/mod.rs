//! HCL Schema: languages described as data.
//!
//! A schema is an HCL file that describes a language: its files, their attributes and blocks with types and meanings,
//! and which of them define or refer to names. `docs/schema.md` is the specification.
//!
//! ```
//! use hcl_lr_language::schema::{Checker, Schema};
//! use hcl_lr::{ConfigFile, parse};
//!
//! let text = r#"
//! language "service" {
//!   files "service" {
//!     patterns = ["*.service.hcl"]
//!     body     = service
//!   }
//! }
//! part "service" {
//!   attribute "port" {
//!     type        = required(integer(1, 65535))
//!     description = "The port that the service listens on."
//!   }
//! }
//! "#;
//! let schema = parse::<Schema>(("service.schema.hcl", text)).into_result()?;
//! let file = parse::<ConfigFile>(("web.service.hcl", "port = \"http\"\n")).into_result()?;
//! let found = Checker::new(&schema).check(&file);
//! assert_eq!(found.first().expect("a finding").code().as_str(), "invalid-argument-value");
//! # Ok::<(), hcl_lr::Diagnostics>(())
//! ```
//!
//! | module or type | contents |
//! | --- | --- |
//! | [`model`] | the data: [`Schema`], [`Body`], [`Attribute`], [`Block`], [`Type`] |
//! | [`parse`](hcl_lr::parse) | reads a schema file, and reports what is wrong with it |
//! | [`Schema::by_name`], [`Schema::for_file`] | the languages that come with the library |
//! | [`SchemaIndex`] | a schema prepared for lookups |
//! | [`Checker`] | checks files by a schema |
//! | [`ProviderSchemas`] | the arguments of resources, from the schemas of providers |
//! | [`is_hcl_file`] | the names of files in HCL |
//! | [`trait@HclSchema`] | schemas from Rust types |
//! | [`Schema::to_hcl`] | the text of a schema |
//!
//! The package `hcl-lr-schema-tools` makes schemas from examples and JSON Schema, and documentation, JSON Schema and types from schemas.

pub(crate) mod check;
mod derive;
mod expected;
mod facts;
mod file_names;
mod import;
pub(crate) mod index;
mod languages;
mod lookup;
pub mod model;
mod produce;
mod read;
mod resolve;
#[cfg(feature = "derive")]
mod serde_types;
mod text;
mod versions;

pub use check::{Catalog, CatalogKey, Checker, Found, HiddenSpans};
pub use derive::{BodyDescriber, Described, Describer, FieldOptions, HclSchema};
#[doc(hidden)]
pub use expected::{Expected, ExpectedKey, Within};
pub use facts::Facts;
pub use file_names::{FILE_EXTENSIONS, JSON_FILE_EXTENSIONS, is_hcl_file, is_template_file};
/// Derives [`trait@HclSchema`], which documents the mapping of fields and types.
#[cfg(feature = "derive")]
pub use hcl_lr_derive::HclSchema;
pub use import::{FunctionParameter, ProviderFunction, ProviderSchemas};
pub use index::{Layers, SchemaIndex};
pub use languages::LANGUAGES;
pub use lookup::has_at_top;
pub use model::{Attribute, Block, Body, Files, Label, Schema, Type};
pub use read::{NoFiles, SchemaLoader};
#[doc(hidden)]
pub use resolve::Resolved;
pub use versions::Version;
