//! Temporary files that are removed when a signal ends the program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files that there are.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Held while a file is written in place, which must not stop in the middle.
static BUSY: Mutex<()> = Mutex::new(());

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a temporary file that is about to be made. Returns false if it was known before.
pub fn expect(path: &Path) -> bool {
    files().insert(path.to_owned())
}

/// Forgets a temporary file that is no more.
pub fn forget(path: &Path) {
    files().remove(path);
}

/// Keeps signals from ending the program until the result is dropped.
pub fn busy() -> MutexGuard<'static, ()> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files, waits until no file is written in place, and ends the program with a status. For the
/// handler of a signal such as Ctrl-C, in a thread of its own.
///
/// ```no_run
/// // The package `ctrlc` calls this in a thread when the program is to end.
/// let handler = || hcl_lr::atomic::exit(130);
/// ```
pub fn exit(status: i32) -> ! {
    let _busy = busy();
    // Nobody makes more of them from here on.
    let files = files();
    for file in files.iter() {
        let _ = std::fs::remove_file(file);
    }
    std::process::exit(status);
}
