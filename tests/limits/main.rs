//! No input may hang, crash, or overflow the stack, and what it costs grows as it does.

mod bodies;
mod depth;
mod evaluation;
#[path = "../support/invariants.rs"]
mod invariants;
#[path = "../support/limits.rs"]
mod limits;
mod parsing;
mod pieces;
