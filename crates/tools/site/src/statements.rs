//! The page of all statements of the specification, each with the number of its examples.

use std::collections::BTreeMap;
use std::path::Path;

use hcl_lr_conformance::suite::Suite;

use crate::markdown::{Known, Renderer};
use crate::page::{Page, Section};

/// The chapters of the specification, with what is in them.
pub fn suite(root: &Path) -> Result<Suite, String> {
    let suite = Suite::read(&root.join("tests/spec")).map_err(|why| format!("tests/spec: {why}"))?;
    match suite.problems.first() {
        None => Ok(suite),
        Some(problem) => Err(format!("tests/spec/{problem}")),
    }
}

pub fn page(suite: &Suite, known: &Known) -> Page {
    let mut examples: BTreeMap<&str, usize> = BTreeMap::new();
    for statement in suite.examples.iter().flat_map(|example| &example.covers) {
        *examples.entry(statement).or_default() += 1;
    }
    let mut text = format!(
        "# All statements\n\nWhat the texts of the specification say, in {} statements with {} examples. \
         [The protocol](crates/conformance/PROTOCOL.md) asks any implementation of HCL for them.\n",
        suite.statements.len(),
        suite.examples.len(),
    );
    let mut chapter = "";
    for statement in &suite.statements {
        if statement.chapter != chapter {
            chapter = &statement.chapter;
            text += &format!("\n## {chapter}\n\n| statement | what it says | examples |\n| --- | --- | ---: |\n");
        }
        let count = examples.get(statement.id.as_str()).copied().unwrap_or_default();
        text += &format!("| `{}` | {} | {count} |\n", statement.id, statement.text.replace('|', "\\|"));
    }
    let path = "statements.html";
    let rendered = Renderer::new("statements.md", path, Section::Specification, known).render(&text);
    Page {
        path: path.to_owned(),
        title: "All statements".to_owned(),
        section: Section::Specification,
        content: rendered.html,
        headings: rendered.headings,
        linked: rendered.linked,
        // The chapters have them all.
        entries: rendered.entries.into_iter().take(1).collect(),
    }
}
