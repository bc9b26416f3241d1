//! Compares what the lexer and the parser make of files with what is recorded.
//!
//! A case of `fixtures/lexer` has a file and its tokens, one of `fixtures/syntax` a file and its tree. A file is without
//! errors, unless the name of the case begins with `broken-`.

use crate::support::golden::{Golden, cases};
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

/// Compares all cases of a folder with what is recorded.
fn check(folder: &str, kind: &str, dump: impl Fn(&File) -> String) {
    let mut golden = Golden::new();
    for case in cases(folder) {
        let input = &case.fences[0];
        let (file, diagnostics) = parse::<File>((&case.file_name(input), input.bytes.clone())).into_parts();
        let broken = case.name.starts_with("broken-");
        assert_eq!(diagnostics.has_errors(), broken, "the errors of {} are: {diagnostics}", case.place());
        golden.check_case(&case, kind, &dump(&file));
    }
    golden.finish();
}
