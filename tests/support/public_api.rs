//! The public API of the libraries, as `.ci/public-api` records it.

use std::path::Path;

/// The lists of the library and of the packages for edits and languages, one after the other.
pub fn text() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/public-api");
    let lists = ["hcl-lr", "hcl-lr-edit", "hcl-lr-language", "hcl-lr-schema-tools", "hcl-lr-adapters"];
    lists
        .map(|name| std::fs::read_to_string(folder.join(name).with_extension("txt")).expect("a readable list"))
        .concat()
}

/// The same lists with the one of the package for projects, whose types share names with those of the others.
#[allow(dead_code, reason = "a name may mean two things for it")]
pub fn with_projects() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/public-api/hcl-lr-project.txt");
    text() + &std::fs::read_to_string(path).expect("a readable list")
}

/// The types that are not `Send` or not `Sync`, a line for each and for each trait.
#[allow(dead_code, reason = "only the table of traits needs it")]
pub fn not_shared() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/public-api/not-shared.txt");
    std::fs::read_to_string(path).expect("a readable list")
}
