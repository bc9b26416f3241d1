//! Prints tables.

use std::fmt::Write;

/// The maximum column width. A longer cell does not widen its column, because the padding would soon exceed all texts.
/// (The widths of `format!` end at 65,535.)
const MAX_WIDTH: usize = 400;

/// Rows of cells as lines, with two spaces between columns.
pub(super) fn aligned<R: AsRef<[String]>>(rows: &[R]) -> String {
    let count = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let mut widths = vec![0; count];
    for row in rows {
        for (cell, width) in row.as_ref().iter().zip(&mut widths) {
            let length = cell.chars().take(MAX_WIDTH + 1).count();
            if length <= MAX_WIDTH {
                *width = length.max(*width);
            }
        }
    }
    let mut text = String::new();
    for row in rows {
        for (at, (cell, width)) in row.as_ref().iter().zip(&widths).enumerate() {
            let separator = if at > 0 { "  " } else { "" };
            // Writing to memory does not fail.
            let _ = write!(text, "{separator}{cell:width$}");
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_move_no_others() {
        let long = "x".repeat(70_000);
        let rows = [["a", "b", "c"], ["aaa", "", ""], [&long, "b", "c"]].map(|row| row.map(str::to_owned));
        let lines: Vec<usize> = aligned(&rows).lines().map(str::len).collect();
        assert_eq!(lines, [9, 3, 70_006]);
        assert_eq!(aligned(&rows[..2]), "a    b  c\naaa\n");
    }
}
