//! Reading sources: what the specification's examples mean, tokens and trees, messages and their
//! places, JSON documents, traversals, and conversion between the two syntaxes.

#[cfg(feature = "query")]
mod address;
#[cfg(all(feature = "build", feature = "eval"))]
mod build;
#[cfg(all(feature = "conformance", feature = "convert"))]
mod convert;
#[cfg(all(feature = "conformance", feature = "count-reductions"))]
mod coverage;
#[cfg(feature = "standard-functions")]
mod diagnostics;
#[cfg(feature = "edit")]
mod edit;
#[cfg(feature = "conformance")]
#[path = "../support/examples.rs"]
mod examples;
mod fixtures;
#[cfg(feature = "format")]
mod format;
mod grammar;
#[cfg(feature = "convert")]
mod hcl2json;
#[cfg(all(feature = "json", feature = "model"))]
mod json_reader;
#[cfg(feature = "conformance")]
mod protocol;
#[cfg(feature = "conformance")]
mod spec;
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
#[cfg(all(feature = "conformance", feature = "convert"))]
#[path = "../support/there_and_back.rs"]
mod there_and_back;
#[cfg(feature = "conformance")]
mod traversals;
mod walk;
