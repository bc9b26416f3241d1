//! An editing command as the work on one file.

use std::path::Path;

use super::changes::Changes;
use super::taken::Taken;
use super::targets::{Refusal, place};
use crate::args::AddressArgument;
use crate::input::Origin;
use crate::language::FileLanguages;
use hcl_lr::Expression;
use hcl_lr_edit::Editor;
use hcl_lr_edit::address::{Miss, NotFound, Target};
use hcl_lr_edit::query::{Query, QueryMatch, Subject};

/// The work of one editing command.
pub trait Edits: Sync {
    /// Returns the address of the items to edit.
    fn address(&self) -> &AddressArgument;

    /// Extends the query for the items to edit.
    fn query(&self, query: Query) -> Query {
        query
    }

    /// Returns the expression that computes new values.
    fn expression(&self) -> Option<&Expression> {
        None
    }

    /// Returns the reason why a match stays unchanged.
    fn leaves(&self, _: &QueryMatch<'_>) -> Option<String> {
        None
    }

    /// Returns the reason why a place where the address ends stays unchanged, if it is worth reporting.
    fn passes_by(&self, _: &Miss<'_>) -> Option<String> {
        None
    }

    /// Adds the changes of the matches to the editor.
    ///
    /// # Errors
    /// The reason why that is impossible.
    fn edit<'f>(&self, edit: &mut Edit<'_, 'f>) -> Result<(), Refusal>;

    /// Returns true if the edit may change the type and labels of blocks.
    fn names_blocks(&self) -> bool {
        false
    }

    /// Returns a hint for an address without matches.
    fn tip(&self, _: &NotFound) -> Option<String> {
        None
    }

    /// Returns a hint about an edit that may be a mistake.
    fn note(&self, _: &[QueryMatch<'_>]) -> Option<String> {
        None
    }

    /// Returns the file to which removed items are added.
    fn destination(&self) -> Option<&Path> {
        None
    }
}

/// The edit of one file.
pub struct Edit<'e, 'f> {
    pub origin: &'e Origin,
    pub languages: &'e FileLanguages,
    pub subject: Subject<'f>,
    pub found: &'e [QueryMatch<'f>],
    pub editor: Editor<'f>,
    /// The items that are removed here and added to another file.
    pub taken: Vec<Taken>,
    /// The changed texts.
    pub changes: Changes,
}

impl Edit<'_, '_> {
    /// Checks that the edits of a target are possible so far.
    ///
    /// # Errors
    /// The reason why they are not, with the place of the target.
    pub fn check(&self, target: &Target<'_>) -> Result<(), Refusal> {
        match self.editor.problem() {
            Some(problem) => Err(format!("{}: {problem}", place(target)).into()),
            None => Ok(()),
        }
    }
}
