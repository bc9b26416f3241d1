//! Rules for the cases of all test programs.

use std::collections::{BTreeMap, HashMap};

use crate::support::cases::files_below;
use crate::support::golden::{cases, root};

/// The fences that the tests of each folder read, beside files with names.
const FENCES: &[(&str, &[&str])] = &[
    ("address", &["hcl", "json", "schema", "addresses", "found"]),
    ("bake", &["request", "answer"]),
    ("bodies", &["schema", "messages"]),
    ("broken", &["hcl", "slips", "fixed", "messages"]),
    ("cli/files", &[]),
    ("convert", &["hcl"]),
    ("decode", &["hcl", "json", "hcldec", "messages"]),
    ("definitions", &["roles", "values", "messages", "references"]),
    ("diagnostics", &["hcl", "json", "expr", "tmpl", "path", "messages"]),
    ("dynamic", &["hcl", "json", "messages"]),
    ("edit", &["edit", "hcl", "json", "error"]),
    ("evaluation", &["hcl", "tmpl", "list", "map", "call", "traversal", "messages"]),
    ("examples", &["output"]),
    ("format", &["hcl", "formatted"]),
    ("grammar/derivations", &["hcl", "json", "derivation"]),
    ("hcl2json", &["hcl", "json"]),
    ("hcldec", &["arguments", "stdin", "answer", "differs", "ours"]),
    ("hostile", &[]),
    ("json", &["json", "tree"]),
    ("lexer", &["hcl", "tokens"]),
    ("opentofu", &["request", "answer"]),
    ("python-hcl2", &["hcl", "json"]),
    ("schema/imports", &["json", "hcl"]),
    ("serde/errors", &["hcl", "json", "messages"]),
    ("serde/peers", &["hcl", "output"]),
    ("simplify", &["expr", "tmpl", "left", "wrong"]),
    ("spec_files", &["hcldec", "messages"]),
    ("suite", &["hcl", "json", "hcldec", "t"]),
    ("syntax", &["hcl", "tree"]),
    ("twins", &["hcl", "json", "schema", "result", "differs"]),
    ("types", &["hcl", "json", "messages"]),
];

/// The kinds of files with names.
const FILES: &[&str] = &["hcl", "hcldec", "json", "text", "tmpl"];

/// A fence that no test reads would never be compared.
#[test]
fn each_fence_is_read() {
    let mut unread = Vec::new();
    for (folder, kinds) in FENCES {
        for case in cases(folder) {
            for fence in &case.fences {
                let known = if fence.file.is_some() { FILES } else { *kinds };
                if !known.contains(&&*fence.kind) {
                    unread.push(format!("{folder}/{}: {}", case.place(), fence.kind));
                }
            }
        }
    }
    assert!(unread.is_empty(), "no test reads these fences:\n{}", unread.join("\n"));
}

/// Cases that share an input or an answer belong in one file.
#[test]
fn no_two_files_are_the_same() {
    let mut paths = files_below(&root().join("tests"));
    for package in std::fs::read_dir(root().join("crates")).expect("the packages") {
        let tests = package.expect("an entry").path().join("tests");
        paths.extend(if tests.is_dir() { files_below(&tests) } else { Vec::new() });
    }
    let mut known: HashMap<Vec<u8>, String> = HashMap::new();
    let mut same = BTreeMap::new();
    for path in paths {
        let name = path.display().to_string();
        if let Some(other) = known.insert(std::fs::read(&path).expect("a readable file"), name.clone()) {
            same.insert(name, other);
        }
    }
    assert!(same.is_empty(), "cases of one file can share what is the same: {same:#?}");
}
