//! The addresses of targets, each stored as its parent and one step, so that the addresses of a whole file take no
//! more room than the file.

use std::borrow::Cow;

use super::{Address, AddressStep};
use hcl_lr::internal::work;

/// The address of something, as a number in [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathId(u32);

#[derive(Clone, Debug)]
pub(super) enum PathStep<'t> {
    Name(Cow<'t, str>),
    Index(u64),
    Computed(&'t str),
    Deep,
}

/// Addresses that share their beginnings.
#[derive(Debug, Default)]
pub(super) struct Paths<'t> {
    /// The parent and the last step of each address.
    steps: Vec<(PathId, PathStep<'t>)>,
}

impl<'t> Paths<'t> {
    /// The address of the body of a file.
    pub const ROOT: PathId = PathId(0);

    pub fn add(&mut self, before: PathId, step: PathStep<'t>) -> PathId {
        self.steps.push((before, step));
        PathId(self.steps.len() as u32)
    }

    /// Returns the address of a part of `path`.
    pub fn below(&mut self, path: PathId) -> PathId {
        match self.last(path) {
            Some((_, PathStep::Deep)) => path,
            _ => self.add(path, PathStep::Deep),
        }
    }

    fn last(&self, path: PathId) -> Option<&(PathId, PathStep<'t>)> {
        self.steps.get((path.0 as usize).checked_sub(1)?)
    }

    pub fn address(&self, path: PathId) -> Address {
        let (mut steps, mut at) = (Vec::new(), path);
        while let Some((before, step)) = self.last(at) {
            work::step(1);
            steps.push(match step {
                PathStep::Name(name) => AddressStep::Name(name.clone().into_owned()),
                PathStep::Index(index) => AddressStep::Index(*index),
                PathStep::Computed(text) => AddressStep::Computed((*text).to_owned()),
                PathStep::Deep => AddressStep::Deep,
            });
            at = *before;
        }
        steps.reverse();
        Address { steps }
    }
}
