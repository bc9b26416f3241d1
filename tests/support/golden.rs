//! Fixtures and what is recorded for them.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::cases::{self, Case};

/// The folder of the project, from its root package or another one.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("tests/fixtures").is_dir()).expect("the folder of the project")
}

/// The files of the given extensions below a folder of `tests/fixtures`, in order.
pub fn fixtures(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut paths = cases::files_below(&root().join("tests/fixtures").join(folder));
    paths.retain(|path| cases::has_extension(&path.to_string_lossy(), extensions));
    assert!(!paths.is_empty(), "there are no fixtures in {folder}");
    paths
}

/// The cases of a folder of `tests/fixtures`.
pub fn cases(folder: &str) -> Vec<Case> {
    let cases = cases::cases_below(&root().join("tests/fixtures").join(folder));
    assert!(!cases.is_empty(), "there are no cases in {folder}");
    cases
}

/// The case of a folder with a name.
pub fn case_named(folder: &str, name: &str) -> Case {
    let case = cases(folder).into_iter().find(|case| case.name == name);
    case.unwrap_or_else(|| panic!("{folder} has no case {name}: add a heading `## {name}` with an empty fence"))
}

/// The files of the given extensions in `tests/fixtures`, with those in cases: names and contents.
pub fn inputs(extensions: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut inputs = cases::inputs(&root().join("tests/fixtures"));
    inputs.retain(|(name, _)| cases::has_extension(name, extensions));
    inputs
}

/// Only one test writes to a file of cases at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// Compares results with recorded ones, or with `UPDATE_GOLDEN=1` records them.
pub struct Golden {
    update: bool,
    differences: Vec<String>,
    seen: HashSet<PathBuf>,
}

/// Shows where two texts differ: both as a whole, or some lines from the first one that differs.
fn difference(name: &str, recorded: &str, found: &str) -> String {
    const MOST: usize = 40;
    let same = recorded.lines().zip(found.lines()).take_while(|(one, other)| one == other).count();
    let first = if recorded.lines().count().max(found.lines().count()) > MOST { same } else { 0 };
    let part = |text: &str| text.lines().skip(first).take(MOST).map(|line| format!("{line}\n")).collect::<String>();
    let at = format!("{name}, from line {}", first + 1);
    format!("--- {at}, recorded:\n{}--- {at}, found:\n{}", part(recorded), part(found))
}

impl Golden {
    pub fn new() -> Self {
        Golden { update: std::env::var_os("UPDATE_GOLDEN").is_some(), differences: Vec::new(), seen: HashSet::new() }
    }

    /// Compares a result with a file. No file is an empty one.
    pub fn check(&mut self, path: &Path, found: &str) {
        assert!(self.seen.insert(path.to_owned()), "two fixtures would share {}", path.display());
        let recorded = std::fs::read_to_string(path).unwrap_or_default();
        if recorded == found {
            return;
        }
        if self.update {
            return std::fs::write(path, found).expect("a writable fixture");
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.differences.push(difference(&name, &recorded, found));
    }

    /// Compares a result with the fence of a kind. No fence is an empty one.
    pub fn check_case(&mut self, case: &Case, kind: &str, found: &str) {
        let name = format!("{}: {kind}", case.place());
        assert!(self.seen.insert(case.path.join(&name)), "{name} is checked twice");
        let recorded = case.text(kind);
        if recorded == found {
            return;
        }
        if self.update {
            let _alone = WRITING.lock().expect("no test fails while it writes");
            let text = std::fs::read_to_string(&case.path).expect("a readable file");
            let text = cases::with_content(&case.path, &text, &case.name, kind, found);
            return std::fs::write(&case.path, text).expect("a writable file");
        }
        self.differences.push(difference(&name, recorded, found));
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
