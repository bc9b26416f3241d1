//! Tests of the information model through its public face.

mod codecs;
#[cfg(feature = "cli")]
mod differential;

mod laws;
mod limits;
mod number;
#[cfg(feature = "cli")]
mod recorded;
mod rules;

#[cfg(feature = "cli")]
mod vectors;
