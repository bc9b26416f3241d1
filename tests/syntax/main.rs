//! Reading sources: what the specification's examples mean, tokens and trees, messages and their
//! places, JSON documents, traversals, and conversion between the two syntaxes.

#[cfg(feature = "conformance")]
mod convert;
#[cfg(all(feature = "conformance", feature = "count-work"))]
mod coverage;
mod diagnostics;
#[cfg(feature = "conformance")]
#[path = "../support/examples.rs"]
mod examples;
mod fixtures;
mod format;
mod grammar;
mod json_reader;
mod places;
#[cfg(feature = "conformance")]
mod spec;
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
#[cfg(feature = "conformance")]
mod traversals;
