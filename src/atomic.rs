//! Files that change as a whole or not at all: for the programs, and for what is written from Rust types.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file, which may be there or not: into another one beside it first, which then takes its place. So
/// whoever reads it, or stops this in the middle, finds the old contents or the new. Devices and pipes, such
/// as `/dev/stdout`, are written as they are.
///
/// # Errors
/// If the folder or the file cannot be written; it is then what it was.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(_) => replace(path, contents),
        Err(error) if error.kind() == io::ErrorKind::NotFound => exchange(path, contents, None),
        Err(error) => Err(error),
    }
}

/// Writes new contents into a file that is there, as [`write`] does. What the system lets one do with it
/// stays, and who it belongs to where that can be set; a symbolic link stays one, and the file it leads to
/// changes.
///
/// # Errors
/// If the folder or the file cannot be written; the file has its old contents then.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let (path, metadata) = match fs::metadata(path) {
        Ok(metadata) => (path, metadata),
        // A link that leads to a file that is yet to be made.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let target = path.parent().unwrap_or(Path::new("")).join(fs::read_link(path).map_err(|_| error)?);
            return exchange(&target, contents, None);
        }
        Err(error) => return Err(error),
    };
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        let mut file = OpenOptions::new().write(true).open(path)?;
        return file.write_all(contents).and_then(|()| file.flush());
    }
    if metadata.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    match fs::symlink_metadata(path)?.is_symlink() {
        true => exchange(&fs::canonicalize(path)?, contents, Some(&metadata)),
        false => exchange(path, contents, Some(&metadata)),
    }
}

/// Writes a new file and gives it the name of another one.
fn exchange(path: &Path, contents: &[u8], like: Option<&fs::Metadata>) -> io::Result<()> {
    let (beside, file) = create_beside(path, like.is_some())?;
    let written = fill(file, contents, like).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A new file in the folder of another one, with a hidden name. If it is to have the permissions of that one,
/// nobody else may read it until it has.
fn create_beside(path: &Path, private: bool) -> io::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if private {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let _ = private;
    let mut attempt = 0;
    loop {
        let beside = path.with_file_name(format!(".hcl-{}-{attempt}.tmp", std::process::id()));
        match options.open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

fn fill(mut file: File, contents: &[u8], like: Option<&fs::Metadata>) -> io::Result<()> {
    file.write_all(contents)?;
    let Some(like) = like else { return Ok(()) };
    let new = file.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        if (new.uid(), new.gid()) != (like.uid(), like.gid()) {
            // Only some may give files away; for all others it cannot be helped.
            let _ = fchown(&file, Some(like.uid()), Some(like.gid()));
        }
    }
    // That it is on the disk is not waited for: systems keep the order of this and of the renaming.
    if new.permissions() == like.permissions() { Ok(()) } else { file.set_permissions(like.permissions()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("hcl-lr-write-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn contents_change_and_nothing_else_is_left() {
        let folder = folder("contents");
        let path = folder.join("a.tf");
        fs::write(&path, "old").expect("a file");
        replace(&path, b"new").expect("it can be written");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
        assert!(replace(&folder.join("b.tf"), b"new").is_err());
        write(&folder.join("b.tf"), b"new").expect("it can be made");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2);
        assert!(write(&folder, b"new").is_err() && write(&folder.join("no/such"), b"new").is_err());
        fs::remove_dir_all(folder).expect("it can be removed");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        let (path, link) = (folder.join("a.tf"), folder.join("link.tf"));
        fs::write(&path, "old").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
        symlink("a.tf", &link).expect("a link");
        replace(&link, b"new").expect("it can be written");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o640);
        symlink("made.tf", folder.join("ahead.tf")).expect("a link");
        write(&folder.join("ahead.tf"), b"new").expect("what it leads to is made");
        assert_eq!(fs::read(folder.join("made.tf")).expect("the file"), b"new");
        write(Path::new("/dev/null"), b"new").expect("a device stays one");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).expect("permissions");
        assert!(replace(&path, b"newer").is_err(), "who may not write it does not want it replaced");
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}
