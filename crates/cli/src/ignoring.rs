//! Checks ignore files before a search reads them: the package that reads them has no limits, and would never end on a
//! device or a pipe.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::error::Error;
use super::root;
use hcl_lr::source::visible::path as shown;

/// The maximum size of the ignore files in a folder and its parents, in bytes. Their patterns take up to 500 times as
/// much memory.
const MAX_SIZE: u64 = 256 << 10;

/// The sizes of ignore files.
pub struct Sizes {
    /// The size of those in parent folders that are not searched.
    above: u64,
    /// The sizes by searched folder, including parents.
    known: HashMap<PathBuf, u64>,
}

impl Sizes {
    /// Examines a folder to search, and its parents.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn of(searched: &Path) -> Result<Sizes, Error> {
        let real = root::identity(searched);
        let mut sizes = Sizes { above: 0, known: HashMap::new() };
        let mut above: Vec<&Path> = real.ancestors().skip(1).collect();
        above.reverse();
        for folder in above {
            sizes.above = size(folder, sizes.above)?;
        }
        sizes.enter(searched)?;
        Ok(sizes)
    }

    /// Examines a folder inside a searched one.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn enter(&mut self, folder: &Path) -> Result<(), Error> {
        let above = folder.parent().and_then(|parent| self.known.get(parent)).copied().unwrap_or(self.above);
        let size = size(folder, above)?;
        // Most folders have no ignore files.
        if size > self.above {
            self.known.insert(folder.to_owned(), size);
        }
        Ok(())
    }
}

/// Returns the size of the ignore files of a folder and of those above.
fn size(folder: &Path, above: u64) -> Result<u64, Error> {
    let mut size = above;
    let exclude = git_folder(folder)?.map(|git| git.join("info/exclude"));
    for path in [folder.join(".ignore"), folder.join(".gitignore")].into_iter().chain(exclude) {
        size += length(&path)?.unwrap_or(0);
        if size > MAX_SIZE {
            let together = if above > 0 { "with those in the folders above, it" } else { "it" };
            return Err(refused(&path, &format!("{together} is longer than {} KiB", MAX_SIZE >> 10)).into());
        }
    }
    Ok(size)
}

/// Returns Git's folder for a working tree. An additional working tree has a file with the path instead.
fn git_folder(folder: &Path) -> Result<Option<PathBuf>, Error> {
    let git = folder.join(".git");
    if !fs::metadata(&git).is_ok_and(|found| found.is_file()) {
        return Ok(Some(git));
    }
    let line = first_line(&git)?;
    let Some(own) = line.as_deref().and_then(|line| line.strip_prefix("gitdir: ")).map(Path::new) else {
        return Ok(None);
    };
    let common = first_line(&own.join("commondir"))?;
    Ok(common.map(|line| if line.starts_with('.') { own.join(line) } else { PathBuf::from(line) }))
}

fn first_line(path: &Path) -> Result<Option<String>, Error> {
    match length(path)? {
        None => Ok(None),
        Some(length) if length > MAX_SIZE => {
            Err(refused(path, &format!("it is longer than {} KiB", MAX_SIZE >> 10)).into())
        }
        Some(_) => {
            let file = fs::File::open(path).ok();
            Ok(file.and_then(|file| BufReader::new(file.take(MAX_SIZE)).lines().next()?.ok()))
        }
    }
}

/// Returns the length of a file; `None` if it does not exist.
///
/// # Errors
/// It is neither a file nor a folder. (The search itself ignores folders with these names.)
fn length(path: &Path) -> Result<Option<u64>, Error> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(Some(found.len())),
        Ok(found) if !found.is_dir() => Err(refused(path, "it is not a file").into()),
        _ => Ok(None),
    }
}

fn refused(path: &Path, why: &str) -> String {
    format!("cannot read `{}`: {why}; `--no-ignore` searches the folder without it", shown(path))
}
