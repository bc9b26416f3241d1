//! Errors of edits.

use std::fmt;

use hcl_lr::construct::BuildError;
use hcl_lr::diagnostic::{Diagnostic, Diagnostics};
use hcl_lr::source::Span;

/// The reason why edits were refused. The file is unchanged then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The new text cannot be written: see [`BuildError`].
    Build(BuildError),
    /// New text cannot be converted to the syntax of the file, or a copied item from it.
    Conversion(Diagnostics),
    /// Two edits of one set affect the same text, such as the removal of a block and a change in it. Make them one
    /// after the other.
    Conflict(Span),
    /// An edit concerns a part of something that another edit replaces or removes.
    Within(Span),
    /// An item does not belong in the container, such as a block in an object.
    Misplaced(&'static str),
    /// A syntax error makes it uncertain where the edited part ends.
    Broken(Span),
    /// The text would have errors that it does not have now.
    NewErrors(Diagnostics),
    /// An edit would use a name that is taken in its container. The diagnostic has both places.
    NameTaken(Box<Diagnostic>),
    /// The edit would change something else. This is an internal error: please report it.
    NotAsAsked(Span),
    /// A part of an expression that cannot be removed, moved or commented on by itself, such as an operand. Only
    /// attributes, blocks, entries of objects, elements of lists and arguments of calls can. Any expression can be set,
    /// wrapped and unwrapped, except the steps of a splat.
    NotAnItem(Span),
    /// A node of a file other than the edited one. A file parsed again from the same text is another file, and so is
    /// the file before an edit; a clone is not.
    Elsewhere,
    /// The file has bytes that are not UTF-8, or is too long.
    Unreadable,
}

impl EditError {
    /// Returns the error for an item that does not belong in its container.
    pub(super) fn misplaced() -> EditError {
        EditError::Misplaced("attributes and blocks belong in bodies, entries in objects, elements in lists and calls")
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Build(error) => error.fmt(f),
            EditError::Conversion(diagnostics) => match diagnostics.errors().next() {
                Some(first) => write!(f, "{}: {}", first.summary(), first.detail()),
                None => f.write_str("this cannot be converted to the syntax of the file"),
            },
            EditError::Conflict(_) => f.write_str("two edits concern the same text"),
            EditError::Within(_) => f.write_str(
                "this is within a part that another edit replaces or removes; change the new text instead, or make the \
                 edits one after the other",
            ),
            EditError::Misplaced(why) => f.write_str(why),
            EditError::Broken(_) => {
                f.write_str("a syntax error makes the end of this uncertain; correct the error first")
            }
            EditError::NameTaken(diagnostic) => {
                write!(f, "{} at {}", diagnostic.detail(), diagnostic.place())?;
                diagnostic
                    .labels()
                    .iter()
                    .try_for_each(|label| write!(f, ", and {} at {}", label.message(), label.place()))
            }
            EditError::NewErrors(diagnostics) => match diagnostics.errors().next() {
                Some(first) => {
                    write!(f, "the edit would cause a new error: {}: {}", first.summary(), first.detail())
                }
                None => f.write_str("the edit would cause a new error"),
            },
            EditError::NotAsAsked(_) => {
                f.write_str("internal error: the edit would change something else; please report this")
            }
            EditError::NotAnItem(_) => f.write_str(
                "a part of an expression cannot be removed, moved or commented on by itself; set it, or edit the \
                 attribute, entry or element it is in",
            ),
            EditError::Elsewhere => {
                f.write_str("this is part of another file, or of another version of this file; look it up in this one")
            }
            EditError::Unreadable => f.write_str("the file is not valid UTF-8, or too long"),
        }
    }
}

impl std::error::Error for EditError {}

impl From<BuildError> for EditError {
    fn from(error: BuildError) -> Self {
        EditError::Build(error)
    }
}
