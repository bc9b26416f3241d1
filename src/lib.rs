//! HCL, the HashiCorp Configuration Language 2.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
pub mod eval;
pub mod functions;
pub mod model;
pub mod source;
pub mod syntax;

pub use eval::Scope;
pub use syntax::{File, parse};
