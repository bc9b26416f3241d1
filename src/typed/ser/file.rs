//! Writing a file as a whole: whoever reads it finds the old contents or the new.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces a file, or writes a new one. Permissions, owner and all names of the file stay: where a new file cannot have
/// them, and for what is not a regular file, such as `/dev/stdout`, the contents are written in place.
pub(super) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let Ok(target) = fs::canonicalize(path) else {
        // A new file; a link to one is followed.
        return if path.is_symlink() { fs::write(path, contents) } else { put(path, contents, None) };
    };
    let old = fs::metadata(&target)?;
    // A user without permission to write a file does not want it replaced.
    if old.is_file() && old.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if !old.is_file() || has_several_names(&old) {
        return fs::write(&target, contents);
    }
    put(&target, contents, Some(&old))
}

/// Writes a new file beside the target, which then takes its name.
fn put(target: &Path, contents: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    let (temporary, file) = beside(target, old.is_some())?;
    let is_renamed = match fill(file, contents, old) {
        Ok(true) => fs::rename(&temporary, target).map(|()| true),
        Ok(false) => fs::write(target, contents).map(|()| false),
        Err(error) => Err(error),
    };
    if !matches!(is_renamed, Ok(true)) {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    is_renamed.map(drop)
}

/// Writes the contents with the permissions of the old file. Returns false if the owner would be another one.
fn fill(mut file: File, contents: &[u8], old: Option<&Metadata>) -> io::Result<bool> {
    if let Some(old) = old
        && !has_same_owner(old, &file.metadata()?)
    {
        return Ok(false);
    }
    file.write_all(contents)?;
    old.map_or(Ok(()), |old| file.set_permissions(old.permissions()))?;
    Ok(true)
}

/// Creates a file with a name that no file of the folder has. A private one can be read by its owner only, until it gets
/// the permissions of the file that it replaces.
fn beside(path: &Path, is_private: bool) -> io::Result<(PathBuf, File)> {
    const ATTEMPTS: u32 = 1000;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let _ = is_private;
    let mut attempt = 0;
    loop {
        let temporary = path.with_file_name(format!(".hcl-{}-{attempt}.tmp", std::process::id()));
        match options.open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => attempt += 1,
            file => return Ok((temporary, file?)),
        }
    }
}

#[cfg(unix)]
fn has_several_names(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) > 1
}

#[cfg(not(unix))]
fn has_several_names(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn has_same_owner(old: &Metadata, new: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (old.uid(), old.gid()) == (new.uid(), new.gid())
}

#[cfg(not(unix))]
fn has_same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}
