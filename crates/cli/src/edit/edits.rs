//! An editing command as the work on one file.

use std::path::Path;

use super::changes::Changes;
use super::json::JsonEdit;
use super::taken::Taken;
use super::targets::Refusal;
use crate::args::AddressArgument;
use crate::input::Origin;
use hcl_lr::Expression;
use hcl_lr::syntax::File;
use hcl_lr_edit::Editor;
use hcl_lr_edit::address::{Miss, NotFound};
use hcl_lr_edit::query::{Query, QueryMatch};

/// The work of one editing command.
pub trait Edits: Sync {
    /// Returns the address of what is edited.
    fn address(&self) -> &AddressArgument;

    /// Adds to the query for what is edited.
    fn query(&self, query: Query) -> Query {
        query
    }

    /// Returns the expression that computes new values.
    fn expression(&self) -> Option<&Expression> {
        None
    }

    /// Returns the reason why something that was found stays as it is.
    fn leaves(&self, _: &QueryMatch<'_>) -> Option<String> {
        None
    }

    /// Returns the reason why a place at which the address leads no further stays as it is, if that is worth saying.
    fn passes_by(&self, _: &Miss<'_>) -> Option<String> {
        None
    }

    /// Tells the editor what to do with what was found.
    ///
    /// # Errors
    /// The reason why that cannot be.
    fn edit<'f>(&self, edit: &mut Edit<'_, 'f>) -> Result<(), Refusal>;

    /// Tells the editor of a document in the JSON syntax what to do with what was found.
    ///
    /// # Errors
    /// The reason why that cannot be.
    fn edit_json(&self, edit: &mut JsonEdit<'_, '_>) -> Result<(), Refusal>;

    /// Returns true if it may give blocks the type and labels of others.
    fn names_blocks(&self) -> bool {
        false
    }

    /// Returns a hint for an address without matches.
    fn tip(&self, _: &NotFound) -> Option<String> {
        None
    }

    /// Returns a hint about an edit that may not be what was meant.
    fn note(&self, _: &[QueryMatch<'_>]) -> Option<String> {
        None
    }

    /// Returns the file that what is taken out of others is added to.
    fn destination(&self) -> Option<&Path> {
        None
    }
}

/// The edit of one file.
pub struct Edit<'e, 'f> {
    pub origin: &'e Origin,
    pub file: &'f File,
    pub found: &'e [QueryMatch<'f>],
    pub editor: Editor<'f>,
    /// The items that are removed here and added to another file.
    pub taken: Vec<Taken>,
    /// The texts of what changes.
    pub changes: Changes,
}
