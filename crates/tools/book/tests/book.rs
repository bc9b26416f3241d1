//! The sources of the site from this checkout: they are whole, and all links lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use book::{Book, blocks, listed};
use hcl_lr::diagnostic::Code;
use hcl_lr_conformance::suite::Suite;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
}

fn book() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| Book::read(root(), true).expect("the files of the project"))
}

#[test]
fn all_links_lead_somewhere() {
    assert!(book().problems.is_empty(), "{}", book().problems.join("\n"));
}

#[test]
fn every_guide_and_chapter_is_in_the_contents() {
    let pages: BTreeSet<String> = listed(&book().files["src/SUMMARY.md"]).into_iter().map(|(_, path)| path).collect();
    for folder in ["docs", "tests/spec"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
            assert!(
                !name.ends_with(".md") || pages.contains(&format!("{folder}/{name}")),
                "{folder}/{name} is not in SUMMARY.md"
            );
        }
    }
}

#[test]
fn every_statement_and_example_has_its_place() {
    let suite = Suite::read(&root().join("tests/spec")).expect("the chapters");
    let mut missing = Vec::new();
    for chapter in fs::read_dir(root().join("tests/spec")).expect("a folder") {
        let name = chapter.expect("a file").file_name().to_string_lossy().into_owned();
        let page = blocks::coloured(&book().files[&format!("src/tests/spec/{name}")]);
        let statements = suite
            .statements
            .iter()
            .map(|statement| (&statement.id, &statement.place, format!("{{#{}}}", statement.id)));
        let examples =
            suite.examples.iter().map(|example| (&example.id, &example.place, format!("<pre id=\"{}\"", example.id)));
        missing.extend(
            statements
                .chain(examples)
                .filter(|(_, place, anchor)| place.starts_with(&name) && !page.contains(anchor))
                .map(|(id, ..)| id.clone()),
        );
    }
    assert!(missing.is_empty(), "{missing:?}");
    let list = &book().files["src/statements.md"];
    assert!(suite.statements.iter().all(|statement| list.contains(&format!("#{})", statement.id))));
}

#[test]
fn every_code_is_explained() {
    let page = &book().files["src/diagnostics.md"];
    for code in Code::ALL {
        assert!(page.contains(&format!("\n## {code}\n")), "{code}");
    }
}

#[test]
fn pages_have_one_title_each() {
    for (path, text) in book().files.iter().filter(|(path, _)| path.ends_with(".md") && !path.ends_with("SUMMARY.md")) {
        let mut is_inside = false;
        let titles = text.lines().filter(|line| {
            is_inside ^= line.trim_start().starts_with("```");
            !is_inside && line.starts_with("# ")
        });
        assert_eq!(titles.count(), 1, "{path}");
    }
}
