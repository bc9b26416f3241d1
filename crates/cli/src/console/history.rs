//! The history file of the console.

use std::ffi::OsString;
use std::path::PathBuf;

/// Returns the history file: `hcl/history` in the folder for program state, which is `$XDG_STATE_HOME` or
/// `~/.local/state` (XDG Base Directory Specification), and on Windows `%LOCALAPPDATA%`.
pub fn file() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        absolute(std::env::var_os("LOCALAPPDATA"))
    } else {
        let home = || Some(absolute(std::env::var_os("HOME"))?.join(".local/state"));
        absolute(std::env::var_os("XDG_STATE_HOME")).or_else(home)
    };
    Some(folder?.join("hcl").join("history"))
}

/// The specification requires relative paths to be ignored.
fn absolute(path: Option<OsString>) -> Option<PathBuf> {
    path.map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_folders_are_ignored() {
        assert_eq!(absolute(Some("state".into())), None);
        assert_eq!(absolute(Some(OsString::new())), None);
        assert_eq!(absolute(None), None);
    }
}
