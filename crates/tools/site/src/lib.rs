//! The static site of hcl-lr: the Markdown of the repository as pages with a common navigation, a search, and checked
//! links. It needs no network, neither to build nor to read.

mod diagnostics;
mod highlight;
mod links;
mod markdown;
mod page;
mod search;
mod statements;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::fs;
use std::path::Path;

use markdown::Known;
use page::Section;

/// All files of the site, by their paths.
pub struct Site {
    files: BTreeMap<String, String>,
    pages: usize,
    problems: Vec<String>,
}

impl Site {
    /// Makes the site of a checkout of the project.
    ///
    /// # Errors
    /// If a file cannot be read, or a chapter of the specification is not written as it should be.
    pub fn read(root: &Path) -> Result<Site, String> {
        let suite = statements::suite(root)?;
        let known = Known::new(&suite);
        let mut pages = vec![diagnostics::page(&known), statements::page(&suite, &known), page::railroad()?];
        let mut problems = Vec::new();
        // Files that the pages link to also become part of the site.
        let mut waiting: VecDeque<String> = sources(root)?.into();
        let mut seen: Vec<String> = waiting.iter().cloned().collect();
        let mut files = BTreeMap::new();
        while let Some(path) = waiting.pop_front() {
            if path.ends_with(".html") || path.ends_with(".svg") {
                let text = fs::read_to_string(root.join(&path)).map_err(|why| format!("{path}: {why}"))?;
                files.insert(page::path_of(&path), text);
                continue;
            }
            let page = page::read(root, &path, &known).map_err(|why| format!("{path}: {why}"))?;
            for linked in &page.linked {
                if !root.join(linked).exists() {
                    problems.push(format!("{path}: there is no `{linked}`"));
                } else if !seen.contains(linked) {
                    seen.push(linked.clone());
                    waiting.push_back(linked.clone());
                }
            }
            pages.push(page);
        }
        pages.sort_by(|one, other| one.order().cmp(&other.order()));
        for page in &pages {
            files.insert(page.path.clone(), page::whole(page, &pages));
        }
        problems.extend(links::problems(&files));
        files.insert("search-index.js".to_owned(), search::index(&pages));
        files.insert("search.js".to_owned(), include_str!("../assets/search.js").to_owned());
        files.insert("style.css".to_owned(), include_str!("../assets/style.css").to_owned());
        Ok(Site { files, pages: pages.len(), problems })
    }

    /// Paths and contents of all files.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the broken links, each with its page.
    pub fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }
}

impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: usize = self.files.values().map(String::len).sum();
        write!(formatter, "{} pages, {} KB", self.pages, bytes.div_ceil(1000))
    }
}

/// The files that the navigation shows, by their paths in the repository.
fn sources(root: &Path) -> Result<Vec<String>, String> {
    let mut sources: Vec<String> = [
        "README.md",
        "DIVERGENCES.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "crates/conformance/PROTOCOL.md",
    ]
    .map(str::to_owned)
    .to_vec();
    sources.push("grammar/README.md".to_owned());
    for folder in ["docs", "tests/spec"] {
        let entries = fs::read_dir(root.join(folder)).map_err(|why| format!("{folder}: {why}"))?;
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        sources.extend(names.iter().filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    Ok(sources)
}

/// Escapes text for HTML, for attributes too.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page or a part of one that a search finds.
struct Entry {
    title: String,
    /// The URL, with its anchor.
    url: String,
    section: Section,
    /// Its content as plain text.
    text: String,
}
