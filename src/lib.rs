//! HCL, the HashiCorp Configuration Language 2.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
pub mod model;
pub mod source;
pub mod syntax;

pub use syntax::{File, parse};
