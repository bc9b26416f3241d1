//! Paths as strings, with `/` between folders.

/// Returns the folder of a path, without a trailing `/`, and the name of the file.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Resolves a relative path from a folder, including `.` and `..`.
pub fn join(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            // The root is its own parent.
            ".." => parts.truncate(parts.len().saturating_sub(1).max(1)),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the relative path from one folder to another, beginning with `./` or `../`.
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
        assert!(is_below("/a/b", "/a") && is_below("/a", "/a") && !is_below("/ab", "/a"));
    }
}
