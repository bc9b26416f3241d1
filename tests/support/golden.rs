//! Fixtures and what is recorded for them.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The folder of the project, from its root package or another one.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("tests/fixtures").is_dir()).expect("the folder of the project")
}

/// The files of the given extensions below a folder of `tests/fixtures`, in order.
pub fn fixtures(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let root = root().join("tests/fixtures").join(folder);
    let mut paths = Vec::new();
    let mut waiting = vec![root];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a readable folder");
            waiting.extend(entries.map(|entry| entry.expect("a readable entry").path()));
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)) {
            paths.push(path);
        }
    }
    assert!(!paths.is_empty(), "there are no fixtures in {folder}");
    paths.sort();
    paths
}

/// Compares results with recorded ones, or with `UPDATE_GOLDEN=1` records them.
pub struct Golden {
    update: bool,
    differences: Vec<String>,
    seen: HashSet<PathBuf>,
}

impl Golden {
    pub fn new() -> Self {
        Golden { update: std::env::var_os("UPDATE_GOLDEN").is_some(), differences: Vec::new(), seen: HashSet::new() }
    }

    pub fn check(&mut self, path: &Path, found: &str) {
        assert!(self.seen.insert(path.to_owned()), "two fixtures would share {}", path.display());
        if self.update {
            std::fs::write(path, found).expect("a writable fixture");
            return;
        }
        let recorded = std::fs::read_to_string(path).unwrap_or_default();
        if recorded != found {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            self.differences.push(format!("--- {name}, recorded:\n{recorded}--- {name}, found:\n{found}"));
        }
    }

    /// Fails if anything differs.
    pub fn finish(self) {
        let help = "UPDATE_GOLDEN=1 records what was found";
        assert!(
            self.differences.is_empty(),
            "{} differ; {help}\n{}",
            self.differences.len(),
            self.differences.join("\n")
        );
    }
}
