//! The properties of any input, for each entry point of the library.
//!
//! [`TARGETS`] has a function for each fuzz target: it takes bytes, does with them what the target is
//! about, and panics where something does not hold. The fuzz targets in `fuzz/` call these functions with what
//! libFuzzer makes up; `tests/limits/found.rs` calls them with the inputs in `tests/fixtures/fuzz/`, which
//! are those that have failed once. Both include this folder with `#[path]`.
//!
//! An input with several parts has a line `---` between them.
#![allow(dead_code)]

#[path = "../invariants.rs"]
mod invariants;
#[path = "../there_and_back.rs"]
mod there_and_back;

mod decoding;
mod edits;
mod evaluation;
mod notations;
mod places;
mod types;
mod world;

type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("config", invariants::config),
    ("expression", invariants::expression),
    ("template", invariants::template),
    ("traversal", invariants::traversal),
    ("bytes", invariants::all),
    ("json", |bytes| notations::json(bytes)),
    ("evaluate", |bytes| text(bytes, evaluation::evaluate)),
    ("render", |bytes| text(bytes, evaluation::render)),
    ("functions", |bytes| text(bytes, evaluation::functions)),
    ("user_functions", |bytes| text(bytes, evaluation::user_functions)),
    ("decode", |bytes| text(bytes, decoding::decode)),
    ("dynamic", |bytes| text(bytes, decoding::dynamic)),
    ("merge", |bytes| text(bytes, decoding::merge)),
    ("types", |bytes| text(bytes, types::types)),
    ("codecs", |bytes| types::codecs(bytes)),
    ("convert", |bytes| text(bytes, notations::convert)),
    ("format", |bytes| notations::format(bytes)),
    ("edit", |bytes| text(bytes, edits::edit)),
    ("query", |bytes| text(bytes, places::query)),
];

/// Runs the target of a name.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target");
    target(bytes);
}

/// Targets that take text have nothing to do with other bytes.
fn text(bytes: &[u8], target: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        target(text);
    }
}

/// The parts of an input.
fn parts(input: &str) -> Vec<&str> {
    input.split("\n---\n").collect()
}
