//! Each public operation takes at most so much more work for twice as much.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::Row;
use crate::cases::{self, Case};
use crate::count::Turn;

/// The largest growth when the input doubles. A table that doubles its size now and then takes a little more than
/// twice.
const MOST: f64 = 2.3;

/// Multiplying and dividing numbers with many digits takes more: there are at most 20,000 digits. And a text is as
/// long as the square of its levels if all are indented.
const MOST_FOR_DIGITS: f64 = 6.0;

fn rows(cases: fn() -> Vec<Case>, most: f64) -> Vec<Row> {
    // One-time work of the whole program must not count, here or in other tests.
    let turn = Turn::take();
    cases().iter().map(|case| crate::row(&turn, case, most)).collect()
}

/// Prints a table, the worst row first, and asserts that no row is worse than that.
#[track_caller]
fn at_most(most: f64, mut rows: Vec<Row>) {
    // Its allocations would count for other tests.
    let _turn = Turn::take();
    rows.sort_by(|a, b| b.worst().total_cmp(&a.worst()));
    println!("{:>6} {:>10} {:>10} {:>10} operation: input", "worst", "n", "2n", "4n");
    rows.iter().for_each(|row| println!("{row}"));
    println!("{} rows", rows.len());
    let wrong: Vec<String> = rows.iter().filter(|row| row.worst() > most).map(Row::to_string).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn table() {
    at_most(MOST, rows(cases::operations::all, MOST));
}

#[test]
fn table_of_digits() {
    at_most(MOST_FOR_DIGITS, rows(cases::operations::digits, MOST_FOR_DIGITS));
}

/// The modules whose operations have cases.
const MODULES: [&str; 8] = ["model", "body", "decode", "dynamic", "type_expr", "format", "query", "user_functions"];

/// Functions whose work does not grow, that are parts of others, or that are not for users: a line for each file, with
/// the names after a colon.
const SMALL: &str = include_str!("../fixtures/growth/small.txt");

/// Each `pub fn` in a file, as the cases call it.
fn public_functions(path: &Path, module: &str, found: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = entry.file_stem().expect("a name").to_string_lossy().into_owned();
            public_functions(&entry, &format!("{module}/{name}"), found);
        }
        return;
    }
    let text = fs::read_to_string(path).expect("a file");
    // Items without documentation are not for users.
    let lines = text.lines().zip(text.lines().skip(1)).filter(|(above, _)| above.trim() != "#[doc(hidden)]");
    let functions = lines.filter_map(|(_, line)| {
        let line = line.trim_start().strip_prefix("pub ")?;
        let line = line.strip_prefix("const ").unwrap_or(line).strip_prefix("fn ")?;
        line.split(['(', '<']).next()
    });
    found.extend(functions.map(|name| format!("{module} {name}")));
}

#[test]
fn each_public_function_has_a_case_or_is_small() {
    // Its allocations would count for other tests.
    let _turn = Turn::take();
    let covered: BTreeSet<String> = {
        let name = |case: &Case| case.name.split(": ").next().unwrap_or_default().to_owned();
        cases::operations::all().iter().chain(&cases::operations::digits()).map(name).collect()
    };
    let small: BTreeSet<String> = SMALL
        .lines()
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(file, names)| names.split(' ').map(move |name| format!("{file} {name}")))
        .collect();
    let mut found = BTreeSet::new();
    for module in MODULES {
        let places = ["src", "crates/edit/src"].map(|source| Path::new(env!("CARGO_MANIFEST_DIR")).join(source));
        let paths = places.iter().flat_map(|source| [source.join(module), source.join(format!("{module}.rs"))]);
        let path = paths.into_iter().find(|path| path.exists()).expect("a module");
        public_functions(&path, module, &mut found);
    }
    let left_out: Vec<&String> =
        found.iter().filter(|name| !covered.contains(*name) && !small.contains(*name)).collect();
    assert!(left_out.is_empty(), "neither has a case nor is small: {left_out:#?}");
    let gone: Vec<&String> = small.iter().filter(|name| !found.contains(*name) || covered.contains(*name)).collect();
    assert!(gone.is_empty(), "is gone, or has a case: {gone:#?}");
}
