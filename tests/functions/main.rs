//! The library of functions: examples, the official engine's answers, other programs' answers, limits.

mod calls;
mod corpus;
mod examples;
mod growth;
mod marks;
mod recorded;
mod reference;
mod terraform;
mod yaml;

#[path = "../support/mod.rs"]
mod support;
