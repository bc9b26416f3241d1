//! Items that are taken out of files, for adding them to another one.

use hcl_lr::source::Place;
use hcl_lr_edit::NewItem;

/// An item that is taken out of a file, for adding it to another one.
pub(super) struct Taken {
    pub item: NewItem,
    pub place: Place,
}

impl Taken {
    /// Returns true if it has a name at the top of a file.
    pub fn is_named(&self, name: &str) -> bool {
        self.item.name().is_some_and(|own| own == name)
    }
}
