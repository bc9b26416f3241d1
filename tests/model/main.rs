//! Tests of the information model through its public face.

mod codecs;
mod differential;

mod laws;
mod limits;
mod native;
mod number;
mod recorded;
mod rules;

mod vectors;
