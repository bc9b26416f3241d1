//! Canonical formatting: the same text with other blanks.
//!
//! [`format()`] gives what the official `hclwrite.Format` gives, byte for byte. It needs no tree, so it
//! formats what is broken or still being written as well, and it changes nothing but blanks: what is
//! within quotes, heredocs and comments, and where lines end, stays. The rules are few:
//!
//! | module | rule |
//! | --- | --- |
//! | `layout` | A line that opens more brackets than it closes indents those that follow by two blanks, until as many are closed. |
//! | `layout` | A line has up to three cells: what stands before the first `=`, the `=` with what follows, and a comment. The second and third begin in the same column in neighbouring lines that have them. |
//! | `spacing` | One blank or none stands between two pieces of a line. |
//!
//! A cell with an `=` that leaves brackets open, as the first line of a list in several lines does,
//! is not aligned. [`Style`] has rules beyond the canonical form.
//!
//! ```
//! use hcl_lr::format::format;
//!
//! let text = "service \"web\" {\nport=8000+offset # public\nname = \"web\"\n}\n";
//! let formatted = "service \"web\" {\n  port = 8000 + offset # public\n  name = \"web\"\n}\n";
//! assert_eq!(format(text), formatted);
//! ```

mod draft;
mod layout;
mod lines;
mod outline;
pub(crate) mod pieces;
mod sort;
mod spacing;
mod terraform;
mod width;

use crate::writer::columns::too_many_blanks;
use draft::Draft;

/// Longer texts are not formatted: places in them, and in what is added to them, are 32 bits.
const MAX_LENGTH: usize = 1 << 30;

/// Rules in addition to the canonical form. All are off by default.
///
/// ```
/// use hcl_lr::format::Style;
///
/// let style = Style { final_newline: true, one_blank_line: true, ..Style::default() };
/// assert_eq!(style.format("a=1\n\n\n\nb=2"), "a = 1\n\nb = 2\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Style {
    /// The three rules that `terraform fmt` adds to the canonical form: a value that is nothing but
    /// `"${…}"` is written without it, the type of a variable as today (`list(string)` for `"list"`),
    /// and labels in quotes. It does nothing in a text that is not well formed.
    pub terraform: bool,
    /// Lines between a line `# fmt: off` and a line `# fmt: on` stay as they are.
    pub switches: bool,
    /// The text ends with one newline, unless it is empty.
    pub final_newline: bool,
    /// Keeps one of several blank lines in a row, and none at the start.
    pub one_blank_line: bool,
    /// Adjacent lines are not aligned.
    pub no_alignment: bool,
    /// Attributes on adjacent lines are sorted by name, each with its comments.
    pub sort_attributes: bool,
    /// Blocks at the top that follow one another and are of one type are sorted by their labels.
    pub sort_blocks: bool,
}

impl Style {
    /// Formats a text. It stays as it is if it is longer than 1 GiB, or if it would become more than 64
    /// times as long, and 16 MiB, for indentation of tens of thousands of levels or cells after a very
    /// long line.
    pub fn format(&self, text: &str) -> String {
        let formatted = String::from_utf8(self.format_bytes(text.as_bytes()));
        formatted.unwrap_or_else(|_| unreachable!("pieces begin and end at characters"))
    }

    /// Formats a text that may have bytes that are not UTF-8, which stay.
    ///
    /// ```
    /// use hcl_lr::format::Style;
    ///
    /// assert_eq!(Style::default().format_bytes(b"a=\"\xff\"\n"), b"a = \"\xff\"\n");
    /// ```
    pub fn format_bytes(&self, text: &[u8]) -> Vec<u8> {
        if text.len() > MAX_LENGTH {
            return text.to_vec();
        }
        let mut draft = Draft::new(text);
        if self.switches {
            lines::keep_switched_off(&mut draft);
        }
        // An unclosed construct may reach to the end of the file: only blanks change then.
        if draft.closed {
            self.rewrite(&mut draft);
        }
        layout::lay_out(&draft.text, &mut draft.pieces, !self.no_alignment);
        let blanks: u64 = draft.pieces.iter().map(|piece| u64::from(piece.blanks)).sum();
        if too_many_blanks(blanks, text.len()) {
            return text.to_vec();
        }
        draft.written()
    }

    fn rewrite(&self, draft: &mut Draft) {
        if self.terraform {
            terraform::modernize(draft);
        }
        if self.sort_attributes {
            sort::sort_attributes(draft);
        }
        if self.sort_blocks {
            sort::sort_blocks(draft);
        }
        if self.one_blank_line {
            lines::join_blank_lines(draft);
        }
        if self.final_newline {
            lines::end_last_line(draft);
        }
    }
}

/// A text in canonical form.
///
/// ```
/// assert_eq!(hcl_lr::format::format("a   =[ 1,2 ]"), "a = [1, 2]");
/// ```
pub fn format(text: &str) -> String {
    Style::default().format(text)
}

/// Returns true if each quote, heredoc, sequence and comment of a text has an end. If one has none, the structure of
/// the rest of the text is unknown, and [`Style`] changes nothing but blanks.
///
/// ```
/// use hcl_lr::format::is_closed;
///
/// assert!(is_closed(b"a = [\"${b}\""));
/// assert!(!is_closed(b"a = \"${b}"));
/// ```
pub fn is_closed(text: &[u8]) -> bool {
    text.len() <= MAX_LENGTH && pieces::pieces(text).closed
}

/// The newlines that end a line of the syntax, by their offsets: those outside of heredocs, comments and strings.
///
/// ```
/// assert_eq!(hcl_lr::format::line_ends("a = <<EOT\n  text\nEOT\nb = 1\n"), [20, 26]);
/// ```
pub fn line_ends(text: &str) -> Vec<usize> {
    let pieces = pieces::pieces(text.as_bytes()).list;
    pieces.iter().filter(|piece| piece.kind == pieces::Kind::Newline).map(|piece| piece.start as usize).collect()
}
