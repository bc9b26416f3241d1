//! Canonical formatting, which only changes blanks.
//!
//! [`format()`] returns the same bytes as the official `hclwrite.Format`. It needs no tree, so it also formats broken
//! and unfinished texts, and it changes only blanks: quotes, heredocs and comments keep their content, and lines end
//! where they did. The rules are few:
//!
//! | module | rule |
//! | --- | --- |
//! | `layout` | A line that opens more brackets than it closes indents the following lines by two blanks, until as many are closed. |
//! | `layout` | A line has up to three cells: the text before the first `=`, the `=` with the text after it, and a comment. The second and third are aligned in adjacent lines that have them. |
//! | `spacing` | Two pieces of a line are separated by one blank or none. |
//!
//! A cell with an `=` is not aligned if it leaves brackets open, like the first line of a list in several lines.
//! [`Style`] has rules beyond the canonical form, and [`keep_layout`] returns edits that keep the layout.
//!
//! ```
//! use hcl_lr::format::format;
//!
//! let text = "service \"web\" {\nport=8000+offset # public\nname = \"web\"\n}\n";
//! let formatted = "service \"web\" {\n  port = 8000 + offset # public\n  name = \"web\"\n}\n";
//! assert_eq!(format(text), formatted);
//! ```

mod draft;
mod keep;
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
pub use keep::keep_layout;

/// Longer texts are not formatted: positions in them, and in the text added to them, have 32 bits.
const MAX_LENGTH: usize = 1 << 30;

/// Rules in addition to the canonical form. All are off by default.
///
/// ```
/// use hcl_lr::format::Style;
///
/// let style = Style::new().with_final_newline(true).with_one_blank_line(true);
/// assert_eq!(style.format("a=1\n\n\n\nb=2"), "a = 1\n\nb = 2\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    terraform_rules: bool,
    switches: bool,
    final_newline: bool,
    one_blank_line: bool,
    alignment: bool,
    sorted_attributes: bool,
    sorted_blocks: bool,
}

/// The canonical form.
impl Default for Style {
    fn default() -> Self {
        Style::new()
    }
}

impl Style {
    /// The canonical form, without other rules.
    pub const fn new() -> Self {
        Style {
            terraform_rules: false,
            switches: false,
            final_newline: false,
            one_blank_line: false,
            alignment: true,
            sorted_attributes: false,
            sorted_blocks: false,
        }
    }

    /// Adds the three rules that `terraform fmt` adds to the canonical form: values that consist of `"${…}"` become the
    /// plain expression, the type of a variable gets its modern notation (`list(string)` for `"list"`), and labels get
    /// quotes. They do nothing in a malformed text. Off by default.
    pub const fn with_terraform_rules(mut self, terraform_rules: bool) -> Self {
        self.terraform_rules = terraform_rules;
        self
    }

    /// Leaves lines between a line `# fmt: off` and a line `# fmt: on` as they are. Off by default.
    pub const fn with_switches(mut self, switches: bool) -> Self {
        self.switches = switches;
        self
    }

    /// Ends the text with one newline, unless it is empty. Off by default.
    pub const fn with_final_newline(mut self, final_newline: bool) -> Self {
        self.final_newline = final_newline;
        self
    }

    /// Keeps one of several consecutive blank lines, and none at the start. Off by default.
    pub const fn with_one_blank_line(mut self, one_blank_line: bool) -> Self {
        self.one_blank_line = one_blank_line;
        self
    }

    /// Aligns adjacent lines. On by default.
    pub const fn with_alignment(mut self, alignment: bool) -> Self {
        self.alignment = alignment;
        self
    }

    /// Sorts attributes on adjacent lines by name, each with its comments. Off by default.
    pub const fn with_sorted_attributes(mut self, sorted_attributes: bool) -> Self {
        self.sorted_attributes = sorted_attributes;
        self
    }

    /// Sorts consecutive top-level blocks of the same type by their labels. Off by default.
    pub const fn with_sorted_blocks(mut self, sorted_blocks: bool) -> Self {
        self.sorted_blocks = sorted_blocks;
        self
    }

    /// Formats a text. Returns it unchanged if it is longer than 1 GiB, or if indentation of tens of thousands of
    /// levels or cells after a very long line would make it more than 64 times as long plus 16 MiB.
    pub fn format(&self, text: &str) -> String {
        let formatted = String::from_utf8(self.format_bytes(text.as_bytes()));
        formatted.unwrap_or_else(|_| unreachable!("pieces begin and end at characters"))
    }

    /// Formats a text that may contain bytes that are not UTF-8, which are kept.
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
        // An unclosed construct may extend to the end of the file, so only blanks change then.
        if draft.closed {
            self.rewrite(&mut draft);
        }
        layout::lay_out(&draft.text, &mut draft.pieces, self.alignment);
        let blanks: u64 = draft.pieces.iter().map(|piece| u64::from(piece.blanks)).sum();
        if too_many_blanks(blanks, text.len()) {
            return text.to_vec();
        }
        draft.written()
    }

    fn rewrite(&self, draft: &mut Draft) {
        if self.terraform_rules {
            terraform::modernize(draft);
        }
        if self.sorted_attributes {
            sort::sort_attributes(draft);
        }
        if self.sorted_blocks {
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

/// Returns true if each quote, heredoc, sequence and comment of a text is closed. Otherwise the structure of the rest
/// of the text is unknown, and [`Style`] changes nothing but blanks.
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

/// Returns the offsets of the newlines that end a line of the syntax: those outside of heredocs, comments and strings.
///
/// ```
/// assert_eq!(hcl_lr::format::line_ends("a = <<EOT\n  text\nEOT\nb = 1\n"), [20, 26]);
/// ```
pub fn line_ends(text: &str) -> Vec<usize> {
    let pieces = pieces::pieces(text.as_bytes()).list;
    pieces.iter().filter(|piece| piece.kind == pieces::Kind::Newline).map(|piece| piece.start as usize).collect()
}
