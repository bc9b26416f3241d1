//! The suite: the statements of the specification, each with examples that any implementation can run.
//!
//! It is written as chapters in Markdown ([`Suite::read`]). Each example becomes one or two [`Case`]s: a request of
//! the protocol, and the expected answer. [`score`](Case::score) compares an answer with it, level by level.

mod case;
mod compare;
mod example;
mod forms;
mod hash;
mod level;
mod markdown;
mod needs;
mod origin;
mod text;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::PROTOCOL_VERSION;
pub use case::{Basis, Case, Scored};
pub(crate) use compare::Typing;
pub use example::Example;
pub use forms::Form;
pub use level::Level;
pub use needs::Need;
pub use origin::Origin;
pub use text::visible_to_bytes;

/// The version of the form of the suite.
pub const SUITE_FORM: u32 = 2;
/// The version of the suite. `crates/conformance/CHANGELOG.md` lists the cases that each version has added, changed
/// and retired, and `crates/conformance/versions.txt` has the hash of each.
pub const SUITE_VERSION: &str = "1.1.0";

/// A statement of the texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its name, such as `native.for.7`. It is never given to another statement.
    pub id: String,
    /// The text of the statement.
    pub text: String,
    /// The heading of its chapter.
    pub chapter: String,
    /// The sentence that it follows from.
    pub origin: Option<Origin>,
    /// The file and line.
    pub place: String,
}

impl Statement {
    /// Returns true if the statement forbids something, so that one of its examples must be an error.
    pub fn forbids(&self) -> bool {
        self.text.contains("error")
    }
}

/// All statements and examples of a folder of chapters.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The statements, in the order of the chapters.
    pub statements: Vec<Statement>,
    /// The examples, in the order of the chapters.
    pub examples: Vec<Example>,
    /// The errors in the form of the chapters, each with file and line.
    pub problems: Vec<String>,
}

impl Suite {
    /// Reads the chapters of a folder, the files that end with `.md`, in the order of their names.
    ///
    /// # Errors
    /// If one cannot be read. What is wrong with the form of a chapter is in [`problems`](Suite::problems).
    pub fn read(folder: &Path) -> io::Result<Suite> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
        paths.retain(|path: &PathBuf| path.extension().is_some_and(|extension| extension == "md"));
        paths.sort();
        let mut suite = Suite::default();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            suite.add(&name, &fs::read_to_string(&path)?);
        }
        Ok(suite)
    }

    /// Adds a chapter. `name` is that of its file.
    ///
    /// ````
    /// use hcl_lr_conformance::suite::Suite;
    ///
    /// let mut suite = Suite::default();
    /// suite.add("sums.md", "# Sums\n\n### native.sum.1\n\nA sum is a number.\n\n```expr native.sum.1.1\n1 + 2\n```\n```value\n{\"number\": \"3\"}\n```\n");
    /// assert!(suite.problems.is_empty());
    /// assert_eq!(suite.statements[0].text, "A sum is a number.");
    /// let (cases, _) = suite.cases();
    /// let answer = hcl_lr_conformance::answer(&cases[0].request.to_string());
    /// assert!(cases[0].score(&serde_json::from_str(&answer)?).iter().all(|(_, scored)| scored.is_right()));
    /// # Ok::<(), serde_json::Error>(())
    /// ````
    pub fn add(&mut self, name: &str, text: &str) {
        markdown::read(name, text, self);
    }

    /// The suite as lines of JSON: its version, the statements, and the cases.
    ///
    /// # Errors
    /// The errors in the chapters.
    pub fn to_lines(&self) -> Result<String, Vec<String>> {
        let (cases, mut problems) = self.cases();
        problems.splice(0..0, self.problems.iter().cloned());
        if !problems.is_empty() {
            return Err(problems);
        }
        let header = json!({ "suite": SUITE_FORM, "version": SUITE_VERSION, "protocol": PROTOCOL_VERSION });
        let mut lines = format!("{header}\n");
        for statement in &self.statements {
            let mut line = json!({ "statement": statement.id, "chapter": statement.chapter, "text": statement.text });
            if let Some(origin) = &statement.origin {
                line["origin"] = origin.to_json();
            }
            lines.push_str(&format!("{line}\n"));
        }
        for case in &cases {
            lines.push_str(&format!("{}\n", case.to_json()));
        }
        Ok(lines)
    }

    /// Returns the questions for an implementation, and the errors in the examples.
    pub fn cases(&self) -> (Vec<Case>, Vec<String>) {
        let (mut cases, mut problems) = (Vec::new(), Vec::new());
        for example in &self.examples {
            match example.cases() {
                Ok(more) => cases.extend(more),
                Err(why) => problems.push(format!("{}: {why}", example.place)),
            }
        }
        (cases, problems)
    }
}
