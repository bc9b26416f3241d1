//! Tests of the information model through its public face.

mod codecs;
#[cfg(feature = "conformance")]
mod differential;

mod laws;
mod limits;
mod native;
mod number;
#[cfg(feature = "conformance")]
mod recorded;
mod rules;

#[cfg(feature = "conformance")]
mod vectors;
