//! The liberties that the official engine takes with the specification: `fixtures/liberties/*.md` has a row for
//! each, with examples that are asked in both dialects, and `docs/strict.md` is made from them. They are written as
//! the rows of divergences are; `engine` is the answer of the official engine, which is ours by default, and
//! `strict` ours in the strict dialect.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hcl_lr::Liberty;
use serde_json::{Value as Json, json};

use crate::answer::{same, shown};
use crate::document::{answer, asked, heading};
use crate::engine::Engine;
use crate::table::{Example, Row, Table, UsedParts};
use crate::{check_engine, needs, updates};

/// Rows whose strict answer is not an error of their own: the text gives another value, or what is wrong with
/// an operand counts.
const WITHOUT_ERROR: [&str; 4] = [
    "evaluation.deciding-operand",
    "evaluation.equal-nulls",
    "evaluation.failing-operand",
    "evaluation.unknown-elements",
];

#[test]
fn liberties_are_shown_and_the_document_is_made_of_them() {
    let mut table = Table::of_folder("liberties", "strict");
    let mut wrong = Vec::new();
    if updates() {
        let mut engine = Engine::from_environment();
        for example in table.examples_mut() {
            match engine.answer(example) {
                Some(Ok(answer)) => example.engine = Some(answer),
                Some(Err(why)) => wrong.push(format!("{}: {why}", example.place)),
                None => {}
            }
            example.ours = Some(shown(&example.show, &in_dialect(example, "strict")));
        }
        table.write();
        std::fs::write(path(), document(&table)).expect("a writable document");
    }
    check_names(&table, &mut wrong);
    for row in table.rows() {
        row.examples().for_each(|example| check(row, example, &mut wrong));
    }
    if std::fs::read_to_string(path()).expect("the document") != document(&table) {
        wrong.push("docs/strict.md is not what the rows say; UPDATE_GOLDEN=1 writes it".to_owned());
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The official engine still answers what is recorded.
#[test]
#[ignore = "needs engine"]
fn needs_engine_it_answers_what_is_recorded() {
    needs::engine();
    let mut wrong = Vec::new();
    let table = Table::of_folder("liberties", "strict");
    let examples: Vec<&Example> = table.examples().collect();
    let asked = check_engine(&examples, &mut Engine::from_environment(), &mut wrong);
    assert!(asked == examples.len() && asked > 0, "{asked} of {} examples were asked", examples.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/strict.md")
}

/// Our whole answer in a dialect.
fn in_dialect(example: &Example, dialect: &str) -> Json {
    let UsedParts::Request(request) = &example.asked else { panic!("{}: a request is required", example.place) };
    let mut request = request.clone();
    request["dialect"] = json!(dialect);
    serde_json::from_str(&hcl_lr_conformance::answer(&request.to_string())).expect("JSON")
}

/// Each liberty has a row, and each row its liberty, section and statements.
fn check_names(table: &Table, wrong: &mut Vec<String>) {
    let statements = statements();
    let mut rows = BTreeSet::new();
    for row in table.rows() {
        let id = row.id.as_str();
        if !rows.insert(id) {
            wrong.push(format!("{id}: there are two rows of this name"));
        }
        if row.examples().count() == 0 {
            wrong.push(format!("{id}: a row has examples"));
        }
        let liberty = Liberty::ALL.iter().find(|liberty| liberty.name() == id);
        match liberty {
            Some(liberty) if liberty.section() != row.cells[1] => {
                wrong.push(format!("{id}: its section is {}", liberty.section()));
            }
            None if !WITHOUT_ERROR.contains(&id) => wrong.push(format!("{id}: there is no such liberty")),
            Some(_) if WITHOUT_ERROR.contains(&id) => wrong.push(format!("{id}: it has an error of its own")),
            _ => {}
        }
        for statement in row.cells[0].split(", ").map(|name| name.trim_matches('`')) {
            if !statements.contains(statement) {
                wrong.push(format!("{id}: there is no statement {statement}"));
            }
        }
    }
    let names = Liberty::ALL.iter().map(|liberty| liberty.name()).chain(WITHOUT_ERROR);
    wrong.extend(names.filter(|name| !rows.contains(name)).map(|name| format!("{name}: there is no row")));
}

/// The names of all statements of `tests/spec`.
fn statements() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec");
    let mut names = BTreeSet::new();
    for entry in folder.read_dir().expect("the chapters") {
        let text = std::fs::read_to_string(entry.expect("a readable entry").path()).expect("a readable chapter");
        names.extend(text.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned));
    }
    names
}

/// By default the answer is that of the official engine, and in the strict dialect what is recorded.
fn check(row: &Row, example: &Example, wrong: &mut Vec<String>) {
    let place = &example.place;
    let (Some(engine), Some(recorded)) = (&example.engine, &example.ours) else {
        return wrong.push(format!("{place}: both answers are required"));
    };
    let ours = shown(&example.show, &in_dialect(example, "engine"));
    if !same(&ours, engine) || ours.get("bad_request").is_some() {
        wrong.push(format!("{place}: the answer here is {ours}, not {engine}"));
    }
    let answer = in_dialect(example, "strict");
    let strict = shown(&example.show, &answer);
    if !same(&strict, recorded) {
        wrong.push(format!("{place}: the strict answer is {strict}, not {recorded}"));
    }
    if same(&strict, engine) {
        wrong.push(format!("{place}: both answers are {engine}, which is no liberty"));
    }
    let Some(liberty) = Liberty::ALL.iter().find(|liberty| liberty.name() == row.id) else { return };
    let errors = answer["diags"].as_array().into_iter().flatten();
    let details: Vec<&str> = errors.filter_map(|error| error["detail"].as_str()).collect();
    if details.is_empty() || details.iter().any(|detail| *detail != liberty.detail()) {
        wrong.push(format!("{place}: the errors are {details:?}, not those of the liberty"));
    }
}

/// `docs/strict.md`, as the rows say.
fn document(table: &Table) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/liberties");
    let mut text = std::fs::read_to_string(folder.join("introduction.md")).expect("the introduction");
    for section in table.sections() {
        text += &format!("\n## {}\n\n", section.heading);
        if !section.introduction.is_empty() {
            text += &format!("{}\n\n", section.introduction);
        }
        text += &heading(&["liberty", "statements", "section", "official engine", "strict", "instead"]);
        for row in &section.rows {
            let liberty = Liberty::ALL.iter().find(|liberty| liberty.name() == row.id);
            let instead = liberty.map_or(String::new(), |liberty| liberty.help().replace('|', "\\|") + " ");
            text += &format!("| `{}` | {} | {instead}|\n", row.id, row.cells.join(" | "));
        }
        text += &format!("\n### Examples: {}\n\n", section.heading);
        text += &heading(&["liberty", "example", "official engine", "strict"]);
        for row in &section.rows {
            for example in row.examples() {
                let (engine, strict) = (answer(example.engine.as_ref()), answer(example.ours.as_ref()));
                text += &format!("| `{}` | {} | {engine} | {strict} |\n", row.id, asked(example));
            }
        }
    }
    text
}

/// A comparison that finds nothing wrong anywhere would make all this worthless.
#[test]
fn wrong_liberties_are_found() {
    let text = "# S\n\ncolumns: a | b | c | d\n\n## syntax.nothing\n\n| `native.no.1` | S | e | s |\n\n\
                ```expr\n1 + 1\n```\n```engine\n{\"ok\":true,\"value\":3}\n```\n```ours\n{\"ok\":false,\"at\":3}\n```\n";
    let table = Table::of_text("rows.md", text);
    let mut wrong = Vec::new();
    check_names(&table, &mut wrong);
    assert!(wrong.iter().any(|why| why.starts_with("syntax.nothing: there is no such liberty")), "{wrong:?}");
    assert!(wrong.iter().any(|why| why.ends_with("no statement native.no.1")), "{wrong:?}");
    wrong.clear();
    let row = table.rows().next().expect("a row");
    check(row, row.examples().next().expect("an example"), &mut wrong);
    assert_eq!(wrong.len(), 2, "neither answer is right: {wrong:?}");
}
