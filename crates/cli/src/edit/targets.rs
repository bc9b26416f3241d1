//! The target of an address in a file, and the reason why it cannot be edited.

use std::sync::Arc;

use crate::args::AddressArgument;
use crate::error::Error;
use hcl_lr::diagnostic::Diagnostic;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::File;
use hcl_lr_edit::address::{Address, NotFound, Target, TargetKind};
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

/// Returns a target as a part of its parent, if it can be edited as one.
pub fn member<'f>(target: &Target<'f>) -> Result<Item<'f>, Error> {
    match target.kind() {
        TargetKind::Attribute(attribute) => Ok(Item::Attribute(*attribute)),
        TargetKind::Block(block) => Ok(Item::Block(*block)),
        TargetKind::Entry(entry) => Ok(Item::Entry(*entry)),
        TargetKind::Element(element) => Ok(Item::Element(*element)),
        TargetKind::Body(_) => Err(format!("{}: this is the whole file", target.place()).into()),
        _ => {
            Err(format!("{}: only attributes, blocks and parts of objects and lists can be changed", target.place())
                .into())
        }
    }
}

/// Returns a target as a container of parts.
pub fn container<'f>(target: &Target<'f>) -> Result<Container<'f>, Error> {
    match target.kind() {
        TargetKind::Body(body) => Ok(Container::Body(*body)),
        TargetKind::Block(block) => Ok(Container::Body(block.body())),
        _ => match target.expression() {
            Some(expression) => Ok(Container::Collection(expression)),
            None => Err(format!("{}: this cannot contain attributes or blocks", target.place()).into()),
        },
    }
}

/// Returns the single target of an address in a file. The address comes from an argument or its first steps.
pub fn only<'f>(file: &'f File, argument: &AddressArgument, address: &Address) -> Result<Target<'f>, Refusal> {
    only_of(Subject::Native(file), file.source(), argument, address)
}

/// The same in a file of either syntax.
pub fn only_of<'t>(
    subject: Subject<'t>,
    source: &Arc<Source>,
    argument: &AddressArgument,
    address: &Address,
) -> Result<Target<'t>, Refusal> {
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
