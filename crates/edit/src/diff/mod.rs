//! Differences of files by structure, and merges of changes from two sides.
//!
//! [`compare`] finds which attributes, blocks, entries of objects and elements of lists were added, removed, changed,
//! moved or renamed. Layout and comments are ignored, and so is the order of attributes, of entries and of blocks with
//! different labels. The order of list elements and of blocks with the same type and labels counts. Values are
//! compared as source text: `1 + 1` differs from `2`.
//!
//! ```
//! use hcl_lr_edit::diff::{ChangeKind, compare};
//! use hcl_lr::{File, parse};
//!
//! let old = parse::<File>("port = 80\nhost = \"a\"\nservice \"web\" {\n  tags = { team = \"x\" }\n}\n").into_result()?;
//! let new = parse::<File>("host = \"a\" # same\nservice \"web\" {\n  tags = {}\n}\nport = 8080\n").into_result()?;
//! let changes = compare(&old, &new);
//! let found: Vec<String> = changes.iter().map(|change| format!("{} {}", change.kind(), change.address())).collect();
//! assert_eq!(found, ["removed service.web.tags.team", "changed port"]);
//! assert_eq!(changes[1].kind(), ChangeKind::Changed);
//! assert_eq!(changes[1].after().expect("it is there").text(), "8080");
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! [`patch`] applies the changes to the old file, which keeps its layout and comments. [`merge`] applies them to a
//! third file and marks conflicts.
//!
//! All take time proportional to the length of the files, up to a logarithm and a constant for each changed list.

mod changes;
mod matching;
mod merge;
mod outline;

use std::fmt;

use self::matching::{Matching, Purpose};
use self::outline::{Meanings, Outline};
use crate::address::Address;
use crate::{EditError, Edited};
use hcl_lr::json::Document;
use hcl_lr::source::Place;
use hcl_lr::syntax::ast::File;

pub use merge::{MergeOptions, Merged, merge, merge_lines};

/// The kind of a [`Change`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Only in the new file.
    Added,
    /// Only in the old file.
    Removed,
    /// Another value.
    Changed,
    /// Another place in the list, or among the blocks with the same type and labels.
    Moved,
    /// Another name or label. Changes inside are listed separately.
    Renamed,
}

/// Writes the kind as one word.
impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Changed => "changed",
            ChangeKind::Moved => "moved",
            ChangeKind::Renamed => "renamed",
        })
    }
}

/// A difference between two files.
#[derive(Clone, Debug)]
pub struct Change {
    kind: ChangeKind,
    sides: Sides,
}

/// The sides of a change: the old file, the new file, or both.
#[derive(Clone, Debug)]
enum Sides {
    Old(ChangedPart),
    New(ChangedPart),
    Both(ChangedPart, ChangedPart),
}

impl Change {
    /// Returns the kind of the change.
    pub fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// Returns the part in the old file; `None` if it was added.
    pub fn before(&self) -> Option<&ChangedPart> {
        match &self.sides {
            Sides::Old(side) | Sides::Both(side, _) => Some(side),
            Sides::New(_) => None,
        }
    }

    /// Returns the part in the new file; `None` if it was removed.
    pub fn after(&self) -> Option<&ChangedPart> {
        match &self.sides {
            Sides::New(side) | Sides::Both(_, side) => Some(side),
            Sides::Old(_) => None,
        }
    }

    /// Returns the address in the new file, or in the old one if the part was removed.
    pub fn address(&self) -> &Address {
        match &self.sides {
            Sides::Old(side) | Sides::New(side) | Sides::Both(_, side) => &side.address,
        }
    }
}

/// A changed part in one of the two files.
#[derive(Clone, Debug)]
pub struct ChangedPart {
    address: Address,
    place: Place,
    text: Place,
}

impl ChangedPart {
    /// Returns the address of the part.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Returns the place of the whole part, including its name.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the changed text: the value if only that changed, otherwise the whole part.
    pub fn text(&self) -> &str {
        self.text.text()
    }
}

/// Compares two files. Parts with syntax errors are left out.
pub fn compare(old: &File, new: &File) -> Vec<Change> {
    let mut meanings = Meanings::default();
    let (old, new) = (Outline::of_file(old, &mut meanings), Outline::of_file(new, &mut meanings));
    compared(&old, &new)
}

/// Compares two documents in the JSON syntax. Objects and arrays are compared as such, because only a schema could
/// tell which of them are blocks.
pub fn compare_json(old: &Document, new: &Document) -> Vec<Change> {
    let mut meanings = Meanings::default();
    let (old, new) = (Outline::of_document(old, &mut meanings), Outline::of_document(new, &mut meanings));
    compared(&old, &new)
}

fn compared(old: &Outline<'_>, new: &Outline<'_>) -> Vec<Change> {
    changes::changes(old, new, &Matching::new(old, new, Purpose::Report))
}

/// Returns true if two files have the same content, that is, if [`compare`] finds no changes.
pub fn same_meaning(one: &File, other: &File) -> bool {
    let mut meanings = Meanings::default();
    let (one, other) = (Outline::of_file(one, &mut meanings), Outline::of_file(other, &mut meanings));
    one.nodes[0].content == other.nodes[0].content
}

/// Edits the old file so that its content equals that of the new one. Layout, comments and order stay.
///
/// ```
/// use hcl_lr_edit::diff::patch;
/// use hcl_lr::{File, parse};
///
/// let old = parse::<File>("# Ports.\nports = [80,  443]\nhost = \"a\"\n").into_result()?;
/// let new = parse::<File>("host = \"b\"\nports = [80, 443, 8080]\n").into_result()?;
/// assert_eq!(patch(&old, &new)?.text(), "# Ports.\nports = [80,  443,  8080]\nhost = \"b\"\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the edits cannot be written; see [`EditError`].
pub fn patch(old: &File, new: &File) -> Result<Edited, EditError> {
    merge::patch(old, new)
}
