//! `--root DIR`: restricts all reads to one folder.
//!
//! Every file that a command opens goes through [`Root::allowed`], and every folder that it lists through
//! [`Root::list`]. Both resolve links and `..`, and open the resolved path. A path named in a file first goes through
//! [`Root::refusal`], which examines nothing outside.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::resolve::{Resolved, Roots, Unresolved, normal};
use hcl_lr::source::visible::path as shown;

/// The folder that must contain all files, if there is one.
#[derive(Default)]
pub struct Root(Option<Folder>);

/// The folder as the user wrote it, and without links.
struct Folder {
    written: PathBuf,
    real: PathBuf,
}

impl Root {
    /// Allows only files in a folder.
    ///
    /// # Errors
    /// It is not a folder.
    pub fn new(folder: &Path) -> Result<Root, Error> {
        let real = fs::canonicalize(folder).and_then(|real| match real.is_dir() {
            true => Ok(real),
            false => Err(io::ErrorKind::NotADirectory.into()),
        });
        let real = real.map_err(|error| Error::io(format!("cannot use `{}` as `--root`", shown(folder)), error))?;
        Ok(Root(Some(Folder { written: folder.to_owned(), real })))
    }

    /// Returns the folder that must contain all files, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.0.as_ref().map(|folder| &*folder.real)
    }

    /// Returns the path to open for a path: the same path without `--root`, else the resolved one.
    ///
    /// # Errors
    /// The path leads out of the folder, or nowhere.
    pub fn allowed(&self, path: &Path) -> io::Result<PathBuf> {
        let Some(folder) = &self.0 else { return Ok(path.to_owned()) };
        let real = fs::canonicalize(path)?;
        match real.starts_with(&folder.real) {
            true => Ok(real),
            false => Err(io::Error::other(folder.why_outside())),
        }
    }

    /// Resolves a path named in a file, from a folder. Nothing outside the folder is looked up. `None` without
    /// `--root`.
    fn resolve(&self, from: &Path, path: &Path) -> Option<Result<Resolved, Unresolved>> {
        Some(Roots::new([self.folder()?]).resolve(&identity(from), path))
    }

    /// Returns the reason why a path named in a file must not be read, if it leads out of the folder.
    pub fn refusal(&self, from: &Path, path: &Path) -> Option<String> {
        match self.resolve(from, path)? {
            Err(Unresolved::Outside) => {
                Some(format!("cannot read `{}`: {}", shown(&normal(&from.join(path))), self.why_outside()?))
            }
            _ => None,
        }
    }

    /// Returns the reason why files outside the folder are not read, for messages. `None` without `--root`.
    pub fn why_outside(&self) -> Option<String> {
        self.0.as_ref().map(Folder::why_outside)
    }

    /// Returns the entries of a folder.
    ///
    /// # Errors
    /// The path leads out of the folder that `--root` names, or cannot be read.
    pub fn list(&self, folder: &Path) -> io::Result<fs::ReadDir> {
        fs::read_dir(self.allowed(folder)?)
    }
}

impl Folder {
    fn why_outside(&self) -> String {
        format!("it is outside of `{}`, the folder of `--root`", shown(&self.written))
    }
}

/// Returns a path that is the same for all paths of a file.
pub fn identity(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
