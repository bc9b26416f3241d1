//! Tests of the information model through its public face.

mod codecs;

mod laws;
mod limits;
mod native;
#[path = "../support/needs.rs"]
#[allow(dead_code, reason = "each test program has needs of its own")]
mod needs;
mod number;
mod recorded;
mod rules;

mod vectors;
