//! Decides which links are followed, and which paths named in files are read.
//!
//! A path on the command line is followed wherever it leads. Everything else that a run reads is checked here: the
//! entries of folders, files with values, tests, modules and imports. A link on the way to them is followed only into
//! folders on the command line, and into the folder that contains the link. Other links are not followed, and their
//! targets are not examined.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::resolve::{Resolved, Roots, Unresolved, normal};
use super::root::{Root, identity};

/// The folders and files that a run may read.
#[derive(Default)]
pub struct Reach {
    root: Root,
    named: Mutex<Named>,
}

/// The paths on the command line.
#[derive(Default)]
struct Named {
    folders: Arc<Roots>,
    files: HashSet<PathBuf>,
}

/// The files of a folder.
#[derive(Default)]
pub struct Listed {
    /// The names of the files, in order.
    pub names: Vec<String>,
    /// The names of links that lead elsewhere.
    pub left: Vec<String>,
}

impl Reach {
    /// Allows everything in a root.
    pub fn new(root: Root) -> Reach {
        Reach { root, named: Mutex::default() }
    }

    /// Returns the folder that all files must be in.
    pub fn root(&self) -> &Root {
        &self.root
    }

    fn named(&self) -> MutexGuard<'_, Named> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes paths that are on the command line.
    pub fn name(&self, paths: &[PathBuf]) {
        let Named { folders, files } = &mut *self.named();
        for path in paths {
            match path.is_dir() {
                true => Arc::make_mut(folders).add(path),
                false => drop(files.insert(absolute(path))),
            }
        }
    }

    /// Returns the folders into which a link in a folder may lead.
    fn reach_of(&self, folder: &Path) -> Roots {
        Roots::new([folder]).and(Arc::clone(&self.named().folders))
    }

    /// Returns true if a path is on the command line.
    fn is_named(&self, path: &Path) -> bool {
        self.named().files.contains(&absolute(path))
    }

    /// Follows a link in a folder.
    ///
    /// # Errors
    /// It leads elsewhere, or to nothing.
    pub fn follow(&self, link: &Path) -> Result<Resolved, Unresolved> {
        let folder = link.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if self.is_named(link) {
            let path = fs::canonicalize(link).map_err(Unresolved::Io)?;
            let metadata = fs::metadata(&path).map_err(Unresolved::Io)?;
            return Ok(Resolved { path, metadata });
        }
        let name = link.file_name().unwrap_or_default();
        self.reach_of(folder).resolve(&identity(folder), Path::new(name))
    }

    /// Lists the files of a folder that have certain names.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn files(&self, folder: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<Listed> {
        let mut listed = Listed::default();
        for entry in self.root.list(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !is_wanted(&name) {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_file() {
                listed.names.push(name);
            } else if kind.is_symlink() {
                match self.follow(&folder.join(entry.file_name())) {
                    Ok(found) if found.metadata.is_file() => listed.names.push(name),
                    Err(Unresolved::Outside) => listed.left.push(name),
                    _ => {}
                }
            }
        }
        listed.names.sort();
        listed.left.sort();
        Ok(listed)
    }

    /// Returns a folder in a folder, unless it is a link that leads elsewhere.
    pub fn folder_in(&self, folder: &Path, name: &OsStr) -> Option<PathBuf> {
        let path = folder.join(name);
        match fs::symlink_metadata(&path).ok()? {
            found if found.is_symlink() => {
                self.follow(&path).is_ok_and(|found| found.metadata.is_dir()).then_some(path)
            }
            found => found.is_dir().then_some(path),
        }
    }

    /// Returns true if the links in a relative path, named by a file in a folder, may be followed. A leading `..` is
    /// not a link: files may name folders next to their own.
    pub fn leads_within(&self, folder: &Path, path: &Path) -> bool {
        let path = normal(path);
        let is_up = |part: &Component<'_>| matches!(part, Component::ParentDir);
        let up: PathBuf = path.components().take_while(is_up).collect();
        let rest: PathBuf = path.components().skip_while(is_up).collect();
        let base = identity(&folder.join(up));
        !matches!(self.reach_of(&base).resolve(&base, &rest), Err(Unresolved::Outside))
    }
}

/// Returns the absolute form of a path without examining its target.
fn absolute(path: &Path) -> PathBuf {
    normal(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}
