//! From files to Rust types and back (feature `serde`).

mod data_model;
mod errors;
#[path = "../support/golden.rs"]
mod golden;
mod peers;
mod reading;
mod wrappers;
mod writing;
