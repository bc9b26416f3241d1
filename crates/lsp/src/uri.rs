//! Addresses of documents, and paths.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters that paths in URIs contain unescaped.
const KEPT: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns the path of a document: that of a file, or the URI unchanged.
pub fn path_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.to_owned() };
    let path = percent_decode_str(rest).decode_utf8_lossy().into_owned();
    let path = path.trim_end_matches('/');
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

/// Returns the address of the file at a path. What is an address already stays.
pub fn uri_of(path: &str) -> String {
    match path.starts_with('/') {
        true => format!("file://{}", utf8_percent_encode(path, &KEPT)),
        false => path.to_owned(),
    }
}

/// The scheme of the URIs of explanations, whose text the server provides.
pub const EXPLANATIONS: &str = "hcl-explain";

/// Returns the address of the explanation of a code.
pub fn explanation_of(code: &str) -> String {
    format!("{EXPLANATIONS}:/{code}.md")
}

/// Returns the code that an address explains.
pub fn explained_by(uri: &str) -> Option<&str> {
    uri.strip_prefix(EXPLANATIONS)?.strip_prefix(':')?.trim_start_matches('/').strip_suffix(".md")
}

/// Returns the folder of a path, without the `/` at its end.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the path on the disk; `None` if a document is not a file.
pub fn on_disk(path: &str) -> Option<PathBuf> {
    let rest = path.strip_prefix('/')?;
    // A drive on Windows: `/c:/folder`.
    let is_drive = cfg!(windows) && rest.as_bytes().get(1) == Some(&b':');
    Some(PathBuf::from(if is_drive { rest } else { path }))
}

/// Returns the path of a file on the disk, with `/` between folders.
pub fn of_disk(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    match cfg!(windows) {
        true => Some(format!("/{}", text.trim_start_matches(r"\\?\").replace('\\', "/"))),
        false => Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back() {
        for path in ["/a/b.tf", "/a b/ü#?%.hcl", "untitled:Untitled-1"] {
            assert_eq!(path_of(&uri_of(path)), path);
        }
        assert_eq!(path_of("file:///c%3A/x.tf"), "/c:/x.tf");
        assert_eq!(uri_of("/a b.tf"), "file:///a%20b.tf");
        assert_eq!(explained_by(&explanation_of("single-quotes")), Some("single-quotes"));
    }
}
