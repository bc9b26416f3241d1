//! `--before` and `--after`: the neighbour of an inserted item.

use super::targets::{Refusal, item, only, place};
use crate::args::{AddressArgument, Malformed};
use hcl_lr_edit::InsertionPoint;
use hcl_lr_edit::address::Target;
use hcl_lr_edit::query::Subject;

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
    pub fn position<'f>(&self, subject: Subject<'f>) -> Result<Option<InsertionPoint<'f>>, Refusal> {
        Ok(match (&self.before, &self.after) {
            (Some(address), _) => Some(InsertionPoint::Before(item(&only(subject, address, address)?)?)),
            (_, Some(address)) => Some(InsertionPoint::After(item(&only(subject, address, address)?)?)),
            _ => None,
        })
    }

    /// Returns the error for a neighbour outside the container of the insertion.
    pub fn elsewhere(&self, container: &Target<'_>) -> Refusal {
        let neighbour = self.before.as_ref().or(self.after.as_ref()).map(|address| address.to_string());
        format!("{}: `{}` is not one of its items", place(container), neighbour.unwrap_or_default()).into()
    }
}
