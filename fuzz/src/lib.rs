//! The assertions of the fuzz targets, which a test of the library repeats for all findings.

#[path = "../../tests/support/fuzz/mod.rs"]
pub mod targets;
