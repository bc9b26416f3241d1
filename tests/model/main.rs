//! Tests of the information model through its public face.

mod codecs;
mod differential;

#[cfg(feature = "eval")]
mod laws;
mod limits;
#[cfg(feature = "eval")]
mod native;
#[path = "../support/needs.rs"]
#[allow(dead_code, reason = "each test program has needs of its own")]
mod needs;
mod number;
mod recorded;
mod rules;

mod vectors;
