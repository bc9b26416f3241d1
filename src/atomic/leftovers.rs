//! Temporary files that are removed when a signal ends the program: Ctrl-C, SIGTERM, SIGHUP.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The temporary files that there are.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Held while a file is written in place, which must not stop in the middle.
static BUSY: Mutex<()> = Mutex::new(());

/// The exit status after a signal, as shells show it for Ctrl-C.
const INTERRUPTED: i32 = 130;

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a temporary file that is about to be made. Returns false if it was known before.
pub fn expect(path: &Path) -> bool {
    static HANDLER: Once = Once::new();
    // Before there is anything to remove, signals do what they always do. If another part of the program handles
    // them already, it does.
    HANDLER.call_once(|| drop(ctrlc::try_set_handler(end)));
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

fn end() {
    let _busy = busy();
    // Nobody makes more of them from here on.
    let files = files();
    for file in files.iter() {
        let _ = std::fs::remove_file(file);
    }
    std::process::exit(INTERRUPTED);
}
