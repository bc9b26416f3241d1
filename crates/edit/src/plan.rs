//! Turns edit requests into text replacements.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::EditError;
use super::clear::check_ends;
use super::compose::{Composer, Step};
use super::item::{New, ends_with_heredoc};
use super::names;
use super::node::{Container, Item, Shape};
use super::orders::{ContainerOrder, MemberOrder, Orders};
use super::parts::{Part, PartEdit, PartPlanner, Role, joined, sorted};
use super::survey::{Style, Survey};
use super::text::{Lines, reindent, reindent_by};
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::{Replacement, Span};
use hcl_lr::syntax::ast::{File, ObjectKey};
use hcl_lr::writer::quoted;

/// A member of a container after the edits.
#[derive(Clone, Debug)]
pub(super) enum Final<'t> {
    /// The former member with this index.
    Kept(usize),
    New(New<'t>),
}

/// The replacements, and the state of the file after them.
pub(super) struct Plan<'t> {
    pub replacements: Vec<Replacement>,
    /// The members of changed containers.
    pub finals: HashMap<usize, Vec<Final<'t>>>,
    /// The spans of the comments that disappear.
    pub dropped: Vec<Span>,
    /// The texts of new comments.
    pub added: Vec<String>,
    /// The replacements within expressions.
    pub parts: Vec<PartEdit>,
}

/// Plans all requested edits.
pub(super) fn plan<'t>(
    file: &'t File,
    is_template: bool,
    lines: Arc<Lines<'t>>,
    orders: &mut Orders<'t>,
) -> Result<Plan<'t>, EditError> {
    let mut planner = Planner {
        file,
        parts: PartPlanner::new(file, lines.clone()),
        lines,
        plan: Plan {
            replacements: Vec::new(),
            finals: HashMap::new(),
            dropped: Vec::new(),
            added: Vec::new(),
            parts: Vec::new(),
        },
        done_members: HashSet::new(),
        done_containers: 0,
    };
    let mut waiting = Vec::new();
    match is_template {
        true => planner.parts.template(file.template(), orders, &mut waiting)?,
        false => waiting.push(Container::Body(file.body())),
    }
    while let Some(container) = waiting.pop() {
        planner.container(container, orders, &mut waiting)?;
    }
    planner.push_parts();
    let Planner { mut plan, done_members, done_containers, parts, .. } = planner;
    let missed = done_members.len() < orders.members.len() || done_containers < orders.containers.len();
    if missed || parts.done.len() < orders.parts.len() || parts.done_splices < orders.spliced() {
        return Err(not_reached(orders, &done_members, &parts.done));
    }
    sort_by_key(&mut plan.replacements, Replacement::span);
    let overlap = plan.replacements.windows(2).find(|pair| pair[1].span().start() < pair[0].span().end());
    match overlap {
        Some(pair) => Err(EditError::Conflict(pair[1].span())),
        None => Ok(plan),
    }
}

/// Returns the error about edits that the walk did not reach: edits inside removed or replaced parts, and edits of
/// parts of expressions.
fn not_reached(orders: &Orders<'_>, done: &HashSet<usize>, done_parts: &HashSet<u32>) -> EditError {
    // The end of the last removed or replaced member so far.
    let mut end = 0;
    for (start, order) in &orders.members {
        let Some(member) = order.member else { continue };
        if !done.contains(start) && *start >= end {
            return EditError::NotAnItem(member.span());
        }
        if order.removed || order.value.is_some() {
            end = end.max(member.span().end());
        }
    }
    let part = orders.parts.values().find(|part| !done_parts.contains(&part.node.id().get()));
    let member = || orders.members.iter().find(|(start, _)| !done.contains(start)).and_then(|(_, order)| order.member);
    let replaced = || orders.members.values().find(|order| order.removed || order.value.is_some());
    let place = part.map(|part| part.node.span()).or_else(|| Some(member()?.span()));
    EditError::Within(place.or_else(|| Some(replaced()?.member?.span())).unwrap_or_default())
}

struct Planner<'t> {
    file: &'t File,
    lines: Arc<Lines<'t>>,
    plan: Plan<'t>,
    /// The members whose orders have been carried out.
    done_members: HashSet<usize>,
    done_containers: usize,
    parts: PartPlanner<'t>,
}

impl<'t> Planner<'t> {
    fn container(
        &mut self,
        container: Container<'t>,
        orders: &mut Orders<'t>,
        waiting: &mut Vec<Container<'t>>,
    ) -> Result<(), EditError> {
        let members = container.members();
        let has_order = orders.containers.contains_key(&container.id());
        self.done_containers += usize::from(has_order);
        let mut here = has_order;
        let bracketed = matches!(container.shape(), Some(Shape::Tuple));
        let expanded = container.call().filter(|call| call.expands_last()).and_then(|_| members.len().checked_sub(1));
        for (index, member) in members.iter().enumerate() {
            let Some(member) = member else { continue };
            // After a heredoc, the `...` of an expanded argument needs a line of its own.
            if expanded != Some(index) {
                orders.settle_value(*member)?;
            }
            let Some(order) = orders.members.get(&member.id()) else {
                self.go_into(*member, bracketed, orders, waiting)?;
                continue;
            };
            if !order.member.is_some_and(|asked| asked.is_same(*member)) {
                return Err(EditError::NotAnItem(order.member.map_or(member.span(), Item::span)));
            }
            self.done_members.insert(member.id());
            here = true;
            match (&order.value, order.removed) {
                (_, true) => {}
                (Some(_), false) => self.key(*member, orders, waiting)?,
                (None, false) => self.go_into(*member, bracketed, orders, waiting)?,
            }
        }
        if here {
            let survey = Survey::new(self.file, &self.lines, container)?;
            self.rewrite(&survey, orders)?;
        }
        Ok(())
    }

    /// Looks for orders within a member. Line breaks in its value mean nothing if it is `bracketed`.
    fn go_into(
        &mut self,
        member: Item<'t>,
        bracketed: bool,
        orders: &Orders<'t>,
        waiting: &mut Vec<Container<'t>>,
    ) -> Result<(), EditError> {
        self.key(member, orders, waiting)?;
        match member {
            Item::Block(block) if orders.within(block.span()) => waiting.push(Container::Body(block.body())),
            Item::Block(_) => {}
            _ => {
                let Some(value) = member.value().filter(|value| orders.within(value.span())) else { return Ok(()) };
                self.parts.plan(Part::new(value, Role::Free, bracketed), orders, waiting)?;
            }
        }
        Ok(())
    }

    /// Looks for orders within the key of an entry.
    fn key(
        &mut self,
        member: Item<'t>,
        orders: &Orders<'t>,
        waiting: &mut Vec<Container<'t>>,
    ) -> Result<(), EditError> {
        let Item::Entry(entry) = member else { return Ok(()) };
        let key = entry.key_expression();
        if orders.parts.is_empty() || !orders.within(key.span()) {
            return Ok(());
        }
        if let Some(part) = orders.part_of(key) {
            if orders.members.get(&member.id()).is_some_and(|order| order.name.is_some()) {
                return Err(EditError::Conflict(key.span()));
            }
            if matches!(entry.key(), ObjectKey::Name(_)) && part.value.is_none() {
                return Err(EditError::Misplaced("a key that is a name is not an expression; set the key instead"));
            }
        }
        self.parts.plan(Part::new(key, Role::Key, false), orders, waiting)
    }

    /// Adds the replacements within expressions to the others.
    fn push_parts(&mut self) {
        self.plan.parts = sorted(std::mem::take(&mut self.parts.edits));
        self.plan.dropped.append(&mut self.parts.dropped);
        self.plan.added.append(&mut self.parts.added);
        let edits = joined(self.file.source().text(), &self.plan.parts);
        let (after, before): (Vec<_>, Vec<_>) = edits.into_iter().partition(|edit| edit.after);
        // At one position, text after a part comes before that between members, which comes before text before a part.
        let others = std::mem::take(&mut self.plan.replacements);
        after.into_iter().for_each(|edit| self.push(edit.span, edit.text));
        self.plan.replacements.extend(others);
        before.into_iter().for_each(|edit| self.push(edit.span, edit.text));
    }

    /// Rewrites the changed members of a container.
    fn rewrite(&mut self, survey: &Survey<'t>, orders: &mut Orders<'t>) -> Result<(), EditError> {
        self.expanded(survey, orders)?;
        let mut order = orders.containers.get(&survey.container.id()).cloned().unwrap_or_default();
        for index in 0..survey.members.len() {
            let Some(member) = survey.members[index] else { continue };
            if let Some(order) = orders.members.get_mut(&member.id()) {
                self.settle(survey, index, member, order)?;
            }
        }
        let asked: Vec<Option<&MemberOrder<'t>>> =
            survey.members.iter().map(|member| orders.members.get(&(*member)?.id())).collect();
        let all_new = asked.iter().flatten().flat_map(|order| order.before.iter().chain(&order.after));
        names::check(survey, &asked, &order)?;
        let opens_up = self.opens_up(survey, &asked, all_new.chain(&order.start).chain(&order.end))?;
        if survey.members.is_empty() {
            order.start.append(&mut order.end);
        }
        self.values(survey, &asked, opens_up)?;
        if opens_up {
            self.indent_members(survey, &asked, orders)?;
        }
        self.runs(survey, &asked, &order, opens_up)
    }

    /// Checks the orders of the last argument of a call if `...` follows it.
    fn expanded(&self, survey: &Survey<'t>, orders: &mut Orders<'t>) -> Result<(), EditError> {
        let Some(ellipsis) = survey.container.ellipsis() else { return Ok(()) };
        let last = survey.members.last().copied().flatten().and_then(|last| orders.members.get_mut(&last.id()));
        let removed = last.as_ref().is_some_and(|order| order.removed);
        let follows = last.as_ref().is_some_and(|order| !order.after.is_empty());
        if let Some(last) = last {
            last.ellipsis = Some(ellipsis);
        }
        let own = orders.containers.get(&survey.container.id());
        if !removed && (follows || own.is_some_and(|own| !own.end.is_empty())) {
            return Err(EditError::Misplaced("no argument can follow one that `...` expands"));
        }
        Ok(())
    }

    /// Checks an order and applies its consequences.
    fn settle(
        &mut self,
        survey: &Survey<'t>,
        index: usize,
        member: Item<'t>,
        order: &mut MemberOrder<'t>,
    ) -> Result<(), EditError> {
        if order.before.iter().chain(&order.after).any(|new| new.shape != survey.shape) {
            return Err(EditError::misplaced());
        }
        let changes = order.value.is_some() || order.name.is_some() || order.labels.is_some();
        let comments = order.lead.is_some() || order.trail.is_some();
        if order.removed && (changes || comments) {
            return Err(EditError::Conflict(member.span()));
        }
        if order.removed || order.value.is_some() {
            check_ends(self.file, member)?;
        }
        let gap = survey.gap(index + 1)?;
        let heredoc = is_heredoc_now(member, Some(order));
        if heredoc && matches!(order.trail, Some(Some(_))) {
            return Err(EditError::Misplaced("no comment can follow the closing line of a heredoc"));
        }
        // Text after a value on its line cannot follow the closing line of a heredoc.
        let was_heredoc = is_heredoc_now(member, None);
        if heredoc && !was_heredoc && survey.shape != Shape::Tuple && order.trail.is_none() {
            for comment in &gap.tail_comments {
                order.more_lead.push_str(&self.file.source().text()[comment.range()]);
                order.more_lead.push('\n');
            }
            if !gap.tail_comments.is_empty() {
                order.trail = Some(None);
                self.plan.dropped.extend(&gap.tail_comments);
                self.plan.added.push(order.more_lead.clone());
            }
        } else if let Some(trail) = &order.trail {
            self.plan.dropped.extend(&gap.tail_comments);
            self.plan.added.extend(trail.clone());
        }
        let above = survey.gap(index)?;
        if let Some(lead) = &order.lead {
            self.plan.dropped.extend(above.lead().iter().map(|line| line.span));
            self.plan.dropped.extend(&above.last_comments);
            self.plan.added.push(lead.clone());
        }
        if order.removed {
            self.plan.dropped.push(Span::new(above.lead_start(), above.span.end()));
            self.plan.dropped.push(member.span());
            self.plan.dropped.extend(&gap.tail_comments);
        }
        for new in order.before.iter().chain(&order.after) {
            self.note_comments(new);
        }
        Ok(())
    }

    fn note_comments(&mut self, new: &New<'t>) {
        self.plan.added.push(new.lead.clone());
        self.plan.added.push(new.core.clone());
        self.plan.added.extend(new.trail.clone());
    }

    /// Returns true if all members that share a line get lines of their own.
    fn opens_up<'n>(
        &self,
        survey: &Survey<'t>,
        asked: &[Option<&MemberOrder<'t>>],
        mut all_new: impl Iterator<Item = &'n New<'t>>,
    ) -> Result<bool, EditError>
    where
        't: 'n,
    {
        if survey.style != Style::Inline {
            return Ok(false);
        }
        let is_body = survey.shape == Shape::Body;
        let is_empty = survey.members.is_empty();
        let new_lines = |new: &New<'t>| is_body || new.needs_lines() || is_empty && new.core.contains('\n');
        if all_new.any(new_lines) {
            return Ok(true);
        }
        Ok(survey.members.iter().zip(asked).any(|(member, order)| {
            let (Some(member), Some(order)) = (member, order) else { return false };
            let lines_value = order
                .value
                .as_ref()
                .is_some_and(|value| value.ends_with_heredoc || is_body && value.text.contains('\n'));
            let comments = order.lead.as_ref().is_some_and(|lead| !lead.is_empty())
                || matches!(order.trail, Some(Some(_)))
                || !order.more_lead.is_empty();
            !order.removed && (lines_value || comments) && member.span() != Span::default()
        }))
    }

    /// Writes values, names and labels that change.
    fn values(
        &mut self,
        survey: &Survey<'t>,
        asked: &[Option<&MemberOrder<'t>>],
        opens_up: bool,
    ) -> Result<(), EditError> {
        for (index, order) in asked.iter().enumerate() {
            let (Some(order), Some(member)) = (order, survey.members[index]) else { continue };
            if order.removed {
                continue;
            }
            if let Some(name) = &order.name {
                self.rename(member, name);
            }
            if let (Some(labels), Item::Block(block)) = (&order.labels, member) {
                self.relabel(block, labels);
            }
            let Some((value, old)) = order.value.as_ref().zip(member.value()) else { continue };
            let indent = match opens_up {
                true => self.indent(survey, opens_up, index)?,
                false => self.lines.indent(member.span().start()).to_owned(),
            };
            let unit = if indent.contains('\t') { "\t" } else { self.lines.unit(self.file) };
            let text = reindent_by(&value.text, ("", &indent, unit), Some(self.lines.end()));
            let mut text = self.lines.ended(text);
            let span = old.span();
            if span.is_empty() {
                text = self.in_place_of_nothing(span.start(), &text, value.ends_with_heredoc);
            }
            self.plan.dropped.push(span);
            self.plan.added.push(value.text.clone());
            self.push(span, text);
        }
        Ok(())
    }

    /// Returns a value for an attribute that has none, with blanks around it.
    fn in_place_of_nothing(&self, at: usize, value: &str, ends_line: bool) -> String {
        let (before, after) = self.file.source().text().split_at(at);
        let left = if before.ends_with(' ') { "" } else { " " };
        let right = if ends_line || after.is_empty() || after.starts_with(char::is_whitespace) { "" } else { " " };
        format!("{left}{value}{right}")
    }

    /// Indents the lines of members that get lines of their own.
    fn indent_members(
        &mut self,
        survey: &Survey<'t>,
        asked: &[Option<&MemberOrder<'t>>],
        orders: &Orders<'t>,
    ) -> Result<(), EditError> {
        let to = self.indent(survey, true, 0)?;
        for (member, order) in survey.members.iter().zip(asked) {
            let Some(member) = *member else { continue };
            let text = &self.file.source().text()[member.span().range()];
            // Changes within a member keep its indentation.
            let changes = order.is_some_and(|order| order.removed || order.value.is_some() || order.name.is_some());
            if !changes && !orders.within(member.span()) && text.contains('\n') {
                self.push(member.span(), reindent(text, survey.own_indent(), &to, None));
            }
        }
        Ok(())
    }

    /// Adds a replacement without the unchanged text at its ends.
    fn push(&mut self, span: Span, text: String) {
        let old = &self.file.source().text()[span.range()];
        if old == text {
            return;
        }
        let mut start = old.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(start) || !text.is_char_boundary(start) {
            start -= 1;
        }
        let (old_rest, new_rest) = (&old[start..], &text[start..]);
        let mut end = old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(|(a, b)| a == b).count();
        while !old_rest.is_char_boundary(old_rest.len() - end) || !new_rest.is_char_boundary(new_rest.len() - end) {
            end -= 1;
        }
        let span = Span::new(span.start() + start, span.end() - end);
        let text = new_rest[..new_rest.len() - end].to_owned();
        self.plan.replacements.push(Replacement::new(span, text));
    }

    /// Writes a new name.
    fn rename(&mut self, member: Item<'t>, name: &str) {
        let Some(old) = member.name_span() else { return };
        self.plan.dropped.push(old);
        self.push(old, name.to_owned());
    }

    fn relabel(&mut self, block: hcl_lr::syntax::ast::BlockNode<'t>, labels: &[String]) {
        let old: Vec<_> = block.labels().collect();
        let start = block.type_token().span().end();
        let end = old.last().map_or(start, |label| label.span().end());
        let mut new = String::new();
        for (index, label) in labels.iter().enumerate() {
            // A label that stays keeps its notation.
            let same = old.get(index).filter(|old| old.text() == label.as_str());
            let bare = old.get(index).is_some_and(|old| !old.is_quoted()) && hcl_lr::syntax::is_identifier(label);
            new.push(' ');
            match same {
                Some(old) => new.push_str(&old.to_string()),
                None if bare => new.push_str(label),
                None => new.push_str(&quoted(label)),
            }
        }
        let span = Span::new(start, end);
        self.plan.dropped.push(span);
        self.push(span, new);
    }

    /// Walks the kept members, and rewrites the text between them where it changes.
    fn runs(
        &mut self,
        survey: &Survey<'t>,
        asked: &[Option<&MemberOrder<'t>>],
        own: &ContainerOrder<'t>,
        opens_up: bool,
    ) -> Result<(), EditError> {
        let count = survey.members.len();
        let mut finals = Vec::with_capacity(count);
        let mut others = false;
        for new in own.start.iter().chain(&own.end) {
            self.note_comments(new);
        }
        let mut left = None;
        let mut steps: Vec<Step<'_, 't>> = Vec::new();
        let (mut first, mut changed) = (0, opens_up);
        for index in 0..=count {
            // Add the end of the left neighbour, the lines in the gap, and the start of the right neighbour.
            if let Some(order) = index.checked_sub(1).and_then(|before| asked[before]) {
                steps.extend(order.after.iter().map(Step::New));
            }
            if index == count {
                steps.extend(own.end.iter().map(Step::New));
            }
            let order = asked.get(index).copied().flatten();
            let needed = changed || !steps.is_empty() || order.is_some() || index == count && !own.start.is_empty();
            let needed = needed || index == 0 && !own.start.is_empty();
            // Only gaps with requested changes are read.
            if needed || index > 0 && asked[index - 1].is_some() {
                steps.extend(survey.gap(index)?.free_lines().iter().copied().map(Step::Line));
            }
            if index == 0 {
                steps.extend(own.start.iter().map(Step::New));
            }
            if let Some(order) = order {
                steps.extend(order.before.iter().map(Step::New));
                if order.removed {
                    steps.push(Step::Removed);
                    others = true;
                    changed = true;
                    continue;
                }
            }
            let right = (index < count).then_some(index);
            let any_new = steps.iter().any(|step| matches!(step, Step::New(_)));
            finals.extend(steps.iter().filter_map(|step| match step {
                Step::New(new) => Some(Final::New((*new).clone())),
                _ => None,
            }));
            finals.extend(right.map(Final::Kept));
            others |= any_new;
            let left_order = left.and_then(|left: usize| asked[left]);
            let left_member = left.and_then(|left| survey.members[left]);
            let left_heredoc = left_member.is_some_and(|member| is_heredoc_now(member, left_order));
            let becomes_heredoc = left_heredoc && left_member.is_some_and(|member| !is_heredoc_now(member, None));
            let comments = left_order.is_some_and(|order| order.trail.is_some())
                || order.is_some_and(|order| order.lead.is_some() || !order.more_lead.is_empty());
            if changed || any_new || comments || becomes_heredoc {
                let composer = Composer {
                    survey,
                    opens_up,
                    left,
                    right,
                    left_order,
                    right_order: order,
                    left_heredoc,
                    indent: self.indent(survey, opens_up, index)?,
                };
                let text = composer.compose(&steps)?;
                let start = survey.gap(first)?.span.start();
                self.push(Span::new(start, survey.gap(index)?.span.end()), text);
            }
            steps.clear();
            (left, first, changed) = (right, index + 1, opens_up);
        }
        if others {
            self.plan.finals.insert(survey.container.id(), finals);
        }
        Ok(())
    }

    fn indent(&self, survey: &Survey<'t>, opens_up: bool, near: usize) -> Result<String, EditError> {
        if opens_up && survey.has_brackets {
            return Ok(survey.inner_indent());
        }
        survey.member_indent(near)
    }
}

/// Returns true if a member, after an order, ends with the closing marker of a heredoc.
pub(super) fn is_heredoc_now(member: Item<'_>, order: Option<&MemberOrder<'_>>) -> bool {
    match order.and_then(|order| order.value.as_ref()) {
        Some(value) => value.ends_with_heredoc,
        None => member.value().is_some_and(ends_with_heredoc),
    }
}
