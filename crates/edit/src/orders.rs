//! The requested changes of each member and container, found by its start.
//!
//! Every edit goes through [`Orders::member`] or [`Orders::insert`], which refuse nodes of other files.

use std::collections::BTreeMap;

use super::EditError;
use super::item::{New, NewValue};
use super::node::{Container, InsertionPoint, Item};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::File;

/// The requested changes of a member.
#[derive(Clone, Debug, Default)]
pub(super) struct MemberOrder<'t> {
    pub member: Option<Item<'t>>,
    pub removed: bool,
    pub before: Vec<New<'t>>,
    pub after: Vec<New<'t>>,
    pub value: Option<NewValue>,
    /// The name in HCL notation.
    pub name: Option<String>,
    pub labels: Option<Vec<String>>,
    /// The comment lines above it; empty text removes them.
    pub lead: Option<String>,
    /// Comment lines to add above it, after the existing ones.
    pub more_lead: String,
    /// The comment after it on its line.
    pub trail: Option<Option<String>>,
}

impl MemberOrder<'_> {
    /// Returns true if the member itself changes, rather than its surroundings.
    fn changes_it(&self) -> bool {
        self.removed || self.value.is_some() || self.name.is_some() || self.labels.is_some()
    }
}

/// The requested changes of a container.
#[derive(Clone, Debug, Default)]
pub(super) struct ContainerOrder<'t> {
    pub container: Option<Container<'t>>,
    pub start: Vec<New<'t>>,
    pub end: Vec<New<'t>>,
}

/// All requested changes.
#[derive(Clone, Debug)]
pub(super) struct Orders<'t> {
    file: &'t File,
    pub members: BTreeMap<u32, MemberOrder<'t>>,
    pub containers: BTreeMap<u32, ContainerOrder<'t>>,
}

impl<'t> Orders<'t> {
    pub fn new(file: &'t File) -> Orders<'t> {
        Orders { file, members: BTreeMap::new(), containers: BTreeMap::new() }
    }

    /// Returns the changes of a member, for adding one.
    ///
    /// # Errors
    /// If it belongs to another file, or starts where another changed node starts: then one of the two is part of an
    /// expression, not an item.
    pub fn member(&mut self, member: Item<'t>) -> Result<&mut MemberOrder<'t>, EditError> {
        member.check_file(self.file)?;
        let order = self.members.entry(member.id()).or_default();
        match order.member {
            Some(known) if !known.is_same(member) => Err(EditError::NotAnItem(member.span())),
            _ => {
                order.member = Some(member);
                Ok(order)
            }
        }
    }

    fn container(&mut self, container: Container<'t>) -> &mut ContainerOrder<'t> {
        let order = self.containers.entry(container.id()).or_default();
        order.container = Some(container);
        order
    }

    /// Adds a new item at a position.
    ///
    /// # Errors
    /// If the position is in another file, or the item does not belong there.
    pub fn insert(&mut self, position: InsertionPoint<'t>, mut new: New<'t>) -> Result<(), EditError> {
        position.check(self.file)?;
        new.before = matches!(position, InsertionPoint::Before(_) | InsertionPoint::Start(_));
        match position {
            InsertionPoint::Start(container) | InsertionPoint::End(container) => {
                let container = container.bare();
                match container.shape() {
                    None => return Err(EditError::Misplaced("only a literal object or list has entries or elements")),
                    Some(shape) if shape != new.shape => return Err(EditError::misplaced()),
                    Some(_) => {}
                }
                let order = self.container(container);
                if new.before { order.start.push(new) } else { order.end.push(new) }
            }
            InsertionPoint::Before(member) => self.member(member)?.before.push(new),
            InsertionPoint::After(member) => self.member(member)?.after.push(new),
        }
        Ok(())
    }

    /// Returns true if a change is requested within an expression, including changes of the expression as a container.
    pub fn within(&self, span: Span) -> bool {
        let (start, end) = (span.start() as u32, span.end() as u32);
        self.members.range(start + 1..end.max(start + 1)).next().is_some()
            || self.containers.range(start..end).next().is_some()
    }

    /// Returns true if a change is requested within a member, or of the member itself.
    pub fn concern(&self, member: Item<'t>) -> bool {
        let span = member.span();
        self.members.get(&member.id()).is_some_and(MemberOrder::changes_it) || self.within(span)
    }
}
