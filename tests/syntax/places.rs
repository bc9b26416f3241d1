//! Where errors are, as `DIVERGENCES.md` says in "Errors": of each row, sources with the place that
//! the official engine reports first and the one that is reported here.
//!
//! A line of `fixtures/places/elsewhere.jsonl` has the beginning of its `row`, the `kind` of the
//! source, the source, and the bytes at which the `engine` and `ours` see its first error. The places
//! of the engine were recorded from its version 2.24.0.

use std::collections::BTreeSet;
use std::path::Path;

use hcl_lr::Options;
use hcl_lr::source::Source;
use serde_json::Value as Json;

const ANSWERS: &str = include_str!("../fixtures/places/elsewhere.jsonl");

/// Rows that are shown elsewhere: documents in JSON by `json_reader.rs`, and what is about the number
/// of errors by `diagnostics.rs`.
const ELSEWHERE: [&str; 2] = ["JSON: ", "more than 1,000 errors"];

fn answers() -> impl Iterator<Item = Json> {
    ANSWERS.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"))
}

#[test]
fn errors_are_where_the_rows_say() {
    let mut wrong = Vec::new();
    for answer in answers() {
        let text = answer["src"].as_str().expect("a source");
        let (source, options) = (Source::new("in.hcl", text), Options::default());
        let diagnostics = match answer["kind"].as_str() {
            Some("expr") => options.parse_expression(source).into_parts().1,
            Some("template") => options.parse_template(source).into_parts().1,
            _ => options.parse(source).into_parts().1,
        };
        let first = diagnostics.errors().map(|error| error.span().start() as u64).min();
        if first != answer["ours"].as_u64() {
            wrong.push(format!("{text:?}: {first:?} instead of {}", answer["ours"]));
        }
        if answer["ours"] == answer["engine"] {
            wrong.push(format!("{text:?} is no difference any more"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_row_is_shown() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("DIVERGENCES.md");
    let document = std::fs::read_to_string(path).expect("the file");
    let section = document.split("\n## ").find(|section| section.starts_with("Errors\n")).expect("the section");
    let rows: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("| ")).skip(2).collect();
    let shown: BTreeSet<String> = answers().map(|answer| answer["row"].as_str().expect("a row").to_owned()).collect();
    let is_shown = |row: &&str| {
        shown.iter().any(|shown| row.starts_with(shown.as_str()))
            || ELSEWHERE.iter().any(|other| row.starts_with(other))
    };
    let hidden: Vec<&&str> = rows.iter().filter(|row| !is_shown(row)).collect();
    assert!(hidden.is_empty(), "nothing shows {hidden:#?}");
    let gone = shown.iter().filter(|shown| !rows.iter().any(|row| row.starts_with(shown.as_str())));
    assert_eq!(gone.collect::<Vec<_>>(), Vec::<&String>::new(), "rows that there are not");
    assert!(rows.len() >= 20, "there are {} rows", rows.len());
}
