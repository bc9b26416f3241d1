//! A lock that only one program using this package can hold at a time.
//!
//! Replacing a file creates another file, so locking the file itself would be useless. On Unix, the folder of the file
//! is locked (`flock`), and also the file if it has several names. On Windows, a hidden file next to it is opened
//! without sharing. The system releases both when a program ends in any way. File systems without locks are not
//! protected.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The maximum time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(20);

/// The threads of one program queue up here, so that only one of them waits for other programs.
static QUEUE: Mutex<()> = Mutex::new(());

/// A lock of the folder of a file, released when dropped.
#[derive(Debug)]
pub struct Lock {
    _files: Vec<File>,
    _queue: MutexGuard<'static, ()>,
}

impl Lock {
    /// Locks the folder of a file that is to be replaced.
    ///
    /// # Errors
    /// If another program has the lock all the time.
    pub fn of(path: &Path) -> io::Result<Lock> {
        let queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
        let files = files(path)?;
        Ok(Lock { _files: files, _queue: queue })
    }
}

/// Retries until an attempt succeeds or the time is up.
fn patiently<T>(mut attempt: impl FnMut() -> io::Result<Option<T>>) -> io::Result<T> {
    let (start, mut pause) = (Instant::now(), Duration::from_micros(200));
    loop {
        if let Some(done) = attempt()? {
            return Ok(done);
        }
        if start.elapsed() > PATIENCE {
            return Err(io::Error::other("another program keeps its folder locked; try again later"));
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn files(path: &Path) -> io::Result<Vec<File>> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    let mut files = Vec::new();
    let several_names = std::fs::metadata(path).is_ok_and(|metadata| super::links(&metadata) > 1);
    for place in std::iter::once(super::folder(path)).chain(several_names.then_some(path)) {
        // A file that cannot be read cannot be locked. A later check finds out if it can be written.
        let Ok(file) = File::open(place) else { continue };
        patiently(|| match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(None),
            // Some file systems have no locks.
            _ => Ok(Some(())),
        })?;
        files.push(file);
    }
    Ok(files)
}

#[cfg(windows)]
fn files(path: &Path) -> io::Result<Vec<File>> {
    use std::os::windows::fs::OpenOptionsExt;

    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const SHARING_VIOLATION: i32 = 32;
    /// Also returned for a file that is about to be deleted.
    const ACCESS_DENIED: i32 = 5;
    let lock = super::folder(path).join(".hcl-lock.tmp");
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    let mut denied = 0;
    patiently(|| match options.open(&lock) {
        Ok(file) => Ok(Some(vec![file])),
        Err(error) => match error.raw_os_error() {
            Some(SHARING_VIOLATION) => Ok(None),
            Some(ACCESS_DENIED) if denied < 50 => {
                denied += 1;
                Ok(None)
            }
            _ => Ok(Some(Vec::new())),
        },
    })
}

#[cfg(not(any(unix, windows)))]
fn files(_: &Path) -> io::Result<Vec<File>> {
    let _ = patiently::<()>;
    Ok(Vec::new())
}
