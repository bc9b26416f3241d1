//! No input may hang, crash, or overflow the stack, and the cost grows in proportion to the input.

mod bodies;
#[path = "../support/cases.rs"]
mod cases;
mod depth;
mod evaluation;
#[path = "../growth/inputs.rs"]
mod inputs;
#[path = "../support/invariants.rs"]
mod invariants;
#[path = "../support/limits.rs"]
mod limits;
#[path = "../support/needs.rs"]
#[allow(dead_code, reason = "each test program has needs of its own")]
mod needs;
mod parsing;
mod pieces;
