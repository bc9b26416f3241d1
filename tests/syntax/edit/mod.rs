//! Edits: fixtures, and random edits of generated files and of the corpus.
//!
//! `fixtures/edit/*.md` hold examples, each a fence `edit` with the edits of one set, a fence `hcl` with
//! a file, and a second one with what it becomes, or a fence `error` with why it does not.
//! `fixtures/edit/README.md` says how to add one; `UPDATE_GOLDEN=1` writes the result.

mod broken;
mod foreign;
mod generate;
mod json;
mod model;
mod random;
mod script;
mod trial;

use std::fmt::Write as _;
use std::fs;

use crate::support::golden::{Golden, fixtures};

/// Makes what is hard to see visible, and back.
fn shown(text: &str) -> String {
    let text = text.replace('\r', "␍").replace('\t', "␉");
    if text.is_empty() || text.ends_with('\n') { text } else { text + "⟨eof⟩\n" }
}

fn meant(text: &str) -> String {
    let text = text.replace('␍', "\r").replace('␉', "\t").replace("␠", " ");
    match text.strip_suffix("⟨eof⟩\n") {
        Some(text) => text.to_owned(),
        None => text,
    }
}

/// The text of a file of examples with the current result; how many there are.
fn replay(name: &str, text: &str) -> (String, usize) {
    let mut out = String::new();
    let (mut count, mut edits, mut input) = (0, None, None);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let fence = line.strip_prefix("```").map(str::to_owned);
        let Some(kind) = fence else {
            let _ = writeln!(out, "{line}");
            continue;
        };
        let inside: String = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        match (kind.as_str(), &edits, &input) {
            ("edit", ..) => edits = Some(inside.clone()),
            ("hcl", Some(_), None) => input = Some(inside.clone()),
            // Recorded results are replaced.
            ("hcl" | "error", Some(_), Some(_)) | ("hcl" | "error", None, None) => continue,
            _ => panic!("{name}: a fence {kind:?} is not expected here:\n{inside}"),
        }
        let _ = write!(out, "```{kind}\n{inside}```\n");
        if let (Some(edit), Some(before)) = (&edits, &input) {
            count += 1;
            let before = meant(before);
            match script::run(&before, edit) {
                Ok(edited) => {
                    script::check_untouched(&before, &edited);
                    let _ = write!(out, "```hcl\n{}```\n", shown(edited.text()));
                }
                Err(error) => {
                    let _ = write!(out, "```error\n{error}\n```\n");
                }
            }
            (edits, input) = (None, None);
        }
    }
    (out, count)
}

#[test]
fn edits_give_what_is_recorded() {
    let mut golden = Golden::new();
    let mut count = 0;
    for path in fixtures("edit", &["md"]) {
        if path.ends_with("README.md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a readable fixture");
        let (found, examples) = replay(&path.display().to_string(), &text);
        count += examples;
        golden.check(&path, &found);
    }
    assert!(count > 60, "only {count} examples");
    golden.finish();
}
