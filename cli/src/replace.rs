//! Replaces files, and removes temporary files on Ctrl-C.

use std::io;
use std::path::Path;
use std::sync::Once;

use hcl_lr::atomic;
pub use hcl_lr::atomic::UpdateError;

/// The exit status after a signal, as shells show it for Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Handles signals from now on: before there is anything to remove, they do what they always do. If another part of the
/// program handles them already, it does.
fn handle_signals() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| drop(ctrlc::try_set_handler(|| atomic::exit(INTERRUPTED))));
}

/// Writes a file, as [`atomic::write`] does.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    handle_signals();
    atomic::write(path, contents)
}

/// Creates a file, as [`atomic::create`] does.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    handle_signals();
    atomic::create(path, contents)
}

/// Updates a file, as [`atomic::update`] does.
pub fn update(
    path: &Path,
    read: &[u8],
    contents: &[u8],
    again: impl FnMut(&[u8]) -> Result<Option<Vec<u8>>, String>,
) -> Result<(), UpdateError> {
    handle_signals();
    atomic::update(path, read, contents, again)
}
