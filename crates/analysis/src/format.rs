//! Formats a file, or some of its lines.

use hcl_lr::format::{Style, is_closed};
use hcl_lr::source::Span;

use crate::workspace::Snapshot;
use crate::{Edit, Location};

impl Snapshot {
    /// Returns the edits that format a file, or those that touch a part of it. `None` if it cannot be formatted: it is
    /// in the JSON syntax, or has an unclosed quote, heredoc or comment.
    pub fn format(&self, path: &str, within: Option<Span>) -> Option<Vec<Edit>> {
        let file = self.file(path)?;
        let source = file.native()?.source();
        let text = source.text();
        if !is_closed(text.as_bytes()) || !source.invalid_utf8().is_empty() {
            return None;
        }
        let style = Style::new().with_switches(true);
        let formatted = style.format(text);
        let edits = line_edits(text, &formatted);
        let touched = |edit: &(Span, String)| {
            within.is_none_or(|within| {
                edit.0.start() < within.end().max(within.start() + 1)
                    && within.start() < edit.0.end().max(edit.0.start() + 1)
            })
        };
        let edits = edits.into_iter().filter(touched);
        Some(edits.map(|(span, text)| Edit { location: Location { path: file.path().clone(), span }, text }).collect())
    }
}

/// Returns the lines that differ between two texts. Formatting keeps the number of lines, so they are compared one by
/// one; if the numbers differ, the range from the first to the last difference is one edit.
fn line_edits(old: &str, new: &str) -> Vec<(Span, String)> {
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let after: Vec<&str> = new.split_inclusive('\n').collect();
    let mut edits = Vec::new();
    let mut at = 0;
    if before.len() == after.len() {
        for (before, after) in before.iter().zip(&after) {
            let end = at + before.len();
            if before != after {
                edits.push((Span::new(at as u32, end as u32), (*after).to_owned()));
            }
            at = end;
        }
        return edits;
    }
    let start = before.iter().zip(&after).take_while(|(left, right)| left == right).count();
    let rest = before.len().min(after.len()) - start;
    let end = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(left, right)| left == right).count();
    let from: usize = before[..start].iter().map(|line| line.len()).sum();
    let to: usize = old.len() - before[before.len() - end..].iter().map(|line| line.len()).sum::<usize>();
    vec![(Span::new(from as u32, to as u32), after[start..after.len() - end].concat())]
}
