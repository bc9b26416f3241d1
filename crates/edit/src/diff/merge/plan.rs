//! Decides which changes of the other side are applied to our file, and which conflict.
//!
//! Walks the three files together, along the parts that all three have. A part that only they changed becomes an edit
//! of our file; a part that both changed differently becomes a conflict. A conflict covers whole items that have lines
//! of their own, so that its text fits between markers. Otherwise the enclosing item is in conflict.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::extent::extent;
use super::lines::{Piece, pieces};
use super::sequence::{self, Meeting};
use crate::diff::matching::{Matching, Purpose, Relation};
use crate::diff::outline::{Outline, Part, Shape};
use crate::{Item, comments_of};
use hcl_lr::syntax::ast::File;

/// The three files.
#[derive(Clone, Copy)]
pub(super) struct Files<'f> {
    pub base: &'f File,
    pub ours: &'f File,
    pub theirs: &'f File,
}

/// The outlines of the three files.
pub(super) struct Outlines<'f> {
    pub base: Outline<'f>,
    pub ours: Outline<'f>,
    pub theirs: Outline<'f>,
}

/// The granularity of edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grain {
    /// Only the parts that changed.
    Parts,
    /// Values as a whole.
    Values,
    /// The items of the file as a whole.
    Items,
}

/// An edit of our file. The numbers are indexes of parts in our file and in theirs.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Remove(usize),
    Set(usize, usize),
    /// A value that was merged by lines.
    Write(usize, String),
    Rename(usize, usize),
    Insert(usize, Point),
    Lead(usize, usize),
    Trail(usize, usize),
}

/// A position in our file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    Before(usize),
    After(usize),
    EndOf(usize),
}

/// Parts that both sides changed differently.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    pub base: Vec<usize>,
    pub ours: Vec<usize>,
    pub theirs: Vec<usize>,
    /// The position of the conflict if our file has no part there.
    pub point: Option<Point>,
}

/// The edits and conflicts.
#[derive(Default)]
pub(super) struct Plan {
    /// The edits, each with the part of our file that it belongs to.
    pub actions: Vec<(usize, Action)>,
    pub conflicts: Vec<Conflict>,
    /// True if the files as a whole are in conflict.
    pub is_whole: bool,
}

/// The plan for the children of one part.
#[derive(Default)]
struct Here {
    /// The parts of ours that correspond to parts of theirs.
    counterparts: HashMap<usize, usize>,
    removed: HashSet<usize>,
    /// Parts of theirs to insert.
    inserts: Vec<usize>,
    /// Positions that the order of a list demands.
    points: HashMap<usize, Point>,
    /// Parts that we removed and they changed, as indexes in the base and in theirs.
    missing: Vec<(usize, usize)>,
}

struct Planner<'p, 'f> {
    files: Files<'f>,
    outlines: &'p Outlines<'f>,
    grain: Grain,
    with_comments: bool,
    trusts_guesses: bool,
    to_ours: Matching,
    to_theirs: Matching,
    /// The parts of the base and of theirs that correspond to each part of ours.
    others: Vec<Option<(usize, usize)>>,
    /// The parts of ours that get another name.
    renamed: HashSet<usize>,
    /// The parts of ours that are in conflict, with the number of the conflict.
    in_conflict: HashMap<usize, usize>,
    plan: Plan,
    waiting: Vec<(usize, usize, usize)>,
}

/// Plans a merge. Unless the plan `trusts_guesses`, a guessed rename together with changes on both sides is a
/// conflict.
pub(super) fn plan(
    files: Files<'_>,
    outlines: &Outlines<'_>,
    grain: Grain,
    (with_comments, trusts_guesses): (bool, bool),
) -> Plan {
    let Outlines { base, ours, theirs } = outlines;
    let mut planner = Planner {
        files,
        outlines,
        grain,
        with_comments,
        trusts_guesses,
        to_ours: Matching::new(base, ours, Purpose::Merge),
        to_theirs: Matching::new(base, theirs, Purpose::Merge),
        others: vec![None; ours.nodes.len()],
        renamed: HashSet::new(),
        in_conflict: HashMap::new(),
        plan: Plan::default(),
        waiting: vec![(0, 0, 0)],
    };
    planner.others[0] = Some((0, 0));
    while let Some((b, o, t)) = planner.waiting.pop() {
        if planner.plan.is_whole {
            break;
        }
        planner.container(b, o, t);
    }
    planner.finish()
}

impl<'f> Planner<'_, 'f> {
    /// Drops everything inside a part in conflict.
    fn finish(self) -> Plan {
        let Planner { outlines, in_conflict, mut plan, .. } = self;
        let nodes = &outlines.ours.nodes;
        let mut within = vec![false; nodes.len()];
        for at in 1..nodes.len() {
            let parent = nodes[at].parent;
            within[at] = within[parent] || in_conflict.contains_key(&parent);
        }
        plan.conflicts.retain(|conflict| {
            let near = conflict.point.map(|point| match point {
                Point::Before(at) | Point::After(at) => (at, false),
                Point::EndOf(at) => (at, true),
            });
            let hidden = conflict.ours.first().is_some_and(|&at| within[at]);
            !hidden && !near.is_some_and(|(at, itself)| within[at] || itself && in_conflict.contains_key(&at))
        });
        plan.actions.retain(|(owner, _)| !within[*owner] && !in_conflict.contains_key(owner));
        plan
    }

    /// Merges the children of a part that all three files have.
    fn container(&mut self, b: usize, o: usize, t: usize) {
        let outlines = self.outlines;
        let (base, ours, theirs) = (&outlines.base, &outlines.ours, &outlines.theirs);
        let mut here = Here::default();
        if base.nodes[b].shape == Shape::Tuple {
            let list = |outline: &Outline<'_>, at: usize| outline.nodes[at].children.clone().collect::<Vec<usize>>();
            if self.sequence([list(base, b), list(ours, o), list(theirs, t)], o, &mut here) {
                self.inserts(o, t, here);
            } else {
                self.escalate(o);
            }
            return;
        }
        // The parts with each name in the three files. If any file has several, their order counts.
        let mut lists: BTreeMap<u32, [Vec<usize>; 3]> = BTreeMap::new();
        for (file, (outline, at)) in [(base, b), (ours, o), (theirs, t)].into_iter().enumerate() {
            for group in outline.groups(at) {
                let key = outline.nodes[group[0]].key;
                lists.entry(key).or_default()[file].extend(group);
            }
        }
        lists.retain(|_, lists| lists.iter().any(|list| list.len() > 1));
        let is_ordered = |key: u32| lists.contains_key(&key);
        let partner = |outline: &Outline<'_>, matching: &Matching, child: usize| match matching.of_old[child] {
            Some((partner, _)) if !is_ordered(outline.nodes[partner].key) => Some(partner),
            _ => None,
        };
        let names = Names::new(ours, o);
        let mut known = HashSet::new();
        for child in base.nodes[b].children.clone().filter(|&child| !is_ordered(base.nodes[child].key)) {
            let mine = partner(ours, &self.to_ours, child);
            let yours = partner(theirs, &self.to_theirs, child);
            known.extend(yours);
            match (mine, yours) {
                (Some(mine), Some(yours)) => {
                    here.counterparts.insert(yours, mine);
                    self.merge_item((child, mine, yours), Some(&names));
                }
                (Some(mine), None) if ours.nodes[mine].whole == base.nodes[child].whole => {
                    here.removed.insert(mine);
                    self.plan.actions.push((mine, Action::Remove(mine)));
                }
                (Some(mine), None) => self.conflict(o, &[child], &[mine], &[]),
                (None, Some(yours)) if theirs.nodes[yours].whole == base.nodes[child].whole => {}
                (None, Some(yours)) => here.missing.push((child, yours)),
                (None, None) => {}
            }
        }
        for child in theirs.nodes[t].children.clone() {
            if is_ordered(theirs.nodes[child].key) || known.contains(&child) {
                continue;
            }
            let is_free = |rival: &usize| here.removed.contains(rival) || self.renamed.contains(rival);
            let rival = names.rival(theirs, child).filter(|rival| !is_free(rival));
            match rival {
                Some(rival) if ours.nodes[rival].whole == theirs.nodes[child].whole => {
                    here.counterparts.insert(child, rival);
                }
                // A part that ours renamed to the same name.
                Some(rival) => match self.others[rival] {
                    Some((b, t)) if theirs.nodes[t].parent == theirs.nodes[child].parent => {
                        self.conflict(o, &[b], &[rival], &[t.min(child), t.max(child)]);
                    }
                    _ => self.conflict(o, &[], &[rival], &[child]),
                },
                None => here.inserts.push(child),
            }
        }
        for lists in lists.into_values() {
            if !self.sequence(lists, o, &mut here) {
                self.escalate(o);
                return;
            }
        }
        self.inserts(o, t, here);
    }

    /// Merges a part that all three files have.
    fn merge_item(&mut self, (b, o, t): (usize, usize, usize), names: Option<&Names<'_>>) {
        let outlines = self.outlines;
        let (base, ours, theirs) = (&outlines.base.nodes[b], &outlines.ours.nodes[o], &outlines.theirs.nodes[t]);
        self.others[o] = Some((b, t));
        if self.grain == Grain::Items {
            if base.whole == theirs.whole || ours.whole == theirs.whole {
                return;
            }
            if base.whole != ours.whole {
                return self.conflict_of(b, o, t);
            }
            self.plan.actions.push((o, Action::Remove(o)));
            self.plan.actions.push((ours.parent, Action::Insert(t, Point::After(o))));
            return;
        }
        // A renamed attribute is guessed from its value, and a renamed empty block from its place. The guess says that
        // both sides mean the same part, but not that the changes of one side are meant for the new name.
        let is_guessed = |matching: &Matching| matches!(matching.of_old[b], Some((_, Relation::Guessed)));
        let is_guess = !matches!(base.part, Part::Native(Item::Block(_)))
            || is_guessed(&self.to_ours)
            || is_guessed(&self.to_theirs);
        let is_guess = is_guess && !self.trusts_guesses;
        let is_renamed = theirs.key != base.key || ours.key != base.key;
        let both_changed = ours.whole != base.whole && theirs.whole != base.whole && ours.whole != theirs.whole;
        if is_guess && is_renamed && both_changed {
            return self.conflict_of(b, o, t);
        }
        if theirs.key != base.key && ours.key != theirs.key {
            let is_taken = names.is_none_or(|names| names.rival(&outlines.theirs, t).is_some());
            if ours.key != base.key || is_taken {
                return self.conflict_of(b, o, t);
            }
            self.renamed.insert(o);
            self.plan.actions.push((o, Action::Rename(o, t)));
        }
        if self.with_comments {
            self.comments(b, o, t);
        }
        let container = base.shape != Shape::Leaf && base.shape == ours.shape && base.shape == theirs.shape;
        if container && (base.shape == Shape::Body || self.grain == Grain::Parts) {
            self.waiting.push((b, o, t));
        } else if theirs.content == base.content || ours.content == theirs.content {
            // They changed only what we changed, in the same way.
        } else if ours.content == base.content {
            self.plan.actions.push((o, Action::Set(o, t)));
        } else if let Some(value) = self.value_by_lines(b, o, t).filter(|_| self.trusts_guesses) {
            self.plan.actions.push((o, Action::Write(o, value)));
        } else {
            self.conflict_of(b, o, t);
        }
    }

    /// Merges a value that both sides changed by lines. Returns `None` if that gives a conflict.
    fn value_by_lines(&self, b: usize, o: usize, t: usize) -> Option<String> {
        let Outlines { base, ours, theirs } = self.outlines;
        let text = |outline: &Outline<'f>, at: usize| Some(outline.source.slice(outline.value_span(at)?));
        let merged = pieces(text(base, b)?, text(ours, o)?, text(theirs, t)?).into_iter();
        let agreed = merged.map(|piece| match piece {
            Piece::Agreed(text) => Some(text),
            Piece::Conflict { .. } => None,
        });
        agreed.collect()
    }

    /// Takes over comments that only they changed.
    fn comments(&mut self, b: usize, o: usize, t: usize) {
        let Files { base, ours, theirs } = self.files;
        let Outlines { base: base_outline, ours: our_outline, theirs: their_outline } = self.outlines;
        let items = (base_outline.item(b), our_outline.item(o), their_outline.item(t));
        let (Some(one), Some(two), Some(three)) = items else { return };
        let texts = |file: &File, item: Item<'_>| {
            let (above, after) = comments_of(file, item);
            [above, after].map(|comments| comments.iter().map(|comment| comment.text().trim().to_owned()).collect())
        };
        let sides: [[Vec<String>; 2]; 3] = [texts(base, one), texts(ours, two), texts(theirs, three)];
        let [[base_lead, base_trail], [our_lead, our_trail], [lead, trail]] = sides;
        let is_plain =
            |comments: &[String]| comments.iter().all(|text| text.starts_with(['#', '/']) && !text.starts_with("/*"));
        if lead != base_lead && our_lead == base_lead && is_plain(&lead) {
            self.plan.actions.push((o, Action::Lead(o, t)));
        }
        if trail != base_trail && our_trail == base_trail && is_plain(&trail) && trail.len() < 2 {
            self.plan.actions.push((o, Action::Trail(o, t)));
        }
    }

    /// Merges the parts of the base, of ours and of theirs, whose order counts. Returns false if they conflict.
    fn sequence(&mut self, [bases, mine, yours]: [Vec<usize>; 3], parent: usize, here: &mut Here) -> bool {
        let outlines = self.outlines;
        let (base, ours, theirs) = (&outlines.base, &outlines.ours, &outlines.theirs);
        let our_changes = sequence::changes((base, &bases), (ours, &mine), &self.to_ours);
        let their_changes = sequence::changes((base, &bases), (theirs, &yours), &self.to_theirs);
        let (mut done, mut same_regions) = (HashSet::new(), Vec::new());
        let is_list = ours.nodes[parent].shape == Shape::Tuple;
        let mut conflicts: Vec<(usize, usize)> = Vec::new();
        sequence::each_meeting(&our_changes.regions, &their_changes.regions, |i, j| {
            let (one, other) = (&our_changes.regions[i], &their_changes.regions[j]);
            let same = || {
                let pairs = mine[one.side.clone()].iter().zip(&yours[other.side.clone()]);
                pairs.into_iter().all(|(&a, &b)| ours.nodes[a].content == theirs.nodes[b].content)
            };
            match sequence::meeting(one, other, is_list, self.trusts_guesses, same) {
                Meeting::Apart | Meeting::Within => {}
                Meeting::Same => same_regions.push((i, j)),
                Meeting::Conflict => conflicts.push((i, j)),
            }
        });
        for (i, j) in same_regions {
            let (one, other) = (our_changes.regions[i].side.clone(), their_changes.regions[j].side.clone());
            here.counterparts.extend(yours[other].iter().copied().zip(mine[one].iter().copied()));
            done.insert(j);
        }
        for (i, j) in conflicts {
            let (one, other) = (&our_changes.regions[i], &their_changes.regions[j]);
            let only_inserts = one.base.is_empty() && other.base.is_empty() && ours.nodes[parent].shape == Shape::Body;
            if !only_inserts || !done.insert(j) {
                return false;
            }
            self.conflict(parent, &[], &mine[one.side.clone()], &yours[other.side.clone()]);
        }
        for (index, (mine_at, yours_at)) in our_changes.partners.iter().zip(&their_changes.partners).enumerate() {
            if let (Some(mine_at), Some(yours_at)) = (*mine_at, *yours_at) {
                here.counterparts.insert(yours[yours_at], mine[mine_at]);
                self.merge_item((bases[index], mine[mine_at], yours[yours_at]), None);
            }
        }
        let nearest = our_changes.nearest();
        for (_, region) in their_changes.regions.iter().enumerate().filter(|(index, _)| !done.contains(index)) {
            if region.is_change {
                continue;
            }
            for at in region.base.clone() {
                if their_changes.partners[at].is_none()
                    && let Some(mine_at) = our_changes.partners[at]
                {
                    here.removed.insert(mine[mine_at]);
                    self.plan.actions.push((mine[mine_at], Action::Remove(mine[mine_at])));
                }
            }
            // The new part takes the place of those it replaces. Elsewhere, parts outside the list may stand in
            // between.
            let is_replaced = region.base.clone().all(|at| their_changes.partners[at].is_none());
            let replaced = region.base.clone().rev().filter(|_| is_replaced).find_map(|at| our_changes.partners[at]);
            let point = match (replaced.or(nearest.before[region.base.start]), nearest.after[region.base.end]) {
                (Some(before), _) => Some(Point::After(mine[before])),
                (None, Some(after)) => Some(Point::Before(mine[after])),
                (None, None) => None,
            };
            // Next to the parts of the region that stay, if any.
            let stays = |child: &usize| here.counterparts.get(child).copied();
            let first = yours[region.side.clone()].iter().find_map(stays).map(Point::Before);
            let mut point = first.or(point);
            let mut points = Vec::new();
            for child in &yours[region.side.clone()] {
                match stays(child) {
                    Some(mine) => point = Some(Point::After(mine)),
                    None => points.push((*child, point)),
                }
            }
            for (child, point) in points {
                here.inserts.push(child);
                here.points.extend(point.map(|point| (child, point)));
            }
        }
        true
    }

    /// Inserts the parts that only they have, each after the part that precedes it in their file.
    fn inserts(&mut self, o: usize, t: usize, mut here: Here) {
        let theirs = &self.outlines.theirs;
        here.inserts.sort_unstable();
        let bases: HashMap<usize, usize> = here.missing.iter().map(|&(base, yours)| (yours, base)).collect();
        let children = theirs.nodes[t].children.clone();
        let staying = |child: usize| here.counterparts.get(&child).filter(|mine| !here.removed.contains(mine)).copied();
        let first = children.clone().find_map(staying);
        let (mut wanted, mut anchor, mut conflicts) = (here.inserts.iter().peekable(), None, Vec::new());
        for child in children {
            anchor = staying(child).or(anchor);
            let point = match (anchor, first) {
                (Some(anchor), _) => Point::After(anchor),
                (None, Some(first)) => Point::Before(first),
                (None, None) => Point::EndOf(o),
            };
            if wanted.next_if_eq(&&child).is_some() {
                let point = here.points.get(&child).copied().unwrap_or(point);
                self.plan.actions.push((o, Action::Insert(child, point)));
            }
            if let Some(&base) = bases.get(&child) {
                conflicts.push(Conflict {
                    base: vec![base],
                    ours: Vec::new(),
                    theirs: vec![child],
                    point: Some(point),
                });
            }
        }
        for conflict in conflicts {
            self.conflict_at(o, conflict);
        }
    }

    /// Records a conflict about a part that all three files have.
    fn conflict_of(&mut self, b: usize, o: usize, t: usize) {
        self.conflict(self.outlines.ours.nodes[o].parent, &[b], &[o], &[t]);
    }

    fn conflict(&mut self, parent: usize, base: &[usize], ours: &[usize], theirs: &[usize]) {
        let [base, ours, theirs] = [base, ours, theirs].map(<[usize]>::to_vec);
        self.conflict_at(parent, Conflict { base, ours, theirs, point: None });
    }

    /// Records a conflict about children of a part of ours. If they have no lines of their own, the conflict is about
    /// the nearest enclosing part that does.
    fn conflict_at(&mut self, parent: usize, conflict: Conflict) {
        let (mut parent, mut conflict) = (parent, conflict);
        loop {
            if let Some(number) = conflict.ours.first().and_then(|first| self.in_conflict.get(first)).copied() {
                let known = &mut self.plan.conflicts[number];
                known.theirs.extend(conflict.theirs);
                known.base.extend(conflict.base);
                return;
            }
            if self.fits_lines(parent, &conflict) {
                let number = self.plan.conflicts.len();
                self.in_conflict.extend(conflict.ours.iter().map(|&at| (at, number)));
                return self.plan.conflicts.push(conflict);
            }
            match self.as_conflict(parent) {
                Some(around) => conflict = around,
                None => return,
            }
            parent = self.outlines.ours.nodes[parent].parent;
        }
    }

    /// Returns the conflict about a part of ours as a whole; `None` if there is one already, or if it is the whole
    /// file.
    fn as_conflict(&mut self, at: usize) -> Option<Conflict> {
        let Some((b, t)) = self.others[at].filter(|_| at != 0) else {
            self.plan.is_whole = true;
            return None;
        };
        let is_known = self.in_conflict.contains_key(&at);
        (!is_known).then(|| Conflict { base: vec![b], ours: vec![at], theirs: vec![t], point: None })
    }

    fn fits_lines(&self, parent: usize, conflict: &Conflict) -> bool {
        let Outlines { ours, theirs, .. } = self.outlines;
        let shape = ours.nodes[parent].shape;
        if shape == Shape::Tuple || conflict.ours.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
            return false;
        }
        let own_extent = |at: usize| extent(self.files.ours, ours.item(at)?);
        let extents: Option<Vec<_>> = conflict.ours.iter().map(|&at| own_extent(at)).collect();
        let Some(extents) = extents else { return false };
        if shape == Shape::Body {
            let near = match conflict.point {
                Some(Point::Before(at) | Point::After(at)) => own_extent(at).is_some(),
                Some(Point::EndOf(at)) => at == 0 || own_extent(at).is_some_and(|_| self.closes_in_own_line(at)),
                None => true,
            };
            return near;
        }
        // In objects, a comma can only follow an item that does not end its line.
        let comma = extents.iter().any(|extent| extent.comma);
        let ends_line = |at: usize| {
            let Some(item) = theirs.item(at) else { return true };
            let text = self.files.theirs.source().slice(item.span());
            text.contains("<<") || !comments_of(self.files.theirs, item).1.is_empty()
        };
        conflict.ours.len() == 1
            && conflict.theirs.len() < 2
            && !(comma && conflict.theirs.iter().any(|&at| ends_line(at)))
    }

    /// Returns true if the closing brace of a block has its line to itself.
    fn closes_in_own_line(&self, at: usize) -> bool {
        let Some(Item::Block(block)) = self.outlines.ours.item(at) else { return false };
        let close = block.body().close_brace_span();
        close.is_some_and(|close| super::extent::line_start(self.files.ours.source().text(), close.start()).is_some())
    }

    /// Records a conflict about a part of ours as a whole.
    fn escalate(&mut self, at: usize) {
        if let Some(conflict) = self.as_conflict(at) {
            self.conflict_at(self.outlines.ours.nodes[at].parent, conflict);
        }
    }
}

/// The names of the children of a part of ours.
struct Names<'f> {
    by_key: HashMap<u32, usize>,
    attributes: HashMap<&'f str, usize>,
    types: HashMap<&'f str, usize>,
}

impl<'f> Names<'f> {
    fn new(ours: &Outline<'f>, at: usize) -> Names<'f> {
        let mut names = Names { by_key: HashMap::new(), attributes: HashMap::new(), types: HashMap::new() };
        for child in ours.nodes[at].children.clone() {
            names.by_key.entry(ours.nodes[child].key).or_insert(child);
            match ours.item(child) {
                Some(Item::Attribute(attribute)) => drop(names.attributes.insert(attribute.name(), child)),
                Some(Item::Block(block)) => drop(names.types.entry(block.block_type()).or_insert(child)),
                _ => {}
            }
        }
        names
    }

    /// Returns the child of ours with the name of a part of theirs.
    fn rival(&self, theirs: &Outline<'_>, at: usize) -> Option<usize> {
        let other = match theirs.item(at) {
            Some(Item::Attribute(attribute)) => self.types.get(attribute.name()),
            Some(Item::Block(block)) => self.attributes.get(block.block_type()),
            _ => None,
        };
        self.by_key.get(&theirs.nodes[at].key).or(other).copied()
    }
}
