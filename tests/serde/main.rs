//! From files to Rust types and back (feature `serde`).

mod all_ways;
mod bounds;
mod buffered;
#[path = "../support/cases.rs"]
mod cases;
mod data_model;
mod dynamic;
mod errors;
mod from_hcl_rs;
mod from_hcl_rs_values;
mod glob;
#[path = "../support/golden.rs"]
mod golden;
#[path = "../support/lines.rs"]
mod lines;
#[path = "../support/needs.rs"]
#[allow(dead_code, reason = "each test program has needs of its own")]
mod needs;
mod own_names;
#[allow(dead_code, reason = "only errors are looked at")]
mod programs;
mod reading;
mod wrappers;
mod writing;
mod writing_derive;
mod writing_errors;
mod writing_impls;
mod writing_kinds;
mod writing_random;
