//! Languages that are described by schemas: reading schemas, and checking files by them.

mod corpus;
mod derived;
mod fixtures;
mod imports;
mod json_schema;
mod languages;
mod loops;
mod mutated;
mod programs;
mod providers;
#[path = "../support/mod.rs"]
mod support;
mod texts;
mod types;
