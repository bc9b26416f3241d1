//! Replaces files. When a signal ends the program, [`signals`](super::signals) removes temporary files.

use super::error::Error;
use std::io;
use std::path::Path;

use crate::atomic;
pub use crate::atomic::UpdateError;

/// Writes a file, as [`atomic::write`] does.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    atomic::write(path, contents)
}

/// Creates a file, as [`atomic::create`] does.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    atomic::create(path, contents)
}

/// Updates a file, as [`atomic::update`] does.
pub fn update(
    path: &Path,
    read: &[u8],
    contents: &[u8],
    mut again: impl FnMut(&[u8]) -> Result<Option<Vec<u8>>, Error>,
) -> Result<(), UpdateError> {
    atomic::update(path, read, contents, |now| again(now).map_err(|error| error.to_string()))
}
