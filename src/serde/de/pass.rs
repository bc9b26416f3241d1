//! Reads a value of a type, and goes on after errors.
//!
//! serde stops at the first error, and a type says what it needs only by refusing what it is given. So a structure may
//! be asked for in several passes. Each part of the input is read in one of them; a part that has been read or reported
//! is given as a harmless [stand-in](super::stand_in) in the later ones, or left out if its type has none.

use std::cell::{Cell, RefCell};

use ::serde::de::{Deserialize, DeserializeSeed};

use super::context::{Context, Mark};
use super::deserializer::De;
use super::error::{Error, Kind};
use super::input::Input;
use super::messages;
use super::path::Path;
use super::stand_in::stand_in;
use super::suspects::refused;

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
    pub start: Mark,
    /// True if a structure of this pass has been asked for already: only the first one is read in several passes.
    claimed: Cell<bool>,
    /// The members before this one have been read.
    pub first: Cell<usize>,
    /// The members without a stand-in.
    left_out: RefCell<Vec<usize>>,
    /// Fields that are missing and are offered nevertheless: lists and maps are empty then.
    pub offered: RefCell<Vec<&'static str>>,
    /// Those of them that must not be missing.
    pub required: RefCell<Vec<&'static str>>,
    /// The field for labels of a structure that does not say which fields it has.
    pub labels_field: Cell<Option<&'static str>>,
    /// True if a block with labels that serde buffers has turned out to be a structure.
    pub is_structure: Cell<bool>,
    /// True if the structure has refused names that it does not know.
    pub refuses_names: Cell<bool>,
    /// True if the option that the value is has turned out not to be one of an expression.
    pub is_evaluated: Cell<bool>,
    /// The pass that only asks which missing fields are optional, with stand-ins for all members.
    rehearsal: Cell<Rehearsal>,
}

#[derive(Clone, Copy, PartialEq)]
enum Rehearsal {
    NotYet,
    UnderWay,
    Done,
}

impl Pass {
    fn new(start: Mark) -> Self {
        Pass {
            start,
            claimed: Cell::new(false),
            first: Cell::new(0),
            left_out: RefCell::default(),
            offered: RefCell::default(),
            required: RefCell::default(),
            labels_field: Cell::new(None),
            is_structure: Cell::new(false),
            refuses_names: Cell::new(false),
            is_evaluated: Cell::new(false),
            rehearsal: Cell::new(Rehearsal::NotYet),
        }
    }

    /// Returns true for the first structure that asks in a pass.
    pub fn claim(&self) -> bool {
        !self.claimed.replace(true)
    }

    pub fn is_left_out(&self, index: usize) -> bool {
        self.left_out.borrow().contains(&index)
    }

    pub fn leave_out(&self, index: usize) -> Error {
        self.left_out.borrow_mut().push(index);
        self.first.set(self.first.get().max(index.saturating_add(1)));
        Kind::Again.into()
    }

    /// Returns true if something has failed, so that the value will not be used.
    pub fn has_failed(&self, cx: &Context<'_, '_>) -> bool {
        cx.failures() > self.start.failures
    }

    /// Offers a field that is missing in the next pass.
    pub fn offer(&self, cx: &Context<'_, '_>, field: &'static str, members: usize, may_rehearse: bool) -> Error {
        self.offered.borrow_mut().push(field);
        if self.has_failed(cx) {
            self.first.set(members);
        } else if may_rehearse && self.rehearsal.get() != Rehearsal::Done {
            self.rehearsal.set(Rehearsal::UnderWay);
            self.first.set(members);
        } else {
            self.begin_again(cx);
        }
        Kind::Again.into()
    }

    /// The same for a field that is missing in something that serde has buffered. Returns true if there is a next pass.
    fn offer_buffered(&self, cx: &Context<'_, '_>, field: &'static str) -> bool {
        if !self.claimed.get() || self.offered.borrow().contains(&field) {
            return false;
        }
        if field == super::LABEL_FIELD || field == super::LABELS_FIELD {
            self.is_structure.set(true);
            return self.labels_field.replace(Some(field)).is_none() && self.begin_anew(cx).asks_again();
        }
        self.offer(cx, field, usize::MAX, false).asks_again()
    }

    /// Returns what an error is about: a field that is no list is missing, if a list has been offered for it.
    pub fn cause(&self, kind: Kind) -> Kind {
        match (&kind, self.offered.borrow().last()) {
            (Kind::Type(found, _), Some(field)) if found == "a list" => Kind::Missing(field),
            _ => kind,
        }
    }

    /// Reads all members in the next pass: nothing has failed, and the type is known better.
    pub fn begin_again(&self, cx: &Context<'_, '_>) {
        if !self.has_failed(cx) {
            cx.go_back(self.start);
            self.first.set(0);
            self.left_out.borrow_mut().clear();
        }
    }

    /// Reads everything anew in the next pass: what has been read so far was taken for something else.
    pub fn begin_anew(&self, cx: &Context<'_, '_>) -> Error {
        cx.go_back(self.start);
        self.begin_again(cx);
        self.offered.borrow_mut().clear();
        self.required.borrow_mut().clear();
        Kind::Again.into()
    }

    /// Returns true if a rehearsal has ended well: now the members are read.
    fn end_rehearsal(&self, cx: &Context<'_, '_>) -> bool {
        let was_under_way = self.rehearsal.replace(Rehearsal::Done) == Rehearsal::UnderWay;
        if was_under_way {
            self.begin_again(cx);
        }
        was_under_way && !self.has_failed(cx)
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
            pass.claimed.set(false);
            let result = T::deserialize(De { cx, input, path, pass: Some(&pass) });
            let asks_again = match &result {
                Err(error) => match error.kind() {
                    Kind::Again => true,
                    Kind::Missing(field) => pass.offer_buffered(cx, field),
                    _ => false,
                },
                Ok(_) => false,
            };
            if !asks_again && !pass.end_rehearsal(cx) {
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
            fresh => match pass.cause(fresh) {
                Kind::Missing(_) if cx.broken => cx.fail(),
                cause => cx.record(refused(&cause, cx, input, path)),
            },
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
