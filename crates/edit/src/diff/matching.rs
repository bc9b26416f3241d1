//! Finds which parts of two files correspond.
//!
//! Parts are matched from the outside in. In a body or object, a part is matched with the part of the same name. In
//! lists, and where a name repeats, the order counts: the longest common sequence is matched first, then similar parts
//! between its elements. The remaining parts may have moved within their list or been renamed: a block with other
//! labels that kept most of its leaves, or an attribute whose value occurs nowhere else. A leaf is a value other than
//! an object, with the names on the path to it. So a change deep inside a block weighs no more than one at its top.
//!
//! For `[1, 2, {a = 1, b = 2}]` and `[2, {a = 1, b = 3}, 4]` the common sequence is `2`. After it, the objects pair up,
//! since half of their entries are the same. So `1` is removed, `4` added, and `b` changed.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use imara_diff::{Algorithm, Diff, Token};

use super::outline::{Node, Outline, Part, Shape};
use crate::Item;
use hcl_lr::internal::sort_by_key;
use hcl_lr::internal::work;

/// The relation of a part to its match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// The same name, and in a list the same place among the others.
    InPlace,
    /// Another place in a list.
    Moved,
    /// Another name.
    Renamed,
    /// Another name, with little evidence besides the place: the block is empty, or only its names are the same.
    Guessed,
}

/// The matches between the parts of the old and of the new file, in both directions.
pub(super) struct Matching {
    pub of_old: Vec<Option<(usize, Relation)>>,
    pub of_new: Vec<Option<(usize, Relation)>>,
}

/// The use of a matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// For people: similar parts match.
    Report,
    /// For edits in a third file: only parts that are certainly the same match.
    Merge,
}

/// In lists with more changed parts than this, squared, only parts at the same place are compared.
const MAX_COMPARISONS: usize = 1_024;

/// A leaf that more blocks have than this does not identify a block.
const MAX_HOLDERS: usize = 16;

/// The maximum number of leaves of a block to compare when looking for renames.
const MAX_LEAVES: usize = 4_096;

impl Matching {
    pub fn new(old: &Outline<'_>, new: &Outline<'_>, purpose: Purpose) -> Matching {
        let matching = Matching { of_old: vec![None; old.nodes.len()], of_new: vec![None; new.nodes.len()] };
        let mut matcher = Matcher { old, new, purpose, matching, waiting: Vec::new() };
        matcher.pair(0, 0, Relation::InPlace);
        while let Some((a, b)) = matcher.waiting.pop() {
            matcher.container(a, b);
        }
        matcher.matching
    }
}

struct Matcher<'m, 'f> {
    old: &'m Outline<'f>,
    new: &'m Outline<'f>,
    purpose: Purpose,
    matching: Matching,
    waiting: Vec<(usize, usize)>,
}

impl<'f> Matcher<'_, 'f> {
    fn pair(&mut self, a: usize, b: usize, relation: Relation) {
        self.matching.of_old[a] = Some((b, relation));
        self.matching.of_new[b] = Some((a, relation));
        let shape = self.old.nodes[a].shape;
        if shape != Shape::Leaf && shape == self.new.nodes[b].shape {
            self.waiting.push((a, b));
        }
    }

    fn container(&mut self, a: usize, b: usize) {
        let (old, new) = (self.old, self.new);
        let (mut olds, mut news) = (old.groups(a).peekable(), new.groups(b).peekable());
        while let (Some(left), Some(right)) = (olds.peek(), news.peek()) {
            work::step(1);
            let (left_key, right_key) = (old.nodes[left[0]].key, new.nodes[right[0]].key);
            if left_key == right_key {
                match (left, right) {
                    ([one], [other]) if old.nodes[a].shape != Shape::Tuple => {
                        self.pair(*one, *other, Relation::InPlace);
                    }
                    _ => self.sequence(left, right),
                }
            }
            if left_key <= right_key {
                olds.next();
            }
            if right_key <= left_key {
                news.next();
            }
        }
        if old.nodes[a].shape != Shape::Tuple {
            self.renames(a, b);
        }
    }

    /// Matches parts with one name, whose order counts.
    fn sequence(&mut self, olds: &[usize], news: &[usize]) {
        let (old, new) = (self.old, self.new);
        // Dense numbers for the contents, because the algorithm keeps a table of them.
        let mut dense: HashMap<u32, u32> = HashMap::new();
        let mut tokens = |contents: &mut dyn Iterator<Item = u32>| -> Vec<Token> {
            contents
                .map(|content| {
                    let next = dense.len() as u32;
                    Token(*dense.entry(content).or_insert(next))
                })
                .collect()
        };
        let before = tokens(&mut olds.iter().map(|&at| old.nodes[at].content));
        let after = tokens(&mut news.iter().map(|&at| new.nodes[at].content));
        let mut diff = Diff::default();
        diff.compute_with(Algorithm::Histogram, &before, &after, dense.len() as u32);
        let (mut left, mut right, mut hunks) = (0, 0, Vec::new());
        for hunk in diff.hunks() {
            let (removed, added) = (hunk.before, hunk.after);
            while left < removed.start as usize {
                self.pair(olds[left], news[right], Relation::InPlace);
                (left, right) = (left + 1, right + 1);
            }
            (left, right) = (removed.end as usize, added.end as usize);
            hunks.push((&olds[removed.start as usize..left], &news[added.start as usize..right]));
        }
        for (&a, &b) in olds[left..].iter().zip(&news[right..]) {
            self.pair(a, b, Relation::InPlace);
        }
        self.moves(olds, news);
        for (removed, added) in hunks {
            let unmatched = |list: &[usize], matched: &[Option<(usize, Relation)>]| -> Vec<usize> {
                list.iter().copied().filter(|&at| matched[at].is_none()).collect()
            };
            let removed = unmatched(removed, &self.matching.of_old);
            let added = unmatched(added, &self.matching.of_new);
            self.align(&removed, &added);
        }
    }

    /// Matches changed parts that are similar, in order.
    fn align(&mut self, olds: &[usize], news: &[usize]) {
        if olds.is_empty() || news.is_empty() {
            return;
        }
        let lefts: Vec<Content> = olds.iter().map(|&at| Content::of(self.old, at)).collect();
        let rights: Vec<Content> = news.iter().map(|&at| Content::of(self.new, at)).collect();
        if olds.len() * news.len() > MAX_COMPARISONS {
            if olds.len() == news.len() {
                for (index, (&a, &b)) in olds.iter().zip(news).enumerate() {
                    if self.likeness(&lefts[index], &rights[index], true) > 0 {
                        self.pair(a, b, Relation::InPlace);
                    }
                }
            }
            return;
        }
        let is_sole = olds.len() == 1 && news.len() == 1;
        // `best[i][j]` is the highest total likeness of pairs among the parts from `i` and from `j` on.
        let width = news.len() + 1;
        let mut best = vec![0; (olds.len() + 1) * width];
        let mut likeness = vec![0; olds.len() * news.len()];
        for i in (0..olds.len()).rev() {
            for j in (0..news.len()).rev() {
                let same_place = olds.len() == news.len() && i == j;
                let like = match self.likeness(&lefts[i], &rights[j], same_place) {
                    // Between equal parts, a sole part on each side with the same names must be the same part.
                    0 if is_sole && lefts[i].has_names_of(&rights[j]) => 1,
                    like => like,
                };
                likeness[i * news.len() + j] = like;
                let paired = if like > 0 { like + best[(i + 1) * width + j + 1] } else { 0 };
                best[i * width + j] = paired.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < olds.len() && j < news.len() {
            let (here, like) = (best[i * width + j], likeness[i * news.len() + j]);
            if like > 0 && here == like + best[(i + 1) * width + j + 1] {
                self.pair(olds[i], news[j], Relation::InPlace);
                (i, j) = (i + 1, j + 1);
            } else if here == best[(i + 1) * width + j] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }

    /// Returns the likeness of two parts of a list; 0 if they are different things.
    fn likeness(&self, one: &Content, other: &Content, same_place: bool) -> u64 {
        match (one.shape, other.shape) {
            (Shape::Leaf, Shape::Leaf) => u64::from(same_place),
            (left, right) if left != right || left == Shape::Leaf => 0,
            _ => {
                let most = one.wholes.len().max(other.wholes.len());
                let same = common(&one.wholes, &other.wholes);
                match self.purpose {
                    Purpose::Merge if 2 * same < most || same == 0 => 0,
                    Purpose::Merge => 1 + same as u64,
                    Purpose::Report if most == 0 => 1,
                    Purpose::Report => {
                        let alike = same + common(&one.keys, &other.keys);
                        if alike < most || alike == 0 { 0 } else { alike as u64 }
                    }
                }
            }
        }
    }

    /// Matches parts that were removed in one place of a list and added in another.
    fn moves(&mut self, olds: &[usize], news: &[usize]) {
        let mut removed: HashMap<u32, Vec<usize>> = HashMap::new();
        for &a in olds.iter().rev().filter(|&&a| self.matching.of_old[a].is_none()) {
            removed.entry(self.old.nodes[a].content).or_default().push(a);
        }
        for &b in news {
            if self.matching.of_new[b].is_none()
                && let Some(a) = removed.get_mut(&self.new.nodes[b].content).and_then(Vec::pop)
            {
                self.pair(a, b, Relation::Moved);
            }
        }
    }

    /// Matches parts that were removed from a body or object and added under another name.
    fn renames(&mut self, a: usize, b: usize) {
        let (old, new) = (self.old, self.new);
        let unmatched = |outline: &Outline<'_>, at: usize, matched: &[Option<(usize, Relation)>]| -> Vec<usize> {
            let children = outline.nodes[at].children.clone();
            children.filter(|&child| matched[child].is_none() && outline.nodes[child].of == 1).collect()
        };
        let removed = unmatched(old, a, &self.matching.of_old);
        let added = unmatched(new, b, &self.matching.of_new);
        if removed.is_empty() || added.is_empty() {
            return;
        }
        // Equal content that exactly one part on each side has.
        let by_content = |outline: &Outline<'f>, list: &[usize]| -> HashMap<(Kind<'f>, u32), Vec<usize>> {
            let mut contents: HashMap<_, Vec<usize>> = HashMap::new();
            for &at in list {
                if let Some(kind) = Self::kind(&outline.nodes[at]) {
                    contents.entry((kind, outline.nodes[at].content)).or_default().push(at);
                }
            }
            contents
        };
        let (olds, news) = (by_content(old, &removed), by_content(new, &added));
        for &a in &removed {
            let Some(kind) = Self::kind(&old.nodes[a]) else { continue };
            let key = (kind, old.nodes[a].content);
            if let (Some([_]), Some([b])) = (olds.get(&key).map(Vec::as_slice), news.get(&key).map(Vec::as_slice)) {
                let is_empty = matches!(kind, Kind::Block(..)) && old.nodes[a].children.is_empty();
                self.pair(a, *b, if is_empty { Relation::Guessed } else { Relation::Renamed });
            }
        }
        self.renamed_blocks(&removed, &added);
        if self.purpose == Purpose::Merge {
            self.replaced_blocks(&removed, &added);
        }
    }

    /// Matches blocks that have other labels and mostly the same leaves.
    fn renamed_blocks(&mut self, removed: &[usize], added: &[usize]) {
        let (old, new) = (self.old, self.new);
        // The blocks that contain each leaf, with the number of times, and all leaves of each block.
        let mut holders: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for &b in added.iter().filter(|&&b| self.matching.of_new[b].is_none()) {
            if matches!(Self::kind(&new.nodes[b]), Some(Kind::Block(..))) {
                let leaves = leaves(new, b);
                counts.insert(b, leaves.len());
                for equal in leaves.chunk_by(|a, b| a == b) {
                    holders.entry(equal[0]).or_default().push((b, equal.len()));
                }
            }
        }
        for &a in removed {
            let Some(kind @ Kind::Block(..)) = Self::kind(&old.nodes[a]) else { continue };
            if self.matching.of_old[a].is_some() || counts.is_empty() {
                continue;
            }
            let leaves = leaves(old, a);
            let mut shared: HashMap<usize, usize> = HashMap::new();
            for equal in leaves.chunk_by(|a, b| a == b) {
                let holders = holders.get(&equal[0]).map(Vec::as_slice).unwrap_or_default();
                for &(b, count) in holders.iter().filter(|_| holders.len() <= MAX_HOLDERS) {
                    work::step(1);
                    *shared.entry(b).or_default() += count.min(equal.len());
                }
            }
            let mut candidates: Vec<(usize, usize)> = shared.into_iter().map(|(b, count)| (count, b)).collect();
            sort_by_key(&mut candidates, |&(count, b)| (usize::MAX - count, b));
            let is_free = |b: usize| self.matching.of_new[b].is_none() && Self::kind(&new.nodes[b]) == Some(kind);
            let mut candidates = candidates.into_iter().filter(|&(_, b)| is_free(b));
            let Some((count, b)) = candidates.next() else { continue };
            let most = leaves.len().max(counts[&b]);
            let is_single = candidates.next().is_none_or(|(second, _)| second < count);
            if is_single && 3 * count >= 2 * most {
                self.pair(a, b, Relation::Renamed);
            }
        }
    }

    /// Matches a block with the only block of its type that replaces it, if half of their names are the same or one of
    /// them is empty.
    fn replaced_blocks(&mut self, removed: &[usize], added: &[usize]) {
        let (old, new) = (self.old, self.new);
        let mut kinds: HashMap<Kind<'f>, [Vec<usize>; 2]> = HashMap::new();
        let olds = removed.iter().map(|&a| (0, a, &old.nodes[a], self.matching.of_old[a]));
        let news = added.iter().map(|&b| (1, b, &new.nodes[b], self.matching.of_new[b]));
        for (side, at, node, partner) in olds.chain(news) {
            if let (Some(kind @ Kind::Block(..)), None) = (Self::kind(node), partner) {
                kinds.entry(kind).or_default()[side].push(at);
            }
        }
        for [olds, news] in kinds.into_values() {
            let ([a], [b]) = (&olds[..], &news[..]) else { continue };
            let (left, right) = (Content::of(old, *a), Content::of(new, *b));
            if left.keys.is_empty() || right.keys.is_empty() || left.has_names_of(&right) {
                self.pair(*a, *b, Relation::Guessed);
            }
        }
    }

    /// Returns the kind of a part that may be renamed.
    fn kind(node: &Node<'f>) -> Option<Kind<'f>> {
        match node.part {
            Part::Native(Item::Block(block)) if block.labels().len() == 0 => None,
            Part::Native(Item::Block(block)) => Some(Kind::Block(block.block_type(), block.labels().len())),
            Part::Native(Item::Attribute(_)) => Some(Kind::Attribute),
            Part::Native(Item::Entry(_)) | Part::Property(_) => Some(Kind::Entry),
            _ => None,
        }
    }
}

/// Returns the leaves of a block as sorted numbers. A number stands for a value and the names on the path to it.
fn leaves(outline: &Outline<'_>, at: usize) -> Vec<u64> {
    let number = |path: u64, name: u32| {
        let mut hasher = DefaultHasher::new();
        (path, name).hash(&mut hasher);
        hasher.finish()
    };
    let (mut leaves, mut waiting) = (Vec::new(), vec![(at, 0)]);
    while let Some((at, path)) = waiting.pop() {
        for child in outline.nodes[at].children.clone() {
            work::step(1);
            if leaves.len() == MAX_LEAVES {
                break;
            }
            let node = &outline.nodes[child];
            let path = number(path, node.key);
            match node.shape {
                Shape::Body | Shape::Object if !node.children.is_empty() => waiting.push((child, path)),
                _ => leaves.push(number(path, node.content)),
            }
        }
    }
    leaves.sort_unstable();
    leaves
}

/// The kind of a part that may be renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind<'f> {
    Attribute,
    Entry,
    /// The type and the number of labels.
    Block(&'f str, usize),
}

/// The numbers of the children of a part, sorted.
struct Content {
    shape: Shape,
    keys: Vec<u32>,
    wholes: Vec<u32>,
}

impl Content {
    fn of(outline: &Outline<'_>, at: usize) -> Content {
        let children = &outline.nodes[outline.nodes[at].children.clone()];
        let sorted = |mut numbers: Vec<u32>| {
            numbers.sort_unstable();
            numbers
        };
        Content {
            shape: outline.nodes[at].shape,
            keys: sorted(children.iter().map(|child| child.key).collect()),
            wholes: sorted(children.iter().map(|child| child.whole).collect()),
        }
    }

    /// Returns true if at least half of the names of the children are the same.
    fn has_names_of(&self, other: &Content) -> bool {
        let most = self.keys.len().max(other.keys.len());
        let same_shape = self.shape == other.shape && matches!(self.shape, Shape::Body | Shape::Object);
        same_shape && 2 * common(&self.keys, &other.keys) >= most.max(1)
    }
}

/// Returns the size of the intersection of two sorted lists, in time proportional to the shorter one.
fn common(one: &[u32], other: &[u32]) -> usize {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let count = |equal: &[u32]| {
        work::step(1);
        let rest = &long[long.partition_point(|&number| number < equal[0])..];
        rest.iter().take(equal.len()).take_while(|&&number| number == equal[0]).count()
    };
    short.chunk_by(|a, b| a == b).map(count).sum()
}
