//! Tests of the information model through its public face.

mod codecs;
#[cfg(feature = "conformance")]
mod differential;

#[cfg(feature = "eval")]
mod laws;
mod limits;
#[cfg(feature = "eval")]
mod native;
mod number;
#[cfg(feature = "conformance")]
mod recorded;
mod rules;

#[cfg(feature = "conformance")]
mod vectors;
