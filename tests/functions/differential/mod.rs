//! Random calls of functions in the conformance protocol, and the comparison of two answers.
//!
//! Shared by the test that replays a recorded sample and by the program `function_differential` in
//! `tools`, which asks the official engine.

pub mod calls;
pub mod compare;
pub mod odd_numbers;
pub mod random;
pub mod texts;
