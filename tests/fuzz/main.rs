//! The findings of fuzz targets: each input in `fixtures/fuzz/TARGET/` is run again, with all assertions of the target.
//! `fuzz/README.md` says how inputs get there.

use std::fs;
use std::path::Path;

#[path = "../support/fuzz/mod.rs"]
mod fuzz;

/// The checks walk over trees at the limit of nesting by themselves, in builds that are not optimized.
const STACK: usize = 256 << 20;

#[test]
fn what_was_found_once_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz");
    let mut folders: Vec<_> =
        fs::read_dir(root).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    let mut failed = Vec::new();
    for folder in folders.iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(fuzz::TARGETS.iter().any(|(target, _)| *target == name), "there is no target {name}");
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let (bytes, target) = (fs::read(&path).expect("an input"), name.clone());
            let thread = std::thread::Builder::new().stack_size(STACK);
            let run = thread.spawn(move || fuzz::run(&target, &bytes)).expect("a thread");
            if run.join().is_err() {
                failed.push(path.display().to_string());
            }
        }
    }
    assert!(failed.is_empty(), "the messages above say what does not hold of\n{}", failed.join("\n"));
}

/// Each target takes whatever stands in the fixtures of all others, and a few odd inputs.
#[test]
fn each_target_takes_anything() {
    let inputs: [&[u8]; 8] = [
        b"",
        b"\n---\n",
        b"a = 1\n",
        b"{}",
        b"\xff\xfe",
        "é".as_bytes(),
        b"\n---\n\n---\n\n---\n",
        b"object {\n}\n---\n{}",
    ];
    for (name, target) in fuzz::TARGETS {
        for input in inputs {
            let run = std::thread::Builder::new().stack_size(STACK).spawn(move || target(input)).expect("a thread");
            assert!(run.join().is_ok(), "{name} of {}", input.escape_ascii());
        }
    }
}
