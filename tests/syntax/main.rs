//! Reading sources: what the specification's examples mean, tokens and trees, messages and their
//! places, JSON documents, traversals, and conversion between the two syntaxes.

mod address;
mod cases;
mod construct;
mod convert;
mod diagnostics;
mod edit;
#[path = "../support/examples.rs"]
mod examples;
mod fixtures;
mod format;
mod hcl2json;
mod json_reader;
mod left_out;
mod protocol;
#[path = "../support/public_api.rs"]
mod public_api;
mod python_hcl2;
mod simple;
mod spec;
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/there_and_back.rs"]
mod there_and_back;
mod traversals;
mod walk;
mod writer;
