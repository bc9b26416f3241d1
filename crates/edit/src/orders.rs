//! The requested changes of each member and container, found by its start.
//!
//! Every edit goes through [`Orders::member`] or [`Orders::insert`], which refuse nodes of other files.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::EditError;
use super::item::{New, NewValue};
use super::node::{Container, InsertionPoint, Item, NO_MEMBERS};
use super::splice::{NO_PLACE, Splice};
use hcl_lr::construct::NewExpression;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{ExpressionNode, File, TemplateNode};

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
    /// The span of the `...` after it.
    pub ellipsis: Option<Span>,
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

/// The requested changes of an expression.
#[derive(Clone, Debug)]
pub(super) struct PartOrder<'t> {
    pub node: ExpressionNode<'t>,
    /// The expression in its place.
    pub value: Option<NewValue>,
    /// The name of the function of a call.
    pub function: Option<String>,
    /// The part of it that takes its place.
    pub inner: Option<ExpressionNode<'t>>,
    /// The expressions around it, from the inside out.
    pub wraps: Vec<NewValue>,
    /// The last one of these, for another one around it.
    pub last: Option<NewExpression>,
}

impl<'t> PartOrder<'t> {
    /// Returns the node that is kept.
    pub fn kept(&self) -> ExpressionNode<'t> {
        self.inner.unwrap_or(self.node)
    }
}

/// All requested changes.
#[derive(Clone, Debug)]
pub(super) struct Orders<'t> {
    file: &'t File,
    pub members: BTreeMap<usize, MemberOrder<'t>>,
    pub containers: BTreeMap<usize, ContainerOrder<'t>>,
    /// The changes of expressions, in the order of their starts, those around others first.
    pub parts: BTreeMap<PartKey, PartOrder<'t>>,
    /// The new parts of templates, by the starts of the parts.
    splices: BTreeMap<usize, Vec<(TemplateNode<'t>, Vec<Splice>)>>,
}

/// The start of an expression, its end in descending order, and its number.
type PartKey = (usize, Reverse<usize>, u32);

fn part_key(node: ExpressionNode<'_>) -> PartKey {
    let (start, end, _) = first_key(node.span());
    (start, end, node.id().get())
}

/// Returns the first key that an expression with a span, or within it, can have.
fn first_key(span: Span) -> PartKey {
    (span.start(), Reverse(span.end()), 0)
}

/// Returns the first key of the expressions that start at an offset.
fn key_at(offset: usize) -> PartKey {
    (offset, Reverse(usize::MAX), 0)
}

impl<'t> Orders<'t> {
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.containers.is_empty() && self.parts.is_empty() && self.splices.is_empty()
    }

    /// Adds new parts of a template.
    ///
    /// # Errors
    /// If the template is in another file, has no place, or other new parts replace some of the same parts.
    pub fn splice(&mut self, template: TemplateNode<'t>, splice: Splice) -> Result<(), EditError> {
        if !Arc::ptr_eq(template.file().source(), self.file.source()) {
            return Err(EditError::Elsewhere);
        }
        let place = template.start().ok_or(EditError::Misplaced(NO_PLACE))?;
        let count = template.part_spans().count();
        if splice.range.start > splice.range.end || splice.range.end > count {
            return Err(EditError::Misplaced("the template has no such parts"));
        }
        let at = self.splices.entry(place).or_default();
        let index = match at.iter().position(|(known, _)| *known == template) {
            Some(index) => index,
            None => {
                at.push((template, Vec::new()));
                at.len() - 1
            }
        };
        let (_, splices) = &mut at[index];
        let meets = |other: &Splice| other.range.start < splice.range.end && splice.range.start < other.range.end;
        if splices.iter().any(meets) {
            return Err(EditError::Conflict(Span::new(place, place)));
        }
        splices.push(splice);
        Ok(())
    }

    /// Returns the new parts of a template.
    pub fn splices_of(&self, template: TemplateNode<'_>) -> Option<&[Splice]> {
        let at = self.splices.get(&(template.start()?))?;
        at.iter().find(|(known, _)| *known == template).map(|(_, splices)| &splices[..])
    }

    /// Returns the number of templates with new parts.
    pub fn spliced(&self) -> usize {
        self.splices.values().map(Vec::len).sum()
    }

    pub fn new(file: &'t File) -> Orders<'t> {
        Orders {
            file,
            members: BTreeMap::new(),
            containers: BTreeMap::new(),
            parts: BTreeMap::new(),
            splices: BTreeMap::new(),
        }
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

    /// Returns the changes of an expression, for adding one.
    ///
    /// # Errors
    /// If it belongs to another file.
    pub fn part(&mut self, node: ExpressionNode<'t>) -> Result<&mut PartOrder<'t>, EditError> {
        if !node.is_of(self.file) {
            return Err(EditError::Elsewhere);
        }
        let new = || PartOrder { node, value: None, function: None, inner: None, wraps: Vec::new(), last: None };
        Ok(self.parts.entry(part_key(node)).or_insert_with(new))
    }

    /// Returns the changes of an expression, if there are any.
    pub fn part_of(&self, node: ExpressionNode<'_>) -> Option<&PartOrder<'t>> {
        if self.parts.is_empty() { None } else { self.parts.get(&part_key(node)) }
    }

    /// Makes a new value of a member an order of the member.
    ///
    /// # Errors
    /// If there are changes within the former value, or another node starts where the member starts.
    pub fn settle_value(&mut self, member: Item<'t>) -> Result<(), EditError> {
        let Some(value) = member.value().filter(|value| self.part_of(*value).is_some_and(|part| part.value.is_some()))
        else {
            return Ok(());
        };
        self.check_free(value.span(), Some(value))?;
        let part = self.parts.remove(&part_key(value));
        let order = self.member(member)?;
        order.value = part.and_then(|part| part.value);
        Ok(())
    }

    /// Checks that no change is requested in a span, other than one of a node.
    ///
    /// # Errors
    /// The place of the first change.
    pub fn check_free(&self, span: Span, but: Option<ExpressionNode<'t>>) -> Result<(), EditError> {
        self.first_within(span, but, None)
    }

    /// Checks that no change is requested in a part of a template, other than new parts of the template.
    ///
    /// # Errors
    /// The place of the first change.
    pub fn check_free_part(&self, part: Span, template: TemplateNode<'t>) -> Result<(), EditError> {
        self.first_within(part, None, template.start())
    }

    fn first_within(
        &self,
        span: Span,
        but: Option<ExpressionNode<'t>>,
        template: Option<usize>,
    ) -> Result<(), EditError> {
        let (start, end) = (span.start(), (span.end()).max(span.start() + 1));
        let own = but.map(part_key);
        let parts = self.parts.range(first_key(span)..key_at(end)).filter(|(key, _)| Some(**key) != own);
        let mut spans = parts.map(|(_, part)| part.node.span());
        let member = |(_, order): (&usize, &MemberOrder<'t>)| order.member.map(Item::span);
        let container = |(_, order): (&usize, &ContainerOrder<'t>)| order.container.map(Container::span);
        let mut splices = self.splices.range(start..end).filter(|(place, _)| Some(**place) != template);
        let splice = splices.next().map(|(place, _)| Span::new(*place, *place));
        let part = spans.next().or(splice);
        // The node itself may be a member.
        let members = || self.members.range(start + usize::from(but.is_some())..end).find_map(member);
        let containers = || self.containers.range(start..end).find_map(container);
        match part.or_else(members).or_else(containers) {
            Some(place) => Err(EditError::Within(place)),
            None => Ok(()),
        }
    }

    /// Checks that no change is requested in a node, other than its own and those in a part of it.
    ///
    /// # Errors
    /// The place of the first change.
    pub fn check_free_but(&self, span: Span, part: Span, node: ExpressionNode<'t>) -> Result<(), EditError> {
        let (start, end) = (span.start(), span.end());
        let (kept_start, kept_end) = (part.start(), part.end());
        // First the nodes that start before the part, or contain it, then those that start after it.
        let parts =
            self.parts.range(first_key(span)..first_key(part)).chain(self.parts.range(key_at(kept_end)..key_at(end)));
        let parts = parts.filter(|(key, _)| **key != part_key(node)).map(|(_, order)| order.node.span());
        let members = self.members.range(start + 1..kept_start.max(start + 1)).chain(self.members.range(kept_end..end));
        let members = members.filter_map(|(_, order)| Some(order.member?.span()));
        let containers = self.containers.range(start..kept_start).chain(self.containers.range(kept_end..end));
        let containers = containers.filter_map(|(_, order)| Some(order.container?.span()));
        let splices = self.splices.range(start..kept_start).chain(self.splices.range(kept_end..end));
        let splices = splices.map(|(place, _)| Span::new(*place, *place));
        match parts.chain(members).chain(containers).chain(splices).next() {
            Some(place) => Err(EditError::Within(place)),
            None => Ok(()),
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
                    None => return Err(EditError::Misplaced(NO_MEMBERS)),
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
        let (start, end) = (span.start(), span.end());
        self.members.range(start + 1..end.max(start + 1)).next().is_some()
            || self.containers.range(start..end).next().is_some()
            || self.parts.range(key_at(start)..key_at(end.max(start + 1))).next().is_some()
            || self.splices.range(start..end.max(start + 1)).next().is_some()
    }

    /// Returns true if a change is requested within a member, or of the member itself.
    pub fn concern(&self, member: Item<'t>) -> bool {
        let span = member.span();
        self.members.get(&member.id()).is_some_and(MemberOrder::changes_it) || self.within(span)
    }
}
