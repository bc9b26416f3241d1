//! From files to Rust types and back (feature `serde`).

mod wrappers;
mod writing;
