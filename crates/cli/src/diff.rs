//! Shows the changes to a text as `diff -u` and `git diff` do.

use std::ops::Range;

use super::terminal;
use hcl_lr::source::visible;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput, sources::byte_lines};

/// The number of unchanged lines shown around changes.
const CONTEXT: u32 = 3;

/// Returns the changes from one text to another version of the same file; empty if there are none. `git apply` and
/// `patch -p1` accept the output without colour. In colour, it is meant for people, and control characters are shown
/// as escape sequences.
pub fn unified(name: &str, old: &[u8], new: &[u8], color: bool) -> Vec<u8> {
    let (input, hunks) = hunks(old, new);
    let mut out = Output { text: Vec::new(), color };
    if !hunks.is_empty() {
        out.line("1", format!("--- a/{name}").as_bytes());
        out.line("1", format!("+++ b/{name}").as_bytes());
    }
    for group in hunks.chunk_by(|a, b| b.before.start - a.before.end <= 2 * CONTEXT) {
        if let [first, .., last] | [first @ last] = group {
            let before = around(&first.before, &last.before, input.before.len());
            let after = around(&first.after, &last.after, input.after.len());
            out.line("36", format!("@@ -{} +{} @@", range(&before), range(&after)).as_bytes());
            let mut at = before.start;
            let text = |tokens: &[imara_diff::Token], place: Range<u32>| -> Vec<&[u8]> {
                tokens[place.start as usize..place.end as usize].iter().map(|&line| input.interner[line]).collect()
            };
            for hunk in group {
                out.lines(" ", "", text(&input.before, at..hunk.before.start));
                out.lines("-", "31", text(&input.before, hunk.before.clone()));
                out.lines("+", "32", text(&input.after, hunk.after.clone()));
                at = hunk.before.end;
            }
            out.lines(" ", "", text(&input.before, at..before.end));
        }
    }
    out.text
}

/// Lines that change.
pub struct ChangedLines {
    /// The first line in the old text, counted from 1. If lines are only added, they come before it.
    pub line: usize,
    pub before: String,
    pub after: String,
}

/// Returns the changed lines between two texts, without context.
pub fn changed_lines(old: &[u8], new: &[u8]) -> Vec<ChangedLines> {
    let (input, hunks) = hunks(old, new);
    let text = |tokens: &[imara_diff::Token], place: &Range<u32>| -> String {
        let lines = tokens[place.start as usize..place.end as usize].iter().map(|&line| input.interner[line]);
        String::from_utf8_lossy(&lines.collect::<Vec<&[u8]>>().concat()).into_owned()
    };
    let changed = |hunk: &Hunk| ChangedLines {
        line: hunk.before.start as usize + 1,
        before: text(&input.before, &hunk.before),
        after: text(&input.after, &hunk.after),
    };
    hunks.iter().map(changed).collect()
}

/// Returns the lines of two texts, and the hunks that differ.
fn hunks<'t>(old: &'t [u8], new: &'t [u8]) -> (InternedInput<&'t [u8]>, Vec<Hunk>) {
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let hunks = diff.hunks().collect();
    (input, hunks)
}

/// Returns the lines from the first to the last change, with context.
fn around(first: &Range<u32>, last: &Range<u32>, lines: usize) -> Range<u32> {
    first.start.saturating_sub(CONTEXT)..(last.end + CONTEXT).min(lines as u32)
}

/// Returns the range of lines in a hunk header: the first line and their number.
fn range(lines: &Range<u32>) -> String {
    let count = lines.end - lines.start;
    // If there are none, it is the line before.
    let first = if count == 0 { lines.start } else { lines.start + 1 };
    if count == 1 { format!("{first}") } else { format!("{first},{count}") }
}

struct Output {
    text: Vec<u8>,
    color: bool,
}

impl Output {
    fn lines(&mut self, mark: &str, style: &str, lines: Vec<&[u8]>) {
        for line in lines {
            let content = line.strip_suffix(b"\n");
            self.line(style, &[mark.as_bytes(), content.unwrap_or(line)].concat());
            if content.is_none() {
                self.line("", b"\\ No newline at end of file");
            }
        }
    }

    fn line(&mut self, style: &str, line: &[u8]) {
        let styled = self.color && !style.is_empty();
        if styled {
            self.text.extend_from_slice(format!("\u{1b}[{style}m").as_bytes());
        }
        match self.color {
            true => self.text.extend_from_slice(visible::bytes(line).as_bytes()),
            false => self.text.extend_from_slice(&terminal::data(line)),
        }
        if styled {
            self.text.extend_from_slice(b"\x1b[0m");
        }
        self.text.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> String {
        String::from_utf8(unified("x", old.as_bytes(), new.as_bytes(), false)).expect("text")
    }

    #[test]
    fn neighbouring_changes_share_a_hunk() {
        let old: String = (1..=30).map(|line| format!("{line}\n")).collect();
        let new = old.replace("2\n3\n", "2\n3a\n").replace("\n9\n", "\n9a\n").replace("\n25\n", "\n");
        let expected = "--- a/x\n+++ b/x\n@@ -1,12 +1,12 @@\n 1\n 2\n-3\n+3a\n 4\n 5\n 6\n 7\n 8\n-9\n+9a\n 10\n 11\n 12\n\
                        @@ -22,7 +22,6 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28\n";
        assert_eq!(diff(&old, &new), expected);
    }

    #[test]
    fn ends_and_empty_texts_are_told() {
        assert_eq!(diff("a\n", "a\n"), "");
        assert_eq!(diff("", "a\n"), "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(diff("a", "a\n"), "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    }

    #[test]
    fn changed_lines_have_none_around_them() {
        let changed = changed_lines(b"a\nb\nc\nd\n", b"a\nB\nc\nd\ne");
        let changed: Vec<_> = changed.iter().map(|lines| (lines.line, &*lines.before, &*lines.after)).collect();
        assert_eq!(changed, [(2, "b\n", "B\n"), (5, "", "e")]);
    }

    #[test]
    fn colours_are_around_lines() {
        let text = unified("x", b"a\n", b"b\n", true);
        assert!(text.ends_with(b"\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n"), "{}", text.escape_ascii());
    }
}
