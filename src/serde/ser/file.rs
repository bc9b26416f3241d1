//! Replaces whole files, so that readers see either the old contents or the new ones.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces a file, or creates it. Permissions and symbolic links are kept. A file that is not regular, such as
/// `/dev/stdout`, is written directly.
pub(super) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = match fs::metadata(&target) {
        Ok(old) if !old.is_file() => return fs::write(&target, contents),
        // A user without permission to write a file does not want it replaced.
        Ok(old) if old.permissions().readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    let (temporary, mut file) = beside(&target)?;
    let written = file.write_all(contents);
    let written = written.and_then(|()| old.map_or(Ok(()), |permissions| file.set_permissions(permissions)));
    drop(file);
    written.and_then(|()| fs::rename(&temporary, &target)).inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// Creates a file with a name that no file of the folder has.
fn beside(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    const ATTEMPTS: u32 = 1000;
    let mut attempt = 0;
    loop {
        let temporary = path.with_file_name(format!(".hcl-{}-{attempt}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => attempt += 1,
            file => return Ok((temporary, file?)),
        }
    }
}
