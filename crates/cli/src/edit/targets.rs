//! The target of an address in a file, and the reason why it cannot be edited.

use crate::args::AddressArgument;
use crate::error::Error;
use hcl_lr::diagnostic::Diagnostic;
use hcl_lr::source::{Place, Span};
use hcl_lr_edit::address::{Address, NotFound, Target};
use hcl_lr_edit::query::Subject;
use hcl_lr_edit::{Container, Item};

/// The reason why an edit is impossible.
pub enum Refusal {
    Error(Error),
    /// An error with its place in an argument.
    Diagnostic(Box<Diagnostic>),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Error(error)
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Error(message.into())
    }
}

/// Returns a target as an item, if it can be edited as one.
pub fn item<'f>(target: &Target<'f>) -> Result<Item<'f>, Error> {
    target.item().map_err(|error| format!("{}: {error}", place(target)).into())
}

/// Returns a target as a container of items.
pub fn container<'f>(target: &Target<'f>) -> Result<Container<'f>, Error> {
    target.container().map_err(|error| format!("{}: {error}", place(target)).into())
}

/// Returns the single target of an address in a file. The address comes from an argument or its first steps.
pub fn only<'t>(subject: Subject<'t>, argument: &AddressArgument, address: &Address) -> Result<Target<'t>, Refusal> {
    let source = match subject {
        Subject::Json(document, ..) => document.source(),
        Subject::Native(file) => file.source(),
        _ => return Err(format!("`{address}` is in no file").into()),
    };
    let trace = subject.trace(address);
    let mut why = NotFound::default();
    why.add(address, &trace);
    let mut targets = trace.into_targets();
    match (targets.pop(), targets.len()) {
        (Some(target), 0) => Ok(target),
        (None, _) => {
            let file_start = Place::new(source, Span::new(0, 0));
            Err(Refusal::Diagnostic(Box::new(argument.nothing_found(&why).with_label(&file_start, "in this file"))))
        }
        (Some(_), others) => Err(format!("{}: `{address}` matches {} places", source.name(), others + 1).into()),
    }
}

/// Returns a place for people: `main.tf:3: service.web.port`.
pub fn place(target: &Target<'_>) -> String {
    let place = target.place();
    let line = place.source().position(place.span().start()).line;
    format!("{}:{line}: {}", place.source().name(), target.address())
}
