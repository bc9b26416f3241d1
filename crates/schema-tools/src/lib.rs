//! Tools for [HCL Schemas](hcl_lr_language::schema): they import schemas from other formats and export them.
//!
//! | function | what it makes |
//! | --- | --- |
//! | [`infer`] | a first draft of a schema, from examples |
//! | [`from_json_schema`] | a schema, from a JSON Schema |
//! | [`from_hcldec`] | a schema, from a spec file of hcldec |
//! | [`to_markdown`] | a reference of the language in Markdown |
//! | [`to_json_schema`] | a JSON Schema for files in the JSON syntax |
//! | [`to_types`] | types of a programming language that read files |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod docs;
mod from_json_schema;
mod hcldec;
mod infer;
mod json;
mod json_schema;
mod types;

pub use docs::{anchor, to_markdown};
pub use from_json_schema::{ImportedSchema, from_json_schema};
pub use hcldec::{HcldecSchema, from_hcldec};
pub use infer::infer;
pub use json_schema::to_json_schema;
pub use types::{TypesIn, to_types};
