//! `--before` and `--after`: the neighbour of an inserted item.

use super::json::{self, JsonEdit};
use super::targets::{Refusal, member, only, place};
use crate::args::{AddressArgument, Malformed};
use hcl_lr::json::Node;
use hcl_lr::syntax::File;
use hcl_lr_edit::address::{Target, TargetKind};
use hcl_lr_edit::{InsertionPoint, JsonPosition};

/// The neighbour that something is put beside.
#[derive(clap::Args)]
pub struct Beside {
    /// Put it before the item at this address
    #[arg(long, value_name = "ADDRESS", value_parser = before, conflicts_with = "after")]
    pub before: Option<AddressArgument>,

    /// Put it after the item at this address
    #[arg(long, value_name = "ADDRESS", value_parser = after)]
    pub after: Option<AddressArgument>,
}

/// Reads the address of `--before`.
fn before(text: &str) -> Result<AddressArgument, Malformed> {
    AddressArgument::parse("--before", text)
}

/// Reads the address of `--after`.
fn after(text: &str) -> Result<AddressArgument, Malformed> {
    AddressArgument::parse("--after", text)
}

impl Beside {
    /// Returns the place that one of the options names. All insertions go there.
    pub fn position<'f>(&self, file: &'f File) -> Result<Option<InsertionPoint<'f>>, Refusal> {
        Ok(match (&self.before, &self.after) {
            (Some(address), _) => Some(InsertionPoint::Before(member(&only(file, address, address)?)?)),
            (_, Some(address)) => Some(InsertionPoint::After(member(&only(file, address, address)?)?)),
            _ => None,
        })
    }

    /// Returns the same in the JSON syntax, with the enclosing object or array.
    pub fn position_in_json<'d>(
        &self,
        edit: &mut JsonEdit<'_, 'd>,
    ) -> Result<Option<(Node<'d>, JsonPosition<'d>)>, Refusal> {
        let (address, position): (_, fn(Node<'d>) -> JsonPosition<'d>) = match (&self.before, &self.after) {
            (Some(address), _) => (address, JsonPosition::Before),
            (_, Some(address)) => (address, JsonPosition::After),
            _ => return Ok(None),
        };
        let target = edit.only(address, address)?;
        // Beside a block is beside the property of its type.
        let node = match target.kind() {
            TargetKind::JsonBlock(block) => block.properties().next().map_or(block.body(), |property| property.value()),
            _ => json::value(&target)?,
        };
        let parent = edit.parent(node).ok_or_else(|| format!("{}: this is the whole file", target.place()))?;
        Ok(Some((parent, position(node))))
    }

    /// Returns the error for a neighbour outside the container of the insertion.
    pub fn elsewhere(&self, container: &Target<'_>) -> Refusal {
        let neighbour = self.before.as_ref().or(self.after.as_ref()).map(|address| address.to_string());
        format!("{}: `{}` is not one of its items", place(container), neighbour.unwrap_or_default()).into()
    }
}
