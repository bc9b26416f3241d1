//! From files to Rust types and back (feature `serde`).

mod reading;
mod wrappers;
mod writing;
