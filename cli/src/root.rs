//! `--root DIR`: restricts all reads to one folder.
//!
//! Every file that a command opens goes through [`allowed`], and every folder that it lists through [`list`]. Both
//! look at the path that is left when links and `..` are resolved, and it is this path that is opened.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hcl_lr::source::visible::{path as shown, reason};

/// The folder as the user wrote it, and without links.
struct Root {
    written: PathBuf,
    real: PathBuf,
}

static ROOT: OnceLock<Root> = OnceLock::new();

/// Says which folder all files must be in from now on.
///
/// # Errors
/// A message, if it is no folder.
pub fn set(folder: &Path) -> Result<(), String> {
    let real = fs::canonicalize(folder).and_then(|real| match real.is_dir() {
        true => Ok(real),
        false => Err(io::ErrorKind::NotADirectory.into()),
    });
    let real = real.map_err(|error| format!("cannot use `{}` as `--root`: {}", shown(folder), reason(&error)))?;
    // The command line is read once.
    ROOT.get_or_init(|| Root { written: folder.to_owned(), real });
    Ok(())
}

/// Returns true if all files must be in one folder.
pub fn is_set() -> bool {
    ROOT.get().is_some()
}

/// The path to open for a path: the same without `--root`, else the one that it leads to.
///
/// # Errors
/// The path leads out of the folder, or nowhere.
pub fn allowed(path: &Path) -> io::Result<PathBuf> {
    let Some(root) = ROOT.get() else { return Ok(path.to_owned()) };
    let real = fs::canonicalize(path)?;
    match real.starts_with(&root.real) {
        true => Ok(real),
        false => Err(io::Error::other(outside(root))),
    }
}

/// Why a path must not be read, if it leads out of the folder.
pub fn refusal(path: &Path) -> Option<String> {
    let root = ROOT.get()?;
    let real = fs::canonicalize(path).ok()?;
    (!real.starts_with(&root.real)).then(|| format!("cannot read `{}`: {}", shown(path), outside(root)))
}

fn outside(root: &Root) -> String {
    format!("it is outside of `{}`, the folder of `--root`", shown(&root.written))
}

/// Returns the entries of a folder.
///
/// # Errors
/// The path leads out of the folder that `--root` names, or cannot be read.
pub fn list(folder: &Path) -> io::Result<fs::ReadDir> {
    fs::read_dir(allowed(folder)?)
}

/// The path that a path leads to, by which it is the same as another one.
pub fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
