//! Languages that are described by schemas: reading schemas, and checking files by them.

mod corpus;
mod fixtures;
mod languages;
mod mutated;
mod providers;
#[path = "../support/mod.rs"]
mod support;
