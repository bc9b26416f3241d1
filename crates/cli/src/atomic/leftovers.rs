//! Temporary files that are removed when a signal ends the program.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The existing temporary files.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Held while a file is written in place, which must not be interrupted.
static BUSY: Mutex<()> = Mutex::new(());

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file and records it. No signal can end the program in between.
pub fn make(path: &Path, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    let mut files = files();
    let file = make()?;
    files.insert(path.to_owned());
    Ok(file)
}

/// Forgets a temporary file that no longer exists.
pub fn forget(path: &Path) {
    files().remove(path);
}

/// Keeps signals from ending the program until the result is dropped.
pub fn busy() -> MutexGuard<'static, ()> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files, waits until no file is being written in place, and ends the program with a status. For
/// the handler of a signal such as Ctrl-C, in its own thread.
#[cfg(not(unix))]
pub fn exit(status: i32) -> ! {
    end(|| std::process::exit(status))
}

/// Does the same for programs that end in another way than with a status, such as by the signal they received. While
/// `end` runs, no file is written and no temporary file is created.
pub fn end<T>(end: impl FnOnce() -> T) -> T {
    let _busy = busy();
    // From here on, no more files are created.
    let mut files = files();
    for file in std::mem::take(&mut *files) {
        let _ = std::fs::remove_file(file);
    }
    end()
}
