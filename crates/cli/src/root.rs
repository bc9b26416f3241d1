//! `--root DIR`: restricts all reads to one folder.
//!
//! Every file that a command opens goes through [`allowed`], and every folder that it lists through [`list`]. Both
//! look at the path that is left when links and `..` are resolved, and it is this path that is opened. A path that a file
//! names goes through [`refusal`] before, which does not look at anything outside.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::resolve::{Resolved, Roots, Unresolved, normal};
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

/// Returns the folder that all files must be in, if there is one.
pub fn folder() -> Option<&'static Path> {
    ROOT.get().map(|root| &*root.real)
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

/// Resolves a path that a file names, from a folder on. Nothing outside of the folder is looked up. `None` without
/// `--root`.
pub fn resolve(from: &Path, path: &Path) -> Option<Result<Resolved, Unresolved>> {
    let root = ROOT.get()?;
    Some(Roots::new([&*root.real]).resolve(&identity(from), path))
}

/// Returns why a path that a file names must not be read, if it leads out of the folder.
pub fn refusal(from: &Path, path: &Path) -> Option<String> {
    match resolve(from, path)? {
        Err(Unresolved::Outside) => {
            Some(format!("cannot read `{}`: {}", shown(&normal(&from.join(path))), why_outside()?))
        }
        _ => None,
    }
}

/// Returns the reason why files outside of the folder are not read, for messages. `None` without `--root`.
pub fn why_outside() -> Option<String> {
    ROOT.get().map(outside)
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
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
