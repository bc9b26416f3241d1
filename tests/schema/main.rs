//! Languages that are described by schemas: reading schemas, and checking files by them.

mod corpus;
mod fixtures;
mod languages;
#[path = "../support/mod.rs"]
mod support;
