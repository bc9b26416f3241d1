//! Random questions of the conformance protocol, peers that answer them, and the comparison of two answers.
//!
//! The program `hcl-differ` asks this library and another driver; tests replay questions with recorded answers.

pub mod comparison;
pub mod defects;
pub mod peers;
pub mod questions;
pub mod random;
pub mod record;
pub mod shrink;
#[cfg(test)]
mod tests;

pub use comparison::Verdict;
pub use questions::{KINDS, Kind};
pub use random::Random;
