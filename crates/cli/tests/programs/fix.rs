//! `hcl check --fix` on the realistic files with mistakes in `fixtures/broken`.
//!
//! `fixtures/fixes/broken.txt` says what comes of each: how many errors there are, how many the program
//! leaves, how many are left after the other suggested edits that help are made too, and whether a text that
//! is valid then is the one that was meant. After the table stands what the program changes.

use std::fs;

use super::cli::{Scratch, hcl, text};
use super::support::golden::{Golden, cases};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::Replacement;
use hcl_lr::syntax::TokenKind;
use hcl_lr::{File, parse};

fn diagnose(text: &str) -> Diagnostics {
    parse::<File>(("x", text)).into_parts().1
}

fn errors(text: &str) -> usize {
    diagnose(text).errors().count()
}

/// Returns the text after making all suggested edits that lower the number of errors.
fn with_all_edits(text: &str) -> String {
    let mut text = text.to_owned();
    'next: loop {
        let diagnostics = diagnose(&text);
        for diagnostic in diagnostics.iter() {
            for suggestion in diagnostic.suggestions() {
                let edits = suggestion.replacements_in(diagnostic.source());
                let after = Replacement::apply(&edits, &text).expect("edits of the text");
                if errors(&after) < diagnostics.errors().count() {
                    text = after;
                    continue 'next;
                }
            }
        }
        return text;
    }
}

/// Returns the tokens of a text without line ends.
fn tokens(text: &str) -> Vec<String> {
    let file = parse::<File>(("x", text)).into_parts().0;
    let tokens = file.tokens().iter().filter(|token| token.kind() != TokenKind::Newline);
    tokens.map(|token| token.text().to_owned()).collect()
}

fn verdict(text: &str, meant: &str) -> &'static str {
    match errors(text) {
        0 if tokens(text) == tokens(meant) => "as meant",
        0 => "valid",
        _ => "",
    }
}

#[test]
fn what_is_fixed_in_realistic_files_is_as_recorded() {
    let scratch = Scratch::new("fix-broken");
    let cases = cases("broken");
    let mut rows =
        String::from("file                                  errors  fixed by the program  and with all edits\n");
    let mut changes = String::new();
    let (mut by_program, mut with_all, mut as_meant) = (0, 0, 0);
    for case in &cases {
        let (name, before, meant) = (&case.name, case.text("hcl"), case.text("fixed"));
        scratch.write(&format!("{name}.hcl"), before);
        let copy = scratch.0.join(format!("{name}.hcl"));
        let diff = hcl().args(["check", "--diff"]).arg(&copy).output().expect("the program runs");
        let hunks: Vec<&str> = text(&diff.stdout).lines().skip_while(|line| !line.starts_with("@@")).collect();
        if !hunks.is_empty() {
            changes += &format!("\n--- {name}\n{}\n", hunks.join("\n"));
        }
        hcl().args(["check", "--fix"]).arg(&copy).output().expect("the program runs");
        let fixed = fs::read_to_string(&copy).expect("a text");
        let all = with_all_edits(&fixed);
        assert!(errors(&fixed) <= errors(before), "{name} has more errors than before");
        by_program += usize::from(errors(&fixed) == 0);
        with_all += usize::from(errors(&all) == 0);
        as_meant += usize::from(verdict(&all, meant) == "as meant");
        let column = |text: &str| format!("{} {}", errors(text), verdict(text, meant));
        let row = format!("{name:38}{:6}  {:20}  {}", errors(before), column(&fixed), column(&all));
        rows += &format!("{}\n", row.trim_end());
    }
    let count = cases.len();
    let summary = format!(
        "of {count} files: valid after `hcl check --fix`: {by_program}; with all edits: {with_all}, of which {as_meant} as meant\n"
    );
    let mut golden = Golden::new();
    let folder = crate::support::golden::root().join("tests/fixtures/fixes");
    golden.check(&folder.join("broken.txt"), &format!("{summary}\n{rows}{changes}"));
    golden.finish();
}
