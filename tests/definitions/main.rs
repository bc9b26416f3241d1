//! Definitions: files whose parts refer to each other, by tables of roles.

mod basics;
mod corpus;
mod fixtures;
mod large;
#[path = "../support/mod.rs"]
mod support;
