//! The rows of the pages about moving from other libraries.

use std::collections::BTreeSet;
use std::path::Path;

/// A row of a page, by its first cell, and the program that shows both sides of it.
pub type Row = (&'static str, fn());

/// Runs the program of each row. The rows must be those of the tables of the page below these headings.
pub fn run(page: &str, headings: &[&str], rows: &[Row]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = std::fs::read_to_string(path).expect("a readable page");
    let (mut cells, mut counts, mut is_head) = (BTreeSet::new(), false, true);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            counts = headings.contains(&heading);
        }
        match line.strip_prefix("| ").and_then(|row| row.split_once(" | ")) {
            Some((cell, _)) if counts && !is_head && !cell.starts_with("---") => {
                assert!(cells.insert(cell.to_owned()), "{page} has two rows for {cell}");
            }
            found => is_head = found.is_none(),
        }
        is_head = is_head && !line.starts_with('|');
    }
    let tested: BTreeSet<String> = rows.iter().map(|(cell, _)| (*cell).to_owned()).collect();
    assert_eq!(tested.len(), rows.len(), "two programs are of one row");
    let missing: Vec<&String> = cells.difference(&tested).collect();
    let extra: Vec<&String> = tested.difference(&cells).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{page}: rows without a program: {missing:#?}, programs without a row: {extra:#?}"
    );
    for (cell, program) in rows {
        println!("{cell}");
        program();
    }
}
