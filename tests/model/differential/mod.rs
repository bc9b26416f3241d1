//! Random questions of the conformance protocol, and the comparison of two answers.
//!
//! Shared by the test that replays a recorded sample and by the program
//! `model_differential` in `tools`, which asks the official engine.

pub mod compare;
pub mod generate;
