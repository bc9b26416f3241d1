//! The programs.

pub mod conformance;
