//! Finds the changes of both sides in a list whose order counts.
//!
//! The changes of a side are regions: ranges of the base, with the elements that replace them. A changed element is a
//! region of its own if its neighbours did not change. Regions of both sides that meet conflict, unless both do the
//! same, both only remove, or both change parts of one element. In a list, an insertion next to a removal conflicts
//! with it: in `["a", "a"]` it is unknown which element was removed, and so where the new one belongs.

use std::ops::Range;

use crate::diff::matching::{Matching, Relation};
use crate::diff::outline::{Outline, Shape};
use hcl_lr::internal::work;

/// A change of a list.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The elements of the base, and those of the side.
    pub base: Range<usize>,
    pub side: Range<usize>,
    /// True if the region is one element that the side kept, with other content.
    pub is_change: bool,
    /// The range of the base in which the region could equally be, because its elements equal their neighbours.
    pub reach: Range<usize>,
}

/// The changes of one side.
pub(super) struct Changes {
    pub regions: Vec<Region>,
    /// For each element of the base, the index of its match.
    pub partners: Vec<Option<usize>>,
}

/// For each gap of the base, the nearest elements of the side before and after it.
pub(super) struct Nearest {
    pub before: Vec<Option<usize>>,
    pub after: Vec<Option<usize>>,
}

impl Changes {
    /// Returns the nearest elements to each gap.
    pub fn nearest(&self) -> Nearest {
        let (mut before, mut after) = (vec![None], vec![None]);
        for partner in &self.partners {
            before.push(partner.or(before.last().copied().flatten()));
        }
        for partner in self.partners.iter().rev() {
            after.push(partner.or(after.last().copied().flatten()));
        }
        after.reverse();
        Nearest { before, after }
    }
}

/// Finds the changes of a side in a list.
pub(super) fn changes(
    (base, list): (&Outline<'_>, &[usize]),
    (side, others): (&Outline<'_>, &[usize]),
    matching: &Matching,
) -> Changes {
    let partners: Vec<Option<usize>> = list
        .iter()
        .map(|&at| match matching.of_old[at] {
            Some((partner, Relation::InPlace)) => others.binary_search(&partner).ok(),
            _ => None,
        })
        .collect();
    let mut regions: Vec<Region> = Vec::new();
    let (mut at, mut other) = (0, 0);
    for (index, partner) in partners.iter().enumerate() {
        let Some(partner) = *partner else { continue };
        if at < index || other < partner {
            regions.push(Region { base: at..index, side: other..partner, is_change: false, reach: 0..0 });
        }
        let (one, two) = (&base.nodes[list[index]], &side.nodes[others[partner]]);
        if one.content != two.content {
            let region = Region { base: index..index + 1, side: partner..partner + 1, is_change: true, reach: 0..0 };
            // Among several adjacent values, it is uncertain which one became which.
            let is_leaf = one.shape == Shape::Leaf || two.shape == Shape::Leaf;
            match regions.last_mut() {
                Some(last) if is_leaf && last.base.end == index && last.side.end == partner => {
                    last.base.end = index + 1;
                    last.side.end = partner + 1;
                    last.is_change = false;
                }
                _ => regions.push(region),
            }
        }
        (at, other) = (index + 1, partner + 1);
    }
    if at < list.len() || other < others.len() {
        regions.push(Region { base: at..list.len(), side: other..others.len(), is_change: false, reach: 0..0 });
    }
    let contents = |outline: &Outline<'_>, list: &[usize]| -> Vec<u32> {
        list.iter().map(|&at| outline.nodes[at].content).collect()
    };
    stretch(&mut regions, &contents(base, list), &contents(side, others));
    Changes { regions, partners }
}

/// Finds how far each insertion and removal could be shifted with the same result: in `[a, a]`, a third `a` may be
/// inserted before, between or after the others.
fn stretch(regions: &mut [Region], base: &[u32], side: &[u32]) {
    for index in 0..regions.len() {
        let first = index.checked_sub(1).map_or(0, |before| regions[before].base.end);
        let last = regions.get(index + 1).map_or(base.len(), |after| after.base.start);
        let region = &mut regions[index];
        let (mut start, mut end) = (region.base.start, region.base.end);
        let (list, mut left, mut right) = match (region.base.is_empty(), region.side.is_empty()) {
            (true, false) => (side, region.side.start, region.side.end),
            (false, true) => (base, region.base.start, region.base.end),
            _ => {
                region.reach = start..end;
                continue;
            }
        };
        // The elements around the region are adjacent on both sides.
        while start > first && list[left - 1] == list[right - 1] {
            (start, left, right) = (start - 1, left - 1, right - 1);
        }
        let shift = region.base.start - start;
        (left, right) = (left + shift, right + shift);
        while end < last && list[left] == list[right] {
            (end, left, right) = (end + 1, left + 1, right + 1);
        }
        region.reach = start..end;
    }
}

/// The relation of a region of one side to one of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Both can be applied.
    Apart,
    /// Both do the same.
    Same,
    /// Both change one element.
    Within,
    Conflict,
}

/// Compares two regions. With `trusts_guesses`, an equal number of elements in the place of others counts as a change
/// of those others.
pub(super) fn meeting(
    ours: &Region,
    theirs: &Region,
    is_list: bool,
    trusts_guesses: bool,
    same_content: impl Fn() -> bool,
) -> Meeting {
    let overlap = ours.reach.start < theirs.reach.end && theirs.reach.start < ours.reach.end;
    let touch = ours.reach.start <= theirs.reach.end && theirs.reach.start <= ours.reach.end;
    let is_change = |region: &Region| region.is_change || trusts_guesses && region.base.len() == region.side.len();
    let is_beside = is_list && !is_change(ours) && !is_change(theirs);
    let inserts = |region: &Region| !is_change(region) && !region.side.is_empty();
    if !touch && !overlap {
        Meeting::Apart
    } else if ours.base == theirs.base && ours.is_change && theirs.is_change {
        Meeting::Within
    } else if ours.base == theirs.base && ours.side.len() == theirs.side.len() && same_content() {
        Meeting::Same
    } else if ours.side.is_empty() && theirs.side.is_empty() {
        Meeting::Apart
    } else if overlap || inserts(ours) && inserts(theirs) || is_beside {
        Meeting::Conflict
    } else {
        Meeting::Apart
    }
}

/// Calls a function with the indexes of each pair of regions that meet.
pub(super) fn each_meeting(ours: &[Region], theirs: &[Region], mut meet: impl FnMut(usize, usize)) {
    let mut first = 0;
    for (index, region) in ours.iter().enumerate() {
        while theirs.get(first).is_some_and(|other| other.reach.end < region.reach.start) {
            first += 1;
        }
        let met = theirs[first..].iter().take_while(|other| other.reach.start <= region.reach.end);
        for (other, _) in met.enumerate() {
            work::step(1);
            meet(index, first + other);
        }
    }
}
