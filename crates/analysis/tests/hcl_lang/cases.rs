//! The cases of hcl-lang's tests, which Go downloads and a program in Go writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The module in which the cases are, and its version.
const MODULE: &str = "github.com/hashicorp/hcl-lang@v0.0.0-20260717051043-ecfa08c1a13f";

/// The program that writes the cases.
const DUMP: &str = include_str!("dump_test.go");

/// The beginning of each loop over cases.
const LOOP: &str = "for i, tc := range testCases {";

/// A case of one of hcl-lang's tests.
pub struct Case {
    /// The name of the test, without that of the case.
    pub test: String,
    /// The number of the case in its table.
    pub number: u64,
    /// The fields of the case.
    pub fields: Value,
}

/// Runs a command. The test fails if the command does.
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("a program that can run");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Copies a folder with its files, which are then not read-only, as those that Go downloads are.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => fs::write(target, fs::read(path).expect("a file")).expect("a new file"),
        }
    }
}

/// Makes each loop over cases in the tests of a folder write them.
fn write_cases_in(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().ends_with("_test.go") {
            let text = fs::read_to_string(&path).expect("a text");
            let text = text.replace(LOOP, &format!("{LOOP}\ndumpCase(t.Name(), i, tc)\n"));
            fs::write(path, text).expect("a file that can be written");
        }
    }
    fs::write(folder.join("dump_test.go"), DUMP).expect("a new file");
}

/// Returns all cases.
pub fn all() -> Vec<Case> {
    let described = run(Command::new("go").args(["mod", "download", "-json", MODULE]));
    let described: Value = serde_json::from_slice(&described.stdout).expect("JSON");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hcl-lang");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of an earlier run");
    }
    copy(Path::new(described["Dir"].as_str().expect("a folder")), &folder);
    write_cases_in(&folder.join("decoder"));
    let cases = folder.join("cases.jsonl");
    run(Command::new("go").args(["test", "./decoder"]).current_dir(&folder).env("CASES", &cases));
    let lines = fs::read_to_string(cases).expect("the cases");
    let case = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        let test = line["test"].as_str().expect("a name").split('/').next().expect("a name").to_owned();
        Case { test, number: line["number"].as_u64().expect("a number"), fields: line["case"].take() }
    };
    lines.lines().map(case).collect()
}
