//! Equals signs and comments that were aligned stay so where names become longer or shorter.

use std::collections::BTreeSet;
use std::ops::Range;

use hcl_lr::format::format;
use hcl_lr::format::line_ends;

/// A text in which lines have changed, aligned as the formatter does it where the lines were before. `touched` are the
/// numbers of the lines, counted from 0; there are as many lines as before.
pub(super) fn aligned_again(before: &str, new: &str, touched: &BTreeSet<usize>) -> String {
    let (formatted, new_formatted) = (format(before), format(new));
    let [old, formatted, mut result, new_formatted] =
        [before, &formatted, new, &new_formatted].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    if [&formatted, &result, &new_formatted].into_iter().any(|lines| lines.len() != old.len()) {
        return new.to_owned();
    }
    let items = items(before, old.len());
    let first = |item: usize| old[items[item].start];
    let mut done = 0;
    for &line in touched {
        let item = items.partition_point(|lines| lines.end <= line);
        if item < done || item >= items.len() {
            continue;
        }
        // All lines that can be aligned with this one.
        let start = (done..item).rev().take_while(|&at| are_together(first(at), first(at + 1))).last().unwrap_or(item);
        let end = (item + 1..items.len()).take_while(|&at| are_together(first(at - 1), first(at))).last();
        done = end.unwrap_or(item) + 1;
        let lines = items[start].start..items[done - 1].end;
        if old[lines.clone()] == formatted[lines.clone()] {
            result[lines.clone()].copy_from_slice(&new_formatted[lines]);
        }
    }
    result.concat()
}

/// The lines of a text, with those of a heredoc, or of anything else that newlines are part of, as one.
fn items(text: &str, count: usize) -> Vec<Range<usize>> {
    let (mut items, mut start, mut line, mut at) = (Vec::new(), 0, 0, 0);
    for end in line_ends(text) {
        line += text.as_bytes()[at..end].iter().filter(|&&byte| byte == b'\n').count();
        at = end;
        if line >= start {
            items.push(start..line + 1);
            start = line + 1;
        }
    }
    if start < count {
        items.push(start..count);
    }
    items
}

/// Returns true if the formatter may align two lines that follow each other.
fn are_together(line: &str, next: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let is_blank = |line: &str| line.trim().is_empty();
    let has_comment = |line: &str| [" #", " //"].into_iter().any(|start| line.trim_start().contains(start));
    !is_blank(line) && !is_blank(next) && (indent(line) == indent(next) || has_comment(line) && has_comment(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_aligned_is_aligned_again_and_nothing_else() {
        let again = |old: &str, new: &str, line: usize| aligned_again(old, new, &BTreeSet::from([line]));
        assert_eq!(again("a  = 1\nbc = 2\n", "a  = 1\nlong = 2\n", 1), "a    = 1\nlong = 2\n");
        assert_eq!(again("a    = 1\nlong = 2\n", "a    = 1\nbc = 2\n", 1), "a  = 1\nbc = 2\n");
        // Lines that are not aligned stay so.
        assert_eq!(again("a = 1\nbc = 2\n", "a = 1\nlong = 2\n", 1), "a = 1\nlong = 2\n");
        // So do lines that stand apart.
        let (old, new) = ("a=1\n\nb  = 1 # x\ncd = 2  # y\n", "a=1\n\nb  = 1 # x\nlong = 2  # y\n");
        assert_eq!(again(old, new, 3), new, "its comments were not aligned");
        let (old, new) = ("a=1\n\nb  = 1 # x\ncd = 2 # y\n", "a=1\n\nb  = 1 # x\nlong = 2 # y\n");
        assert_eq!(again(old, new, 3), "a=1\n\nb    = 1 # x\nlong = 2 # y\n");
        // A heredoc is one line.
        let text = |names: [&str; 3]| format!("{}= 1\n{}= <<-EOT\n  x\n\nEOT\n{}= 2\n", names[0], names[1], names[2]);
        let old = text(["ab  ", "text ", "c    "]).replace("ab  ", "ab   ");
        let new = text(["ab   ", "longer ", "c    "]);
        assert_eq!(again(&old, &new, 1), text(["ab     ", "longer ", "c      "]));
    }
}
