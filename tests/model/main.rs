//! Tests of the information model through its public face.

mod codecs;
mod differential;

#[cfg(feature = "eval")]
mod laws;
mod limits;
#[cfg(feature = "eval")]
mod native;
mod number;
mod recorded;
mod rules;

mod vectors;
