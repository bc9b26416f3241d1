//! Reads a value of a type, and goes on after errors.
//!
//! serde stops at the first error, and a type says what it needs only by refusing what it is given. So a structure may
//! be asked for in several passes. Each part of the input is read in one of them; a part that has been read or reported
//! is given as a harmless [stand-in](super::stand_in) in the later ones, or left out if its type has none.

use std::cell::{Cell, RefCell};

use ::serde::de::{Deserialize, DeserializeSeed};

use super::context::{Context, Mark, TypeKey};
use super::deserializer::De;
use super::error::{Error, Kind};
use super::hidden::refused;
use super::input::Input;
use super::messages;
use super::path::Path;
use super::stand_in::stand_in;

/// The text of a file that outlives reading, so that strings can be borrowed from it.
#[derive(Clone, Copy)]
pub(super) struct Lender<'de> {
    /// The address of the text that is parsed, and the text that is lent, which has the same bytes.
    address: usize,
    text: &'de str,
}

impl<'de> Lender<'de> {
    pub const NONE: Lender<'static> = Lender { address: 0, text: "" };

    pub fn new(parsed: &str, text: &'de str) -> Self {
        if parsed == text { Lender { address: parsed.as_ptr() as usize, text } } else { Lender::NONE }
    }

    /// Returns the same text for as long as the file lives, if it is a part of the parsed text.
    pub fn lend(&self, part: &str) -> Option<&'de str> {
        let start = (part.as_ptr() as usize).checked_sub(self.address)?;
        self.text.get(start..start.checked_add(part.len())?)
    }
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
    fn goes_on<T>(&self, cx: &Context<'_, '_>, result: &Result<T, Error>) -> bool {
        let kind = result.as_ref().err().map(Error::kind);
        match (kind, self.claimed.take()) {
            (Some(Kind::Again), _) => true,
            // Not serde's copy, which takes such numbers.
            (Some(Kind::Beyond(..)), None) => !self.rounds.replace(true),
            // A variant with labels, which serde has buffered.
            (Some(Kind::Missing(field)), Some(key)) if super::is_labels_field(field) => {
                let (field, is_news) = (*field, cx.labels_field(key).is_none());
                cx.learn(key, |shape| (shape.labels_field, shape.is_structure) = (Some(field), true));
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

/// Reads a value. Errors are put on the list; then there may be no value, or one with stand-ins in it.
pub(super) fn read<'de, T: Deserialize<'de>>(
    cx: &Context<'_, 'de>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Result<T, Error> {
    // Nothing more would be reported: the rest is not read.
    if cx.is_full() {
        return Err(Error::reported());
    }
    let pass = Pass::new(cx.mark());
    let result = cx.deeper(
        || input.place(),
        || loop {
            let result = T::deserialize(De { cx, input, path, pass: Some(&pass) });
            if !pass.goes_on(cx, &result) {
                break result;
            }
        },
    );
    result.map_err(|error| {
        match error.into_kind() {
            Kind::NeedsLabels => return Kind::NeedsLabels.into(),
            Kind::Placed(diagnostics) => diagnostics.into_iter().for_each(|diagnostic| cx.record(diagnostic)),
            // It may be a consequence of what has been reported, or of a stand-in.
            _ if pass.has_failed(cx) => {}
            Kind::Reported | Kind::Again => cx.fail(),
            Kind::Missing(_) if cx.broken => cx.fail(),
            fresh => cx.record(refused(&fresh, cx, input, path)),
        }
        Error::reported()
    })
}

/// Reads a value that others need. If it cannot be read, something harmless stands in for it.
pub(super) fn read_or_stand_in<'de, T: Deserialize<'de>>(
    cx: &Context<'_, 'de>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Result<T, Error> {
    read(cx, input, path).or_else(|error| if cx.is_full() { Err(error) } else { stand_in() })
}

/// Reads a value whose type is hidden, such as by `DeserializeSeed`. Errors in its parts are put on the list; one of
/// the value itself ends what it is in.
pub(super) fn read_seed<'de, S: DeserializeSeed<'de>>(
    cx: &Context<'_, 'de>,
    input: &Input<'_>,
    path: &Path<'_>,
    seed: S,
) -> Result<S::Value, Error> {
    let read = || seed.deserialize(De { cx, input, path, pass: None });
    cx.deeper(|| input.place(), read).map_err(|error| placed(error, cx, input, path))
}

/// Gives an error of a type the place of what it was made for.
pub(super) fn placed(error: Error, cx: &Context<'_, '_>, input: &Input<'_>, path: &Path<'_>) -> Error {
    match error.into_kind() {
        kind @ (Kind::Reported | Kind::Placed(_) | Kind::Again | Kind::NeedsLabels) => kind.into(),
        fresh => refused(&fresh, cx, input, path).into(),
    }
}

/// Reads a key or a name.
pub(super) fn read_name<'de, T: Deserialize<'de>>(
    cx: &Context<'_, 'de>,
    name: &Input<'_>,
    path: &Path<'_>,
) -> Result<T, Error> {
    T::deserialize(De { cx, input: name, path, pass: None }).map_err(|error| match error.into_kind() {
        kind @ (Kind::Reported | Kind::Placed(_) | Kind::Again | Kind::NeedsLabels) => kind.into(),
        fresh => messages::refused(&fresh, name, path).into(),
    })
}
