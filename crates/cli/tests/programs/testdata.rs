//! Compares `hcl check` with the folders of files on which OpenTofu tests itself: those that it accepts and those that
//! it refuses.
//!
//! ```sh
//! crates/conformance/programs/opentofu/build   # needs Go; prints the path of a program beside the source
//! HCL_LR_TESTDATA=target/opentofu-v1.12.6/internal/configs/testdata cargo test --all-features --workspace --test programs testdata:: -- --ignored --nocapture
//! ```
//!
//! Nothing of these files is in this repository. `tests/fixtures/schema/testdata.txt` lists the disagreements with their
//! reasons.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::{Scratch, hcl};
use crate::support::golden::root;
use crate::support::needs;

/// The folders of files that are programs by themselves, and those of folders; true if OpenTofu refuses what is in them.
const FILES: [(&str, bool); 4] =
    [("valid-files", false), ("warning-files", false), ("invalid-files", true), ("error-files", true)];
const FOLDERS: [(&str, bool); 2] = [("valid-modules", false), ("invalid-modules", true)];

/// Returns what is in a folder, in alphabetic order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        entries(from).iter().for_each(|inner| copy(inner, &to.join(name_of(inner))));
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::write(to, fs::read(from).expect("a file")).expect("a file");
    }
}

#[test]
#[ignore = "needs testdata"]
fn needs_testdata_check_accepts_what_opentofu_accepts() {
    let testdata = PathBuf::from(needs::variable("HCL_LR_TESTDATA"));
    let scratch = Scratch::new("testdata");
    // Each program is a folder; a file is the only one in its folder.
    let mut programs: Vec<(String, bool)> = Vec::new();
    for (folder, is_wrong) in FILES {
        for file in entries(&testdata.join(folder)) {
            let name = format!("{folder}/{}", name_of(&file));
            copy(&file, &scratch.path("").join(&name).join(name_of(&file)));
            programs.push((name, is_wrong));
        }
    }
    for (folder, is_wrong) in FOLDERS {
        for inner in entries(&testdata.join(folder)) {
            let name = format!("{folder}/{}", name_of(&inner));
            copy(&inner, &scratch.path("").join(&name));
            programs.push((name, is_wrong));
        }
    }
    assert!(programs.len() > 100, "{} has few files", testdata.display());
    let list = fs::read_to_string(root().join("tests/fixtures/schema/testdata.txt")).expect("a list");
    let lines = list.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let listed: BTreeSet<&str> = lines.map(|line| line.split_once(": ").expect("a reason").0).collect();
    let (mut wrong, mut differ) = (String::new(), BTreeSet::new());
    for (name, is_wrong) in &programs {
        let output = hcl()
            .current_dir(scratch.path(name))
            .args(["check", "--schema", "opentofu", "--format", "json", "."])
            .output();
        let output = output.expect("it runs");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let found = found["diagnostics"].as_array().expect("a list").iter();
        let errors: Vec<String> =
            found.filter(|found| found["severity"] == "error").map(|error| error["detail"].to_string()).collect();
        if errors.is_empty() == *is_wrong {
            differ.insert(name.as_str());
            if !listed.contains(name.as_str()) {
                wrong +=
                    &format!("{name}: {}\n", if *is_wrong { "nothing is found".to_owned() } else { errors.join("; ") });
            }
        }
    }
    for name in listed.difference(&differ) {
        wrong += &format!("{name}: listed, but there is no difference\n");
    }
    println!("{} programs, {} disagreements", programs.len(), differ.len());
    assert!(wrong.is_empty(), "{wrong}");
}
