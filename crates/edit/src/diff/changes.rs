//! Lists the changes between two matched files, in the order of the new one.

use super::matching::{Matching, Relation};
use super::outline::{Outline, Shape};
use super::{Change, ChangeKind, ChangedPart, Sides};
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::Place;

/// A step of the walk through both files.
enum Step {
    Pair(usize, usize, Relation),
    Removed(usize),
    Added(usize),
}

/// Returns all changes.
pub(super) fn changes(old: &Outline<'_>, new: &Outline<'_>, matching: &Matching) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut waiting = vec![Step::Pair(0, 0, Relation::InPlace)];
    while let Some(step) = waiting.pop() {
        match step {
            Step::Removed(a) => {
                changes.push(Change { kind: ChangeKind::Removed, sides: Sides::Old(whole(old, a)) });
            }
            Step::Added(b) => {
                changes.push(Change { kind: ChangeKind::Added, sides: Sides::New(whole(new, b)) });
            }
            Step::Pair(a, b, relation) => {
                let kind = match relation {
                    Relation::InPlace => None,
                    Relation::Moved => Some(ChangeKind::Moved),
                    Relation::Renamed | Relation::Guessed => Some(ChangeKind::Renamed),
                };
                if let Some(kind) = kind {
                    changes.push(Change { kind, sides: Sides::Both(whole(old, a), whole(new, b)) });
                }
                let (one, other) = (&old.nodes[a], &new.nodes[b]);
                // Lists with equal content contain no differences; neither do equal bodies.
                if one.content == other.content {
                    continue;
                }
                if one.shape == Shape::Leaf || one.shape != other.shape {
                    let sides = Sides::Both(value(old, a), value(new, b));
                    changes.push(Change { kind: ChangeKind::Changed, sides });
                    continue;
                }
                waiting.extend(steps(old, new, matching, (a, b)).into_iter().rev());
            }
        }
    }
    changes
}

/// Returns the steps for the children of two parts: the new children in order, each followed by the removed ones that
/// came after its partner.
fn steps(old: &Outline<'_>, new: &Outline<'_>, matching: &Matching, (a, b): (usize, usize)) -> Vec<Step> {
    let mut steps: Vec<(usize, bool, Step)> = Vec::new();
    let start = new.nodes[b].children.start;
    let mut place = 0;
    for child in old.nodes[a].children.clone() {
        match matching.of_old[child] {
            None => steps.push((place, true, Step::Removed(child))),
            Some((partner, _)) => place = partner - start + 1,
        }
    }
    for (index, child) in new.nodes[b].children.clone().enumerate() {
        let step = match matching.of_new[child] {
            None => Step::Added(child),
            Some((partner, relation)) => Step::Pair(partner, child, relation),
        };
        steps.push((index + 1, false, step));
    }
    sort_by_key(&mut steps, |&(place, removed, _)| (place, removed));
    steps.into_iter().map(|(_, _, step)| step).collect()
}

/// Returns one side of a change, with the text of the whole part.
fn whole(outline: &Outline<'_>, at: usize) -> ChangedPart {
    let place = outline.place(at);
    ChangedPart { address: outline.address(at), text: place.clone(), place }
}

/// Returns one side of a change, with the text of the value.
fn value(outline: &Outline<'_>, at: usize) -> ChangedPart {
    let text = outline.value_span(at).map_or_else(|| outline.place(at), |span| Place::new(outline.source, span));
    ChangedPart { address: outline.address(at), place: outline.place(at), text }
}
