//! The instances of repeated blocks and modules.

use super::ids::FrameId;
use hcl_lr::internal::{Account, Exceeded};
use hcl_lr::model::{MarkSet, Value};

/// The instances of a frame: for each instance of the frame around it, one after the other.
pub(super) struct Instances {
    /// For each of them, the instance around it.
    pub parents: Vec<usize>,
    /// For each instance of the frame around it, which of them are its own.
    pub groups: Vec<Group>,
    pub keys: Vec<Key>,
}

/// The instances in one instance of the frame around them.
#[derive(Clone)]
pub(super) struct Group {
    pub start: usize,
    pub end: usize,
    pub kind: GroupKind,
    /// The marks of what they are repeated for.
    pub marks: MarkSet,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// As many as a number says.
    Counted,
    /// One for each element.
    Each,
    /// One, or none at all.
    Optional,
    /// It is not known how many there are; one stands for all of them.
    Unknown,
}

/// The key of an instance.
#[derive(Clone)]
pub(super) enum Key {
    Index(usize),
    /// The only one.
    Only,
    Each {
        name: Box<str>,
        key: Value,
        value: Value,
    },
    Unknown,
}

impl Instances {
    pub fn new() -> Self {
        Instances { parents: Vec::new(), groups: Vec::new(), keys: Vec::new() }
    }

    /// Charges instances before they are made. Lists that grow have room for twice as many.
    pub fn charge(count: usize, account: &Account) -> Result<(), Exceeded> {
        let each = size_of::<Key>() + size_of::<usize>();
        account.steps(count as u64)?;
        account.elements(count)?;
        account.bytes((count as u64).saturating_mul(2 * each as u64))
    }

    /// Returns the bytes that a group with one instance takes.
    pub fn bytes_of_group() -> u64 {
        2 * (size_of::<Group>() + size_of::<Key>() + size_of::<usize>()) as u64
    }

    /// Returns the instances of things that exist once.
    pub fn root() -> Self {
        let group = Group { start: 0, end: 1, kind: GroupKind::Unknown, marks: MarkSet::default() };
        Instances { parents: vec![0], groups: vec![group], keys: vec![Key::Unknown] }
    }

    /// Unknown ones for so many instances of the frame around.
    pub fn unknown(count: usize) -> Self {
        let mut all = Instances::new();
        for _ in 0..count {
            all.add(vec![Key::Unknown], GroupKind::Unknown, MarkSet::default());
        }
        all
    }

    /// Adds those of the next instance of the frame around.
    pub fn add(&mut self, keys: Vec<Key>, kind: GroupKind, marks: MarkSet) {
        let (start, parent) = (self.keys.len(), self.groups.len());
        self.parents.extend(keys.iter().map(|_| parent));
        self.keys.extend(keys);
        self.groups.push(Group { start, end: self.keys.len(), kind, marks });
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }
}

/// The place of an evaluation among the instances.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub frame: FrameId,
    pub instance: usize,
}
