//! Paths as text, with `/` between names; the file system is not used.

/// The last name of a path.
pub(crate) fn base(path: &str) -> &str {
    if path.is_empty() {
        return ".";
    }
    match path.trim_end_matches('/') {
        "" => "/",
        path => path.rsplit('/').next().unwrap_or(path),
    }
}

/// All of a path but its last name, cleaned.
pub(crate) fn folder(path: &str) -> String {
    clean(&path[..path.rfind('/').map_or(0, |at| at + 1)])
}

/// Returns the shortest form of a path: without `.`, double slashes, and names before `..`.
pub(crate) fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => {
                names.pop();
            }
            ".." if rooted => {}
            name => names.push(name),
        }
    }
    match (rooted, names.is_empty()) {
        (true, _) => format!("/{}", names.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => names.join("/"),
    }
}
