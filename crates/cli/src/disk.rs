//! The files of the disk, as projects read them: within the limits, the links and the root that a command allows.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::context::Context;
use super::error::Error;
use super::input::{Origin, document_of, keep_stdin};
use super::root::identity;
use hcl_lr::ParseOptions;
use hcl_lr_language::schema::is_hcl_file;
use hcl_lr_project::languages::MAX_START;
use hcl_lr_project::paths::{join, split};
use hcl_lr_project::{Document, Files, Unread};

/// The files of the disk.
pub struct Disk {
    context: Context,
    options: ParseOptions,
    /// The files that the user named, by their paths in projects.
    named: Mutex<HashMap<String, Origin>>,
    /// The folders so far.
    folders: Mutex<HashMap<String, Arc<Folder>>>,
    /// The reason why standard input cannot be read, which can be asked for only once.
    stdin_failure: Mutex<Option<Error>>,
    /// Links to files and modules that were not followed.
    left: Mutex<BTreeSet<PathBuf>>,
}

impl Disk {
    /// The disk, whose files are parsed with these options.
    pub fn new(context: &Context, options: ParseOptions) -> Disk {
        Disk {
            context: context.clone(),
            options,
            named: Mutex::default(),
            folders: Mutex::default(),
            stdin_failure: Mutex::default(),
            left: Mutex::default(),
        }
    }

    /// Returns the path in projects of a file that the user named.
    pub fn name(&self, origin: &Origin) -> String {
        let path = match origin {
            Origin::Stdin => origin.name(),
            Origin::Path(path) => project_path(path),
        };
        lock(&self.named).entry(path.clone()).or_insert_with(|| origin.clone());
        path
    }

    /// Returns the file at a path in projects.
    pub fn origin(&self, path: &str) -> Origin {
        lock(&self.named).get(path).cloned().unwrap_or_else(|| Origin::Path(disk_path(path)))
    }

    /// Returns the reason why a file could not be read.
    pub fn why_unread(&self, path: &str) -> Error {
        let known = lock(&self.stdin_failure).take();
        let now = || self.origin(path).bytes(&self.context).err();
        known.or_else(now).unwrap_or_else(|| format!("`{path}` has changed meanwhile").into())
    }

    /// Takes the links to files and modules that were not followed so far.
    pub fn take_left(&self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut lock(&self.left))
    }

    /// Lists a folder, once in a run.
    fn list(&self, folder: &str) -> Arc<Folder> {
        if let Some(known) = lock(&self.folders).get(folder) {
            return Arc::clone(known);
        }
        let path = disk_path(folder);
        // A link to a folder is followed as far as it stays within reach.
        let is_within = match (path.parent(), path.file_name()) {
            (Some(above), Some(name)) => self.context.reach().folder_in(above, name).is_some(),
            _ => true,
        };
        let listed = is_within.then(|| self.context.reach().files(&path, |_| true).unwrap_or_default());
        let listed = listed.unwrap_or_default();
        let left: Vec<String> = listed.left.into_iter().filter(|name| is_hcl_file(name)).collect();
        let listed = Arc::new(Folder { names: listed.names, leaves_out: !left.is_empty() });
        lock(&self.left).extend(left.iter().map(|name| disk_path(&hcl_lr_project::paths::file_in(folder, name))));
        lock(&self.folders).insert(folder.to_owned(), Arc::clone(&listed));
        listed
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Unread> {
        let origin = self.origin(path);
        match &origin {
            // Standard input gives its contents once.
            Origin::Stdin => {
                if lock(&self.stdin_failure).is_some() {
                    return Err(Unread::Missing);
                }
                if let Err(error) = keep_stdin(&self.context) {
                    *lock(&self.stdin_failure) = Some(error);
                    return Err(Unread::Missing);
                }
            }
            // Only what is named is read if it is no ordinary file: a pipe may never end.
            Origin::Path(file) => {
                let is_ordinary = std::fs::metadata(file).map_err(|_| Unread::Missing)?.is_file();
                if !is_ordinary && !lock(&self.named).contains_key(path) {
                    return Err(Unread::Missing);
                }
            }
        }
        origin.read(&self.context).map_err(|_| Unread::Missing)
    }
}

/// A folder of the disk.
struct Folder {
    names: Vec<String>,
    /// True if links to files in HCL were not followed.
    leaves_out: bool,
}

impl Files for Disk {
    fn names(&self, folder: &str) -> Vec<String> {
        self.list(folder).names.clone()
    }

    fn leaves_out(&self, folder: &str) -> bool {
        self.list(folder).leaves_out
    }

    fn bytes(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        self.read(path).map(Cow::from)
    }

    fn start(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        let Origin::Path(file) = self.origin(path) else { return self.bytes(path) };
        // A pipe gives its contents once, to whoever needs all of them.
        if !std::fs::metadata(&file).map_err(|_| Unread::Missing)?.is_file() {
            return Ok(Cow::from(&[][..]));
        }
        let allowed = self.context.root().allowed(&file).map_err(|_| Unread::Missing)?;
        let mut start = Vec::new();
        let read = File::open(allowed).and_then(|file| file.take(MAX_START as u64).read_to_end(&mut start));
        read.map_err(|_| Unread::Missing)?;
        Ok(start.into())
    }

    fn document(&self, path: &str) -> Result<Document, Unread> {
        let origin = self.origin(path);
        Ok(document_of(&origin, self.read(path)?, &self.options))
    }

    fn folder(&self, from: &str, path: &str) -> Result<String, Unread> {
        let (folder, source) = (disk_path(from), Path::new(path));
        if let Some(why) = self.context.root().refusal(&folder, source) {
            return Err(Unread::Refused(why));
        }
        let found = join(from, path);
        if !self.context.reach().leads_within(&folder, source) {
            lock(&self.left).insert(disk_path(&found));
            return Err(Unread::Missing);
        }
        Ok(found)
    }

    /// Goes up to the folder of the repository, or else to the current folder.
    fn above(&self, folder: &str) -> Option<String> {
        let real = identity(&disk_path(folder));
        if self.context.root().folder() == Some(&*real) || real.join(".git").exists() {
            return None;
        }
        let current = identity(Path::new("."));
        let is_below_current = real != current && real.starts_with(&current);
        let is_in_repository = || real.ancestors().skip(1).any(|above| above.join(".git").exists());
        if !is_below_current && !is_in_repository() {
            return None;
        }
        Some(match folder {
            "." => "..".to_owned(),
            _ if split(folder).1 == ".." => format!("{folder}/.."),
            _ => split(folder).0.to_owned(),
        })
    }
}

/// Returns a path as projects write it.
pub fn project_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let mut rest = &*text;
    while let Some(inner) = rest.strip_prefix("./") {
        rest = inner.trim_start_matches('/');
    }
    let trimmed = rest.trim_end_matches('/');
    match (trimmed, rest) {
        ("", "") => ".".to_owned(),
        ("", _) => String::new(),
        _ => trimmed.to_owned(),
    }
}

/// Returns the path on the disk for one of a project, in which the root is empty.
pub fn disk_path(path: &str) -> PathBuf {
    PathBuf::from(if path.is_empty() { "/" } else { path })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_there_and_back() {
        for (written, path) in
            [("./a/b.tf", "a/b.tf"), (".", "."), ("./", "."), ("a/", "a"), ("/", ""), ("../a", "../a")]
        {
            assert_eq!(project_path(Path::new(written)), path, "{written}");
        }
        assert_eq!(disk_path(""), Path::new("/"));
    }
}
