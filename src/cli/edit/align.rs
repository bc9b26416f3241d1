//! Equals signs and comments that were aligned stay so where names become longer or shorter.

use std::collections::BTreeSet;

use crate::format::format;

/// A text in which lines have changed, aligned as the formatter does it where the lines were before. `touched` are the
/// numbers of the lines, counted from 0; there are as many lines as before.
pub(super) fn aligned_again(old: &str, new: &str, touched: &BTreeSet<usize>) -> String {
    let (old_formatted, new_formatted) = (format(old), format(new));
    let [old, old_formatted, now, new_formatted] =
        [old, &old_formatted, new, &new_formatted].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let count = old.len();
    if [&old_formatted, &now, &new_formatted].into_iter().any(|lines| lines.len() != count) {
        return new.to_owned();
    }
    let mut result = now;
    let mut done = 0;
    for &line in touched {
        if line < done || line >= count {
            continue;
        }
        // All lines that can be aligned with this one.
        let start = (done..line).rev().take_while(|&at| are_together(old[at], old[at + 1])).last().unwrap_or(line);
        let end = (line + 1..count).take_while(|&at| are_together(old[at - 1], old[at])).last().unwrap_or(line) + 1;
        done = end;
        if old[start..end] == old_formatted[start..end] {
            result[start..end].copy_from_slice(&new_formatted[start..end]);
        }
    }
    result.concat()
}

/// Whether the formatter may align two lines that follow each other.
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
        // What a person has not aligned stays.
        assert_eq!(again("a = 1\nbc = 2\n", "a = 1\nlong = 2\n", 1), "a = 1\nlong = 2\n");
        // So do lines that stand apart.
        let (old, new) = ("a=1\n\nb  = 1 # x\ncd = 2  # y\n", "a=1\n\nb  = 1 # x\nlong = 2  # y\n");
        assert_eq!(again(old, new, 3), new, "its comments were not aligned");
        let (old, new) = ("a=1\n\nb  = 1 # x\ncd = 2 # y\n", "a=1\n\nb  = 1 # x\nlong = 2 # y\n");
        assert_eq!(again(old, new, 3), "a=1\n\nb    = 1 # x\nlong = 2 # y\n");
    }
}
