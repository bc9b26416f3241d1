//! From files to Rust types and back (feature `serde`).

mod all_ways;
mod bounds;
mod buffered;
mod data_model;
mod dynamic;
mod errors;
mod from_hcl_rs;
#[path = "../support/golden.rs"]
mod golden;
mod own_names;
#[allow(dead_code, reason = "only errors are looked at")]
mod programs;
mod reading;
mod wrappers;
mod writing;
#[cfg(feature = "derive")]
mod writing_derive;
mod writing_errors;
mod writing_impls;
mod writing_kinds;
mod writing_random;
