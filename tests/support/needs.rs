//! Files and programs, beside Rust, that some tests need.
//!
//! Such a test is ignored, so that `cargo test` reports it as ignored and never as passed. Its name begins with the need, and
//! it fails if the need is not met:
//!
//! ```text
//! #[test]
//! #[ignore = "needs corpus"]
//! fn needs_corpus_real_files_are_read() {
//! ```
//!
//! `tests/needs.rs` checks this form. `.ci/run` runs the tests whose needs are met, and names the others.

use std::path::PathBuf;

/// Returns the value of an environment variable. The test fails if it is not set.
pub fn variable(name: &str) -> String {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    value.unwrap_or_else(|| panic!("{name} is not set; tests/README.md, \"Needs\", describes it"))
}

/// The folder with real files.
pub fn corpus() -> PathBuf {
    PathBuf::from(variable("HCL_LR_CORPUS"))
}

/// The text of a file with recorded questions and answers.
pub fn vectors(file: &str) -> String {
    let path = PathBuf::from(variable("HCL_LR_VECTORS")).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The text of a specification.
pub fn specification(file: &str) -> String {
    let path = PathBuf::from(variable("HCL_LR_SPECIFICATIONS")).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The path of a driver of the official engine.
pub fn engine() -> String {
    variable("OFFICIAL_DRIVER")
}
