//! `tests/fixtures/languages/detection.md`: the languages that names and contents of files have.

use hcl_lr::{ConfigFile, parse};
use hcl_lr_language::schema::{Schema, has_at_top};

use crate::support::golden::root;

/// A row of the tables.
struct Row<'t> {
    line: usize,
    names: Vec<&'t str>,
    /// `None` for all texts of the page.
    texts: Option<Vec<String>>,
    language: &'t str,
    files: &'t str,
}

/// Returns the texts in backticks. Two backticks are an empty text.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Returns the lines of a file that a text of the table stands for: `;` ends a line, and `…` is the body of a block.
fn lines(text: &str) -> String {
    let lines = text.split("; ").map(|line| match line.split_once(" { ") {
        Some((header, body)) if !header.contains('=') => {
            let end = body.rfind('}').unwrap_or(body.len());
            let body = body[..end].replace('…', "");
            match body.split_once(" { ") {
                Some((inner, _)) => format!("{header} {{\n  {inner} {{\n  }}\n}}\n"),
                None => format!("{header} {{\n  {}\n}}\n", body.trim()),
            }
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

fn rows(page: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for (line, text) in page.lines().enumerate() {
        let cells: Vec<&str> = text.trim_matches('|').split(" | ").map(str::trim).collect();
        let [names, texts, language, files] = cells[..] else { continue };
        if !names.starts_with('`') {
            continue;
        }
        let texts = (texts != "any").then(|| quoted(texts).into_iter().map(lines).collect());
        rows.push(Row { line: line + 1, names: quoted(names), texts, language, files });
    }
    rows
}

/// Returns the names of the language and the kind of files of a file.
fn detected(path: &str, text: &str) -> (&'static str, String) {
    // The names of files in JSON are tried with texts in JSON, which say the same.
    let path_of_text = if path.ends_with(".json") { "a.hcl" } else { path };
    let file = parse::<ConfigFile>((path_of_text, text)).into_result().unwrap_or_else(|why| panic!("{text}: {why}"));
    let has = |name: &str| has_at_top(&file, name);
    match Schema::detect_for_file(path, has) {
        Some(schema) => (&schema.name, schema.files_for(path, has).expect("files").name.clone()),
        None => ("—", "—".to_owned()),
    }
}

#[test]
fn names_and_contents_decide() {
    let page = std::fs::read_to_string(root().join("tests/fixtures/languages/detection.md")).expect("a page");
    let rows = rows(&page);
    let all: Vec<String> = rows.iter().flat_map(|row| row.texts.iter().flatten()).cloned().collect();
    let mut tried = 0;
    let mut wrong = String::new();
    for row in &rows {
        for name in &row.names {
            for text in row.texts.as_ref().unwrap_or(&all) {
                for path in [(*name).to_owned(), format!("some/folder/{name}")] {
                    tried += 1;
                    let (language, files) = detected(&path, text);
                    if language != row.language || files != row.files && row.files != "*" {
                        wrong.push_str(&format!("line {}: {path} is {language} {files}, with\n{text}\n", row.line));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(tried > 5_000, "{tried} cases");
}
