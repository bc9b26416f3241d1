//! The statements and examples of `tests/spec`. How they are written is explained in `tests/FORMS.md`.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::path::Path;

use hcl_lr_conformance::suite::{Case, Suite};

/// All of them, which must be written as they should be.
pub fn suite() -> Suite {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // In the tests of other packages, it is in a folder above.
    let folder = package.ancestors().map(|folder| folder.join("tests/spec")).find(|folder| folder.is_dir());
    let suite = Suite::read(&folder.expect("the folder of the chapters")).expect("the chapters");
    assert!(suite.problems.is_empty(), "{}", suite.problems.join("\n"));
    assert!(!suite.examples.is_empty(), "there are no examples");
    suite
}

/// Returns the questions of the suite's examples.
pub fn cases(suite: &Suite) -> Vec<Case> {
    let (cases, problems) = suite.cases();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    cases
}
