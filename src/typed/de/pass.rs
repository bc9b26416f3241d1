//! The input of a type, and the state of the passes in which it is [read](super::read).

use std::cell::{Cell, RefCell};

use super::context::{Context, Mark, TypeKey};
use super::error::{Error, Kind};
use super::input::Input;
use super::path::Path;

/// The input of a type, and its path.
#[derive(Clone, Copy)]
pub(super) struct De<'a, 'c, 'de, 't> {
    pub cx: &'a Context<'c, 'de>,
    pub input: &'a Input<'t>,
    pub path: &'a Path<'a>,
    /// The passes over the value, if it can be read more than once.
    pub pass: Option<&'a Pass>,
}

/// The passes over the structure that a value is.
pub(super) struct Pass {
    /// The findings before the first one.
    start: Mark,
    /// The structure that has been asked for in this pass: only the first one is read in several passes.
    claimed: Cell<Option<TypeKey>>,
    /// The members before this one have been read.
    first: Cell<usize>,
    /// The members without a stand-in.
    left_out: RefCell<Vec<usize>>,
    /// Fields that are missing and are offered nevertheless: lists and maps are empty then.
    pub offered: RefCell<Vec<&'static str>>,
    /// True in passes that only find out which missing fields are optional, with stand-ins for all members.
    is_rehearsal: Cell<bool>,
    /// True if the structure has refused names that it does not know.
    pub refuses_names: Cell<bool>,
    /// True if the type takes anything but exact numbers: it is given the nearest floats.
    pub rounds: Cell<bool>,
    /// True if the option that the value is has turned out not to be one of an expression.
    pub is_evaluated: Cell<bool>,
}

impl Pass {
    pub fn new(start: Mark) -> Self {
        Pass {
            start,
            claimed: Cell::new(None),
            first: Cell::new(0),
            left_out: RefCell::default(),
            offered: RefCell::default(),
            is_rehearsal: Cell::new(false),
            refuses_names: Cell::new(false),
            rounds: Cell::new(false),
            is_evaluated: Cell::new(false),
        }
    }

    /// Returns true for the first structure that asks in a pass.
    pub fn claim(&self, key: TypeKey) -> bool {
        self.claimed.replace(self.claimed.get().or(Some(key))).is_none()
    }

    /// Returns true if a member has been read before.
    pub fn has_read(&self, index: usize) -> bool {
        index < self.first.get()
    }

    pub fn is_left_out(&self, index: usize) -> bool {
        self.left_out.borrow().contains(&index)
    }

    /// Asks again without a member. The `members` are all that are there.
    pub fn leave_out(&self, index: usize, members: usize) -> Error {
        self.left_out.borrow_mut().push(index);
        if index < members {
            self.first.set(self.first.get().max(index + 1));
        }
        Kind::Again.into()
    }

    /// Returns true if something has failed, so that the value will not be used.
    pub fn has_failed(&self, cx: &Context<'_, '_>) -> bool {
        cx.failures() > self.start.failures
    }

    /// Offers a field that is missing in the next pass; the `members` that are there have all been read.
    pub fn offer(&self, cx: &Context<'_, '_>, field: &'static str, members: usize) -> Error {
        self.offered.borrow_mut().push(field);
        self.first.set(members);
        self.is_rehearsal.set(!self.has_failed(cx));
        Kind::Again.into()
    }

    /// Reads everything anew in the next pass: the type is known better.
    pub fn begin_anew(&self, cx: &Context<'_, '_>) -> Error {
        cx.go_back(self.start);
        self.first.set(0);
        self.is_rehearsal.set(false);
        self.left_out.borrow_mut().clear();
        self.offered.borrow_mut().clear();
        Kind::Again.into()
    }

    /// Returns true if a type is to be asked once more after this result.
    pub fn goes_on<T>(&self, cx: &Context<'_, '_>, result: &Result<T, Error>) -> bool {
        let kind = result.as_ref().err().map(Error::kind);
        match (kind, self.claimed.take()) {
            (Some(Kind::Again), _) => true,
            // Not serde's copy, which takes such numbers.
            (Some(Kind::Beyond(..)), None) => !self.rounds.replace(true),
            // A variant with labels, which serde has buffered.
            (Some(Kind::Missing(field)), Some(key)) if super::is_labels_field(field) => {
                let (field, is_news) = (*field, cx.labels_field(key).is_none());
                cx.learn(key, |facts| (facts.labels_field, facts.is_structure) = (Some(field), true));
                is_news && self.begin_anew(cx).asks_again()
            }
            // The fields that are missing are known: now the members are read.
            _ if self.is_rehearsal.take() && !self.has_failed(cx) => {
                self.first.set(0);
                true
            }
            _ => false,
        }
    }
}
