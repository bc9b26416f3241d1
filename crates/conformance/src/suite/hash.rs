//! The hash of the cases of a suite, which ties its version to the published cases.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Suite;
use super::case::Case;

/// The members of a case that define the question, its audience and its score. Headings and statements may be
/// reworded, and rows of divergences renamed.
const ESSENCE: &[&str] = &["id", "levels", "engine", "ours", "needs", "files", "request", "answer"];

impl Suite {
    /// The SHA-256 hash of the questions and answers of all cases, in hexadecimal digits. The words of statements, the
    /// headings and the order of chapters are no part of it.
    ///
    /// ```
    /// use hcl_lr_conformance::suite::Suite;
    ///
    /// let suite = |words: &str, value: u32| {
    ///     let mut suite = Suite::default();
    ///     let example = format!("```expr sum.sum.1.1\n1 + 2\n```\n```value\n{{\"number\": \"{value}\"}}\n```\n");
    ///     suite.add("sums.md", &format!("# Sums\n\n### sum.sum.1\n\n{words}\n\n{example}"));
    ///     suite.sha256()
    /// };
    /// assert_eq!(suite("A sum is a number.", 3), suite("The sum of numbers is a number.", 3));
    /// assert_ne!(suite("A sum is a number.", 3), suite("A sum is a number.", 4));
    /// ```
    pub fn sha256(&self) -> String {
        let mut lines: Vec<String> = self.cases().0.iter().map(essence).collect();
        lines.sort();
        Sha256::digest(lines.join("\n")).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn essence(case: &Case) -> String {
    let mut line = case.to_json();
    if let Some(members) = line.as_object_mut() {
        members.retain(|name, _| ESSENCE.contains(&name.as_str()));
    }
    let mut out = String::new();
    write_sorted(&line, &mut out);
    out
}

/// Writes JSON with the members of objects in the order of their names, whatever their order is in memory. Cases nest no
/// deeper than a reader of JSON allows.
fn write_sorted(value: &Value, out: &mut String) {
    let mut between = "";
    match value {
        Value::Object(members) => {
            out.push('{');
            for (name, value) in members.iter().collect::<BTreeMap<_, _>>() {
                out.push_str(between);
                out.push_str(&format!("{}:", json!(name)));
                write_sorted(value, out);
                between = ",";
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                out.push_str(between);
                write_sorted(item, out);
                between = ",";
            }
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}
