//! The sources of the site: the Markdown of the repository at the same paths, and generated pages.
//!
//! `SUMMARY.md` lists the pages by their paths in the repository. A page that is no file is generated from the data
//! that its program uses: the commands from clap, the diagnostics from their codes, the statements from the suite, the
//! charts from the scoreboard, the diagrams from the grammars. Links between pages stay; links to other files lead to
//! the repository. mdBook renders the result, and [`blocks`] is its preprocessor.

pub mod blocks;
mod charts;
mod commands;
mod markdown;
mod reference;
mod start;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use hcl_lr_conformance::suite::Suite;
use markdown::Known;

/// The folder of this package in the repository.
const HERE: &str = "crates/tools/book";

/// The sources of the site.
pub struct Book {
    /// All files by their paths.
    pub files: BTreeMap<String, String>,
    pub pages: usize,
    /// The broken links, each with its page.
    pub problems: Vec<String>,
}

impl Book {
    /// Makes the sources from a checkout. Without a playground, the pages have no frame for it.
    ///
    /// # Errors
    /// If a file cannot be read, or a chapter of the specification has a problem.
    pub fn read(root: &Path, has_playground: bool) -> Result<Book, String> {
        let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|why| format!("{path}: {why}"));
        let suite = Suite::read(&root.join("tests/spec")).map_err(|why| format!("tests/spec: {why}"))?;
        if let Some(problem) = suite.problems.first() {
            return Err(format!("tests/spec/{problem}"));
        }
        let summary = read(&format!("{HERE}/SUMMARY.md"))?;
        let mut pages: BTreeMap<String, String> = BTreeMap::new();
        for (title, path) in listed(&summary) {
            let text = match path.as_str() {
                "README.md" => start::page(&read("README.md")?, &read(&format!("{HERE}/start.md"))?, has_playground)?,
                "playground.md" => start::playground(has_playground),
                "commands.md" => commands::page(),
                "diagnostics.md" => reference::diagnostics(),
                "statements.md" => reference::statements(&suite),
                "comparison.md" => charts::page(&read("README.md")?, &read("crates/conformance/scoreboard.json")?)?,
                "grammar/railroad.md" => reference::railroad()?,
                chapter if chapter.starts_with("tests/spec/") => markdown::with_section(&read(chapter)?),
                _ => markdown::without_html(&read(&path)?),
            };
            let text = if path == "README.md" { text } else { markdown::with_title(&text, &title) };
            pages.insert(path, text);
        }
        let known = Known::new(&suite);
        for line in read(&format!("{HERE}/words.md"))?.lines() {
            let Some((path, words)) = line.strip_prefix("- ").and_then(|line| line.split_once(": ")) else { continue };
            let page = pages.get_mut(path).ok_or_else(|| format!("{HERE}/words.md: `{path}` is not a page"))?;
            *page = markdown::with_words(page, words);
        }
        let anchors: BTreeMap<String, BTreeSet<String>> =
            pages.iter().map(|(path, text)| (path.clone(), markdown::anchors(text, &known))).collect();
        let mut book = Book { files: BTreeMap::new(), pages: pages.len(), problems: Vec::new() };
        for (path, text) in &pages {
            let mut page = markdown::Page {
                root,
                path,
                known: &known,
                anchors: &anchors,
                assets: BTreeSet::new(),
                problems: Vec::new(),
            };
            let text = page.linked(text);
            for asset in page.assets {
                book.files.insert(format!("src/{asset}"), read(&asset)?);
            }
            book.problems.append(&mut page.problems);
            book.files.insert(format!("src/{path}"), text);
        }
        book.files.insert("src/SUMMARY.md".to_owned(), summary);
        for file in ["book.toml", "theme/site.css", "theme/head.hbs"] {
            book.files.insert(file.to_owned(), read(&format!("{HERE}/{file}"))?);
        }
        Ok(book)
    }
}

/// Returns the pages that a summary lists, each as its title and its path.
pub fn listed(summary: &str) -> Vec<(String, String)> {
    let links = summary.lines().filter_map(|line| line.split_once('[')?.1.strip_suffix(')')?.split_once("]("));
    links.map(|(title, path)| (title.to_owned(), path.to_owned())).collect()
}

/// Escapes text for HTML, for attributes too.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
