//! No input may hang, crash, or overflow the stack, and what it costs grows as it does.

mod bodies;
mod depth;
mod evaluation;
#[cfg(feature = "conformance")]
#[path = "../support/invariants.rs"]
mod invariants;
#[path = "../support/limits.rs"]
mod limits;
#[cfg(feature = "conformance")]
mod parsing;
#[cfg(feature = "conformance")]
mod pieces;
