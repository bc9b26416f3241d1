//! Reading files up to a limit.
//!
//! A name in a folder may be anything: a pipe that nobody writes to, an endless device or system file, a file that
//! grows while it is read. [`read`] accepts all of them, for files that a user has named. [`read_ordinary`] accepts
//! only ordinary files with a known length, for files that a folder or another file names.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Reads a file, a pipe or a device, up to a number of bytes.
///
/// # Errors
/// It cannot be read; it is a folder; [`FileTooLarge`](io::ErrorKind::FileTooLarge) if it is longer.
///
/// ```
/// use hcl_lr::source::bounded;
///
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// assert!(bounded::read(path.as_ref(), 1 << 20).is_ok());
/// assert_eq!(bounded::read(path.as_ref(), 10).unwrap_err().kind(), std::io::ErrorKind::FileTooLarge);
/// ```
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let metadata = not_folder(fs::metadata(path)?)?;
    read_stream(File::open(path)?, metadata.len(), most)
}

/// Reads an ordinary file, up to a number of bytes. Other files are not opened: opening a pipe can block forever, and
/// opening a device can change it. No more bytes are read than the reported length, so system files that report none,
/// such as `/proc/self/pagemap`, take no memory.
///
/// # Errors
/// It cannot be read; it is not an ordinary file ([`InvalidInput`](io::ErrorKind::InvalidInput)), or is longer than the
/// limit ([`FileTooLarge`](io::ErrorKind::FileTooLarge)).
pub fn read_ordinary(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    ordinary(&not_folder(fs::metadata(path)?)?)?;
    let file = File::open(path)?;
    // The name may belong to another file by now.
    let metadata = file.metadata()?;
    ordinary(&metadata)?;
    if metadata.len() > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = buffer(metadata.len())?;
    // One byte too many is enough to know.
    read_up_to(&mut &file, metadata.len() + 1, &mut bytes)?;
    if bytes.len() as u64 <= metadata.len() {
        return Ok(bytes);
    }
    // It has grown, or reports no length.
    let length = file.metadata()?.len();
    if length < bytes.len() as u64 {
        return Err(not_ordinary());
    }
    if length > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    read_up_to(&mut &file, length - bytes.len() as u64, &mut bytes)?;
    Ok(bytes)
}

/// Reads a stream up to a number of bytes. `expected` is its reported length, or 0.
///
/// # Errors
/// It cannot be read, or is longer ([`FileTooLarge`](io::ErrorKind::FileTooLarge)).
pub fn read_stream(mut stream: impl Read, expected: u64, most: u64) -> io::Result<Vec<u8>> {
    if expected > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = buffer(expected)?;
    // One byte too many is enough to know.
    read_up_to(&mut stream, most.saturating_add(1), &mut bytes)?;
    if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

fn read_up_to(stream: &mut dyn Read, most: u64, bytes: &mut Vec<u8>) -> io::Result<usize> {
    stream.take(most).read_to_end(bytes)
}

/// Allocates a buffer with room for a number of bytes, and one more to detect the end.
fn buffer(length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let room = usize::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
    bytes.try_reserve_exact(room.saturating_add(1))?;
    Ok(bytes)
}

/// Not all systems report this when a folder is opened.
fn not_folder(metadata: Metadata) -> io::Result<Metadata> {
    if metadata.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(metadata) }
}

fn ordinary(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(not_ordinary()) }
}

fn not_ordinary() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not an ordinary file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_up_to_the_limit() {
        assert_eq!(read_stream(&b"abc"[..], 0, 3).ok(), Some(b"abc".to_vec()));
        let kind = |stream: &mut dyn Read, expected| read_stream(stream, expected, 3).map_err(|error| error.kind());
        assert_eq!(kind(&mut &b"abcd"[..], 0), Err(io::ErrorKind::FileTooLarge));
        assert_eq!(kind(&mut &b"abc"[..], 4), Err(io::ErrorKind::FileTooLarge));
        assert_eq!(kind(&mut io::repeat(b'a'), 0), Err(io::ErrorKind::FileTooLarge));
    }

    #[test]
    fn ordinary_files_have_a_length() {
        let file = std::env::temp_dir().join(format!("hcl-bounded-{}", std::process::id()));
        fs::write(&file, "abc").expect("written");
        let kind = |path: &Path, most| read_ordinary(path, most).map_err(|error| error.kind());
        assert_eq!(kind(&file, 3), Ok(b"abc".to_vec()));
        assert_eq!(kind(&file, 2), Err(io::ErrorKind::FileTooLarge));
        fs::remove_file(&file).expect("removed");
        assert_eq!(kind(&file, 3), Err(io::ErrorKind::NotFound));
        assert_eq!(kind(&std::env::temp_dir(), 3), Err(io::ErrorKind::IsADirectory));
        // On other systems than Linux these do not exist, or are devices too.
        for path in ["/dev/zero", "/dev/null", "/proc/self/pagemap", "/proc/self/status"] {
            let error = kind(path.as_ref(), 1 << 30);
            assert!(matches!(error, Err(io::ErrorKind::InvalidInput | io::ErrorKind::NotFound)), "{path}: {error:?}");
        }
    }
}
