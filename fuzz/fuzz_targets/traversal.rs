#![no_main]

#[path = "../../tests/support/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|text: &str| invariants::traversal(text.as_bytes()));
