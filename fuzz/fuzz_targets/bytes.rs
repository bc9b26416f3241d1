#![no_main]

#[path = "../../tests/support/invariants.rs"]
mod invariants;

// Any bytes, most of which are no UTF-8, as each kind of source.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::all(bytes));
