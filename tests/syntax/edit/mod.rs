//! Edits: fixtures, and random edits of generated files and of the corpus.
//!
//! A case of `fixtures/edit` is a fence `edit` with the edits of one set, a fence `hcl` with
//! a file, and a fence `hcl after` with what it becomes, or a fence `error` with why it does not. `json` and `json after`
//! are the same for the JSON syntax; the blocks of a fence `hcl blocks` say which properties are blocks.
//! `fixtures/edit/README.md` says how to add one; `UPDATE_GOLDEN=1` writes the result.

mod broken;
mod codemod;
mod expressions;
mod foreign;
mod generate;
mod json;
mod model;
mod random;
mod script;
mod trial;
mod twins;

use crate::support::golden::{Golden, cases};

#[test]
fn edits_give_what_is_recorded() {
    let mut golden = Golden::new();
    let cases = cases("edit");
    for case in &cases {
        let (before, kind) = match case.find("json") {
            Some(json) => (json.text(), "json after"),
            None => (case.text("hcl"), "hcl after"),
        };
        let edits = case.text("edit");
        let edited = match kind {
            "json after" => script::run_json(before, case.find("hcl blocks").map_or("", |fence| fence.text()), edits),
            _ => script::run(before, edits),
        };
        let (after, error) = match edited {
            Ok(edited) => {
                script::check_untouched(before, &edited);
                (edited.text().to_owned(), String::new())
            }
            Err(error) => (String::new(), format!("{error}\n")),
        };
        golden.check_case(case, kind, &after);
        golden.check_case(case, "error", &error);
    }
    assert!(cases.len() > 60, "only {} examples", cases.len());
    golden.finish();
}
