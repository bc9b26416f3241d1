//! The differences between this library and the official engine: `fixtures/divergences/*.md` has the rows, each with
//! examples that are asked on both sides, and `DIVERGENCES.md` is made from them. `tests/FORMS.md` describes the form
//! of a row.
//!
//! `UPDATE_GOLDEN=1` writes the document and our answers anew, and those of the official engine where its
//! programs are named:
//!
//! - `OFFICIAL_DRIVER`: answers the questions of the conformance protocol (`crates/conformance/drivers/go/build` builds it);
//! - `OFFICIAL_TOFU`: the program `tofu`, for its `fmt`.
//!
//! Without `UPDATE_GOLDEN`, ignored tests ask whether they still answer what is recorded.

mod answer;
#[path = "../support/cases.rs"]
mod cases;
mod corpus;
mod document;
mod engine;
mod liberties;
#[path = "../support/needs.rs"]
#[allow(dead_code, reason = "each test program has needs of its own")]
mod needs;
#[path = "../support/protocol.rs"]
#[allow(dead_code, reason = "each test program uses a part of it")]
mod protocol;
mod table;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use answer::{ours, shown};
use engine::Engine;
use table::{Example, Table, UsedParts};

/// Rows that no example can show.
const NOT_SHOWN: [&str; 2] = ["syntax.source-length", "evaluation.splat-twice"];

fn updates() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

fn say(text: &str) {
    // Tests that pass print nothing otherwise.
    std::io::stderr().write_all(text.as_bytes()).expect("standard error");
}

/// All that reads or writes the files: one after the other.
#[test]
fn rows_are_shown_and_the_document_is_made_of_them() {
    let mut table = Table::read();
    let mut wrong = Vec::new();
    if updates() {
        let mut engine = Engine::from_environment();
        for example in table.examples_mut() {
            let place = example.place.clone();
            match engine.answer(example) {
                Some(Ok(answer)) if !example.sometimes || example.engine.is_none() => example.engine = Some(answer),
                Some(Err(why)) => wrong.push(format!("{place}: {why}")),
                _ => {}
            }
            if let Some(answer) = ours(example) {
                example.ours = Some(answer);
            }
        }
        table.write();
        std::fs::write(document::path(), document::text(&table)).expect("a writable document");
    }
    check_rows(&table, &mut wrong);
    let examples: Vec<&Example> = table.examples().collect();
    for example in &examples {
        check_example(example, &mut wrong);
    }
    let written = std::fs::read_to_string(document::path()).expect("the document");
    if written != document::text(&table) {
        wrong.push("DIVERGENCES.md is not what the rows say; UPDATE_GOLDEN=1 writes it".to_owned());
    }
    say(&format!(
        "{} rows with {} examples; {} rows are not shown\n",
        table.rows().count(),
        examples.len(),
        NOT_SHOWN.len(),
    ));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The official engine still answers what is recorded.
#[test]
#[ignore = "needs engine"]
fn needs_engine_it_answers_what_is_recorded() {
    needs::engine();
    still_answers(|asked| matches!(asked, UsedParts::Request(_)));
}

/// `tofu fmt` still answers what is recorded.
#[test]
#[ignore = "needs tofu"]
fn needs_tofu_it_answers_what_is_recorded() {
    needs::variable("OFFICIAL_TOFU");
    still_answers(|asked| matches!(asked, UsedParts::TerraformFmt(_)));
}

fn still_answers(is_asked: impl Fn(&UsedParts) -> bool) {
    let table = Table::read();
    let examples: Vec<&Example> = table.examples().filter(|example| is_asked(&example.asked)).collect();
    let mut wrong = Vec::new();
    let asked = check_engine(&examples, &mut Engine::from_environment(), &mut wrong);
    assert!(asked > 0 && asked == examples.len(), "{asked} of {} examples were asked", examples.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Each row has an example, or is one of the few that cannot have any.
fn check_rows(table: &Table, wrong: &mut Vec<String>) {
    let mut ids = BTreeSet::new();
    for row in table.rows() {
        let id = &row.id;
        if !ids.insert(id) {
            wrong.push(format!("{id}: there are two rows of this name"));
        }
        let hidden = row.not_shown.is_some();
        if hidden != NOT_SHOWN.contains(&id.as_str()) {
            wrong.push(format!("{id}: rows that are not shown stand in a list in tests/divergences/main.rs"));
        }
        if hidden == (row.examples().count() > 0) {
            wrong.push(format!("{id}: a row has examples, or says why it is not shown"));
        }
    }
    for id in NOT_SHOWN.iter().filter(|id| !ids.iter().any(|known| known == *id)) {
        wrong.push(format!("{id}: there is no such row"));
    }
}

/// Our answer is what is recorded, and not that of the engine.
fn check_example(example: &Example, wrong: &mut Vec<String>) {
    let place = &example.place;
    let (Some(engine), Some(recorded)) = (&example.engine, &example.ours) else {
        return wrong.push(format!("{place}: both answers are required"));
    };
    for answer in [engine, recorded] {
        if ["bad_request", "unsupported"].iter().any(|name| answer.get(*name).is_some()) {
            wrong.push(format!("{place}: {answer} is no answer"));
        }
    }
    match ours(example) {
        Some(ours) if !answer::same(&ours, recorded) => {
            wrong.push(format!("{place}: the answer here is {ours}, not {recorded}"));
        }
        _ => {}
    }
    if answer::same(engine, recorded) {
        wrong.push(format!("{place}: both answers are {engine}, which is no difference"));
    }
}

/// The official engine still answers what is recorded, as far as it is at hand.
fn check_engine(examples: &[&Example], engine: &mut Engine, wrong: &mut Vec<String>) -> usize {
    let mut asked = 0;
    for example in examples {
        let Some(recorded) = &example.engine else { continue };
        // Ask again until a random answer is the recorded one.
        let attempts = if example.sometimes { 200 } else { 1 };
        let mut last = None;
        for _ in 0..attempts {
            last = engine.answer(example);
            if matches!(&last, Some(Ok(answer)) if answer::same(answer, recorded)) {
                break;
            }
        }
        match last {
            None => continue,
            Some(Ok(answer)) if answer::same(&answer, recorded) => {}
            Some(Ok(answer)) => {
                wrong.push(format!("{}: the official engine answers {answer}, not {recorded}", example.place));
            }
            Some(Err(why)) => wrong.push(format!("{}: {why}", example.place)),
        }
        asked += 1;
    }
    asked
}

/// The cases of `fixtures/hcldec` in which the answers differ belong to rows, and each that a row names
/// is there. `crates/cli/tests/programs/hcldec.rs` asks both programs.
#[test]
fn each_answer_of_hcldec_that_differs_belongs_to_a_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hcldec");
    let cases = cases::cases_below(&folder).into_iter().filter(|case| case.find("differs").is_some());
    let differing: BTreeSet<String> = cases.map(|case| case.name).collect();
    let table = Table::read();
    let named: BTreeSet<String> = table
        .examples()
        .filter_map(|example| match &example.asked {
            UsedParts::Hcldec(case) => Some(case.name.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(named, differing, "cases that rows name, and cases that differ");
    assert!(named.len() >= 10);
}

/// A comparison that finds no difference anywhere would make all this worthless.
#[test]
fn wrong_rows_are_found() {
    let text = "# S\n\ncolumns: question | official engine | hcl-lr | why\n\n## s.one\n\n| q | e | o | w |\n\n\
                ```expr\n1 + 1\n```\n```engine\n{\"ok\":true,\"value\":3}\n```\n```ours\n{\"ok\":true,\"value\":3}\n```\n\n\
                ## s.two\n\n| q | e | o | w |\n";
    let table = Table::of_text("rows.md", text);
    let mut wrong = Vec::new();
    check_rows(&table, &mut wrong);
    assert!(wrong.iter().any(|why| why.starts_with("s.two: a row has examples")), "{wrong:?}");
    wrong.clear();
    check_example(table.examples().next().expect("an example"), &mut wrong);
    assert_eq!(wrong.len(), 2, "it is another answer, and both are the same: {wrong:?}");
    assert_eq!(table.text_of(0), text, "what is read is what is written");
    let answer = serde_json::json!({"ok": false, "diags": [{"severity": "error", "range": [[1, 4, 3], [1, 4, 3]]}]});
    assert_eq!(shown(&[], &answer), serde_json::json!({"at": 3, "ok": false}));
}
