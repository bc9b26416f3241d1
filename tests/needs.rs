//! Tests that need more than Rust: the form that `tests/support/needs.rs` describes. A test that returns early for lack of
//! something would count as passed.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files in Rust in the folders of the packages, without those that were built.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        match path.is_dir() {
            true if name != "target" && !name.to_string_lossy().starts_with('.') => sources(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            _ => {}
        }
    }
}

/// The mistakes in a file, and the needs of its tests.
fn check(text: &str, needs: &mut Vec<String>) -> Vec<String> {
    let mut problems = Vec::new();
    let (mut need, mut is_test) = (None::<&str>, false);
    for line in text.lines().map(str::trim) {
        if line == "#[test]" {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("#[ignore") {
            need = rest.strip_prefix(" = \"needs ").and_then(|rest| rest.strip_suffix("\"]"));
            if need.is_none_or(|need| need.contains(' ')) {
                problems.push(format!("`{line}` does not name one need: write `#[ignore = \"needs corpus\"]`"));
            }
        } else if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()) {
            let wanted = need.take().map(|need| format!("needs_{need}_"));
            match wanted {
                Some(wanted) if !name.starts_with(&wanted) => {
                    problems.push(format!("`{name}` is ignored: its name begins with `{wanted}`"));
                }
                None if is_test && name.starts_with("needs_") => problems.push(format!("`{name}` is not ignored")),
                Some(wanted) if !needs.contains(&wanted) => needs.push(wanted),
                _ => {}
            }
            is_test = false;
        } else if ["print", "write", "remark = "].iter().any(|word| line.contains(word))
            && ["\"skipped", "\"SKIPPED"].iter().any(|word| line.contains(word))
        {
            problems.push(format!("`{line}`: a test that is skipped counts as passed; ignore it by its need"));
        }
    }
    problems
}

#[test]
fn tests_that_need_more_than_rust_are_ignored_and_named_by_their_need() {
    let (mut paths, mut needs, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for folder in ["crates", "src", "tests"] {
        sources(&root().join(folder), &mut paths);
    }
    paths.sort();
    for path in paths.iter().filter(|path| !path.ends_with("tests/needs.rs")) {
        let found = check(&fs::read_to_string(path).expect("a text"), &mut needs);
        problems.extend(found.iter().map(|problem| format!("{}: {problem}", path.display())));
    }
    // Each need is known to the script that runs these tests, and is described.
    let script = fs::read_to_string(root().join(".ci/needs")).expect("the script");
    let guide = fs::read_to_string(root().join("tests/README.md")).expect("the guide");
    assert!(needs.len() > 5, "{needs:?}");
    for need in needs {
        let name = need.trim_start_matches("needs_").trim_end_matches('_');
        if !script.contains(&format!("\nneed {name} ")) {
            problems.push(format!(".ci/needs has no line `need {name} …`"));
        }
        if !guide.contains(&format!("\n| `{name}` |")) {
            problems.push(format!("tests/README.md has no row `{name}` in its section \"Needs\""));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn mistakes_are_found() {
    let mistakes = |text: &str| check(text, &mut Vec::new()).len();
    assert_eq!(mistakes("#[test]\n#[ignore = \"needs corpus\"]\nfn needs_corpus_a() {\n"), 0);
    assert_eq!(mistakes("#[ignore]\nfn a() {\n"), 1);
    assert_eq!(mistakes("#[ignore = \"slow\"]\nfn a() {\n"), 1);
    assert_eq!(mistakes("#[ignore = \"needs corpus\"]\nfn a() {\n"), 1);
    assert_eq!(mistakes("#[test]\nfn needs_corpus_a() {\n"), 1);
    assert_eq!(mistakes("    println!(\"skipped: there is no git\");\n"), 1);
}
