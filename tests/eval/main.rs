//! What sources give: evaluation, types, bodies by schema, dynamic blocks, functions that a
//! configuration defines, decoding by specs, and that marked values are never shown.

#[cfg(feature = "conformance")]
mod body;
#[cfg(feature = "conformance")]
mod decode;
#[cfg(feature = "conformance")]
mod differential;
#[cfg(feature = "conformance")]
mod dynamic;
#[cfg(feature = "conformance")]
mod evaluation;
mod secrets;
#[cfg(all(feature = "conformance", feature = "simplify"))]
mod simplify;
#[cfg(feature = "conformance")]
mod suite;
#[path = "../support/mod.rs"]
mod support;
mod twins;
#[cfg(feature = "conformance")]
mod types;
mod user_functions;
