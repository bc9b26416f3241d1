//! Items that are taken out of files, for adding them to another one.

use super::json_members::Member;
use hcl_lr::convert::JsonStrings;
use hcl_lr::source::Place;
use hcl_lr::syntax::ast::BlockNode;
use hcl_lr_edit::Item;

/// The type and the labels of a block.
pub(super) type Header = Vec<String>;

/// An item that is taken out of a file, for adding it to another one.
pub(super) struct Taken {
    /// The source in native syntax, for comparing items; or the reason why there is none.
    pub native: Result<String, String>,
    /// The property, if the file is in the JSON syntax, and how its strings are read.
    pub json: Option<(Member, JsonStrings)>,
    /// The type and labels, if it is a block.
    pub header: Option<Header>,
    pub place: Place,
}

impl Taken {
    /// Returns an item of a file in native syntax with its source.
    pub fn native(item: Item<'_>, place: Place, native: String) -> Taken {
        let header = match item {
            Item::Block(block) => Some(header(block)),
            _ => None,
        };
        Taken { native: Ok(native), json: None, header, place }
    }

    /// Returns true if it has a name at the top of a file.
    pub fn is_named(&self, name: &str) -> bool {
        let of_property = self.json.as_ref().is_some_and(|(member, _)| member.name == name);
        of_property || self.header.as_ref().and_then(|names| names.first()).is_some_and(|first| first == name)
    }
}

/// Returns the type and the labels of a block.
pub(super) fn header(block: BlockNode<'_>) -> Header {
    let labels = block.labels().map(|label| label.text().into_owned());
    std::iter::once(block.block_type().to_owned()).chain(labels).collect()
}
