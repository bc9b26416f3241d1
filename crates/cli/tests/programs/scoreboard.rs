//! The scoreboard: its documents are what its numbers make, and it says what it leaves out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::cli::text;
use hcl_lr_conformance::runner::{SUITE, Suite};
use serde_json::Value;

fn root() -> &'static Path {
    crate::support::golden::root()
}

/// Returns the path of Python.
fn python() -> PathBuf {
    let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    PathBuf::from(text(&output.expect("Python runs").stdout).trim())
}

fn scoreboard(python: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(python);
    // It finds no language but itself.
    let command = command.arg("-B").arg("crates/conformance/scoreboard").args(args).current_dir(root()).env("PATH", "");
    command.output().expect("Python runs")
}

#[test]
#[ignore = "needs python"]
fn needs_python_the_documents_are_what_the_numbers_make() {
    let output = scoreboard(&python(), &["--check"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// The numbers are those of the suite as it is now.
#[test]
fn the_numbers_are_of_this_suite() {
    let numbers = fs::read_to_string(root().join("crates/conformance/scoreboard.json")).expect("the numbers");
    let numbers: Value = serde_json::from_str(&numbers).expect("JSON");
    let suite = Suite::read(SUITE).expect("the suite");
    let hash = numbers["suite"]["sha256"].as_str().expect("a hash");
    assert!(
        hash.len() >= 16 && suite.sha256.starts_with(hash),
        "ask all drivers again: python3 crates/conformance/scoreboard"
    );
    assert_eq!(numbers["suite"]["version"], suite.version);
}

#[test]
fn there_are_numbers_of_others() {
    let numbers = fs::read_to_string(root().join("crates/conformance/scoreboard.json")).expect("the numbers");
    let numbers: Value = serde_json::from_str(&numbers).expect("JSON");
    let all = numbers["implementations"].as_array().expect("implementations");
    let others = all.iter().filter(|result| result["about"]["name"] != env!("CARGO_PKG_NAME"));
    assert!(others.count() >= 8);
    for one in all {
        assert!(one["about"]["version"].as_str().is_some_and(|version| !version.is_empty()), "{}", one["key"]);
        // Each question is right, wrong, failed, not answered, or left out.
        let sum = |member: &str| -> u64 {
            let counts = one[member].as_object().expect("counts");
            counts.values().filter_map(Value::as_u64).sum()
        };
        let all = numbers["suite"]["cases"].as_u64().zip(numbers["suite"]["habits"].as_u64());
        assert_eq!(
            all.map(|(cases, habits)| cases + habits),
            Some(sum("counts") + sum("habits") + sum("left_out")),
            "{}",
            one["key"]
        );
    }
}

/// The page needs nothing from elsewhere, and follows what its reader has set.
#[test]
fn the_page_stands_alone() {
    let page = fs::read_to_string(root().join("docs/scoreboard.html")).expect("the page");
    for foreign in ["<script", "<link", "<img", "src=", "url(", "@import", "http:", "https:"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for needed in ["prefers-color-scheme: dark", "lang=\"en\"", "name=\"viewport\"", "scope=\"row\"", "<h1>"] {
        assert!(page.contains(needed), "{needed}");
    }
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link}");
    }
}

#[test]
#[ignore = "needs python"]
fn needs_python_what_cannot_be_built_is_said() {
    let python = python();
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scoreboard-{}", std::process::id()));
    fs::create_dir_all(&out).expect("a folder");
    let folder = out.to_str().expect("a path");
    let hcl = env!("CARGO_BIN_EXE_hcl");
    let args = ["--only", "go-official", "--hcl", hcl, "--corpus", "nowhere", "--out", folder];
    let output = scoreboard(&python, &args);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("skipped: there is no corpus at nowhere\n"), "{said}");
    assert!(said.contains("skipped: go-official: there is no bash\n"), "{said}");
    let page = fs::read_to_string(out.join("scoreboard.html")).expect("a page");
    assert!(page.contains("<li>go-official: there is no bash</li>"), "{page}");
    let document = fs::read_to_string(out.join("scoreboard.md")).expect("a document");
    assert!(document.contains("- go-official: there is no bash\n"), "{document}");
    let output = scoreboard(&python, &["--hcl", "nowhere/hcl", "--out", folder]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("build it with `cargo build --release --all-features`"));
}
