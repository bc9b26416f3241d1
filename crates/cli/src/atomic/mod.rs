//! Replaces whole files, such as those changed by an [`Editor`](hcl_lr_edit::Editor).
//!
//! The new contents go into a temporary file next to the target (`.hcl-PID-N.tmp`), which is then renamed. So a
//! reader, or an interruption, sees either the old contents or the new. Permissions, owner and extended attributes are
//! kept. If that is impossible, or if the file has several names (hard links), it is written in place instead.
//!
//! `update` replaces contents that were read before. A lock separates programs that use this module. Right before the
//! replacement, the contents are compared with those read, so that changes of other programs are not lost. `create`
//! writes a new file. `exit` and `end` remove temporary files when a signal ends the program.

mod leftovers;
mod lock;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

pub use leftovers::end;
#[cfg(not(unix))]
pub use leftovers::exit;

/// The number of times that an update begins again because another program has changed the file.
const ATTEMPTS: usize = 5;

/// Writes a file, which may exist already. Devices and pipes, such as `/dev/stdout`, are written directly.
///
/// # Errors
/// If the folder or the file cannot be written; the file is then unchanged.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    match Target::of(path)? {
        Target::Stream(path) => stream(&path, contents),
        Target::File(path) => {
            let _lock = lock(&path)?;
            put(&path, contents)
        }
    }
}

/// Writes a file that does not exist yet.
///
/// # Errors
/// As [`write()`], and `AlreadyExists` if it does.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let _lock = lock(path)?;
    let temporary = Temporary::new(path, contents, None)?;
    // Unlike renaming, this never replaces a file that another program has just created.
    match fs::hard_link(&temporary.path, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems do not support hard links.
        Err(_) if !path.exists() => temporary.rename(path),
        result => result,
    }
}

/// The reason why a file was not updated.
#[derive(Debug)]
#[non_exhaustive]
pub enum UpdateError {
    /// It cannot be read or written.
    Io(io::Error),
    /// The contents have changed, and the new ones cannot be computed from them, with the reason.
    Changed(String),
}
impl From<io::Error> for UpdateError {
    fn from(error: io::Error) -> Self {
        UpdateError::Io(error)
    }
}

impl std::fmt::Display for UpdateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UpdateError::Io(error) => f.write_str(&hcl_lr::source::visible::reason(error)),
            UpdateError::Changed(why) => write!(f, "another program has changed it meanwhile, and {why}"),
        }
    }
}

/// Replaces the contents of a file that were read before. If another program has changed them, `again` computes the
/// new contents from the current ones; `None` leaves the file as it is.
///
/// # Errors
/// If the file cannot be read or written, or `again` fails; the file then stays as the other program left it.
pub fn update(
    path: &Path,
    read: &[u8],
    contents: &[u8],
    mut again: impl FnMut(&[u8]) -> Result<Option<Vec<u8>>, String>,
) -> Result<(), UpdateError> {
    let path = match Target::of(path)? {
        Target::Stream(path) => return Ok(stream(&path, contents)?),
        Target::File(path) => path,
    };
    let _lock = lock(&path)?;
    let mut made: Option<(Vec<u8>, Vec<u8>)> = None;
    for _ in 0..ATTEMPTS {
        let (old, new) = made.as_ref().map_or((read, contents), |(old, new)| (old, new));
        if replace_if_same(&path, old, new)? {
            return Ok(());
        }
        // With the lock, only other software can change it once more.
        let now = fs::read(&path)?;
        let Some(new) = again(&now).map_err(UpdateError::Changed)? else { return Ok(()) };
        made = Some((now, new));
    }
    Err(UpdateError::Changed("it changes again and again; try again when no other program writes it".to_owned()))
}

/// Replaces the contents of a file if they are the expected ones.
fn replace_if_same(path: &Path, expected: &[u8], contents: &[u8]) -> io::Result<bool> {
    let metadata = writable(path)?;
    let same = || io::Result::Ok(fs::metadata(path)?.len() == expected.len() as u64 && fs::read(path)? == expected);
    if links(&metadata) == 1
        && let Some(temporary) = Temporary::like(path, contents, &metadata)?
    {
        // As late as possible: the new file is ready.
        return if same()? { temporary.rename(path).map(|()| true) } else { Ok(false) };
    }
    if same()? { in_place(path, contents).map(|()| true) } else { Ok(false) }
}

/// The target of a path.
enum Target {
    /// A file, which may not exist yet. Its path is not a symbolic link.
    File(PathBuf),
    /// A device or a pipe.
    Stream(PathBuf),
}

impl Target {
    fn of(path: &Path) -> io::Result<Target> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => Ok(Target::Stream(path.to_owned())),
            Ok(_) if fs::symlink_metadata(path)?.is_symlink() => Ok(Target::File(fs::canonicalize(path)?)),
            Ok(_) => Ok(Target::File(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
                // A link to a file that does not exist yet.
                Ok(target) => Ok(Target::File(path.parent().unwrap_or(Path::new("")).join(target))),
                Err(_) => Ok(Target::File(path.to_owned())),
            },
            Err(error) => Err(error),
        }
    }
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn lock(path: &Path) -> io::Result<lock::Lock> {
    lock::Lock::of(path)
}

fn stream(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(contents).and_then(|()| file.flush())
}

/// Writes a file, whatever it holds.
fn put(path: &Path, contents: &[u8]) -> io::Result<()> {
    let metadata = match writable(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Temporary::new(path, contents, None)?.rename(path);
        }
        metadata => metadata?,
    };
    if links(&metadata) == 1
        && let Some(temporary) = Temporary::like(path, contents, &metadata)?
    {
        return temporary.rename(path);
    }
    in_place(path, contents)
}

/// The metadata of a file that may be written.
fn writable(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    // A user without permission to write a file does not want it replaced.
    if metadata.permissions().readonly() { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(metadata) }
}

/// The number of names that a file has.
fn links(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata);
    #[cfg(not(unix))]
    {
        let _ = metadata;
        1
    }
}

/// Overwrites the contents of a file, so that all of its names, its owner and its attributes stay. If that fails, the
/// old contents are written back.
fn in_place(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut old = Vec::new();
    file.read_to_end(&mut old)?;
    let _busy = leftovers::busy();
    let result = overwrite(&mut file, contents);
    if result.is_err() {
        // The first error is the one to report.
        let _ = overwrite(&mut file, &old);
    }
    result
}

fn overwrite(file: &mut File, contents: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(contents)?;
    file.set_len(contents.len() as u64)
}

/// A temporary file that will replace another one. It is removed if it does not.
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    /// A new file with contents in the folder of another one, with a hidden name.
    fn new(beside: &Path, contents: &[u8], mode: Option<u32>) -> io::Result<Temporary> {
        let (temporary, mut file) = Temporary::open(beside, mode)?;
        file.write_all(contents)?;
        Ok(temporary)
    }

    /// Creates a temporary file with all properties of another file except for the contents; `None` if that is
    /// impossible.
    fn like(path: &Path, contents: &[u8], metadata: &Metadata) -> io::Result<Option<Temporary>> {
        // Nobody else may read it before it has the permissions of the other file.
        let (temporary, mut file) = Temporary::open(path, Some(0o600))?;
        file.write_all(contents)?;
        // There is no need to wait for the disk: file systems keep the order of this write and the renaming.
        Ok(keep(&file, path, &temporary.path, metadata)?.then_some(temporary))
    }

    fn open(beside: &Path, mode: Option<u32>) -> io::Result<(Temporary, File)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(mode) = mode {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        }
        let _ = mode;
        let mut attempt = 0;
        loop {
            let path = folder(beside).join(format!(".hcl-{}-{attempt}.tmp", std::process::id()));
            let made = leftovers::make(&path, || options.open(&path));
            match made {
                Ok(file) => return Ok((Temporary { path, renamed: false }, file)),
                Err(error) => {
                    if error.kind() != io::ErrorKind::AlreadyExists || attempt == 1000 {
                        return Err(error);
                    }
                    attempt += 1;
                }
            }
        }
    }

    fn rename(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            let _ = fs::remove_file(&self.path);
        }
        leftovers::forget(&self.path);
    }
}

/// Copies the owner, the extended attributes and the permissions to a new file. Returns false if it cannot have all of
/// them.
fn keep(file: &File, old: &Path, new: &Path, metadata: &Metadata) -> io::Result<bool> {
    let new_metadata = file.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let wanted = (metadata.uid(), metadata.gid());
        // Only privileged users may give files away.
        if (new_metadata.uid(), new_metadata.gid()) != wanted && fchown(file, Some(wanted.0), Some(wanted.1)).is_err() {
            return Ok(false);
        }
    }
    if !keep_attributes(old, new) {
        return Ok(false);
    }
    if new_metadata.permissions() != metadata.permissions() {
        file.set_permissions(metadata.permissions())?;
    }
    Ok(true)
}

/// Copies the extended attributes to a new file, including access control lists. Returns false if one of them cannot
/// be set.
#[cfg(unix)]
fn keep_attributes(old: &Path, new: &Path) -> bool {
    // Without attributes, none can be lost.
    let Ok(names) = xattr::list(old) else { return true };
    for name in names {
        let Ok(Some(value)) = xattr::get(old, &name) else { continue };
        if xattr::get(new, &name).ok().flatten().as_ref() != Some(&value) && xattr::set(new, &name, &value).is_err() {
            return false;
        }
    }
    true
}

#[cfg(not(unix))]
fn keep_attributes(_: &Path, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests;
