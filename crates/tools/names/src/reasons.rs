//! The reasons for differences that stay.

use crate::compare::{Difference, Kind};

/// The reasons for differences. In a file of reasons, a line `## only the program` begins a kind, a line `# reason` gives the reason for the
/// paths in the lines that follow. A path with `.*` at its end stands for all names below.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// Each line with its kind and its reason.
    pub lines: Vec<(Kind, String, String)>,
}

impl Reasons {
    /// Reads a file of reasons.
    ///
    /// # Errors
    ///
    /// A message for a path before a kind or a reason, and for a kind that does not exist.
    pub fn read(text: &str) -> Result<Reasons, String> {
        let (mut kind, mut reason) = (None, None);
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let at = |message: &str| format!("line {}: {message}", index + 1);
            if let Some(words) = line.strip_prefix("## ") {
                let found = Kind::ALL.iter().find(|(_, text)| *text == words);
                kind = Some(found.ok_or_else(|| at("not a kind of difference"))?.0);
                reason = None;
            } else if let Some(words) = line.strip_prefix("# ") {
                reason = Some(words.to_owned());
            } else if !line.trim().is_empty() {
                let (Some(kind), Some(reason)) = (kind, reason.clone()) else {
                    return Err(at("a path before a kind and a reason"));
                };
                lines.push((kind, reason, line.trim().to_owned()));
            }
        }
        Ok(Reasons { lines })
    }

    /// The reason for a difference.
    pub fn of(&self, difference: &Difference) -> Option<&str> {
        let mut lines = self.lines.iter();
        lines
            .find(|(kind, _, path)| *kind == difference.kind && fits(path, &difference.path))
            .map(|(_, reason, _)| &**reason)
    }

    /// The lines that no difference needs.
    pub fn unused(&self, differences: &[Difference]) -> Vec<String> {
        let used = |kind: Kind, path: &str| {
            differences.iter().any(|difference| difference.kind == kind && fits(path, &difference.path))
        };
        let lines = self.lines.iter().filter(|(kind, _, path)| !used(*kind, path));
        lines.map(|(kind, _, path)| format!("{}: {path}", kind.text())).collect()
    }
}

/// Returns true if a line of reasons is about a path. `*` stands for any text within one name, and at the end for the rest.
fn fits(line: &str, path: &str) -> bool {
    match line.split_once('*') {
        None => line == path,
        Some((start, "")) => path.starts_with(start),
        Some((start, rest)) => path.strip_prefix(start).is_some_and(|tail| {
            let end = tail.find(['.', '[']).unwrap_or(tail.len());
            (0..=end).any(|at| tail.is_char_boundary(at) && fits(rest, &tail[at..]))
        }),
    }
}
