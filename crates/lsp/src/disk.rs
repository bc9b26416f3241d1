//! Reads files from the disk within limits, and without waiting for ever.
//!
//! The files of a workspace may be untrusted. A file is read only if it is a regular file in one of the folders of
//! [`Access`], once links and `..` are resolved, and only up to [`MAX_FILE`] bytes. All disk access runs on a thread
//! that is abandoned after [`PATIENCE`]: a network folder or a file of the system may never answer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Sender, bounded, unbounded};
use hcl_lr::source::bounded as files;
use hcl_lr::source::visible::reason;
use hcl_lr_analysis::FileFilter;
use ignore::WalkBuilder;

use crate::uri::{of_disk, on_disk};

/// Longer files are not read.
pub const MAX_FILE: u64 = 16 << 20;

/// The time that the disk has for one file, or for the next names in folders.
const PATIENCE: Duration = Duration::from_secs(10);

/// The number of hanging threads after which nothing more is read.
const MAX_HANGING: usize = 3;

/// The number of names in folders that wait to be read.
const MAX_NAMES: usize = 1_000;

/// The number of unwanted names after which a walk reports that it is still running.
const STEP: usize = 100;

/// A file with its bytes.
pub type Read = (String, Vec<u8>);

/// The folders that files may be read from, and those below them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    folders: Arc<[String]>,
}

/// The same folders without links in their paths.
#[derive(Clone)]
struct RealAccess(Arc<[PathBuf]>);

impl Access {
    pub fn new(folders: impl IntoIterator<Item = String>) -> Access {
        Access { folders: folders.into_iter().collect() }
    }

    fn resolve(&self) -> RealAccess {
        let folders = self.folders.iter().filter_map(|folder| on_disk(folder)?.canonicalize().ok());
        RealAccess(folders.collect())
    }
}

impl RealAccess {
    /// Returns the resolved path, if it may be read.
    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        let real = path.canonicalize()?;
        match self.0.iter().any(|folder| real.starts_with(folder)) {
            true => Ok(real),
            // The error is the same for all paths, so it does not reveal what exists.
            false => Err(io::Error::other(OUTSIDE)),
        }
    }
}

const OUTSIDE: &str = "it is outside of the folders of the workspace";

type Work = Box<dyn FnOnce() + Send>;

/// The way to the disk of one thread.
pub struct Disk {
    /// The thread that accesses the disk; `None` until first use, and after it was abandoned.
    worker: Option<Sender<Work>>,
    hanging: Arc<AtomicUsize>,
    patience: Duration,
    /// Reasons why files were not read, for the log.
    pub notes: Vec<String>,
}

impl Default for Disk {
    fn default() -> Self {
        Disk { worker: None, hanging: Arc::default(), patience: PATIENCE, notes: Vec::new() }
    }
}

impl Disk {
    /// Does something that may hang, within the time limit.
    fn ask<T: Send + 'static>(&mut self, work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
        if self.hanging.load(Ordering::Relaxed) >= MAX_HANGING {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the disk does not answer"));
        }
        let worker = match &self.worker {
            Some(worker) => worker,
            None => self.worker.insert(start_worker()?),
        };
        let (sender, answer) = bounded::<io::Result<T>>(1);
        // Both threads set it; the second one finds it set: the work is done, or its result is no longer wanted.
        let is_left = Arc::new(AtomicBool::new(false));
        let (hanging, left) = (self.hanging.clone(), is_left.clone());
        let job = move || {
            let _ = sender.send(work());
            if left.swap(true, Ordering::AcqRel) {
                hanging.fetch_sub(1, Ordering::Relaxed);
            }
        };
        let _ = worker.send(Box::new(job));
        match answer.recv_timeout(self.patience) {
            Ok(answer) => answer,
            Err(error) => {
                self.worker = None;
                self.hanging.fetch_add(1, Ordering::Relaxed);
                if !error.is_timeout() || is_left.swap(true, Ordering::AcqRel) {
                    self.hanging.fetch_sub(1, Ordering::Relaxed);
                }
                Err(io::Error::new(io::ErrorKind::TimedOut, "the disk does not answer"))
            }
        }
    }

    /// Records why a file was not read, unless it does not exist.
    fn note(&mut self, path: &str, error: &io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            self.notes.push(format!("`{path}` is not read: {}", reason(error)));
        }
    }

    /// Reads a file named by the client, wherever it is.
    pub fn read_named(&mut self, path: &str, most: u64) -> Option<Vec<u8>> {
        let on_disk = on_disk(path)?;
        let found = self.ask(move || files::read_ordinary(&on_disk, most));
        found.inspect_err(|error| self.note(path, error)).ok()
    }

    /// Returns true if there is a file at a path. Nothing is noted if there is none.
    pub fn exists(&mut self, path: &str) -> bool {
        let Some(on_disk) = on_disk(path) else { return false };
        self.ask(move || fs::metadata(&on_disk)).is_ok_and(|about| about.is_file())
    }

    /// Reads a file of the workspace.
    pub fn read(&mut self, path: &str, access: &Access) -> Option<Vec<u8>> {
        self.read_up_to(path, access, MAX_FILE)
    }

    /// Reads a file of the workspace with a limit of its own.
    pub fn read_up_to(&mut self, path: &str, access: &Access, most: u64) -> Option<Vec<u8>> {
        let (on_disk, access) = (on_disk(path)?, access.clone());
        let found = self.ask(move || files::read_ordinary(&access.resolve().real(&on_disk)?, most));
        found.inspect_err(|error| self.note(path, error)).ok()
    }

    /// Reads the files of a workspace in a folder.
    pub fn read_folder(&mut self, folder: &str, filter: &FileFilter, access: &Access) -> Vec<Read> {
        let Some(on_disk) = on_disk(folder) else { return Vec::new() };
        let (filter, access) = (filter.clone(), access.clone());
        let listed = self.ask(move || {
            let access = access.resolve();
            access.real(&on_disk)?;
            let entries = fs::read_dir(&on_disk)?.flatten();
            let names = entries.filter_map(|entry| {
                let name = of_disk(&entry.path()).filter(|name| filter.wants(name))?;
                Some((name, entry.path()))
            });
            let mut names: Vec<(String, PathBuf)> = names.collect();
            names.sort();
            Ok((names, access))
        });
        let (names, access) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                self.note(folder, &error);
                return Vec::new();
            }
        };
        names.into_iter().filter_map(|(name, path)| self.read_entry(name, path, &access)).collect()
    }

    /// Reads the files of a workspace in a folder and below. Hidden folders are left out, and links to folders are not
    /// followed, so that no file is read twice.
    pub fn read_below(&mut self, root: &str, filter: &FileFilter, access: &Access, mut each: impl FnMut(Read)) {
        let Some(on_disk) = on_disk(root) else { return };
        let (sender, names) = bounded::<Option<(String, PathBuf)>>(MAX_NAMES);
        let filter = filter.clone();
        let walk = move || {
            for (number, entry) in walk(&on_disk, &filter).enumerate() {
                let is_over = number % STEP == 0 && sender.send(None).is_err();
                let Ok(entry) = entry else { continue };
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let name = of_disk(entry.path()).filter(|name| !is_folder && filter.wants(name));
                if is_over || name.is_some_and(|name| sender.send(Some((name, entry.into_path()))).is_err()) {
                    return;
                }
            }
        };
        let access = access.clone();
        let Ok(access) = self.ask(move || Ok(access.resolve())) else { return };
        if thread::Builder::new().name("folders".to_owned()).spawn(walk).is_err() {
            return;
        }
        loop {
            match names.recv_timeout(self.patience) {
                Ok(None) => {}
                Ok(Some((name, path))) => {
                    if let Some(read) = self.read_entry(name, path, &access) {
                        each(read);
                    }
                }
                Err(error) if error.is_timeout() => {
                    self.notes.push(format!("the rest of `{root}` is not read: the disk does not answer"));
                    return;
                }
                Err(_) => return,
            }
        }
    }

    /// Reads a file in a folder that may be read. Folders and pipes may have names of files.
    fn read_entry(&mut self, name: String, path: PathBuf, access: &RealAccess) -> Option<Read> {
        let access = access.clone();
        let found = self.ask(move || files::read_ordinary(&access.real(&path)?, MAX_FILE));
        match found {
            Ok(bytes) => Some((name, bytes)),
            Err(error) => {
                if error.kind() != io::ErrorKind::IsADirectory {
                    self.note(&name, &error);
                }
                None
            }
        }
    }
}

fn walk(root: &Path, filter: &FileFilter) -> ignore::Walk {
    let excluded = filter.clone();
    let keep = move |entry: &ignore::DirEntry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        if !is_folder {
            return true;
        }
        let name = entry.file_name().to_string_lossy();
        let is_hidden = entry.depth() > 0 && name.starts_with('.');
        // A pattern of all that is in a folder excludes the folder.
        let inside = of_disk(&entry.path().join("_"));
        !is_hidden && !inside.is_some_and(|path| excluded.settings().excludes(&path))
    };
    WalkBuilder::new(root).standard_filters(false).filter_entry(keep).build()
}

fn start_worker() -> io::Result<Sender<Work>> {
    let (sender, jobs) = unbounded::<Work>();
    thread::Builder::new().name("disk".to_owned()).spawn(move || jobs.into_iter().for_each(|job| job()))?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_does_not_answer_is_left_alone() {
        let mut disk = Disk { patience: Duration::from_millis(1), ..Disk::default() };
        let (release, wait) = bounded::<()>(0);
        for _ in 0..MAX_HANGING {
            let wait = wait.clone();
            let found = disk.ask(move || Ok(wait.recv()));
            assert_eq!(found.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        }
        // No more threads are started for it.
        let found = disk.ask(|| Ok(()));
        assert_eq!(found.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        assert_eq!(disk.hanging.load(Ordering::Relaxed), MAX_HANGING);
        drop(release);
        while disk.hanging.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        disk.patience = PATIENCE;
        assert_eq!(disk.ask(|| Ok(7)).ok(), Some(7));
    }
}
