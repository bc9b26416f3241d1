//! Schemas in other forms: JSON Schema and documentation.

mod docs;
mod json;
mod json_schema;

pub use docs::anchor;
