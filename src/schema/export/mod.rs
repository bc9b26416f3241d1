//! Schemas in other forms: JSON Schema, documentation, and types of programming languages.

mod docs;
mod json;
mod json_schema;
mod text;
mod types;

pub use docs::anchor;
pub use types::TypesIn;
