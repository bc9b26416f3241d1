//! Schemas in other forms: JSON Schema and documentation.

mod json;
mod json_schema;
