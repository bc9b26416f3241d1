//! Reading sources: what the specification's examples mean, tokens and trees, messages and their
//! places, JSON documents, traversals, and conversion between the two syntaxes.

#[cfg(feature = "query")]
mod address;
#[cfg(all(feature = "build", feature = "eval"))]
mod build;
#[cfg(feature = "convert")]
mod convert;
#[cfg(feature = "standard-functions")]
mod diagnostics;
#[cfg(feature = "edit")]
mod edit;
#[path = "../support/examples.rs"]
mod examples;
mod fixtures;
#[cfg(feature = "format")]
mod format;
#[cfg(feature = "convert")]
mod hcl2json;
#[cfg(all(feature = "json", feature = "model"))]
mod json_reader;
mod left_out;
mod protocol;
#[cfg(feature = "convert")]
mod python_hcl2;
mod simple;
mod spec;
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
#[cfg(feature = "convert")]
#[path = "../support/there_and_back.rs"]
mod there_and_back;
mod traversals;
mod walk;
#[cfg(feature = "convert")]
mod writer;
