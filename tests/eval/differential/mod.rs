//! Random questions about sources of all kinds, and the comparison of two answers.
//!
//! Shared by the test that replays a recorded sample and by the program `differential` in `tools`,
//! which asks another driver of the conformance protocol.

pub mod answers;
pub mod explained;
pub mod questions;
