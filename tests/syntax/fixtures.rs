//! Compares what the lexer and the parser make of files with what is recorded beside them.
//!
//! `fixtures/lexer/NAME.hcl` has its tokens in `NAME.tokens`, `fixtures/syntax/NAME.hcl` its tree in
//! `NAME.tree`. A file is without errors, unless its name begins with `broken-`. `UPDATE_GOLDEN=1
//! cargo test` records them anew.

use crate::support::golden::{Golden, fixtures};
use hcl_lr::parse;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{TokenDump, TreeDump};

#[test]
fn tokens_are_as_recorded() {
    check("lexer", "tokens", |file| TokenDump(file).to_string());
}

#[test]
fn trees_are_as_recorded() {
    check("syntax", "tree", |file| TreeDump::of_file(file).to_string());
}

/// Compares all files of a folder with what is recorded.
fn check(folder: &str, extension: &str, dump: impl Fn(&File) -> String) {
    let mut golden = Golden::new();
    let sources = fixtures(folder, &["hcl"]);
    for path in &sources {
        let name = path.file_name().expect("a name").to_string_lossy();
        let bytes = std::fs::read(path).expect("a readable fixture");
        let (file, diagnostics) = parse::<File>((&name, bytes)).into_parts();
        let broken = name.starts_with("broken-");
        assert_eq!(diagnostics.has_errors(), broken, "the errors of {folder}/{name} are: {diagnostics}");
        golden.check(&path.with_extension(extension), &dump(&file));
    }
    for path in fixtures(folder, &[extension]) {
        assert!(sources.contains(&path.with_extension("hcl")), "{} has no .hcl file beside it", path.display());
    }
    golden.finish();
}
