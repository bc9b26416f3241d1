//! What the fuzz targets assert, which a test of the library asserts of all that was found.

#[path = "../../tests/support/fuzz/mod.rs"]
pub mod targets;
