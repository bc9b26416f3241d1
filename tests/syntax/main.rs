//! Reading sources: what the specification's examples mean, tokens and trees, messages and their
//! places, JSON documents, traversals, and conversion between the two syntaxes.

mod address;
mod build;
#[cfg(feature = "conformance")]
mod convert;
#[cfg(all(feature = "conformance", feature = "count-reductions"))]
mod coverage;
mod diagnostics;
mod edit;
#[cfg(feature = "conformance")]
#[path = "../support/examples.rs"]
mod examples;
mod fixtures;
mod format;
mod grammar;
mod hcl2json;
mod json_reader;
#[cfg(feature = "conformance")]
mod protocol;
#[cfg(feature = "conformance")]
mod spec;
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
#[cfg(feature = "conformance")]
#[path = "../support/there_and_back.rs"]
mod there_and_back;
#[cfg(feature = "conformance")]
mod traversals;
mod walk;
mod writer;
