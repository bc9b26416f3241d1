//! Paths as strings, with `/` between folders. `.` is the current folder; the folder of `/a` is empty.

/// Returns the folder of a path, without a trailing `/`, and the name of the file.
///
/// ```
/// use hcl_lr_project::paths::split;
///
/// assert_eq!(split("/net/main.tf"), ("/net", "main.tf"));
/// assert_eq!(split("main.tf"), (".", "main.tf"));
/// ```
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or((".", path))
}

/// Returns the path of a file in a folder.
pub fn file_in(folder: &str, name: &str) -> String {
    if folder == "." { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Resolves a relative path from a folder, including `.` and `..`. The root of absolute paths is its own parent.
///
/// ```
/// use hcl_lr_project::paths::join;
///
/// assert_eq!(join("/a/b", "../c"), "/a/c");
/// assert_eq!(join(".", "./net"), "net");
/// assert_eq!(join("net", "../.."), "..");
/// ```
pub fn join(folder: &str, relative: &str) -> String {
    let is_absolute = folder.is_empty() || folder.starts_with('/');
    let mut parts: Vec<&str> = folder.split('/').filter(|part| is_absolute || *part != ".").collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." if is_absolute => parts.truncate(parts.len().saturating_sub(1).max(1)),
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// Returns the relative path from one folder to another, beginning with `./` or `../`.
///
/// ```
/// use hcl_lr_project::paths::relative;
///
/// assert_eq!(relative("/a/b", "/a/c"), "../c");
/// assert_eq!(relative("/a", "/a/b/c"), "./b/c");
/// ```
pub fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let common = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
    let up = from.len() - common;
    let mut parts = vec![".."; up];
    if up == 0 {
        parts.push(".");
    }
    parts.extend(&to[common..]);
    parts.join("/")
}

/// Returns true if a path is a folder or something in it.
pub fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns true if the source of a module is a path relative to its caller.
pub fn is_relative(source: &str) -> bool {
    source.starts_with("./") || source.starts_with("../") || source == "." || source == ".."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_lead_back() {
        for (from, to, written) in [
            ("/a/b", "/a/c", "../c"),
            ("/a", "/a/b/c", "./b/c"),
            ("/a/b", "/a", ".."),
            ("/a/b/c", "/d", "../../../d"),
            ("/a", "/a", "."),
        ] {
            assert_eq!(relative(from, to), written);
            assert_eq!(join(from, written), to);
        }
        assert_eq!(join("/a", "./b/../c/"), "/a/c");
        assert_eq!(join("", "../x"), "/x");
        assert_eq!(join("..", "../x"), "../../x");
        assert!(is_below("/a/b", "/a") && is_below("/a", "/a") && !is_below("/ab", "/a"));
    }
}
