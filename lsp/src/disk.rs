//! Files on the disk.

use std::fs;
use std::path::Path;

use hcl_lr_analysis::FileFilter;
use ignore::WalkBuilder;

use crate::uri::{of_disk, on_disk};

/// Longer files are not read.
pub const MAX_FILE: u64 = 64 << 20;

/// A file with its bytes.
pub type Read = (String, Vec<u8>);

/// Reads a file; `None` if it cannot be read, or is too long.
pub fn read(path: &str) -> Option<Vec<u8>> {
    read_up_to(path, MAX_FILE)
}

/// Reads a file; `None` if it cannot be read, or is longer than so many bytes.
pub fn read_up_to(path: &str, most: u64) -> Option<Vec<u8>> {
    let path = on_disk(path)?;
    let about = fs::metadata(&path).ok()?;
    (about.is_file() && about.len() <= most).then(|| fs::read(path).ok()).flatten()
}

/// Reads the files of a workspace in a folder and below. Hidden folders are left out, and
/// links to folders are not followed, so that no file is read twice.
pub fn read_below(root: &str, filter: &FileFilter, mut each: impl FnMut(Read)) {
    let Some(root) = on_disk(root) else { return };
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
    let walk = WalkBuilder::new(root).standard_filters(false).filter_entry(keep).build();
    for entry in walk.flatten() {
        if let Some(read) = entry.path().is_file().then(|| wanted(entry.path(), filter)).flatten() {
            each(read);
        }
    }
}

/// Reads the files of a workspace in a folder.
pub fn read_folder(folder: &str, filter: &FileFilter) -> Vec<Read> {
    let entries = on_disk(folder).and_then(|path| fs::read_dir(path).ok());
    let mut paths: Vec<_> =
        entries.into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.iter().filter_map(|path| wanted(path, filter)).collect()
}

fn wanted(path: &Path, filter: &FileFilter) -> Option<Read> {
    let name = of_disk(path).filter(|name| filter.wants(name))?;
    let bytes = read(&name)?;
    Some((name, bytes))
}
