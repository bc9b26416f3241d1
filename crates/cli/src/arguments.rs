//! The command line of the process, or the one that an embedding program gives.

use std::ffi::OsString;
use std::sync::OnceLock;

static GIVEN: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the command line, with the name of the program. Has an effect only once in a process.
pub fn give(arguments: Vec<OsString>) {
    let _ = GIVEN.set(arguments);
}

/// Returns the command line, with the name of the program.
pub fn all() -> Vec<OsString> {
    GIVEN.get().cloned().unwrap_or_else(|| std::env::args_os().collect())
}
