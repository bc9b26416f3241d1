//! Resolves paths one name at a time, and refuses those that leave the allowed folders.
//!
//! A name is looked up only in an allowed folder. So the answer for a path that leaves is the same whatever exists
//! outside: a file, nothing, or something that the user must not see. Example: the root is `/srv/app`, and `out` in it
//! is a link to `../other`. For `out/x`, `out` is looked up, and its target begins with `..`, which leaves `/srv/app`:
//! the path is refused before `/srv/other` is accessed. A path may go up from a root and back into one, as in
//! `../app/x`, because this needs no lookup: the names in the paths of the roots are known.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The maximum number of links in a path, as in Linux.
const MAX_LINKS: usize = 40;

/// Returns a path without `.` and, as far as possible, without `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    if parts.is_empty() { PathBuf::from(".") } else { parts.into_iter().collect() }
}

/// Folders whose files may be read.
#[derive(Clone, Default)]
pub struct Roots {
    /// The folders by their resolved paths, and by the absolute paths under which they were named.
    real: HashMap<PathBuf, PathBuf>,
    /// The folders that the roots are in.
    above: HashSet<PathBuf>,
    /// The number of names in the longest of these paths.
    longest: usize,
    further: Option<Arc<Roots>>,
}

/// A file or folder in one of the roots. Its path has no links.
pub struct Resolved {
    pub path: PathBuf,
    pub metadata: Metadata,
}

/// The reason why a path leads to nothing that may be read.
pub enum Unresolved {
    /// It leaves the roots.
    Outside,
    /// It stays inside, but does not exist or cannot be looked up.
    Io(io::Error),
}

/// A remaining step of a path.
enum Step {
    Up,
    Into(OsString),
}

impl Roots {
    /// Creates the roots at paths, ignoring those that do not exist.
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Roots {
        let mut roots = Roots::default();
        paths.into_iter().for_each(|path| roots.add(path));
        roots
    }

    /// Adds the root at a path, if it exists.
    pub fn add(&mut self, path: &Path) {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let Ok(real) = fs::canonicalize(path) else { return };
        self.above.extend(real.ancestors().skip(1).map(Path::to_owned));
        let named = std::path::absolute(path).map(|path| normal(&path));
        for path in named.into_iter().chain([real.clone()]) {
            self.longest = self.longest.max(path.components().count());
            self.real.insert(path, real.clone());
        }
    }

    /// Adds shared roots.
    pub fn and(self, further: Arc<Roots>) -> Roots {
        Roots { further: Some(further), ..self }
    }

    /// Returns the outermost root that a path without links is in, or that an absolute path begins with, and the number
    /// of names after it.
    fn root_of(&self, path: &Path) -> Option<(&Path, usize)> {
        let total = path.components().count();
        let mut start = PathBuf::new();
        // Nothing longer than the longest root can be one, so long paths cost no more than short ones.
        let mut starts = path.components().take(self.longest).enumerate().filter_map(|(index, part)| {
            start.push(part);
            Some((&**self.real.get(&start)?, total - index - 1))
        });
        let further = self.further.as_ref().and_then(|further| further.root_of(path));
        starts.next().into_iter().chain(further).max_by_key(|(_, rest)| *rest)
    }

    fn are_below(&self, path: &Path) -> bool {
        self.above.contains(path) || self.further.as_ref().is_some_and(|further| further.are_below(path))
    }

    /// Resolves a path from a folder whose own path has no links.
    ///
    /// # Errors
    /// The path leaves the roots, or leads to nothing.
    pub fn resolve(&self, from: &Path, path: &Path) -> Result<Resolved, Unresolved> {
        let (mut at, mut waiting) = (from.to_owned(), Vec::new());
        // The number of names below the root, if the path is in one.
        let mut below = Some(self.root_of(from).ok_or(Unresolved::Outside)?.1);
        self.take(path, &mut at, &mut below, &mut waiting)?;
        let (mut links, mut last, mut trouble) = (0, None, None);
        while let Some(step) = waiting.pop() {
            match step {
                Step::Up => {
                    below = below.and_then(|below| below.checked_sub(1));
                    last = None;
                    at.pop();
                    continue;
                }
                Step::Into(name) => at.push(name),
            }
            below = match below {
                Some(below) => Some(below + 1),
                // Nothing is looked up until the path is inside a root again.
                None if self.are_below(&at) => continue,
                None => {
                    let (root, rest) = self.root_of(&at).ok_or(Unresolved::Outside)?;
                    // It may be called by a path with links.
                    at = if rest == 0 { root.to_owned() } else { at };
                    Some(rest)
                }
            };
            // After the first error, only the words of the path count: it may still leave.
            if trouble.is_some() {
                continue;
            }
            match fs::symlink_metadata(&at) {
                Ok(found) if found.is_symlink() => {
                    links += 1;
                    match fs::read_link(&at) {
                        Ok(_) if links > MAX_LINKS => trouble = Some(io::Error::other("its links lead in a circle")),
                        Ok(target) => {
                            at.pop();
                            below = below.and_then(|below| below.checked_sub(1));
                            self.take(&target, &mut at, &mut below, &mut waiting)?;
                        }
                        Err(error) => trouble = Some(error),
                    }
                }
                Ok(found) if !found.is_dir() && !waiting.is_empty() => {
                    trouble = Some(io::ErrorKind::NotADirectory.into());
                }
                Ok(found) => last = Some(found),
                Err(error) if has_zero(&at) => {
                    trouble = Some(io::Error::new(error.kind(), "it has a character that no path can have"));
                }
                Err(error) => trouble = Some(error),
            }
        }
        if below.is_none() {
            return Err(Unresolved::Outside);
        }
        if let Some(error) = trouble {
            return Err(Unresolved::Io(error));
        }
        let metadata = last.map_or_else(|| fs::symlink_metadata(&at), Ok).map_err(Unresolved::Io)?;
        Ok(Resolved { path: at, metadata })
    }

    /// Adds the steps of a path before the remaining ones. An absolute path starts at the root that it names.
    fn take(
        &self,
        path: &Path,
        at: &mut PathBuf,
        below: &mut Option<usize>,
        waiting: &mut Vec<Step>,
    ) -> Result<(), Unresolved> {
        let mut steps = path.components().count();
        if path.has_root() || matches!(path.components().next(), Some(Component::Prefix(_))) {
            let (root, rest) = self.root_of(path).ok_or(Unresolved::Outside)?;
            (*at, *below, steps) = (root.to_owned(), Some(0), rest);
        }
        for component in path.components().rev().take(steps) {
            match component {
                Component::Normal(name) => waiting.push(Step::Into(name.to_owned())),
                Component::ParentDir => waiting.push(Step::Up),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => return Err(Unresolved::Outside),
            }
        }
        Ok(())
    }
}

fn has_zero(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().contains(&0)
}
